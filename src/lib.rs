//! Wyrmgate: a headless game service. Rules are data; one engine plays every game.
//!
//! ```text
//! rules/*.yaml ─ lang ─▶ Definition ─ check ─▶ Checked ─ compile ─▶ Program
//!                                                                     │
//!                      seed + choices ─ engine ─▶ states and events ◀─┘
//!                                          │
//!                         views, decisions, names ◀─ view
//!                                          │
//!            requests ─ api ─▶ session ────┴─ one commit per move ─▶ store
//! ```
//!
//! # Playing a game in your own program
//!
//! [`rules::Ruleset`] loads a game and compiles a [`program::Program`] for a number of seats and options. The [`engine`] plays it:
//! [`engine::start`] gives a [`engine::State`], [`engine::pending`] the decisions owed, and [`engine::step`] takes a choice.
//! A state is a value: clone it to look ahead. [`view`](mod@view) describes a state to one viewer in documents and words.
//!
//! ```
//! use wyrmgate::engine::{Seeded, Silent, Viewer, nth_choice, pending, start, step};
//! use wyrmgate::rules::Ruleset;
//! use wyrmgate::view::{Stopped, decision_docs, view};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = Ruleset::from_folder("rules/gallery/tic-tac-toe".as_ref())??;
//! let options = serde_json::Map::new();
//! let program = rules.program(2, &options).map_err(|problems| format!("{problems:?}"))?;
//!
//! let mut state = start(&program, [7; 32], &mut Seeded, &mut Silent).map_err(Stopped::from)?;
//! while let Some(owed) = pending(&program, &state).first() {
//!     let decision = decision_docs(&program, &state, owed, 1, 0).map_err(Stopped::from)?;
//!     println!("seat {}: {}", decision.seat, decision.choices[0].label);
//!     let choice = nth_choice(&program, &state, owed, 0).map_err(Stopped::from)?;
//!     let choice = choice.ok_or("a decision has at least one choice")?;
//!     step(&program, &mut state, owed.index, &choice, &mut Seeded, &mut Silent)
//!         .map_err(Stopped::from)?;
//! }
//! let end = view(&program, &state, Viewer::Public);
//! assert!(end.outcome.is_some());
//! # Ok(())
//! # }
//! ```
//!
//! | To | Use |
//! | --- | --- |
//! | load, check and compile rules | [`rules`], [`check`], [`compile`](mod@compile), [`diagnostic`] |
//! | play, enumerate choices, save and restore | [`engine`] |
//! | play many games fast, without views and events | [`runner::Runner`] |
//! | describe a game to a viewer, read choices from JSON | [`view`](mod@view) |
//! | let built-in bots choose, sample worlds a seat cannot tell apart | [`bot`], [`imagine`] |
//! | number all choices, write observations as tensors | [`spaces`] |
//! | study a game | [`simulate`], [`perft`], [`laws`], [`audit`] |
//! | write and replay records | [`record`], [`replay`] |
//! | run scenarios, write rulebooks and pictures | [`scenario`], [`rulebook`], [`picture`] |
//! | serve games over HTTP | [`api`], [`session`], [`store`], [`config`] |
//!
//! # Invariants
//!
//! The engine knows no file, clock, thread or network, and its randomness is part of its state. A refused choice changes nothing.
//! Everything that people receive passes the engine's module for visibility. The store does not know what a game is.
//! `ARCHITECTURE.md` explains how the parts work together.

pub mod cli;

pub use wyrmgate_analysis::{
    audit, explore, laws, notation, oddities, perft, record, replay, simulate, statistics, svg,
    threads,
};
pub use wyrmgate_authoring::{
    brief, debugger, desk, editor, format, mutate, picture, rulebook, rules, scenario, schema,
};
pub use wyrmgate_base::{cancel, diagnostic, dice, hex, presume, stack, visible};
pub use wyrmgate_compile::{check, compile};
pub use wyrmgate_engine as engine;
pub use wyrmgate_lang as lang;
#[cfg(feature = "native")]
pub use wyrmgate_native as native;
pub use wyrmgate_program as program;
pub use wyrmgate_runner as runner;
pub use wyrmgate_runtime::{queue, surroundings};
pub use wyrmgate_search::{bot, imagine};
pub use wyrmgate_service::{api, config};
pub use wyrmgate_sessions as session;
pub use wyrmgate_sessions::{metrics, trace, webhook_sender};
pub use wyrmgate_spaces as spaces;
pub use wyrmgate_store as store;
pub use wyrmgate_view as view;

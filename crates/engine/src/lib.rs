//! The engine: plays any compiled game. No I/O, no clock, no panics, and no threads except to translate a program to
//! machine code in the background.
//!
//! ```text
//! start ─▶ State ─▶ pending ─▶ for_each_choice, count_choices, random_choice …
//!            ▲                       │
//!            └──────── step ◀────────┘      events go to an Observer, chance comes from a Chance
//! ```
//!
//! At rest, a game waits for one or more decisions, or is finished. Everything that lasts is in [`State`]: plain words,
//! including the suspended effects. `see.rs` alone decides who may know what; the crate `view` uses it to render a game
//! as words and documents.

#![deny(clippy::wildcard_enum_match_arm)]

mod canonical;
mod chacha;
mod chance;
mod chance_path;
mod changes;
mod choice;
mod choices;
mod encode;
mod eval;
mod event;
mod fault;
mod four;
pub mod frame;
mod history;
mod holes;
mod identity;
mod label;
pub mod layout;
pub mod limit;
mod links;
mod machine;
#[cfg(feature = "native")]
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the interpreter does what is not translated"
)]
mod native;
mod ops;
mod outcome;
pub mod play;
mod position;
mod reject;
mod rng;
mod runner;
pub mod see;
mod selections;
mod silence;
mod stack;
mod standing;
mod state;
mod tool;

pub use chance::{Chance, Draw, Handling, Seeded};
pub use chance_path::{ChancePath, Fork};
pub use choice::{Arg, Choice, Pending};
pub use choices::{
    Filled, Listed, Listing, Offer, Test, Tested, asked_at, count_choices, count_choices_of,
    for_each_choice, for_each_offer, groups_alike, is_legal, list, listed_alike, nth_choice,
    random_choice, sorted_choice, tested,
};
pub use encode::{DecodeError, STATE_FORMAT, fingerprint};
pub use eval::Revelation;
pub use eval::cell_at;
pub use eval::noting;
pub use event::{
    At, Collect, Event, Observer, Seen, SeenValue, Sight, Silent, Target, Viewers, Whole,
};
pub use fault::{Fault, FaultKind};
pub use identity::identified;
pub use label::Told;
#[cfg(feature = "native")]
pub use native::{LeftLine, Part, Statement, left_to_interpreter, use_machine_code};
pub use outcome::{Outcome, Ranked};
pub use play::{blank, first_owed, pending, start, step, step_legal};
pub use position::{PositionKey, Positions};
pub use reject::{Cause, Named, Refused, RejectCode, StepError, refused};
pub use rng::{Label, Rng};
pub use runner::{Rest, Runner};
pub use see::{Omniscience, Reader, Viewer, hidden_order};
pub use see::{has_back, holder_of, reads_back, seen_value, sees, sees_as, viewers_of_var};
pub use silence::default_choice;
pub use standing::{leader, standing};
pub use state::State;
pub use tool::{Evaluated, ToolError, eval_in_frame, eval_query, run_effect};

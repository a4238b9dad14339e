//! The engine: plays any compiled game. No I/O, no clock, no panics, and no threads.
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
//!
//! What the rest of the project uses is re-exported here. The public modules are for crates that play programs in another
//! way (`native`, `runner`): they read the same words and call the interpreter for what they do not do themselves.

#![deny(clippy::wildcard_enum_match_arm)]

mod after;
mod canonical;
pub mod chacha;
mod chance;
mod chance_path;
pub mod changes;
pub mod choice;
pub mod choices;
mod encode;
pub mod eval;
mod event;
pub mod fault;
pub mod frame;
pub mod game;
pub mod history;
mod holes;
mod identity;
pub mod layout;
pub mod limit;
mod links;
pub mod machine;
pub mod ops;
pub mod outcome;
mod owed;
mod perform;
pub mod play;
mod position;
mod reject;
mod resign;
pub mod rng;
pub mod see;
mod seen;
pub mod selections;
mod sides;
mod silence;
mod stack;
mod standing;
pub mod state;
mod tool;
pub mod viewer;

pub use chance::{Chance, Draw, Handling, Moment, Seeded};
pub use chance_path::{ChancePath, Fork};
pub use choice::{BoundValue, Choice, ChoiceName, Pending};
pub use choices::{
    ChoiceListing, ChoiceMenu, ChoiceTexts, ListedChoice, Offer, OpenValue, Test, Tested, asked_at,
    count_choices, count_choices_of, for_each_choice, for_each_offer, groups_alike, is_legal, list,
    listed_alike, nth_choice, random_choice, sorted_choice, tested, untold, with_texts,
};
pub use encode::{DecodeError, STATE_FORMAT, fingerprint};
pub use eval::Evaluated;
pub use eval::Revelation;
pub use eval::cell_at;
pub use eval::noting;
pub use event::{AssignmentTarget, At, Collect, Event, Observer, Oddity, Silent};
pub use fault::{Fault, FaultKind};
pub use holes::{Filled, filled, filled_for_each};
pub use identity::identified;
pub use outcome::{EndReason, GameOutcome, Ranked};
pub use owed::{
    answered, first_owed, has_resigned, member_number, owed_seats, pending, stays_secret,
};
pub use play::{blank, go_on, start, step, step_legal, step_noting};
pub use position::{PositionKey, PositionKeys};
pub use reject::{Refused, RejectCode, RejectionCause, StepError, refused};
pub use resign::ask_again;
pub use rng::{Label, Rng};
pub use see::{
    has_back, hidden_order, holder_of, reads_back, seen_value, sees, sees_as, viewers_of_var,
};
pub use seen::{EventSight, LabelValue, SeenComponent, SeenValue, Whole};
pub use sides::{sides, sides_left};
pub use silence::default_choice;
pub use standing::{leader, standing};
pub use state::State;
pub use tool::{ToolError, answer, eval_in_frame, eval_query, run_effect};
pub use viewer::{Omniscience, SECRETLY, ViewReader, Viewer, Viewers};

//! The engine: plays any compiled game. No I/O, no clock, no threads, no panics.
//!
//! ```text
//! start ─▶ State ─▶ pending ─▶ for_each_choice, count_choices, random_choice …
//!            ▲                       │
//!            └──────── step ◀────────┘      events go to an Observer, chance comes from a Chance
//! ```
//!
//! At rest a game waits for one or more decisions, or it is finished. All that lasts is in [`State`]: plain words,
//! with the suspended effects among them. What people see — views, decisions, events — is redacted here and nowhere
//! else, by `see.rs`.

mod chacha;
mod chance;
mod chance_path;
mod changes;
mod choice;
mod choices;
mod decision;
mod disguise;
mod doc;
mod encode;
mod eval;
mod event;
mod event_doc;
mod explain;
mod fault;
mod four;
mod frame;
mod json;
mod knowledge;
mod layout;
mod lesson;
pub mod limit;
mod links;
mod machine;
mod name;
#[cfg(feature = "native")]
mod native;
mod ops;
mod otherwise;
mod outcome;
mod play;
mod pointing;
mod position;
mod reject;
mod rng;
mod runner;
mod see;
mod silence;
mod standing;
mod state;
mod stopped;
mod template;
mod text;
mod tool;
mod view;

pub use chance::{Chance, Draw, Seeded};
pub use chance_path::{ChancePath, Fork};
pub use choice::{Arg, Choice, Pending};
pub use choices::{
    Offer, count_choices, for_each_choice, for_each_offer, is_legal, nth_choice, random_choice,
};
pub use decision::{ChoiceDoc, DecisionDoc, DecisionKind, decision_docs, decision_docs_in};
pub use disguise::disguise;
pub use disguise::{ChangingBack, Looks, changing_back, lasting_looks, renamed_zone};
pub use doc::Doc;
pub use encode::{DecodeError, STATE_FORMAT, fingerprint};
pub use eval::Revelation;
pub use eval::noting;
pub use event::{Collect, Event, Observer, Seen, SeenValue, Sight, Silent, Target, Viewers};
pub use event_doc::event_doc;
pub use explain::explain;
pub use fault::{Fault, FaultKind};
pub use json::{choice_from_json, choice_to_json, value_from_json, value_to_json};
pub use knowledge::{Knowledge, Taken};
pub use lesson::Lessons;
pub use name::{Names, name_of_value, title_of_value, value_from_name};
pub use otherwise::{Unknown, hides, names_by_place, renamed, take_backs};
pub use outcome::{Outcome, Ranked};
pub use play::{blank, pending, start, step, step_legal};
pub use pointing::{meant, pointed};
pub use position::{PositionKey, Positions};
pub use reject::{RejectCode, Rejection, StepError};
pub use rng::{Label, Rng};
pub use runner::Runner;
pub use see::{Omniscience, Reader, Viewer, hidden_order};
pub use see::{has_back, holder_of, reads_back, seen_value, sees, sees_as, viewers_of_var};
pub use silence::default_choice;
pub use standing::{leader, standing};
pub use state::State;
pub use stopped::Stopped;
pub use template::{TemplateArg, TemplateOption, template};
pub use tool::{ToolError, eval_query, run_effect};
pub use view::{OutcomeDoc, OwedDoc, ViewDoc, ZoneDoc, outcome_doc, scores, view};

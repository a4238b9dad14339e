//! Renders a game for people: views, decisions, events, names, and refusals in words.
//!
//! Everything here requires a viewer. The engine's `see.rs` alone decides which components a viewer may identify;
//! only [`ReaderNames`] names a component.

#![deny(clippy::wildcard_enum_match_arm)]

mod arranged;
mod caption;
mod components;
mod decision;
mod doc;
mod event_doc;
mod explain;
mod fault;
mod given;
mod information;
mod json;
mod keyed;
mod knowledge;
mod label;
mod name;
mod notation;
mod otherwise;
mod pointing;
mod records;
mod same;
mod stopped;
mod substitution;
mod template;
mod text;
mod view;

pub use components::{component_in, components_in};
pub use decision::{
    ChoiceDoc, DecisionDoc, DecisionKind, decision_docs, decision_docs_in, decision_docs_of,
};
pub use doc::{Doc, Members, as_json};
pub use event_doc::event_doc;
pub use explain::{Rejection, explain};
pub use fault::{advice, sentence};
pub use given::{given_choice, texts_of};
pub use information::InformationGain;
pub use json::{choice_from_json, choice_to_json, value_from_json, value_to_json};
pub use knowledge::{Knowledge, TakenStep};
pub use label::{event_with_label, is_choice_known};
pub use name::{ReaderNames, name_of_value, title_of_value, value_from_name};
pub use notation::{
    NotedChoice, from_plain_note, note, note_after, noted_choices, noted_position, noted_tags,
    plain_note,
};
pub use otherwise::{Unknown, hides, names_by_place, renamed, take_backs};
pub use pointing::{meant, pointed};
pub use records::{depth_of_records, seen_variable, seen_whole};
pub use stopped::Stopped;
pub use substitution::{ChangingBack, Looks, changing_back, lasting_looks, rename_choice};
pub use template::{TemplateArg, TemplateOption, template};
pub use view::{OutcomeDoc, OwedDoc, ViewDoc, ZoneDoc, outcome_doc, scores, view, view_to_send};

//! `Accept: text/plain`: a position, a decision and a change in few words, for language models and for people with curl.
//!
//! The text is made from the same views, decisions and events as JSON, by the code that writes for terminals
//! ([`wyrmgate_authoring::brief`] and [`wyrmgate_authoring::picture`]).

use actix_web::HttpRequest;
use serde_json::Value;

use crate::api::request::call::Handled;
use crate::api::response::respond;
use crate::api::session::decisions::SessionDecision;
use crate::api::session::described::describe_events;
use crate::api::session::position;
use crate::api::session::table::CallerTable;
use crate::api::shared::accept::{self, JSON, TEXT};
use crate::api::shared::language::{self, Listener};
use crate::api::shared::problem::Problem;
use wyrmgate_analysis::record::Outcome;
use wyrmgate_authoring::{brief, picture};
use wyrmgate_base::visible::pictured;
use wyrmgate_sessions::{Live, LogEntry, PastChange};

/// Returns whether the client prefers text. A client that accepts neither text nor JSON gets JSON, as from an endpoint with
/// one form.
pub fn is_wanted(request: &HttpRequest) -> bool {
    accept::best(request, &[JSON, TEXT]).is_ok_and(|form| form == TEXT)
}

/// Returns a response with text, or 304 if the client has it.
pub fn respond(
    request: &HttpRequest,
    live: &Live,
    listener: Listener,
    text: impl FnOnce() -> Result<String, Problem>,
) -> Handled {
    let tag = listener.entity_tag(live);
    let tag = format!("{};text\"", tag.trim_end_matches('"'));
    let response = respond::tagged_as(request, &tag, accept::PLAIN, || {
        text().map(|text| pictured(&text).into_owned().into_bytes())
    })?;
    Ok(language::said(response, [listener.tag(live)]))
}

/// Describes the position, and how the game ended.
pub fn position(table: &CallerTable) -> String {
    let mut text = table.see(None, picture::brief);
    let outcome = table
        .live
        .play
        .as_ref()
        .and_then(|play| play.state().outcome());
    if let Some(outcome) = outcome.map(Outcome::from) {
        let names = brief::Names::of(&table.live.program, table.listener.language);
        let ranking = brief::ranking(&outcome, &names);
        text += &ranking;
        text += if ranking.is_empty() { "" } else { "\n" };
    }
    text
}

/// Lists what the caller has answered in secret, and what it owes, with the ids that answer it.
pub fn decisions(live: &Live, listener: Listener, owed: &[SessionDecision]) -> String {
    let words = picture::words::of(live.program.language_tag(listener.language));
    let told = owed.iter().map(|decision| {
        let (read, begin) = decision.to_read();
        let room = match read.is_search {
            true => brief::FOUND_ROOM,
            false => brief::CHOICES_ROOM,
        };
        brief::answers(&read, begin, words, room)
    });
    let given = position::given(live, listener).unwrap_or_default();
    let names = (!given.is_empty()).then(|| brief::Names::of(&live.program, listener.language));
    let given = names.map(|names| brief::ending(&brief::events(&given, &names)));
    given.into_iter().chain(told).collect()
}

/// Lists what changes did, each after its version.
pub fn history<'p>(
    live: &Live,
    listener: Listener,
    past: impl Iterator<Item = &'p PastChange>,
) -> String {
    let names = brief::Names::of(&live.program, listener.language);
    past.map(|past| version(past.version) + &change(live, listener, &past.entry, &names))
        .collect()
}

/// Lists what one change did.
pub fn events(live: &Live, listener: Listener, entry: &LogEntry) -> String {
    let names = brief::Names::of(&live.program, listener.language);
    change(live, listener, entry, &names)
}

pub fn version(version: u64) -> String {
    format!("version {version}\n")
}

/// Lists the events of a change that the caller may know, one per line; of a long list, only the end.
fn change(live: &Live, listener: Listener, entry: &LogEntry, names: &brief::Names) -> String {
    let docs = describe_events(live, entry, listener).into_iter();
    let docs: Vec<Value> = docs.map(Into::into).collect();
    brief::ending(&brief::events(&docs, names))
}

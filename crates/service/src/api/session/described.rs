//! What happened in a session, as one reader may know it.

use serde_json::json;

use crate::api::shared::language::Listener;
use wyrmgate_engine::ViewReader;
use wyrmgate_program::Program;
use wyrmgate_sessions::{Happening, Live, LogEntry, TokenRights};
use wyrmgate_view::{Doc, event_with_label};

/// Returns the events of an entry as this listener may know them.
pub fn describe_events<'a>(
    live: &'a Live,
    entry: &'a LogEntry,
    listener: Listener,
) -> Vec<Doc<'a>> {
    let nameless = &live.status.roster.nameless;
    let (program, reader) = (&live.program, listener.reader());
    let mut docs = describe_all(program, &entry.happenings, nameless, reader);
    // A game with notes hides nothing: every choice is described.
    let chosen = docs.iter_mut().filter(|doc| doc["type"] == "chose");
    for (doc, note) in chosen.zip(&entry.notes) {
        if let Doc::Object(members) = doc
            && !note.is_empty()
        {
            members.insert("notation", Doc::from(note.as_str()));
        }
    }
    docs
}

/// Returns events of one change as this reader may know them. Nobody learns the names of players in the seats that are
/// `nameless`.
pub fn describe_all<'a>(
    program: &'a Program,
    happenings: &'a [Happening],
    nameless: &[u8],
    reader: ViewReader,
) -> Vec<Doc<'a>> {
    let described = happenings.iter().enumerate().filter_map(|(at, happening)| {
        let later = happenings.iter().skip(at + 1);
        describe_event(program, happening, later, nameless, reader)
    });
    described.collect()
}

/// Returns one event as this reader may know it, who will know the later ones, too.
fn describe_event<'a>(
    program: &'a Program,
    happening: &'a Happening,
    later: impl Iterator<Item = &'a Happening>,
    nameless: &[u8],
    reader: ViewReader,
) -> Option<Doc<'a>> {
    let of = |of: &'static str| ("type", Doc::from(of));
    let by = |seat: u8| ("seat", Doc::from(seat));
    let to = |version: u64| ("to", Doc::Int(i64::try_from(version).unwrap_or(i64::MAX)));
    Some(Doc::object(match happening {
        Happening::Game(event) => {
            let later = later.filter_map(|happening| match happening {
                Happening::Game(event) => Some(event),
                _ => None,
            });
            return event_with_label(program, event, later, reader);
        }
        Happening::SessionCreated => vec![of("session-created")],
        Happening::Resumed => vec![of("resumed")],
        Happening::SeatTaken { seat, name, bot } => {
            let mut event = vec![of("seat-taken"), ("seat", Doc::from(*seat))];
            let name = name.as_ref().filter(|_| !nameless.contains(seat));
            event.extend(name.map(|name| ("name", Doc::from(name.as_str()))));
            event.extend(bot.map(|bot| ("bot", Doc::from(&json!(bot)))));
            event
        }
        Happening::SeatLeft { seat } => vec![of("seat-left"), by(*seat)],
        Happening::SeatRenewed { seat } => vec![of("seat-renewed"), by(*seat)],
        Happening::UndoWished { seat, to: version } => {
            vec![of("undo-wished"), by(*seat), to(*version)]
        }
        Happening::UndoRefused { seat } => vec![of("undo-refused"), by(*seat)],
        Happening::Undone { seat, to: version } => vec![of("undone"), by(*seat), to(*version)],
        Happening::Declared { seat, what } => {
            let mut event = vec![of(what.name())];
            event.extend(seat.map(by));
            event
        }
        Happening::RolledBack { to: version } => vec![of("rolled-back"), to(*version)],
        Happening::TimedOut { seat } => vec![of("timed-out"), by(*seat)],
        Happening::Forked => vec![of("forked")],
        Happening::TokenRenewed { kind } => {
            let kind = match kind {
                TokenRights::Owner => "owner",
                TokenRights::Invite => "invite",
                TokenRights::Spectator => "spectator",
                TokenRights::Seat | TokenRights::Key | TokenRights::Player => "seat",
            };
            vec![of("token-renewed"), ("kind", Doc::from(kind))]
        }
    }))
}

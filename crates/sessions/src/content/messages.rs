//! Messages of the people at a table. They lie in a record of their own beside the session, so that no change of the game carries
//! them, and no log keeps them.

use serde::{Deserialize, Serialize};

use crate::access::caller::Caller;
use crate::access::player::PlayerId;

/// Number of messages that are kept for the table, and for each team.
pub const MESSAGES_MAX: usize = 100;
/// Number of messages that one person can write in a minute.
const MESSAGES_PER_MINUTE: usize = 10;
const MINUTE_MS: u64 = 60_000;

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableMessage {
    pub id: String,
    pub at_ms: u64,
    /// Who wrote it; `None` is the owner of the session.
    pub seat: Option<u8>,
    /// The name of its writer at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerId>,
    /// The seats that alone may read it. `None` if it is for the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Vec<u8>>,
    /// `None` if it was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The version of the record that wrote or deleted it.
    #[serde(default)]
    pub changed: u64,
}

/// The messages of a session, oldest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageBoard {
    pub all: Vec<TableMessage>,
}

impl TableMessage {
    /// Returns whether a caller who may read the messages of the table may read this one.
    pub fn is_for(&self, caller: Caller) -> bool {
        let is_in = |team: &Vec<u8>| caller.seat().is_some_and(|seat| team.contains(&seat));
        self.team.as_ref().is_none_or(is_in)
    }

    pub(crate) fn delete(&mut self, version: u64) {
        (self.text, self.changed) = (None, version);
    }

    /// Removes everything that names its writer.
    pub(crate) fn forget(&mut self, version: u64) {
        (self.name, self.player) = (None, None);
        self.delete(version);
    }
}

impl MessageBoard {
    /// Returns the latest messages that a caller may read, oldest first.
    pub fn read_by(&self, caller: Caller) -> Vec<&TableMessage> {
        let readable = self.all.iter().filter(|message| message.is_for(caller));
        let readable: Vec<&TableMessage> = readable.collect();
        let before = readable.len().saturating_sub(MESSAGES_MAX);
        readable.into_iter().skip(before).collect()
    }

    /// Returns when its writer may write again, if it has written too much.
    pub(crate) fn full_until_ms(&self, seat: Option<u8>, now_ms: u64) -> Option<u64> {
        let since = now_ms.saturating_sub(MINUTE_MS);
        let own = self.all.iter().rev().filter(|by| by.seat == seat);
        let oldest = own.take(MESSAGES_PER_MINUTE).nth(MESSAGES_PER_MINUTE - 1)?;
        (oldest.at_ms > since).then(|| oldest.at_ms.saturating_add(MINUTE_MS))
    }

    /// Adds a message, and drops the oldest one for the same readers if there are too many.
    pub(crate) fn add(&mut self, message: TableMessage) {
        let same = |of: &&TableMessage| of.team == message.team;
        if self.all.iter().filter(same).count() >= MESSAGES_MAX
            && let Some(oldest) = self.all.iter().position(|of| of.team == message.team)
        {
            self.all.remove(oldest);
        }
        self.all.push(message);
    }
}

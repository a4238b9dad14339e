//! Positions in a session's history that also identify the history itself.

use std::fmt;
use std::str::FromStr;

use crate::Refusal;
use crate::content::live::Live;
use crate::history::reading::Past;
use crate::service::Service;
use wyrmgate_store::{Mark, NoMark};

/// A version, and which history's.
///
/// ```
/// # use wyrmgate_sessions::EventCursor;
/// let cursor: EventCursor = "12-0123456789ab".parse().unwrap();
/// assert_eq!((cursor.version, cursor.to_string()), (12, "12-0123456789ab".into()));
/// // A mere number trusts that there is one history.
/// assert!("12".parse::<EventCursor>().unwrap().mark.is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventCursor {
    pub version: u64,
    pub mark: Option<Mark>,
}

/// The error for a text that is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoCursor;

/// The largest version that every JSON parser represents exactly.
const VERSION_MAX: u64 = (1 << 53) - 1;

impl EventCursor {
    /// The position before all changes.
    pub const START: EventCursor = EventCursor {
        version: 0,
        mark: None,
    };

    /// Returns the cursor at the beginning of one of our entity tags.
    pub fn of_tag(tag: &str) -> Option<EventCursor> {
        let tag = tag.trim_start_matches('"');
        let (version, rest) = tag.split_once('-')?;
        format!("{version}-{}", rest.get(..Mark::DIGITS)?)
            .parse()
            .ok()
    }
}

impl fmt::Display for EventCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mark {
            Some(mark) => write!(f, "{}-{mark}", self.version),
            None => write!(f, "{}", self.version),
        }
    }
}

impl FromStr for EventCursor {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<EventCursor, NoCursor> {
        let (version, mark) = match text.split_once('-') {
            Some((version, mark)) => (version, Some(mark)),
            None => (text, None),
        };
        if version.is_empty() || !version.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NoCursor);
        }
        let version: u64 = version.parse().map_err(|_| NoCursor)?;
        if version > VERSION_MAX {
            return Err(NoCursor);
        }
        Ok(EventCursor {
            version,
            mark: mark
                .map(str::parse)
                .transpose()
                .map_err(|NoMark| NoCursor)?,
        })
    }
}

impl Service {
    /// Fails if the position belongs to a history that the store has lost. The refusal names `known`, the last version
    /// that the caller may know of. Only somebody who has seen a later version knows its mark.
    pub async fn confirm(
        &self,
        live: &Live,
        cursor: EventCursor,
        known: u64,
    ) -> Result<(), Refusal> {
        let rewritten = || Refusal::HistoryRewritten { version: known };
        let Some(mark) = cursor.mark else {
            return Ok(());
        };
        if cursor.version > live.version() {
            return Err(rewritten());
        }
        let found = match cursor.version == live.version() {
            true => Some(live.version_mark),
            false => self.mark_of(&live.id, cursor.version).await?,
        };
        match found == Some(mark) {
            true => Ok(()),
            false => Err(rewritten()),
        }
    }

    /// Returns up to `limit` changes after a position, if it belongs to this history.
    pub async fn history_after(
        &self,
        live: &Live,
        cursor: EventCursor,
        limit: usize,
    ) -> Result<Vec<Past>, Refusal> {
        let before = cursor.mark.and(cursor.version.checked_sub(1));
        let Some(before) = before else {
            return self.history(&live.id, cursor.version, limit).await;
        };
        let mut past = self
            .history(&live.id, before, limit.saturating_add(1))
            .await?
            .into_iter();
        match past.next().filter(|first| first.cursor() == cursor) {
            Some(_) => Ok(past.collect()),
            None => Err(Refusal::HistoryRewritten {
                version: live.version(),
            }),
        }
    }

    async fn mark_of(&self, id: &str, version: u64) -> Result<Option<Mark>, Refusal> {
        let Some(before) = version.checked_sub(1) else {
            return Ok(None);
        };
        let past = self.history(id, before, 1).await?;
        Ok(past.first().map(|past| past.mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_texts_are_cursors() {
        for text in [
            "",
            "-",
            "12-",
            "12-0123456789",
            "12-0123456789AB",
            "+1",
            "1-0123456789abc",
        ] {
            assert_eq!(text.parse::<EventCursor>(), Err(NoCursor), "{text}");
        }
        let tag = EventCursor::of_tag("\"12-0123456789ab-s1+;en\"").unwrap();
        assert_eq!(tag.to_string(), "12-0123456789ab");
        assert_eq!(EventCursor::of_tag("\"abc\""), None);
    }
}

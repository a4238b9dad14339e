//! Positions in a session's history that also identify the history itself.

use std::fmt;
use std::str::FromStr;

use wyrmgate_store::{ChangeMark, NoMark};

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
    pub mark: Option<ChangeMark>,
}

/// The error for a text that is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoCursor;

/// Digits of a version: every JSON parser represents such an integer exactly.
const VERSION_DIGITS: usize = 15;

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
        format!("{version}-{}", rest.get(..ChangeMark::DIGITS)?)
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
        let is_short = (1..=VERSION_DIGITS).contains(&version.len());
        if !is_short || !version.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NoCursor);
        }
        Ok(EventCursor {
            version: version.parse().map_err(|_| NoCursor)?,
            mark: mark
                .map(str::parse)
                .transpose()
                .map_err(|NoMark| NoCursor)?,
        })
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
            "1234567890123456",
        ] {
            assert_eq!(text.parse::<EventCursor>(), Err(NoCursor), "{text}");
        }
        let tag = EventCursor::of_tag("\"12-0123456789ab-s1+;en\"").unwrap();
        assert_eq!(tag.to_string(), "12-0123456789ab");
        assert_eq!(EventCursor::of_tag("\"abc\""), None);
    }
}

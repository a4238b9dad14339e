//! Indexes: which sessions stand in which ordered list.

use std::borrow::Cow;

use super::types::Bytes;

/// The name of an ordered list of sessions.
///
/// ```
/// # use wyrmgate_store::Index;
/// assert_eq!(Index::OPEN.of("cliff-race").name(), "o:cliff-race");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Index(Cow<'static, str>);

impl Index {
    /// Sessions whose turn runs out; the score is the deadline.
    pub const DEADLINES: Index = Index(Cow::Borrowed("t"));
    /// Sessions that wait for players.
    pub const OPEN: Index = Index(Cow::Borrowed("o"));
    /// Sessions being played.
    pub const RUNNING: Index = Index(Cow::Borrowed("a"));
    /// Sessions that are over.
    pub const FINISHED: Index = Index(Cow::Borrowed("x"));

    /// Sessions in which a built-in player owes a decision; the score is since when.
    pub const BOTS: Index = Index(Cow::Borrowed("b"));
    /// Sessions of which a webhook is to be told something; the score is when.
    pub const WEBHOOKS: Index = Index(Cow::Borrowed("w"));
    /// Simulations.
    pub const SIMULATIONS: Index = Index(Cow::Borrowed("m"));
    /// Simulations under way; the score is when another node may take them over.
    pub const LEASES: Index = Index(Cow::Borrowed("l"));

    /// Sessions that expire while people can see them in lists. Of an engine that keeps them itself.
    pub(super) const EXPIRIES: Index = Index(Cow::Borrowed("z"));

    /// The part of this index for one scope, say one game: a filter that costs nothing to read.
    /// Characters that would confuse the layout are replaced by `_`.
    pub fn of(&self, scope: &str) -> Index {
        let scope = scope.replace(|c: char| c.is_control() || c.is_whitespace(), "_");
        Index(Cow::Owned(format!("{}:{scope}", self.0)))
    }

    /// Whether its scores are times at which somebody has something to do, so that [`super::Store::watch`] hears of them.
    pub fn is_timed(&self) -> bool {
        let timed = [
            Index::DEADLINES,
            Index::BOTS,
            Index::WEBHOOKS,
            Index::LEASES,
            Index::EXPIRIES,
        ];
        timed.contains(self)
    }

    /// The index of this name, as it is stored.
    pub(super) fn named(name: &str) -> Index {
        Index(Cow::Owned(name.to_owned()))
    }

    /// The name in stored keys.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// A session's place in an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The list.
    pub index: Index,
    /// The order in the list, usually Unix milliseconds.
    pub score: u64,
}

/// Everywhere a session is listed, and what a list shows of it. The default is nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// At most one place per index.
    pub placements: Vec<Placement>,
    /// A small public summary, so that a list need not load sessions.
    pub summary: Bytes,
}

/// A question for one page.
#[derive(Debug, Clone)]
pub struct ListQuery {
    /// The list.
    pub index: Index,
    /// Where the page before ended.
    pub after: Option<Cursor>,
    /// The most items in the page.
    pub limit: usize,
}

/// One session in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The session's id.
    pub session: String,
    /// Its score in the index.
    pub score: u64,
    /// See [`Listing::summary`].
    pub summary: Bytes,
}

/// Part of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// In order.
    pub items: Vec<Listed>,
    /// Where to go on; `None` at the end.
    pub next: Option<Cursor>,
}

/// A place between two items of a list, stable while items come and go.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    pub(super) score: u64,
    pub(super) session: String,
}

impl Cursor {
    /// The score's, in front of the session.
    pub(super) const SCORE_DIGITS: usize = 16;

    /// The text that clients carry.
    pub fn encode(&self) -> String {
        format!("{:016x}{}", self.score, self.session)
    }

    /// The cursor in a text that a client sent; `None` if we never wrote that.
    pub fn decode(text: &str) -> Option<Self> {
        let (score, session) = text.split_at_checked(Cursor::SCORE_DIGITS)?;
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let score_legal = score.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
        if !score_legal || session.is_empty() || !session.chars().all(legal) {
            return None;
        }
        let score = u64::from_str_radix(score, 16).ok()?;
        Some(Cursor {
            score,
            session: session.to_owned(),
        })
    }
}

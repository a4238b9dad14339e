//! Indexes: ordered lists of sessions.

use std::borrow::Cow;

use super::bytes::Bytes;

/// The name of an ordered list of sessions. Stored names are single letters, because they are part of many keys.
///
/// ```
/// # use wyrmgate_store::Index;
/// assert_eq!(Index::OPEN.of("cliff-race").name(), "o:cliff-race");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Index(Cow<'static, str>);

impl Index {
    /// Sessions with a time limit; the score is the deadline.
    pub const DEADLINES: Index = Index(Cow::Borrowed("t"));
    /// Sessions that wait for players.
    pub const OPEN: Index = Index(Cow::Borrowed("o"));
    /// Sessions being played.
    pub const RUNNING: Index = Index(Cow::Borrowed("a"));
    /// Sessions that are over.
    pub const FINISHED: Index = Index(Cow::Borrowed("x"));

    /// Sessions in which a bot owes a decision; the score is since when.
    pub const BOTS: Index = Index(Cow::Borrowed("b"));
    /// Sessions with pending webhooks; the score is when the next delivery is due.
    pub const WEBHOOKS: Index = Index(Cow::Borrowed("w"));
    /// Sessions of one player, the most urgent first.
    pub const PLAYERS: Index = Index(Cow::Borrowed("p"));
    /// Sessions with one tag.
    pub const TAGS: Index = Index(Cow::Borrowed("g"));
    /// Records with messages of one player.
    pub const AUTHORS: Index = Index(Cow::Borrowed("u"));
    /// Players who are told daily how many games wait; the score is when.
    pub const DIGESTS: Index = Index(Cow::Borrowed("d"));
    /// Finished sessions whose results are not worked off; the score is when they ended.
    pub const RESULTS: Index = Index(Cow::Borrowed("f"));
    /// Players by their rating in one class of games.
    pub const RATINGS: Index = Index(Cow::Borrowed("r"));
    /// Tournaments.
    pub const TOURNAMENTS: Index = Index(Cow::Borrowed("n"));
    /// Sessions that seek players.
    pub const SEEKS: Index = Index(Cow::Borrowed("s"));
    /// Those of them that fit each other, the oldest first. Their ids are chosen; see [`Index::takes`].
    pub const POOLS: Index = Index(Cow::Borrowed("k"));
    /// Sessions that wait for players for a limited time or look for others; the score is when.
    pub const WAITS: Index = Index(Cow::Borrowed("e"));
    /// Simulations.
    pub const SIMULATIONS: Index = Index(Cow::Borrowed("m"));
    /// Running simulations; the score is when another node may take them over.
    pub const LEASES: Index = Index(Cow::Borrowed("l"));

    /// Sessions that expire while people can see them in lists. For engines that maintain this list themselves.
    pub(super) const EXPIRIES: Index = Index(Cow::Borrowed("z"));

    /// Returns the part of this index for one scope, such as a game: a filter that costs nothing to read. Characters
    /// that would confuse the layout are replaced by `_`.
    pub fn of(&self, scope: &str) -> Index {
        let scope = scope.replace(|c: char| c.is_control() || c.is_whitespace(), "_");
        Index(Cow::Owned(format!("{}:{scope}", self.0)))
    }

    /// Returns a place in this index.
    pub fn at(self, score: u64) -> Placement {
        Placement { index: self, score }
    }

    /// Returns a query for the page that follows another one, or for the first.
    pub fn page(self, after: Option<Cursor>, limit: usize) -> ListQuery {
        ListQuery {
            index: self,
            after,
            limit,
        }
    }

    /// Returns whether a session with this id can be placed in this index. An engine that spreads sessions over many places
    /// has to look at all of them for a page, which is much for a list that is short and read at each request. All sessions of
    /// a pool belong to one share of the places, which the scope decides up to its first `-`.
    pub fn takes(&self, session: &str) -> bool {
        self.share()
            .is_none_or(|share| share == place_of(session) % SHARES)
    }

    pub(super) fn share(&self) -> Option<u16> {
        let (index, scope) = self.0.split_once(':')?;
        let pool = scope.split('-').next()?;
        (index == Index::POOLS.name()).then(|| place_of(pool) % SHARES)
    }

    /// Returns whether its scores are times at which work is due, so that [`super::Store::watch`] can offer it.
    pub fn is_timed(&self) -> bool {
        let timed = [
            Index::DEADLINES,
            Index::BOTS,
            Index::WEBHOOKS,
            Index::DIGESTS,
            Index::RESULTS,
            Index::WAITS,
            Index::LEASES,
            Index::EXPIRIES,
        ];
        timed.contains(self)
    }

    /// Returns the index with this stored name.
    pub(super) fn named(name: &str) -> Index {
        Index(Cow::Owned(name.to_owned()))
    }

    /// Returns the name in stored keys.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Number of shares of the places; see [`Index::takes`].
pub(super) const SHARES: u16 = 64;

/// Returns a number that spreads sessions evenly.
pub(super) fn place_of(session: &str) -> u16 {
    let [low, high, ..] = *blake3::hash(session.as_bytes()).as_bytes();
    u16::from_le_bytes([low, high])
}

/// A session's place in an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The list.
    pub index: Index,
    /// The order in the list, usually Unix milliseconds.
    pub score: u64,
}

/// All placements of a session. Empty by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// At most one place per index.
    pub placements: Vec<Placement>,
}

/// A query for one page.
#[derive(Debug, Clone)]
pub struct ListQuery {
    /// The list.
    pub index: Index,
    /// The end of the previous page.
    pub after: Option<Cursor>,
    /// Maximum number of items in the page.
    pub limit: usize,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSession {
    /// The session's id.
    pub session: String,
    /// Its score in the index.
    pub score: u64,
    /// See [`SessionRecord::fixed`](super::SessionRecord::fixed).
    pub fixed: Bytes,
    /// See [`SessionRecord::status`](super::SessionRecord::status).
    pub status: Bytes,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListingPage {
    /// In order.
    pub items: Vec<ListedSession>,
    /// The position of the next page. `None` at the end.
    pub next: Option<Cursor>,
}

/// A position between two items of a list. It stays valid while items come and go.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    pub(super) score: u64,
    pub(super) session: String,
}

impl Cursor {
    /// Width of the score in front of the session.
    pub(super) const SCORE_DIGITS: usize = 16;

    /// Returns the position before everything with this score.
    pub fn before(score: u64) -> Cursor {
        Cursor {
            score: score.saturating_add(1),
            session: String::new(),
        }
    }

    /// Returns the text for clients.
    pub fn encode(&self) -> String {
        format!("{:016x}{}", self.score, self.session)
    }

    /// Parses a cursor from a client. Returns `None` if we never issued it.
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

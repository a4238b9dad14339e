//! Lists over all buckets: merges a few members of each.
//!
//! A page costs one read per bucket, however long the lists are. Sessions spread evenly, so the members of a page
//! rarely come from one bucket. Where a bucket may contain more, the page ends early.
//!
//! Most buckets of a long list contribute nothing to a page. A sample of them is read first, which shows about where
//! the page ends; then all are read up to that point. Otherwise each bucket would walk through its list for members
//! that are not needed, which takes Redis five times as long in lists with hundreds of members.

use std::cmp::Ordering;
use std::sync::LazyLock;

use futures_util::future::try_join_all;
use redis::{Cmd, FromRedisValue, Value};

use super::super::{Cursor, Index, Listed, StoreError};
use super::connection::Connection;
use super::fault::Fault;
use super::keys::{BUCKETS, Keys, tag};
use super::script::{Call, Script};
use super::shards::Shards;
use super::{reply, scripts};

static RANGES: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("ranges.lua")));

/// Number of buckets that a script reads: few enough that other clients do not wait for it.
const AT_ONCE: usize = 128;
/// Number of members of each bucket that are read for one page.
const PER_BUCKET: usize = 3;
/// One bucket in this many is sampled first.
const SAMPLED: u16 = 16;
/// Number of additional members of the sample to take into account, so that the guess is rarely too near.
const MARGIN: usize = 4;
/// Number of arguments of a read; there is one read per bucket.
const LOOK_ARGUMENTS: usize = 7;
const LOOK_BYTES: usize = 128;

/// The direction in which a list is read.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// Highest score first.
    Down,
    /// Lowest score first, up to this score.
    UpTo(u64),
}

/// Part of a list. Members whose session is gone are omitted from `items`, but count for `next`.
pub(super) struct Part {
    pub(super) items: Vec<Listed>,
    pub(super) next: Option<Cursor>,
}

/// Reads up to `limit` members after a position.
pub(super) async fn read(
    connection: &Connection,
    shards: &Shards,
    index: &Index,
    way: Way,
    after: Option<&Cursor>,
    limit: usize,
) -> Result<Part, StoreError> {
    let lists = Lists {
        connection,
        shards,
        index,
    };
    let range = Range::of(way, after);
    let (places, more) = match lists.narrowed(&range, way, limit).await? {
        Some(page) => page,
        None => merge(lists.look(&range, 0..BUCKETS).await?, way, limit),
    };
    let next = places.last().filter(|_| more).cloned();
    Ok(Part {
        items: show(connection, shards, index, places).await?,
        next,
    })
}

/// One index in all buckets.
struct Lists<'c> {
    connection: &'c Connection,
    shards: &'c Shards,
    index: &'c Index,
}

impl Lists<'_> {
    /// Reads the first members of some buckets.
    async fn look(
        &self,
        range: &Range,
        buckets: impl Iterator<Item = u16>,
    ) -> Result<Vec<Vec<String>>, StoreError> {
        let key = |bucket| [&tag(bucket), self.index.name()].concat();
        if self.connection.is_cluster() {
            let looks = buckets.map(|bucket| (bucket, range.look(&key(bucket))));
            return self.shards.ask(self.connection, looks.collect()).await;
        }
        // On one server a script reads many buckets with one call. On a cluster no script may, because their slots differ.
        let keys: Vec<String> = buckets.map(key).collect();
        let looks = keys.chunks(AT_ONCE).map(|keys| async move {
            let found = self.connection.evaluate(&range.call(keys)).await;
            found.map_err(Fault::of_read)
        });
        let found: Vec<Value> = try_join_all(looks).await?;
        let read = |found| Vec::from_redis_value(found).map_err(|_| reply::unexpected());
        let found: Vec<Vec<Vec<String>>> = found.into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Reads a page with a bound on its end. Returns `None` if the list is too short for a guess or the guess was
    /// wrong.
    async fn narrowed(
        &self,
        range: &Range,
        way: Way,
        limit: usize,
    ) -> Result<Option<(Vec<Cursor>, bool)>, StoreError> {
        if !matches!(way, Way::Down) {
            return Ok(None); // from below a list is cheap to read
        }
        let sampled = (0..BUCKETS).step_by(usize::from(SAMPLED));
        let sample = self.look(range, sampled).await?;
        let Some(last) = guess(sample, limit) else {
            return Ok(None);
        };
        let buckets = self.look(&range.down_to(&last), 0..BUCKETS).await?;
        let found: usize = buckets.iter().map(Vec::len).sum();
        Ok((found > limit).then(|| merge(buckets, way, limit)))
    }
}

/// Returns a member beyond the end of a page, estimated from the first members of one bucket in [`SAMPLED`].
fn guess(sample: Vec<Vec<String>>, limit: usize) -> Option<String> {
    let mut members: Vec<String> = sample.into_iter().flatten().collect();
    members.sort_by(|a, b| b.cmp(a));
    let place = (limit / usize::from(SAMPLED)).saturating_mul(2) + MARGIN;
    members.into_iter().nth(place)
}

/// The range to read in every bucket.
struct Range {
    command: &'static str,
    from: String,
    to: String,
}

impl Range {
    fn of(way: Way, after: Option<&Cursor>) -> Range {
        let edge = after.map(|cursor| format!("({}", cursor.encode()));
        let from = |start: &str| edge.unwrap_or_else(|| start.to_owned());
        match way {
            Way::Down => Range {
                command: "ZREVRANGEBYLEX",
                from: from("+"),
                to: "-".to_owned(),
            },
            // No session id begins with a byte above `~`.
            Way::UpTo(score) => Range {
                command: "ZRANGEBYLEX",
                from: from("-"),
                to: format!("[{score:016x}~~"),
            },
        }
    }

    /// Returns the same range, down to a member.
    fn down_to(&self, last: &str) -> Range {
        Range {
            command: self.command,
            from: self.from.clone(),
            to: format!("[{last}"),
        }
    }

    fn look(&self, key: &str) -> Cmd {
        let mut look = Cmd::with_capacity(LOOK_ARGUMENTS, LOOK_BYTES);
        look.arg(self.command).arg(key);
        look.arg(&self.from).arg(&self.to);
        look.arg("LIMIT").arg(0).arg(PER_BUCKET);
        look
    }

    /// Returns the call that reads these lists.
    fn call(&self, keys: &[String]) -> Call {
        let mut call = RANGES.call(keys);
        call.arg(self.command).arg(&self.from).arg(&self.to);
        call.arg(PER_BUCKET);
        call
    }
}

/// Returns the first `limit` entries in order, and whether there may be more.
fn merge(buckets: Vec<Vec<String>>, way: Way, limit: usize) -> (Vec<Cursor>, bool) {
    let order = |a: &String, b: &String| match way {
        Way::Down => b.cmp(a),
        Way::UpTo(_) => a.cmp(b),
    };
    // A bucket that returned as many as requested may hold more right behind its last.
    let full = buckets.iter().filter(|members| members.len() >= PER_BUCKET);
    let horizon = full
        .filter_map(|members| members.last())
        .min_by(|a, b| order(a, b))
        .cloned();
    let mut members: Vec<String> = buckets.into_iter().flatten().collect();
    members.sort_by(order);
    if let Some(horizon) = &horizon {
        members.retain(|member| order(member, horizon) != Ordering::Greater);
    }
    let more = horizon.is_some() || members.len() > limit;
    let places = members
        .iter()
        .take(limit)
        .filter_map(|member| Cursor::decode(member))
        .collect();
    (places, more)
}

/// Adds the summaries, and removes entries whose session is gone.
async fn show(
    connection: &Connection,
    shards: &Shards,
    index: &Index,
    places: Vec<Cursor>,
) -> Result<Vec<Listed>, StoreError> {
    let question = |place: &Cursor| {
        let keys = Keys::of(&place.session);
        let mut question = redis::cmd("HMGET");
        question.arg(keys.hash()).arg("l").arg("m");
        (keys.bucket, question)
    };
    let questions = places.iter().map(question).collect();
    let answers: Vec<(Option<String>, Value)> = shards.ask(connection, questions).await?;
    let mut items = Vec::with_capacity(places.len());
    for (Cursor { score, session }, (claims, summary)) in places.into_iter().zip(answers) {
        let claim = scripts::claim(index.name(), score);
        if claims.is_some_and(|claims| claims.contains(&claim)) {
            items.push(Listed {
                session,
                score,
                summary: reply::bytes(summary)?,
            });
        } else {
            tidy(connection, index, &claim, Cursor { score, session }).await?;
        }
    }
    Ok(items)
}

async fn tidy(
    connection: &Connection,
    index: &Index,
    claim: &str,
    place: Cursor,
) -> Result<(), StoreError> {
    let keys = Keys::of(&place.session);
    let key = format!("{}{}", keys.tag, index.name());
    scripts::tidy(connection, &keys.hash(), &key, claim, &place.encode()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(score: u64, session: &str) -> String {
        format!("{score:016x}{session}")
    }

    #[test]
    fn the_end_of_a_page_is_guessed_from_a_few_buckets_of_a_long_list_only() {
        let few = vec![vec![member(9, "a")], vec![member(8, "b")]];
        assert_eq!(guess(few, 20), None);
        let many = (0..64).map(|n| vec![member(1_000 - n, "c"), member(1, "d")]);
        // The seventh of one in sixteen is about the hundredth of all.
        assert_eq!(guess(many.collect(), 20), Some(member(994, "c")));
    }

    #[test]
    fn a_page_ends_where_a_bucket_may_hide_more() {
        let full = vec![member(9, "a"), member(8, "b"), member(7, "c")];
        let other = vec![member(8, "d"), member(1, "e")];
        let (places, more) = merge(vec![full, other], Way::Down, 10);
        let sessions: Vec<_> = places.iter().map(|place| place.session.as_str()).collect();
        assert_eq!(sessions, ["a", "d", "b", "c"]);
        assert!(more);
    }
}

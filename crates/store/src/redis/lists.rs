//! Lists over all buckets: merges a few members of each.
//!
//! A page costs one read per bucket, however long the lists are. Sessions spread evenly, so the members of a page
//! rarely come from one bucket. Where a bucket may contain more, the page ends early.
//!
//! Most buckets of a long list contribute nothing to a page. A sample of them is read first, which shows about where
//! the page ends; then all are read up to that point. Otherwise each bucket would walk through its list for members
//! that are not needed, which takes Redis five times as long in lists with hundreds of members.

use std::sync::LazyLock;

use futures_util::future::try_join_all;
use redis::{Cmd, FromRedisValue, Value};

use super::super::listing::SHARES;
use super::super::{Cursor, Index, ListQuery, ListedSession, ListingPage, StoreError};
use super::connection::Connection;
use super::keys::{BUCKETS, Keys, list};
use super::script::{Script, ScriptCall};
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

/// Reads up to `limit` members, highest score first. Members whose session is gone are omitted, but count for `next`.
pub(super) async fn read(
    connection: &Connection,
    shards: &Shards,
    query: &ListQuery,
) -> Result<ListingPage, StoreError> {
    let ListQuery { index, limit, .. } = query;
    let lists = Lists {
        connection,
        shards,
        index,
    };
    let range = BucketRange::after(query.after.as_ref());
    let narrowed = match index.share() {
        None => lists.narrowed(&range, *limit).await?,
        Some(_) => None,
    };
    let (places, more) = match narrowed {
        Some(page) => page,
        None => merge(lists.look(&range, buckets_of(index)).await?, *limit),
    };
    let next = places.last().filter(|_| more).cloned();
    Ok(ListingPage {
        items: show(connection, shards, index, places).await?,
        next,
    })
}

/// Returns the buckets of the sessions that an index can have.
fn buckets_of(index: &Index) -> impl Iterator<Item = u16> {
    const {
        assert!(
            BUCKETS.is_multiple_of(SHARES),
            "a bucket belongs to one share"
        )
    };
    let (first, step) = index.share().map_or((0, 1), |share| (share, SHARES));
    (first..BUCKETS).step_by(usize::from(step))
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
        range: &BucketRange,
        buckets: impl Iterator<Item = u16>,
    ) -> Result<Vec<Vec<String>>, StoreError> {
        let key = |bucket| list(self.index, bucket);
        if self.connection.is_cluster {
            let looks = buckets.map(|bucket| (bucket, range.look(&key(bucket))));
            return self.shards.ask(self.connection, looks.collect()).await;
        }
        // On one server a script reads many buckets with one call. On a cluster no script may, because their slots differ.
        let keys: Vec<String> = buckets.map(key).collect();
        let looks = keys.chunks(AT_ONCE);
        let looks =
            looks.map(|keys| async move { self.connection.evaluate(&range.call(keys)).await });
        let found: Vec<Value> = try_join_all(looks).await?;
        let read = |found| Vec::from_redis_value(found).map_err(|_| reply::unexpected());
        let found: Vec<Vec<Vec<String>>> = found.into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Reads a page with a bound on its end. Returns `None` if the list is too short for a guess or the guess was
    /// wrong.
    async fn narrowed(
        &self,
        range: &BucketRange,
        limit: usize,
    ) -> Result<Option<(Vec<Cursor>, bool)>, StoreError> {
        let sampled = (0..BUCKETS).step_by(usize::from(SAMPLED));
        let sample = self.look(range, sampled).await?;
        let Some(last) = guess(sample, limit) else {
            return Ok(None);
        };
        let buckets = self.look(&range.down_to(&last), 0..BUCKETS).await?;
        let found: usize = buckets.iter().map(Vec::len).sum();
        Ok((found > limit).then(|| merge(buckets, limit)))
    }
}

/// Returns a member beyond the end of a page, estimated from the first members of one bucket in [`SAMPLED`].
fn guess(sample: Vec<Vec<String>>, limit: usize) -> Option<String> {
    let mut members: Vec<String> = sample.into_iter().flatten().collect();
    members.sort_by(|a, b| b.cmp(a));
    let place = (limit / usize::from(SAMPLED)).saturating_mul(2) + MARGIN;
    members.into_iter().nth(place)
}

/// The range to read in every bucket: from a higher member to a lower one.
struct BucketRange {
    from: String,
    to: String,
}

impl BucketRange {
    const COMMAND: &str = "ZREVRANGEBYLEX";

    fn after(cursor: Option<&Cursor>) -> BucketRange {
        let from = cursor.map(|cursor| format!("({}", cursor.encode()));
        BucketRange {
            from: from.unwrap_or_else(|| "+".to_owned()),
            to: "-".to_owned(),
        }
    }

    /// Returns the same range, down to a member.
    fn down_to(&self, last: &str) -> BucketRange {
        BucketRange {
            from: self.from.clone(),
            to: format!("[{last}"),
        }
    }

    fn look(&self, key: &str) -> Cmd {
        let mut look = Cmd::with_capacity(LOOK_ARGUMENTS, LOOK_BYTES);
        look.arg(BucketRange::COMMAND).arg(key);
        look.arg(&self.from).arg(&self.to);
        look.arg("LIMIT").arg(0).arg(PER_BUCKET);
        look
    }

    /// Returns the call that reads these lists.
    fn call(&self, keys: &[String]) -> ScriptCall {
        let mut call = RANGES.call(keys);
        call.arg(BucketRange::COMMAND).arg(&self.from).arg(&self.to);
        call.arg(PER_BUCKET);
        call
    }
}

/// Returns the first `limit` entries in order, and whether there may be more.
fn merge(buckets: Vec<Vec<String>>, limit: usize) -> (Vec<Cursor>, bool) {
    // A bucket that returned as many as requested may hold more right behind its last.
    let full = buckets.iter().filter(|members| members.len() >= PER_BUCKET);
    let horizon = full.filter_map(|members| members.last()).max().cloned();
    let mut members: Vec<String> = buckets.into_iter().flatten().collect();
    members.sort_by(|a, b| b.cmp(a));
    if let Some(horizon) = &horizon {
        members.retain(|member| member >= horizon);
    }
    let more = horizon.is_some() || members.len() > limit;
    let places = members
        .iter()
        .take(limit)
        .filter_map(|member| Cursor::decode(member))
        .collect();
    (places, more)
}

/// Adds what is small of the sessions, and removes entries whose session is gone.
async fn show(
    connection: &Connection,
    shards: &Shards,
    index: &Index,
    places: Vec<Cursor>,
) -> Result<Vec<ListedSession>, StoreError> {
    let question = |place: &Cursor| {
        let keys = Keys::of(&place.session);
        let mut question = redis::cmd("HMGET");
        question.arg(keys.hash()).arg(&["l", "f", "t"]);
        (keys.bucket, question)
    };
    let questions = places.iter().map(question).collect();
    let answers: Vec<(Option<String>, Value, Value)> = shards.ask(connection, questions).await?;
    let mut items = Vec::with_capacity(places.len());
    for (Cursor { score, session }, (claims, fixed, status)) in places.into_iter().zip(answers) {
        // It may have another place in the list by now.
        let claimed = claims.and_then(|claims| scripts::claimed(&claims, index.name()));
        if let Some(score) = claimed {
            items.push(ListedSession {
                session,
                score,
                fixed: reply::bytes(fixed)?,
                status: reply::bytes(status)?,
            });
        } else {
            scripts::tidy(connection, index, score, &session).await?;
        }
    }
    Ok(items)
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
        let (places, more) = merge(vec![full, other], 10);
        let sessions: Vec<_> = places.iter().map(|place| place.session.as_str()).collect();
        assert_eq!(sessions, ["a", "d", "b", "c"]);
        assert!(more);
    }
}

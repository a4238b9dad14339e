//! Due entries, over all buckets and nodes; `agenda/mod.rs` has the part that all engines share.
//!
//! All nodes hear one channel. On it the scripts that write tell of each place that comes first in its bucket ([`ChannelMessage`]),
//! nodes tell what they have found in a bucket, and each node beats (`fleet.rs`). A node that does not hear its own beats
//! would not hear the rest either: it surveys all buckets once a second until it does, and once more then. Where the subscription was renewed
//! it surveys them once, and also when a beat can be said again by way of each master: a replica that took over may have lost
//! what was done. As everything on a channel can be lost, each node also surveys the buckets it comes first to, a few
//! of them a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Weak};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use parking_lot::Mutex;
use redis::{Cmd, FromRedisValue, Value};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::super::agenda::{self, Agendas, Place, ShardContent, ShardRead, milliseconds};
use super::super::bulletin::Bulletin;
use super::super::clock::now_ms;
use super::super::{Cursor, Index, IndexWatch, StoreError, WatchTerms};
use super::connection::Connection;
use super::fleet::{BEAT, Fleet};
use super::hearing::Hearing;
use super::keys::{BUCKETS, list, member};
use super::script::Script;
use super::shards::Shards;
use super::words::{Beats, ChannelMessage};
use super::{reply, scripts};

static LOOK: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("look.lua")));
static SURVEY: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("survey.lua")));

/// Number of buckets that one script reads. A server does nothing else meanwhile.
const SURVEYED: usize = 128;

/// Delay before a heartbeat that failed is sent again.
const SAY_AGAIN: Duration = Duration::from_millis(100);
/// Maximum wait for the channel before the first poll, and time in which a node hears of others after it has started.
const HEARING: Duration = Duration::from_secs(2);
/// Time in which a new node hears of each other one: they send a heartbeat every second.
const FIRST_BEATS: Duration = Duration::from_millis(1_200);

/// The due work of a store; see the module.
pub(super) struct DueEntries {
    connection: Connection,
    shards: Arc<Shards>,
    agendas: Agendas,
    fleet: Fleet,
    hearing: Hearing,
    is_beating: AtomicBool,
    beats: Mutex<Beats>,
    is_heard: Bulletin<bool>,
    opened: Instant,
}

impl DueEntries {
    pub(super) fn new(
        connection: Connection,
        shards: Arc<Shards>,
        hearing: Hearing,
        me: u64,
    ) -> Arc<DueEntries> {
        Arc::new(DueEntries {
            connection,
            shards,
            agendas: Agendas::default(),
            fleet: Fleet::new(me),
            hearing,
            is_beating: AtomicBool::new(false),
            beats: Mutex::default(),
            is_heard: Bulletin::new(false),
            opened: Instant::now(),
        })
    }

    pub(super) fn watch(self: &Arc<Self>, terms: WatchTerms) -> IndexWatch {
        let watch = self.agendas.watch(terms, self.clone());
        if !self.is_beating.swap(true, Ordering::AcqRel) {
            tokio::spawn(beat(Arc::downgrade(self)));
        }
        watch
    }

    /// Returns since when this node, or one that it heard when it started, has been there.
    pub(super) async fn awake_since_ms(&self) -> u64 {
        sleep_until(self.opened + FIRST_BEATS).await;
        self.agendas.awake_since_ms()
    }

    /// Handles a message on the channel.
    pub(super) fn hear(&self, text: &str) {
        match ChannelMessage::read(text) {
            Some(ChannelMessage::Placed {
                index,
                bucket,
                score,
            }) => self.agendas.earlier(&index, bucket, score),
            Some(ChannelMessage::First {
                node,
                index,
                bucket,
                score,
            }) if node != self.fleet.me => self.agendas.first_is(&index, bucket, score),
            Some(ChannelMessage::Held {
                node,
                index,
                bucket,
                hold_ms,
            }) if node != self.fleet.me => {
                let until = now_ms().saturating_add(hold_ms);
                self.agendas.is_held(&index, bucket, until);
            }
            Some(ChannelMessage::Beat { node, number, .. }) if node == self.fleet.me => {
                if let Some(beat) = self.beats.lock().of(number) {
                    beat.heard += 1;
                    self.is_heard.replace(true);
                }
            }
            Some(ChannelMessage::Beat {
                node,
                number,
                watches,
            }) => {
                if self.opened.elapsed() < FIRST_BEATS {
                    let age_ms = number.saturating_mul(milliseconds(BEAT));
                    self.agendas.others_since(now_ms().saturating_sub(age_ms));
                }
                self.fleet.hear(node, watches);
            }
            Some(ChannelMessage::Bye { node }) => self.fleet.forget(node),
            Some(ChannelMessage::First { .. } | ChannelMessage::Held { .. }) | None => {}
        }
    }

    /// Records that messages may have been lost.
    pub(super) fn doubt(&self) {
        self.agendas.doubt();
    }

    /// Publishes a message through each master, so that a node that receives all copies can hear all masters.
    async fn say(&self, text: &str) -> Option<usize> {
        let slots = self.shards.slots_of_masters(&self.connection).await.ok()?;
        let channel = &self.hearing.channel;
        let said = slots.into_iter().map(|slot| async move {
            let mut publish = redis::cmd("PUBLISH");
            publish.arg(channel).arg(text);
            self.connection.run_at::<Value>(&publish, slot).await
        });
        let said = join_all(said).await;
        let masters = said.len();
        if said.iter().any(Result::is_err) {
            self.shards.forget();
            return None;
        }
        Some(masters)
    }

    async fn beat(&self) {
        let (number, is_deaf, was_deaf) = self.beats.lock().begin();
        if is_deaf {
            self.is_heard.replace(false);
            // Not awaited: the heartbeats show whether it helps.
            drop(self.hearing.ask());
        }
        if is_deaf || was_deaf {
            self.agendas.doubt();
        }
        self.fleet.forget_silent();
        let watches = self.agendas.names().join(",");
        let text = format!("beat {:x} {number:x} {watches}", self.fleet.me);
        let said = timeout(BEAT, self.say_until_said(&text)).await;
        if said.is_err() {
            self.shards.forget();
        }
        if self.beats.lock().said(number, said.unwrap_or_default()) {
            // A replica may have taken over without all acknowledged writes.
            self.agendas.doubt();
        }
    }

    async fn say_until_said(&self, text: &str) -> usize {
        loop {
            match self.say(text).await {
                Some(masters) => return masters,
                None => sleep(SAY_AGAIN).await,
            }
        }
    }
}

/// Removes expired sessions from the lists that people see.
async fn bury(due: Weak<DueEntries>, mut watch: IndexWatch) {
    while let Some(turn) = watch.next().await {
        let Some(due) = due.upgrade() else {
            return;
        };
        tokio::spawn(async move {
            let list = &Index::EXPIRIES;
            let buried = scripts::bury(&due.connection, list, turn.score, &turn.session);
            if let Err(error) = buried.await {
                tracing::debug!(%error, "cannot remove the index entries of an expired session yet");
            }
        });
    }
}

fn burials() -> WatchTerms {
    WatchTerms {
        index: Index::EXPIRIES,
        grace: Duration::from_secs(1), // the server's clock says when
        hold: Duration::from_secs(2),
        turns_max: 32,
        polled_per_second: 1,
    }
}

/// Publishes heartbeats while somebody watches.
async fn beat(due: Weak<DueEntries>) {
    let Some(burying) = due.upgrade().map(|due| {
        let watch = due.agendas.watch(burials(), due.clone());
        tokio::spawn(bury(Arc::downgrade(&due), watch))
    }) else {
        return;
    };
    if let Some(hearing) = due.upgrade().map(|due| due.hearing.clone()) {
        // Without a subscription no heartbeat is received, which is noticed.
        let _ = timeout(HEARING, hearing.listen()).await;
    }
    loop {
        let Some(due) = due.upgrade() else {
            return;
        };
        let others = due.agendas.names();
        if others.iter().all(|name| name == Index::EXPIRIES.name()) {
            burying.abort();
            due.is_beating.store(false, Ordering::Release);
            let bye = format!("bye {:x}", due.fleet.me);
            // A node that does not hear it notices the silence.
            let _ = timeout(BEAT, due.say(&bye)).await;
            return;
        }
        let began = Instant::now();
        due.beat().await;
        drop(due);
        sleep(BEAT.saturating_sub(began.elapsed())).await;
    }
}

#[async_trait]
impl agenda::Shards for DueEntries {
    fn count(&self) -> u16 {
        BUCKETS
    }

    fn groups(&self, shards: Vec<u16>) -> Vec<Vec<u16>> {
        self.shards.by_master(shards)
    }

    async fn hearing(&self) {
        let heard = async {
            let (mut number, mut is_heard) = self.is_heard.latest();
            while !is_heard {
                (number, is_heard) = self.is_heard.after(number).await;
            }
        };
        // A node that cannot hear surveys more often.
        let _ = timeout(HEARING, heard).await;
    }

    async fn poll(&self, index: &Index, shards: &[u16]) -> Vec<(u16, Option<u64>)> {
        if !self.connection.is_cluster {
            return self.survey_server(index, shards).await;
        }
        let question = &|bucket: &u16| {
            let mut question = redis::cmd("ZRANGEBYLEX");
            question.arg(list(index, *bucket));
            question.arg("-").arg("+").arg("LIMIT").arg(0).arg(1);
            (*bucket, question)
        };
        self.shards.learn(&self.connection).await;
        let groups = self.shards.by_master(shards.to_vec());
        let surveys = groups.into_iter().map(|group| async move {
            let questions: Vec<(u16, Cmd)> = group.iter().map(question).collect();
            let answers = self.shards.try_ask(&self.connection, questions).await;
            group.into_iter().zip(answers)
        });
        let answers = join_all(surveys).await.into_iter().flatten();
        let read = answers.filter_map(|(bucket, answer)| {
            let places = Vec::<String>::from_redis_value(answer?).ok()?;
            Some((bucket, places.first().and_then(|place| score_of(place))))
        });
        read.collect()
    }

    async fn look(&self, look: ShardRead<'_>) -> Result<ShardContent, StoreError> {
        let (index, bucket) = (look.terms.index.name(), look.shard);
        let mut call = LOOK.call(&[list(&look.terms.index, bucket)]);
        call.arg(look.limit.saturating_add(1))
            .arg(format!("{:016x}", look.up_to))
            .arg(&self.hearing.channel)
            .arg(format!("{:x}", self.fleet.me))
            .arg(index)
            .arg(bucket)
            .arg(look.hold_ms)
            .arg(lines(&look.backed_off));
        let places: Value = self.connection.evaluate(&call).await?;
        let places = Vec::<String>::from_redis_value(places).map_err(|_| reply::unexpected())?;
        let places = places.iter().filter_map(|place| read(place)).collect();
        Ok(ShardContent::of(places, look.up_to, look.limit))
    }

    async fn clean_up(&self, index: &Index, place: &Place) -> Result<(), StoreError> {
        if *index == Index::EXPIRIES {
            return Ok(()); // the burial itself has set it right
        }
        let (score, session) = place;
        scripts::tidy(&self.connection, index, *score, session).await
    }

    fn patience_ms(&self, index: &Index, shard: u16) -> u64 {
        self.fleet.patience_ms(index.name(), shard)
    }
}

impl DueEntries {
    /// Reads many buckets with one call of a script, on a single server. On a cluster this is impossible, because their
    /// slots differ.
    async fn survey_server(&self, index: &Index, buckets: &[u16]) -> Vec<(u16, Option<u64>)> {
        let calls = buckets.chunks(SURVEYED).map(|buckets| async move {
            let keys: Vec<String> = buckets.iter().map(|bucket| list(index, *bucket)).collect();
            let places = self.connection.evaluate(&SURVEY.call(&keys)).await;
            let places: Vec<Option<String>> = places.ok()?;
            let firsts = places.iter().map(|place| score_of(place.as_deref()?));
            Some(buckets.iter().copied().zip(firsts.collect::<Vec<_>>()))
        });
        join_all(calls)
            .await
            .into_iter()
            .flatten()
            .flatten()
            .collect()
    }
}

/// Formats entries for `look.lua`.
fn lines(places: &[Place]) -> String {
    let lines = places.iter();
    lines
        .map(|(score, session)| format!("\n{}\n", member(*score, session)))
        .collect()
}

fn read(member: &str) -> Option<Place> {
    let (score, session) = member.split_at_checked(Cursor::SCORE_DIGITS)?;
    Some((u64::from_str_radix(score, 16).ok()?, session.to_owned()))
}

fn score_of(member: &str) -> Option<u64> {
    Some(read(member)?.0)
}

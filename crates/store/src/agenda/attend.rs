//! The task of a watch: sleeps until a shard is due, reads it, and hands out turns.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::task::coop::consume_budget;
use tokio::time::{Instant, sleep, sleep_until};

use super::super::clock::now_ms;
use super::super::{Index, StoreError};
use super::plan::{Place, ShardWork};
use super::{ShardContent, ShardRead, Shards, Shared, Turn, WatchTerms, milliseconds};

/// Number of entries to read at once, in addition to those already known.
const LOOK: usize = 32;
/// Maximum number of concurrent reads.
const LOOKS: usize = 64;
/// Maximum sleep, because the clock may be set or the machine suspended.
const BEAT: Duration = Duration::from_secs(1);
/// Number of beats between polls: few large ones cost an engine less.
const BEATS: u16 = 2;
/// Delay before a failed operation is retried.
const AGAIN: Duration = Duration::from_millis(300);
/// Minimum interval between log messages about failures.
const COMPLAIN: Duration = Duration::from_secs(5);

type Offer = mpsc::UnboundedSender<Turn>;

/// The result of a query to the engine.
enum EngineAnswer {
    Looked(u16, Result<ShardContent, StoreError>),
    Polled(Vec<u16>, Vec<(u16, Option<u64>)>),
}

struct Attendant {
    shared: Arc<Shared>,
    shards: Arc<dyn Shards>,
    offer: Offer,
    over: mpsc::UnboundedSender<(u16, Place)>,
    looks: usize,
    polls: usize,
    /// Whether the latest read or poll failed, and until when nothing is asked then.
    is_failing: bool,
    resume_at: Instant,
    /// The next shard to poll although there was no news of it, and the beats until then.
    at: u16,
    beats: u16,
    complained: Option<Instant>,
}

pub(super) async fn attend(shared: Arc<Shared>, shards: Arc<dyn Shards>, offer: Offer) {
    shards.hearing().await;
    let (over, mut overs) = mpsc::unbounded_channel();
    let mut attendant = Attendant {
        shared: shared.clone(),
        shards,
        offer,
        over,
        looks: 0,
        polls: 0,
        is_failing: false,
        resume_at: Instant::now(),
        at: 0,
        beats: BEATS,
        complained: None,
    };
    let mut asked = FuturesUnordered::new();
    let mut beat = Instant::now() + BEAT;
    loop {
        // Answers of an engine in this process come at once; other tasks of this thread have their turn nevertheless.
        consume_budget().await;
        attendant.ask(&asked);
        let wake = attendant.wake(beat);
        tokio::select! {
            // Poll in this order, so that the same news lead to the same course.
            biased;
            Some(answer) = asked.next() => attendant.take(answer, &asked),
            Some((shard, place)) = overs.recv() => {
                attendant.over(shard, &place);
                while let Ok((shard, place)) = overs.try_recv() {
                    attendant.over(shard, &place);
                }
            }
            () = shared.changed.notified() => {}
            () = sleep_until(wake) => {
                if Instant::now() >= beat {
                    beat = Instant::now() + BEAT;
                    attendant.doubt_some();
                }
            }
        }
        shared.figures.lock().wake_ups += 1;
    }
}

type Asked = FuturesUnordered<BoxFuture<'static, Option<EngineAnswer>>>;

impl Attendant {
    /// Starts all queries that can run now.
    fn ask(&mut self, asked: &Asked) {
        if Instant::now() < self.resume_at {
            return;
        }
        if self.polls == 0 {
            self.poll(asked);
        }
        let now = now_ms();
        while self.looks < self.looks_max() && self.free() > 0 {
            let terms = &self.shared.terms;
            let patience = |shard| self.shards.patience_ms(&terms.index, shard);
            let taken = {
                let mut plan = self.shared.plan.lock();
                plan.take(now, patience).map(|shard| {
                    let limit = LOOK.saturating_add(plan.held(shard));
                    let hold_ms = plan.hold(shard, now, milliseconds(terms.hold));
                    (shard, limit, hold_ms, plan.backed_off(shard, now))
                })
            };
            let Some((shard, limit, hold_ms, backed_off)) = taken else {
                return;
            };
            self.looks += 1;
            self.shared.figures.lock().reads += 1;
            let (shards, terms) = (self.shards.clone(), terms.clone());
            let up_to = now.saturating_sub(milliseconds(terms.grace));
            asked.push(Box::pin(async move {
                let look = ShardRead {
                    terms: &terms,
                    shard,
                    up_to,
                    limit,
                    hold_ms,
                    backed_off,
                };
                Some(EngineAnswer::Looked(shard, shards.look(look).await))
            }));
        }
    }

    fn poll(&mut self, asked: &Asked) {
        let unsure = {
            let mut plan = self.shared.plan.lock();
            match plan.is_unsure() {
                true => plan.take_unsure(),
                false => return,
            }
        };
        for group in self.shards.groups(unsure) {
            self.polls += 1;
            self.shared.figures.lock().polls += 1;
            let (shards, index) = (self.shards.clone(), self.shared.terms.index.clone());
            asked.push(Box::pin(async move {
                let found = shards.poll(&index, &group).await;
                Some(EngineAnswer::Polled(group, found))
            }));
        }
    }

    fn take(&mut self, answer: Option<EngineAnswer>, asked: &Asked) {
        match answer {
            Some(EngineAnswer::Looked(shard, Ok(found))) => {
                self.looks = self.looks.saturating_sub(1);
                self.is_failing = false;
                self.found(shard, found, asked);
            }
            Some(EngineAnswer::Looked(shard, Err(error))) => {
                self.looks = self.looks.saturating_sub(1);
                self.fail(&error.to_string());
                let again = now_ms().saturating_add(milliseconds(AGAIN));
                self.shared.plan.lock().not_found(shard, again);
            }
            Some(EngineAnswer::Polled(group, found)) => {
                self.polls = self.polls.saturating_sub(1);
                self.polled(group, found);
            }
            None => {}
        }
    }

    fn found(&self, shard: u16, found: ShardContent, asked: &Asked) {
        let has_others = self.shards.count() > 1;
        let hold = has_others.then(|| milliseconds(self.shared.terms.hold));
        let free = self.free();
        let next = found.next.map(|score| self.shared.due(score));
        let look = (found.due, next, found.is_cut);
        let ShardWork { offer, clean_up } =
            self.shared
                .plan
                .lock()
                .found(shard, look, now_ms(), free, hold);
        for (score, session) in offer {
            // If the watch is gone, this task ends too.
            let _ = self.offer.send(Turn {
                session,
                score,
                shard,
                over: self.over.clone(),
            });
        }
        if !clean_up.is_empty() {
            let (shards, index) = (self.shards.clone(), self.shared.terms.index.clone());
            asked.push(Box::pin(async move {
                clean_up_all(&*shards, &index, clean_up).await;
                None
            }));
        }
    }

    fn polled(&mut self, group: Vec<u16>, found: Vec<(u16, Option<u64>)>) {
        let mut firsts: std::collections::HashMap<_, _> = found.into_iter().collect();
        let is_whole = firsts.len() == group.len();
        {
            let mut plan = self.shared.plan.lock();
            for shard in group {
                let first = firsts.remove(&shard);
                let first = first.map(|first| first.map(|score| self.shared.due(score)));
                plan.polled(shard, first);
            }
        }
        if !is_whole {
            self.fail("some index lists do not respond");
        }
    }

    fn over(&self, shard: u16, place: &Place) {
        self.shared.plan.lock().over(shard, place, now_ms());
    }

    /// Returns the number of turns that can still be given.
    fn free(&self) -> usize {
        let WatchTerms { turns_max, .. } = self.shared.terms;
        turns_max.saturating_sub(self.shared.plan.lock().turns())
    }

    /// Returns the maximum number of concurrent reads. A store that fails is asked one question at a time.
    fn looks_max(&self) -> usize {
        if self.is_failing { 1 } else { LOOKS }
    }

    /// Returns when to wake up, unless something happens before.
    fn wake(&self, beat: Instant) -> Instant {
        let next = match self.looks < self.looks_max() && self.free() > 0 {
            true => self.shared.plan.lock().next_at(),
            false => None,
        };
        let next = next.map(|at| Duration::from_millis(at.saturating_sub(now_ms())));
        let wake = next.map_or(beat, |wait| beat.min(Instant::now() + wait.min(BEAT)));
        let is_unsure = self.polls == 0 && self.shared.plan.lock().is_unsure();
        let wake = if is_unsure { Instant::now() } else { wake };
        wake.max(self.resume_at)
    }

    /// Marks some shards for a poll, among those that this node serves first. An engine with one shard hears
    /// everything.
    fn doubt_some(&mut self) {
        let count = self.shards.count();
        self.beats = self.beats.saturating_sub(1);
        if count <= 1 || self.beats > 0 {
            return;
        }
        self.beats = BEATS;
        let WatchTerms {
            index,
            polled_per_second,
            ..
        } = &self.shared.terms;
        let mut plan = self.shared.plan.lock();
        let (mut doubted, mut seen) = (0, 0);
        while doubted < BEATS.saturating_mul(*polled_per_second) && seen < count {
            if self.shards.patience_ms(index, self.at) == 0 {
                plan.doubt_of(self.at);
                doubted += 1;
            }
            self.at = (self.at + 1) % count;
            seen += 1;
        }
    }

    /// Pauses after a failure.
    fn fail(&mut self, why: &str) {
        self.shared.figures.lock().failures += 1;
        self.is_failing = true;
        self.resume_at = Instant::now() + AGAIN;
        self.complain(why);
    }

    fn complain(&mut self, why: &str) {
        let is_new = self
            .complained
            .is_none_or(|before| before.elapsed() >= COMPLAIN);
        if is_new {
            self.complained = Some(Instant::now());
            let index = self.shared.terms.index.name();
            tracing::warn!(index, why, "cannot search for due work");
        }
    }
}

async fn clean_up_all(shards: &dyn Shards, index: &Index, places: Vec<Place>) {
    for place in places {
        if let Err(error) = shards.clean_up(index, &place).await {
            tracing::debug!(%error, "cannot remove an obsolete index entry");
            sleep(AGAIN).await;
        }
    }
}

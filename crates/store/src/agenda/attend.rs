//! The task of a watch: sleeps until a shelf is due, reads it, and hands out turns.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};

use super::super::clock::now_ms;
use super::super::{Index, StoreError};
use super::plan::{Place, Work};
use super::{Found, Look, Shared, Shelves, Turn, WatchTerms, milliseconds};

/// Number of entries to read at once, in addition to those already known.
const LOOK: usize = 32;
/// Maximum number of concurrent reads.
const LOOKS: usize = 64;
/// Maximum sleep, because the clock may be set or the machine suspended.
const BEAT: Duration = Duration::from_secs(1);
/// Delay before a failed operation is retried.
const AGAIN: Duration = Duration::from_millis(300);
/// Minimum interval between log messages about failures.
const COMPLAIN: Duration = Duration::from_secs(5);

type Offer = mpsc::UnboundedSender<Turn>;

/// The result of a query to the engine.
enum Answer {
    Looked(u16, Result<Found, StoreError>),
    Surveyed(Vec<u16>, Vec<(u16, Option<u64>)>),
}

struct Attendant {
    shared: Arc<Shared>,
    shelves: Arc<dyn Shelves>,
    offer: Offer,
    over: mpsc::UnboundedSender<(u16, Place)>,
    looks: usize,
    surveys: usize,
    /// Time of the next survey after one failed.
    survey_at: Instant,
    /// The next shelf to survey although there was no news of it.
    at: u16,
    complained: Option<Instant>,
}

pub(super) async fn attend(shared: Arc<Shared>, shelves: Arc<dyn Shelves>, offer: Offer) {
    shelves.hearing().await;
    let (over, mut overs) = mpsc::unbounded_channel();
    let mut attendant = Attendant {
        shared: shared.clone(),
        shelves,
        offer,
        over,
        looks: 0,
        surveys: 0,
        survey_at: Instant::now(),
        at: 0,
        complained: None,
    };
    let mut asked = FuturesUnordered::new();
    let mut beat = Instant::now() + BEAT;
    loop {
        attendant.ask(&asked);
        let wake = attendant.wake(beat);
        tokio::select! {
            // Poll in this order, so that the same news lead to the same course.
            biased;
            Some(answer) = asked.next() => attendant.take(answer, &asked),
            Some((shelf, place)) = overs.recv() => {
                attendant.over(shelf, &place);
                while let Ok((shelf, place)) = overs.try_recv() {
                    attendant.over(shelf, &place);
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
    }
}

type Asked = FuturesUnordered<BoxFuture<'static, Option<Answer>>>;

impl Attendant {
    /// Starts all queries that can run now.
    fn ask(&mut self, asked: &Asked) {
        if self.surveys == 0 && Instant::now() >= self.survey_at {
            self.survey(asked);
        }
        let now = now_ms();
        while self.looks < LOOKS && self.free() > 0 {
            let terms = &self.shared.terms;
            let patience = |shelf| self.shelves.patience_ms(&terms.index, shelf);
            let taken = {
                let mut plan = self.shared.plan.lock();
                plan.take(now, patience).map(|shelf| {
                    let limit = LOOK.saturating_add(plan.held(shelf));
                    (shelf, limit, plan.left_alone(shelf, now))
                })
            };
            let Some((shelf, limit, left_alone)) = taken else {
                return;
            };
            self.looks += 1;
            let (shelves, terms) = (self.shelves.clone(), terms.clone());
            let up_to = now.saturating_sub(milliseconds(terms.grace));
            asked.push(Box::pin(async move {
                let look = Look {
                    terms: &terms,
                    shelf,
                    up_to,
                    limit,
                    left_alone,
                };
                Some(Answer::Looked(shelf, shelves.look(look).await))
            }));
        }
    }

    fn survey(&mut self, asked: &Asked) {
        let unsure = {
            let mut plan = self.shared.plan.lock();
            match plan.is_unsure() {
                true => plan.take_unsure(),
                false => return,
            }
        };
        for group in self.shelves.groups(unsure) {
            self.surveys += 1;
            let (shelves, index) = (self.shelves.clone(), self.shared.terms.index.clone());
            asked.push(Box::pin(async move {
                let found = shelves.survey(&index, &group).await;
                Some(Answer::Surveyed(group, found))
            }));
        }
    }

    fn take(&mut self, answer: Option<Answer>, asked: &Asked) {
        match answer {
            Some(Answer::Looked(shelf, Ok(found))) => {
                self.looks = self.looks.saturating_sub(1);
                self.found(shelf, found, asked);
            }
            Some(Answer::Looked(shelf, Err(error))) => {
                self.looks = self.looks.saturating_sub(1);
                self.complain(&error.to_string());
                let again = now_ms().saturating_add(milliseconds(AGAIN));
                self.shared.plan.lock().not_found(shelf, again);
            }
            Some(Answer::Surveyed(group, found)) => {
                self.surveys = self.surveys.saturating_sub(1);
                self.surveyed(group, found);
            }
            None => {}
        }
    }

    fn found(&self, shelf: u16, found: Found, asked: &Asked) {
        let hold = milliseconds(self.shared.terms.hold) / 2;
        let free = self.free();
        let look = (found.due, found.next, found.is_cut);
        let Work { offer, tidy } = self
            .shared
            .plan
            .lock()
            .found(shelf, look, now_ms(), free, hold);
        for (score, session) in offer {
            // If the watch is gone, this task ends too.
            let _ = self.offer.send(Turn {
                session,
                score,
                shelf,
                over: self.over.clone(),
            });
        }
        if !tidy.is_empty() {
            let (shelves, index) = (self.shelves.clone(), self.shared.terms.index.clone());
            asked.push(Box::pin(async move {
                tidy_all(&*shelves, &index, tidy).await;
                None
            }));
        }
    }

    fn surveyed(&mut self, group: Vec<u16>, found: Vec<(u16, Option<u64>)>) {
        let mut firsts: std::collections::HashMap<_, _> = found.into_iter().collect();
        let is_whole = firsts.len() == group.len();
        {
            let mut plan = self.shared.plan.lock();
            for shelf in group {
                let first = firsts.remove(&shelf);
                let first = first.map(|first| first.map(|score| self.shared.due(score)));
                plan.surveyed(shelf, first);
            }
        }
        if !is_whole {
            self.survey_at = Instant::now() + AGAIN;
            self.complain("some index lists do not respond");
        }
    }

    fn over(&self, shelf: u16, place: &Place) {
        self.shared.plan.lock().over(shelf, place, now_ms());
    }

    /// Returns the number of turns that can still be given.
    fn free(&self) -> usize {
        let WatchTerms { turns_max, .. } = self.shared.terms;
        turns_max.saturating_sub(self.shared.plan.lock().turns())
    }

    /// Returns when to wake up, unless something happens before.
    fn wake(&self, beat: Instant) -> Instant {
        let next = match self.looks < LOOKS && self.free() > 0 {
            true => self.shared.plan.lock().next_at(),
            false => None,
        };
        let next = next.map(|at| Duration::from_millis(at.saturating_sub(now_ms())));
        let wake = next.map_or(beat, |wait| beat.min(Instant::now() + wait.min(BEAT)));
        match self.surveys == 0 && self.shared.plan.lock().is_unsure() {
            true => wake.min(self.survey_at),
            false => wake,
        }
    }

    /// Marks some shelves for a survey, among those that this node serves first. An engine with one shelf hears
    /// everything.
    fn doubt_some(&mut self) {
        let count = self.shelves.count();
        if count <= 1 {
            return;
        }
        let WatchTerms {
            index,
            surveyed_per_second,
            ..
        } = &self.shared.terms;
        let mut plan = self.shared.plan.lock();
        let (mut doubted, mut seen) = (0, 0);
        while doubted < *surveyed_per_second && seen < count {
            if self.shelves.patience_ms(index, self.at) == 0 {
                plan.doubt_of(self.at);
                doubted += 1;
            }
            self.at = (self.at + 1) % count;
            seen += 1;
        }
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

async fn tidy_all(shelves: &dyn Shelves, index: &Index, places: Vec<Place>) {
    for place in places {
        if let Err(error) = shelves.tidy(index, &place).await {
            tracing::debug!(%error, "cannot remove an obsolete index entry");
            sleep(AGAIN).await;
        }
    }
}

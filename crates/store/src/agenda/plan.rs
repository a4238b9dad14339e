//! Decides when each shard is read next. It has no clock and does not wait; the caller passes the time.

use std::collections::{BTreeMap, BTreeSet};

/// An entry of a shard: score and session.
pub(in super::super) type Place = (u64, String);

/// Delays before an entry that is still there after its turn is offered again, by number of attempts. Up to half a delay
/// is added, so that entries that were backed off at about the same time are read together.
const AGAIN_MS: [u64; 6] = [20, 100, 500, 2_000, 8_000, 30_000];
/// Minimum interval between two reads of a shard, whatever is due in it.
pub(super) const READ_EVERY_MS: u64 = 10;
/// Maximum time for which other nodes leave a shard to a node whose turns take long.
const HOLD_MAX_MS: u64 = 4_000;

/// All shards of one index.
///
/// The known time of a shard is never later than the true one, as long as news arrive in the order in which they became
/// true. This does not hold while a read is in progress: its result may be older than news received in the meantime, so
/// the earlier of the two counts.
pub(super) struct ShardPlan {
    shards: Vec<Shard>,
    /// The times at which shards must be read, with their numbers.
    order: BTreeSet<(u64, u16)>,
    /// Shards whose contents are uncertain.
    unsure: BTreeSet<u16>,
    /// Number of turns in progress.
    turns: usize,
}

#[derive(Default)]
struct Shard {
    /// When to read it. `None` if it is empty.
    at: Option<u64>,
    /// Whether it is left to other nodes until `at`.
    is_left: bool,
    /// Number of reads and polls in progress.
    asked: u32,
    /// The earliest score announced since the first of them began.
    heard: Option<u64>,
    /// Whether a read is in progress.
    is_looked_at: bool,
    /// When the latest read began.
    read_at: u64,
    /// Ordered, so that the same course leads to the same queries.
    held: BTreeMap<Place, OfferState>,
}

/// The state of an entry that was offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OfferState {
    /// Its turn is in progress.
    Turn { since: u64, tries: usize },
    /// Its turn is over.
    Over { tries: usize },
    /// The entry was still there after its turn.
    Waits { until: u64, tries: usize },
}

/// The work after a read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ShardWork {
    pub(super) offer: Vec<Place>,
    /// Entries still there after their turn.
    pub(super) clean_up: Vec<Place>,
}

impl ShardPlan {
    /// Creates a plan that knows nothing about any shard.
    pub(super) fn new(shards: u16) -> ShardPlan {
        ShardPlan {
            shards: (0..shards).map(|_| Shard::default()).collect(),
            order: BTreeSet::new(),
            unsure: (0..shards).collect(),
            turns: 0,
        }
    }

    pub(super) fn turns(&self) -> usize {
        self.turns
    }

    /// Returns when there is something to do.
    pub(super) fn next_at(&self) -> Option<u64> {
        self.order.first().map(|(at, _)| *at)
    }

    /// Returns the number of tracked entries; a read must see beyond them.
    pub(super) fn held(&self, shard: u16) -> usize {
        self.shard(shard).map_or(0, |shard| shard.held.len())
    }

    /// Returns the number of due entries that are known, and the lowest of their scores.
    pub(super) fn due(&self) -> (usize, Option<u64>) {
        let count = self.shards.iter().map(|shard| shard.held.len()).sum();
        let firsts = self
            .shards
            .iter()
            .filter_map(|shard| shard.held.keys().next());
        (count, firsts.map(|(score, _)| *score).min())
    }

    /// Returns for how long other nodes are to leave a shard to this one: at least `least`, and longer while a turn takes
    /// long, so that long work costs few reads.
    pub(super) fn hold(&self, shard: u16, now: u64, least: u64) -> u64 {
        let oldest = self.shard(shard).and_then(Shard::oldest_turn);
        let age = oldest.map_or(0, |since| now.saturating_sub(since));
        least.max(age.min(HOLD_MAX_MS))
    }

    /// Returns due entries that this node leaves alone for now because they could not be served. Other nodes need not
    /// come for them.
    pub(super) fn backed_off(&self, shard: u16, now: u64) -> Vec<Place> {
        let held = self.shard(shard).into_iter().flat_map(|shard| &shard.held);
        let is_left = |held: &OfferState| match held {
            OfferState::Turn { .. } => false,
            OfferState::Over { .. } => true,
            OfferState::Waits { until, .. } => *until > now,
        };
        held.filter(|(_, held)| is_left(held))
            .map(|(place, _)| place.clone())
            .collect()
    }

    pub(super) fn doubt(&mut self) {
        self.unsure = (0..).take(self.shards.len()).collect();
    }

    pub(super) fn doubt_of(&mut self, shard: u16) {
        self.unsure.insert(shard);
    }

    pub(super) fn is_unsure(&self) -> bool {
        !self.unsure.is_empty()
    }

    /// Takes the shards to poll now; see [`ShardPlan::polled`].
    pub(super) fn take_unsure(&mut self) -> Vec<u16> {
        let unsure: Vec<u16> = std::mem::take(&mut self.unsure).into_iter().collect();
        for number in &unsure {
            if let Some(shard) = self.shard_mut(*number) {
                shard.ask();
            }
        }
        unsure
    }

    /// Records the result of a poll. `None` if it failed.
    pub(super) fn polled(&mut self, number: u16, first: Option<Option<u64>>) {
        let Some(shard) = self.shard_mut(number) else {
            return;
        };
        let heard = shard.answer();
        let at = match first {
            Some(first) => earliest([first, heard, shard.retry()]),
            None => earliest([shard.at, heard]),
        };
        if shard.is_looked_at {
            // A read is also in progress, and either result may be the older one. The read accounts for announcements,
            // so treat this as one.
            shard.heard = earliest([shard.heard, at]);
        } else {
            let is_left = shard.is_left && at == shard.at;
            self.put(number, at, is_left);
        }
        if first.is_none() {
            self.unsure.insert(number);
        }
    }

    /// Records an entry that may come before all others.
    pub(super) fn hear_earlier(&mut self, number: u16, due: u64) {
        let Some(shard) = self.shard_mut(number) else {
            return;
        };
        shard.hear(due);
        if !shard.is_looked_at && shard.at.is_none_or(|at| due < at) {
            self.put(number, Some(due), false);
        }
    }

    /// Records the first entry, as found by another node.
    pub(super) fn hear_first(&mut self, number: u16, due: Option<u64>) {
        let Some(shard) = self.shard_mut(number) else {
            return;
        };
        if shard.asked > 0 {
            if let Some(due) = due {
                self.hear_earlier(number, due);
            }
            return;
        }
        let at = earliest([due, shard.retry()]);
        self.put(number, at, false);
    }

    /// Returns the shard to read now, if any. `patience` is the time for which a shard is left to other nodes first.
    pub(super) fn take(&mut self, now: u64, patience: impl Fn(u16) -> u64) -> Option<u16> {
        while let Some((at, number)) = self.order.first().copied() {
            if at > now {
                return None;
            }
            let is_left = self.shard(number).is_none_or(|shard| shard.is_left);
            let wait = if is_left { 0 } else { patience(number) };
            if wait > 0 {
                self.put(number, Some(now.saturating_add(wait)), true);
                continue;
            }
            self.put(number, None, false);
            if let Some(shard) = self.shard_mut(number) {
                shard.ask();
                shard.is_looked_at = true;
                shard.read_at = now;
            }
            return Some(number);
        }
        None
    }

    /// Records the result of a read: due entries, when the next one is due, and whether more may be due. Offers at most
    /// `turns` entries. While turns are in progress, the shard is read again after half the time for which it is held, if
    /// there are other nodes: `hold` is then the least such time.
    pub(super) fn found(
        &mut self,
        number: u16,
        look: (Vec<Place>, Option<u64>, bool),
        now: u64,
        turns: usize,
        hold: Option<u64>,
    ) -> ShardWork {
        let (due, next, is_cut) = look;
        let Some(shard) = self.shard_mut(number) else {
            return ShardWork::default();
        };
        let heard = shard.answer();
        shard.is_looked_at = false;
        shard.forget_gone(&due, is_cut);
        let mut work = ShardWork::default();
        let mut is_short = false;
        for place in due {
            let tries = match shard.held.get(&place) {
                None => 0,
                Some(OfferState::Waits { until, tries }) if *until <= now => *tries,
                Some(OfferState::Waits { .. } | OfferState::Turn { .. }) => continue,
                Some(OfferState::Over { tries }) => {
                    let until = again_at(now, *tries);
                    let tries = tries.saturating_add(1);
                    work.clean_up.push(place.clone());
                    shard.held.insert(place, OfferState::Waits { until, tries });
                    continue;
                }
            };
            if work.offer.len() >= turns {
                is_short = true;
                break;
            }
            shard
                .held
                .insert(place.clone(), OfferState::Turn { since: now, tries });
            work.offer.push(place);
        }
        let (retry, has_turns) = (shard.retry(), shard.oldest_turn().is_some());
        let hold = hold.filter(|_| has_turns);
        let holds = hold.map(|least| now.saturating_add(self.hold(number, now, least) / 2));
        let more = (is_short || is_cut).then_some(now);
        let at = earliest([next, heard, retry, holds, more]);
        // Announcements are shared knowledge; the rest is what this node has taken on.
        let is_ours = at != heard && at != next;
        self.turns += work.offer.len();
        self.put(number, at, is_ours);
        work
    }

    /// Records that a read failed and will be retried.
    pub(super) fn not_found(&mut self, number: u16, again_at: u64) {
        let Some(shard) = self.shard_mut(number) else {
            return;
        };
        shard.answer();
        shard.is_looked_at = false;
        self.put(number, Some(again_at), true);
    }

    /// Records the end of a turn.
    pub(super) fn over(&mut self, number: u16, place: &Place, now: u64) {
        self.turns = self.turns.saturating_sub(1);
        let Some(shard) = self.shard_mut(number) else {
            return;
        };
        if let Some(held) = shard.held.get_mut(place)
            && let OfferState::Turn { tries, .. } = *held
        {
            *held = OfferState::Over { tries };
        }
        shard.hear(now);
        if !shard.is_looked_at {
            self.put(number, Some(now), true);
        }
    }

    fn put(&mut self, number: u16, at: Option<u64>, is_left: bool) {
        let Some(shard) = self.shards.get_mut(usize::from(number)) else {
            return;
        };
        if let Some(before) = shard.at {
            self.order.remove(&(before, number));
        }
        let at = at.map(|at| at.max(shard.read_at.saturating_add(READ_EVERY_MS)));
        (shard.at, shard.is_left) = (at, is_left);
        if let Some(at) = at {
            self.order.insert((at, number));
        }
    }

    fn shard(&self, number: u16) -> Option<&Shard> {
        self.shards.get(usize::from(number))
    }

    fn shard_mut(&mut self, number: u16) -> Option<&mut Shard> {
        self.shards.get_mut(usize::from(number))
    }
}

impl Shard {
    fn ask(&mut self) {
        if self.asked == 0 {
            self.heard = None;
        }
        self.asked += 1;
    }

    /// Returns what was announced since the read began.
    fn answer(&mut self) -> Option<u64> {
        self.asked = self.asked.saturating_sub(1);
        self.heard
    }

    fn hear(&mut self, due: u64) {
        if self.asked > 0 {
            self.heard = earliest([self.heard, Some(due)]);
        }
    }

    /// Returns when a waiting entry is offered again or a finished turn is followed up.
    fn retry(&self) -> Option<u64> {
        let again = self.held.values().filter_map(|held| match held {
            OfferState::Turn { .. } => None,
            OfferState::Over { .. } => Some(0),
            OfferState::Waits { until, .. } => Some(*until),
        });
        again.min()
    }

    /// Returns since when the oldest turn is in progress.
    fn oldest_turn(&self) -> Option<u64> {
        let since = self.held.values().filter_map(|held| match held {
            OfferState::Turn { since, .. } => Some(*since),
            OfferState::Over { .. } | OfferState::Waits { .. } => None,
        });
        since.min()
    }

    /// Forgets entries that are gone, unless their turn is in progress.
    fn forget_gone(&mut self, due: &[Place], is_cut: bool) {
        let there: std::collections::HashSet<&Place> = due.iter().collect();
        let last = due.last().filter(|_| is_cut);
        self.held.retain(|place, held| {
            let is_unseen = last.is_some_and(|last| place > last);
            is_unseen || matches!(held, OfferState::Turn { .. }) || there.contains(place)
        });
    }
}

/// Returns when an entry that was offered so often before is offered again.
fn again_at(now: u64, tries: usize) -> u64 {
    let last = AGAIN_MS.last().copied().unwrap_or_default();
    let pause = AGAIN_MS.get(tries).copied().unwrap_or(last);
    let at = now.saturating_add(pause);
    at.checked_next_multiple_of(pause / 2).unwrap_or(at)
}

fn earliest<const N: usize>(times: [Option<u64>; N]) -> Option<u64> {
    times.into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOLD: Option<u64> = Some(300);

    fn known(at: Option<u64>) -> ShardPlan {
        let mut plan = ShardPlan::new(1);
        assert_eq!(plan.take_unsure(), [0]);
        plan.polled(0, Some(at));
        plan
    }

    fn place(score: u64) -> Place {
        (score, "a".to_owned())
    }

    fn look(plan: &mut ShardPlan, now: u64, due: &[Place], next: Option<u64>) -> ShardWork {
        assert_eq!(plan.take(now, |_| 0), Some(0));
        plan.found(0, (due.to_vec(), next, false), now, 9, HOLD)
    }

    #[test]
    fn nothing_is_looked_at_before_its_time_and_nothing_twice() {
        let mut plan = known(Some(100));
        assert_eq!(plan.next_at(), Some(100));
        assert_eq!(plan.take(99, |_| 0), None);
        let work = look(&mut plan, 100, &[place(100)], Some(500));
        assert_eq!(work.offer, [place(100)]);
        assert_eq!(plan.turns(), 1);
        plan.over(0, &place(100), 110);
        assert_eq!(look(&mut plan, 110, &[], Some(500)), ShardWork::default());
        assert_eq!((plan.next_at(), plan.turns()), (Some(500), 0));
    }

    #[test]
    fn what_is_heard_during_a_look_or_a_survey_outlives_its_answer() {
        let mut plan = known(Some(100));
        assert_eq!(plan.take(100, |_| 0), Some(0));
        plan.hear_earlier(0, 150);
        plan.hear_first(0, Some(400));
        plan.found(0, (vec![], Some(900), false), 101, 9, HOLD);
        assert_eq!(plan.next_at(), Some(150));

        plan.doubt();
        plan.take_unsure();
        plan.hear_earlier(0, 130);
        plan.polled(0, Some(Some(900)));
        assert_eq!(plan.next_at(), Some(130));
        // A failed poll changes nothing and is retried.
        plan.doubt();
        plan.take_unsure();
        plan.polled(0, None);
        assert_eq!((plan.next_at(), plan.is_unsure()), (Some(130), true));
    }

    #[test]
    fn a_shelf_is_left_to_others_first_and_not_looked_at_if_they_have() {
        let mut plan = known(Some(100));
        assert_eq!(plan.take(100, |_| 50), None);
        assert_eq!(plan.next_at(), Some(150));
        plan.hear_first(0, Some(300));
        assert_eq!(plan.take(299, |_| 50), None);
        assert_eq!(plan.take(300, |_| 50), None);
        assert_eq!(plan.take(350, |_| 50), Some(0), "the others are silent");
    }

    #[test]
    fn what_is_still_there_after_its_turn_is_cleaned_up_and_offered_again_later_and_later() {
        let mut plan = known(Some(100));
        look(&mut plan, 100, &[place(100)], None);
        let mut now = 100;
        for pause in AGAIN_MS {
            plan.over(0, &place(100), now);
            assert_eq!(plan.backed_off(0, now), [place(100)]);
            now += READ_EVERY_MS;
            let work = look(&mut plan, now, &[place(100)], None);
            assert_eq!((work.clean_up, work.offer), (vec![place(100)], vec![]));
            assert_eq!(plan.backed_off(0, now), [place(100)]);
            let next = plan.next_at().unwrap();
            assert!((now + pause..=now + pause + pause / 2).contains(&next));
            assert_eq!(plan.backed_off(0, next), []);
            now = next;
            let work = look(&mut plan, now, &[place(100)], None);
            assert_eq!(work.offer, [place(100)]);
        }
        assert_eq!(plan.due(), (1, Some(100)));
        plan.over(0, &place(100), now);
        now += READ_EVERY_MS;
        assert_eq!(look(&mut plan, now, &[], None), ShardWork::default());
        assert_eq!((plan.next_at(), plan.due()), (None, (0, None)));
    }

    #[test]
    fn others_are_told_again_while_a_turn_takes_long_and_other_places_do_not_wait_for_it() {
        let mut plan = known(Some(100));
        look(&mut plan, 100, &[place(100)], Some(120));
        assert_eq!(plan.next_at(), Some(120));
        let both = [place(100), place(120)];
        assert_eq!(look(&mut plan, 120, &both, None).offer, [place(120)]);
        let mut reads = 0;
        while let Some(now) = plan.next_at().filter(|now| *now < 60_000) {
            assert_eq!(look(&mut plan, now, &both, None), ShardWork::default());
            let held_until = now + plan.hold(0, now, 300);
            assert!(
                plan.next_at().unwrap() < held_until,
                "others come in between"
            );
            reads += 1;
        }
        assert!(reads < 40, "{reads} reads in a minute");
    }

    #[test]
    fn turns_in_an_engine_of_a_single_process_cost_no_reads() {
        let mut plan = known(Some(100));
        assert_eq!(plan.take(100, |_| 0), Some(0));
        plan.found(0, (vec![place(100)], None, false), 100, 9, None);
        assert_eq!(plan.next_at(), None);
    }

    #[test]
    fn no_more_turns_are_given_than_there_are() {
        let mut plan = known(Some(100));
        assert_eq!(plan.take(100, |_| 0), Some(0));
        let due = vec![place(98), place(99), place(100)];
        let work = plan.found(0, (due, None, false), 100, 2, HOLD);
        assert_eq!(work.offer, [place(98), place(99)]);
        assert_eq!((plan.next_at(), plan.turns()), (Some(110), 2));
    }
}

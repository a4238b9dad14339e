//! Decides when each shelf is read next. It has no clock and does not wait; the caller passes the time.

use std::collections::{BTreeMap, BTreeSet};

/// An entry of a shelf: score and session.
pub(in super::super) type Place = (u64, String);

/// Delays before an entry that is still there after its turn is offered again, by number of attempts.
const AGAIN_MS: [u64; 6] = [20, 100, 500, 2_000, 8_000, 30_000];

/// All shelves of one index.
///
/// The known time of a shelf is never later than the true one, as long as news arrive in the order in which they became
/// true. This does not hold while a read is in progress: its result may be older than news received in the meantime, so
/// the earlier of the two counts.
pub(super) struct Plan {
    shelves: Vec<Shelf>,
    /// The times at which shelves must be read, with their numbers.
    order: BTreeSet<(u64, u16)>,
    /// Shelves whose contents are uncertain.
    unsure: BTreeSet<u16>,
    /// Number of turns in progress.
    turns: usize,
}

#[derive(Default)]
struct Shelf {
    /// When to read it. `None` if it is empty.
    at: Option<u64>,
    /// Whether it is left to other nodes until `at`.
    is_left: bool,
    /// Number of reads and surveys in progress.
    asked: u32,
    /// The earliest score announced since the first of them began.
    heard: Option<u64>,
    /// Whether a read is in progress.
    is_looked_at: bool,
    /// Ordered, so that the same course leads to the same queries.
    held: BTreeMap<Place, Held>,
}

/// The state of an entry that was offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Held {
    /// Its turn is in progress.
    Turn { tries: usize },
    /// Its turn is over.
    Over { tries: usize },
    /// The entry was still there after its turn.
    Waits { until: u64, tries: usize },
}

/// The work after a read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) offer: Vec<Place>,
    /// Entries still there after their turn.
    pub(super) tidy: Vec<Place>,
}

impl Plan {
    /// Creates a plan that knows nothing about any shelf.
    pub(super) fn new(shelves: u16) -> Plan {
        Plan {
            shelves: (0..shelves).map(|_| Shelf::default()).collect(),
            order: BTreeSet::new(),
            unsure: (0..shelves).collect(),
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
    pub(super) fn held(&self, shelf: u16) -> usize {
        self.shelf(shelf).map_or(0, |shelf| shelf.held.len())
    }

    /// Returns due entries that this node leaves alone for now because they could not be served. Other nodes need not
    /// come for them.
    pub(super) fn left_alone(&self, shelf: u16, now: u64) -> Vec<Place> {
        let held = self.shelf(shelf).into_iter().flat_map(|shelf| &shelf.held);
        let is_left = |held: &Held| match held {
            Held::Turn { .. } => false,
            Held::Over { .. } => true,
            Held::Waits { until, .. } => *until > now,
        };
        held.filter(|(_, held)| is_left(held))
            .map(|(place, _)| place.clone())
            .collect()
    }

    pub(super) fn doubt(&mut self) {
        self.unsure = (0..).take(self.shelves.len()).collect();
    }

    pub(super) fn doubt_of(&mut self, shelf: u16) {
        self.unsure.insert(shelf);
    }

    pub(super) fn is_unsure(&self) -> bool {
        !self.unsure.is_empty()
    }

    /// Takes the shelves to survey now; see [`Plan::surveyed`].
    pub(super) fn take_unsure(&mut self) -> Vec<u16> {
        let unsure: Vec<u16> = std::mem::take(&mut self.unsure).into_iter().collect();
        for number in &unsure {
            if let Some(shelf) = self.shelf_mut(*number) {
                shelf.ask();
            }
        }
        unsure
    }

    /// Records the result of a survey. `None` if it failed.
    pub(super) fn surveyed(&mut self, number: u16, first: Option<Option<u64>>) {
        let Some(shelf) = self.shelf_mut(number) else {
            return;
        };
        let heard = shelf.answer();
        let at = match first {
            Some(first) => earliest([first, heard, shelf.retry()]),
            None => earliest([shelf.at, heard]),
        };
        if shelf.is_looked_at {
            // A read is also in progress, and either result may be the older one. The read accounts for announcements,
            // so treat this as one.
            shelf.heard = earliest([shelf.heard, at]);
        } else {
            let is_left = shelf.is_left && at == shelf.at;
            self.put(number, at, is_left);
        }
        if first.is_none() {
            self.unsure.insert(number);
        }
    }

    /// Records an entry that may come before all others.
    pub(super) fn hear_earlier(&mut self, number: u16, due: u64) {
        let Some(shelf) = self.shelf_mut(number) else {
            return;
        };
        shelf.hear(due);
        if !shelf.is_looked_at && shelf.at.is_none_or(|at| due < at) {
            self.put(number, Some(due), false);
        }
    }

    /// Records the first entry, as found by another node.
    pub(super) fn hear_first(&mut self, number: u16, due: Option<u64>) {
        let Some(shelf) = self.shelf_mut(number) else {
            return;
        };
        if shelf.asked > 0 {
            if let Some(due) = due {
                self.hear_earlier(number, due);
            }
            return;
        }
        let at = earliest([due, shelf.retry()]);
        self.put(number, at, false);
    }

    /// Returns the shelf to read now, if any. `patience` is the time for which a shelf is left to other nodes first.
    pub(super) fn take(&mut self, now: u64, patience: impl Fn(u16) -> u64) -> Option<u16> {
        while let Some((at, number)) = self.order.first().copied() {
            if at > now {
                return None;
            }
            let is_left = self.shelf(number).is_none_or(|shelf| shelf.is_left);
            let wait = if is_left { 0 } else { patience(number) };
            if wait > 0 {
                self.put(number, Some(now.saturating_add(wait)), true);
                continue;
            }
            self.put(number, None, false);
            if let Some(shelf) = self.shelf_mut(number) {
                shelf.ask();
                shelf.is_looked_at = true;
            }
            return Some(number);
        }
        None
    }

    /// Records the result of a read: due entries, the time of the next one, and whether more may be due. Offers at most
    /// `turns` entries. While turns are in progress, the shelf is read again after `hold`.
    pub(super) fn found(
        &mut self,
        number: u16,
        look: (Vec<Place>, Option<u64>, bool),
        now: u64,
        turns: usize,
        hold: u64,
    ) -> Work {
        let (due, next, is_cut) = look;
        let Some(shelf) = self.shelf_mut(number) else {
            return Work::default();
        };
        let heard = shelf.answer();
        shelf.is_looked_at = false;
        shelf.forget_gone(&due, is_cut);
        let mut work = Work::default();
        let mut is_short = false;
        for place in due {
            let tries = match shelf.held.get(&place) {
                None => 0,
                Some(Held::Waits { until, tries }) if *until <= now => *tries,
                Some(Held::Waits { .. } | Held::Turn { .. }) => continue,
                Some(Held::Over { tries }) => {
                    let until = now.saturating_add(pause(*tries));
                    let tries = tries.saturating_add(1);
                    work.tidy.push(place.clone());
                    shelf.held.insert(place, Held::Waits { until, tries });
                    continue;
                }
            };
            if work.offer.len() >= turns {
                is_short = true;
                break;
            }
            shelf.held.insert(place.clone(), Held::Turn { tries });
            work.offer.push(place);
        }
        let holds = shelf.has_turns().then(|| now.saturating_add(hold));
        let more = (is_short || is_cut).then_some(now);
        let at = earliest([next, heard, shelf.retry(), holds, more]);
        // Announcements are shared knowledge; the rest is what this node has taken on.
        let is_ours = at != heard && at != next;
        self.turns += work.offer.len();
        self.put(number, at, is_ours);
        work
    }

    /// Records that a read failed and will be retried.
    pub(super) fn not_found(&mut self, number: u16, again_at: u64) {
        let Some(shelf) = self.shelf_mut(number) else {
            return;
        };
        shelf.answer();
        shelf.is_looked_at = false;
        self.put(number, Some(again_at), true);
    }

    /// Records the end of a turn.
    pub(super) fn over(&mut self, number: u16, place: &Place, now: u64) {
        self.turns = self.turns.saturating_sub(1);
        let Some(shelf) = self.shelf_mut(number) else {
            return;
        };
        if let Some(held) = shelf.held.get_mut(place)
            && let Held::Turn { tries } = *held
        {
            *held = Held::Over { tries };
        }
        shelf.hear(now);
        if !shelf.is_looked_at {
            self.put(number, Some(now), true);
        }
    }

    fn put(&mut self, number: u16, at: Option<u64>, is_left: bool) {
        let Some(shelf) = self.shelves.get_mut(usize::from(number)) else {
            return;
        };
        if let Some(before) = shelf.at {
            self.order.remove(&(before, number));
        }
        (shelf.at, shelf.is_left) = (at, is_left);
        if let Some(at) = at {
            self.order.insert((at, number));
        }
    }

    fn shelf(&self, number: u16) -> Option<&Shelf> {
        self.shelves.get(usize::from(number))
    }

    fn shelf_mut(&mut self, number: u16) -> Option<&mut Shelf> {
        self.shelves.get_mut(usize::from(number))
    }
}

impl Shelf {
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
            Held::Turn { .. } => None,
            Held::Over { .. } => Some(0),
            Held::Waits { until, .. } => Some(*until),
        });
        again.min()
    }

    fn has_turns(&self) -> bool {
        let is_turn = |held: &Held| matches!(held, Held::Turn { .. });
        self.held.values().any(is_turn)
    }

    /// Forgets entries that are gone, unless their turn is in progress.
    fn forget_gone(&mut self, due: &[Place], is_cut: bool) {
        let there: std::collections::HashSet<&Place> = due.iter().collect();
        let last = due.last().filter(|_| is_cut);
        self.held.retain(|place, held| {
            let is_unseen = last.is_some_and(|last| place > last);
            is_unseen || matches!(held, Held::Turn { .. }) || there.contains(place)
        });
    }
}

fn pause(tries: usize) -> u64 {
    let last = AGAIN_MS.last().copied().unwrap_or_default();
    AGAIN_MS.get(tries).copied().unwrap_or(last)
}

fn earliest<const N: usize>(times: [Option<u64>; N]) -> Option<u64> {
    times.into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOLD: u64 = 150;

    fn known(at: Option<u64>) -> Plan {
        let mut plan = Plan::new(1);
        assert_eq!(plan.take_unsure(), [0]);
        plan.surveyed(0, Some(at));
        plan
    }

    fn place(score: u64) -> Place {
        (score, "a".to_owned())
    }

    fn look(plan: &mut Plan, now: u64, due: &[Place], next: Option<u64>) -> Work {
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
        assert_eq!(look(&mut plan, 110, &[], Some(500)), Work::default());
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
        plan.surveyed(0, Some(Some(900)));
        assert_eq!(plan.next_at(), Some(130));
        // A failed survey changes nothing and is retried.
        plan.doubt();
        plan.take_unsure();
        plan.surveyed(0, None);
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
    fn what_is_still_there_after_its_turn_is_tidied_and_offered_again_later_and_later() {
        let mut plan = known(Some(100));
        look(&mut plan, 100, &[place(100)], None);
        let mut now = 100;
        for pause in AGAIN_MS {
            plan.over(0, &place(100), now);
            assert_eq!(plan.left_alone(0, now), [place(100)]);
            let work = look(&mut plan, now, &[place(100)], None);
            assert_eq!((work.tidy, work.offer), (vec![place(100)], vec![]));
            assert_eq!(plan.left_alone(0, now), [place(100)]);
            assert_eq!(plan.left_alone(0, now + pause), []);
            assert_eq!(plan.next_at(), Some(now + pause));
            now += pause;
            let work = look(&mut plan, now, &[place(100)], None);
            assert_eq!(work.offer, [place(100)]);
        }
        plan.over(0, &place(100), now);
        assert_eq!(look(&mut plan, now, &[], None), Work::default());
        assert_eq!((plan.next_at(), plan.held(0)), (None, 0));
    }

    #[test]
    fn others_are_told_again_while_a_turn_takes_long_and_other_places_do_not_wait_for_it() {
        let mut plan = known(Some(100));
        look(&mut plan, 100, &[place(100)], Some(120));
        assert_eq!(plan.next_at(), Some(120));
        let both = [place(100), place(120)];
        assert_eq!(look(&mut plan, 120, &both, None).offer, [place(120)]);
        assert_eq!(plan.next_at(), Some(120 + HOLD));
        assert_eq!(look(&mut plan, 120 + HOLD, &both, None), Work::default());
    }

    #[test]
    fn no_more_turns_are_given_than_there_are() {
        let mut plan = known(Some(100));
        assert_eq!(plan.take(100, |_| 0), Some(0));
        let due = vec![place(98), place(99), place(100)];
        let work = plan.found(0, (due, None, false), 100, 2, HOLD);
        assert_eq!(work.offer, [place(98), place(99)]);
        assert_eq!((plan.next_at(), plan.turns()), (Some(100), 2));
    }
}

//! Numbers that chance has drawn: which of their values agree with what the seat received. A number that shows in the same
//! step is found by trying all of its values, and is then known to later worlds; one that shows later gets the value that
//! the seat received instead.

use super::change::{CourseChange, Stray};
use super::refused::one_of;
use super::sampling::{RandomResult, is_open};
use super::work::WorldWork;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{Event, SeenValue};

/// Maximum number of values that are all tried.
const VALUES_MAX: u32 = 64;

impl WorldWork<'_> {
    /// Tries all values of the numbers that were drawn in a step that has diverged. Returns whether it then matches.
    pub fn try_numbers(&mut self, stray: &mut Stray) -> bool {
        let operations = &self.making.line.operations;
        let mut operation = self.draft.course.outcomes.len();
        while let Some(outcome) = stray.course.outcomes.get(operation) {
            if let RandomResult::At { of, .. } = *outcome
                && (2..=VALUES_MAX).contains(&of)
                && operations.get(operation).is_some_and(is_open)
                && self.try_values(stray, operation, of)
            {
                return true;
            }
            operation += 1;
        }
        false
    }

    fn try_values(&mut self, stray: &mut Stray, operation: usize, of: u32) -> bool {
        let mut plan = stray.course.clone();
        let (mut most, mut agreeing) = (stray.failure.score, Vec::new());
        for at in 0..of {
            plan.plan(operation, RandomResult::Index(at));
            let (score, result) = self.look_ahead(&plan, most, operation);
            let Some(RandomResult::At { value, .. }) = result else {
                continue;
            };
            if score > most {
                agreeing.clear();
            }
            if score >= most {
                most = score;
                agreeing.push((at, value));
            }
        }
        if agreeing.len() == of as usize {
            return false;
        }
        let Some((at, _)) = one_of(&agreeing, self.dice) else {
            return false;
        };
        stray.course.plan(operation, RandomResult::Index(at));
        let values = agreeing.iter().map(|(_, value)| *value).collect();
        let mut findings = self.making.findings.borrow_mut();
        findings.numbers.insert(operation, values);
        drop(findings);
        self.takes_over(stray)
    }
}

/// Proposes the expected value for a number that chance has drawn earlier, where another value came; perhaps in exchange for
/// that of another number, because the members of a shuffled list are drawn from what is left.
pub(super) fn needed_number(work: &mut WorldWork<'_>, stray: &Stray) -> Option<CourseChange> {
    let given = |event: Option<&Event>| match event {
        Some(Event::Given {
            value: SeenValue::Plain(value),
            ..
        }) => Some(*value),
        _ => None,
    };
    let failure = &stray.failure;
    let (wanted, came) = (
        given(failure.expected.as_ref())?,
        given(failure.other.as_ref())?,
    );
    let operations = &work.making.line.operations;
    let drawn = |wanted: i32, dice: &mut Dice| {
        let drawn = stray.course.outcomes.iter().zip(operations).enumerate();
        let drawn = drawn.filter(|(_, (outcome, operation))| {
            matches!(outcome, RandomResult::At { value, .. } if *value == wanted)
                && is_open(operation)
        });
        one_of(
            &drawn.map(|(number, _)| number).collect::<Vec<usize>>(),
            dice,
        )
    };
    let mut numbers = vec![(drawn(came, work.dice)?, wanted)];
    if work.dice.one_in(2)
        && let Some(other) = drawn(wanted, work.dice)
    {
        numbers.push((other, came));
    }
    Some(CourseChange::Numbers(numbers))
}

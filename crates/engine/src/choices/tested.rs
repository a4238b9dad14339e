//! All conditions on one choice with their results, for authors who ask why a choice is offered or not.

use super::look_at;
use super::route::SoughtPath;
use crate::choice::{BoundValue, Choice, ChoiceName, Pending};
use crate::eval::Eval;
use crate::fault::{Fault, Halt};
use crate::state::State;
use wyrmgate_program::{BinderInfo, Condition, Program, Site};

/// A condition on a choice, and whether it holds.
#[derive(Debug, Clone)]
pub struct Tested {
    pub what: Test,
    pub holds: bool,
}

#[derive(Debug, Clone)]
pub enum Test {
    /// A condition of the option, of a value, or of all values of a name together.
    Condition(Condition),
    /// Whether the value is in the list from which this name is chosen.
    InList(ChoiceName, i32),
}

/// Returns the conditions on this choice in the order of the rules. The list ends with the first name whose value has not the
/// form that the option requires.
pub fn tested(
    program: &Program,
    state: &State,
    pending: &Pending,
    choice: &Choice,
) -> Result<Vec<Tested>, Fault> {
    let tested = look_at(program, state, pending, |eval, site| {
        let mut tester = Tester {
            eval,
            found: Vec::new(),
        };
        tester.test(site, pending.seat, choice)?;
        Ok(tester.found)
    })?;
    Ok(tested.unwrap_or_default())
}

/// Tests conditions one after the other.
struct Tester<'t, 'e> {
    eval: &'t mut Eval<'e>,
    found: Vec<Tested>,
}

impl Tester<'_, '_> {
    fn test(&mut self, site: &Site, seat: u8, choice: &Choice) -> Result<(), Halt> {
        let Some(option) = site.options.get(usize::from(choice.option)) else {
            return Ok(());
        };
        self.eval.set_temp(site.seat_temp, i32::from(seat));
        self.test_all(&option.conditions)?;
        for (binder, arg) in option.binders.iter().zip(&choice.args) {
            self.test_members(binder, arg)?;
            self.eval.bind(binder, arg);
            self.test_all(&binder.together)?;
        }
        Ok(())
    }

    fn test_members(&mut self, binder: &BinderInfo, arg: &BoundValue) -> Result<(), Halt> {
        let lists = self.eval.scratch.lists.len();
        let route = match binder.path {
            Some(_) => Some(SoughtPath::of(self.eval, binder)?),
            None => None,
        };
        let members = match binder.is_text() {
            true => &[],
            false => arg.values(),
        };
        for (before, &value) in members.iter().enumerate() {
            if let Some(route) = &route {
                route.stand_at(self.eval, arg.values().get(..before).unwrap_or_default());
            }
            let holds = self.eval.contains(binder.domain, value)?;
            let what = Test::InList(binder.into(), value);
            self.found.push(Tested { what, holds });
            for filter in &binder.filters {
                self.eval.set_temp(binder.member(), value);
                self.test_all(std::slice::from_ref(filter))?;
            }
        }
        self.eval.scratch.lists.truncate(lists);
        Ok(())
    }

    fn test_all(&mut self, conditions: &[Condition]) -> Result<(), Halt> {
        for condition in conditions {
            let holds = self.eval.truth(condition.test)?;
            let what = Test::Condition(condition.clone());
            self.found.push(Tested { what, holds });
        }
        Ok(())
    }
}

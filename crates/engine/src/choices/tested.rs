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
        let mut found = Vec::new();
        test(eval, site, pending.seat, choice, &mut found)?;
        Ok(found)
    })?;
    Ok(tested.unwrap_or_default())
}

fn test(
    eval: &mut Eval<'_>,
    site: &Site,
    seat: u8,
    choice: &Choice,
    found: &mut Vec<Tested>,
) -> Result<(), Halt> {
    let Some(option) = site.options.get(usize::from(choice.option)) else {
        return Ok(());
    };
    eval.set_temp(site.seat_temp, i32::from(seat));
    test_all(eval, &option.conditions, found)?;
    for (binder, arg) in option.binders.iter().zip(&choice.args) {
        test_members(eval, binder, arg, found)?;
        eval.bind(binder, arg);
        test_all(eval, &binder.together, found)?;
    }
    Ok(())
}

fn test_members(
    eval: &mut Eval<'_>,
    binder: &BinderInfo,
    arg: &BoundValue,
    found: &mut Vec<Tested>,
) -> Result<(), Halt> {
    let lists = eval.scratch.lists.len();
    let route = match binder.path {
        Some(_) => Some(SoughtPath::of(eval, binder)?),
        None => None,
    };
    let members = match binder.is_text() {
        true => &[],
        false => arg.values(),
    };
    for (before, &value) in members.iter().enumerate() {
        if let Some(route) = &route {
            route.stand_at(eval, arg.values().get(..before).unwrap_or_default());
        }
        let holds = eval.contains(binder.domain, value)?;
        let what = Test::InList(binder.into(), value);
        found.push(Tested { what, holds });
        for filter in &binder.filters {
            eval.set_temp(binder.member(), value);
            test_all(eval, std::slice::from_ref(filter), found)?;
        }
    }
    eval.scratch.lists.truncate(lists);
    Ok(())
}

fn test_all(
    eval: &mut Eval<'_>,
    conditions: &[Condition],
    found: &mut Vec<Tested>,
) -> Result<(), Halt> {
    for condition in conditions {
        let holds = eval.truth(condition.test)?;
        let what = Test::Condition(condition.clone());
        found.push(Tested { what, holds });
    }
    Ok(())
}

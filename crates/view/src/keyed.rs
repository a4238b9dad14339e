//! Places on the table that a choice names by their keys: all squares of a column.

use crate::name::Pointing;
use wyrmgate_engine::{BoundValue, Choice};
use wyrmgate_program::{KeyOf, SiteOption, Type, VAR_ACTIVE};

/// Returns the ids of zones, of values of variables, as in `dice-3`, and of seats: `seat:2`.
pub(crate) fn places(pointing: Pointing<'_>, option: &SiteOption, choice: &Choice) -> Vec<String> {
    let program = pointing.program;
    let (mut found, mut named) = (Vec::new(), Vec::new());
    for (binder, arg) in option.binders.iter().zip(&choice.args) {
        let ids = arg
            .values()
            .iter()
            .map(|value| pointing.id(*value, binder.of));
        if binder.of == Type::Seat {
            found.extend(ids.clone().map(|id| format!("seat:{id}")));
        }
        for key in &binder.keys {
            match *key {
                KeyOf::Zones { family, .. } => named.push((family, *key, arg)),
                KeyOf::Variable(var) => {
                    let var = program.vars.get(usize::from(var));
                    let name = var.map_or("", |var| &var.name);
                    found.extend(ids.clone().map(|id| format!("{name}-{id}")));
                }
            }
        }
    }
    for (number, info) in (0..).zip(&program.families) {
        let keys = named.iter().filter(|(family, ..)| *family == number);
        let zones = i32::from(info.first)..i32::from(info.first) + i32::from(info.count);
        let zones = zones.filter(|_| keys.clone().next().is_some());
        let zones = zones.filter(|zone| {
            keys.clone()
                .all(|(_, key, arg)| has(pointing, *zone, *key, arg))
        });
        found.extend(zones.map(|zone| pointing.id(zone, Type::Zone(None))));
    }
    found
}

/// Returns whether the key of a zone is one of the values, and the zone that of the active seat if it is a seat's.
fn has(pointing: Pointing<'_>, zone: i32, key: KeyOf, values: &BoundValue) -> bool {
    let KeyOf::Zones { family, key, owner } = key else {
        return false;
    };
    let program = pointing.program;
    let family = program.families.get(usize::from(family));
    let value = |key: usize| program.entry(family?.keys.get(key)?.table, i64::from(zone));
    let active = program.vars.get(usize::from(VAR_ACTIVE));
    let active = active.map(|var| pointing.state.var(var.offset));
    let is_named = value(key).is_some_and(|own| values.values().contains(&own));
    is_named && owner.is_none_or(|owner| value(owner) == active)
}

//! Places on the table that a choice names by their keys: all squares of a column.

use crate::name::Pointing;
use wyrmgate_engine::{BoundValue, Choice};
use wyrmgate_program::{BinderInfo, FamilyInfo, KeyOf, SiteOption, Type, VAR_ACTIVE};

/// The values of one key that a choice names.
struct NamedKey<'c> {
    family: u16,
    key: usize,
    owner: Option<usize>,
    values: &'c [i32],
}

/// Returns the ids of zones, of values of variables, as in `dice-3`, and of seats: `seat:2`.
pub(crate) fn places(pointing: Pointing<'_>, option: &SiteOption, choice: &Choice) -> Vec<String> {
    let (mut found, mut named) = (Vec::new(), Vec::new());
    for (binder, arg) in option.binders.iter().zip(&choice.args) {
        if binder.of == Type::Seat {
            let seats = arg.values().iter();
            found.extend(seats.map(|seat| format!("seat:{}", pointing.id(*seat, Type::Seat))));
        }
        for key in &binder.keys {
            match *key {
                KeyOf::Zones { family, key, owner } => named.push(NamedKey {
                    family,
                    key,
                    owner,
                    values: arg.values(),
                }),
                KeyOf::Variable(var) => found.extend(of_variable(pointing, var, binder, arg)),
            }
        }
    }
    let mut families: Vec<u16> = named.iter().map(|key| key.family).collect();
    families.dedup();
    for family in families {
        found.extend(zones(pointing, family, &named));
    }
    found
}

fn of_variable(
    pointing: Pointing<'_>,
    var: u16,
    binder: &BinderInfo,
    arg: &BoundValue,
) -> Vec<String> {
    let var = pointing.program.vars.get(usize::from(var));
    let values = arg
        .values()
        .iter()
        .map(|value| pointing.id(*value, binder.of));
    let ids = |name: &str| values.map(|value| format!("{name}-{value}")).collect();
    var.map_or_else(Vec::new, |var| ids(&var.name))
}

/// Returns the zones of a family that have all named keys.
fn zones(pointing: Pointing<'_>, number: u16, named: &[NamedKey<'_>]) -> Vec<String> {
    let program = pointing.program;
    let Some(family) = program.families.get(usize::from(number)) else {
        return Vec::new();
    };
    let active = program.vars.get(usize::from(VAR_ACTIVE));
    let active = active.map(|var| pointing.state.var(var.offset));
    let value = |family: &FamilyInfo, key: usize, zone: i32| {
        let table = family.keys.get(key)?.table;
        program.entry(table, i64::from(zone))
    };
    let has = |named: &NamedKey<'_>, zone: i32| {
        let own = value(family, named.key, zone);
        let is_active = |owner: usize| value(family, owner, zone) == active;
        own.is_some_and(|own| named.values.contains(&own)) && named.owner.is_none_or(is_active)
    };
    let first = i32::from(family.first);
    let all = first..first + i32::from(family.count);
    let all = all.filter(|zone| {
        let mut of_family = named.iter().filter(|named| named.family == number);
        of_family.all(|named| has(named, *zone))
    });
    all.map(|zone| pointing.id(zone, Type::Zone(None)))
        .collect()
}

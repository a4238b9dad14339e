//! Where answers are stored: in slots of the frame, for a secret decision one for each seat. Of a decision about each member of
//! a list, a seat answers for one after the other; its answers are lists with a value for each member.

use super::looking::{has_choice, looking};
use crate::choice::Answer;
use crate::eval::ValueList;
use crate::fault::Halt;
use crate::layout::header;
use crate::machine::Machine;
use wyrmgate_program::{
    BinderInfo, BinderSize, Local, NONE, SEATS_MAX, Site, SiteMembers, SiteOption, Type,
};

/// Slots of answers of seats that were not asked read as nothing.
pub fn clear(m: &mut Machine, site: &Site) {
    let names = site.options.iter().flat_map(|option| &option.binders);
    let is_number = |name: &BinderInfo| matches!(name.of, Type::Int | Type::Bool);
    let of_names = names.map(|name| if is_number(name) { 0 } else { NONE });
    let of_chosen = site.chosen.iter().map(|_| NONE);
    for ((first, is_list), nothing) in site.answers().zip(of_chosen.chain(of_names)) {
        let (slots, nothing) = match is_list {
            true => (2 * SEATS_MAX as Local, 0),
            false => (SEATS_MAX as Local, nothing),
        };
        for slot in 0..slots {
            m.set_local(first.saturating_add(slot), nothing);
        }
    }
}

/// Makes room for the answers of a seat for each member; returns whether it has a choice for some member.
pub fn begin(m: &mut Machine, site: &Site, members: SiteMembers, seat: i32) -> Result<bool, Halt> {
    let count = looking(m, |eval| {
        eval.set_temp(site.seat_temp, seat);
        eval.value(members.count)
    })?;
    let nothing: ValueList = (0..count).map(|_| NONE).collect();
    for (first, _) in site.answers() {
        let slot = m.slot_at(first.saturating_add(2 * seat as Local));
        m.push_values(&nothing, m.base, slot)?;
    }
    m.set_local(members.at.saturating_add(seat as Local), 0);
    next_member(m, site, members, seat)
}

/// Goes on to the next member for which the seat has a choice; returns whether there is one.
fn next_member(
    m: &mut Machine,
    site: &Site,
    members: SiteMembers,
    seat: i32,
) -> Result<bool, Halt> {
    let at = members.at.saturating_add(seat as Local);
    let count = site.answers().next().map_or(0, |(first, _)| {
        m.local(first.saturating_add(2 * seat as Local + 1))
    });
    for number in m.local(at).saturating_add(1)..=count {
        m.set_local(at, number);
        if has_choice(m, site, seat)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Goes on after an answer; returns whether the seat owes one for another member.
pub fn goes_on(m: &mut Machine, site: &Site, seat: u8) -> Result<bool, Halt> {
    let Some(members) = site.members() else {
        return Ok(false);
    };
    // While it is more than 1, there are answers of which only their seats know.
    let given = m.state.head(header::SECRET).saturating_add(1);
    m.state.set_head(header::SECRET, given);
    next_member(m, site, members, i32::from(seat))
}

/// Puts the values into the slots of the frame; `each`: into those of this seat.
pub fn bind(
    m: &mut Machine,
    site: &Site,
    option: &SiteOption,
    answer: &impl Answer,
    each: Option<u8>,
) -> Result<(), Halt> {
    let seat = each.map_or(0, u16::from);
    if let Some(chosen) = site.chosen {
        put(m, site, chosen.first, seat, i32::from(answer.option()));
    }
    for (name, binder) in option.binders.iter().enumerate() {
        match (binder.count, answer.values(name)) {
            (_, None) => {}
            (BinderSize::One, Some(values)) => {
                let value = values.first().copied().unwrap_or(NONE);
                put(m, site, binder.local, seat, value);
            }
            (_, Some(values)) => {
                let slot = m.slot_at(binder.local.saturating_add(2 * seat));
                m.push_values(values, m.base, slot)?;
            }
        }
    }
    Ok(())
}

/// Stores one value of an answer.
fn put(m: &mut Machine, site: &Site, first: Local, seat: Local, value: i32) {
    let Some(members) = site.members() else {
        return m.set_local(first.saturating_add(seat), value);
    };
    let list = first.saturating_add(2 * seat);
    let (start, count) = (m.local(list), m.local(list.saturating_add(1)));
    let number = m.local(members.at.saturating_add(seat));
    if let (Ok(start), true) = (usize::try_from(start), (1..=count).contains(&number)) {
        m.state
            .set_slot(m.base + start + number as usize - 1, value);
    }
}

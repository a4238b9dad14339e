//! Turning over, showing components, and saying texts.

use crate::chance::Handling;
use crate::event::Event;
use crate::fault::{Fault, Halt};
use crate::holes::filled;
use crate::layout::{FACE_DOWN, SHOWN_SHIFT};
use crate::machine::{Machine, NextAction};
use crate::see;
use crate::viewer::{EVERYBODY, SECRETLY, Viewers};
use wyrmgate_program::{SetId, TextId};

pub fn turn_face(m: &mut Machine, what: SetId, down: bool) -> Result<NextAction, Halt> {
    let mut components = m.gather(what)?;
    let handling = if down {
        Handling::FaceDown
    } else {
        Handling::FaceUp
    };
    if m.wants_events()
        && let Some(others) = m.chance.handled(m.state, handling, &components)
    {
        components = others.into_iter().collect();
    }
    for component in components {
        m.scratch.spend()?;
        if !m.state.is_component(component) || m.state.is_face_down(component) == down {
            continue;
        }
        let wanted = m.wants_events();
        let before = wanted.then(|| see::seen(m.program, m.state, component));
        let flags = m.state.flags(component) ^ FACE_DOWN;
        m.state.set_flags(component, flags);
        m.emit(|m| {
            let mut what = see::seen(m.program, m.state, component);
            what.sight.by |= before.map_or(0, |seen| seen.sight.by);
            Event::Turned {
                what,
                face_down: down,
            }
        })?;
    }
    Ok(NextAction::Go)
}

pub fn show(m: &mut Machine, what: SetId, to: SetId, secretly: bool) -> Result<NextAction, Halt> {
    let components = m.gather(what)?;
    let seats = seats_of(m, to)?;
    if seats == 0 || components.is_empty() {
        return Ok(NextAction::Go);
    }
    for &component in &components {
        m.scratch.spend()?;
        if m.state.is_component(component) {
            let flags = m.state.flags(component) | (seats << SHOWN_SHIFT);
            m.state.set_flags(component, flags);
        }
    }
    m.emit(|m| Event::Shown {
        what: components
            .iter()
            .map(|&component| see::seen(m.program, m.state, component))
            .collect(),
        to: seats as Viewers | if secretly { SECRETLY } else { 0 },
    })?;
    Ok(NextAction::Go)
}

/// Returns the seats of a list, as bits.
pub fn seats_of(m: &mut Machine, set: SetId) -> Result<i32, Halt> {
    let seats = m.state.layout.seats as i32;
    if let Some(only) = m.only_member(set) {
        let seat = m.value(only)?;
        return Ok(if (0..seats).contains(&seat) {
            1 << seat
        } else {
            0
        });
    }
    let members = m.gather(set)?;
    Ok(members
        .into_iter()
        .filter(|seat| (0..seats).contains(seat))
        .fold(0, |mask, seat| mask | (1 << seat)))
}

/// Announces a text. It is built only for observers, so it must count no work.
pub fn say(m: &mut Machine, text: TextId, to: Option<SetId>) -> Result<NextAction, Halt> {
    let to = match to {
        Some(to) => seats_of(m, to)? as u16,
        None => EVERYBODY,
    };
    let mut fault = None;
    m.emit(|m| {
        let filled = filled(m.program, m.state, m.base, text);
        fault = filled.fault;
        Event::Said {
            text,
            holes: filled.holes,
            to,
        }
    })?;
    if let Some(kind) = fault {
        m.tell(|observer, span| observer.untold(Fault { kind, span }));
    }
    Ok(NextAction::Go)
}

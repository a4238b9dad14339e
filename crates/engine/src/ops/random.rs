//! Shuffles and rolls.

use crate::chance::Draw;
use crate::eval::ValueList;
use crate::event::Event;
use crate::fault::Halt;
use crate::machine::{Machine, NextAction};
use crate::rng::{Label, Rng};
use crate::see;
use crate::seen::SeenComponent;
use wyrmgate_program::{ComponentId, ExprId, FieldPlace, Program, SetId, Type};

pub fn shuffle(m: &mut Machine, zone: ExprId) -> Result<NextAction, Halt> {
    m.tell_of_draw();
    let zone = m.value(zone)?;
    if !m.state.is_zone(zone) {
        return Ok(NextAction::Go);
    }
    let before: ValueList = m.state.members(zone).collect();
    for _ in &before {
        m.scratch.spend()?;
    }
    let mut order = before.clone();
    let mut rng = m.next_stream(Label::Shuffle);
    m.chance.shuffle(&mut rng, zone as u16, &mut order);
    let order = if m.chance.is_honest() || is_permutation(&before, &order) {
        order
    } else {
        before
    };
    m.state.lay_shuffled(zone, &order);
    m.emit(|m| {
        let order = order.iter().map(|&c| c as ComponentId).collect();
        match see::holder_of(m.program, zone) {
            Some(holder) => Event::ShuffledInside {
                holder: see::seen(m.program, m.state, holder),
                order,
            },
            None => Event::Shuffled {
                zone: zone as u16,
                order,
            },
        }
    })?;
    Ok(NextAction::Go)
}

fn is_permutation(one: &[i32], other: &[i32]) -> bool {
    let mut one = ValueList::from_slice(one);
    let mut other = ValueList::from_slice(other);
    one.sort_unstable();
    other.sort_unstable();
    one == other
}

pub fn roll(m: &mut Machine, dice: SetId) -> Result<NextAction, Halt> {
    m.tell_of_draw();
    let mut results: Vec<(SeenComponent, i32)> = Vec::new();
    if let Some(die) = m.only_member(dice) {
        let die = m.value(die)?;
        let mut rng = m.next_stream(Label::Roll);
        roll_one(m, &mut rng, die, &mut results)?;
    } else {
        let dice = m.gather(dice)?;
        let mut rng = m.next_stream(Label::Roll);
        for die in dice {
            roll_one(m, &mut rng, die, &mut results)?;
        }
    }
    m.emit(|_| Event::Rolled { dice: results })?;
    Ok(NextAction::Go)
}

fn roll_one(
    m: &mut Machine,
    rng: &mut Rng,
    die: i32,
    results: &mut Vec<(SeenComponent, i32)>,
) -> Result<(), Halt> {
    m.scratch.spend()?;
    let Some((word, faces, of)) = die_of(m.program, die) else {
        return Ok(());
    };
    let sides = faces.len() as u32;
    let what = Draw::Die {
        die: die as ComponentId,
        faces,
        of,
    };
    let side = m.chance.draw(rng, sides, what).min(sides - 1);
    let Some(&value) = faces.get(side as usize) else {
        return Ok(());
    };
    m.state.set_var(word, value);
    if m.wants_events() {
        results.push((see::seen(m.program, m.state, die), value));
    }
    Ok(())
}

/// Returns the word of a die's face, its faces (at least one), and what they are.
pub fn die_of(program: &Program, component: i32) -> Option<(u32, &[i32], Type)> {
    let component = u32::try_from(component).ok()?;
    let kind = program.components.get(component as usize)?.kind;
    let kind = program.kind(kind)?;
    let family = kind.family.and_then(|family| program.kind(family));
    let kind = [Some(kind), family]
        .into_iter()
        .flatten()
        .find(|kind| kind.die.is_some())?;
    let die = kind.die.as_ref()?;
    let field = kind.fields.get(die.field)?;
    let FieldPlace::Changing { offset, first } = field.at else {
        return None;
    };
    let word = offset.checked_add(component.checked_sub(first)?)?;
    (!die.faces.is_empty()).then_some((word, &die.faces, field.of))
}

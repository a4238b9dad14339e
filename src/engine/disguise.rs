//! Another state that one seat cannot tell from this one: for testing that nothing hidden shows.

use smallvec::SmallVec;

use crate::engine::frame;
use crate::engine::layout::header;
use crate::engine::see::{sees, shows_back};
use crate::engine::state::State;
use crate::program::{EffectInfo, FieldPlace, KindInfo, Local, Program, SlotOf, Type};

/// The same state with components that the seat cannot identify in each other's places, wherever they look alike from
/// outside: same family, nothing inside, and the same backs, which do not matter in the depth of a pile, where they
/// cannot be read. `draw(n)` answers a number in `0..n`.
///
/// Components that variables or suspended effects may speak of stay where they are, so that only knowledge differs.
pub fn disguise(
    program: &Program,
    state: &State,
    seat: u8,
    draw: &mut dyn FnMut(u64) -> u64,
) -> State {
    let alike = mixed(program, state, seat, draw, &|component| {
        outside_of(program, state, component)
    });
    mixed(program, &alike, seat, draw, &|component| {
        let unread = !shows_back(program, &alike, component);
        let (family, _) = outside_of(program, &alike, component).filter(|_| unread)?;
        Some((family, Vec::new()))
    })
}

/// The state with hidden components of equal `outside` in each other's places.
fn mixed(
    program: &Program,
    state: &State,
    seat: u8,
    draw: &mut dyn FnMut(u64) -> u64,
    outside: &dyn Fn(i32) -> Option<Outside>,
) -> State {
    let mut groups: Vec<(Outside, Vec<i32>)> = Vec::new();
    for component in 0..state.layout.components as i32 {
        if sees(program, state, seat, component) || is_spoken_of(program, state, component) {
            continue;
        }
        let Some(outside) = outside(component) else {
            continue;
        };
        match groups.iter_mut().find(|(other, _)| *other == outside) {
            Some((_, members)) => members.push(component),
            None => groups.push((outside, vec![component])),
        }
    }
    let mut places: Vec<i32> = (0..state.layout.components as i32).collect();
    for (_, members) in groups {
        let mut mixed = members.clone();
        for i in (1..mixed.len()).rev() {
            mixed.swap(i, draw(i as u64 + 1) as usize % (i + 1));
        }
        for (member, other) in members.iter().zip(mixed) {
            if let Some(place) = places.get_mut(*member as usize) {
                *place = other;
            }
        }
    }
    state.renamed(&places)
}

/// What can be seen of a component without knowing it: its family, and what is on its back.
type Outside = (u16, Vec<(String, Vec<i32>)>);

fn outside_of(program: &Program, state: &State, component: i32) -> Option<Outside> {
    let info = program.components.get(usize::try_from(component).ok()?)?;
    let kind = program.kinds.get(usize::from(info.kind))?;
    if info.holds.is_some() {
        return None;
    }
    let family = kind.family.unwrap_or(info.kind);
    Some((family, backs_of(program, state, kind, component)))
}

fn backs_of(
    program: &Program,
    state: &State,
    kind: &KindInfo,
    component: i32,
) -> Vec<(String, Vec<i32>)> {
    let backs = kind.fields.iter().filter(|field| field.on_back);
    backs
        .map(|field| {
            let value = match field.at {
                FieldPlace::Constant(table) => {
                    let table = program.tables.get(table as usize);
                    let at = component.max(0) as usize;
                    let value = table.and_then(|table| table.get(at)).copied();
                    vec![value.unwrap_or(-1)]
                }
                FieldPlace::ConstantList { starts, members } => {
                    program.listed(starts, members, component).to_vec()
                }
                FieldPlace::Changing { offset, first } => {
                    vec![state.var(offset + (component.max(0) as u32).saturating_sub(first))]
                }
            };
            (field.name.clone(), value)
        })
        .collect()
}

/// What could be seen of a component that is not known: its family, and what is on its back.
pub(crate) type Looks = Outside;

/// `None` for what holds others, and so is known by them.
pub(crate) fn looks_of(program: &Program, state: &State, component: i32) -> Option<Looks> {
    outside_of(program, state, component)
}

/// What of a component's looks cannot change: its family, and the constants on its back. `None` for what holds others.
pub(crate) fn lasting_looks(program: &Program, component: i32) -> Option<Looks> {
    let info = program.components.get(usize::try_from(component).ok()?)?;
    let kind = program.kinds.get(usize::from(info.kind))?;
    if info.holds.is_some() {
        return None;
    }
    let backs = kind.fields.iter().filter(|field| field.on_back);
    let lasting = backs.filter_map(|field| {
        let values = match field.at {
            FieldPlace::Constant(table) => {
                let table = program.tables.get(table as usize);
                let value = table.and_then(|table| table.get(usize::try_from(component).ok()?));
                vec![value.copied().unwrap_or(-1)]
            }
            FieldPlace::ConstantList { starts, members } => {
                program.listed(starts, members, component).to_vec()
            }
            FieldPlace::Changing { .. } => return None,
        };
        Some((field.name.clone(), values))
    });
    Some((kind.family.unwrap_or(info.kind), lasting.collect()))
}

/// What is on the back of a component and can change: values in the order of the fields.
pub(crate) type ChangingBack = SmallVec<[i32; 4]>;

pub(crate) fn changing_back(program: &Program, state: &State, component: i32) -> ChangingBack {
    let info = usize::try_from(component).ok();
    let info = info.and_then(|at| program.components.get(at));
    let kind = info.and_then(|info| program.kinds.get(usize::from(info.kind)));
    let fields = kind.into_iter().flat_map(|kind| &kind.fields);
    let on_back = fields.filter(|field| field.on_back);
    let values = on_back.filter_map(|field| match field.at {
        FieldPlace::Changing { offset, first } => {
            let word = offset + (component.max(0) as u32).saturating_sub(first);
            Some(state.var(word))
        }
        FieldPlace::Constant(_) | FieldPlace::ConstantList { .. } => None,
    });
    values.collect()
}

/// Does a variable, a field or a suspended effect hold the component?
pub(crate) fn is_spoken_of(program: &Program, state: &State, component: i32) -> bool {
    let by_var = program.vars.iter().any(|var| {
        matches!(var.of, Type::Component(_))
            && (0..var.len).any(|word| state.var(var.offset + word) == component)
    });
    let by_field = program.kinds.iter().any(|kind| {
        kind.fields.iter().any(|field| {
            let FieldPlace::Changing { offset, .. } = field.at else {
                return false;
            };
            matches!(field.of, Type::Component(_))
                && (0..kind.count).any(|word| state.var(offset + word) == component)
        })
    });
    by_var || by_field || frames(program, state).any(|frame| frame.speaks_of(component))
}

/// A suspended effect: where its frame begins on the stack, and what it is.
struct Frame<'s> {
    state: &'s State,
    base: usize,
    effect: &'s EffectInfo,
}

/// From the innermost outwards; none where nothing waits for a choice.
fn frames<'s>(program: &'s Program, state: &'s State) -> impl Iterator<Item = Frame<'s>> {
    let frame_at = |base: i32| -> Option<Frame<'s>> {
        let base = usize::try_from(base).ok()?;
        let effect = *state.stack.get(base + frame::EFFECT)?;
        let effect = program.effects.get(usize::try_from(effect).ok()?)?;
        Some(Frame {
            state,
            base,
            effect,
        })
    };
    let waits = state.head(header::SITE) >= 0;
    let innermost = waits.then(|| frame_at(state.head(header::BASE))).flatten();
    std::iter::successors(innermost, move |inner: &Frame<'s>| {
        let caller = *inner.state.stack.get(inner.base + frame::CALLER)?;
        // Callers lie below: a state that says otherwise is damaged, and not followed for ever.
        let is_below = usize::try_from(caller).is_ok_and(|caller| caller < inner.base);
        is_below.then(|| frame_at(caller)).flatten()
    })
}

impl Frame<'_> {
    fn speaks_of(&self, component: i32) -> bool {
        self.effect.of_components.iter().any(|slot| match *slot {
            SlotOf::Component(slot) => self.word(slot) == Some(component),
            SlotOf::Components(slot) => self.members(slot).contains(&component),
        })
    }

    fn word(&self, slot: Local) -> Option<i32> {
        let at = self.base + frame::FRAME_HEADER + usize::from(slot);
        self.state.stack.get(at).copied()
    }

    /// The list whose place two slots say; one that has been given back may name others, and only too many.
    fn members(&self, slot: Local) -> &[i32] {
        let place = |slot| self.word(slot).and_then(|word| usize::try_from(word).ok());
        let (Some(start), Some(len)) = (place(slot), place(slot.saturating_add(1))) else {
            return &[];
        };
        let start = self.base.saturating_add(start);
        let end = start.saturating_add(len).min(self.state.stack.len());
        self.state.stack.get(start..end).unwrap_or_default()
    }
}

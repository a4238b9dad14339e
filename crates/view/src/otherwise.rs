//! The same state with different hidden parts for one viewer, for the search for leaks.
//!
//! Components that look alike to the seat exchange their identities, not only their places: every reference to one of
//! them (a variable, a field, a suspended effect) then refers to the other, and the history of one (its changing
//! fields) becomes that of the other. The result is the state that a different shuffle would have led to, unless the
//! rules have read hidden state in the meantime.

use crate::substitution::{Looks, changing_back, looks_of, put, waiting, words_on_back};
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{State, Viewer, holder_of, identified, reads_back, sees_as, viewers_of_var};
use wyrmgate_program::{BOX, ByNumber, NONE, Program, Type, VarInfo};

/// The maximum amount by which a number is changed.
const NUMBERS: u64 = 9;

/// The parts of a state that a viewer may not know.
#[derive(Debug, Clone, Default)]
pub struct Unknown {
    /// Components that look alike.
    groups: Vec<Vec<i32>>,
    /// Words of variables and of fields.
    words: Vec<HiddenWord>,
}

/// A word that the viewer does not see.
#[derive(Debug, Clone)]
struct HiddenWord {
    offset: u32,
    of: Type,
    /// The faces of a die.
    faces: Vec<i32>,
}

/// Another state.
#[derive(Debug, Clone)]
pub struct Otherwise {
    pub state: State,
    /// By component: which one is in its place there.
    pub names: Vec<i32>,
}

impl Unknown {
    /// Returns what the viewer may not know; the components of `known` stay unchanged.
    pub fn of(program: &Program, state: &State, eyes: Viewer, known: &[bool]) -> Unknown {
        let waits = waiting(program, state);
        let hidden = |component: i32| {
            let at = usize::try_from(component).unwrap_or(usize::MAX);
            known.get(at) != Some(&true)
                && state.zone_of(component) != i32::from(BOX)
                && !sees_as(program, state, eyes, component)
        };
        let all = 0..state.components() as i32;
        let hidden: Vec<i32> = all.filter(|component| hidden(*component)).collect();
        let mut groups: Vec<((bool, Looks), Vec<i32>)> = Vec::new();
        for component in &hidden {
            if waits.contains(component) {
                continue;
            }
            let Some((family, backs)) = looks_of(program, state, *component) else {
                continue;
            };
            let is_read = reads_back(program, state, eyes, *component);
            let backs = if is_read { backs } else { Vec::new() };
            let looks = (is_read && !backs.is_empty(), (family, backs));
            match groups.iter_mut().find(|(other, _)| *other == looks) {
                Some((_, members)) => members.push(*component),
                None => groups.push((looks, vec![*component])),
            }
        }
        let groups = groups
            .into_iter()
            .map(|(_, members)| apart(program, state, members));
        let mut words = words_of_vars(program, state, eyes);
        words.extend(hidden.iter().flat_map(|of| words_of_fields(program, *of)));
        Unknown {
            groups: groups.filter(|members| members.len() > 1).collect(),
            words,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.words.is_empty()
    }

    /// Components that look alike.
    pub fn groups(&self) -> &[Vec<i32>] {
        &self.groups
    }

    /// Exchanges all components.
    pub fn mixed(&self, program: &Program, state: &State, dice: &mut Dice) -> Otherwise {
        let mut names = identity(state);
        for group in &self.groups {
            mix(&mut names, group, dice);
        }
        renamed(program, state, &names)
    }

    /// Exchanges two components.
    pub fn exchanged(&self, program: &Program, state: &State, dice: &mut Dice) -> Otherwise {
        let mut names = identity(state);
        let group = dice.below(self.groups.len() as u64) as usize;
        if let Some(group) = self.groups.get(group) {
            exchange(&mut names, group, dice);
        }
        renamed(program, state, &names)
    }

    /// Changes one word, or all of them.
    pub fn reworded(&self, program: &Program, state: &State, dice: &mut Dice) -> Otherwise {
        let mut other = renamed(program, state, &identity(state));
        let only = dice.below(2 * self.words.len() as u64) as usize;
        for (number, word) in self.words.iter().enumerate() {
            if number == only || only >= self.words.len() {
                self.change(program, &mut other.state, word, dice);
            }
        }
        other
    }

    /// Returns whether there are words that the viewer does not see.
    pub fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    fn change(&self, program: &Program, state: &mut State, word: &HiddenWord, dice: &mut Dice) {
        let value = state.var(word.offset);
        let any = |count: usize, dice: &mut Dice| dice.below(count.max(1) as u64) as i32;
        let other = match word.of {
            _ if !word.faces.is_empty() => {
                let at = dice.below(word.faces.len() as u64) as usize;
                word.faces.get(at).copied().unwrap_or(value)
            }
            Type::Bool => 1 - value.clamp(0, 1),
            Type::Seat => any(program.seats, dice),
            Type::Side => any(program.identity.cells.sides().len(), dice),
            Type::Enum(id) => {
                let info = program.enums.get(usize::from(id));
                any(info.map_or(0, |info| info.values.len()), dice)
            }
            Type::Int | Type::Row(_) | Type::Record(_) | Type::Amounts(_) | Type::Letter => {
                let by = dice.below(NUMBERS) as i32 + 1;
                match dice.below(4) {
                    0 if value >= by => value - by,
                    1 => value.saturating_add(by),
                    2 if value > 0 => value - 1,
                    _ => value.saturating_add(1),
                }
            }
            Type::Component(_) | Type::Zone(_) | Type::Cell => value,
        };
        state.set_var(word.offset, other);
    }
}

/// Returns whether the state contains anything that the viewer may not know.
pub fn hides(program: &Program, state: &State, eyes: Viewer) -> bool {
    let mut components = 0..state.components() as i32;
    let is_hidden = |component: i32| {
        state.zone_of(component) != i32::from(BOX) && !sees_as(program, state, eyes, component)
    };
    components.any(is_hidden) || hidden_vars(program, state, eyes).next().is_some()
}

/// Returns the words of variables that a viewer does not see.
pub(crate) fn hidden_vars<'p>(
    program: &'p Program,
    state: &'p State,
    eyes: Viewer,
) -> impl Iterator<Item = (&'p VarInfo, u32)> {
    let vars = program.vars.iter().enumerate();
    let vars = vars.filter(|(_, var)| !var.internal);
    vars.flat_map(move |(number, var)| {
        let is_seen = move |word| eyes.is_among(viewers_of_var(program, state, number, word));
        let hidden = (0..var.len).filter(move |word| !is_seen(*word));
        hidden.map(move |word| (var, word))
    })
}

fn words_of_vars(program: &Program, state: &State, eyes: Viewer) -> Vec<HiddenWord> {
    let hidden = hidden_vars(program, state, eyes).filter(|(var, _)| can_change(var.of));
    let words = hidden.map(|(var, word)| HiddenWord {
        offset: var.offset + word,
        of: var.of,
        faces: Vec::new(),
    });
    words.collect()
}

/// Returns the members without those inside others. A component cannot contain itself, so of nested holders, only the
/// outer ones are exchanged.
fn apart(program: &Program, state: &State, members: Vec<i32>) -> Vec<i32> {
    let lies_in_another = |component: i32| {
        let mut at = component;
        for _ in 0..=state.components() {
            match holder_of(program, state.zone_of(at)) {
                Some(holder) if members.contains(&holder) => return true,
                Some(holder) => at = holder,
                None => return false,
            }
        }
        true
    };
    let outer = members.iter().filter(|member| !lies_in_another(**member));
    outer.copied().collect()
}

/// Returns whether values of a type can differ. References cannot, because the components to which they refer are
/// exchanged.
fn can_change(of: Type) -> bool {
    !matches!(of, Type::Component(_) | Type::Zone(_) | Type::Cell)
}

fn words_of_fields(program: &Program, component: i32) -> Vec<HiddenWord> {
    let Some(kind) = program.kind_of(component) else {
        return Vec::new();
    };
    let fields = kind.fields.iter().enumerate();
    let words = fields.filter_map(|(number, field)| {
        let offset = field.word_of(component)?;
        let die = kind.die.as_ref().filter(|die| die.field == number);
        (can_change(field.of) && !field.on_back).then(|| HiddenWord {
            offset,
            of: field.of,
            faces: die.map(|die| die.faces.clone()).unwrap_or_default(),
        })
    });
    words.collect()
}

fn identity(state: &State) -> Vec<i32> {
    (0..state.components() as i32).collect()
}

fn mix(names: &mut [i32], group: &[i32], dice: &mut Dice) {
    let mut mixed = group.to_vec();
    dice.mix(&mut mixed);
    for (one, other) in group.iter().zip(mixed) {
        put(names, *one, other);
    }
}

fn exchange(names: &mut [i32], group: &[i32], dice: &mut Dice) {
    let one = dice.below(group.len() as u64) as usize;
    let on = 1 + dice.below(group.len().saturating_sub(1).max(1) as u64) as usize;
    let other = (one + on) % group.len().max(1);
    if let (Some(one), Some(other)) = (group.get(one), group.get(other)) {
        put(names, *one, *other);
        put(names, *other, *one);
    }
}

/// Returns the state in which each component has the identity of another: references to one then refer to the other.
pub fn renamed(program: &Program, state: &State, names: &[i32]) -> Otherwise {
    Otherwise {
        state: identified(program, state, names),
        names: names.to_vec(),
    }
}

/// Gives known components their true backs in another state; unknown ones receive the backs of these in exchange.
/// `None` if no other component can have had such a back.
pub fn take_backs(
    program: &Program,
    state: &mut State,
    truth: &State,
    known: &[bool],
    eyes: Viewer,
) -> Option<()> {
    let is_known = |component: i32| known.at(component) == Some(&true);
    let all = 0..state.components() as i32;
    for component in all.clone().filter(|component| is_known(*component)) {
        let wanted = changing_back(program, truth, component);
        if wanted == changing_back(program, state, component) {
            continue;
        }
        let mut others = all.clone().filter(|other| !is_known(*other));
        let other = others.find(|other| {
            !reads_back(program, state, eyes, *other)
                && changing_back(program, state, *other) == wanted
        })?;
        exchange_backs(program, state, component, other);
    }
    Some(())
}

/// Exchanges the backs of two components.
fn exchange_backs(program: &Program, state: &mut State, one: i32, other: i32) {
    let words = words_on_back(program, one).zip(words_on_back(program, other));
    for (word, there) in words {
        let (here, value) = (state.var(word), state.var(there));
        state.set_var(word, value);
        state.set_var(there, here);
    }
}

/// Returns by component which one is in the same place of the other state.
pub fn names_by_place(state: &State, other: &State) -> Vec<i32> {
    let mut names = vec![NONE; state.components()];
    for zone in 0..state.zones() as i32 {
        for (one, other) in state.members(zone).zip(other.members(zone)) {
            put(&mut names, one, other);
        }
    }
    names
}

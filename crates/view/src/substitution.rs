//! Indistinguishable substitution: another state that one seat cannot tell from this one, to test that nothing hidden
//! shows.
//!
//! **A component that holds others is exchanged like a plain card, together with its contents.** A viewer who may not
//! know which component it is may also not know what it holds, or how much (`see`), so its family and its back are all
//! that is visible. Two cases need care. A component cannot contain itself: two holders of which one contains the other
//! are not exchanged. A component to which something public refers (a variable, a suspended effect) stays where it is,
//! together with everything that contains it.

use smallvec::SmallVec;
use wyrmgate_engine::{BoundValue, Choice, State, holder_of};

use wyrmgate_engine::frame;
use wyrmgate_engine::layout::header;
use wyrmgate_program::{
    ByNumber, EffectInfo, FieldInfo, FieldPlace, Local, NONE, Program, Refers, SiteId, SlotOf, Type,
};

/// Components that change places, two at a time, each with its contents.
pub(crate) struct Exchange<'a> {
    program: &'a Program,
    state: &'a State,
    /// By component: the component that is now in its place.
    names: Vec<i32>,
    /// By component: the component whose place it has now.
    places: Vec<i32>,
}

impl<'a> Exchange<'a> {
    pub fn new(program: &'a Program, state: &'a State) -> Exchange<'a> {
        let all: Vec<i32> = (0..state.components() as i32).collect();
        Exchange {
            program,
            state,
            names: all.clone(),
            places: all,
        }
    }

    /// Exchanges two components; does nothing if one of them contains the other.
    pub fn swap(&mut self, one: i32, other: i32) {
        if one == other || self.lies_in(one, other) || self.lies_in(other, one) {
            return;
        }
        let (one_place, other_place) = (at(&self.places, one), at(&self.places, other));
        put(&mut self.places, one, other_place);
        put(&mut self.places, other, one_place);
        put(&mut self.names, one_place, other);
        put(&mut self.names, other_place, one);
    }

    /// Returns whether the other component contains this one, however deep.
    fn lies_in(&self, component: i32, other: i32) -> bool {
        // A component that holds nothing is never in the way; this is the common case.
        if self.program.holds(other).is_none() {
            return false;
        }
        let mut component = component;
        for _ in 0..=self.state.components() {
            let zone = self.state.zone_of(at(&self.places, component));
            match holder_of(self.program, zone) {
                Some(holder) if holder == other => return true,
                Some(holder) => component = holder,
                None => return false,
            }
        }
        true
    }

    /// Exchanges the component in a place with another one.
    pub fn put(&mut self, place: i32, component: i32) {
        self.swap(at(&self.names, place), component);
    }

    /// Returns by component of the state which one is in its place.
    pub fn names(&self) -> &[i32] {
        &self.names
    }
}

fn at(list: &[i32], component: i32) -> i32 {
    list.at(component).copied().unwrap_or(NONE)
}

pub(crate) fn put(list: &mut [i32], component: i32, value: i32) {
    if let Some(place) = list.at_mut(component) {
        *place = value;
    }
}

/// Renames the components in a choice at a site. The zone in a component becomes the zone in the one with the new name.
pub fn rename_choice(
    program: &Program,
    site: SiteId,
    choice: &mut Choice,
    name: &mut dyn FnMut(i32) -> i32,
) {
    let option = program.option(site, choice.option);
    let binders = option.into_iter().flat_map(|option| &option.binders);
    for (arg, binder) in choice.args.iter_mut().zip(binders) {
        let mut rename = |value: &mut i32| match binder.of.refers() {
            Refers::ToComponent => *value = name(*value),
            Refers::ToZone => {
                let holder = holder_of(program, *value);
                let renamed = holder.and_then(|holder| program.holds(name(holder)));
                *value = renamed.map_or(*value, i32::from);
            }
            Refers::ToNothing => {}
        };
        match arg {
            BoundValue::One(value) => rename(value),
            BoundValue::Many(values) => values.iter_mut().for_each(rename),
        }
    }
}

/// The visible part of an unknown component: its family, and its back.
pub type Looks = (u16, Vec<(String, Vec<i32>)>);

/// Returns what is visible of an unknown component.
pub fn looks_of(program: &Program, state: &State, component: i32) -> Option<Looks> {
    looks(program, component, |field| {
        Some(values_of(program, state, field, component))
    })
}

/// Returns the constant part of a component's looks: its family, and the constants on its back.
pub fn lasting_looks(program: &Program, component: i32) -> Option<Looks> {
    looks(program, component, |field| {
        constants_of(program, field, component)
    })
}

fn looks(
    program: &Program,
    component: i32,
    values: impl Fn(&FieldInfo) -> Option<Vec<i32>>,
) -> Option<Looks> {
    let info = program.component(component)?;
    let kind = program.kind(info.kind)?;
    let backs = kind.fields.iter().filter(|field| field.on_back);
    let backs = backs.filter_map(|field| Some((field.name.clone(), values(field)?)));
    Some((kind.family.unwrap_or(info.kind), backs.collect()))
}

/// Everything about a component except its name: two with equal essence can replace each other.
pub(crate) type Essence = (u16, Vec<Vec<i32>>, Option<i32>);

pub(crate) fn essence_of(program: &Program, state: &State, component: i32) -> Option<Essence> {
    let info = program.component(component)?;
    let kind = program.kind(info.kind)?;
    let fields = kind.fields.iter();
    let values = fields.map(|field| values_of(program, state, field, component));
    let filled = program.holds(component).map(i32::from);
    let filled = filled.filter(|zone| state.zone_count(*zone) > 0);
    Some((info.kind, values.collect(), filled))
}

fn values_of(program: &Program, state: &State, field: &FieldInfo, component: i32) -> Vec<i32> {
    let changing = || field.word_of(component).map(|word| state.var(word));
    let constants = constants_of(program, field, component);
    constants.unwrap_or_else(|| changing().into_iter().collect())
}

/// Returns the values of a field that never change.
fn constants_of(program: &Program, field: &FieldInfo, component: i32) -> Option<Vec<i32>> {
    match field.at {
        FieldPlace::Constant(table) => Some(vec![program.constant(table, component)]),
        FieldPlace::ConstantList { starts, members } => {
            Some(program.listed(starts, members, component).to_vec())
        }
        FieldPlace::Changing { .. } => None,
    }
}

/// The changing part of a component's back: values in the order of the fields.
pub type ChangingBack = SmallVec<[i32; 4]>;

pub fn changing_back(program: &Program, state: &State, component: i32) -> ChangingBack {
    let words = words_on_back(program, component);
    words.map(|word| state.var(word)).collect()
}

/// Returns the words of the changing part of a component's back.
pub(crate) fn words_on_back(program: &Program, component: i32) -> impl Iterator<Item = u32> {
    let kind = program.kind_of(component);
    let fields = kind.into_iter().flat_map(|kind| &kind.fields);
    let on_back = fields.filter(|field| field.on_back);
    on_back.filter_map(move |field| field.word_of(component))
}

/// Returns by component whether a variable, a field or a suspended effect refers to it, to the zone in it, or to
/// anything in it.
pub(crate) fn spoken_of(program: &Program, state: &State) -> Vec<bool> {
    let mut spoken = vec![false; state.components()];
    let mut speak = |value: i32, of: Type| match of.refers() {
        Refers::ToComponent => speak_of(program, state, &mut spoken, value),
        Refers::ToZone => {
            if let Some(holder) = holder_of(program, value) {
                speak_of(program, state, &mut spoken, holder);
            }
        }
        Refers::ToNothing => {}
    };
    for var in &program.vars {
        for word in 0..var.len {
            speak(state.var(var.offset + word), var.of);
        }
    }
    for kind in &program.kinds {
        for field in &kind.fields {
            if let FieldPlace::Changing { offset, first } = field.at {
                let own = offset + kind.first.saturating_sub(first);
                for word in own..own + kind.count {
                    speak(state.var(word), field.of);
                }
            }
        }
    }
    let mut told: SmallVec<[(i32, Type); 8]> = SmallVec::new();
    for frame in frames(program, state) {
        frame.speaks_of(&mut |value, of| told.push((value, of)));
    }
    for (value, of) in told {
        speak(value, of);
    }
    spoken
}

/// Marks the component and everything that contains it.
fn speak_of(program: &Program, state: &State, spoken: &mut [bool], component: i32) {
    let mut component = component;
    while let Ok(at) = usize::try_from(component)
        && let Some(is_spoken_of) = spoken.get_mut(at)
        && !std::mem::replace(is_spoken_of, true)
    {
        component = holder_of(program, state.zone_of(component)).unwrap_or(NONE);
    }
}

const COMPONENT: Type = Type::Component(None);
const ZONE: Type = Type::Zone(None);

/// A suspended effect: where its frame begins on the stack, and which effect it is.
struct Frame<'s> {
    state: &'s State,
    base: usize,
    effect: &'s EffectInfo,
}

/// Returns the frames from the innermost outward; none unless the game is suspended.
fn frames<'s>(program: &'s Program, state: &'s State) -> impl Iterator<Item = Frame<'s>> {
    let frame_at = |base: i32| -> Option<Frame<'s>> {
        let base = usize::try_from(base).ok()?;
        let effect = *state.stack().get(base + frame::EFFECT)?;
        let effect = program.effects.at(effect)?;
        Some(Frame {
            state,
            base,
            effect,
        })
    };
    let waits = state.head(header::SITE) >= 0;
    let innermost = waits.then(|| frame_at(state.head(header::BASE))).flatten();
    std::iter::successors(innermost, move |inner: &Frame<'s>| {
        let caller = *inner.state.stack().get(inner.base + frame::CALLER)?;
        // Callers lie below: a state that says otherwise is damaged, and not followed for ever.
        let is_below = usize::try_from(caller).is_ok_and(|caller| caller < inner.base);
        is_below.then(|| frame_at(caller)).flatten()
    })
}

/// Returns components to which suspended effects may refer. A slot can contain something else meanwhile, so these stay
/// unchanged.
pub(crate) fn waiting(program: &Program, state: &State) -> Vec<i32> {
    let mut waiting = Vec::new();
    for frame in frames(program, state) {
        // The contents of a component move with it, so zones do not matter.
        frame.speaks_of(&mut |value, of| waiting.extend((of == COMPONENT).then_some(value)));
    }
    waiting
}

impl Frame<'_> {
    fn speaks_of(&self, speak: &mut dyn FnMut(i32, Type)) {
        for slot in &self.effect.of_components {
            match *slot {
                SlotOf::Component(slot) => speak(self.word(slot).unwrap_or(NONE), COMPONENT),
                SlotOf::Zone(slot) => speak(self.word(slot).unwrap_or(NONE), ZONE),
                SlotOf::Components(slot) => {
                    let members = self.members(slot).iter();
                    members.for_each(|member| speak(*member, COMPONENT));
                }
                SlotOf::Zones(slot) => {
                    let members = self.members(slot).iter();
                    members.for_each(|member| speak(*member, ZONE));
                }
            }
        }
    }

    fn word(&self, slot: Local) -> Option<i32> {
        let at = self.base + frame::FRAME_HEADER + usize::from(slot);
        self.state.stack().get(at).copied()
    }

    /// Returns the list to which two slots refer; a freed list may contain others, but only too many.
    fn members(&self, slot: Local) -> &[i32] {
        let place = |slot| self.word(slot).and_then(|word| usize::try_from(word).ok());
        let (Some(start), Some(len)) = (place(slot), place(slot.saturating_add(1))) else {
            return &[];
        };
        let start = self.base.saturating_add(start);
        let end = start.saturating_add(len).min(self.state.stack().len());
        self.state.stack().get(start..end).unwrap_or_default()
    }
}

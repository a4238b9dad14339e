//! The names that are visible at a place in an effect or query, and their slots and temps.

use std::collections::BTreeSet;

use crate::names::types::Ty;
use wyrmgate_program::{ExprId, Local, NamedSlot, SEATS_MAX, SlotOf, Temp, Type};

/// Where a local name's value is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Binding {
    Temp(Temp, Ty),
    Local(Local, Ty),
    /// A list with room for more members, which the effect changes.
    Growing(Local, Ty),
    /// Answers of a simultaneous choice: `c[p]`.
    BySeat(Local, Ty),
    /// An alias of an expression.
    Alias(ExprId, Ty),
    /// Its declaration has a mistake that was reported, so its uses are not checked.
    Failed,
    /// A record, or a list of records, whose parts have names of their own.
    Parts,
}

impl Binding {
    /// Returns the type of what has the name.
    pub fn ty(self) -> Option<Ty> {
        match self {
            Binding::Temp(_, ty)
            | Binding::Local(_, ty)
            | Binding::Growing(_, ty)
            | Binding::Alias(_, ty) => Some(ty),
            Binding::BySeat(..) | Binding::Failed | Binding::Parts => None,
        }
    }
}

/// Names in scope, innermost last, and the number of used slots and temps.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    names: Vec<(String, Binding)>,
    /// Names whose block has ended.
    ended: BTreeSet<String>,
    /// The meanings of `it`, innermost last.
    its: Vec<(Temp, Ty)>,
    next_temp: Temp,
    pub temps_max: Temp,
    next_local: Local,
    pub locals_max: Local,
    /// In a condition of a list from which a seat chooses several: the member that the condition tests.
    pub one_of_many: Option<OneOfMany>,
    /// The name of the members in a condition on all of them together.
    pub selection: Option<String>,
    /// Slots that refer to a component, or a list of components, at some time.
    pub of_components: BTreeSet<SlotOf>,
}

/// One of several members that a seat chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneOfMany {
    pub temp: Temp,
    /// The condition uses it as a list, so it is about all of them.
    pub used_as_list: bool,
    /// It is a zone, and the condition uses what lies in it; if that makes no sense, the condition is about all of them.
    pub is_zone_of_things: bool,
}

/// A state of the scope to return to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    names: usize,
    its: usize,
    temp: Temp,
    local: Local,
}

/// Names hidden by [`Scope::hide_names`].
#[derive(Debug)]
pub struct Hidden {
    names: Vec<(String, Binding)>,
    its: Vec<(Temp, Ty)>,
}

impl Scope {
    pub fn mark(&self) -> Mark {
        Mark {
            names: self.names.len(),
            its: self.its.len(),
            temp: self.next_temp,
            local: self.next_local,
        }
    }

    pub fn reset(&mut self, mark: Mark) {
        self.reset_but_locals(mark);
        self.next_local = mark.local;
    }

    /// Names from here on end, and are remembered for advice.
    fn end_names(&mut self, first: usize) {
        let first = first.min(self.names.len());
        let ended = self.names.drain(first..).map(|(name, _)| name);
        self.ended.extend(ended.filter(|name| !name.is_empty()));
    }

    /// Returns whether something above in this effect or query had this name.
    pub fn has_ended(&self, name: &str) -> bool {
        self.ended.contains(name)
    }

    /// Ends names and slots, and keeps the temps in use: a list is evaluated member by member, so the temps that it binds
    /// must outlive its translation.
    pub fn reset_but_temps(&mut self, mark: Mark) {
        self.end_names(mark.names);
        self.its.truncate(mark.its);
        self.next_local = mark.local;
    }

    /// Ends the temps of a statement, and keeps its names and slots.
    pub fn give_back_temps(&mut self, mark: Mark) {
        self.its.truncate(mark.its);
        self.next_temp = mark.temp;
    }

    /// Ends names and temps, and keeps slots: they hold the answers of a choice.
    pub fn reset_but_locals(&mut self, mark: Mark) {
        self.end_names(mark.names);
        self.give_back_temps(mark);
    }

    pub fn temp(&mut self, ty: Ty) -> Temp {
        let temp = self.next_temp;
        self.next_temp += if ty.list { 2 } else { 1 };
        self.temps_max = self.temps_max.max(self.next_temp);
        temp
    }

    /// Returns a temp that no expression uses so far, for one that contains finished expressions.
    pub fn fresh_temp(&mut self, ty: Ty) -> Temp {
        self.skip_used_temps();
        self.temp(ty)
    }

    /// From here on, temps are none that a finished expression uses: it is evaluated while they are bound.
    pub fn skip_used_temps(&mut self) {
        self.next_temp = self.temps_max;
    }

    pub fn local(&mut self, ty: Ty) -> Local {
        self.typed(1, ty)
    }

    pub fn locals_by_seat(&mut self, ty: Ty) -> Local {
        self.typed(SEATS_MAX as Local, ty)
    }

    fn typed(&mut self, count: Local, ty: Ty) -> Local {
        let width = if ty.list { 2 } else { 1 };
        let first = self.locals(count * width);
        self.note_components(first, count, ty);
        first
    }

    /// Notes which slots refer to components or zones.
    fn note_components(&mut self, first: Local, count: Local, ty: Ty) {
        let width = if ty.list { 2 } else { 1 };
        let slot_of: Option<fn(Local) -> SlotOf> = match (ty.of, ty.list) {
            (Some(Type::Component(_)), true) => Some(SlotOf::Components),
            (Some(Type::Component(_)), false) => Some(SlotOf::Component),
            (Some(Type::Zone(_)), true) => Some(SlotOf::Zones),
            (Some(Type::Zone(_)), false) => Some(SlotOf::Zone),
            _ => None,
        };
        if let Some(slot_of) = slot_of {
            let slots = (0..count).map(|number| first + number * width);
            self.of_components.extend(slots.map(slot_of));
        }
    }

    /// States the type of a list whose first members have just been found.
    pub fn retype(&mut self, name: &str, ty: Ty) {
        let mut names = self.names.iter_mut().rev();
        if let Some((_, Binding::Growing(slot, known))) = names.find(|(n, _)| n == name) {
            *known = ty;
            let slot = *slot;
            self.note_components(slot, 1, ty);
        }
    }

    fn locals(&mut self, count: Local) -> Local {
        let local = self.next_local;
        self.next_local += count;
        self.locals_max = self.locals_max.max(self.next_local);
        local
    }

    /// Returns the slots of names and helpers that are in use.
    pub fn locals_in_scope(&self) -> Local {
        self.next_local
    }

    pub fn bind(&mut self, name: &str, binding: Binding) {
        self.names.push((name.to_string(), binding));
    }

    /// Returns the names whose values lie in slots, outermost first.
    pub fn named_slots(&self) -> Vec<NamedSlot> {
        let named = |(name, binding): &(String, Binding)| {
            let (slot, ty, by_seat) = match *binding {
                Binding::Local(slot, ty) | Binding::Growing(slot, ty) => (slot, ty, false),
                Binding::BySeat(slot, ty) => (slot, ty, true),
                Binding::Temp(..) | Binding::Alias(..) | Binding::Failed | Binding::Parts => {
                    return None;
                }
            };
            Some(NamedSlot {
                name: name.clone(),
                slot,
                of: ty.of?,
                is_list: ty.list,
                by_seat,
            })
        };
        self.names.iter().filter_map(named).collect()
    }

    /// Returns a scope with the names that [`Scope::named_slots`] lists.
    pub fn of_slots(names: &[NamedSlot]) -> Scope {
        let mut scope = Scope::default();
        for named in names {
            let ty = Ty {
                of: Some(named.of),
                list: named.is_list,
            };
            let binding = match named.by_seat {
                false => Binding::Local(named.slot, ty),
                true => Binding::BySeat(named.slot, ty),
            };
            scope.bind(&named.name, binding);
        }
        scope
    }

    pub fn find(&self, name: &str) -> Option<Binding> {
        let mut names = self.names.iter().rev();
        let found = names.find(|(known, _)| known == name || part_of(known, name).is_some())?;
        Some(match part_of(&found.0, name) {
            Some(_) => Binding::Parts,
            None => found.1,
        })
    }

    /// Returns the parts of the record with this name, in their order.
    pub fn parts(&self, name: &str) -> Vec<(String, Binding)> {
        let part = |(known, binding): &(String, Binding)| {
            Some((part_of(known, name)?.to_owned(), *binding))
        };
        let names = self.names.iter().rev();
        let mut found: Vec<(String, Binding)> = Vec::new();
        for own in names
            .map(part)
            .skip_while(Option::is_none)
            .map_while(|own| own)
        {
            if found.iter().any(|(known, _)| *known == own.0) {
                break; // a record with the same name, further out
            }
            found.insert(0, own);
        }
        found
    }

    pub fn push_it(&mut self, temp: Temp, of: Option<Type>) {
        self.its.push((temp, Ty::one(of)));
    }

    pub fn it(&self) -> Option<(Temp, Ty)> {
        self.its.last().copied()
    }

    /// Returns the types of `it` in the lists around the innermost one.
    pub fn outer_its(&self) -> impl Iterator<Item = Ty> {
        self.its.iter().rev().skip(1).map(|(_, ty)| *ty)
    }

    /// Hides all names, because the caller's names are not visible inside an inlined query.
    pub fn hide_names(&mut self) -> Hidden {
        Hidden {
            names: std::mem::take(&mut self.names),
            its: std::mem::take(&mut self.its),
        }
    }

    pub fn show_names(&mut self, hidden: Hidden) {
        self.names = hidden.names;
        self.its = hidden.its;
    }

    /// Returns the names in scope with their meanings, innermost last.
    pub fn bindings(&self) -> impl Iterator<Item = (&str, Binding)> {
        self.names
            .iter()
            .map(|(name, binding)| (name.as_str(), *binding))
    }

    pub fn names(&self) -> Vec<String> {
        self.names.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// Returns the name of the part, if `name` is a part of the record with the name `of`.
fn part_of<'n>(name: &'n str, of: &str) -> Option<&'n str> {
    name.strip_prefix(of)?.strip_prefix('.')
}

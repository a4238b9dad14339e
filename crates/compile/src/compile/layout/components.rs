//! Kinds and their components.

use hashbrown::{HashMap, HashSet};

use super::contents::Beginning;
use super::{COMPONENTS_MAX, Layout, combination, merged, on_back, scope_of};
use crate::compile::constants::eval::Keys;
use crate::names::declaration::*;
use crate::names::world::*;
use wyrmgate_lang::definition::*;
use wyrmgate_program::*;

/// The components of one kind, which have consecutive numbers.
pub(super) struct ComponentsOfKind<'a> {
    pub id: KindId,
    /// The declaration of the family and its own, outermost first.
    pub defs: &'a [&'a ComponentDef],
    pub keys: &'a [KeyDecl],
    /// The fields that stay visible when a component is hidden.
    pub on_back: HashSet<&'a str>,
    /// The number of the first component.
    pub first: usize,
    pub rows: Vec<Row>,
}

/// What distinguishes a component from the others of its kind.
pub(super) struct Row {
    /// The values of its keys.
    pub keys: Vec<i32>,
    /// The number of the copy among components with the same keys.
    copy: i32,
}

impl ComponentsOfKind<'_> {
    /// Returns the keys of each component with their names.
    pub fn scopes(&self) -> Vec<Keys> {
        let rows = self.rows.iter();
        rows.map(|row| scope_of(self.keys, &row.keys)).collect()
    }
}

/// The values from which the number of a component is looked up.
struct KeyRange {
    low: i32,
    size: i32,
    of: Type,
}

impl KeyRange {
    fn of(key: &KeyDecl) -> KeyRange {
        let low = key.values.iter().copied().min().unwrap_or(0);
        let high = key.values.iter().copied().max().unwrap_or(-1);
        KeyRange {
            low,
            size: (high - low + 1).max(0),
            of: key.of,
        }
    }
}

impl Layout<'_> {
    fn has_copies(&self, kind: KindId) -> bool {
        let kind = self.b.program.kind(kind);
        kind.is_some_and(|kind| kind.has_copies)
    }

    pub(super) fn component_family<'d>(
        &mut self,
        def: &'d ComponentDef,
        beginnings: &mut Vec<Beginning<'d>>,
    ) {
        let id = self.declare_kind(def, None);
        let first = self.b.program.components.len() as u32;
        if def.kinds.is_empty() {
            self.one_kind(id, &[def], beginnings);
        }
        for kind in &def.kinds {
            if self.report.is_full() {
                return;
            }
            let kind_id = self.declare_kind(kind, Some(id));
            self.one_kind(kind_id, &[def, kind], beginnings);
            for deeper in &kind.kinds {
                let message = format!("`{}` is a kind within a kind", deeper.name.text);
                let help = "kinds are one level deep: list them all under the family's `kinds:`";
                self.report
                    .error("kinds-too-deep", deeper.name.span, message, help);
            }
        }
        let count = self.b.program.components.len() as u32 - first;
        self.set_components(id, first, count);
        self.changing_fields(id, def);
        for kind in &def.kinds {
            if let Some(Symbol::Kind(kind_id)) = self.world.declared(&kind.name.text) {
                self.changing_fields(kind_id, kind);
            }
        }
        self.check_fields(id, def);
    }

    /// Records which components are of a kind.
    fn set_components(&mut self, id: KindId, first: u32, count: u32) {
        if let Some(kind) = self.world.kinds.get_mut(usize::from(id)) {
            (kind.first, kind.count) = (first, count);
        }
        if let Some(kind) = self.b.program.kinds.get_mut(usize::from(id)) {
            (kind.first, kind.count) = (first, count);
        }
    }

    fn declare_kind(&mut self, def: &ComponentDef, family: Option<KindId>) -> KindId {
        let id = self.world.kinds.len() as KindId;
        let name = def.name.text.clone();
        let plural = def.plural_name();
        self.world.kinds.push(KindDecl {
            name: name.clone(),
            plural: plural.text.clone(),
            family,
            ..KindDecl::default()
        });
        self.b.program.kinds.push(KindInfo {
            name: name.clone(),
            title: self.translations.title(&def.title, &name),
            text: self.translations.text(&def.text.text),
            family,
            first: 0,
            count: 0,
            fields: Vec::new(),
            die: None,
            has_copies: def.copies.is_some()
                || family.is_some_and(|family| self.has_copies(family)),
            alike: false,
        });
        self.world.declare(&def.name, Symbol::Kind(id), self.report);
        if def.plural.is_none() && self.world.declared(&plural.text).is_some() {
            let message = format!(
                "`{}`, the plural of `{name}`, is already declared",
                plural.text
            );
            let help = "choose another plural: `plural: …`";
            self.report
                .error("duplicate-name", plural.span, message, help);
        } else {
            self.world.declare(&plural, Symbol::Plural(id), self.report);
        }
        id
    }

    /// Creates the components of a kind; `defs` are the family's and its own declaration, outermost first.
    fn one_kind<'d>(
        &mut self,
        id: KindId,
        defs: &[&'d ComponentDef],
        beginnings: &mut Vec<Beginning<'d>>,
    ) {
        let keys = self.key_domains(&merged(defs, |def| &def.each));
        let first = self.b.program.components.len();
        let of_kind = ComponentsOfKind {
            id,
            defs,
            keys: &keys,
            on_back: on_back(defs),
            first,
            rows: self.rows(defs, &keys).unwrap_or_default(),
        };
        self.name_components(&of_kind);
        self.set_components(id, first as u32, of_kind.rows.len() as u32);
        self.key_fields(&of_kind);
        let fields = self.constant_fields(&of_kind);
        self.components_by_keys(&of_kind);
        let starts_in = defs.iter().rev().find_map(|def| def.starts_in.as_ref());
        beginnings.extend(starts_in.map(|starts_in| Beginning {
            kind: id,
            starts_in,
            first,
            scopes: fields.scopes_of(starts_in),
        }));
    }

    fn rows(&mut self, defs: &[&ComponentDef], keys: &[KeyDecl]) -> Option<Vec<Row>> {
        let name = &defs.last()?.name;
        let room = COMPONENTS_MAX.saturating_sub(self.b.program.components.len());
        // An `if` can omit combinations, so there may be more of them than components.
        let Some(combinations) = self.combinations(keys, 4 * COMPONENTS_MAX) else {
            self.limit(name, "components", COMPONENTS_MAX);
            return None;
        };
        let combinations = (0..combinations).map(|place| combination(keys, place));
        let combinations: Vec<Vec<i32>> = combinations.collect();
        let mut rows = Vec::new();
        for (values, copies) in combinations
            .iter()
            .zip(self.copies(defs, keys, &combinations))
        {
            if rows.len() + copies > room {
                self.limit(name, "components", COMPONENTS_MAX);
                return None;
            }
            rows.extend((1..=copies as i32).map(|copy| Row {
                keys: values.clone(),
                copy,
            }));
        }
        Some(rows)
    }

    /// Returns how many components there are of each combination of the keys.
    fn copies(
        &mut self,
        defs: &[&ComponentDef],
        keys: &[KeyDecl],
        combinations: &[Vec<i32>],
    ) -> Vec<usize> {
        let scopes = combinations.iter().map(|values| scope_of(keys, values));
        let scopes: Vec<Keys> = scopes.collect();
        let copies = defs.iter().rev().find_map(|def| def.copies.as_ref());
        let mut copies = match copies {
            Some(copies) => self.amounts(copies, &scopes, "a number of copies"),
            None => vec![1; scopes.len()],
        };
        for condition in defs.iter().filter_map(|def| def.condition.as_ref()) {
            let exists = self.evaluator().each(condition, &scopes, Type::Bool);
            for (copies, exists) in copies.iter_mut().zip(exists) {
                *copies *= usize::from(exists == 1);
            }
        }
        copies
    }

    fn name_components(&mut self, of_kind: &ComponentsOfKind<'_>) {
        let (id, keys, rows) = (of_kind.id, of_kind.keys, &of_kind.rows);
        let names = rows
            .iter()
            .map(|row| self.name_with_keys(&self.world.kind(id).name, keys, &row.keys));
        let names: Vec<String> = names.collect();
        let mut totals: HashMap<&str, usize> = HashMap::new();
        for name in &names {
            *totals.entry(name).or_default() += 1;
        }
        let mut named: HashMap<&str, usize> = HashMap::new();
        for (name, row) in names.iter().zip(rows) {
            let number = named.entry(name).or_default();
            *number += 1;
            let full = match totals.get(&**name) {
                Some(2..) => format!("{name}-{number}"),
                _ => name.clone(),
            };
            let title = self.keys_title(keys, &row.keys);
            self.b.program.components.push(ComponentInfo {
                kind: id,
                naming: ProgramName::new(full, title),
                holds: None,
                starts_in: BOX,
            });
        }
    }

    /// `dragon(red, 3)` and `ice(2)`: keys in order, then the copy's number (default 1).
    fn components_by_keys(&mut self, of_kind: &ComponentsOfKind<'_>) {
        let ComponentsOfKind {
            defs, keys, rows, ..
        } = of_kind;
        let mut all: Vec<KeyRange> = keys.iter().map(KeyRange::of).collect();
        let copies = rows.iter().map(|row| row.copy).max().unwrap_or(1);
        if copies > 1 || defs.iter().any(|def| def.copies.is_some()) {
            all.push(KeyRange {
                low: 1,
                size: copies,
                of: Type::Int,
            });
        }
        let size: i64 = all.iter().map(|key| i64::from(key.size)).product();
        if size > COMPONENTS_MAX as i64 * 4 {
            return;
        }
        let mut table = vec![NONE; size as usize];
        for (component, row) in (of_kind.first..).zip(rows) {
            let values = row.keys.iter().copied().chain([row.copy]);
            let place = all
                .iter()
                .zip(values)
                .fold(0, |at, (key, value)| at * key.size + (value - key.low));
            if let Some(slot) = table.get_mut(place as usize).filter(|slot| **slot == NONE) {
                *slot = component as i32;
            }
        }
        let sizes = all.iter().flat_map(|key| [key.low, key.size]).collect();
        let by_keys = KeysDecl {
            types: all.iter().map(|key| key.of).collect(),
            sizes: self.b.table(sizes),
            table: self.b.table(table),
        };
        if let Some(kind) = self.world.kinds.get_mut(usize::from(of_kind.id)) {
            kind.by_keys = Some(by_keys);
        }
    }
}

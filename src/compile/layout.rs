//! Lays out what exists: enums, constants, zones, components, variables — numbers for names, offsets for values.

use std::collections::BTreeMap;

use super::builder::Builder;
use super::setup::Setup;
use crate::check::constant::Constant;
use crate::check::eval::{Evaluator, Keys};
use crate::check::types::default_of;
use crate::check::world::*;
use crate::diagnostic::{Diagnostic, Report};
use crate::lang::ast::{Expr, ExprKind, Name};
use crate::lang::definition::*;
use crate::program::*;

/// Limits of what a game may contain; each has its diagnostic.
pub const ZONES_MAX: usize = 2_048;
pub const COMPONENTS_MAX: usize = 4_096;
pub const VAR_WORDS_MAX: usize = 16_384;

/// Fills the world and the declaring half of the program.
pub struct Layout<'a> {
    pub def: &'a Definition,
    pub setup: &'a Setup,
    pub world: World,
    pub b: Builder,
    pub report: &'a mut Report,
    words: u32,
}

impl<'a> Layout<'a> {
    pub fn new(def: &'a Definition, setup: &'a Setup, report: &'a mut Report) -> Self {
        let world = World::new(setup.seats);
        let mut b = Builder::default();
        b.program.seats = setup.seats;
        b.program.game = def.name.text.clone();
        b.program.bound = def.bound.map_or(DEFAULT_BOUND, |(bound, _)| bound);
        b.program.texts = Texts {
            title: localised(&def.title),
            about: localised(&def.about),
        };
        Layout {
            def,
            setup,
            world,
            b,
            report,
            words: 0,
        }
    }

    /// Everything but what the texts of `see` and effects mean.
    pub fn run(&mut self) {
        self.clauses();
        self.enums();
        self.options();
        self.data();
        self.zones();
        self.components();
        self.variables();
    }

    fn eval(&mut self, expr: &Expr, keys: &Keys, wanted: Option<Type>) -> Constant {
        Evaluator {
            world: &self.world,
            report: self.report,
        }
        .eval(expr, keys, wanted)
    }

    fn clauses(&mut self) {
        for clause in &self.def.clauses {
            let id = clause.id.text.clone();
            self.b.program.clauses.push(ClauseInfo {
                id,
                text: localised(&clause.text),
            });
        }
    }

    // ---- types, options, data

    fn enums(&mut self) {
        // enum 0 collects the names of phases as they are met
        self.add_enum("phase", Vec::new(), Vec::new());
        for decl in &self.def.types {
            let values = decl.values.iter().map(|v| v.text.clone()).collect();
            let titles = decl.titles.iter().map(localised).collect();
            let id = self.add_enum(&decl.name.text, values, titles);
            self.world
                .declare(&decl.name, Symbol::Enum(id), self.report);
        }
    }

    fn add_enum(&mut self, name: &str, values: Vec<String>, titles: Vec<Localised>) -> EnumId {
        self.world.enums.push(EnumDecl {
            name: name.into(),
            values: values.clone(),
        });
        self.b.program.enums.push(EnumInfo {
            name: name.into(),
            values,
            titles,
        });
        self.world.enums.len() as EnumId - 1
    }

    fn options(&mut self) {
        for option in &self.def.options {
            let of = match &option.of {
                OptionType::Bool => Type::Bool,
                OptionType::Range { .. } => Type::Int,
                OptionType::OneOf(values) => {
                    let values = values.iter().map(|v| v.text.clone()).collect();
                    Type::Enum(self.add_enum(&option.name.text, values, Vec::new()))
                }
            };
            let default = self.eval(&option.default, &Vec::new(), Some(of));
            let value = self
                .setup
                .options
                .get(&option.name.text)
                .copied()
                .unwrap_or(default.value());
            self.world
                .declare(&option.name, Symbol::Constant, self.report);
            self.world
                .constants
                .insert(option.name.text.clone(), Constant::One(Some(of), value));
            self.b.program.options.push(OptionInfo {
                name: option.name.text.clone(),
                value,
            });
        }
    }

    fn data(&mut self) {
        for data in &self.def.data {
            let value = self.eval(&data.value, &Vec::new(), None);
            self.world
                .declare(&data.name, Symbol::Constant, self.report);
            self.world.constants.insert(data.name.text.clone(), value);
        }
    }

    // ---- zones

    fn zones(&mut self) {
        self.add_family(
            FamilyDecl {
                name: "box".into(),
                count: 1,
                ..FamilyDecl::default()
            },
            Vec::new(),
        );
        self.b.program.zones.push(ZoneInfo {
            family: 0,
            name: "box".into(),
            inside: None,
            owner: None,
            see: See::Nothing,
            capacity: None,
        });
        for zone in &self.def.zones {
            self.zone_family(zone);
        }
    }

    fn add_family(&mut self, decl: FamilyDecl, title: Localised) -> FamilyId {
        let id = self.world.families.len() as FamilyId;
        self.b.program.families.push(FamilyInfo {
            name: decl.name.clone(),
            title,
            keys: Vec::new(),
            fields: Vec::new(),
            first: decl.first,
            count: decl.count,
            open_grid: decl.open_grid,
            grid: None,
            track: None,
        });
        self.world.families.push(decl);
        id
    }

    fn key_domains(&mut self, each: &[(Name, Expr)]) -> Vec<KeyDecl> {
        let mut keys = Vec::new();
        for (name, domain) in each {
            let values = self.eval(domain, &Vec::new(), None);
            let of = values.of().unwrap_or(Type::Int);
            keys.push(KeyDecl {
                name: name.text.clone(),
                of,
                values: values.values(),
            });
        }
        keys
    }

    fn zone_family(&mut self, def: &ZoneDef) {
        let keys = self.key_domains(&def.each);
        let count: usize = keys.iter().map(|key| key.values.len()).product();
        let first = self.b.program.zones.len();
        if first + count > ZONES_MAX {
            self.limit(&def.name, "zones", ZONES_MAX);
            return;
        }
        let open_grid = matches!(def.grid, Some(GridDef::Open(_)));
        let decl = FamilyDecl {
            name: def.name.text.clone(),
            keys: keys.clone(),
            first: first as ZoneId,
            count: count as u16,
            open_grid,
            ..FamilyDecl::default()
        };
        let id = self.add_family(decl, localised(&def.title));
        self.world
            .declare(&def.name, Symbol::Family(id), self.report);
        for place in 0..count {
            let values = combination(&keys, place);
            self.one_zone(def, id, &keys, &values);
        }
        self.zone_keys(id, &keys, first, count);
        self.zone_fields(def, id, first, count);
        self.zone_geometry(def, id, &keys);
    }

    fn limit(&mut self, name: &Name, what: &str, max: usize) {
        self.report.push(Diagnostic::error(
            "too-many",
            name.span,
            format!("a game may have at most {max} {what}"),
        ));
    }

    fn one_zone(&mut self, def: &ZoneDef, family: FamilyId, keys: &[KeyDecl], values: &[i32]) {
        let owner = keys
            .iter()
            .position(|key| key.of == Type::Seat && key.name == "owner");
        let owner = owner.and_then(|i| values.get(i)).map(|seat| *seat as u8);
        let mut name = def.name.text.clone();
        for (key, value) in keys.iter().zip(values) {
            name.push('-');
            name.push_str(&self.value_name(*value, key.of));
        }
        let capacity = def
            .capacity
            .as_ref()
            .map(|e| self.eval(e, &Vec::new(), None).value().max(0) as u16);
        self.b.program.zones.push(ZoneInfo {
            family,
            name,
            inside: None,
            owner,
            see: See::All,
            capacity,
        });
    }

    /// How a key's value stands in a component's or zone's name.
    fn value_name(&self, value: i32, of: Type) -> String {
        match of {
            Type::Enum(id) => {
                let values = self.world.enums.get(id as usize).map(|e| &e.values);
                values
                    .and_then(|v| v.get(value as usize))
                    .cloned()
                    .unwrap_or_default()
            }
            Type::Seat => (value + 1).to_string(),
            Type::Bool => if value == 1 { "yes" } else { "no" }.into(),
            _ => value.to_string(),
        }
    }

    fn zone_keys(&mut self, id: FamilyId, keys: &[KeyDecl], first: usize, count: usize) {
        let mut stride = count;
        for (k, key) in keys.iter().enumerate() {
            stride /= key.values.len().max(1);
            let mut table = vec![default_of(key.of); first];
            table.extend(
                (0..count).map(|place| combination(keys, place).get(k).copied().unwrap_or(NONE)),
            );
            let table = self.b.table(table);
            let low = key.values.iter().copied().min().unwrap_or(0);
            let high = key.values.iter().copied().max().unwrap_or(-1);
            let place_of = |value: i32| {
                key.values
                    .iter()
                    .position(|v| *v == value)
                    .map_or(NONE, |p| p as i32)
            };
            let info = KeyInfo {
                name: key.name.clone(),
                of: key.of,
                values: key.values.clone(),
                stride: stride as u16,
                table,
                low,
                positions: (low..=high).map(place_of).collect(),
            };
            self.add_zone_field(id, &key.name, key.of, table);
            if let Some(family) = self.b.program.families.get_mut(id as usize) {
                family.keys.push(info);
            }
        }
    }

    fn add_zone_field(&mut self, id: FamilyId, name: &str, of: Type, table: TableId) {
        if let Some(family) = self.world.families.get_mut(id as usize) {
            family.fields.push((name.to_string(), of, table));
        }
    }

    fn zone_fields(&mut self, def: &ZoneDef, id: FamilyId, first: usize, count: usize) {
        for (name, value) in &def.fields {
            let mut of = None;
            let mut values = Vec::new();
            for place in 0..count {
                let keys = self.keys_at(id, place);
                let constant = self.eval(value, &keys, of);
                of = of.or(constant.of());
                values.push(constant.value());
            }
            let of = of.unwrap_or(Type::Int);
            let mut table = vec![default_of(of); first];
            table.extend(values);
            let table = self.b.table(table);
            self.add_zone_field(id, &name.text, of, table);
            if let Some(family) = self.b.program.families.get_mut(id as usize) {
                let at = FieldPlace::Constant(table);
                family.fields.push(FieldInfo {
                    name: name.text.clone(),
                    of,
                    at,
                    on_back: true,
                });
            }
        }
    }

    fn keys_at(&self, id: FamilyId, place: usize) -> Keys {
        let Some(family) = self.world.families.get(id as usize) else {
            return Vec::new();
        };
        let values = combination(&family.keys, place);
        let pairs = family.keys.iter().zip(values);
        pairs
            .map(|(key, value)| (key.name.clone(), Constant::One(Some(key.of), value)))
            .collect()
    }

    fn zone_geometry(&mut self, def: &ZoneDef, id: FamilyId, keys: &[KeyDecl]) {
        let find = |name: &Name| keys.iter().position(|key| key.name == name.text);
        let mut missing = Vec::new();
        let grid = match &def.grid {
            Some(GridDef::Keys(column, row)) => {
                missing.extend(
                    [column, row]
                        .into_iter()
                        .filter(|name| find(name).is_none()),
                );
                find(column).zip(find(row))
            }
            _ => None,
        };
        missing.extend(def.track.iter().filter(|name| find(name).is_none()));
        for name in missing {
            self.report.push(
                Diagnostic::error(
                    "unknown-key",
                    name.span,
                    format!("`{}` is no key of this zone", name.text),
                )
                .help("name a key of `each`"),
            );
        }
        if let Some(family) = self.b.program.families.get_mut(id as usize) {
            family.grid = grid;
            family.track = def.track.as_ref().and_then(find);
        }
    }

    // ---- components

    fn components(&mut self) {
        let def = self.def;
        for component in &def.components {
            self.component_family(component);
        }
        for component in &def.components {
            self.holds(component);
        }
        for zone in &def.zones {
            if let (Some(holds), Some(Symbol::Family(id))) =
                (&zone.holds, self.world.symbol(&zone.name.text))
            {
                let kind = self.kind_named(holds);
                if let Some(family) = self.world.families.get_mut(id as usize) {
                    family.holds = kind;
                }
            }
        }
    }

    fn kind_named(&mut self, name: &Name) -> Option<KindId> {
        match self.world.symbol(&name.text) {
            Some(Symbol::Kind(kind)) => Some(kind),
            _ => {
                let mut problem = Diagnostic::error(
                    "unknown-kind",
                    name.span,
                    format!("`{}` is no kind of component", name.text),
                );
                if let Some(meant) = self.world.suggest(&name.text, &[]) {
                    problem = problem.help(format!("did you mean `{meant}`?"));
                }
                self.report.push(problem);
                None
            }
        }
    }

    fn component_family(&mut self, def: &ComponentDef) {
        let id = self.declare_kind(def, None);
        let first = self.b.program.components.len() as u32;
        if def.kinds.is_empty() {
            self.one_kind(id, &[def]);
        }
        for kind in &def.kinds {
            let kind_id = self.declare_kind(kind, Some(id));
            self.one_kind(kind_id, &[def, kind]);
        }
        let count = self.b.program.components.len() as u32 - first;
        if let Some(kind) = self.world.kinds.get_mut(id as usize) {
            (kind.first, kind.count) = (first, count);
        }
        if let Some(kind) = self.b.program.kinds.get_mut(id as usize) {
            (kind.first, kind.count) = (first, count);
        }
        self.changing_fields(id, def);
        for kind in &def.kinds {
            if let Some(Symbol::Kind(kind_id)) = self.world.symbol(&kind.name.text) {
                self.changing_fields(kind_id, kind);
            }
        }
    }

    fn declare_kind(&mut self, def: &ComponentDef, family: Option<KindId>) -> KindId {
        let id = self.world.kinds.len() as KindId;
        let name = def.name.text.clone();
        self.world.kinds.push(KindDecl {
            name: name.clone(),
            family,
            ..KindDecl::default()
        });
        self.b.program.kinds.push(KindInfo {
            name: name.clone(),
            title: localised(&def.title),
            text: localised(&def.text),
            family,
            first: 0,
            count: 0,
            fields: Vec::new(),
            die: None,
            has_copies: def.copies.is_some(),
        });
        self.world.declare(&def.name, Symbol::Kind(id), self.report);
        let plural = def.plural.clone();
        let plural = plural.unwrap_or(Name {
            text: format!("{name}s"),
            span: def.name.span,
        });
        self.world.declare(&plural, Symbol::Plural(id), self.report);
        id
    }

    /// Makes the components of a kind; `defs` are the family's and its own declaration, outermost first.
    fn one_kind(&mut self, id: KindId, defs: &[&ComponentDef]) {
        let each: Vec<(Name, Expr)> = defs.iter().flat_map(|d| d.each.clone()).collect();
        let keys = self.key_domains(&each);
        let first = self.b.program.components.len();
        let combos: usize = keys.iter().map(|key| key.values.len()).product();
        let mut rows: Vec<(Vec<i32>, i32)> = Vec::new();
        for place in 0..combos {
            let values = combination(&keys, place);
            let scope = scope_of(&keys, &values);
            let exists = defs
                .iter()
                .filter_map(|d| d.condition.as_ref())
                .all(|c| self.eval(c, &scope, None).value() == 1);
            let copies = defs
                .iter()
                .rev()
                .find_map(|d| d.copies.as_ref())
                .map(|e| self.eval(e, &scope, None).value());
            let copies = if exists { copies.unwrap_or(1) } else { 0 };
            if first + rows.len() + copies.max(0) as usize > COMPONENTS_MAX {
                if let Some(def) = defs.last() {
                    self.limit(&def.name, "components", COMPONENTS_MAX);
                }
                break;
            }
            rows.extend((0..copies).map(|copy| (values.clone(), copy + 1)));
        }
        self.name_components(id, defs, &keys, &rows);
        if let Some(kind) = self.world.kinds.get_mut(id as usize) {
            (kind.first, kind.count) = (first as u32, rows.len() as u32);
        }
        if let Some(kind) = self.b.program.kinds.get_mut(id as usize) {
            (kind.first, kind.count) = (first as u32, rows.len() as u32);
        }
        self.key_fields(id, defs, &keys, first, &rows);
        self.constant_fields(id, defs, &keys, first, &rows);
        self.components_by_keys(id, defs, &keys, first, &rows);
    }

    fn name_components(
        &mut self,
        id: KindId,
        defs: &[&ComponentDef],
        keys: &[KeyDecl],
        rows: &[(Vec<i32>, i32)],
    ) {
        let kind = self.world.kind(id).name.clone();
        let words = |this: &Self, values: &[i32]| -> Vec<String> {
            keys.iter()
                .zip(values)
                .map(|(key, value)| this.value_name(*value, key.of))
                .collect()
        };
        let base: Vec<String> = rows
            .iter()
            .map(|(values, _)| {
                std::iter::once(kind.clone())
                    .chain(words(self, values))
                    .collect::<Vec<_>>()
                    .join("-")
            })
            .collect();
        let mut totals: BTreeMap<&String, (usize, usize)> = BTreeMap::new();
        for name in &base {
            totals.entry(name).or_default().0 += 1;
        }
        for (name, (values, _)) in base.iter().zip(rows) {
            let entry = totals.entry(name).or_default();
            entry.1 += 1;
            let full = if entry.0 > 1 {
                format!("{name}-{}", entry.1)
            } else {
                name.clone()
            };
            let scope = scope_of(keys, values);
            let starts_in = defs.iter().rev().find_map(|d| d.starts_in.as_ref());
            let zone = starts_in.map_or(0, |e| self.eval(e, &scope, None).value());
            let title = words(self, values).join(" ");
            self.b.program.components.push(ComponentInfo {
                kind: id,
                name: full,
                holds: None,
                starts_in: zone.max(0) as ZoneId,
                title,
            });
        }
    }

    fn add_field(
        &mut self,
        id: KindId,
        name: &str,
        of: Type,
        place: FieldPlace,
        count: u32,
        on_back: bool,
    ) {
        if let Some(kind) = self.world.kinds.get_mut(id as usize) {
            kind.fields.push(FieldDecl {
                name: name.into(),
                of,
                place,
                count,
            });
        }
        if let Some(kind) = self.b.program.kinds.get_mut(id as usize) {
            kind.fields.push(FieldInfo {
                name: name.into(),
                of,
                at: place,
                on_back,
            });
        }
    }

    /// A constant field of one kind: a table over component numbers. Kinds of one family share the table of a field
    /// of the same name, so that the family can be asked.
    fn constant_field(
        &mut self,
        id: KindId,
        name: &str,
        of: Type,
        first: usize,
        values: &[i32],
        on_back: bool,
    ) {
        let count = values.len() as u32;
        let family = self.world.kind(id).family;
        let shared = family.and_then(|f| {
            self.world
                .kind(f)
                .fields
                .iter()
                .find(|d| d.name == name)
                .cloned()
        });
        if let Some(FieldDecl {
            place: FieldPlace::Constant(table),
            of: known,
            ..
        }) = &shared
            && *known == of
            && let Some(table_values) = self.b.program.tables.get_mut(*table as usize)
        {
            table_values.resize(first, default_of(of));
            table_values.extend(values);
            self.add_field(id, name, of, FieldPlace::Constant(*table), count, on_back);
            return;
        }
        let mut table = vec![default_of(of); first];
        table.extend(values);
        self.b.program.tables.push(table);
        let place = FieldPlace::Constant(self.b.program.tables.len() as TableId - 1);
        self.add_field(id, name, of, place, count, on_back);
        if let Some(family) = family
            && shared.is_none()
            && let Some(kind) = self.world.kinds.get_mut(family as usize)
        {
            kind.fields.push(FieldDecl {
                name: name.into(),
                of,
                place,
                count,
            });
        }
    }

    fn key_fields(
        &mut self,
        id: KindId,
        defs: &[&ComponentDef],
        keys: &[KeyDecl],
        first: usize,
        rows: &[(Vec<i32>, i32)],
    ) {
        for (k, key) in keys.iter().enumerate() {
            let values: Vec<i32> = rows
                .iter()
                .map(|(v, _)| v.get(k).copied().unwrap_or(NONE))
                .collect();
            let on_back = on_back(defs, &key.name);
            self.constant_field(id, &key.name, key.of, first, &values, on_back);
        }
    }

    fn constant_fields(
        &mut self,
        id: KindId,
        defs: &[&ComponentDef],
        keys: &[KeyDecl],
        first: usize,
        rows: &[(Vec<i32>, i32)],
    ) {
        let fields: Vec<(Name, Expr)> = defs.iter().flat_map(|d| d.fields.clone()).collect();
        for (name, value) in fields {
            if self.changing_type(&value).is_some() {
                continue;
            }
            let mut of = None;
            let mut values = Vec::new();
            for (row, _) in rows {
                let constant = self.eval(&value, &scope_of(keys, row), of);
                of = of.or(constant.of());
                values.push(constant.value());
            }
            let on_back = on_back(defs, &name.text);
            self.constant_field(
                id,
                &name.text,
                of.unwrap_or(Type::Int),
                first,
                &values,
                on_back,
            );
        }
    }

    /// `laps: int` declares a field that changes; `cost: 3` one that does not.
    fn changing_type(&self, value: &Expr) -> Option<Type> {
        let ExprKind::Name(name) = &value.kind else {
            return None;
        };
        let constant = matches!(self.world.symbol(&name.text), Some(Symbol::Constant));
        let ty = self
            .world
            .type_named(&name.text)
            .filter(|ty| !ty.list && !constant)?;
        ty.of
    }

    fn changing_fields(&mut self, id: KindId, def: &ComponentDef) {
        let (first, count) = (self.world.kind(id).first, self.world.kind(id).count);
        let mut changing: Vec<(String, Type)> = Vec::new();
        for (name, value) in &def.fields {
            changing.extend(self.changing_type(value).map(|of| (name.text.clone(), of)));
        }
        if let Some(faces) = &def.faces {
            let faces = self.eval(faces, &Vec::new(), None);
            let of = faces.of().unwrap_or(Type::Int);
            let field = self
                .b
                .program
                .kinds
                .get(id as usize)
                .map_or(0, |k| k.fields.len());
            changing.push(("face".into(), of));
            self.set_die(
                id,
                DieInfo {
                    field: field + changing.len() - 1,
                    faces: faces.values(),
                },
            );
        }
        for (name, of) in changing {
            let offset = self.take_words(count as usize, default_of(of), &name);
            let place = FieldPlace::Changing { offset, first };
            let back = def.back.iter().any(|b| b.text == name);
            self.add_field(id, &name, of, place, count, back);
            self.inherit(id, &name, of, place, count, back);
        }
    }

    fn set_die(&mut self, id: KindId, die: DieInfo) {
        if let Some(kind) = self.b.program.kinds.get_mut(id as usize) {
            kind.die = Some(die);
        }
    }

    /// The kinds of a family show the family's changing fields as their own.
    fn inherit(
        &mut self,
        family: KindId,
        name: &str,
        of: Type,
        place: FieldPlace,
        count: u32,
        on_back: bool,
    ) {
        let kinds: Vec<KindId> = (0..self.world.kinds.len() as KindId)
            .filter(|kind| self.world.kind(*kind).family == Some(family))
            .collect();
        for kind in kinds {
            self.add_field(kind, name, of, place, count, on_back);
        }
    }

    /// `dragon(red, 3)` and `ice(2)`: keys in order, then the copy's number (1 if left out).
    fn components_by_keys(
        &mut self,
        id: KindId,
        defs: &[&ComponentDef],
        keys: &[KeyDecl],
        first: usize,
        rows: &[(Vec<i32>, i32)],
    ) {
        let copies = rows.iter().map(|(_, copy)| *copy).max().unwrap_or(1);
        let mut all: Vec<(i32, i32, Type)> = keys
            .iter()
            .map(|key| {
                let low = key.values.iter().copied().min().unwrap_or(0);
                let high = key.values.iter().copied().max().unwrap_or(-1);
                (low, high - low + 1, key.of)
            })
            .collect();
        if copies > 1 || defs.iter().any(|d| d.copies.is_some()) {
            all.push((1, copies, Type::Int));
        }
        let size: i64 = all
            .iter()
            .map(|(_, size, _)| i64::from((*size).max(0)))
            .product();
        if size > COMPONENTS_MAX as i64 * 4 {
            return;
        }
        let mut table = vec![NONE; size as usize];
        for (i, (values, copy)) in rows.iter().enumerate() {
            let full = values.iter().copied().chain(std::iter::once(*copy));
            let place = all
                .iter()
                .zip(full)
                .fold(0, |at, ((low, size, _), value)| at * size + (value - low));
            if let Some(slot) = table.get_mut(place as usize).filter(|slot| **slot == NONE) {
                *slot = (first + i) as i32;
            }
        }
        let sizes = all
            .iter()
            .flat_map(|(low, size, _)| [*low, *size])
            .collect();
        let by_keys = KeysDecl {
            types: all.iter().map(|(_, _, of)| *of).collect(),
            sizes: self.b.table(sizes),
            table: self.b.table(table),
        };
        if let Some(kind) = self.world.kinds.get_mut(id as usize) {
            kind.by_keys = Some(by_keys);
        }
    }

    /// Zones inside components.
    fn holds(&mut self, def: &ComponentDef) {
        for kind in def.kinds.iter().chain(std::iter::once(def)) {
            let Some(holds) = kind.holds.as_ref() else {
                continue;
            };
            let Some(Symbol::Kind(id)) = self.world.symbol(&kind.name.text) else {
                continue;
            };
            let of = self.kind_named(&holds.of);
            let (first, count) = (self.world.kind(id).first, self.world.kind(id).count);
            let first_zone = self.b.program.zones.len();
            if first_zone + count as usize > ZONES_MAX {
                self.limit(&kind.name, "zones", ZONES_MAX);
                return;
            }
            let decl = FamilyDecl {
                name: holds.field.text.clone(),
                holds: of,
                holder: Some(id),
                first: first_zone as ZoneId,
                count: count as u16,
                ..FamilyDecl::default()
            };
            let family = self.add_family(decl, Vec::new());
            for component in first..first + count {
                self.inner_zone(component, family, &holds.field.text);
            }
            let inner = Some((holds.field.text.clone(), family));
            for decl in self.world.kinds.iter_mut().filter(|k| k.family == Some(id)) {
                decl.inner = inner.clone();
            }
            if let Some(decl) = self.world.kinds.get_mut(id as usize) {
                decl.inner = inner;
            }
        }
    }

    fn inner_zone(&mut self, component: u32, family: FamilyId, field: &str) {
        let zone = self.b.program.zones.len() as ZoneId;
        let Some(info) = self.b.program.components.get_mut(component as usize) else {
            return;
        };
        info.holds = Some(zone);
        let name = format!("{}.{field}", info.name);
        self.b.program.zones.push(ZoneInfo {
            family,
            name,
            inside: Some(component as ComponentId),
            owner: None,
            see: See::All,
            capacity: None,
        });
    }

    // ---- variables

    fn take_words(&mut self, count: usize, start: i32, name: &str) -> u32 {
        let offset = self.words;
        self.words += count as u32;
        self.b.program.var_words = self.words as usize;
        // changing fields are variables without a name of their own
        self.b.program.vars.push(VarInfo {
            name: name.to_string(),
            of: Type::Int,
            index: None,
            low: 0,
            offset,
            len: count as u32,
            start,
            see: See::Nothing,
            lasts: Lasts::Game,
            internal: true,
        });
        self.world.vars.push(VarDecl {
            name: String::new(),
            of: Type::Int,
            index: None,
            low: 0,
            offset,
            len: count as u32,
        });
        offset
    }

    /// The variables of every game come first; [`Layout::run`] is entered with none.
    pub fn builtin_variables(&mut self) {
        let seats = self.setup.seats as u32;
        let rows = [
            ("active", Type::Seat, None, 1, NONE),
            ("round", Type::Int, None, 1, 0),
            ("turn", Type::Int, None, 1, 0),
            ("phase", Type::Enum(0), None, 1, NONE),
            ("score", Type::Int, Some(Type::Seat), seats, 0),
        ];
        for (name, of, index, len, start) in rows {
            let id = self.add_var(name, of, index, 0, len, start, Lasts::Game, true);
            self.world.declare_builtin(name, Symbol::Var(id));
        }
        let prevented = self.add_var("prevented", Type::Bool, None, 0, 1, 0, Lasts::Game, true);
        debug_assert_eq!(prevented, super::VAR_PREVENTED);
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one row per variable; a struct would say the same twice"
    )]
    fn add_var(
        &mut self,
        name: &str,
        of: Type,
        index: Option<Type>,
        low: i32,
        len: u32,
        start: i32,
        lasts: Lasts,
        internal: bool,
    ) -> VarId {
        let offset = self.words;
        self.words += len;
        self.b.program.var_words = self.words as usize;
        self.b.program.vars.push(VarInfo {
            name: name.into(),
            of,
            index,
            low,
            offset,
            len,
            start,
            see: See::All,
            lasts,
            internal,
        });
        self.world.vars.push(VarDecl {
            name: name.into(),
            of,
            index,
            low,
            offset,
            len,
        });
        self.world.vars.len() as VarId - 1
    }

    fn variables(&mut self) {
        for def in &self.def.vars {
            self.variable(def);
        }
        if self.words as usize > VAR_WORDS_MAX {
            self.limit(
                &self.def.name.clone(),
                "words of variables and changing fields",
                VAR_WORDS_MAX,
            );
        }
    }

    fn variable(&mut self, def: &VarDef) {
        let Some(Ty1(of)) = self.single_type(&def.of) else {
            return;
        };
        let (index, low, len) = match &def.each {
            None => (None, 0, 1),
            Some(domain) => {
                let constant = self.eval(domain, &Vec::new(), None);
                let values = constant.values();
                let low = values.iter().copied().min().unwrap_or(0);
                let high = values.iter().copied().max().unwrap_or(-1);
                (
                    Some(constant.of().unwrap_or(Type::Int)),
                    low,
                    (high - low + 1) as u32,
                )
            }
        };
        let start = def
            .start
            .as_ref()
            .map(|e| self.eval(e, &Vec::new(), Some(of)).value());
        let lasts = self.lasts(def);
        let start = start.unwrap_or(default_of(of));
        let id = self.add_var(&def.name.text, of, index, low, len, start, lasts, false);
        self.world.declare(&def.name, Symbol::Var(id), self.report);
    }

    fn single_type(&mut self, name: &Name) -> Option<Ty1> {
        match self.world.type_named(&name.text) {
            Some(ty) if !ty.list => ty.of.map(Ty1),
            _ => {
                self.report.push(
                    Diagnostic::error("unknown-type", name.span, format!("`{}` is no type of a single value", name.text))
                        .help("use int, bool, seat, zone, component, a type, a kind or a zone of this game"),
                );
                None
            }
        }
    }

    fn lasts(&mut self, def: &VarDef) -> Lasts {
        match def
            .lasts
            .as_ref()
            .map(|name| (name.text.as_str(), name.span))
        {
            None | Some(("game", _)) => Lasts::Game,
            Some(("round", _)) => Lasts::Round,
            Some(("turn", _)) => Lasts::Turn,
            Some((_, span)) => {
                self.report.push(
                    Diagnostic::error(
                        "unknown-span-of-time",
                        span,
                        "a variable lasts a `game`, a `round` or a `turn`",
                    )
                    .help("write `lasts: round` or `lasts: turn`, or leave it out"),
                );
                Lasts::Game
            }
        }
    }
}

/// A type of a single value.
struct Ty1(Type);

/// Games whose definition states no bound.
const DEFAULT_BOUND: u32 = 10_000;

fn on_back(defs: &[&ComponentDef], field: &str) -> bool {
    defs.iter()
        .any(|d| d.back.iter().any(|name| name.text == field))
}

fn scope_of(keys: &[KeyDecl], values: &[i32]) -> Keys {
    let pairs = keys.iter().zip(values);
    pairs
        .map(|(key, value)| (key.name.clone(), Constant::One(Some(key.of), *value)))
        .collect()
}

/// The values of the keys for the `place`-th combination; the last key changes fastest.
fn combination(keys: &[KeyDecl], mut place: usize) -> Vec<i32> {
    let mut values = vec![NONE; keys.len()];
    for (slot, key) in values.iter_mut().zip(keys).rev() {
        let size = key.values.len().max(1);
        *slot = key.values.get(place % size).copied().unwrap_or(NONE);
        place /= size;
    }
    values
}

pub fn localised(text: &LocalText) -> Localised {
    text.by_language.clone()
}

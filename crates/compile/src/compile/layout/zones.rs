//! Zones: families by key, their fields and their geometry.

use super::column::Fields;
use super::{Layout, ZONES_MAX, combination, scope_of};
use crate::compile::constants::eval::Keys;
use crate::names::declaration::*;
use crate::names::types::default_of;
use crate::names::world::*;
use wyrmgate_base::diagnostic::{Diagnostic, did_you_mean};
use wyrmgate_lang::ast::Name;
use wyrmgate_lang::definition::*;
use wyrmgate_program::*;

/// The maximum number of combinations of the keys of zones, if a condition says which of them exist.
const COMBINATIONS_MAX: usize = 4 * ZONES_MAX;

impl Layout<'_> {
    /// Adds the zone of components that are out of play.
    pub(super) fn out_of_play(&mut self) {
        let title = self.translations.name("box");
        self.add_family(
            FamilyDecl {
                name: "box".into(),
                count: 1,
                ..FamilyDecl::default()
            },
            title,
        );
        self.b.program.zones.push(ZoneInfo {
            family: 0,
            naming: ProgramName::new("box", Localized::default()),
            inside: None,
            owner: None,
            see: See::Nothing,
            capacity: None,
        });
    }

    pub(super) fn add_family(&mut self, decl: FamilyDecl, title: Localized) -> FamilyId {
        let id = self.world.families.len() as FamilyId;
        self.b.program.families.push(FamilyInfo {
            name: decl.name.clone(),
            title,
            keys: Vec::new(),
            fields: Vec::new(),
            first: decl.first,
            count: decl.count,
            places: None,
            open_grid: decl.open_grid,
            grid: None,
            track: None,
            any_order: false,
        });
        self.world.families.push(decl);
        id
    }

    pub(super) fn zone_family(&mut self, def: &ZoneDef) {
        let before = self.report.diagnostics.len();
        let mut keys = self.key_domains(&def.each.iter().collect::<Vec<_>>());
        let parts = self.parts_of_board(def);
        let has_failed = self.report.diagnostics.len() > before || self.mentions_failed(&def.each);
        let Some(parts) = parts.filter(|_| !has_failed) else {
            return self.world.declare_failed(&def.name.text);
        };
        if !parts.is_empty() {
            let (name, values) = ("at".into(), (1..=parts.len() as i32).collect());
            let of = Type::Int;
            keys.push(KeyDecl { name, of, values });
        }
        let first = self.b.program.zones.len();
        let Some((all, present)) = self.present(def, &keys) else {
            self.limit(&def.name, "zones", ZONES_MAX);
            return;
        };
        let count = present.len();
        let open_grid = matches!(def.grid, Some(GridDef::Open(..)));
        if let Some(GridDef::Open(span, is_of_hexagons)) = def.grid
            && is_of_hexagons != (self.b.program.identity.cells == CellForm::Hexagon)
        {
            let message = "the open grids of a game have cells of the same form";
            let help = "write `grid: open hexagons` at each of them";
            self.report.error("no-grid", span, message, help);
        }
        let decl = FamilyDecl {
            name: def.name.text.clone(),
            keys: keys.clone(),
            first: first as ZoneId,
            count: count as u16,
            present: (count < all).then(|| present.clone()),
            open_grid,
            ..FamilyDecl::default()
        };
        let title = self.translations.title(&def.title, &def.name.text);
        let id = self.add_family(decl, title);
        self.world
            .declare(&def.name, Symbol::Family(id), self.report);
        if let Some(family) = self.b.program.families.get_mut(usize::from(id)) {
            family.any_order = def.any_order;
        }
        self.check_coordinates(def, &keys);
        for place in &present {
            let values = combination(&keys, *place);
            self.one_zone(def, id, &keys, &values);
        }
        if count < all {
            self.zone_places(id, all, &present);
        }
        self.zone_keys(id, &keys, all, &present);
        self.zone_fields(def, id, first, count);
        self.zone_geometry(def, id, &keys);
        self.zone_directions(def, id);
        self.zone_lines(def, id, &keys);
        let present = present.iter().filter_map(|place| parts.get(*place));
        self.zone_edges(def, id, present.cloned().collect());
    }

    /// Returns the number of combinations of the keys, and the places among them of those for which there is a zone:
    /// `if: abs(column - row) < 5`. `None` if they are too many.
    fn present(&mut self, def: &ZoneDef, keys: &[KeyDecl]) -> Option<(usize, Vec<usize>)> {
        let room = ZONES_MAX.saturating_sub(self.b.program.zones.len());
        let Some(condition) = &def.condition else {
            let all = self.combinations(keys, room)?;
            return Some((all, (0..all).collect()));
        };
        let all = self.combinations(keys, COMBINATIONS_MAX)?;
        let scopes = (0..all).map(|place| scope_of(keys, &combination(keys, place)));
        let scopes: Vec<Keys> = scopes.collect();
        let exists = self.evaluator().each(condition, &scopes, Type::Bool);
        let present = (0..all).zip(exists).filter(|(_, exists)| *exists == 1);
        let present: Vec<usize> = present.map(|(place, _)| place).collect();
        (present.len() <= room).then_some((all, present))
    }

    /// Notes which combinations of keys have zones.
    fn zone_places(&mut self, id: FamilyId, all: usize, present: &[usize]) {
        let Some(family) = self.b.program.family(id) else {
            return;
        };
        let mut zones = vec![NONE; all];
        for (zone, place) in (i32::from(family.first)..).zip(present) {
            if let Some(known) = zones.get_mut(*place) {
                *known = zone;
            }
        }
        let table = self.b.table(zones);
        if let Some(family) = self.b.program.families.get_mut(usize::from(id)) {
            family.places = Some(table);
        }
    }

    /// `directions: orthogonal`
    fn zone_directions(&mut self, def: &ZoneDef, id: FamilyId) {
        let Some(directions) = &def.directions else {
            return;
        };
        if !matches!(def.grid, Some(GridDef::Keys(..))) {
            let help = "add `grid: [column, row]` with two keys of the zone; a board that is no grid has `lines`";
            let message = "only a grid has directions";
            return self.report.error("no-grid", directions.span, message, help);
        }
        let problems = self.report.diagnostics.len();
        let found = self.eval(directions, &Vec::new(), Some(Type::Int));
        let mut ways = found.values();
        let known = 1..=VECTORS.len() as i32;
        let wrong = found.is_of_lists() || ways.iter().any(|way| !known.contains(way));
        if self.report.diagnostics.len() > problems {
            ways = vec![1];
        } else if wrong || !matches!(found.of(), Some(Type::Int)) {
            let message = "this is no list of directions";
            let help = "write `orthogonal`, `diagonal`, `compass`, `hexagonal` or `leaps`";
            self.report
                .error("no-directions", directions.span, message, help);
            ways = vec![1]; // so that their uses are no further problems
        }
        if let Some(family) = self.world.families.get_mut(usize::from(id)) {
            family.directions = ways;
        }
    }

    /// `lines: [[1, 2, 3], [3, 4, 5]]`
    fn zone_lines(&mut self, def: &ZoneDef, id: FamilyId, keys: &[KeyDecl]) {
        let Some(lines) = &def.lines else {
            return;
        };
        let [key] = keys else {
            let help = "give the zone one key, such as `each: {at: 1..24}`";
            let message = "lines are lists of keys, so the zone needs exactly one key";
            return self
                .report
                .error("lines-need-a-key", lines.span, message, help);
        };
        let found = self.eval(lines, &Vec::new(), Some(key.of));
        let zone_of = |value: &i32| self.world.zone_by_keys(id, &[*value]);
        let zones: Vec<Vec<i32>> = found
            .items()
            .iter()
            .map(|line| line.values().iter().map(zone_of).collect())
            .collect();
        if zones.iter().flatten().any(|zone| *zone == NONE) {
            let message = format!(
                "a line names a space with a `{}` that does not exist",
                key.name
            );
            let help = "each line is a list of keys of this zone: `[[1, 2, 3], [3, 4, 5]]`";
            return self
                .report
                .error("no-such-space", lines.span, message, help);
        }
        if let Some(family) = self.world.families.get_mut(usize::from(id)) {
            family.directions = (1..=2 * zones.len() as i32).collect();
            family.lines = zones;
        }
    }

    fn one_zone(&mut self, def: &ZoneDef, family: FamilyId, keys: &[KeyDecl], values: &[i32]) {
        let owner = self.owner_of_keys(keys, values);
        let mut name = self.name_with_keys(&def.name.text, keys, values);
        let coordinates = coordinates_of(def, keys, values);
        if let Some(coordinates) = &coordinates {
            name.clone_from(coordinates);
            let zone = self.b.program.zones.len() as ZoneId;
            self.world.name_space(coordinates, family, zone);
        }
        let scope = scope_of(keys, values);
        let capacity = def.capacity.as_ref().map(|capacity| {
            let most = self.amounts(capacity, std::slice::from_ref(&scope), "a capacity");
            let most = most.first().copied().unwrap_or_default();
            u16::try_from(most).unwrap_or(u16::MAX)
        });
        let title = match coordinates {
            Some(coordinates) => Localized::from(coordinates.as_str()),
            None => self.keys_title(keys, values),
        };
        self.b.program.zones.push(ZoneInfo {
            family,
            naming: ProgramName::new(name, title),
            inside: None,
            owner,
            see: See::All,
            capacity,
        });
    }

    /// Returns the seat of the key `owner`, or else the constant owner of a component that is a key.
    fn owner_of_keys(&self, keys: &[KeyDecl], values: &[i32]) -> Option<u8> {
        let is_owner = |key: &KeyDecl| key.of == Type::Seat && *key.name == *"owner";
        let keyed = || keys.iter().zip(values.iter().copied());
        let seat = keyed().find(|(key, _)| is_owner(key)).map(|(_, seat)| seat);
        let seat = seat.or_else(|| keyed().find_map(|(key, value)| self.owner_of(key, value)));
        u8::try_from(seat?).ok()
    }

    fn owner_of(&self, key: &KeyDecl, component: i32) -> Option<i32> {
        let Type::Component(Some(kind)) = key.of else {
            return None;
        };
        let owner = self.world.field(kind, "owner")?;
        match owner.place {
            FieldPlace::Constant(table) if owner.of == Type::Seat => {
                self.b.program.entry(table, component.into())
            }
            FieldPlace::Constant(_)
            | FieldPlace::ConstantList { .. }
            | FieldPlace::Changing { .. } => None,
        }
    }

    /// `coordinates: a1` names the spaces of one grid, by both of its keys.
    fn check_coordinates(&mut self, def: &ZoneDef, keys: &[KeyDecl]) {
        let Some(span) = def.coordinates else {
            return;
        };
        let counts = |key: &KeyDecl| key.of == Type::Int && key.values.iter().all(|v| *v > 0);
        let is_grid = matches!(def.grid, Some(GridDef::Keys(..)));
        if !is_grid || keys.len() != 2 || !keys.iter().all(counts) {
            let message = "only a grid with two keys that count from 1 has coordinates";
            let help = "write `each: {column: 1..8, row: 1..8}, grid: [column, row]`";
            self.report.error("no-coordinates", span, message, help);
        }
        let mut others = self.def.zones.iter().filter_map(|zone| zone.coordinates);
        if let Some(first) = others.next().filter(|first| *first != span) {
            let twice = Diagnostic::error("no-coordinates", span, "two boards have coordinates")
                .related(first, "first here")
                .help("a name such as `e4` can mean one space only; remove one of them");
            self.report.push(twice);
        }
    }

    fn zone_keys(&mut self, id: FamilyId, keys: &[KeyDecl], all: usize, present: &[usize]) {
        let first = self.b.program.zones.len() - present.len();
        let mut stride = all;
        for (k, key) in keys.iter().enumerate() {
            stride /= key.values.len().max(1);
            let mut table = vec![default_of(key.of); first];
            let value_at = |place: &usize| combination(keys, *place).get(k).copied();
            table.extend(present.iter().map(|place| value_at(place).unwrap_or(NONE)));
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
                name: key.name.to_string(),
                of: key.of,
                values: key.values.clone(),
                stride: stride as u16,
                table,
                low,
                positions: (low..=high).map(place_of).collect(),
            };
            self.add_zone_field(id, &key.name, key.of, FieldPlace::Constant(table));
            if let Some(family) = self.b.program.families.get_mut(id as usize) {
                family.keys.push(info);
            }
        }
    }

    fn add_zone_field(&mut self, id: FamilyId, name: &str, of: Type, place: FieldPlace) {
        if let Some(family) = self.world.families.get_mut(id as usize) {
            family.fields.push(FieldDecl {
                name: name.to_string(),
                of,
                place,
                count: 0,
            });
        }
    }

    fn zone_fields(&mut self, def: &ZoneDef, id: FamilyId, first: usize, count: usize) {
        let fields = def.each.iter().chain(&def.fields);
        self.each_once(fields.map(|(name, _)| name), "field");
        let scopes: Vec<Keys> = (0..count).map(|place| self.keys_at(id, place)).collect();
        let mut above = Fields::over(
            scopes,
            self.keys_at(id, 0),
            def.fields.iter().map(|(name, _)| name),
        );
        for (name, value) in &def.fields {
            let column = self.column_of(name, value, &mut above);
            let (of, at) = (column.of, self.new_column(first, &column));
            self.add_zone_field(id, &name.text, of, at);
            if let Some(family) = self.b.program.families.get_mut(id as usize) {
                family.fields.push(FieldInfo {
                    name: name.text.clone(),
                    of,
                    at,
                    on_back: true,
                });
            }
        }
    }

    pub(super) fn keys_at(&self, id: FamilyId, place: usize) -> Keys {
        let Some(family) = self.world.family(id) else {
            return Vec::new();
        };
        let place = match &family.present {
            None => place,
            Some(present) => present.get(place).copied().unwrap_or_default(),
        };
        scope_of(&family.keys, &combination(&family.keys, place))
    }

    fn zone_geometry(&mut self, def: &ZoneDef, id: FamilyId, keys: &[KeyDecl]) {
        let find = |name: &Name| keys.iter().position(|key| *key.name == *name.text);
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
            let mut known = keys.iter().map(|key| &*key.name);
            let help = match did_you_mean(&name.text, known.clone()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => match known.next() {
                    Some(key) => format!("use a key of its `each`, such as `{key}`"),
                    None => "give the zone keys: `each: {column: 1..3, row: 1..3}`".into(),
                },
            };
            let message = format!("`{}` is not a key of this zone", name.text);
            self.report.error("unknown-key", name.span, message, help);
        }
        if let Some(family) = self.b.program.families.get_mut(id as usize) {
            family.grid = grid;
            family.track = def.track.as_ref().and_then(find);
        }
    }
}

/// Returns the name of a space of a board with coordinates: `e4`.
fn coordinates_of(def: &ZoneDef, keys: &[KeyDecl], values: &[i32]) -> Option<String> {
    def.coordinates?;
    let Some(GridDef::Keys(column, row)) = &def.grid else {
        return None;
    };
    let value_of = |name: &Name| {
        let at = keys.iter().position(|key| *key.name == *name.text)?;
        values.get(at).copied().filter(|value| *value > 0)
    };
    let (column, row) = (value_of(column)?, value_of(row)?);
    Some(format!("{}{row}", letters(column)))
}

/// Returns a number from 1 in letters: a … z, aa, ab …
fn letters(mut number: i32) -> String {
    let mut letters = Vec::new();
    while number > 0 {
        number -= 1;
        letters.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    letters.iter().rev().collect()
}

//! Zones: families of them by key, their fields and their geometry.

use super::{Layout, ZONES_MAX, combination, localised};
use crate::check::constant::Constant;
use crate::check::eval::Keys;
use crate::check::types::default_of;
use crate::check::world::*;
use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::lang::definition::*;
use crate::program::*;

impl Layout<'_> {
    pub(super) fn zones(&mut self) {
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

    pub(super) fn add_family(&mut self, decl: FamilyDecl, title: Localised) -> FamilyId {
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
}

//! Fields of components: constants over the keys, and values that change.

use super::{Layout, on_back, scope_of};
use crate::check::types::default_of;
use crate::check::world::*;
use crate::lang::ast::{Expr, ExprKind, Name};
use crate::lang::definition::*;
use crate::program::*;

impl Layout<'_> {
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

    pub(super) fn key_fields(
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

    pub(super) fn constant_fields(
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

    pub(super) fn changing_fields(&mut self, id: KindId, def: &ComponentDef) {
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
}

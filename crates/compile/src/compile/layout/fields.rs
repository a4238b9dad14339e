//! Fields of components: constants over the keys, and values that change.

use hashbrown::HashMap;

use super::column::{Column, Fields};
use super::components::{ComponentsOfKind, Row};
use super::{Layout, combination, merged, on_back, scope_of};
use crate::names::constant::Constant;
use crate::names::declaration::*;
use crate::names::types::default_of;
use crate::names::world::*;
use wyrmgate_base::diagnostic::{Diagnostic, PROBLEMS_MAX, Span, did_you_mean, meant_or};
use wyrmgate_lang::ast::{Expr, Name};
use wyrmgate_lang::definition::*;
use wyrmgate_program::*;

/// Members that views contain for all components, so that no key or field may have the same name.
const TOLD_OF_EVERY_COMPONENT: [&str; 10] = [
    "id", "kind", "title", "text", "place", "face", "holds", "cell", "turned", "hidden",
];

impl Layout<'_> {
    fn add_field(&mut self, id: KindId, field: FieldDecl, on_back: bool) {
        if let Some(kind) = self.b.program.kinds.get_mut(usize::from(id)) {
            kind.fields.push(FieldInfo {
                name: field.name.clone(),
                of: field.of,
                at: field.place,
                on_back,
            });
        }
        self.world.add_field(id, field);
    }

    /// Adds a constant field of one kind, as tables over component numbers. Kinds of one family share the table of a
    /// field, so that the family can be used.
    fn constant_field(&mut self, of_kind: &ComponentsOfKind<'_>, name: &str, column: &Column) {
        let family = self.world.kind(of_kind.id).family;
        let shared = family.and_then(|f| self.world.kind(f).fields.named(name).cloned());
        let of_family = shared.as_ref().filter(|shared| shared.of == column.of);
        let extended = of_family
            .map(|shared| shared.place)
            .filter(|place| self.extend_column(*place, of_kind.first, column));
        let field = FieldDecl {
            name: name.into(),
            of: column.of,
            place: extended.unwrap_or_else(|| self.new_column(of_kind.first, column)),
            count: column.len() as u32,
        };
        if let Some(family) = family
            && shared.is_none()
            && let Some(kind) = self.world.kinds.get_mut(usize::from(family))
        {
            kind.fields.push(field.clone());
        }
        let on_back = of_kind.on_back.contains(name);
        self.add_field(of_kind.id, field, on_back);
    }

    /// Adds the keys of a kind as fields.
    pub(super) fn key_fields(&mut self, of_kind: &ComponentsOfKind<'_>) {
        for (k, key) in of_kind.keys.iter().enumerate() {
            let value = |row: &Row| row.keys.get(k).copied().unwrap_or(NONE);
            let column = Column::of_values(key.of, of_kind.rows.iter().map(value));
            self.constant_field(of_kind, &key.name, &column);
        }
    }

    /// Adds the constant fields of a kind and returns them.
    pub(super) fn constant_fields(&mut self, of_kind: &ComponentsOfKind<'_>) -> Fields {
        let keys = of_kind.keys;
        let own = merged(of_kind.defs, |def| &def.fields);
        let constant = |entry: &&&(Name, Expr)| self.changing_type(&entry.1).is_none();
        let names = own.iter().filter(constant).map(|(name, _)| name);
        let sample = scope_of(keys, &combination(keys, 0));
        let mut above = Fields::over(of_kind.scopes(), sample, names);
        for (name, value) in own {
            if self.changing_type(value).is_some() {
                continue;
            }
            let mut column = self.column_of(name, value, &mut above);
            if !column.is_typed
                && let Some(of) = self.type_elsewhere(of_kind, &name.text)
            {
                column.of = of;
            }
            self.constant_field(of_kind, &name.text, &column);
        }
        above
    }

    /// Returns the type that other kinds of the family give to a field.
    fn type_elsewhere(&mut self, of_kind: &ComponentsOfKind<'_>, name: &str) -> Option<Type> {
        let fields = of_kind
            .defs
            .first()?
            .kinds
            .iter()
            .flat_map(|kind| &kind.fields);
        let mut values = fields.filter(|(field, _)| field.text == name);
        let problems = self.report.diagnostics.len();
        let found = values.find_map(|(_, value)| self.eval(value, &Vec::new(), None).of());
        self.report.diagnostics.truncate(problems);
        found
    }

    /// `laps: int` declares a field that changes; `cost: 3` declares a constant.
    fn changing_type(&self, value: &Expr) -> Option<Type> {
        let name = value.as_name()?;
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
            let of = self.changing_type(value);
            if let Some(Type::Record(_)) = of {
                let message = format!(
                    "a field that changes holds one value, and `{}` several",
                    name.text
                );
                let help = "give each component its own in a variable: `vars: {load: {each: cards, type: toll}}`";
                self.report
                    .error("changing-record", value.span, message, help);
                continue;
            }
            changing.extend(of.map(|of| (name.text.clone(), of)));
        }
        if let Some(faces) = &def.faces {
            changing.push(("face".into(), self.faces(faces).0));
        }
        let backs = on_back(&[def]);
        for (name, of) in changing {
            let offset = self.take_words(count as usize, default_of(of), &name);
            let on_back = backs.contains(&*name);
            let field = FieldDecl {
                name,
                of,
                place: FieldPlace::Changing { offset, first },
                count,
            };
            // Kinds of a family have the family's changing fields.
            for kind in self.world.with_kinds_of(id) {
                self.add_field(kind, field.clone(), on_back);
            }
        }
        if let Some(faces) = &def.faces {
            let (_, faces) = self.faces(faces);
            self.make_dice(id, &faces);
        }
    }

    fn faces(&mut self, expr: &Expr) -> (Type, Vec<i32>) {
        let faces = self.eval(expr, &Vec::new(), None);
        self.no_lists_in(&faces, expr.span);
        let values = faces.values();
        if let Constant::One(Some(Type::Int), number) = faces {
            let help = format!("list its faces: `faces: 1..{number}`");
            self.report
                .error("no-faces", expr.span, "a die needs several faces", help);
        } else if values.is_empty() {
            let help = "list the faces: `faces: 1..6`, or the name of a type";
            self.report
                .error("no-faces", expr.span, "a die needs faces", help);
        }
        (faces.of().unwrap_or(Type::Int), values)
    }

    /// Makes the kind and the kinds of its family dice.
    fn make_dice(&mut self, id: KindId, faces: &[i32]) {
        for kind in self.world.with_kinds_of(id) {
            let Some(kind) = self.b.program.kinds.get_mut(usize::from(kind)) else {
                continue;
            };
            let field = kind.fields.iter().position(|field| field.name == "face");
            kind.die = field.map(|field| DieInfo {
                field,
                faces: faces.to_vec(),
            });
        }
    }

    /// Checks that kinds of one family agree on a field, because the family can be used, and that `back` names existing
    /// fields.
    pub(super) fn check_fields(&mut self, id: KindId, def: &ComponentDef) {
        for (field, first, kind) in self.disagreements(id) {
            self.disagreement(def, &field, first, kind);
        }
        for kind in def.with_kinds() {
            self.check_field_names(kind);
            self.check_backs(kind, id);
        }
    }

    /// Returns conflicting fields of the kinds of a family, with the first kind that has each type.
    fn disagreements(&self, family: KindId) -> Vec<(String, KindId, KindId)> {
        let mut firsts: HashMap<&str, (KindId, &FieldDecl)> = HashMap::new();
        let mut found = Vec::new();
        for kind in self.world.kinds_of(family) {
            for field in self.world.kind(kind).fields.iter() {
                let (first, other) = *firsts.entry(&field.name).or_insert((kind, field));
                if first != kind
                    && !self.world.has_failed(&field.name)
                    && (other.of != field.of || other.place != field.place)
                {
                    found.push((field.name.clone(), first, kind));
                }
            }
        }
        found
    }

    /// Reports fields with the name of a key or of a member of views, which contain all of them side by side.
    fn check_field_names(&mut self, def: &ComponentDef) {
        for (name, _) in def.each.iter().chain(&def.fields) {
            if TOLD_OF_EVERY_COMPONENT.contains(&name.text.as_str()) {
                let message = format!("every component has a field `{}`", name.text);
                let help = "choose another name, because views use this one";
                self.report.error("reserved-name", name.span, message, help);
            }
        }
    }

    fn disagreement(&mut self, def: &ComponentDef, field: &str, first: KindId, kind: KindId) {
        let span_of = |k: KindId| field_span(def, &self.world.kind(k).name, field);
        let (earlier, later) = (span_of(first), span_of(kind));
        let message = format!(
            "the kinds of `{}` have fields `{field}` of different types",
            def.name.text
        );
        self.report.push(
            Diagnostic::error("fields-disagree", later, message)
                .related(earlier, "and here")
                .help("use the same type in all kinds; declare a field that changes once, in the family"),
        );
    }

    fn check_backs(&mut self, def: &ComponentDef, family: KindId) {
        if def.back.is_empty() {
            return;
        }
        let kinds = || self.world.with_kinds_of(family);
        let has =
            |name: &str| kinds().any(|kind| self.world.kind(kind).fields.named(name).is_some());
        let unknown: Vec<&Name> = def.back.iter().filter(|name| !has(&name.text)).collect();
        if unknown.is_empty() {
            return;
        }
        let known: Vec<String> = kinds()
            .flat_map(|kind| self.world.kind(kind).fields.iter().map(|f| f.name.clone()))
            .collect();
        for name in unknown.into_iter().take(PROBLEMS_MAX) {
            let meant = did_you_mean(&name.text, known.iter().map(String::as_str));
            let otherwise = "`back` lists fields and keys that stay visible face down";
            let help = meant_or(meant, otherwise);
            let message = format!("`{}` has no field `{}`", def.name.text, name.text);
            self.report.error("unknown-field", name.span, message, help);
        }
    }
}

/// Returns where a kind of the family declares a field, or else where the kind is declared.
fn field_span(family: &ComponentDef, kind: &str, field: &str) -> Span {
    let kind = family.kinds.iter().find(|def| def.name.text == kind);
    let kind = kind.unwrap_or(family);
    let named = kind.each.iter().chain(&kind.fields);
    let found = named.map(|(name, _)| name).find(|name| name.text == field);
    found.unwrap_or(&kind.name).span
}

//! Members after a dot: fields, keys, zones, variables by index, queries.

use hashbrown::HashSet;

use crate::compile::compiler::Compiler;
use crate::compile::expressions::advice::FUNCTIONS_ELSEWHERE;
use crate::compile::expressions::cell::column_name;
use crate::compile::expressions::function::function;
use crate::compile::expressions::value::is_plain;
use crate::compile::terms::value::Value;
use crate::names::declaration::{FamilyDecl, FieldDecl, WordRun, WrittenPart};
use crate::names::types::{Families, Ty, default_of};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::{Span, did_you_mean};
use wyrmgate_lang::ast::{self, Name};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// `value.name` or `value.name(args)`.
    pub fn member(
        &mut self,
        value: Value,
        span: Span,
        name: &Name,
        args: Option<&[ast::Expr]>,
    ) -> Option<Value> {
        if self.world.has_failed(&name.text) {
            return None;
        }
        if args.is_none() {
            if self.means_two_zones(value.ty(), name) {
                return self.two_zones(name);
            }
            if let Some(part) = self.part_named(value, &name.text) {
                return Some(part);
            }
            if let Value::One(expr, of) = value
                && let Some(found) = self.plain_member(expr, of, &name.text)
            {
                return Some(found);
            }
            if let Value::One(_, Some(Type::Zone(_))) = value {
                // `deck.color`: the field of each component in the zone
                let (set, of) = self.list_of(value);
                if let Some(found) = self.list_member(set, of, &name.text) {
                    return Some(found);
                }
            }
            if let Value::List(set, of) = value
                && let Some(found) = self.list_member(set, of, &name.text)
            {
                return Some(found);
            }
        }
        self.called_member(value, span, name, args.unwrap_or_default())
    }

    fn called_member(
        &mut self,
        value: Value,
        span: Span,
        name: &Name,
        args: &[ast::Expr],
    ) -> Option<Value> {
        let of_kind = self.member_query(&name.text);
        if let Some(dispatch) = of_kind.filter(|query| self.kind_answers(value.ty(), query)) {
            return self.dispatch_call(dispatch, value.at(span), args, name.span);
        }
        if let Some(Symbol::Query(index)) = self.world.symbol(&name.text) {
            return self.query_call(index, vec![value.at(span)], args, name.span);
        }
        if let Some(row) = function(&name.text)
            && let Some(found) = self.applied(row, value.at(span), args, name)
        {
            return found;
        }
        self.unknown_member(value, name)
    }

    pub(crate) fn unknown_member(&mut self, value: Value, name: &Name) -> Option<Value> {
        if value.ty().of.is_none() {
            let help =
                "it is `none` here, without a type; take a value from a list first: `first(…)`";
            let message = format!("this has no known type, so it has no `{}`", name.text);
            return self.problem("unknown-field", name.span, message, help);
        }
        if let Some(Type::Enum(of)) = value.ty().of
            && self
                .world
                .has_failed(&column_name(self.world.enum_name(of), &name.text))
        {
            return None;
        }
        let what = self.world.name_of(value.ty());
        let message = format!("{what} has no `{}`", name.text);
        let mut known = self.members_known(value.ty());
        let mut once = HashSet::new();
        known.retain(|name| once.insert(name.clone()));
        let more = self.members_of_all(value.ty());
        let candidates = known.iter().map(String::as_str).chain(more);
        let suggestion = did_you_mean(&name.text, candidates)
            .filter(|meant| *meant != name.text && !is_plain(value.ty().of))
            .map(str::to_owned);
        let help = match (suggestion, FUNCTIONS_ELSEWHERE.advice(&name.text)) {
            _ if let Some(kind) = self.kind_with(value.ty(), &name.text) => {
                format!("say what the zone holds, so that its kind is known: `holds: {kind}`")
            }
            _ if self.asks_for_kind(value.ty(), &name.text) => {
                "`is` asks what something is: `c is dragon`, with the name of a kind".into()
            }
            _ if is_component(value.ty()) && name.text == "owner" => {
                "a component has an `owner` if its kind declares one; `.zone.owner` is the seat in whose zone it lies".into()
            }
            _ if value.ty().list && function(&name.text).is_some() => {
                format!("a function stands before what it is about: `{}(…)`", name.text)
            }
            (None, Some(advice)) => advice.to_owned(),
            (Some(meant), _) => format!("did you mean `{meant}`?"),
            _ if let Some(word) = name.text.strip_prefix("is_") => {
                format!("`is` asks it: `x is {word}`")
            }
            _ if matches!(value.ty().of, Some(Type::Int | Type::Bool)) => {
                "numbers and truth values have no parts: write it without what follows the dot".into()
            }
            _ if !known.is_empty() => format!("it has {}", known.join(", ")),
            _ => "check the value before the dot".into(),
        };
        self.unknown("unknown-field", name, message, help)
    }

    /// `c.kind`
    fn asks_for_kind(&self, ty: Ty, field: &str) -> bool {
        is_component(ty) && ["kind", "type", "class", "is_a"].contains(&field)
    }

    /// Returns a kind that has this field, for a component of any kind.
    fn kind_with(&self, ty: Ty, field: &str) -> Option<String> {
        if ty.of != Some(Type::Component(None)) {
            return None;
        }
        let kinds = self.world.kinds.iter();
        let mut with = kinds.filter(|kind| kind.fields.named(field).is_some());
        with.next().map(|kind| kind.name.clone())
    }

    /// Returns whether a kind of this type has the query.
    fn kind_answers(&self, ty: Ty, query: &str) -> bool {
        let (Some(of @ Type::Component(_)), false) = (ty.of, ty.list) else {
            return false;
        };
        let kinds = self.queries.of_kinds.get(query).map(|m| &m.by_kind);
        kinds.is_some_and(|kinds| {
            let fits = |kind| self.world.fits(Some(of), Some(Type::Component(Some(kind))));
            kinds.iter().any(|(kind, _)| fits(*kind))
        })
    }

    /// Returns whether it is, or may be, a die.
    pub fn has_faces(&self, kind: KindId) -> bool {
        self.fields_of(kind).any(|field| field.name == "face")
            || self
                .world
                .kind(kind)
                .family
                .is_some_and(|family| self.has_faces(family))
    }

    /// Returns fields of one type, for advice where the whole is compared with such a value.
    pub fn members_of_type(&self, ty: Ty, wanted: Ty) -> Vec<String> {
        let fields = self.typed_fields(ty.of).into_iter();
        let fitting = fields.filter(|(_, of)| Some(*of) == wanted.of && !wanted.list);
        fitting.map(|(name, _)| name).collect()
    }

    /// Returns the fields, or the parts, of what has this type, with their types.
    fn typed_fields(&self, of: Option<Type>) -> Vec<(String, Type)> {
        let typed = |field: &FieldDecl| (field.name.clone(), field.of);
        match of {
            Some(Type::Component(Some(kind))) => self.fields_of(kind).map(typed).collect(),
            Some(Type::Zone(Some(family))) => {
                let family = self.world.family(family);
                let fields = family.into_iter().flat_map(|family| family.fields.iter());
                fields.map(typed).collect()
            }
            Some(Type::Enum(of)) => self.columns_of_table(of),
            Some(Type::Record(table)) => {
                let record = self.world.record_of(table);
                let parts = record.map(|record| (record.written_parts(), &record.parts));
                let typed = parts.into_iter().flat_map(|(written, parts)| {
                    let typed = move |part: WrittenPart| {
                        let (_, of) = parts.get(part.values.start)?;
                        let of = part.bundle.map_or(*of, Type::Record);
                        Some((part.name, of))
                    };
                    written.into_iter().filter_map(typed)
                });
                typed.collect()
            }
            _ => Vec::new(),
        }
    }

    pub fn members_known(&self, ty: Ty) -> Vec<String> {
        let fields = self.typed_fields(ty.of).into_iter();
        let mut known: Vec<String> = fields.map(|(name, _)| name).collect();
        if !ty.list {
            known.extend(self.indexed_by(ty.of));
        }
        known.extend(self.queries_on(ty));
        known
    }

    /// Returns the members of every component, zone or list: its zone by family, and built-in words.
    fn members_of_all(&self, ty: Ty) -> Vec<&str> {
        let mut all = vec!["count", "first", "last", "top", "bottom"];
        if matches!(ty.of, Some(Type::Component(_))) {
            all.extend(["zone", "place", "holder"]);
            all.extend(
                self.world
                    .families
                    .iter()
                    .map(|family| family.name.as_str()),
            );
        }
        all
    }

    /// Returns variables indexed by this type, and zones with this single key: `p.score`, `p.hand`.
    fn indexed_by(&self, of: Option<Type>) -> Vec<String> {
        let fits = |by: Option<Type>| by.is_some() && of.is_some() && self.world.fits(of, by);
        let vars = self.world.vars.iter().filter(|v| fits(v.index));
        let vars = vars.map(|v| v.name.clone());
        let one_key = |f: &&FamilyDecl| f.keys.len() == 1 && fits(f.keys.first().map(|k| k.of));
        let zones = self.world.families.iter().filter(one_key);
        vars.chain(zones.map(|f| f.name.clone())).collect()
    }

    fn fields_of(&self, kind: KindId) -> impl Iterator<Item = &FieldDecl> {
        let own = self.world.kind(kind).fields.iter();
        let kinds = self.world.kinds_of(kind);
        own.chain(kinds.flat_map(|k| self.world.kind(k).fields.iter()))
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn plain_member(&mut self, expr: ExprId, of: Option<Type>, name: &str) -> Option<Value> {
        match of? {
            Type::Component(kind) => self.component_member(expr, kind, name),
            Type::Zone(family) => self.zone_member(expr, family, name),
            Type::Enum(of) if let Some(found) = self.cell(expr, of, name) => Some(found),
            of => self.variable_of(expr, of, name),
        }
    }

    fn component_member(
        &mut self,
        expr: ExprId,
        kind: Option<KindId>,
        name: &str,
    ) -> Option<Value> {
        if let Some(field) = kind.and_then(|k| self.world.field(k, name).cloned()) {
            return Some(self.field(expr, &field));
        }
        let value = match name {
            "zone" => Value::One(self.b.expr(Expr::ZoneOf(expr)), Some(Type::Zone(None))),
            "place" => Value::One(self.b.expr(Expr::PlaceOf(expr)), Some(Type::Int)),
            "holder" => {
                let zone = self.b.expr(Expr::ZoneOf(expr));
                self.value(
                    Expr::HolderOf(zone),
                    Type::Component(self.holder_kind(kind)),
                )
            }
            "cell" => Value::One(self.b.expr(Expr::CellOf(expr)), Some(Type::Cell)),
            "rotation" => Value::One(self.b.expr(Expr::RotationOf(expr)), Some(Type::Int)),
            _ => return self.component_place(expr, kind, name),
        };
        Some(value)
    }

    /// Returns the kind of component that holds this kind, if only one does.
    fn holder_kind(&self, kind: Option<KindId>) -> Option<KindId> {
        let mut holders = self
            .world
            .families
            .iter()
            .filter(|f| f.holder.is_some() && self.can_hold(f.holds, kind));
        let first = holders.next()?.holder;
        if holders.next().is_some() {
            None
        } else {
            first
        }
    }

    fn can_hold(&self, holds: Option<KindId>, kind: Option<KindId>) -> bool {
        let types = |k: Option<KindId>| Some(Type::Component(k));
        self.world.fits(types(kind), types(holds))
    }

    /// `p.space`: the zone of a component if it is of that family; `s.cards`: the zone inside it; `p.marks`: a
    /// variable.
    fn component_place(&mut self, expr: ExprId, kind: Option<KindId>, name: &str) -> Option<Value> {
        if let Some((inner, family)) = self.inner_of(kind, name) {
            debug_assert_eq!(inner, name);
            return Some(self.value(Expr::Inside(expr), Type::Zone(Some(family))));
        }
        if let Some(Symbol::Family(family)) = self.world.symbol(name)
            && !self.is_key_of(family, kind)
        {
            let zone = self.b.expr(Expr::ZoneOf(expr));
            let inside = self.b.expr(Expr::ZoneIn { family, zone });
            return Some(Value::One(inside, Some(Type::Zone(Some(family)))));
        }
        self.variable_of(expr, Type::Component(kind), name)
    }

    /// Returns whether `d.lair` can be the lair with the key `d`, and the one where `d` lies.
    fn means_two_zones(&self, ty: Ty, name: &Name) -> bool {
        let Some(Type::Component(kind @ Some(of))) = ty.of else {
            return false;
        };
        let Some(Symbol::Family(family)) = self.world.declared(&name.text) else {
            return false;
        };
        let holds = self.world.family(family);
        let holds = holds.and_then(|family| family.holds);
        let is_field = self.world.field(of, &name.text).is_some();
        !is_field && self.is_key_of(family, kind) && holds.is_some() && self.can_hold(holds, kind)
    }

    fn two_zones(&mut self, name: &Name) -> Option<Value> {
        let zone = &name.text;
        let message = format!(
            "this can be the `{zone}` with this component as its key, or the one where the component lies"
        );
        let help = format!("write `{zone}(…)` for the first, and `… .zone` for where it lies");
        self.problem("ambiguous-zone", name.span, message, help)
    }

    /// Returns whether components of a kind are the only key of these zones.
    fn is_key_of(&self, family: FamilyId, kind: Option<KindId>) -> bool {
        let family = self.world.family(family);
        let Some([key]) = family.map(|family| family.keys.as_slice()) else {
            return false;
        };
        let of = Some(Type::Component(kind));
        let is_component = matches!(key.of, Type::Component(_));
        is_component && kind.is_some() && self.world.fits(of, Some(key.of))
    }

    fn inner_of(&self, kind: Option<KindId>, name: &str) -> Option<(String, FamilyId)> {
        let own = kind.and_then(|k| self.world.kind(k).inner.clone());
        let mut all = self.world.kinds.iter().filter_map(|k| k.inner.clone());
        own.filter(|(field, _)| field == name)
            .or_else(|| all.find(|(field, _)| field == name))
    }

    pub fn field(&mut self, expr: ExprId, field: &FieldDecl) -> Value {
        let default = default_of(field.of);
        let expr = match field.place {
            FieldPlace::ConstantList { starts, members } => {
                if let Type::Amounts(values) = field.of
                    && let Some(bundle) = self.bundle_in_field(expr, values, starts, members)
                {
                    return bundle;
                }
                let list = Set::Keyed(KeyedList {
                    starts,
                    members,
                    low: 0,
                    value: expr,
                    repeats: true,
                });
                return Value::List(self.b.set(list), Some(field.of));
            }
            FieldPlace::Constant(table) => Expr::Table(TableLookUp {
                table,
                low: 0,
                index: expr,
                default,
            }),
            FieldPlace::Changing { offset, first } => {
                WordRun::new(offset, first as i32, field.count).at(expr, default)
            }
        };
        Value::One(self.b.expr(expr), Some(field.of))
    }

    fn zone_member(&mut self, expr: ExprId, family: Option<FamilyId>, name: &str) -> Option<Value> {
        let decl = family.and_then(|f| self.world.family(f));
        let field = decl.and_then(|f| f.fields.named(name));
        if let Some(field) = field.cloned() {
            return Some(self.field(expr, &field));
        }
        let holder = decl.and_then(|f| f.holder);
        match name {
            "owner" => Some(self.value(Expr::OwnerOf(expr), Type::Seat)),
            "holder" => Some(self.value(Expr::HolderOf(expr), Type::Component(holder))),
            "cells" => {
                let cells = self.b.set(Set::TakenCells(expr));
                Some(Value::List(cells, Some(Type::Cell)))
            }
            "free_cells" => {
                let cells = self.b.set(Set::FreeCells(expr));
                Some(Value::List(cells, Some(Type::Cell)))
            }
            _ => self.variable_of(expr, Type::Zone(family), name),
        }
    }

    /// `p.score`: a variable indexed by the value before the dot; `p.hand`: the zone with this single key.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    fn variable_of(&mut self, expr: ExprId, of: Type, name: &str) -> Option<Value> {
        match self.world.symbol(name)? {
            Symbol::Var(id) => {
                let var = self.world.var(id)?;
                let by = var.index.filter(|_| var.rows.is_empty())?;
                self.world
                    .fits(Some(of), Some(by))
                    .then(|| self.word_at(id, expr))
            }
            Symbol::Family(id) => {
                let family = self.world.family(id)?;
                let [key] = family.keys.as_slice() else {
                    return None;
                };
                if !self.world.fits(Some(of), Some(key.of)) {
                    return None;
                }
                let keys = self.b.row(&[expr]);
                Some(self.value(Expr::ZoneAt { family: id, keys }, Type::Zone(Some(id))))
            }
            Symbol::Records(table) => self.records_at(table, expr, of),
            _ => None,
        }
    }

    /// `cards.color`: the field of each member.
    fn list_member(&mut self, set: SetId, of: Option<Type>, name: &str) -> Option<Value> {
        let temp = self.scope.temp(Ty::one(of));
        let it = self.b.temp(temp);
        let key = self.plain_member(it, of, name)?;
        Some(self.each_key(set, temp, key))
    }
}

/// Returns whether it is a single component.
fn is_component(ty: Ty) -> bool {
    matches!(ty.of, Some(Type::Component(_))) && !ty.list
}

//! Names and parameters of records: a name for each part.

use crate::compile::compiler::Compiler;
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::Params;
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, Name};
use wyrmgate_program::*;

/// Returns the name under which a part of a variable or parameter is known. Rules cannot contain it, because it has a dot.
pub fn part_name(of: &str, part: &str) -> String {
    format!("{of}.{part}")
}

impl Compiler<'_> {
    /// Returns parameters in which each part of a record is one of its own.
    pub(crate) fn by_parts(&self, params: &[(String, Ty)]) -> Params {
        let mut all = Params::new();
        for (name, ty) in params {
            let Some(record) = self.record_type(ty.of) else {
                all.push((name.clone(), *ty));
                continue;
            };
            let parts = self.record_decl(record).parts.into_iter();
            all.extend(parts.map(|(part, of)| {
                let (of, list) = (Some(of), ty.list);
                (part_name(name, &part), Ty { of, list })
            }));
        }
        all
    }

    /// Returns the parts of those parameters that are records.
    pub(crate) fn records_among(&self, params: &[(String, Ty)]) -> Vec<(String, Params)> {
        let is_record = |(_, ty): &&(String, Ty)| matches!(ty.of, Some(Type::Record(_)));
        let records = params.iter().filter(is_record);
        let parts =
            |param: &(String, Ty)| (param.0.clone(), self.by_parts(std::slice::from_ref(param)));
        records.map(parts).collect()
    }

    /// Returns the record, or the list of records, whose parts have names here.
    pub(crate) fn record_in_scope(&mut self, name: &Name) -> Option<Value> {
        let found = self.scope.parts(&name.text);
        let (record, is_list) = self.type_of_parts(&found)?;
        let values = found.into_iter();
        let values = values.map(|(_, binding)| self.bound(binding, name.span));
        let values = values.collect::<Option<Vec<Value>>>()?;
        Some(self.record_of(record, is_list, values))
    }

    /// Returns the type with these parts, and whether each of them is a list.
    pub(crate) fn type_of_parts(&self, found: &[(String, Binding)]) -> Option<(u16, bool)> {
        let types = found.iter().map(|(part, binding)| {
            let ty = binding.ty()?;
            Some(((part.clone(), ty.of?), ty.list))
        });
        let types = types.collect::<Option<Vec<_>>>()?;
        let is_list = types.first()?.1;
        let parts: Vec<(String, Type)> = types.into_iter().map(|(part, _)| part).collect();
        let mut records = (0..).zip(&self.world.records);
        let (record, _) = records.find(|(_, record)| record.parts == parts)?;
        Some((record, is_list))
    }

    /// `let x = …`, with a slot for each part of a record. A list of records is only read.
    pub(crate) fn let_value(
        &mut self,
        name: &Name,
        value: Value,
        is_changed: bool,
        span: Span,
    ) -> Option<()> {
        let ty = value.ty();
        if is_changed && ty.list && self.record_type(ty.of).is_some() {
            self.scope.bind(&name.text, Binding::Failed);
            let message = format!(
                "`{}` is a list of records, which only a variable can change",
                name.text
            );
            let help = "declare a variable under `vars:` with the plural of the type and `most`";
            return self.problem("cannot-set", span, message, help);
        }
        let value = self.kept_record(value);
        let values = self.values_of_parts(value, span)?;
        let parts = self.by_parts(&[(name.text.clone(), ty)]);
        let slots = self.emit_values(&parts, values);
        self.bind_slots(&parts, &slots);
        Some(())
    }

    /// Copies values into new slots.
    pub(crate) fn emit_values(&mut self, parts: &[(String, Ty)], values: Vec<Value>) -> Vec<Local> {
        let values = values.into_iter().zip(parts);
        let slots = values.map(|(value, (_, ty))| {
            let slot = self.scope.local(*ty);
            self.emit_value(slot, value, *ty);
            slot
        });
        slots.collect()
    }

    /// Copies a value, or a list, into a slot.
    pub(crate) fn emit_value(&mut self, slot: Local, value: Value, ty: Ty) {
        match value {
            Value::One(value, _) => drop(self.b.emit(Op::Let(slot, value))),
            Value::List(list, _) => self.emit_list(slot, list, ty),
            Value::Record(..) => {}
        }
    }

    /// Binds names to slots.
    pub(crate) fn bind_slots(&mut self, parts: &[(String, Ty)], slots: &[Local]) {
        for ((name, ty), slot) in parts.iter().zip(slots) {
            self.scope.bind(name, Binding::Local(*slot, *ty));
        }
    }

    /// Returns the name under which a part of a local record is known: `b.amount`.
    pub(crate) fn own_part(&self, of: &ast::Expr, part: &Name) -> Option<Name> {
        let name = of.as_name()?;
        if self.scope.find(&name.text) != Some(Binding::Parts) {
            return None;
        }
        let text = part_name(&name.text, &part.text);
        self.scope.find(&text)?;
        let span = name.span.to(part.span);
        Some(Name::new(text, span))
    }

    /// Binds a name to a value in an expression. A record whose parts could change in a what-if has a name for each part.
    pub(crate) fn bind_temps(
        &mut self,
        name: &Name,
        value: Value,
        what_if: bool,
    ) -> Vec<(Temp, Value)> {
        let ty = value.ty();
        let is_split = what_if || matches!(value, Value::Record(..));
        let record = self.record_type(ty.of).filter(|_| is_split && !ty.list);
        let (mut parts, mut values) = (vec![(name.text.clone(), ty)], vec![value]);
        if let Some(record) = record {
            parts = self.by_parts(&parts);
            let numbers = 0..self.record_decl(record).parts.len();
            values = numbers
                .map(|number| Value::One(self.part(value, number), None))
                .collect();
        }
        let mut bound = Vec::new();
        for ((part, ty), value) in parts.into_iter().zip(values) {
            let temp = self.scope.temp(ty);
            self.scope.bind(&part, Binding::Temp(temp, ty));
            bound.push((temp, value));
        }
        bound
    }

    /// Returns records in lists by their parts, because the lists may be known by names that end here.
    pub(crate) fn apart_from_names(&mut self, value: Value) -> Value {
        let record = self.record_type(value.ty().of);
        let Some(record) = record.filter(|_| self.is_by_parts(value.ty().of)) else {
            return value;
        };
        match value {
            Value::One(..) => {
                let parts = 0..self.record_decl(record).parts.len();
                let parts: Vec<ExprId> = parts.map(|at| self.part(value, at)).collect();
                self.record_with(record, &parts)
            }
            Value::List(..) | Value::Record(..) => value,
        }
    }

    /// Changes a list, or each list of parts if it is a list of records in lists.
    pub(crate) fn each_column(
        &mut self,
        list: SetId,
        of: Option<Type>,
        change: impl Fn(&mut Self, SetId) -> SetId,
    ) -> Value {
        let record = self.record_type(of).filter(|_| self.is_by_parts(of));
        let (Some(record), Some(Type::Record(table))) = (record, of) else {
            return Value::List(change(self, list), of);
        };
        let lists = self.part_lists(list, table).into_iter();
        let lists = lists.map(|list| change(self, list)).collect();
        self.list_of_records(record, lists)
    }

    /// Returns the parts of a record, or of a list of records; anything else as it is.
    pub(crate) fn values_of_parts(&mut self, value: Value, span: Span) -> Option<Vec<Value>> {
        match self.record_type(value.ty().of) {
            Some(record) => self.columns(value, record, value.ty().list, span),
            None => Some(vec![value]),
        }
    }

    /// Evaluates the number of a record once.
    pub(crate) fn kept_record(&mut self, value: Value) -> Value {
        match value {
            Value::One(at, of @ Some(Type::Record(_))) => {
                Value::One(self.kept_value(at, Type::Int), of)
            }
            Value::One(..) | Value::List(..) | Value::Record(..) => value,
        }
    }
}

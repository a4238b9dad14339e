//! Queries whose value is a record: a query for each part.

use std::borrow::Cow;

use super::names::part_name;
use crate::compile::compiler::Compiler;
use crate::compile::terms::value::Value;
use crate::names::declaration::Columns;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{Expr as Tree, ExprKind, Name};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Returns whether records of this type are not found in variables, so that a query must return their parts.
    pub(crate) fn is_by_parts(&self, of: Option<Type>) -> bool {
        let Some(Type::Record(table)) = of else {
            return false;
        };
        let table = self.world.tables.get(usize::from(table));
        !table.is_some_and(|table| matches!(table.columns, Columns::Words { .. }))
    }

    /// Calls the queries of the parts.
    pub(crate) fn call_by_parts(&mut self, index: usize, ty: Ty, args: &[ExprId]) -> Option<Value> {
        let record = self.record_type(ty.of)?;
        let args = self.b.row(args);
        let mut columns = Vec::new();
        for number in 0..self.record_decl(record).parts.len() {
            let index = self.query_of_part(index, record, number, ty.list)?;
            self.translate_query(index)?;
            let query = self.queries.all.get(index)?.id;
            columns.push(match ty.list {
                true => Value::List(self.b.set(Set::Call { query, args }), None),
                false => Value::One(self.b.expr(Expr::Call { query, args }), None),
            });
        }
        Some(self.record_of(record, ty.list, columns))
    }

    /// Returns the query for a part of what a query returns.
    fn query_of_part(
        &mut self,
        index: usize,
        record: u16,
        number: usize,
        list: bool,
    ) -> Option<usize> {
        if let Some(known) = self.queries.of_parts.get(&(index, number)) {
            return Some(*known);
        }
        let (part, of) = self.record_decl(record).parts.get(number)?.clone();
        let query = self.queries.all.get(index)?;
        let (body, span) = (query.body.clone(), query.body.span);
        let (name, recursive, id) = (&query.name, query.recursive, query.id);
        let name = Name::new(part_name(&name.text, &part), name.span);
        let word = Name::new(part, span);
        let kind = ExprKind::Field(Box::new(body.into_owned()), word, None);
        let params = self.queries.params.get(index)?.clone();
        let added = self.add_query(name, params, Cow::Owned(Tree { kind, span }));
        self.queries.of_parts.insert((index, number), added);
        let deepest = self.b.program.query(id)?.deepest;
        let query = self.queries.all.get_mut(added)?;
        query.recursive = recursive.map(|_| Ty { of: Some(of), list });
        let id = usize::from(query.id);
        self.b.program.queries.get_mut(id)?.deepest = deepest;
        Some(added)
    }

    /// Returns an argument for each part of a record, or of a list of records.
    pub(crate) fn record_argument(
        &mut self,
        value: Value,
        record: u16,
        wanted: Ty,
        span: Span,
    ) -> Option<Vec<ExprId>> {
        let args = self.args_of_parts(value, record, wanted, span)?.into_iter();
        Some(args.map(|arg| self.as_expr(arg)).collect())
    }

    /// Translates a record as an argument of an effect, with an argument for each part.
    pub(crate) fn record_arg(&mut self, arg: &Tree, record: u16, wanted: Ty) -> Option<Vec<Arg>> {
        let value = self.expr(arg, Some(Type::Record(record)))?;
        self.args_of_parts(value, record, wanted, arg.span)
    }

    fn args_of_parts(
        &mut self,
        value: Value,
        record: u16,
        wanted: Ty,
        span: Span,
    ) -> Option<Vec<Arg>> {
        let columns = self.columns(value, record, wanted.list, span)?.into_iter();
        let args = columns.filter_map(|column| match column {
            Value::One(part, _) => Some(Arg::Value(part)),
            Value::List(list, _) => Some(Arg::List(list)),
            Value::Record(..) => None,
        });
        Some(args.collect())
    }

    /// Reports a record where a tool or a rule needs one value.
    pub(crate) fn no_record_here<T>(&mut self, of: Option<Type>, span: Span) -> Option<T> {
        self.not_a_record(Value::One(0, of), span)
    }
}

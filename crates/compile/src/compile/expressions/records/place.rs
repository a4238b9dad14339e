//! Records in variables: `bid`, `claims[p]`, `bids[2]`.

use crate::compile::compiler::Compiler;
use crate::compile::terms::place::ListPlace;
use crate::compile::terms::value::Value;
use crate::names::declaration::{Columns, VarDecl};
use crate::names::types::Families;
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, ExprKind, Name};
use wyrmgate_program::*;

/// A variable of records that an expression names, with its keys.
pub(crate) struct Named<'e> {
    pub table: u16,
    /// The variable of the first part.
    pub first: VarId,
    pub var: VarDecl,
    pub name: &'e Name,
    pub keys: Vec<&'e ast::Expr>,
}

impl Named<'_> {
    /// Returns how many keys the variable has.
    pub fn keys_wanted(&self) -> usize {
        self.var.rows.len() + usize::from(self.var.index.is_some())
    }

    /// Returns whether all keys are there, and perhaps the number of a member of a list.
    pub fn has_its_keys(&self) -> bool {
        let (wanted, given) = (self.keys_wanted(), self.keys.len());
        given == wanted || self.var.list.is_some() && given == wanted + 1
    }
}

impl Compiler<'_> {
    /// Returns the variable of the first part of the records in a table.
    pub(crate) fn first_part(&self, table: u16) -> Option<(VarId, VarDecl)> {
        let table = self.world.tables.get(usize::from(table))?;
        let Columns::Words { variables, .. } = &table.columns else {
            return None;
        };
        let first = *variables.first()?;
        Some((first, self.world.var(first)?.clone()))
    }

    /// Returns the variable of records of `x`, `x[a]` or `x[a][b]`.
    pub(crate) fn records_named<'e>(&self, expr: &'e ast::Expr) -> Option<Named<'e>> {
        let (name, keys) = self.name_with_keys(expr)?;
        let Some(Symbol::Records(table)) = self.world.declared(&name.text) else {
            return None;
        };
        self.world.mark_used(&name.text);
        let (first, var) = self.first_part(table)?;
        Some(Named {
            table,
            first,
            var,
            name,
            keys,
        })
    }

    /// `bid`, `bids`
    pub(crate) fn variable_of_records(&mut self, name: &Name) -> Option<Value> {
        let kind = ExprKind::Name(name.clone());
        let expr = ast::Expr::new(kind, name.span);
        let named = self.records_named(&expr)?;
        self.records_of(&named, name.span)
    }

    /// Reads a variable of records.
    pub(crate) fn records_of(&mut self, named: &Named<'_>, span: Span) -> Option<Value> {
        let Named {
            table,
            first,
            ref var,
            name,
            ref keys,
        } = *named;
        let of = Some(Type::Record(table));
        let wanted = named.keys_wanted();
        if keys.len() < wanted && var.rows.is_empty() {
            return self.variable(first, name);
        }
        let (own, member) = match keys.split_at_checked(wanted) {
            Some((own, [])) => (own, None),
            Some((own, [member])) if var.list.is_some() => (own, Some(*member)),
            _ if wanted == 0 => return self.not_indexed(name),
            _ => (keys.as_slice(), None), // whose number is reported
        };
        let at = match (own, var.index) {
            _ if !var.rows.is_empty() => Some(self.word_by_keys(first, name, own)?),
            ([key], Some(by)) => Some(self.one(key, by)?),
            _ => None,
        };
        let value = match var.list {
            Some(_) => {
                let place = match var.rows.is_empty() {
                    true => self.list_place(first, at)?,
                    false => self.list_by_keys(first, at?)?,
                };
                self.stored_records(&place, table)
            }
            None => Value::One(at.unwrap_or_else(|| self.b.constant(0)), of),
        };
        match member {
            Some(member) => self.member_of(value, member, span),
            None => Some(value),
        }
    }

    /// `p.claim`: the records of a variable at a key that is translated already.
    pub(crate) fn records_at(&mut self, table: u16, key: ExprId, of: Type) -> Option<Value> {
        let (first, var) = self.first_part(table)?;
        let by = var.index.filter(|_| var.rows.is_empty())?;
        if !self.world.fits(Some(of), Some(by)) {
            return None;
        }
        Some(match self.list_place(first, Some(key)) {
            Some(place) => self.stored_records(&place, table),
            None => Value::One(key, Some(Type::Record(table))),
        })
    }

    fn stored_records(&mut self, place: &ListPlace, table: u16) -> Value {
        Value::List(self.numbers_of_members(place), Some(Type::Record(table)))
    }
}

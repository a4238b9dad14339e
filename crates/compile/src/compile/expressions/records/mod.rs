//! Records: values with several parts, such as `claim(active, red, 4)`.
//!
//! A program has no records. A variable of records is a variable for each part, and a parameter is a parameter for each
//! part, `bid.by` and `bid.amount`. A record in an expression is either the list of its parts ([`Value::Record`]) or, if it
//! is in a table, its number in it: a value of [`Type::Record`]. The members of a list of records are such numbers, so
//! filters and functions of lists need no case for records.

mod names;
mod place;
mod query;
mod set;

pub(crate) use names::part_name;

use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::declaration::{Columns, RecordDecl, WordRun, WrittenPart};
use crate::names::types::{Families, Ty, default_of};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, BinaryOp, Name};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Returns the number of the type of a record, or of the members of a list of records.
    pub(crate) fn record_type(&self, of: Option<Type>) -> Option<u16> {
        let Some(Type::Record(table)) = of else {
            return None;
        };
        let table = self.world.tables.get(usize::from(table))?;
        Some(table.record)
    }

    pub(crate) fn record_decl(&self, record: u16) -> RecordDecl {
        let decl = self.world.records.get(usize::from(record));
        decl.cloned().unwrap_or(RecordDecl {
            name: String::new(),
            parts: Vec::new(),
            bundle_of: None,
            bundles: Vec::new(),
        })
    }

    /// `claim(active, red, 4)`
    pub(crate) fn record_call(
        &mut self,
        record: u16,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Value> {
        let decl = self.record_decl(record);
        if decl.bundle_of.is_some() {
            return self.bundle_call(record, args, span);
        }
        let written = decl.written_parts();
        if args.len() != written.len() {
            let parts = crate::compile::expressions::advice::counted(written.len(), "part");
            let message = format!("`{}` has {parts}, {} given", decl.name, args.len());
            let help = format!("write all parts in this order: `{}`", self.form_of(&decl));
            return self.problem("wrong-number-of-parts", span, message, help);
        }
        let mut parts = Some(Vec::new());
        for (arg, written) in args.iter().zip(&written) {
            let (_, of) = decl.parts.get(written.values.start)?;
            let values = match written.bundle {
                None => self.one(arg, *of).map(|value| vec![value]),
                Some(bundle) => self
                    .expr(arg, Some(Type::Record(bundle)))
                    .and_then(|value| self.parts_of(value, bundle, arg.span)),
            };
            parts = parts
                .zip(values)
                .map(|(parts, values)| [parts, values].concat());
        }
        Some(self.record_with(record, &parts?))
    }

    /// Returns how a record is written: `claim(by, on, amount)`.
    pub(crate) fn form_of(&self, decl: &RecordDecl) -> String {
        format!("{}({})", decl.name, decl.names_of_parts())
    }

    /// Reports the name of a type where a value is needed.
    pub(crate) fn record_as_value(&mut self, record: u16, name: &Name) -> Option<Value> {
        let decl = self.record_decl(record);
        let message = format!("`{}` is a type, not a value", name.text);
        let sample = self.sample(record);
        let help = match decl.bundle_of {
            Some(_) => format!("write `{sample}`, or choose `2 x in {}`", name.text),
            None => format!("write the parts of the value: `{}`", self.form_of(&decl)),
        };
        self.problem("record-as-value", name.span, message, help)
    }

    /// Returns a record of these parts.
    pub(crate) fn record_with(&mut self, record: u16, parts: &[ExprId]) -> Value {
        Value::Record(record, self.b.row(parts))
    }

    // ---- parts

    /// Returns the parts of a record; `None` after a diagnostic. `none` has parts that are none, 0 and false.
    pub(crate) fn parts_of(
        &mut self,
        value: Value,
        record: u16,
        span: Span,
    ) -> Option<Vec<ExprId>> {
        let value = self.as_bundle(value, record);
        let decl = self.record_decl(record);
        let is_none = matches!(value, Value::One(_, None));
        if is_none {
            let nothing = decl
                .parts
                .iter()
                .map(|(_, of)| self.b.constant(default_of(*of)));
            return Some(nothing.collect());
        }
        if self.record_type(value.ty().of) != Some(record) || value.ty().list {
            return self.no_such_record(value.ty(), record, span);
        }
        Some(
            (0..decl.parts.len())
                .map(|at| self.part(value, at))
                .collect(),
        )
    }

    /// Reports something else in place of a record.
    fn no_such_record<T>(&mut self, found: Ty, record: u16, span: Span) -> Option<T> {
        let wanted = Ty::one(Type::Record(record));
        let of_bundle = self.advice_on_bundle(record);
        if found.list && of_bundle.is_none() {
            return self.mismatch(span, found, wanted);
        }
        let help = of_bundle.unwrap_or_else(|| {
            let form = self.form_of(&self.record_decl(record));
            format!("write its parts: `{form}`")
        });
        let (found, wanted) = (self.world.name_of(found), self.world.name_of(wanted));
        let message = format!("expected {wanted}, found {found}");
        self.problem("wrong-type", span, message, help)
    }

    /// Returns a part of a record.
    pub(crate) fn part(&mut self, value: Value, number: usize) -> ExprId {
        match value {
            Value::Record(_, first) => first + number as ExprId,
            Value::One(at, Some(Type::Record(table))) => self.part_at(table, number, at),
            Value::One(value, _) => value,
            Value::List(..) => self.b.constant(NONE),
        }
    }

    /// Returns a part of the record with this number in its table.
    fn part_at(&mut self, table: u16, number: usize, at: ExprId) -> ExprId {
        let default = self.record_type(Some(Type::Record(table)));
        let default = default.map(|record| self.record_decl(record).parts);
        let default = default.and_then(|parts| parts.get(number).map(|(_, of)| default_of(*of)));
        let default = default.unwrap_or(NONE);
        let table = self.world.tables.get(usize::from(table));
        let part = match table.map(|table| &table.columns) {
            Some(Columns::Words {
                offsets, low, len, ..
            }) => {
                let (low, len) = (*low, *len);
                let offset = offsets.get(number).copied().unwrap_or_default();
                let is_single = (low, len) == (0, 1) && self.b.get(at) == Expr::Const(0);
                match is_single {
                    true => Expr::Word(offset),
                    false => WordRun::new(offset, low, len).at(at, default),
                }
            }
            Some(Columns::Lists { lists, .. }) => {
                Expr::Nth(lists.get(number).copied().unwrap_or_default(), at, default)
            }
            Some(Columns::None) | None => Expr::Const(default),
        };
        self.b.expr(part)
    }

    /// `bid.amount`, `last(bids).amount`: a part of a record, or of each record of a list.
    pub(crate) fn part_named(&mut self, value: Value, name: &str) -> Option<Value> {
        let record = self.record_type(value.ty().of)?;
        let decl = self.record_decl(record);
        let mut written = decl.written_parts().into_iter();
        if let Some(part) = written.find(|part| part.name == name && part.bundle.is_some()) {
            return self.bundle_in_record(value, part);
        }
        let parts = decl.parts;
        let number = parts.iter().position(|(part, _)| part == name)?;
        let (_, of) = parts.get(number)?;
        let Value::List(set, Some(Type::Record(table))) = value else {
            return Some(Value::One(self.part(value, number), Some(*of)));
        };
        let lists = self.part_lists(set, table);
        Some(Value::List(*lists.get(number)?, Some(*of)))
    }

    /// Returns the bundle that is a part of a record, or that of each record of a list.
    fn bundle_in_record(&mut self, value: Value, part: WrittenPart) -> Option<Value> {
        let bundle = part.bundle?;
        let Value::List(set, Some(Type::Record(table))) = value else {
            let amounts: Vec<ExprId> = part.values.map(|at| self.part(value, at)).collect();
            return Some(self.record_with(bundle, &amounts));
        };
        let lists = self.part_lists(set, table);
        let lists = lists.get(part.values)?.to_vec();
        Some(self.list_of_records(bundle, lists))
    }

    // ---- lists

    /// Returns a list of each part of the records with these numbers.
    pub(crate) fn part_lists(&mut self, set: SetId, table: u16) -> Vec<SetId> {
        let Some(decl) = self.world.tables.get(usize::from(table)) else {
            return Vec::new();
        };
        if let Columns::Lists { lists, all } = &decl.columns
            && *all == set
        {
            return lists.clone();
        }
        let parts = self.record_decl(decl.record).parts.len();
        let of_part = |c: &mut Self, number| {
            let temp = c.scope.fresh_temp(Ty::INT);
            let at = c.b.temp(temp);
            let key = c.part_at(table, number, at);
            c.b.set(Set::Keys { of: set, temp, key })
        };
        (0..parts).map(|number| of_part(self, number)).collect()
    }

    /// Returns the lists of the parts of a list of records, or of one record; `None` after a diagnostic.
    pub(crate) fn list_columns(
        &mut self,
        value: Value,
        record: u16,
        span: Span,
    ) -> Option<Vec<SetId>> {
        let (set, of) = match value {
            Value::Record(own, first) => self.list_of_one(own, first),
            Value::One(at, of @ Some(Type::Record(_))) => (self.b.list(&[at]), of),
            Value::One(..) | Value::List(..) => self.list_of(value),
        };
        let Some(Type::Record(table)) = of else {
            if of.is_none() && value.ty().list {
                let parts = self.record_decl(record).parts.len();
                return Some(vec![set; parts]); // an empty list
            }
            return self.mismatch(span, value.ty(), Ty::list(Type::Record(record)));
        };
        if self.record_type(of) != Some(record) {
            return self.mismatch(span, Ty::list(of), Ty::list(Type::Record(record)));
        }
        Some(self.part_lists(set, table))
    }

    /// Returns the parts of a record, or the lists of the parts of a list of records; `None` after a diagnostic.
    pub(crate) fn columns(
        &mut self,
        value: Value,
        record: u16,
        is_list: bool,
        span: Span,
    ) -> Option<Vec<Value>> {
        if is_list {
            let lists = self.list_columns(value, record, span)?.into_iter();
            return Some(lists.map(|list| Value::List(list, None)).collect());
        }
        let parts = self.parts_of(value, record, span)?.into_iter();
        Some(parts.map(|part| Value::One(part, None)).collect())
    }

    /// Returns the record of these parts, or the list of records with these lists of parts.
    pub(crate) fn record_of(&mut self, record: u16, is_list: bool, columns: Vec<Value>) -> Value {
        let (mut parts, mut lists) = (Vec::new(), Vec::new());
        for column in columns {
            match column {
                Value::One(part, _) => parts.push(part),
                Value::List(list, _) => lists.push(list),
                Value::Record(..) => {}
            }
        }
        match is_list {
            true => self.list_of_records(record, lists),
            false => self.record_with(record, &parts),
        }
    }

    /// Returns the list of the records with these parts.
    pub(crate) fn list_of_records(&mut self, record: u16, lists: Vec<SetId>) -> Value {
        let first = lists.first().copied().unwrap_or_default();
        let (one, count) = (self.b.constant(1), self.b.expr(Expr::Count(first)));
        let all = self.b.set(Set::Range(one, count));
        let table = self.world.add_table(record, Columns::Lists { lists, all });
        Value::List(all, Some(Type::Record(table)))
    }

    /// Returns one record as a list.
    pub(crate) fn list_of_one(&mut self, record: u16, first: ExprId) -> (SetId, Option<Type>) {
        let parts = self.record_decl(record).parts.len() as ExprId;
        let lists = (first..first + parts).map(|first| self.b.set(Set::List { first, count: 1 }));
        let lists = lists.collect();
        match self.list_of_records(record, lists) {
            Value::List(set, of) => (set, of),
            Value::One(..) | Value::Record(..) => (first, None),
        }
    }

    /// `[claim(active, red, 4), bid]`, of which the one with this number is translated.
    pub(crate) fn literal_of_records(
        &mut self,
        number: usize,
        known: Value,
        record: u16,
        items: &[ast::Expr],
    ) -> Option<Value> {
        let mut values = Vec::new();
        for item in items {
            let value = match values.len() == number {
                true => known,
                false => self.expr(item, Some(Type::Record(record)))?,
            };
            values.push(value.at(item.span));
        }
        self.records_literal(record, &values)
    }

    fn records_literal(&mut self, record: u16, items: &[ValueAt]) -> Option<Value> {
        let mut rows = Vec::new();
        for item in items {
            rows.push(self.parts_of(item.value, record, item.span)?);
        }
        let parts = self.record_decl(record).parts.len();
        let lists = (0..parts).map(|number| {
            let column = rows.iter().filter_map(|row| row.get(number).copied());
            let column: Vec<ExprId> = column.collect();
            self.b.list(&column)
        });
        let lists = lists.collect();
        Some(self.list_of_records(record, lists))
    }

    /// `bids + more`, `bids - [bid]`
    pub(crate) fn records_sum(
        &mut self,
        op: BinaryOp,
        left: ValueAt,
        right: ValueAt,
    ) -> Option<Value> {
        let record = self.record_type(left.value.ty().of)?;
        if op == BinaryOp::Subtract {
            let (set, of) = self.list_of(left.value);
            return self.records_without(set, of, right, record);
        }
        let left = self.list_columns(left.value, record, left.span)?;
        let right = self.list_columns(right.value, record, right.span)?;
        let both = left.into_iter().zip(right);
        let lists = both.map(|(one, other)| self.b.set(Set::Concat(one, other)));
        let lists = lists.collect();
        Some(self.list_of_records(record, lists))
    }

    /// Returns the records of a list that are not among others.
    pub(crate) fn records_without(
        &mut self,
        set: SetId,
        of: Option<Type>,
        removed: ValueAt,
        record: u16,
    ) -> Option<Value> {
        let temp = self.scope.fresh_temp(Ty::one(of));
        let member = Value::One(self.b.temp(temp), of);
        let found = self.is_among(member, removed.value, record, removed.span)?;
        let condition = self.b.not(found);
        let rest = self.b.filtered(set, temp, condition);
        Some(Value::List(rest, of))
    }

    // ---- comparisons

    /// `bid = last_bid`, `bid = none`; `None`: neither is a record.
    pub(crate) fn records_equal(
        &mut self,
        op: BinaryOp,
        left: ValueAt,
        right: ValueAt,
    ) -> Attempt<Value> {
        let (one, other) = (left.value.ty(), right.value.ty());
        if one.list || other.list {
            return None;
        }
        let of = self.record_type(one.of);
        let record = of.or_else(|| self.record_type(other.of))?;
        let fits = |c: &Self, ty: Ty| ty.of.is_none() || c.record_type(ty.of) == Some(record);
        if !fits(self, one) || !fits(self, other) {
            return Some(self.never_alike(one, other, right.span, None));
        }
        let equal = self.equal_parts(left, right, record)?;
        let expr = match op == BinaryOp::Equal {
            true => equal,
            false => self.b.not(equal),
        };
        Some(Some(Value::One(expr, Some(Type::Bool))))
    }

    fn equal_parts(&mut self, left: ValueAt, right: ValueAt, record: u16) -> Option<ExprId> {
        let left = self.parts_of(left.value, record, left.span)?;
        let right = self.parts_of(right.value, record, right.span)?;
        let mut all = self.b.constant(1);
        for (one, other) in left.into_iter().zip(right) {
            let equal = self.b.binary(Binary::Equal, one, other);
            all = self.b.and(all, equal);
        }
        Some(all)
    }

    /// `bid in bids`: whether a record is one of these.
    pub(crate) fn is_among(
        &mut self,
        member: Value,
        list: Value,
        record: u16,
        span: Span,
    ) -> Option<ExprId> {
        if !list.ty().list {
            return self.equal_parts(member.at(span), list.at(span), record);
        }
        let (set, of) = self.list_of(list);
        if of.is_some() && self.record_type(of) != Some(record) {
            return self.mismatch(span, list.ty(), Ty::list(Type::Record(record)));
        }
        let temp = self.scope.fresh_temp(Ty::one(of));
        let other = Value::One(self.b.temp(temp), of);
        let condition = self.equal_parts(member.at(span), other.at(span), record)?;
        Some(self.b.some(set, temp, condition))
    }

    /// `if c then bid else claim(active, red, 4)`; `None`: both are in the same table, or neither is a record.
    pub(crate) fn records_either(
        &mut self,
        condition: ExprId,
        left: ValueAt,
        right: ValueAt,
    ) -> Attempt<Value> {
        let (one, other) = (left.value.ty(), right.value.ty());
        let is_record = |ty: Ty| matches!(ty.of, Some(Type::Record(_)));
        let same = one == other && !matches!(left.value, Value::Record(..));
        if same || !is_record(one) && !is_record(other) {
            return None;
        }
        let of = self.record_type(one.of);
        let record = of.or_else(|| self.record_type(other.of))?;
        let is_list = one.list || other.list;
        let left = self.columns(left.value, record, is_list, left.span);
        let right = self.columns(right.value, record, is_list, right.span);
        let both = match (left, right) {
            (Some(left), Some(right)) => left.into_iter().zip(right),
            _ => return Some(None),
        };
        let parts = both.map(|(one, other)| self.one_or_other(condition, one, other, None));
        let parts = parts.collect();
        Some(Some(self.record_of(record, is_list, parts)))
    }

    /// Reports a record where a value with one part is needed.
    pub(crate) fn not_a_record<T>(&mut self, value: Value, span: Span) -> Option<T> {
        let record = self.record_type(value.ty().of)?;
        let decl = self.record_decl(record);
        let parts: Vec<String> = decl
            .parts
            .iter()
            .map(|(name, _)| format!("`.{name}`"))
            .collect();
        let what = self.world.name_of(value.ty().element());
        let message = format!("{what} has several parts, and this needs a single value");
        let help = format!("name the part: {}", parts.join(", "));
        self.problem("record-as-value", span, message, help)
    }
}

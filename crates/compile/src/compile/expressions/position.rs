//! `record board`, `recorded(board)`: positions that the game remembers.

use crate::compile::compiler::Compiler;
use crate::compile::terms::value::Value;
use crate::names::declaration::Columns;
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_lang::ast::{self, ExprKind};
use wyrmgate_program::*;

/// Stands between two values of a position, so that no member of one list counts as a member of the next. No value of
/// the language is this number in practice, and lists are mostly of equal length.
const BETWEEN: i32 = i32::MIN;

impl Compiler<'_> {
    /// Declares the positions, each as a query that lists its values.
    pub fn declare_positions(&mut self) {
        for (position, def) in (0..).zip(&self.def.positions.kept) {
            let id = self.new_query(&def.name, 0);
            self.queries.positions.push(id);
            let symbol = Symbol::Position(position);
            self.world.declare(&def.name, symbol, self.report);
        }
    }

    pub fn translate_positions(&mut self) {
        let def = self.def;
        for (at, position) in def.positions.kept.iter().enumerate() {
            let outer = std::mem::take(&mut self.scope);
            let body = self.values_of_position(&position.value);
            let temps = self.scope.temps_max;
            self.scope = outer;
            let query = self.queries.positions.get(at).map(|id| usize::from(*id));
            let info = query.and_then(|id| self.b.program.queries.get_mut(id));
            if let (Some(body), Some(info)) = (body, info) {
                info.temps = temps;
                info.body = QueryBody::List(body);
            }
        }
    }

    fn values_of_position(&mut self, value: &ast::Expr) -> Option<SetId> {
        let parts = if let ExprKind::List(parts) = &value.kind {
            parts.as_slice()
        } else {
            std::slice::from_ref(value)
        };
        let parts: Vec<Option<SetId>> = parts
            .iter()
            .map(|part| self.part_of_position(part))
            .collect();
        let parts = parts.into_iter().collect::<Option<Vec<SetId>>>()?;
        let all = parts.into_iter().reduce(|before, part| {
            let between = self.b.constant(BETWEEN);
            let between = self.b.list(&[between]);
            let before = self.b.set(Set::Concat(before, between));
            self.b.set(Set::Concat(before, part))
        });
        Some(all.unwrap_or_else(|| self.b.set(Set::Empty)))
    }

    /// Translates a value, the members of a list, or all values of a variable.
    fn part_of_position(&mut self, part: &ast::Expr) -> Option<SetId> {
        if let ExprKind::Name(name) = &part.kind
            && let Some(Symbol::Var(id)) = self.world.symbol(&name.text)
            && let Some(var) = self.world.var(id)
            && (var.index.is_some() || var.list.is_some())
        {
            let (offset, len) = (var.offset, var.words());
            return Some(self.b.set(Set::Words { offset, len }));
        }
        if let Some(words) = self.words_of_records(part) {
            return Some(words);
        }
        match self.expr(part, None)? {
            Value::List(_, of @ Some(Type::Zone(_))) => {
                let what = self.world.name_of(Ty::list(of));
                let message = format!("this is always the same: {what}");
                let help = "say what matters about each: `keys(square, top(it).owner)`";
                self.problem("position-of-zones", part.span, message, help)
            }
            Value::Record(record, first) => {
                let count = self.record_decl(record).parts.len() as u16;
                Some(self.b.set(Set::List { first, count }))
            }
            value @ (Value::One(_, Some(Type::Record(_)))
            | Value::List(_, Some(Type::Record(_)))) => self.not_a_record(value, part.span),
            Value::List(set, _) => Some(set),
            Value::One(value, _) => Some(self.b.list(&[value])),
        }
    }

    /// Returns all parts of all records of a variable.
    fn words_of_records(&mut self, part: &ast::Expr) -> Option<SetId> {
        let table = self
            .records_named(part)
            .filter(|named| named.keys.is_empty())?
            .table;
        let Columns::Words { variables, .. } =
            self.world.tables.get(usize::from(table))?.columns.clone()
        else {
            return None;
        };
        let vars = variables.iter().filter_map(|id| self.world.var(*id));
        let words: Vec<Set> = vars
            .map(|var| Set::Words {
                offset: var.offset,
                len: var.words(),
            })
            .collect();
        let lists = words.into_iter().map(|words| self.b.set(words));
        let lists: Vec<SetId> = lists.collect();
        lists
            .into_iter()
            .reduce(|one, other| self.b.set(Set::Concat(one, other)))
    }

    /// `record board`
    pub fn record(&mut self, position: &ast::Expr) -> Option<()> {
        let (position, of) = self.position(position)?;
        self.b.emit(Op::Record { position, of });
        Some(())
    }

    /// `recorded(board)`
    pub fn recorded(&mut self, position: &ast::Expr) -> Option<Value> {
        let (position, of) = self.position(position)?;
        let recorded = self.b.expr(Expr::Recorded { position, of });
        Some(Value::One(recorded, Some(Type::Int)))
    }

    fn position(&mut self, expr: &ast::Expr) -> Option<(PositionId, SetId)> {
        let name = expr.as_name();
        let symbol = name.and_then(|name| self.world.symbol(&name.text));
        if let Some(Symbol::Position(position)) = symbol {
            let query = self.queries.positions.get(usize::from(position)).copied()?;
            let args = self.b.row(&[]);
            return Some((position, self.b.set(Set::Call { query, args })));
        }
        if name.is_some_and(|name| self.world.has_failed(&name.text)) {
            return None;
        }
        let known = self.def.positions.kept.first();
        let help = match known.map(|position| &position.name.text) {
            Some(known) => format!("name a position of the game, such as `{known}`"),
            None => "declare what makes the position: `positions: {board: [stone, active]}`".into(),
        };
        self.problem("no-position", expr.span, "this is no position", help)
    }
}

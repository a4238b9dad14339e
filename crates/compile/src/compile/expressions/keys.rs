//! Variables with several keys: `fee[p][red]`.
//!
//! Each combination of the keys before the last one is a variable of the program, and their words follow one another, so a
//! value is found by one number.

use crate::compile::builder::LATER;
use crate::compile::compiler::Compiler;
use crate::compile::terms::place::Change;
use crate::compile::terms::value::Value;
use crate::names::declaration::WordRun;
use crate::names::types::{Ty, default_of};
use crate::names::world::Symbol;
use wyrmgate_lang::ast::{self, ExprKind, Name};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Returns the name and the keys of `x`, `x[a]` or `x[a][b]`, unless the name is local.
    pub(crate) fn name_with_keys<'e>(
        &self,
        expr: &'e ast::Expr,
    ) -> Option<(&'e Name, Vec<&'e ast::Expr>)> {
        let (mut root, mut keys) = (expr, Vec::new());
        while let ExprKind::Index(of, index) = &root.kind {
            keys.insert(0, &**index);
            root = of;
        }
        let name = root.as_name()?;
        self.scope
            .find(&name.text)
            .is_none()
            .then_some((name, keys))
    }

    /// Returns the variable with several keys of `x[a][b]`, its name and the keys.
    pub(crate) fn keys_of_variable<'e>(
        &self,
        of: &'e ast::Expr,
        index: &'e ast::Expr,
    ) -> Option<(VarId, &'e Name, Vec<&'e ast::Expr>)> {
        let (name, mut keys) = self.name_with_keys(of)?;
        keys.push(index);
        let Some(Symbol::Var(id)) = self.world.symbol(&name.text) else {
            return None;
        };
        let var = self.world.var(id)?;
        (!var.rows.is_empty()).then_some((id, name, keys))
    }

    /// Returns the number of a word among those of all keys: `none` if a key is none, and beyond the last word if a key is
    /// no key of the variable.
    pub(crate) fn word_by_keys(
        &mut self,
        id: VarId,
        name: &Name,
        keys: &[&ast::Expr],
    ) -> Option<ExprId> {
        let var = self.world.var(id)?.clone();
        let last = (var.index?, var.low, var.len);
        let own = var.rows.iter().map(|row| (row.of, row.low, row.count));
        let own: Vec<(Type, i32, u32)> = own.chain([last]).collect();
        if own.len() != keys.len() {
            let message = format!("`{}` has {} keys, not {}", name.text, own.len(), keys.len());
            let help = format!("write `{}{}`", name.text, "[…]".repeat(own.len()));
            return self.problem("not-indexed", name.span, message, help);
        }
        let (mut named, mut number) = (Vec::new(), None);
        let (mut all_known, mut any_none) = (self.b.constant(1), self.b.constant(0));
        for ((of, low, count), key) in own.into_iter().zip(keys) {
            let value = self.one(key, of)?;
            let value = self.evaluated_once(value, of, &mut named);
            let known = self.is_key(value, low, count);
            all_known = self.b.and(all_known, known);
            if of != Type::Int {
                let is_none = self.b.compare(Binary::Equal, value, NONE);
                any_none = self.b.expr(Expr::Or(any_none, is_none));
            }
            number = Some(match number {
                None => (value, low),
                Some((before, low_of_one)) => {
                    let pair = Expr::Pair(NumberPair {
                        one: before,
                        other: value,
                        low_of_one,
                        low_of_other: low,
                        count: count as i32,
                    });
                    (self.b.expr(pair), 0)
                }
            });
        }
        let (number, _) = number?;
        let none = self.b.constant(NONE);
        let beyond = self.b.constant(var.combinations() as i32);
        let missing = self.b.expr(Expr::If(any_none, none, beyond));
        let mut word = self.b.expr(Expr::If(all_known, number, missing));
        for (temp, value) in named.into_iter().rev() {
            word = self.b.expr(Expr::Let {
                value,
                temp,
                body: word,
            });
        }
        Some(word)
    }

    /// Evaluates a value once into a temp, unless it is cheap enough to be evaluated twice.
    fn evaluated_once(
        &mut self,
        value: ExprId,
        of: Type,
        named: &mut Vec<(Temp, ExprId)>,
    ) -> ExprId {
        let is_plain = matches!(
            self.b.get(value),
            Expr::Const(_) | Expr::Local(_) | Expr::Temp(_)
        );
        if is_plain {
            return value;
        }
        let temp = self.scope.temp(Ty::one(of));
        named.push((temp, value));
        self.b.temp(temp)
    }

    /// Returns the condition that a value is among the keys of a variable: `count` numbers from `low`.
    fn is_key(&mut self, value: ExprId, low: i32, count: u32) -> ExprId {
        let first = self.b.constant(low);
        let beyond = self.b.constant(low.saturating_add_unsigned(count));
        let from = self.b.binary(Binary::MoreOrEqual, value, first);
        let below = self.b.binary(Binary::Less, value, beyond);
        self.b.and(from, below)
    }

    pub(crate) fn value_by_keys(&mut self, id: VarId, index: ExprId) -> Option<Value> {
        if let Some(place) = self.list_by_keys(id, index) {
            return Some(self.stored_list(&place));
        }
        let var = self.world.var(id)?.clone();
        let words = WordRun::new(var.offset, 0, var.words());
        let word = self.b.expr(words.at(index, default_of(var.of)));
        Some(Value::One(word, Some(var.of)))
    }

    /// Separates the index of a member from the keys of a variable with lists.
    pub(crate) fn with_member<'k, 'e>(
        &self,
        id: VarId,
        keys: &'k [&'e ast::Expr],
    ) -> (&'k [&'e ast::Expr], Option<&'e ast::Expr>) {
        let var = self.world.var(id);
        let lists = var.filter(|var| var.list.is_some());
        match (lists, keys) {
            (Some(var), [keys @ .., member]) if keys.len() == var.rows.len() + 1 => {
                (keys, Some(*member))
            }
            _ => (keys, None),
        }
    }

    /// `fee[p][red] = 2`, `offers[p][q] += 3`, `offers[p][q][2] = 5`
    pub(crate) fn set_by_keys(
        &mut self,
        of: &ast::Expr,
        index: &ast::Expr,
        change: Change<'_>,
    ) -> Option<()> {
        let Change { span, .. } = change;
        let (id, name, keys) = self.keys_of_variable(of, index)?;
        let (keys, member) = self.with_member(id, &keys);
        let index = self.word_by_keys(id, name, keys)?;
        if let Some(place) = self.list_by_keys(id, index) {
            return match member {
                Some(member) => self.set_member(&place, member, change),
                None => self.set_list(&place, change),
            };
        }
        let var = self.world.var(id)?.clone();
        let old = self.value_by_keys(id, index)?;
        let old = self.single(old, span)?;
        let value = self.new_value(old, Some(var.of), change)?;
        // A key that is none stands for nothing; a number that is not a key is a mistake.
        let is_some = self.b.compare(Binary::NotEqual, index, NONE);
        let past = self.b.emit(Op::JumpUnless(is_some, LATER));
        let words = WordRun::new(var.offset, 0, var.words());
        self.b.emit(words.set(index, value, true));
        self.b.land(past);
        Some(())
    }
}

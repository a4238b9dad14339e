//! Variables that hold lists: `bids: {type: ints, each: seats, most: 12}`, and lists as results of effects.
//!
//! A list takes a word for its length, and behind it a word for each member that it can have. The words of members that it
//! does not have contain the default of the type, so that equal lists are equal states. All statements about lists become
//! ordinary operations on words.

use crate::compile::builder::LATER;
use crate::compile::compiler::Compiler;
use crate::compile::compiler::notes::KeyedThing;
use crate::compile::terms::place::{Change, ListPlace, OfVariable};
use crate::compile::terms::value::Value;
use crate::names::declaration::{ListDecl, VarDecl, WordRun};
use crate::names::types::{Ty, default_of};
use wyrmgate_lang::ast::{self, SetOp};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Returns the list of a variable; `None` if the variable holds single values.
    pub(crate) fn list_place(&self, id: VarId, key: Option<ExprId>) -> Option<ListPlace> {
        let var = self.world.var(id)?.clone();
        let list = var.list?;
        Some(ListPlace::of_variable(var, list, key))
    }

    /// Returns one of the lists of a variable with several keys, by the number of their combination.
    pub(crate) fn list_by_keys(&self, id: VarId, number: ExprId) -> Option<ListPlace> {
        let var = self.world.var(id)?;
        let list = var.list?;
        let var = VarDecl {
            index: Some(Type::Int),
            low: 0,
            len: var.combinations(),
            rows: Vec::new(),
            ..var.clone()
        };
        Some(ListPlace::Variable(OfVariable {
            var,
            list,
            key: Some(number),
            is_combination: true,
        }))
    }

    // ---- reading

    /// Returns the members of a list.
    pub(crate) fn stored_list(&mut self, place: &ListPlace) -> Value {
        let of = Some(place.of());
        let place = match place {
            ListPlace::Variable(place) => place,
            ListPlace::Growing { slot, .. } => {
                return Value::List(self.b.set(Set::Local(*slot)), of);
            }
        };
        let Some(key) = place.key else {
            let (offset, len) = (place.list.members, place.list.most);
            let words = self.b.set(Set::Words { offset, len });
            let length = self.length_of_variable(place);
            return Value::List(self.b.set(Set::Take(words, length)), of);
        };
        let temp = self.scope.temp(place.key_type());
        let known = ListPlace::Variable(place.with_key(self.b.temp(temp)));
        let number = self.scope.temp(Ty::INT);
        let at = self.b.temp(number);
        let (first, length) = (self.b.constant(1), self.length_of(&known));
        let numbers = self.b.set(Set::Range(first, length));
        let member = self.member_at(&known, at);
        let list = self.b.set(Set::Keys {
            of: numbers,
            temp: number,
            key: member,
        });
        let value = key;
        Value::List(self.b.set(Set::Let { value, temp, list }), of)
    }

    /// Returns the list of the numbers of the members' words, which are the same for all parts of records.
    pub(crate) fn numbers_of_members(&mut self, place: &ListPlace) -> SetId {
        let (first, length) = (self.b.constant(1), self.length_of(place));
        let with_key = match place {
            ListPlace::Variable(place) => place.key.map(|key| (place, key)),
            ListPlace::Growing { .. } => None,
        };
        let Some((place, value)) = with_key else {
            return self.b.set(Set::Range(first, length));
        };
        let temp = self.scope.temp(place.key_type());
        let known = place.with_key(self.b.temp(temp));
        let number = self.scope.temp(Ty::INT);
        let at = self.b.temp(number);
        let length = self.length_of_variable(&known);
        let of = self.b.set(Set::Range(first, length));
        let (_, key) = self.word_of(&known, at);
        let list = self.b.set(Set::Keys {
            of,
            temp: number,
            key,
        });
        self.b.set(Set::Let { value, temp, list })
    }

    fn length_of(&mut self, place: &ListPlace) -> ExprId {
        match place {
            ListPlace::Variable(place) => self.length_of_variable(place),
            ListPlace::Growing { slot, .. } => self.b.local(slot + 1),
        }
    }

    fn length_of_variable(&mut self, place: &OfVariable) -> ExprId {
        self.b.expr(match place.key {
            None => Expr::Word(place.var.offset),
            Some(index) => place.var.run().at(index, 0),
        })
    }

    fn member_at(&mut self, place: &ListPlace, number: ExprId) -> ExprId {
        let place = match place {
            ListPlace::Variable(place) => place,
            ListPlace::Growing { slot, of } => {
                let list = self.b.set(Set::Local(*slot));
                return self.b.expr(Expr::Nth(list, number, default_of(*of)));
            }
        };
        let (low, index) = self.word_of(place, number);
        let words = WordRun::new(place.list.members, low, place.words());
        self.b.expr(words.at(index, default_of(place.list.of)))
    }

    /// Returns the index of the word of a member, and the lowest one. The lists of all keys have their first members
    /// first.
    fn word_of(&mut self, place: &OfVariable, number: ExprId) -> (i32, ExprId) {
        match place.key {
            None => (1, number),
            Some(key) => {
                let pair = Expr::Pair(NumberPair {
                    one: number,
                    other: key,
                    low_of_one: 1,
                    low_of_other: place.var.low,
                    count: place.var.len as i32,
                });
                (0, self.b.expr(pair))
            }
        }
    }

    // ---- writing

    /// `xs = …`, `xs += …`, `xs -= …`
    pub(crate) fn set_list(&mut self, place: &ListPlace, change: Change<'_>) -> Option<()> {
        let Change { op, value, .. } = change;
        let has_none = !matches!(place.of(), Type::Int | Type::Bool);
        if matches!(value.kind, ast::ExprKind::None) && !has_none {
            return self.one(value, place.of()).map(|_| ()); // which reports it
        }
        let by = self.list_typed(value, place.of())?;
        let mark = self.scope.mark();
        let (place, past) = self.kept_place(place);
        match (op, self.b.get_set(by)) {
            (SetOp::Add, Set::List { first, count: 1 }) => self.append_one(&place, first),
            (SetOp::Add, _) => self.append(&place, by),
            (SetOp::Set, _) => self.replace_list(&place, by),
            (SetOp::Subtract, _) => {
                // What is subtracted is evaluated again for each member.
                self.scope.skip_used_temps();
                if let Value::List(old, _) = self.stored_list(&place) {
                    let rest = self.b.set(Set::Minus(old, by));
                    self.replace_list(&place, rest);
                }
            }
        }
        past.into_iter().for_each(|past| self.b.land(past));
        self.scope.reset(mark);
        Some(())
    }

    /// `xs[2] = …`: only a member that the list has.
    pub(crate) fn set_member(
        &mut self,
        place: &ListPlace,
        index: &ast::Expr,
        change: Change<'_>,
    ) -> Option<()> {
        let number = self.number(index)?;
        if let Some(known) = self.known_value(number) {
            let exists = (1..=place.most() as i32).contains(&known);
            let doubts = &mut self.notes.doubts;
            doubts.named.push((index.span, KeyedThing::Member, exists));
        }
        let mark = self.scope.mark();
        let (place, past) = self.kept_place(place);
        let number = self.kept_value(number, Type::Int);
        let old = self.member_at(&place, number);
        let value = self.new_value(old, Some(place.of()), change)?;
        let (first, length) = (self.b.constant(1), self.length_of(&place));
        let from = self.b.binary(Binary::MoreOrEqual, number, first);
        let to = self.b.binary(Binary::LessOrEqual, number, length);
        let exists = self.b.and(from, to);
        let beyond = self.b.constant(place.most() as i32 + 1);
        let number = self.b.expr(Expr::If(exists, number, beyond));
        self.set_word_of_member(&place, number, value);
        past.into_iter().for_each(|past| self.b.land(past));
        self.scope.reset(mark);
        Some(())
    }

    /// Evaluates the key once. A key that is none stands for nothing, so the statement is skipped; a number that is not a key is
    /// a fault.
    fn kept_place(&mut self, place: &ListPlace) -> (ListPlace, Option<Address>) {
        let ListPlace::Variable(of_variable) = place else {
            return (place.clone(), None);
        };
        let (Some(key), Some(of)) = (of_variable.key, of_variable.var.index) else {
            return (place.clone(), None);
        };
        let key = self.kept_value(key, of);
        let is_combination = of_variable.is_combination;
        let place = ListPlace::Variable(of_variable.with_key(key));
        let past = (of != Type::Int || is_combination).then(|| {
            let exists = self.b.compare(Binary::NotEqual, key, NONE);
            self.b.emit(Op::JumpUnless(exists, LATER))
        });
        if of == Type::Int {
            let length = self.length_of(&place);
            self.set_length(&place, length);
        }
        (place, past)
    }

    pub(crate) fn kept_value(&mut self, value: ExprId, of: Type) -> ExprId {
        if matches!(self.b.get(value), Expr::Const(_)) {
            return value;
        }
        let local = self.scope.local(Ty::one(of));
        self.b.emit(Op::Let(local, value));
        self.b.local(local)
    }

    fn append_one(&mut self, place: &ListPlace, value: ExprId) {
        let length = self.length_of(place);
        let next = self.sum_of(length, 1);
        self.set_word_of_member(place, next, value);
        self.set_length(place, next);
    }

    fn append(&mut self, place: &ListPlace, by: SetId) {
        let length = self.length_of(place);
        let before = self.kept_value(length, Type::Int);
        let height = self.scope.local(Ty::INT);
        self.b.emit(Op::Mark(height));
        let added = self.copy_members(place, by, Some(before));
        let length = self.b.binary(Binary::Add, before, added);
        self.set_length(place, length);
        self.b.emit(Op::Release(height));
    }

    /// Replaces the members, and resets the words of those that are left over.
    pub(crate) fn replace_list(&mut self, place: &ListPlace, by: SetId) {
        let height = self.scope.local(Ty::INT);
        self.b.emit(Op::Mark(height));
        let length = self.copy_members(place, by, None);
        self.reset_from(place, length);
        self.set_length(place, length);
        self.b.emit(Op::Release(height));
    }

    /// Emits a loop that copies a list behind the first members, and returns the number of members copied.
    fn copy_members(&mut self, place: &ListPlace, by: SetId, behind: Option<ExprId>) -> ExprId {
        self.each_listed(by, Ty::list(place.of()), |c, member, copied| {
            let number = match behind {
                None => copied,
                Some(before) => c.b.binary(Binary::Add, before, copied),
            };
            c.set_word_of_member(place, number, member);
        })
    }

    /// Emits a loop that resets the words of all members after the first ones.
    fn reset_from(&mut self, place: &ListPlace, kept: ExprId) {
        let last = self.scope.local(Ty::INT);
        let length = self.length_of(place);
        self.b.emit(Op::Let(last, length));
        let number = self.b.local(last);
        let top = self.b.here();
        let more = self.b.binary(Binary::More, number, kept);
        let exit = self.b.emit(Op::JumpUnless(more, LATER));
        let default = self.b.constant(place.nothing());
        self.set_word_of_member(place, number, default);
        let before = self.sum_of(number, -1);
        self.b.emit(Op::Let(last, before));
        self.b.emit(Op::Jump(top));
        self.b.land(exit);
    }

    fn sum_of(&mut self, number: ExprId, by: i32) -> ExprId {
        self.b.compare(Binary::Add, number, by)
    }

    fn set_length(&mut self, place: &ListPlace, value: ExprId) {
        let place = match place {
            ListPlace::Variable(place) => place,
            ListPlace::Growing { slot, .. } => {
                self.b.emit(Op::Let(slot + 1, value));
                return;
            }
        };
        let offset = place.var.offset;
        self.b.emit(match place.key {
            None => Op::SetWord { offset, value },
            Some(index) => place.var.run().set(index, value, true),
        });
    }

    /// Sets the word of a member. A number beyond the maximum number of members is a fault.
    fn set_word_of_member(&mut self, place: &ListPlace, number: ExprId, value: ExprId) {
        let place = match place {
            ListPlace::Variable(place) => place,
            ListPlace::Growing { slot, .. } => {
                self.b.emit(Op::SetMember(MemberChange {
                    list: *slot,
                    most: place.most(),
                    number,
                    value,
                }));
                return;
            }
        };
        let (low, index) = self.word_of(place, number);
        let words = WordRun::new(place.list.members, low, place.words());
        self.b.emit(words.set(index, value, true));
    }

    // ---- results of effects

    /// `return [1, 2]` of an effect whose result is a list.
    pub(crate) fn set_list_result(&mut self, value: &ast::Expr, of: Type) -> Option<()> {
        let place = self.result_place(of)?;
        let (op, span) = (SetOp::Set, value.span);
        self.set_list(&place, Change { op, value, span })
    }

    /// Copies the result into a list of the frame and forgets it.
    pub(crate) fn take_list_result(&mut self, local: Local, of: Type) -> Option<()> {
        let place = self.result_place(of)?;
        if let Value::List(set, _) = self.stored_list(&place) {
            self.b.emit(Op::LetList(local, set));
        }
        let mark = self.scope.mark();
        let zero = self.b.constant(0);
        self.reset_from(&place, zero);
        self.set_length(&place, zero);
        self.scope.reset(mark);
        Some(())
    }

    /// Returns the place of a result that is a list. It is empty between results, so an effect without a `return` has an
    /// empty list as its result.
    fn result_place(&self, of: Type) -> Option<ListPlace> {
        let (id, list) = self.world.results.list?;
        let var = self.world.var(id)?.clone();
        let list = ListDecl { of, ..list };
        Some(ListPlace::of_variable(var, list, None))
    }
}

//! `let x = …`, `x = …`, `score[p] += …`, `c.laps -= …`.

use crate::compile::compiler::Compiler;
use crate::compile::scope::Binding;
use crate::compile::terms::place::{Change, ListPlace};
use crate::compile::terms::value::Value;
use crate::names::declaration::{FieldDecl, WordRun};
use crate::names::types::{Families, Ty, default_of};
use crate::names::walk::assignments;
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::{Span, did_you_mean};
use wyrmgate_lang::ast::{self, ExprKind, Name, SetOp, Stmt};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// `let x = …`. A list that the rest of the block changes gets room for more members.
    pub fn let_statement(&mut self, name: &Name, value: &ast::Expr, rest: &[Stmt]) -> Option<()> {
        let changes = assignments(rest, &name.text);
        if let Some(called) = self.let_result(name, value, value.span) {
            called?;
            return match changes.is_empty() {
                true => Some(()),
                false => self.give_room(name),
            };
        }
        let span = value.span;
        let Some(value) = self.expr(value, None) else {
            self.scope.bind(&name.text, Binding::Failed);
            return None;
        };
        if let Some((set, of)) = self.list_that_changes(name, value, &changes) {
            return self.let_growing(name, set, of);
        }
        self.let_value(name, value, !changes.is_empty(), span)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    pub fn set_statement(&mut self, target: &ast::Expr, change: Change<'_>) -> Option<()> {
        if self.shuffled_list(change.value).is_some() {
            let list = self.result_of(change.value)??;
            let value = &list;
            return self.set_statement(target, Change { value, ..change });
        }
        if let Some(done) = self.set_in_record(target, change) {
            return done;
        }
        match &target.kind {
            ExprKind::Name(name) => match self.scope.find(&name.text) {
                Some(Binding::Local(local, ty)) if !ty.list => {
                    let old = self.b.local(local);
                    let value = self.new_value(old, ty.of, change)?;
                    self.b.emit(Op::Let(local, value));
                    Some(())
                }
                Some(Binding::Failed) => None,
                Some(Binding::Growing(..)) => self.set_growing(name, change),
                Some(Binding::Local(..)) => self.list_set(name),
                Some(_) => self.cannot_set(target.span),
                None if self.world.has_failed(&name.text) => None,
                None => self.set_variable(name, change),
            },
            ExprKind::Index(of, index) => match &of.kind {
                ExprKind::Name(name) if self.scope.find(&name.text).is_some() => {
                    match self.scope.find(&name.text) {
                        Some(Binding::Failed) => None,
                        Some(Binding::Growing(slot, ty)) => {
                            let place = ListPlace::growing(slot, ty);
                            self.set_member(&place, index, change)
                        }
                        _ => self.list_set(name),
                    }
                }
                ExprKind::Index(of_list, key) if self.list_named(of_list).is_some() => {
                    let id = self.list_named(of_list)?;
                    let by = self.world.var(id)?.index?;
                    let key = self.one(key, by)?;
                    let place = self.list_place(id, Some(key))?;
                    self.set_member(&place, index, change)
                }
                _ if self.keys_of_variable(of, index).is_some() => {
                    self.set_by_keys(of, index, change)
                }
                ExprKind::Name(name) => self.set_indexed(name, index, change),
                _ => self.cannot_set(target.span),
            },
            ExprKind::Field(of, name, None) => self.set_field(of, name, change),
            _ => self.cannot_set(target.span),
        }
    }

    /// Returns the variable of this name, if it has a list for each value of one key.
    fn list_named(&self, of: &ast::Expr) -> Option<VarId> {
        let name = of.as_name()?;
        let Some(Symbol::Var(id)) = self.world.symbol(&name.text) else {
            return None;
        };
        let var = self.world.var(id)?;
        let is_shadowed = self.scope.find(&name.text).is_some();
        let has_one_key = var.index.is_some() && var.rows.is_empty();
        (var.list.is_some() && has_one_key && !is_shadowed).then_some(id)
    }

    fn list_set(&mut self, name: &Name) -> Option<()> {
        self.problem(
            "cannot-set",
            name.span,
            format!(
                "`{}` is a list that was given, and cannot change",
                name.text
            ),
            format!(
                "change a list of this effect: `let xs = {}`, and then `xs += …`",
                name.text
            ),
        )
    }

    pub(crate) fn cannot_set(&mut self, span: Span) -> Option<()> {
        let message = "this cannot be assigned";
        let help =
            "you can assign variables, `let` names and fields that change; `move` moves components";
        self.problem("cannot-set", span, message, help)
    }

    /// Reports an assignment to a name that is not a variable.
    fn cannot_set_symbol(&mut self, name: &Name, symbol: Symbol) -> Option<()> {
        let help = match symbol {
            Symbol::Constant | Symbol::Words(_) => {
                "declare state that changes during play under `vars:`"
            }
            Symbol::Query(_) => {
                "a query is evaluated whenever it is used; change the state it reads"
            }
            Symbol::Position(_) => {
                "a position consists of the values it declares; `record` remembers it"
            }
            Symbol::Family(_) => "use `move` to change the contents of a zone",
            Symbol::Kind(_) | Symbol::Plural(_) => {
                "`move` moves components; you can set their fields: `x.field = 1`"
            }
            Symbol::Enum(_) | Symbol::Var(_) | Symbol::RecordType(_) | Symbol::Records(_) => {
                "you can set variables, `let` names and fields that change"
            }
        };
        let message = format!(
            "`{}` is {} and cannot be assigned",
            name.text,
            symbol.describe()
        );
        self.problem("cannot-set", name.span, message, help)
    }

    /// `old op value`
    pub(crate) fn new_value(
        &mut self,
        old: ExprId,
        of: Option<Type>,
        change: Change<'_>,
    ) -> Option<ExprId> {
        let Change { op, value, span } = change;
        let binary = match op {
            SetOp::Set => None,
            SetOp::Add => Some(Binary::Add),
            SetOp::Subtract => Some(Binary::Subtract),
        };
        if binary.is_some() && of != Some(Type::Int) {
            let found = self.world.name_of(Ty::one(of));
            let message = format!("cannot add to {found}");
            let help = "`+=` and `-=` change numbers; use `=` to assign another value";
            return self.problem("not-a-number", span, message, help);
        }
        let by = match of {
            Some(of) => self.one(value, of)?,
            None => {
                let found = self.expr(value, None)?;
                self.single(found, value.span)?
            }
        };
        Some(match binary {
            Some(binary) => self.b.checked_expr(Expr::Binary(binary, old, by), span),
            None => by,
        })
    }

    fn set_variable(&mut self, name: &Name, change: Change<'_>) -> Option<()> {
        let id = match self.world.symbol(&name.text) {
            Some(Symbol::Var(id)) => id,
            Some(symbol) => return self.cannot_set_symbol(name, symbol),
            None => return self.undeclared_variable(name, change.value, false),
        };
        let var = self.world.var(id)?.clone();
        if var.index.is_some() {
            return self.set_without_key(name, &var, change);
        }
        let old = self.name(name, None)?;
        if let Some(place) = self.list_place(id, None) {
            return self.set_list(&place, change);
        }
        let old = self.single(old, name.span)?;
        let value = self.new_value(old, Some(var.of), change)?;
        self.b.set_word(var.offset, value);
        Some(())
    }

    fn set_indexed(&mut self, name: &Name, index: &ast::Expr, change: Change<'_>) -> Option<()> {
        let id = match self.world.symbol(&name.text) {
            Some(Symbol::Var(id)) => id,
            Some(symbol) => return self.cannot_set_symbol(name, symbol),
            None => return self.undeclared_variable(name, change.value, true),
        };
        let var = self.world.var(id)?.clone();
        let Some(by) = var.index else {
            if let Some(place) = self.list_place(id, None) {
                return self.set_member(&place, index, change);
            }
            return self.not_indexed(name);
        };
        let place = index.span;
        let index = self.one(index, by)?;
        self.has_key(id, index, place)?;
        self.store_at(id, index, change)
    }

    /// Reports a constant index that is not among the keys. Other indexes are checked during play.
    fn has_key(&mut self, id: VarId, index: ExprId, span: Span) -> Option<()> {
        let var = self.world.var(id)?;
        let (Some(Type::Int), Expr::Const(key)) = (var.index, self.b.get(index)) else {
            return Some(());
        };
        let (low, len) = (var.low, i64::from(var.len));
        let high = i64::from(low) + len - 1;
        if (i64::from(low)..=high).contains(&i64::from(key)) {
            return Some(());
        }
        let message = format!("`{}` has no value for {key}", var.name);
        let help = match len {
            0 => "its `each` has no values".to_owned(),
            1 => format!("its `each` is {low} alone: for several keys, write `1..{low}`"),
            2.. => format!("its `each` ranges from {low} to {high}"),
            ..0 => String::new(),
        };
        self.problem("no-such-key", span, message, help)
    }

    fn store_at(&mut self, id: VarId, index: ExprId, change: Change<'_>) -> Option<()> {
        let Change { span, .. } = change;
        if let Some(place) = self.list_place(id, Some(index)) {
            return self.set_list(&place, change);
        }
        let var = self.world.var(id)?.clone();
        let old = self.word_at(id, index);
        let old = self.single(old, span)?;
        let value = self.new_value(old, Some(var.of), change)?;
        let strict = var.index == Some(Type::Int);
        self.b.emit(var.run().set(index, value, strict));
        Some(())
    }

    /// Reports why a member of a component cannot be set.
    fn is_no_changing_field(&mut self, holder: Value, name: &Name) -> Option<()> {
        let is_zone = matches!(self.world.declared(&name.text), Some(Symbol::Family(_)));
        if is_zone || ["zone", "place", "holder"].contains(&name.text.as_str()) {
            let message = format!("`{}` follows from where the component lies", name.text);
            let help = "move it: `move c to hand(p)`, or `move c to deck at 1`";
            return self.problem("cannot-set", name.span, message, help);
        }
        if !self.members_known(holder.ty()).contains(&name.text) {
            self.unknown_member(holder, name);
            return None;
        }
        let message = format!("`{}` is constant during play", name.text);
        let help = "declare a field that changes with a type: `fields: {laps: int}`";
        self.problem("cannot-set", name.span, message, help)
    }

    fn set_field(&mut self, of: &ast::Expr, name: &Name, change: Change<'_>) -> Option<()> {
        let holder = self.expr(of, None)?;
        if let Value::Record(..) = holder {
            return self.cannot_set(of.span.to(name.span));
        }
        let Value::One(index, ty) = holder else {
            return self.mismatch(of.span, holder.ty(), holder.ty().element());
        };
        if let Some(Symbol::Var(id)) = self.world.symbol(&name.text)
            && let Some(var) = self.world.var(id)
            && let Some(by) = var.index.filter(|_| var.rows.is_empty())
            && self.world.fits(ty, Some(by))
        {
            return self.store_at(id, index, change);
        }
        if let Some(done) = self.set_part(index, ty, name, change) {
            return done;
        }
        let Some(Type::Component(Some(kind))) = ty else {
            let vars = self.world.vars.iter();
            let fits = vars.filter(|var| var.index.is_some_and(|by| self.world.fits(ty, Some(by))));
            if let Some(meant) = did_you_mean(&name.text, fits.map(|var| var.name.as_str())) {
                let help = format!("did you mean `{meant}`?");
                return self.problem("cannot-set", name.span, "this cannot be assigned", help);
            }
            return self.cannot_set(name.span);
        };
        if self.world.has_failed(&name.text) {
            return None;
        }
        let Some(field) = self.changing_field(kind, &name.text) else {
            return self.is_no_changing_field(holder, name);
        };
        let FieldPlace::Changing { offset, first } = field.place else {
            return None;
        };
        let words = WordRun::new(offset, first as i32, field.count);
        let old = self.b.expr(words.at(index, default_of(field.of)));
        let value = self.new_value(old, Some(field.of), change)?;
        self.b.emit(words.set(index, value, false));
        Some(())
    }

    fn changing_field(&self, kind: KindId, name: &str) -> Option<FieldDecl> {
        let field = self.world.field(kind, name);
        let is_changing = |f: &&FieldDecl| matches!(f.place, FieldPlace::Changing { .. });
        field.filter(is_changing).cloned()
    }
}

//! Arguments of functions: what a row takes, and the translation with it.

use super::{Function, Key, Takes, function};
use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::types::{Families, Ty};
use crate::names::walk::{mentions, mentions_it};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{self, Name};
use wyrmgate_program::*;

impl Compiler<'_> {
    pub(super) fn function(&mut self, name: &Name, args: &[ast::Expr]) -> Attempt<Value> {
        let row = function(&name.text)?;
        let problem = self.several_of_end(name, args);
        if let Some(problem) = problem.or_else(|| self.several_lists(row, args)) {
            return Some(self.push(problem));
        }
        if let Takes::Written(_, translate) = &row.takes {
            let translated = translate(self, args, name.span);
            return translated.or_else(|| Some(self.wrong_arguments(name)));
        }
        let Some((first, rest)) = args.split_first() else {
            return Some(self.wrong_arguments(name));
        };
        if let Some(asked) = self.of_selections(row, first, rest, name) {
            return Some(asked);
        }
        if let (Some((member, _)), [key]) = (ast::named_list(first), rest)
            && row.looks_at_members()
        {
            let list = self.named_source(first, &member.text);
            let list = list.map(|list| list.at(first.span));
            return Some(list.and_then(|list| self.keyed(row, list, key, Some(member))));
        }
        let Some(value) = self.expr(first, row.wants()) else {
            return Some(None);
        };
        let translated = match (&row.takes, rest) {
            (Takes::Extreme(binary), [other]) if !is_list(value) => {
                if value.ty() != Ty::INT && self.is_one_member(value).is_none() {
                    return Some(None);
                }
                let one = self.one_from(value, Type::Int, first.span);
                let other = self.number(other);
                let both = one.zip(other);
                Some(both.map(|(one, other)| self.int(Expr::Binary(*binary, one, other))))
            }
            // Without a key, the members themselves are the values.
            (Takes::Key(..) | Takes::Fold(..) | Takes::Extreme(_), []) => {
                Some(self.keyless(row, value, first.span))
            }
            _ => self.applied(row, value.at(first.span), rest, name),
        };
        translated.or_else(|| Some(self.wrong_arguments(name)))
    }

    /// `count(x in a, y in b where …)`: a function goes through one list.
    fn several_lists(&self, row: &Function, args: &[ast::Expr]) -> Option<Diagnostic> {
        let (first, rest) = args.split_first()?;
        let (one, _) = ast::named_list(first)?;
        let (other, _) = rest.iter().find_map(ast::named_list)?;
        let (outer, key) = if let Takes::List(_) = row.takes {
            ("sum", " where …")
        } else if row.looks_at_members() && !self.is_known(&other.text) {
            // The value for each member may ask whether something known is in a list.
            (row.name, ", …")
        } else {
            return None;
        };
        let (one, other, name) = (&one.text, &other.text, row.name);
        let message =
            format!("`{name}` goes through one list, so it takes `{one}` but not `{other}`");
        let help = format!(
            "put one function into the other: `{outer}({one} in …, {name}({other} in …{key}))`"
        );
        let span = rest.iter().fold(first.span, |span, arg| span.to(arg.span));
        Some(Diagnostic::error("several-lists", span, message).help(help))
    }

    /// Translates a call with these arguments, the first of which can also stand before a dot: `x.top`, `hand.count`.
    /// `None` if their number is wrong.
    pub(crate) fn applied(
        &mut self,
        row: &Function,
        first: ValueAt,
        args: &[ast::Expr],
        name: &Name,
    ) -> Attempt<Value> {
        let ValueAt { value, span } = first;
        let may_be_ordered = self.may_be_ordered(value);
        self.notes.ordered.push((name.span, may_be_ordered));
        match (&row.takes, args) {
            (Takes::List(fold), []) => {
                if row.name == "unique" && self.record_type(value.ty().of).is_some() {
                    return Some(self.no_record_here(value.ty().of, span));
                }
                if let Value::List(..) = value {
                    self.doubt_end_of_zones(value.ty(), name);
                }
                let list = self.list_from(value, span);
                Some(list.map(|(set, of)| fold(self, set, of)))
            }
            (Takes::Key(..) | Takes::Fold(..) | Takes::Extreme(_), [key]) => {
                Some(self.keyed(row, first, key, None))
            }
            (Takes::One(_, of, translate), []) => {
                let value = self.one_from(value, *of, span);
                Some(value.map(|value| translate(self, value)))
            }
            (Takes::Two(_, [of, and], translate), [other]) => {
                let first = self.one_from(value, *of, span);
                Some(first.and_then(|first| {
                    let other = self.one(other, *and)?;
                    Some(translate(self, (first, value.ty().of), other))
                }))
            }
            (Takes::ListAnd(_, of, translate), [other]) => Some({
                let list = self.list_from(value, span);
                list.and_then(|(set, members)| {
                    let other = match of {
                        Some(of) => self.one(other, *of)?,
                        None => self.member_like(members, other, name)?,
                    };
                    Some(translate(self, (set, members), other))
                })
            }),
            (Takes::Own(_, own), rest) => own(self, first, rest, name.span),
            _ => None,
        }
        .or_else(|| row.is_plain().then(|| self.wrong_arguments(name)))
    }

    /// `space.top`, where `space` lists zones: the last zone, and no component.
    fn doubt_end_of_zones(&mut self, list: Ty, name: &Name) {
        let (end, member) = match name.text.as_str() {
            "top" => ("last", "top"),
            "bottom" => ("first", "bottom"),
            _ => return,
        };
        if self.is_of_constants() || !matches!(list.of, Some(Type::Zone(_))) {
            return;
        }
        let message = format!("this is the {end} zone of the list, not a component");
        let help = format!(
            "write `{end}(…)` for the {end} zone, or `keys(…, {member}(it))` for the {member} component of each zone"
        );
        let warning = Diagnostic::warning("end-of-zones", name.span, message);
        self.report.push(warning.help(help));
    }

    /// Returns whether one order of it can differ from the reverse: not if a zone holds a single component, nor around a
    /// table of two seats.
    fn may_be_ordered(&self, value: Value) -> bool {
        match value.ty() {
            Ty {
                of: Some(Type::Zone(Some(family))),
                list: false,
            } => {
                let zones = self.b.program.zones.iter();
                let mut zones = zones.filter(|zone| zone.family == family);
                zones.any(|zone| zone.capacity.is_none_or(|capacity| capacity > 1))
            }
            ty => ty != Ty::one(Type::Seat) || self.world.seats > 2,
        }
    }

    /// Translates a value that could be a member of a list of these.
    fn member_like(
        &mut self,
        members: Option<Type>,
        expr: &ast::Expr,
        name: &Name,
    ) -> Option<ExprId> {
        let value = self.expr(expr, members)?;
        match value {
            Value::One(..) | Value::Record(..) => self.single(value, expr.span),
            list @ Value::List(..) => {
                let (found, wanted) = (list.ty(), list.ty().element());
                self.mismatch(name.span, found, wanted)
            }
        }
    }

    fn wrong_arguments(&mut self, name: &Name) -> Option<Value> {
        let form = function(&name.text).map_or("`NAME(list)`", Function::call_form);
        let message = format!("wrong arguments for `{}`", name.text);
        let help = format!("usage: {}", form.replace("NAME", &name.text));
        self.problem("wrong-arguments", name.span, message, help)
    }

    /// Translates a function that looks at each member, which may have a name: `x in S`.
    pub(super) fn keyed(
        &mut self,
        row: &Function,
        ValueAt { value, span }: ValueAt,
        key: &ast::Expr,
        name: Option<&Name>,
    ) -> Option<Value> {
        let (set, of) = self.list_from(value, span)?;
        let own = name.map(|name| name.text.as_str());
        if let Takes::Own(..) = row.takes {
            let (temp, value) = self.key_value(key, of, own)?;
            return Some(self.each_key(set, temp, value));
        }
        let (temp, found, ty) = self.key(key, of, own)?;
        if !mentions_it(key) && !own.is_some_and(|own| mentions(key, &[own])) {
            self.same_for_all(key, row);
        }
        self.folded(row, set, temp, found, ty, key.span)
    }

    /// `sum(seats, hand.count)`: the key does not depend on the member.
    fn same_for_all(&mut self, key: &ast::Expr, row: &Function) {
        let is_literal = matches!(key.kind, ast::ExprKind::Int(_) | ast::ExprKind::Bool(_));
        if is_literal || self.is_of_constants() {
            return;
        }
        let message = format!(
            "`{}` looks at each member, but this is the same for all",
            row.name
        );
        let help = "`it` is the member, and `.field` a field of it: `sum(seats, score[it])`, `sum(cards, .rank)`";
        let warning = Diagnostic::warning("same-for-all", key.span, message);
        self.report.push(warning.help(help));
    }

    fn keyless(&mut self, row: &Function, value: Value, span: Span) -> Option<Value> {
        if let Some(ty) = self.bundle_type(value.ty()).filter(|_| row.name == "sum") {
            return Some(Value::One(self.total(value, ty, span), Some(Type::Int)));
        }
        let (set, of) = self.list_from(value, span)?;
        let ty = Ty::one(of);
        row.key_fits(self, ty, span)?;
        let temp = self.scope.temp(ty);
        let key = self.b.temp(temp);
        self.folded(row, set, temp, key, ty, span)
    }

    /// Translates a function of the keys of the members.
    fn folded(
        &mut self,
        row: &Function,
        of: SetId,
        temp: Temp,
        key: ExprId,
        ty: Ty,
        span: Span,
    ) -> Option<Value> {
        row.key_fits(self, ty, span)?;
        match row.takes {
            Takes::Key(_, translate) => Some(translate(self, of, temp, (key, ty))),
            Takes::Fold(_, fold) => {
                let expr = Expr::Fold(FoldedKeys {
                    fold,
                    of,
                    temp,
                    key,
                });
                Some(Value::One(self.b.checked_expr(expr, span), Some(Type::Int)))
            }
            Takes::Extreme(binary) => {
                let most = binary == Binary::Max;
                let expr = Expr::Extreme(ExtremeKey {
                    of,
                    temp,
                    key,
                    most,
                });
                Some(Value::One(self.b.expr(expr), ty.of))
            }
            Takes::List(_)
            | Takes::One(..)
            | Takes::Two(..)
            | Takes::ListAnd(..)
            | Takes::Own(..)
            | Takes::Written(..) => None,
        }
    }
}

/// Returns whether functions accept it as a list: lists and zones.
fn is_list(value: Value) -> bool {
    matches!(value, Value::List(..) | Value::One(_, Some(Type::Zone(_))))
}

impl Function {
    /// Returns whether the second argument is evaluated for each member of the first.
    fn looks_at_members(&self) -> bool {
        let takes_key = matches!(
            self.takes,
            Takes::Key(..) | Takes::Fold(..) | Takes::Extreme(_)
        );
        takes_key || self.name == "keys"
    }

    /// Returns the type that settles what a bare value as the first argument means.
    fn wants(&self) -> Option<Type> {
        if let Takes::One(_, of, _) | Takes::Two(_, [of, _], _) = self.takes {
            return Some(of);
        }
        None
    }

    /// Returns whether a wrong number of arguments is an error at once. Other functions could be fields of the same
    /// name.
    fn is_plain(&self) -> bool {
        matches!(
            self.takes,
            Takes::One(..) | Takes::Two(..) | Takes::ListAnd(..) | Takes::Written(..)
        )
    }

    /// Returns how it is called.
    fn call_form(&self) -> &'static str {
        match self.takes {
            Takes::List(_) => "`NAME(list)`",
            Takes::Key(Key::Condition, _) | Takes::Fold(Key::Condition, _) => {
                "`NAME(cards, .rank > 3)`"
            }
            Takes::Key(..) | Takes::Fold(..) => "`NAME(cards, .rank)`",
            Takes::Extreme(_) => "`NAME(a, b)`, `NAME(numbers)` or `NAME(cards, .rank)`",
            Takes::One(form, ..)
            | Takes::Two(form, ..)
            | Takes::ListAnd(form, ..)
            | Takes::Own(form, _)
            | Takes::Written(form, _) => form,
        }
    }

    /// Checks the key of a function: numbers for sums and extremes, conditions for quantifiers.
    fn key_fits(&self, c: &mut Compiler<'_>, key: Ty, span: Span) -> Option<()> {
        let wanted = if let Takes::Key(key, _) | Takes::Fold(key, _) = self.takes {
            key
        } else {
            Key::Number
        };
        let wanted = match wanted {
            Key::Number => Ty::INT,
            Key::Condition => Ty::BOOL,
            Key::Anything if c.record_type(key.of).is_some() => {
                return c.no_record_here(key.of, span);
            }
            Key::Anything => return Some(()),
        };
        if c.world.fits(key.of, wanted.of) {
            return Some(());
        }
        c.mismatch(span, key, wanted)
    }
}

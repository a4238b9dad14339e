//! Values and lists, and conversions between the two.

use crate::compile::compiler::Compiler;
use crate::compile::terms::value::Value;
use crate::names::constant;
use crate::names::types::{Families, Ty};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast;
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Returns the type of a zone's members.
    pub fn members_of(&self, family: Option<FamilyId>) -> Type {
        let holds = family
            .and_then(|f| self.world.family(f))
            .and_then(|f| f.holds);
        Type::Component(holds)
    }

    /// Returns a list: itself, the contents of a zone, or a single value.
    pub fn list_of(&mut self, value: Value) -> (SetId, Option<Type>) {
        if let Some(ty) = self.bundle_type(value.ty()) {
            return (self.values_in(value, ty), Some(Type::Enum(ty.values)));
        }
        match value {
            Value::List(set, of) => (set, of),
            Value::One(expr, Some(Type::Zone(family))) => {
                let of = self.members_of(family);
                (self.b.set(Set::Zone(expr)), Some(of))
            }
            Value::One(row, Some(Type::Row(number))) => self.row_members(row, number),
            Value::One(expr, of) => (self.some_of(expr, of), of),
            Value::Record(record, first) => self.list_of_one(record, first),
        }
    }

    /// Returns the list of one value; the empty list if it is `none`.
    fn some_of(&mut self, expr: ExprId, of: Option<Type>) -> SetId {
        let list = self.b.list(&[expr]);
        if is_plain(of) || matches!(self.b.get(expr), Expr::Const(0..) | Expr::Temp(_)) {
            return list;
        }
        let temp = self.scope.fresh_temp(Ty::one(of));
        let (member, none) = (self.b.temp(temp), self.b.constant(NONE));
        let is_some = self.b.binary(Binary::NotEqual, member, none);
        self.b.filtered(list, temp, is_some)
    }

    /// Translates a list expression.
    pub fn list(&mut self, expr: &ast::Expr) -> Option<(SetId, Option<Type>)> {
        let value = self.expr(expr, None)?;
        self.list_from(value, expr.span)
    }

    /// Notes that a condition such as `sum(c, .cost) = 3` uses one of several members as a list. It is translated again
    /// with the list of all chosen ones, so nothing is reported.
    pub fn is_one_member(&mut self, value: Value) -> Option<()> {
        let Value::One(expr, of) = value else {
            return Some(());
        };
        let Expr::Temp(temp) = self.b.get(expr) else {
            return Some(());
        };
        match &mut self.scope.one_of_many {
            // Of a zone, the list is what lies in it.
            Some(one) if one.temp == temp && matches!(of, Some(Type::Zone(_))) => {
                one.is_zone_of_things = true;
                Some(())
            }
            Some(one) if one.temp == temp => {
                one.used_as_list = true;
                None
            }
            _ => Some(()),
        }
    }

    /// Returns the list that a value stands for, where a single number or truth value is a mistake.
    pub fn list_from(&mut self, value: Value, span: Span) -> Option<(SetId, Option<Type>)> {
        self.is_one_member(value)?;
        if let Value::One(_, of @ Some(Type::Int | Type::Bool)) = value {
            let found = self.world.name_of(value.ty());
            let help = match of {
                Some(Type::Int) => "for the numbers up to n, write `1..n`",
                _ => "to combine conditions, write `and` or `or`",
            };
            let problem = wrong_type(span, &found, "a list");
            return self.push(problem.help(help));
        }
        Some(self.list_of(value))
    }

    /// Translates a list whose members fit `wanted`.
    pub fn list_typed(&mut self, expr: &ast::Expr, wanted: Type) -> Option<SetId> {
        let value = self.expr(expr, Some(wanted))?;
        self.list_that_fits(value, wanted, expr.span)
    }

    /// Translates the seats of `p in S`, whose conditions may use the name.
    pub(crate) fn seats_named(&mut self, seats: &ast::Expr, name: &str) -> Option<SetId> {
        let value = match self.without_resigned(seats, name) {
            Some(seats) => self.named_source(&seats, name)?,
            None => self.named_source(seats, name)?,
        };
        self.list_that_fits(value, Type::Seat, seats.span)
    }

    fn list_that_fits(&mut self, value: Value, wanted: Type, span: Span) -> Option<SetId> {
        self.is_one_member(value)?;
        let (set, of) = match (value, wanted) {
            // where zones are wanted, a zone is a member and not its contents
            (Value::One(e, Some(Type::Zone(_))), Type::Zone(_)) => {
                (self.b.list(&[e]), Some(wanted))
            }
            // nobody is asked for a seat that is `none`
            (Value::One(e, Some(Type::Seat)), Type::Seat) => (self.b.list(&[e]), Some(wanted)),
            _ => self.list_of(value),
        };
        if !self.world.fits(of, Some(wanted)) {
            let single = matches!(value, Value::One(_, found) if found == of);
            let (found, wanted) = match single {
                true => (value.ty(), Ty::one(wanted)),
                false => (Ty::list(of), Ty::list(wanted)),
            };
            return self.mismatch(span, found, wanted);
        }
        Some(set)
    }

    /// Translates a list of components of which some have faces.
    pub fn dice(&mut self, expr: &ast::Expr) -> Option<SetId> {
        let value = self.expr(expr, Some(Type::Component(None)))?;
        let (_, of) = self.list_of(value);
        let set = self.list_that_fits(value, Type::Component(None), expr.span)?;
        let Some(Type::Component(Some(kind))) = of else {
            return Some(set);
        };
        if self.has_faces(kind) {
            return Some(set);
        }
        let plural = self.world.kind_plural(kind);
        let message = format!("{plural} have no faces to roll");
        let help = "add `faces: 1..6` to the kind, or roll something that has faces";
        self.problem("no-faces", expr.span, message, help)
    }

    /// Translates a single value that fits `wanted`.
    pub fn one(&mut self, expr: &ast::Expr, wanted: Type) -> Option<ExprId> {
        let value = self.expr(expr, Some(wanted))?;
        self.one_written(expr, value, wanted)
    }

    /// Returns a single value that fits `wanted`, or reports it with advice that depends on how the value is written.
    pub fn one_written(&mut self, expr: &ast::Expr, value: Value, wanted: Type) -> Option<ExprId> {
        match self.which_zone(expr, value, wanted) {
            true => None,
            false => self.one_from(value, wanted, expr.span),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    pub fn one_from(&mut self, value: Value, wanted: Type, span: Span) -> Option<ExprId> {
        match value {
            Value::One(_, None) if is_plain(Some(wanted)) => self.no_plain_nothing(wanted, span),
            Value::One(id, of) if self.world.fits(of, Some(wanted)) => Some(id),
            other => self.mismatch(span, other.ty(), Ty::one(wanted)),
        }
    }

    /// Reports `none` in place of a number or a truth value.
    pub fn no_plain_nothing<T>(&mut self, wanted: Type, span: Span) -> Option<T> {
        let what = self.world.name_of(Ty::one(wanted));
        let instead = if wanted == Type::Int { "0" } else { "false" };
        let message = format!("{what} is never `none`");
        let help = format!(
            "write `{instead}`; only seats, components, zones and values of a type can be `none`"
        );
        self.problem("none-as-number", span, message, help)
    }

    pub fn condition(&mut self, expr: &ast::Expr) -> Option<ExprId> {
        self.one(expr, Type::Bool)
    }

    pub fn number(&mut self, expr: &ast::Expr) -> Option<ExprId> {
        self.one(expr, Type::Int)
    }

    pub fn mismatch<T>(&mut self, span: Span, found: Ty, wanted: Ty) -> Option<T> {
        let help = match (found.of, wanted.of) {
            (Some(Type::Seat), Some(Type::Zone(_))) if !found.list => {
                let help = "name a zone of the seat: `hand(p)`, if the game has a zone `hand` for each seat";
                Some(help.to_owned())
            }
            _ => self.conversion(found, wanted),
        };
        let (found, wanted) = (self.world.name_of(found), self.world.name_of(wanted));
        let mut problem = wrong_type(span, &found, &wanted);
        if let Some(help) = help {
            problem = problem.help(help);
        }
        self.push(problem)
    }

    /// Returns advice for converting a value of one type to another.
    pub(crate) fn conversion(&self, found: Ty, wanted: Ty) -> Option<String> {
        let is_seat_of = matches!(found.of, Some(Type::Component(_)))
            && wanted.of == Some(Type::Seat)
            && found.list == wanted.list;
        let mut members = match self.bundle_type(found) {
            None => self.members_of_type(found.element(), wanted.element()),
            Some(_) => Vec::new(),
        };
        members.dedup();
        if !is_seat_of && (found.list || wanted.list || members.is_empty()) {
            return conversion(found, wanted).map(str::to_owned);
        }
        Some(match members.first() {
            Some(_) => format!("did you mean its `.{}`?", members.join("` or `.")),
            None if found.list => {
                "`keys(…, .zone.owner)` are the seats in whose zones they lie".to_owned()
            }
            None => "`.zone.owner` is the seat in whose zone it lies".to_owned(),
        })
    }

    /// Reports a problem.
    pub(crate) fn push<T>(&mut self, problem: Diagnostic) -> Option<T> {
        self.report.push(problem);
        None
    }

    pub fn problem<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.push(Diagnostic::error(code, span, message).help(help))
    }

    /// Reports an unknown name; nothing if its declaration has been rejected already.
    pub fn unknown<T>(
        &mut self,
        code: &'static str,
        name: &ast::Name,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        if !self.world.has_failed(&name.text) {
            let unknown = Diagnostic::error(code, name.span, message).help(help);
            self.report.push(unknown.unknown(&name.text));
        }
        None
    }

    /// Returns a constant of the game as an expression or a list.
    pub fn constant_value(&mut self, constant: &constant::Constant) -> Value {
        use crate::names::constant::Constant;
        if let Some(Type::Amounts(values)) = constant.of()
            && let Some(bundle) = self.constant_bundle(constant, values)
        {
            return bundle;
        }
        match constant {
            Constant::One(of, value) => Value::One(self.b.constant(*value), *of),
            Constant::List(of, _) => {
                let table = self.b.table(constant.values());
                Value::List(self.b.set(Set::Table(table)), *of)
            }
        }
    }
}

/// Returns the problem of a value of one type in the place of another.
pub(crate) fn wrong_type(span: Span, found: &str, wanted: &str) -> Diagnostic {
    let message = format!("expected {wanted}, found {found}");
    Diagnostic::error("wrong-type", span, message).label(format!("this is {found}"))
}

/// Returns whether this is a number or truth value, for which `none` is 0 or false.
pub fn is_plain(of: Option<Type>) -> bool {
    matches!(of, Some(Type::Int | Type::Bool))
}

/// Returns advice for converting one type to another, whatever the game declares.
fn conversion(found: Ty, wanted: Ty) -> Option<&'static str> {
    if found.list && !wanted.list {
        return Some(match wanted.of {
            Some(Type::Int) => "`count(…)` is the number of members, `sum(…)` adds numbers",
            Some(Type::Zone(_)) if matches!(found.of, Some(Type::Component(_))) => {
                "these are components: name the zone where they lie, such as `deck`"
            }
            Some(Type::Bool) => "test whether it `is empty`, or `some x in … has …`",
            _ => {
                "`first(…)`, `last(…)` or `[1]` selects one member of a list; `each x in …: …` is about all of them"
            }
        });
    }
    if wanted.list && !found.list && found.of != wanted.of {
        return Some("check the members of the list");
    }
    Some(match (found.of?, wanted.of?) {
        (Type::Side, Type::Int) => {
            "sides are those of tiles; directions are `orthogonal`, `diagonal` or `compass`, or a member of them: `orthogonal[1]`"
        }
        (Type::Component(_), Type::Int) => "use one of its fields: `x.field`",
        (Type::Component(_), Type::Component(_)) => {
            "this needs another kind of component; check what the name refers to"
        }
        (Type::Seat, Type::Component(_)) => {
            "select one of the seat's components, for instance with a query that has a parameter `seat p`"
        }
        (Type::Int, Type::Enum(_)) => {
            "write the name of the value; `first(…)` of the type is the first value"
        }
        (Type::Enum(_), Type::Int) => {
            "`index(…, x)` with the name of the type is the position of a value"
        }
        (Type::Enum(_), Type::Enum(_)) => "values of two types are never equal",
        (Type::Component(_), Type::Zone(_)) => "`.zone` is the zone of a component",
        (Type::Zone(_), Type::Component(_)) => {
            "`top(…)` and `bottom(…)` select a component of a zone"
        }
        (Type::Zone(_), Type::Int) => "`count(…)` is the number of components in a zone",
        (Type::Zone(_), Type::Seat) => "did you mean its `.owner`?",
        (Type::Int, Type::Seat) => "`seat(1)` is the first seat",
        (Type::Seat, Type::Int) => "`index(seats, p)` is the number of a seat",
        (Type::Record(_), Type::Int) => {
            "name one of its parts: `x.part`; `sum(…)` of a bundle is how many there are together"
        }
        (Type::Record(_), _) => "name one of its parts: `x.part`",
        (Type::Int, Type::Bool) => "compare it: `… > 0`",
        (Type::Bool, Type::Int) => "write `if … then 1 else 0`",
        (_, Type::Bool) => "write a condition: `… is some`, `… = …`",
        _ => return None,
    })
}

//! `x is W`: tests the kind of a value, or applies a query with one parameter.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::value::is_plain;
use crate::compile::terms::value::Value;
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::{Diagnostic, Span, did_you_mean, meant_or};
use wyrmgate_lang::ast::{self, Name};
use wyrmgate_lang::elsewhere::Elsewhere;
use wyrmgate_lang::words_of_elsewhere;
use wyrmgate_program::*;

/// Tests of other systems, and what to write instead.
const QUESTIONS_ELSEWHERE: Elsewhere = words_of_elsewhere! {
    "negative" => "write `x < 0`";
    "positive" => "write `x > 0`";
    "even" => "write `x mod 2 = 0`";
    "odd" => "write `x mod 2 = 1`";
    "occupied" "taken" "full" => "write `s is not free`";
};

impl Compiler<'_> {
    pub fn is(&mut self, subject: &ast::Expr, negated: bool, what: &Name) -> Option<Value> {
        let value = self.expr(subject, None)?;
        let test = self.is_test(value, subject.span, what, negated)?;
        let test = if negated { self.b.not(test) } else { test };
        Some(Value::One(test, Some(Type::Bool)))
    }

    fn is_test(&mut self, value: Value, span: Span, what: &Name, negated: bool) -> Option<ExprId> {
        match what.text.as_str() {
            "empty" => {
                self.list_from(value, span)?;
                return Some(self.is_empty(value));
            }
            "none" | "some"
                if !value.ty().list
                    && let Some(record) = self.record_type(value.ty().of) =>
            {
                let none = self.b.constant(NONE);
                let is_none = self.is_among(value, Value::One(none, None), record, span)?;
                return Some(match what.text.as_str() {
                    "none" => is_none,
                    _ => self.b.not(is_none),
                });
            }
            "none" | "some" => {
                let expr = self.single(value, span)?;
                if let Some(of) = value.ty().of.filter(|of| is_plain(Some(*of))) {
                    return self.no_plain_nothing(of, what.span);
                }
                if self.is_zone_that_exists(expr) {
                    self.notes.doubts.zones_that_exist.push(span.to(what.span));
                }
                let binary = if what.text == "none" {
                    Binary::Equal
                } else {
                    Binary::NotEqual
                };
                return Some(self.b.compare(binary, expr, NONE));
            }
            "free" => return self.is_free(value, span),
            _ => {}
        }
        if let Value::One(expr, Some(of)) = value
            && let Some(test) = self.kind_test(expr, of, what)
        {
            return Some(test);
        }
        if self.is_a_name(value, what) {
            let message = format!("`is` does not compare with `{}`", what.text);
            let sign = if negated { "!=" } else { "=" };
            let help = format!("to compare, write `{sign} {}`", what.text);
            return self.problem("is-for-equals", what.span, message, help);
        }
        self.asked(value, span, what)
    }

    /// Returns whether this is the zone of seats or of named values, one of which each combination has.
    fn is_zone_that_exists(&self, expr: ExprId) -> bool {
        let program = &self.b.program;
        let family = match program.exprs.get(expr as usize) {
            Some(Expr::ZoneAt { family, .. }) => program.family(*family),
            _ => None,
        };
        family.is_some_and(|family| {
            let of_names = |key: &KeyInfo| matches!(key.of, Type::Seat | Type::Enum(_));
            family.places.is_none() && family.keys.iter().all(of_names)
        })
    }

    /// `x is W`, where W is a value of x's type, a kind, a zone family, or `face_up`.
    fn kind_test(&mut self, expr: ExprId, of: Type, what: &Name) -> Option<ExprId> {
        let (span, what) = (what.span, what.text.as_str());
        let symbol = self.world.declared(what);
        match (of, symbol) {
            (Type::Enum(id), symbol) if !matches!(symbol, Some(Symbol::Query(_))) => {
                let ordinal = self.world.enum_value(id, what)?;
                Some(self.b.compare(Binary::Equal, expr, ordinal))
            }
            (Type::Component(_), Some(Symbol::Kind(kind))) => {
                self.world.mark_used(what);
                let root = |kind: KindId| self.world.family_of(kind).unwrap_or(kind);
                if let Type::Component(Some(own)) = of
                    && root(own) != root(kind)
                {
                    let of = self.world.name_of(Ty::one(of));
                    let never = format!("{of} is never `{what}`, a kind of something else");
                    let never = Diagnostic::warning("constant-condition", span, never);
                    self.report.push(
                        never.help("ask for a kind of its own family, or about other components"),
                    );
                }
                Some(self.b.expr(Expr::IsKind { kind, of: expr }))
            }
            (Type::Component(_), None) if what == "face_up" => {
                Some(self.b.expr(Expr::IsFaceUp(expr)))
            }
            (Type::Component(_), None) if what == "face_down" => {
                Some(self.b.expr(Expr::IsFaceDown(expr)))
            }
            (Type::Zone(_), Some(Symbol::Family(family))) => {
                self.world.mark_used(what);
                let inside = self.b.expr(Expr::ZoneIn { family, zone: expr });
                Some(self.b.compare(Binary::NotEqual, inside, NONE))
            }
            _ => None,
        }
    }

    /// Returns whether this is a local name or a variable, and not a test of the subject.
    fn is_a_name(&self, value: Value, what: &Name) -> bool {
        let variable = matches!(self.world.declared(&what.text), Some(Symbol::Var(id))
            if self.world.var(id).is_some_and(|var| var.index.is_none()));
        (variable || self.scope.find(&what.text).is_some())
            && !self.members_known(value.ty()).contains(&what.text)
    }

    /// Translates any other word as a query of the subject: `d is ridden` calls ridden(d).
    fn asked(&mut self, value: Value, span: Span, what: &Name) -> Option<ExprId> {
        let problems = self.report.diagnostics.len();
        let Some(answer) = self.member(value, span, what, None) else {
            self.unknown_question(value, what, problems);
            return None;
        };
        match (value, answer) {
            (_, Value::One(expr, of)) if self.world.fits(of, Some(Type::Bool)) => Some(expr),
            (Value::One(subject, of), Value::One(expr, other)) if self.world.fits(of, other) => {
                Some(self.b.binary(Binary::Equal, subject, expr))
            }
            _ => self.mismatch(what.span, answer.ty(), Ty::BOOL),
        }
    }

    /// Lists the possible tests, instead of reporting a missing field.
    fn unknown_question(&mut self, value: Value, what: &Name, problems: usize) {
        let is_that = |d: &Diagnostic| d.code == "unknown-field" && d.span == what.span;
        if !self.report.diagnostics.get(problems).is_some_and(is_that) {
            return;
        }
        self.report.diagnostics.truncate(problems);
        let known = self.questions(value.ty());
        let meant = did_you_mean(&what.text, known.iter().map(String::as_str));
        let help = match QUESTIONS_ELSEWHERE.advice(&what.text) {
            Some(advice) => advice.to_owned(),
            None if known.is_empty() => "compare it: `x = 3`, `x > 0`".to_owned(),
            None => meant_or(meant, format!("possible tests: {}", known.join(", "))),
        };
        let subject = self.world.name_of(value.ty());
        let message = format!("{subject} is never `{}`", what.text);
        self.unknown::<()>("unknown-question", what, message, help);
    }

    /// Returns the words that may follow `is`.
    fn questions(&self, ty: Ty) -> Vec<String> {
        let words = |words: &[&str]| -> Vec<String> { words.iter().map(|w| (*w).into()).collect() };
        let mut all = match ty.of {
            _ if ty.list => words(&["empty"]),
            Some(Type::Enum(id)) => {
                let values = self.world.enums.get(usize::from(id));
                values.map_or(Vec::new(), |e| e.values.clone())
            }
            Some(Type::Component(_)) => self.world.kinds.iter().map(|k| k.name.clone()).collect(),
            Some(Type::Zone(_)) => {
                let names = self.world.families.iter().map(|f| f.name.clone());
                words(&["empty", "free"]).into_iter().chain(names).collect()
            }
            _ => Vec::new(),
        };
        all.extend(self.queries_on(ty));
        if !ty.list && !is_plain(ty.of) {
            all.extend(words(&["none", "some"]));
        }
        all
    }

    fn is_empty(&mut self, value: Value) -> ExprId {
        if let Value::One(zone, Some(Type::Zone(_))) = value {
            let count = self.b.expr(Expr::ZoneCount(zone));
            return self.b.compare(Binary::Equal, count, 0);
        }
        let (set, _) = self.list_of(value);
        self.b.expr(Expr::IsEmpty(set))
    }

    /// Tests whether a zone exists and is empty.
    fn is_free(&mut self, value: Value, span: Span) -> Option<ExprId> {
        let zone = self.one_from(value, Type::Zone(None), span)?;
        Some(self.b.expr(Expr::IsFreeZone(zone)))
    }
}

//! Advice for habits that can be recognized only with the declarations of the game. The message uses the author's own
//! names.

use crate::compile::compiler::Compiler;
use crate::compile::compiler::effects::EffectDecl;
use crate::compile::expressions::advice::written;
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::Part;
use crate::compile::terms::place::Change;
use crate::names::declaration::VarDecl;
use crate::names::types::{Families, Ty, is_ordinal};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::advice::on_foreign_word;
use wyrmgate_lang::ast::{self, BinaryOp, ExprKind, Name, SetOp};
use wyrmgate_program::*;

/// Words that follow `is`, and never `=`.
const TESTS: [&str; 4] = ["empty", "free", "face_up", "face_down"];

/// Names for the members of a list; advice uses the first one that is free.
const MEMBERS: [&str; 6] = ["p", "x", "k", "n", "m", "q"];

impl Compiler<'_> {
    /// Finds `reveal bidder` where the game has `reveal(seat p)`: an effect of the game comes before advice about words
    /// of speech.
    pub(crate) fn called_otherwise(&self, terms: &[ast::Expr], span: Span) -> Option<Diagnostic> {
        let (first, rest) = terms.split_first()?;
        let name = first.as_name()?;
        let effect = self.effect_beginning_with(&name.text)?;
        let shown = effect.pattern.shown(self.world);
        let spoken: Vec<String> = terms.iter().map(written).collect();
        let message = format!("no effect matches `{}`", spoken.join(" "));
        let problem = Diagnostic::error("unknown-effect", span, message);
        // `deal 13 cards to …` is a phrase of speech, also in a game with an effect `deal`.
        if effect.pattern.params().is_empty()
            && rest.len() > 1
            && on_foreign_word(&name.text).is_some()
        {
            return None;
        }
        let fits = effect.pattern.call_style && effect.pattern.params().len() == rest.len();
        let args: Vec<String> = rest.iter().map(written).collect();
        let call = format!("{}({})", name.text, args.join(", "));
        Some(match fits && !call.contains('…') {
            true => problem
                .help(format!("it is declared as `{shown}`: write `{call}`"))
                .repair(span, call),
            false => problem.help(format!("it is declared as `{shown}`")),
        })
    }

    fn effect_beginning_with(&self, word: &str) -> Option<&EffectDecl<'_>> {
        let begins = |effect: &&EffectDecl<'_>| match effect.pattern.parts.first() {
            Some(Part::Word(first)) => effect.me.is_none() && first == word,
            _ => false,
        };
        self.effects.all.iter().find(begins)
    }

    /// Finds `xs.append(3)`, where `xs` is a list
    pub(crate) fn appended(&self, term: &ast::Expr) -> Option<Diagnostic> {
        let ExprKind::Field(of, name, Some(args)) = &term.kind else {
            return None;
        };
        let sign = match name.text.as_str() {
            "append" | "push" | "add" | "extend" => "+=",
            "remove" | "delete" => "-=",
            _ => return None,
        };
        let [value] = args.as_slice() else {
            return None;
        };
        let assigned = format!("{} {sign} {}", written(of), written(value));
        if !self.is_list_that_changes(of) || assigned.contains('…') {
            return None;
        }
        let message = format!("no effect matches `{}`", name.text);
        let problem = Diagnostic::error("unknown-effect", name.span, message);
        Some(instead(problem, term.span, assigned, ""))
    }

    /// Returns the variable with a value for each seat that a word of speech means: `trick` for `tricks`, `out` for `is_out`.
    fn of_each_seat(&self, word: &ast::Expr) -> Option<&VarDecl> {
        let word = &word.as_name()?.text;
        let means =
            |name: &str| name == word || name == format!("{word}s") || name == format!("is_{word}");
        let of_seats = |var: &&VarDecl| var.index == Some(Type::Seat) && var.rows.is_empty();
        let mut vars = self.world.vars.iter().filter(of_seats);
        vars.find(|var| means(&var.name))
    }

    /// Returns whether an expression is a variable with a list or with several numbers, or a list that an effect has named.
    fn is_list_that_changes(&self, of: &ast::Expr) -> bool {
        let (mut root, of_itself) = (of, of.as_name().is_some());
        while let ExprKind::Index(of, _) = &root.kind {
            root = of;
        }
        let ExprKind::Name(name) = &root.kind else {
            return false;
        };
        match (self.scope.find(&name.text), self.world.declared(&name.text)) {
            (Some(Binding::Local(_, ty) | Binding::Growing(_, ty)), _) => ty.list,
            (None, Some(Symbol::Var(id))) => {
                let var = self.world.var(id);
                var.is_some_and(|var| var.list.is_some() || !of_itself && var.of == Type::Int)
            }
            _ => false,
        }
    }

    /// Finds `starter is active`, `deck.shuffle()`, `active scores`.
    pub(crate) fn almost_a_statement(&self, terms: &[ast::Expr], span: Span) -> Option<Diagnostic> {
        let is =
            |term: &ast::Expr, word: &str| term.as_name().is_some_and(|name| name.text == word);
        let is_one_of = |term: &ast::Expr, words: &[&str]| {
            term.as_name()
                .is_some_and(|name| words.contains(&name.text.as_str()))
        };
        let (written, what) = match terms {
            [clear, target] if is(clear, "clear") => {
                let is_one = matches!(target.kind, ExprKind::Index(..))
                    && !self.is_list_that_changes(target);
                let nothing = if is_one { "none" } else { "[]" };
                (
                    format!("{} = {nothing}", written(target)),
                    "a variable is cleared by `=`",
                )
            }
            [said @ .., number, times] if is(times, "times") && !said.is_empty() => {
                let said: Vec<String> = said.iter().map(written).collect();
                (
                    format!("repeat {} times: {}", written(number), said.join(" ")),
                    "a loop says first how often",
                )
            }
            [round, said @ ..] if is(round, "round") && !said.is_empty() => {
                let said: Vec<String> = said.iter().map(written).collect();
                (format!("round: {}", said.join(" ")), "missing `:`")
            }
            [value, verb, target]
                if is(verb, "becomes")
                    && let Some(Symbol::Var(_)) = self.world.declared(&written(target)) =>
            {
                (
                    format!("{} = {}", written(target), written(value)),
                    "`=` assigns",
                )
            }
            [target, verb, value]
                if is(verb, "is")
                    && let Some(var) = self.of_each_seat(value) =>
            {
                (
                    format!("{}[{}] = true", var.name, written(target)),
                    "what each seat is, is a variable",
                )
            }
            [seat, verb, number, unit]
                if is_one_of(verb, &["scores", "gains", "gets", "loses"])
                    && let Some(var) = self.of_each_seat(unit) =>
            {
                let sign = if is(verb, "loses") { "-=" } else { "+=" };
                (
                    format!("{}[{}] {sign} {}", var.name, written(seat), written(number)),
                    "a number of each seat is a variable",
                )
            }
            [seat, verb, number, unit]
                if is_one_of(verb, &["scores", "gains", "gets", "earns"])
                    && unit
                        .as_name()
                        .is_some_and(|unit| self.world.enums_with(&unit.text).is_empty()) =>
            {
                (
                    format!("{} scores {}", written(seat), written(number)),
                    "points have no unit",
                )
            }
            [target, verb, value] if is(verb, "is") && is_one_of(value, &TESTS) => (
                format!("{} = none", written(target)),
                "`is` compares, and `=` assigns",
            ),
            [target, verb, value]
                if is(verb, "is") && !matches!(target.kind, ExprKind::Call(..)) =>
            {
                (
                    format!("{} = {}", written(target), written(value)),
                    "`is` compares, and `=` assigns",
                )
            }
            [seat, added] if let Some(number) = is_added_to(added, "scores") => (
                format!("{} scores {}", written(seat), written(number)),
                "`+` stands between two numbers",
            ),
            [seat, verb] if is(verb, "scores") => (
                format!("{} scores 1", written(seat)),
                "`scores` needs a number",
            ),
            [term]
                if let ExprKind::Field(of, name, Some(args)) = &term.kind
                    && let ("move", [to]) = (name.text.as_str(), args.as_slice()) =>
            {
                let moved = format!("move {} to {}", written(of), written(to));
                (moved, "a statement is no function")
            }
            [term] if let ExprKind::Field(of, name, args) = &term.kind => {
                let is_plain = ["shuffle", "roll", "rotate"].contains(&name.text.as_str());
                if !is_plain || args.as_ref().is_some_and(|args| !args.is_empty()) {
                    return None;
                }
                (
                    format!("{} {}", name.text, written(of)),
                    "statements are no functions of what they change",
                )
            }
            _ => return None,
        };
        let problem = Diagnostic::error("unknown-effect", span, what);
        (!written.contains('…')).then(|| instead(problem, span, written, ""))
    }

    /// Finds `top(deck, 3)`.
    pub(crate) fn several_of_end(&self, name: &Name, args: &[ast::Expr]) -> Option<Diagnostic> {
        let [list, number] = args else {
            return None;
        };
        let (list, number) = (written(list), written(number));
        let taken = match name.text.as_str() {
            "top" | "last" => format!("take(reversed({list}), {number})"),
            "bottom" | "first" => format!("take({list}, {number})"),
            _ => return None,
        };
        let message = format!("`{}` is one member", name.text);
        let problem = Diagnostic::error("wrong-arguments", name.span, message);
        Some(problem.help(format!("for several, write `{taken}`")))
    }

    /// Finds `top(discard) = gust`, where `gust` is a kind, and `deck = empty`, `c = face_up`.
    pub(crate) fn compared_with_a_question(
        &self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
    ) -> Option<Diagnostic> {
        let name = b.as_name()?;
        if self.scope.find(&name.text).is_some() {
            return None;
        }
        let (sign, word) = match op {
            BinaryOp::NotEqual => ("!=", "is not"),
            _ => ("=", "is"),
        };
        let (problem, a) = match self.world.declared(&name.text) {
            Some(Symbol::Kind(kind))
                if self.world.kind(kind).count > 1
                    && self.world.enums_with(&name.text).is_empty() =>
            {
                let message = format!("`{}` is a kind, not one component", name.text);
                let of = match &a.kind {
                    ExprKind::Field(of, field, None) if field.text == "kind" => of,
                    _ => a,
                };
                (Diagnostic::error("kind-as-value", b.span, message), of)
            }
            None if TESTS.contains(&name.text.as_str())
                && self.world.enums_with(&name.text).is_empty() =>
            {
                let message = format!(
                    "`{sign}` does not ask whether something {word} `{}`",
                    name.text
                );
                (Diagnostic::error("is-for-equals", name.span, message), a)
            }
            _ => return None,
        };
        let asked = format!("{} {word} {}", written(a), name.text);
        let shorter = format!("… {word} {}", name.text);
        Some(instead(problem, a.span.to(b.span), asked, &shorter))
    }

    /// Finds `shuffle deck and discard`: two things joined like conditions.
    pub(crate) fn joined_things(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        problems: usize,
    ) -> Option<()> {
        let new = self.report.diagnostics.get(problems..)?;
        let are_things = matches!(new, [one, other]
            if one.code == "wrong-type" && other.code == "wrong-type"
                && one.span == a.span && other.span == b.span);
        if !are_things {
            return None;
        }
        self.report.diagnostics.truncate(problems);
        let list = format!("[{}, {}]", written(a), written(b));
        let message = format!("`{}` joins conditions, and these are none", op.sign());
        let is_bundle = matches!(b.kind, ExprKind::Binary(ast::BinaryOp::Portion, ..));
        let help = match is_bundle {
            true => format!(
                "`+` joins what a bundle holds: `{} + {}`",
                written(a),
                written(b)
            ),
            false => format!("write a statement for each, or a list: `{list}`"),
        };
        self.problem("wrong-type", a.span.to(b.span), message, help)
    }

    /// Finds `letters: {xo: man}`: a letter of a start position that names something else than an effect or a variable.
    pub(crate) fn meaning_of_letter(&self, term: &ast::Expr) -> Option<Diagnostic> {
        let (ExprKind::Name(name) | ExprKind::Call(name, _)) = &term.kind else {
            return None;
        };
        let start = self.def.positions.drawn.as_ref()?;
        let mut meanings = start.letters.iter().chain(start.then.iter().flatten());
        let (letters, _) = meanings.find(|(_, meaning)| meaning.span == name.span)?;
        let symbol = self.world.declared(&name.text)?;
        let number = match letters.text.chars().count() {
            1 => "",
            _ => ", int n",
        };
        let message = format!(
            "`{}` is {}; a letter calls an effect or sets a variable",
            name.text,
            symbol.describe()
        );
        let help = format!(
            "declare an effect, such as `stands({} s{number})`, that says what happens on the space `s`, and write `{}: stands`",
            start.on.text, letters.text
        );
        Some(Diagnostic::error("unknown-effect", name.span, message).help(help))
    }

    /// Finds `passed = false` for a variable with a value for each key.
    pub(crate) fn set_without_key<T>(
        &mut self,
        name: &Name,
        var: &VarDecl,
        change: Change<'_>,
    ) -> Option<T> {
        let Change { op, value, .. } = change;
        let mut keys: Vec<(Type, String)> = Vec::new();
        let own = var.rows.iter().map(|row| (row.of, row.low, row.count));
        let last = var.index.map(|of| (of, var.low, var.len));
        for (of, low, count) in own.chain(last) {
            keys.push((of, self.all_of_type(of, low, count)));
        }
        let sign = match op {
            SetOp::Set => "=",
            SetOp::Add => "+=",
            SetOp::Subtract => "-=",
        };
        let members = self.free_names(keys.len());
        let loops = members.iter().zip(&keys);
        let loops: String = loops
            .map(|(member, (_, list))| format!("each {member} in {list}: "))
            .collect();
        let indexes: String = members.iter().map(|member| format!("[{member}]")).collect();
        let of_all = format!("{loops}{}{indexes} {sign} {}", name.text, written(value));
        let of_one = keys.iter().map(|(of, _)| {
            let known = self.index_for(*of);
            format!("[{}]", known.unwrap_or_else(|| "…".to_owned()))
        });
        let of_one: String = of_one.collect();
        let kinds = keys.iter().map(|(of, _)| self.world.name_of(Ty::one(*of)));
        let kinds: Vec<String> = kinds.collect();
        let message = format!("`{}` has one value for {}", name.text, kinds.join(" and "));
        let help = format!(
            "set one of them, `{}{of_one} {sign} {}`, or all: `{of_all}`",
            name.text,
            written(value)
        );
        self.problem("variable-needs-index", name.span, message, help)
    }

    /// Returns the list of all keys of a type, as it is written.
    pub(crate) fn all_of_type(&self, of: Type, low: i32, count: u32) -> String {
        match of {
            Type::Seat => "seats".to_owned(),
            Type::Side => "sides".to_owned(),
            Type::Enum(id) => self.world.enum_name(id).to_owned(),
            Type::Component(Some(kind)) => self.world.kind_plural(kind).to_owned(),
            Type::Zone(Some(family)) => {
                let family = self.world.family(family);
                family.map_or(String::from("…"), |family| family.name.clone())
            }
            Type::Int => format!("{low}..{}", i64::from(low) + i64::from(count) - 1),
            Type::Bool
            | Type::Component(None)
            | Type::Zone(None)
            | Type::Cell
            | Type::Row(_)
            | Type::Record(_)
            | Type::Amounts(_)
            | Type::Letter => "…".to_owned(),
        }
    }

    /// Returns names that mean nothing yet.
    fn free_names(&self, count: usize) -> Vec<&'static str> {
        let is_free =
            |name: &&&str| self.scope.find(name).is_none() && self.world.declared(name).is_none();
        let free = MEMBERS.iter().filter(is_free).copied();
        free.take(count).collect()
    }

    /// Finds `trip[active][c.color]` for zones with several keys: the index of a list of zones is a number.
    pub(crate) fn zone_in_brackets(
        &mut self,
        of: &ast::Expr,
        index: &ast::Expr,
        span: Span,
    ) -> Option<Diagnostic> {
        let (name, mut keys) = self.name_with_keys(of)?;
        keys.push(index);
        let Some(Symbol::Family(id)) = self.world.declared(&name.text) else {
            return None;
        };
        let family = self.world.family(id)?;
        let wanted: Vec<Type> = family.keys.iter().map(|key| key.of).collect();
        if wanted.len() < 2 || keys.len() > wanted.len() || !wanted.first().is_some_and(is_named) {
            return None;
        }
        let args: Vec<String> = keys.iter().map(|key| written(key)).collect();
        // The key is translated twice. In brackets in brackets, the innermost would be translated for each of them again.
        if args.iter().any(|arg| arg.contains('[')) {
            return None;
        }
        let problems = self.report.diagnostics.len();
        let first = keys.first().and_then(|key| self.expr(key, None));
        self.report.diagnostics.truncate(problems);
        let is_key = first.is_some_and(|value| value.ty().of == wanted.first().copied());
        let names: Vec<String> = self.names_of_keys(id);
        let message = format!(
            "`{}` is a zone, and its keys stand in parentheses",
            name.text
        );
        let problem = Diagnostic::error("zone-in-brackets", span, message);
        let call = format!("{}({})", name.text, args.join(", "));
        is_key.then(|| match keys.len() == wanted.len() && !call.contains('…') {
            true => problem.help(format!("write `{call}`")).repair(span, call),
            false => problem.help(format!("write `{}({})`", name.text, names.join(", "))),
        })
    }

    fn names_of_keys(&self, family: FamilyId) -> Vec<String> {
        let family = self.world.family(family);
        let keys = family.iter().flat_map(|family| &family.keys);
        keys.map(|key| key.name.to_string()).collect()
    }

    /// Finds `sum(color, count(cards where .color = color))`: the list in place of its member.
    pub(crate) fn compared_with_its_list(&self, member: Ty, list: &ast::Expr) -> Option<String> {
        let name = list.as_name()?;
        let mut around = self.scope.outer_its();
        let is_around = around.any(|ty| ty.of.is_some() && ty.of == member.of);
        let free = self.free_names(1);
        let member = free.first().filter(|_| is_around)?;
        Some(format!(
            "`{0}` is the whole list: give its member a name where the list is walked, `{member} in {0}`, and write `{member}` here",
            name.text
        ))
    }
}

/// Adds what to write instead: as a repair, or something shorter if it cannot be repeated as a whole.
pub(crate) fn instead(
    problem: Diagnostic,
    span: Span,
    written: String,
    shorter: &str,
) -> Diagnostic {
    match written.contains('…') {
        true => problem.help(format!("write `{shorter}`")),
        false => problem
            .help(format!("write `{written}`"))
            .repair(span, written),
    }
}

/// Returns the number of `scores +1`, which parses as a sum.
fn is_added_to<'e>(term: &'e ast::Expr, word: &str) -> Option<&'e ast::Expr> {
    let ExprKind::Binary(BinaryOp::Add, verb, number) = &term.kind else {
        return None;
    };
    matches!(&verb.kind, ExprKind::Name(name) if name.text == word).then_some(&**number)
}

/// Returns whether values of this type have names instead of being numbers.
fn is_named(of: &Type) -> bool {
    is_ordinal(*of) || matches!(of, Type::Component(_) | Type::Zone(_))
}

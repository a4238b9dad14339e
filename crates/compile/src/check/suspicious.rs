//! Warnings about code that compiles but that nobody writes on purpose.

use indexmap::IndexSet;

use super::alike::{alike, literal_number, literal_truth};
use super::contradiction::{Clash, clash};
use super::naming;
use super::{numbers, once, unread};
use crate::names::walk::{mentions, statement_mentions, words};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_lang::ast::{
    BinaryOp, Block, Choose, Expr, ExprKind, Form, Name, Part, SetOp, Signature, Stmt, StmtKind,
};
use wyrmgate_lang::definition::{Definition, ModifierDef, OptionDef, OptionType};

/// Reports warnings about the texts of a definition.
pub fn warn<'r>(definition: &'r Definition, report: &'r mut Report) {
    once::warn(definition, report);
    unread::warn(definition, report);
    let of_game = naming::names_of_game(definition);
    let of_option = |option: &'r OptionDef| match &option.of {
        OptionType::OneOf(values) => values.as_slice(),
        OptionType::Bool | OptionType::Range { .. } => &[],
    };
    let types = definition.values.types.iter().flat_map(|of| &of.values);
    let values = types.chain(definition.options.iter().flat_map(of_option));
    let values = values.map(|name| name.text.as_str());
    let is_only_value = |value: &&str| !of_game.iter().any(|name| name.text == *value);
    let mut look = Look {
        report,
        values: values.filter(is_only_value).collect(),
        of_game: of_game.len(),
    };
    for text in naming::texts(definition) {
        let mut known = naming::names_of_game(definition);
        for param in text.params {
            look.hides(param, &known);
            known.push(param);
        }
        look.block(text.body, &mut known);
    }
    look.effects_for_ever(definition);
    for query in definition.behaviors().flat_map(|of| &of.queries) {
        look.expr(&query.body);
    }
    look.parameters(definition);
    for see in sights(definition) {
        look.sight(see);
    }
    for values in keys(definition) {
        look.key(values);
    }
}

/// Returns the values of every key.
fn keys(definition: &Definition) -> impl Iterator<Item = &Expr> {
    let zones = definition.zones.iter().flat_map(|zone| &zone.each);
    let vars = definition.vars.iter();
    let vars = vars.flat_map(|var| var.rows.iter().map(|(_, of)| of).chain(&var.each));
    let components = definition.all_kinds().flat_map(|kind| &kind.each);
    let named = zones.chain(components).map(|(_, values)| values);
    named.chain(vars)
}

/// Returns every declaration of visibility.
fn sights(definition: &Definition) -> impl Iterator<Item = &Expr> {
    let zones = definition.zones.iter().map(|zone| &zone.see);
    let vars = definition.vars.iter().map(|var| &var.see);
    let components = definition.components.iter();
    let held = components.filter_map(|c| c.holds.as_ref());
    let all = zones.chain(vars).chain(held.map(|held| &held.see));
    all.flatten().map(|(see, _)| see)
}

const SEEN_BY_ALL: &str = "write `see: all`, or compare `viewer` with a seat";
const SEEN_BY_NOBODY: &str = "write `see: nobody`, or compare `viewer` with a seat";

struct Look<'r> {
    report: &'r mut Report,
    /// The names of values, of which none means anything else.
    values: IndexSet<&'r str>,
    /// The number of visible names that belong to the game.
    of_game: usize,
}

impl Look<'_> {
    fn warn(&mut self, code: &'static str, span: Span, message: &str, help: &str) {
        self.report
            .push(Diagnostic::warning(code, span, message).help(help));
    }

    /// `each: {column: 8}`
    fn key(&mut self, values: &Expr) {
        if let Some(number) = literal_number(values) {
            let message = format!("this key has one value, {number}");
            let help = format!("write `1..{number}` for the numbers from 1 on");
            self.warn("one-key", values.span, &message, &help);
        }
    }

    // ---- statements

    /// `known` are the names bound around the block.
    fn block<'d>(&mut self, block: &'d Block, known: &mut Vec<&'d Name>) {
        let outside = known.len();
        for (number, statement) in block.iter().enumerate() {
            let exprs = statement.exprs().into_iter();
            exprs.for_each(|expr| self.expr(expr));
            let rest = block.get(number + 1..).unwrap_or_default();
            self.statement(statement, rest);
            if let StmtKind::While { condition, body } = &statement.kind {
                self.unchanged(condition, body, known);
            }
            let before = known.len();
            for name in bound_by(statement) {
                self.hides(name, known);
                if !is_open_choice(statement) {
                    known.push(name);
                }
            }
            for inner in statement.blocks() {
                self.block(inner, known);
            }
            if !binds_for_the_rest(statement) {
                known.truncate(before);
            }
        }
        known.truncate(outside);
    }

    fn statement(&mut self, statement: &Stmt, rest: &[Stmt]) {
        match &statement.kind {
            StmtKind::Set {
                target,
                op: SetOp::Set,
                value,
            } if alike(target, value) => {
                let message = "this assigns the value that it already has";
                let help = "remove it, or assign the new value";
                self.warn("sets-itself", statement.span, message, help);
            }
            StmtKind::If { arms, .. } => self.arms(arms),
            StmtKind::While { condition, .. } => self.constant(condition),
            StmtKind::Let { name, .. } if !is_used(&name.text, rest) => {
                let message = format!("the name `{}` is never used", name.text);
                let help = "remove the line, or use the name; another name below may be misspelled";
                self.warn("unused", name.span, &message, help);
            }
            StmtKind::Each { name, of, body } => self.each(name, of, body),
            StmtKind::Repeat {
                times: Some(times), ..
            } if literal_number(times).is_some_and(|times| times < 1) => self.never_begins(times),
            StmtKind::Choose(choose) => self.choose(choose, statement.span),
            _ => {}
        }
    }

    fn each(&mut self, name: &Name, of: &Expr, body: &Block) {
        if is_nothing(of) {
            self.never_begins(of);
        } else if matches!(of.kind, ExprKind::Range(..)) && !is_used(&name.text, body) {
            let message = format!("the name `{}` is never used", name.text);
            let help = "write `repeat 3 times:` if every round is alike, or use the name";
            self.warn("unused", name.span, &message, help);
        }
    }

    fn never_begins(&mut self, over: &Expr) {
        let message = "this loop never begins";
        let help = "begin a range with its lower end, and repeat at least once";
        self.warn("constant-condition", over.span, message, help);
    }

    /// `while i < 3:` if nothing in the loop sets `i`, and nothing else can.
    fn unchanged(&mut self, condition: &Expr, body: &Block, known: &[&Name]) {
        let Some(names) = only_names(condition).filter(|names| !names.is_empty()) else {
            return;
        };
        let local = known.get(self.of_game..).unwrap_or_default();
        let is_local = |name: &&str| local.iter().any(|known| known.text == *name);
        if names.iter().all(is_local) && !may_end(body, &names) {
            let names = names.join("` and `");
            let message = format!("infinite loop: `{names}` never changes in it");
            let help = "change it inside the loop, or leave the loop with `stop`";
            self.warn("endless", condition.span, &message, help);
        }
    }

    fn arms(&mut self, arms: &[(Expr, Block)]) {
        for (number, (condition, _)) in arms.iter().enumerate() {
            self.constant(condition);
            let mut before = arms.iter().take(number);
            if let Some((first, _)) = before.find(|(earlier, _)| alike(earlier, condition)) {
                let message = "this condition was tested above, so its branch is never reached";
                let warning = Diagnostic::warning("asked-before", condition.span, message);
                let warning = warning.related(first.span, "tested here");
                self.report
                    .push(warning.help("remove it, or test something else"));
            }
        }
    }

    /// Finds parts of a condition that always or never hold.
    fn constant(&mut self, condition: &Expr) {
        if let ExprKind::Cited(inner, _) = &condition.kind {
            return self.constant(inner);
        }
        if let ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) = &condition.kind {
            self.constant(a);
            return self.constant(b);
        }
        if let Some(truth) = literal_truth(condition) {
            let message = if truth {
                "this always holds"
            } else {
                "this never holds"
            };
            let help = "remove it, or compare with something that changes";
            self.warn("constant-condition", condition.span, message, help);
        }
    }

    fn choose(&mut self, choose: &Choose, span: Span) {
        for option in &choose.options {
            if let Some(condition) = &option.condition {
                self.constant(condition);
            }
        }
        for binder in choose.options.iter().flat_map(|option| &option.binders) {
            if binder.form != Form::Written && is_nothing(&binder.of) {
                let message = "this decision never has a choice";
                let help =
                    "begin a range with its lower end; a decision without choices is skipped";
                self.warn("no-choice", binder.of.span, message, help);
            }
        }
        let [option] = choose.options.as_slice() else {
            return;
        };
        let binders = &option.binders;
        if !choose.may && binders.iter().all(|binder| is_one(&binder.of)) {
            let message = "this decision has only one choice";
            let help = "remove the decision, allow declining with `may choose`, or add a choice";
            let place = binders.first().map_or(span, |binder| binder.of.span);
            self.warn("one-choice", place, message, help);
        }
    }

    /// Warns about a name that shadows another one.
    fn hides(&mut self, name: &Name, known: &[&Name]) {
        if let Some(outer) = known.iter().find(|outer| outer.text == name.text) {
            let message = format!("`{}` hides another `{0}`", name.text);
            let warning = Diagnostic::warning("hidden-name", name.span, message);
            let warning = warning.related(outer.span, "the other one");
            let help = "give it another name";
            self.report.push(warning.help(help));
        }
    }

    // ---- expressions

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Binary(op, a, b) = &expr.kind
            && let Some(result) = of_itself(*op)
            && alike(a, b)
            && literal_truth(expr).is_none()
        {
            let message = format!("both sides are the same: {result}");
            let help = "compare with something else; one side may be misspelled";
            self.warn("same-on-both-sides", expr.span, &message, help);
        } else if let Some(clash) = clash(expr, &self.values) {
            self.clash(&clash);
        }
        if let Some(doubt) = numbers::doubt(expr) {
            self.report.push(doubt);
        }
        match &expr.kind {
            ExprKind::Quantified { condition, .. } => self.clause_inside(condition),
            ExprKind::Where(of, condition) => self.filter_behind_if(of, condition, "where"),
            ExprKind::Sorted { of, key, .. } => self.filter_behind_if(of, key, "sorted by"),
            ExprKind::With { of, key, .. } => self.filter_behind_if(of, key, "with"),
            _ => {}
        }
        expr.parts().into_iter().for_each(|part| self.expr(part));
    }

    /// `if windy then hand else row where .red`: readers think that the filter is about the last list only.
    fn filter_behind_if(&mut self, of: &Expr, filter: &Expr, word: &str) {
        let ExprKind::If(_, _, last) = &of.kind else {
            return;
        };
        // In parentheses, it would end behind its last part.
        if of.span.end == last.span.end {
            let message = format!("this `{word}` is about both lists of the `if`");
            let help = format!(
                "write `(if … then … else …) {word} …` for both lists, or `else (… {word} …)` for the second one"
            );
            self.warn("filter-after-if", filter.span, &message, &help);
        }
    }

    /// `no s in S has a and b`: readers think that the clause ends the condition.
    fn clause_inside(&mut self, condition: &Expr) {
        let ExprKind::Binary(BinaryOp::And | BinaryOp::Or, before, rest) = &condition.kind else {
            return;
        };
        let ends = |part: &Expr| matches!(part.kind, ExprKind::Cited(..));
        if ends(before) && !ends(rest) {
            let message =
                "this belongs to the condition after `has`, although a clause stands before it";
            let help = "put `some … has …`, `every … has …` or `no … has …` in parentheses to end it earlier; otherwise cite the clause at the end";
            self.warn("clause-inside", rest.span, message, help);
        }
    }

    /// Warns about a visibility condition that does not depend on the viewer.
    fn sight(&mut self, see: &Expr) {
        match literal_truth(see) {
            Some(is_seen) if !matches!(see.kind, ExprKind::Name(_)) => {
                let message = "this does not depend on `viewer`";
                let help = if is_seen { SEEN_BY_ALL } else { SEEN_BY_NOBODY };
                self.warn("constant-condition", see.span, message, help);
            }
            None if is_of_seats_only(see) => {
                let message = "this does not depend on `viewer`";
                self.warn("constant-condition", see.span, message, SEEN_BY_ALL);
            }
            _ => self.expr(see),
        }
    }

    fn clash(&mut self, clash: &Clash) {
        let message = if clash.holds {
            "this or the part before always holds"
        } else {
            "this and the part before never hold together"
        };
        let warning = Diagnostic::warning("constant-condition", clash.second.span, message);
        let warning = warning.related(clash.first.span, "the other part");
        let help =
            "remove one of them; `and` may be a mistake for `or`, or a word may be misspelled";
        self.report.push(warning.help(help));
    }

    /// Finds effects that always call themselves.
    fn effects_for_ever(&mut self, definition: &Definition) {
        for effect in &definition.behavior.effects {
            let Signature::Phrase(words) = &effect.signature else {
                continue;
            };
            let [word] = words.as_slice() else { continue };
            let is_itself = |statement: &Stmt| match &statement.kind {
                StmtKind::Phrase { terms } => matches!(terms.as_slice(),
                    [Expr { kind: ExprKind::Name(name), .. }] if name.text == word.text),
                _ => false,
            };
            let Some(again) = effect.body.iter().position(is_itself) else {
                continue;
            };
            let (before, rest) = effect.body.split_at(again);
            if let (Some(call), false) = (rest.first(), may_end(before, &[])) {
                let message = format!("infinite recursion: `{}` calls itself here", word.text);
                let help = "put a condition before it, or use `repeat:` with `stop`";
                self.warn("endless", call.span, &message, help);
            }
        }
    }

    // ---- parameters

    /// Checks the parameters of queries and effects with function syntax. Those of kinds need the parameters of the
    /// other kinds.
    fn parameters(&mut self, definition: &Definition) {
        let modifiers = || definition.behaviors().flat_map(|of| &of.modifiers);
        for query in &definition.behavior.queries {
            let name = |of: &Signature| of.first_word().map(|name| name.text.clone());
            let is_own = |of: &ModifierDef| name(&of.signature) == name(&query.signature);
            let is_modified = modifiers().any(is_own); // a modifier may need what the query does not
            self.unused_parameters(&query.signature, |name| {
                is_modified || mentions(&query.body, &[name])
            });
        }
        for effect in &definition.behavior.effects {
            self.unused_parameters(&effect.signature, |name| is_used(name, &effect.body));
        }
    }

    fn unused_parameters(&mut self, signature: &Signature, is_used: impl Fn(&str) -> bool) {
        let Signature::Call { params, .. } = signature else {
            return;
        };
        for param in params {
            if !is_used(&param.name.text) {
                let message = format!("the parameter `{}` is never used", param.name.text);
                let help = "remove it here and in the calls, or use it";
                self.warn("unused", param.name.span, &message, help);
            }
        }
    }
}

/// `seat(1) is some`
fn is_of_seats_only(see: &Expr) -> bool {
    let mut names = words(see).map(|name| &*name.text).peekable();
    names.peek().is_some() && names.all(|name| ["seat", "seats", "count", "first"].contains(&name))
}

/// Returns the result of comparing something with itself.
fn of_itself(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Equal | BinaryOp::LessOrEqual | BinaryOp::MoreOrEqual => "this always holds",
        BinaryOp::NotEqual | BinaryOp::Less | BinaryOp::More => "this never holds",
        BinaryOp::And | BinaryOp::Or => "one of them is enough",
        BinaryOp::Subtract => "this is always 0",
        _ => return None,
    })
}

/// Returns whether a list is always empty.
fn is_nothing(list: &Expr) -> bool {
    match &list.kind {
        ExprKind::List(members) => members.is_empty(),
        ExprKind::Range(low, high) => {
            let ends = literal_number(low).zip(literal_number(high));
            ends.is_some_and(|(low, high)| low > high)
        }
        ExprKind::Where(of, _) => is_nothing(of),
        _ => false,
    }
}

/// Returns the names in a condition over names and literals only.
fn only_names(expr: &Expr) -> Option<Vec<&str>> {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) => Some(Vec::new()),
        ExprKind::Name(name) => Some(vec![&name.text]),
        ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cited(..) => {
            let names: Option<Vec<Vec<&str>>> = expr.parts().into_iter().map(only_names).collect();
            Some(names?.concat())
        }
        _ => None,
    }
}

/// Returns whether a loop sets one of these names, leaves itself, or calls code that may.
fn may_end(body: &[Stmt], names: &[&str]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StmtKind::Set { target, .. } => mentions(target, names),
        StmtKind::Stop
        | StmtKind::Return
        | StmtKind::Answer { .. }
        | StmtKind::Finish(_)
        | StmtKind::Prevent
        | StmtKind::Resolve
        | StmtKind::Phrase { .. } => true,
        _ => {
            let mut blocks = statement.blocks().into_iter();
            blocks.any(|inner| may_end(inner, names))
        }
    })
}

/// Returns whether a list always has one member.
fn is_one(list: &Expr) -> bool {
    match &list.kind {
        ExprKind::List(members) => members.len() == 1,
        ExprKind::Range(low, high) => alike(low, high),
        _ => false,
    }
}

/// Returns the names that a statement binds, for its blocks or for the statements after it.
fn bound_by(statement: &Stmt) -> Vec<&Name> {
    match &statement.kind {
        StmtKind::Choose(choose) => match choose.options.as_slice() {
            [option] => option.binders.iter().map(|binder| &binder.name).collect(),
            _ => Vec::new(),
        },
        other => {
            let parts = other.parts().into_iter();
            let bound = parts.filter_map(|part| match part {
                Part::Bound(name) => Some(name),
                _ => None,
            });
            bound.collect()
        }
    }
}

fn binds_for_the_rest(statement: &Stmt) -> bool {
    matches!(statement.kind, StmtKind::Let { .. })
}

/// Returns whether a statement is a choice whose names last until the block ends. Reusing one of these names confuses
/// nobody.
fn is_open_choice(statement: &Stmt) -> bool {
    matches!(&statement.kind, StmtKind::Choose(choose) if choose.body.is_none())
}

/// Returns whether one of these statements refers to this name.
fn is_used(name: &str, rest: &[Stmt]) -> bool {
    let mut rest = rest.iter();
    rest.any(|statement| statement_mentions(statement, name))
}

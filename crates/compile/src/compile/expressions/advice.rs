//! Advice about names: which exist at a place and fit there, and what to write instead of a habit from elsewhere.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::function::function_names;
use crate::compile::expressions::value::wrong_type;
use crate::compile::scope::Binding;
use crate::compile::terms::value::Value;
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::did_you_mean;
use wyrmgate_lang::ast::{self, BinaryOp, ExprKind, Name};
use wyrmgate_lang::elsewhere::Elsewhere;
use wyrmgate_lang::words_of_elsewhere;
use wyrmgate_program::*;

/// The maximum number of names that advice lists.
const NAMES_MAX: usize = 8;

/// Functions of other languages, and what to write instead.
pub(crate) const FUNCTIONS_ELSEWHERE: Elsewhere = words_of_elsewhere! {
    "random" "rand" "randint" "dice" "d6" "roll" "choice" => RANDOM;
    "contains" "includes" => "write `x in list`";
    "filter" => "write `list where …`";
    "where" => "write `list where …`, without a dot";
    "exists" => "write `some x in list has …`";
    "forall" => "write `every x in list has …`";
    "map" => "write `list.field`, the field of each member";
    "round" "floor" => "`/` rounds toward zero already";
    "sort" "sorted" => "write `list sorted by …`";
    "range" => "write `1..n`, which ends with `n`";
    "opponent" "enemy" "other" => OTHERS;
    "reveal" "show" => "write `revealed(x)`";
    "print" => "write `say \"…\"`";
    "empty" "is_empty" => "write `list is empty`";
    "list" "array" "set" => "an empty list is `[]`";
    "dict" => MAP;
    "enumerate" => "`index(list, x)` is the position of a member";
    "reduce" => "`sum(list, x)`, `product`, `max` and `min` make one value of a list";
    "str" "string" "format" "join" => TEXT;
    "concat" => "write `a + b`";
    "draw" => "`top(deck)` is the top card, and `draw 1 from deck to hand(p)` is a statement";
    "slice" => "`take(list, 3)` are the first three members";
    "pow" => "multiply: `x * x`";
    "ceil" => "`(a + b - 1) / b` rounds up";
    "next_player" => "write `left(p)`";
    "previous_player" => "write `right(p)`";
    "average" "mean" "avg" => "`sum(list) / count(list)` is the average";
    "sumif" "countif" "sumifs" "countifs" => "write a filter in the function: `sum(dice where .face > 1, .face)`";
    "lookup" "vlookup" "hlookup" => "a row of a table has its columns behind a dot: `o.worth`";
    "adjacent" "neighbors" "neighbours" => "`steps(s, orthogonal)` are the spaces next to a space";
    "majority" => "`commonest(list, .owner)` are the values that occur most often";
};

const MAP: &str = "one value for each key is a variable: `vars: {bid: {each: seats, type: int}}`, and then `bid[p]`";
const TEXT: &str = "a text contains values in braces: `\"{n} left\"`";

/// Names of other systems, and what is meant by them here.
pub(crate) const NAMES_ELSEWHERE: Elsewhere = words_of_elsewhere! {
    "self" "this" => OF_KIND;
    "ctx" "game" "state" "board" "props" => ALONE;
    "yes" => ANSWER;
    "opponent" "enemy" "other" => OTHERS;
    "random" => RANDOM;
    "me" => "`me` is the component in the queries, effects and handlers of a kind";
    "viewer" => "`viewer` is the viewing seat in a `see` condition";
    "empty" "nothing" => "write `none` for no seat and no component, `0` for a number";
    "all" "everyone" "everybody" => "`seats` are all seats";
    "do" "then" => "a block begins with `:` alone";
    "secret" "secretly" => "a choice of one seat is secret as `each p in [seat(1)] chooses …`";
    "nobody" => "`none` is no seat";
    "winner" => "the game ends with `finish won by p`";
};

const OF_KIND: &str = "`me` is the component in the queries, effects and handlers of a kind; elsewhere, `active` is the seat whose turn it is";
const ALONE: &str =
    "names stand alone: `active`, `turn`, `round`, and the zones and variables of the game";
const ANSWER: &str =
    "an answer decides which block is run: `ask p \"Again?\": …`, and `else: …` for no";
const OTHERS: &str = "`left(active)` is the next seat, `others(active)` are all others";

const RANDOM: &str = "chance is a choice of an effect: `choose n in 1..6 at random`, and then `n`";

impl Compiler<'_> {
    /// Returns what to write instead of a function that does not exist.
    pub(crate) fn advice_on_function(&self, name: &str) -> String {
        let of = self.world.declared(name);
        if let Some(Symbol::Plural(_) | Symbol::Constant | Symbol::Enum(_)) = of {
            return format!("`{name}` is a list: its first member is `{name}[1]`");
        }
        if let Some(advice) = FUNCTIONS_ELSEWHERE.advice(name) {
            return advice.to_owned();
        }
        let functions: Vec<&str> = function_names().collect();
        if let Some(meant) = self.world.suggest(name, &functions) {
            return format!("did you mean `{meant}`?");
        }
        let queries = self.queries.all.iter();
        let queries = queries.map(|query| query.name.text.as_str());
        let queries = nearest(name, queries, NAMES_MAX);
        let functions = nearest(name, functions.into_iter(), NAMES_MAX / 2);
        let ours = match queries.is_empty() {
            true => String::new(),
            false => format!("; the game has {}", queries.join(", ")),
        };
        format!(
            "declare it under `queries:`{ours}; functions with similar names are {}",
            functions.join(", ")
        )
    }

    /// Returns advice about an unknown name where a value of this type is needed.
    pub(crate) fn advice_on_name(&self, name: &str, wanted: Option<Type>) -> String {
        if let Some(wanted) = wanted.filter(|_| !self.is_of_constants()) {
            let fitting = self.names_that_fit(wanted);
            let fitting = nearest(name, fitting.iter().map(String::as_str), NAMES_MAX);
            if !fitting.is_empty() {
                let what = self.world.name_of(Ty::list(wanted));
                let what = what.strip_prefix("a list of ").unwrap_or(&what);
                let it = self.scope.it().filter(|(_, ty)| ty.of == Some(wanted));
                let it = it.map_or("", |_| "the member itself is `it`; ");
                return format!("{it}{what} that exist here are {}", fitting.join(", "));
            }
        }
        let sides = name.strip_prefix('d').unwrap_or_default();
        if self.is_of_constants() && sides.parse::<u8>().is_ok() {
            return format!("the faces of a die are a list of numbers: `1..{sides}`");
        }
        if self.is_of_constants() {
            return "available here: options, data, types, zones above and the keys of `each`"
                .into();
        }
        if self.scope.has_ended(name) {
            return format!(
                "`{name}` above ends with its block: what comes after the `:` of its `choose` or `each`, or the block of its \
                 `let`; move this line into the block"
            );
        }
        let local = self.scope.names();
        let local = local.iter().map(String::as_str);
        let local = local.filter(|name| !name.is_empty());
        let declare = "declare names in game.yaml (`zones`, `vars`, `data` …) or with `let`, `each` or `choose` above";
        match nearest(name, local, NAMES_MAX) {
            local if local.is_empty() => declare.to_owned(),
            local => format!(
                "names of this effect or query are {}; {declare}",
                local.join(", ")
            ),
        }
    }

    /// Returns the names in scope, and of the game, with this type.
    fn names_that_fit(&self, wanted: Type) -> Vec<String> {
        let fits = |ty: Ty| !ty.list && ty.of.is_some() && self.world.fits(ty.of, Some(wanted));
        let local = self.scope.bindings();
        let local = local.filter(|(_, binding)| binding.ty().is_some_and(fits));
        let mut names: Vec<String> = local.map(|(name, _)| name.to_owned()).collect();
        for (name, symbol) in self.world.all_symbols() {
            names.extend(self.fitting(name, symbol, wanted));
        }
        if wanted == Type::Seat {
            names.push("active".into());
        }
        if let Type::Enum(id) = wanted {
            names.extend(self.world.enum_values(id));
        }
        names.dedup();
        names
    }

    /// Returns how a declared name is written, if it has this type.
    fn fitting(&self, name: &str, symbol: Symbol, wanted: Type) -> Option<String> {
        match symbol {
            Symbol::Family(id) if self.world.fits(Some(Type::Zone(Some(id))), Some(wanted)) => {
                let family = self.world.family(id)?;
                (family.holder.is_none() && !name.contains('.')).then(|| {
                    match family.keys.is_empty() {
                        true => name.to_owned(),
                        false => format!("{name}(…)"),
                    }
                })
            }
            Symbol::Var(id) => {
                let var = self.world.var(id)?;
                let fits = self.world.fits(Some(var.of), Some(wanted)) && !name.is_empty();
                fits.then(|| match var.index {
                    None => name.to_owned(),
                    Some(_) => format!("{name}[…]"),
                })
            }
            Symbol::Family(_)
            | Symbol::Enum(_)
            | Symbol::Plural(_)
            | Symbol::Kind(_)
            | Symbol::RecordType(_)
            | Symbol::Records(_)
            | Symbol::Constant
            | Symbol::Words(_)
            | Symbol::Position(_)
            | Symbol::Query(_) => None,
        }
    }

    /// Returns a name for an index of this type: `it`, a name in scope, or the seat whose turn it is.
    pub(crate) fn index_for(&self, of: Type) -> Option<String> {
        let it = self.scope.it().filter(|(_, ty)| ty.of == Some(of));
        if it.is_some() {
            return Some("it".to_owned());
        }
        let wanted = Some(Ty::one(of));
        let named = self.scope.bindings();
        let named = named.filter(|(name, binding)| !name.is_empty() && binding.ty() == wanted);
        let found = named.last().map(|(name, _)| name.to_owned());
        found.or_else(|| match of {
            Type::Seat => Some("active".to_owned()),
            Type::Enum(id) => self.world.enum_values(id).into_iter().next(),
            Type::Int
            | Type::Bool
            | Type::Component(_)
            | Type::Zone(_)
            | Type::Cell
            | Type::Side
            | Type::Row(_)
            | Type::Record(_)
            | Type::Amounts(_)
            | Type::Letter => None,
        })
    }

    /// Reports an assignment to a name that is not a variable.
    pub(crate) fn undeclared_variable<T>(
        &mut self,
        name: &Name,
        value: &ast::Expr,
        is_indexed: bool,
    ) -> Option<T> {
        if self.world.has_failed(&name.text) {
            return None;
        }
        let vars = self.world.vars.iter().map(|var| var.name.as_str());
        let locals = self.scope.names();
        let known = vars.chain(locals.iter().map(String::as_str));
        let meant = did_you_mean(&name.text, known.filter(|known| !known.is_empty()));
        let is_bool = matches!(value.kind, ExprKind::Bool(_));
        let of = if is_bool { "bool" } else { "int" };
        let declared = match is_indexed {
            true => format!("`{}: {{each: seats, type: {of}}}`", name.text),
            false => format!("`{}: {of}`", name.text),
        };
        if meant.is_none() {
            self.scope.bind(&name.text, Binding::Failed);
        }
        let help = match (meant, is_indexed) {
            (Some(meant), _) => format!("did you mean `{meant}`?"),
            (None, true) => format!("declare it under `vars:`, such as {declared}"),
            (None, false) => format!(
                "declare it under `vars:`, such as {declared}, or write `let {} = …` here",
                name.text
            ),
        };
        let message = format!("there is no variable `{}`", name.text);
        self.unknown("unknown-name", name, message, help)
    }

    /// Reports the bare name of zones where one of them is needed: `move c to hand`.
    pub(crate) fn which_zone(&mut self, expr: &ast::Expr, value: Value, wanted: Type) -> bool {
        let (ExprKind::Name(name), Value::List(_, Some(Type::Zone(Some(family)))), Type::Zone(_)) =
            (&expr.kind, value, wanted)
        else {
            return false;
        };
        let Some(Symbol::Family(declared)) = self.world.declared(&name.text) else {
            return false;
        };
        let Some(family) = self.world.family(family).filter(|_| declared == family) else {
            return false;
        };
        let is_of_seats =
            family.keys.iter().all(|key| key.of == Type::Seat) && family.keys.len() == 1;
        let keys: Vec<&str> = family.keys.iter().map(|key| &*key.name).collect();
        let found = self.world.name_of(value.ty());
        let problem = wrong_type(expr.span, &found, "one zone");
        self.report.push(match is_of_seats {
            true => {
                let written = format!("{}(active)", name.text);
                problem
                    .help(format!("write whose: `{written}`, or with another seat"))
                    .repair(expr.span, written)
            }
            false => problem.help(format!(
                "write which one: `{}({})`",
                name.text,
                keys.join(", ")
            )),
        });
        true
    }

    /// Translates the right side of `and` or `or`. In `x = 1 or 2`, the author meant to compare with 2, too.
    pub(crate) fn other_condition(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
    ) -> Option<ExprId> {
        let problems = self.report.diagnostics.len();
        let found = self.condition(b);
        let compared = compared(a).filter(|_| found.is_none());
        let Some((left, right, sign)) = compared else {
            return found;
        };
        let word = if op == BinaryOp::Or { "or" } else { "and" };
        let mut b = b;
        while let ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _) = &b.kind {
            b = first;
        }
        let written = format!("{} {sign} {}", written(left), written(b));
        let new = self.report.diagnostics.get_mut(problems..);
        if let Some([problem]) = new
            && problem.span == b.span
            && matches!(
                problem.code,
                "wrong-type" | "ambiguous-value" | "kind-as-value"
            )
        {
            problem.code = "wrong-type";
            problem.message = format!("`{word}` joins conditions, and this is none");
            problem.help = Some(match (op, sign) {
                (BinaryOp::Or, "=") => format!(
                    "repeat the comparison: `{written}`, or write `{} in [{}, {}]`",
                    self::written(left),
                    self::written(right),
                    self::written(b)
                ),
                _ => format!("repeat the comparison: `{written}`"),
            });
            if !written.contains('…') {
                *problem = problem.clone().repair(b.span, written);
            }
        }
        None
    }
}

/// Returns the sides of the last comparison of a condition, and its sign.
fn compared(condition: &ast::Expr) -> Option<(&ast::Expr, &ast::Expr, &'static str)> {
    let ExprKind::Binary(op, a, b) = &condition.kind else {
        return None;
    };
    if matches!(op, BinaryOp::And | BinaryOp::Or) {
        return compared(b);
    }
    op.is_comparison().then(|| (&**a, &**b, op.sign()))
}

/// Returns a condition as its author wrote it, if it is short; otherwise with `…` in it.
pub fn written_condition(condition: &ast::Expr) -> String {
    match (&condition.kind, compared(condition)) {
        (
            ExprKind::Is {
                subject,
                negated,
                what,
            },
            _,
        ) => {
            let is = if *negated { "is not" } else { "is" };
            format!("{} {is} {}", written(subject), what.text)
        }
        (ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..), _) => "…".into(),
        (_, Some((a, b, sign))) => format!("{} {sign} {}", written(a), written(b)),
        (_, None) => written(condition),
    }
}

/// Returns an expression as its author wrote it, if it is short; otherwise `…`.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "longer expressions are not repeated"
)]
pub(crate) fn written(expr: &ast::Expr) -> String {
    match &expr.kind {
        ExprKind::Int(number) => number.to_string(),
        ExprKind::Bool(truth) => truth.to_string(),
        ExprKind::None => "none".into(),
        ExprKind::It => "it".into(),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::ItField(name, None) => format!(".{}", name.text),
        ExprKind::Field(of, name, None) => format!("{}.{}", written(of), name.text),
        ExprKind::Index(of, index) => format!("{}[{}]", written(of), written(index)),
        ExprKind::Call(name, args) => {
            let args: Vec<String> = args.iter().map(written).collect();
            format!("{}({})", name.text, args.join(", "))
        }
        ExprKind::List(items) => {
            let items: Vec<String> = items.iter().map(written).collect();
            format!("[{}]", items.join(", "))
        }
        ExprKind::Range(a, b) => format!("{}..{}", written(a), written(b)),
        ExprKind::Unary(ast::UnaryOp::Negate, of) => format!("-{}", written(of)),
        ExprKind::Binary(BinaryOp::Portion, a, b) => format!("{} {}", written(a), written(b)),
        ExprKind::Binary(BinaryOp::Add, a, b) => format!("{} + {}", written(a), written(b)),
        ExprKind::Binary(BinaryOp::Subtract, a, b) => format!("{} - {}", written(a), written(b)),
        _ => "…".into(),
    }
}

/// Returns the names that resemble one most, quoted.
fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>, most: usize) -> Vec<String> {
    let mut known: Vec<(f64, &str)> = known
        .map(|known| (strsim::jaro_winkler(name, known), known))
        .collect();
    known.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.cmp(other)));
    known.dedup_by_key(|(_, known)| *known);
    let nearest = known.into_iter().take(most);
    nearest.map(|(_, known)| format!("`{known}`")).collect()
}

/// `1 key`, `2 keys`.
pub fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

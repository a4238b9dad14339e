//! Reports what the games never reached, as warnings at the places of the rules.

use std::collections::{BTreeMap, BTreeSet};

use super::clauses::carried_out;
use super::reached::{OptionReached, ReachedParts};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_compile::check::citations::place_of;
use wyrmgate_compile::names::walk::{blocks, mentions, texts};
use wyrmgate_lang::ast::{Block, Expr, Stmt, StmtKind};
use wyrmgate_lang::definition::{ComponentDef, Definition, EffectDef, HandlerDef, VarDef};

/// Minimum number of evaluations before a condition is reported as always true.
const ASKED_MIN: u64 = 100;

/// Expected count below which something may be missing by chance.
const EXPECTED_MIN: f64 = 5.0;

/// Maximum number of components of a kind that are named individually.
const NAMED_MAX: usize = 8;

const NEVER_CALLED: &str =
    "check its callers and the conditions before it; random players may also just not reach it";

const NEVER_ASKED: &str = "the list was empty, or nobody could choose: outside of `turn of` and `as` no seat is active, and a decision needs `by`";

/// Advice on an option of a decision that offered none of its options.
const NOTHING_OFFERED: &str = "its decision offered nothing at all: no condition held and every list was empty, nobody could choose, or the games stopped here";

/// A kind of part of the rules, with the number of parts reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct PartCoverage {
    pub reached: u64,
    pub all: u64,
}

impl PartCoverage {
    fn of(reached: impl IntoIterator<Item = bool>) -> PartCoverage {
        let mut part = PartCoverage::default();
        for is in reached {
            part.reached += u64::from(is);
            part.all += 1;
        }
        part
    }
}

/// The parts of the rules that were reached, and warnings about the others.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    pub statements: PartCoverage,
    pub options: PartCoverage,
    pub clauses: PartCoverage,
    pub components: PartCoverage,
    pub report: Report,
}

pub fn findings(definition: &Definition, reached: &ReachedParts) -> Findings {
    let mut finder = Finder {
        reached,
        idle: idle_options(definition, reached),
        bodies: bodies(definition),
        report: Report::default(),
    };
    finder.effects(definition);
    let clauses = carried_out(definition, reached);
    finder.clauses(definition, &clauses);
    for component in &definition.components {
        finder.kind(component);
    }
    finder.zones(definition);
    finder.vars(definition);
    finder.seats(definition);
    let components = reached.components.values().flat_map(|kind| kind.values());
    let named = reached.options.values();
    let named = named.filter(|option| !option.name.is_empty());
    Findings {
        statements: PartCoverage::of(
            places(definition).filter_map(|at| reached.statements.get(&at).map(|games| *games > 0)),
        ),
        options: PartCoverage::of(named.map(|option| option.chosen > 0)),
        clauses: PartCoverage::of(clauses.values().copied()),
        components: PartCoverage::of(components.map(|component| component.games > 0)),
        report: finder.report,
    }
}

/// Returns where the statements and conditions are: what runs between them, such as the end of an effect, is none.
fn places(definition: &Definition) -> impl Iterator<Item = Span> {
    let mut all = BTreeSet::new();
    for text in texts(definition) {
        blocks(text, &mut |block| {
            let exprs = block.iter().flat_map(Stmt::exprs).map(|expr| expr.span);
            all.extend(block.iter().map(place_of).chain(exprs));
        });
    }
    all.into_iter()
}

struct Finder<'r> {
    reached: &'r ReachedParts,
    idle: Vec<IdleOption>,
    /// The places of all effects, with those of their bodies.
    bodies: Vec<(Span, Span)>,
    report: Report,
}

/// An option that was never taken.
#[derive(Clone)]
struct IdleOption {
    span: Span,
    /// The place of its block.
    body: Span,
    /// The message, such as `` `rare` was offered 40 times and never chosen ``.
    text: String,
}

fn idle_options(definition: &Definition, reached: &ReachedParts) -> Vec<IdleOption> {
    let mut idle = Vec::new();
    for text in texts(definition) {
        blocks(text, &mut |block| {
            for statement in block {
                let StmtKind::Choose(choose) = &statement.kind else {
                    continue;
                };
                for option in &choose.options {
                    let known = reached.options.get(&option.span);
                    let known = known.filter(|known| known.chosen == 0);
                    if let (Some(known), Some(body)) = (known, &option.body) {
                        idle.push(IdleOption {
                            span: option.span,
                            body: extent(body, option.span),
                            text: option_text(known, choose.at_random),
                        });
                    }
                }
            }
        });
    }
    idle
}

fn bodies(definition: &Definition) -> Vec<(Span, Span)> {
    let behaviors = definition.behaviors();
    let effects = behaviors.flat_map(|behavior| &behavior.effects);
    let places = effects.map(|effect| (effect.span, extent(&effect.body, effect.span)));
    places.collect()
}

/// Returns the span from the head of a block to the end of its last statement.
fn extent(block: &Block, head: Span) -> Span {
    block.iter().fold(head, |all, statement| {
        let inner = statement.blocks().into_iter();
        inner.fold(all.to(statement.span), |all, block| extent(block, all))
    })
}

/// Describes the option. "Could not be chosen" and "was never chosen" have different causes.
fn option_text(option: &OptionReached, at_random: bool) -> String {
    let what = match option.name.as_str() {
        "" => "this".to_owned(),
        name => format!("`{name}`"),
    };
    match (option.offered, option.name.is_empty()) {
        _ if at_random => format!("chance never chose {what}"),
        (0, true) => "nobody was ever asked".into(),
        (0, false) => format!("{what} was never offered"),
        (1, _) => format!("{what} was offered once and not chosen"),
        (times, _) => format!("{what} was offered {times} times and never chosen"),
    }
}

impl Finder<'_> {
    fn push(&mut self, code: &'static str, span: Span, message: String, help: &str) {
        let in_games = format!("{message} in {} games", self.reached.games);
        let told = Diagnostic::warning(code, span, in_games).help(help);
        self.report.push(told);
    }

    /// Returns the option that was never taken, if every call of an effect is inside its block.
    fn option_before(&self, effect: Span) -> Option<IdleOption> {
        let calls = self.reached.calls.get(&effect)?;
        let holds = |option: &&IdleOption| calls.iter().all(|call| option.body.covers(*call));
        self.idle.iter().find(holds).cloned()
    }

    // ---- code

    fn effects(&mut self, definition: &Definition) {
        for behavior in definition.behaviors() {
            self.code(&behavior.effects, &behavior.handlers);
        }
    }

    fn code(&mut self, effects: &[EffectDef], handlers: &[HandlerDef]) {
        for effect in effects {
            if !(self.never_ran(effect) && self.is_supposed(effect.span, &mut Vec::new())) {
                self.text(effect.span, "this effect never ran", &effect.body);
            }
        }
        for handler in handlers {
            self.text(handler.span, "this handler never ran", &handler.body);
        }
    }

    fn never_ran(&self, effect: &EffectDef) -> bool {
        let first = effect.body.first();
        first.is_some_and(|first| self.is_unreached(first))
    }

    /// Returns whether an effect runs in a what-if, or is called by one that does.
    fn is_supposed(&self, effect: Span, asked: &mut Vec<Span>) -> bool {
        if asked.contains(&effect) {
            return false;
        }
        asked.push(effect);
        let calls = self.reached.calls.get(&effect).into_iter().flatten();
        let mut callers = calls.filter_map(|call| {
            let mut effects = self.bodies.iter();
            effects.find(|(_, body)| body.covers(*call))
        });
        self.reached.supposed.contains(&effect)
            || callers.any(|(caller, _)| self.is_supposed(*caller, asked))
    }

    fn text(&mut self, span: Span, message: &str, body: &Block) {
        if body.first().is_some_and(|first| self.is_unreached(first)) {
            match self.option_before(span) {
                Some(option) => {
                    let message = format!("{message}, because {}", option.text);
                    let help = "only this option leads to it; check the option";
                    self.push("never-happened", span, message, help);
                    let last = self.report.diagnostics.pop();
                    let related = last.map(|told| told.related(option.span, "this leads to it"));
                    self.report.diagnostics.extend(related);
                }
                None => self.push("never-happened", span, message.into(), NEVER_CALLED),
            }
        } else {
            self.block(body);
        }
    }

    /// Reports the first statement that was not reached; those behind it follow from it.
    fn block(&mut self, block: &Block) {
        for statement in block {
            if self.is_unreached(statement) {
                return self.unreached(statement);
            }
            if let StmtKind::If { arms, otherwise } = &statement.kind {
                self.conditions(arms, otherwise.is_some());
            }
            if !self.untaken(statement) {
                statement.blocks().into_iter().for_each(|b| self.block(b));
            }
        }
    }

    fn is_unreached(&self, statement: &Stmt) -> bool {
        self.reached.statements.get(&place_of(statement)) == Some(&0)
    }

    fn unreached(&mut self, statement: &Stmt) {
        let (message, help) = match &statement.kind {
            StmtKind::Finish(_) => ("no game ended here", "check the condition before it"),
            _ => (
                "this was never reached",
                "check the condition before it, or the choice that leads to it",
            ),
        };
        self.push("never-reached", statement.span, message.into(), help);
    }

    /// Reports conditions that made no difference. If one was never true, what it guards is already reported.
    fn conditions(&mut self, arms: &[(Expr, Block)], has_otherwise: bool) {
        let Some(((last, _), _)) = arms.split_last() else {
            return;
        };
        if has_otherwise {
            return;
        }
        if let Some([0, held]) = self.reached.conditions.get(&last.span)
            && *held >= ASKED_MIN
        {
            let message = format!("this held every time ({held} times)");
            let help = "if it must always hold, remove it; otherwise it may be wrong, or random players do not reach a case where it fails";
            self.push("always-held", last.span, message, help);
        }
    }

    /// Reports options that were never taken. Returns whether this also explains their blocks.
    fn untaken(&mut self, statement: &Stmt) -> bool {
        let StmtKind::Choose(choose) = &statement.kind else {
            return false;
        };
        let mut any = false;
        let reached = self.reached;
        let options = choose.options.iter();
        let mut known = options.filter_map(|option| reached.options.get(&option.span));
        let was_asked = known.any(|option| option.offered > 0);
        for option in &choose.options {
            let taken = self.reached.options.get(&option.span);
            if let Some(taken) = taken.filter(|taken| taken.chosen == 0) {
                any = true;
                self.never_chosen(option.span, taken, (choose.at_random, was_asked));
            } else if let Some(body) = &option.body {
                self.block(body);
            }
        }
        any |= !choose.options.is_empty();
        if any && let Some(otherwise) = &choose.otherwise {
            self.block(otherwise);
        }
        any
    }

    fn never_chosen(
        &mut self,
        span: Span,
        option: &OptionReached,
        (at_random, was_asked): (bool, bool),
    ) {
        let message = option_text(option, at_random);
        if option.offered == 0 || at_random {
            let help = match (option.name.is_empty() && !at_random, at_random || was_asked) {
                (true, _) => NEVER_ASKED,
                (false, true) => "its condition never held, or its list was always empty",
                (false, false) => NOTHING_OFFERED,
            };
            return self.push("never-offered", span, message, help);
        }
        let help = format!(
            "random players take it {:.1} times on average: {}",
            option.expected,
            match option.expected < EXPECTED_MIN {
                true => "it is one of many choices, and more games would reach it",
                false => "this is hardly due to chance",
            }
        );
        self.push("never-chosen", span, message, &help);
    }

    // ---- declarations

    fn clauses(&mut self, definition: &Definition, carried_out: &BTreeMap<String, bool>) {
        for clause in &definition.clauses {
            if carried_out.get(&clause.id.text) == Some(&false) {
                let message = format!("nothing that implements `{}` ever ran", clause.id.text);
                let help = "check the places that cite the clause";
                self.push("clause-never-ran", clause.id.span, message, help);
            }
        }
    }

    fn kind(&mut self, kind: &ComponentDef) {
        kind.kinds.iter().for_each(|kind| self.kind(kind));
        let Some(components) = self.reached.components.get(&kind.name.text) else {
            return;
        };
        let unused = || components.iter().filter(|(_, reached)| reached.games == 0);
        let offered: u64 = unused().map(|(_, reached)| reached.offered).sum();
        let unused: Vec<&str> = unused().map(|(name, _)| name.as_str()).collect();
        if unused.is_empty() {
            return;
        }
        let which = match unused.len() {
            all if all == components.len() => format!("no `{}`", kind.name.text),
            some if some <= NAMED_MAX => {
                format!("`{}`", unused.join("`, `")).replace("`, `", "` and `")
            }
            some => format!("{some} of {} `{}`", components.len(), kind.name.text),
        };
        let verb = match which.starts_with("no ") {
            true => "was ever",
            false => "never was",
        };
        let message = format!("{which} {verb} moved, rolled, turned, shown, changed or chosen");
        let message = match offered {
            0 => message,
            times => format!("{message}, though it could be chosen at {times} decisions,"),
        };
        let help = match offered {
            0 => "use it in a rule, or remove it",
            _ => "it is one of many choices; more games may reach it",
        };
        self.push("unused-component", kind.name.span, message, help);
    }

    fn zones(&mut self, definition: &Definition) {
        for zone in &definition.zones {
            let set = |var: &&VarDef| self.reached.vars.get(&var.name.text) == Some(&true);
            let set = definition.vars.iter().filter(set);
            let mut keys = set.flat_map(|var| var.rows.iter().map(|(_, of)| of).chain(&var.each));
            let has_values = keys.any(|of| mentions(of, &[&zone.name.text]));
            if self.reached.zones.get(&zone.name.text) == Some(&false) && !has_values {
                let message = format!("nothing was ever moved to or from `{}`", zone.name.text);
                let help = "remove it, or move something there";
                self.push("unused-zone", zone.name.span, message, help);
            }
        }
    }

    fn vars(&mut self, definition: &Definition) {
        for var in &definition.vars {
            if self.reached.vars.get(&var.name.text) == Some(&false) {
                let message = format!("`{}` was never set", var.name.text);
                let help = "put constants under `data`; or a statement that should set it is never reached";
                self.push("never-set", var.name.span, message, help);
            }
        }
    }

    fn seats(&mut self, definition: &Definition) {
        let players = definition.players.span;
        let silent = (0..self.reached.seats).filter(|seat| self.reached.asked >> seat & 1 == 0);
        for seat in silent.collect::<Vec<_>>() {
            let message = format!("seat {} was never asked", seat + 1);
            let help = "decisions are those of the active seat: `turn of p`, or `by p`";
            self.push("never-asked", players, message, help);
        }
        if self.reached.games > 0 && self.reached.won == 0 {
            let help = "`finish won by` and `finish ranked by` say who wins; random players may also just not win";
            self.push("never-won", players, "nobody won".to_owned(), help);
        }
    }
}

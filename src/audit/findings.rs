//! What the games never came to, as warnings at the places of the rules.

use std::collections::BTreeMap;

use super::clauses::carried_out;
use super::reached::{OptionReached, Reached};
use crate::check::citations::place_of;
use crate::check::walk::blocks_of;
use crate::diagnostic::{Diagnostic, Report, Span};
use crate::lang::ast::{Block, Expr, Stmt, StmtKind};
use crate::lang::definition::{ComponentDef, Definition};

/// A condition has to be asked at least so often before it is worth telling that it always held.
const ASKED_MIN: u64 = 100;

/// What was to be expected less often may be missing by chance.
const EXPECTED_MIN: f64 = 5.0;

/// Components of a kind that are named one by one.
const NAMED_MAX: usize = 8;

const NEVER_ASKED: &str = "there was nothing to choose from, or nobody to choose: outside of `turn of` and `as` nobody \
                           is active, and a decision needs `by`";

/// How much of the rules was reached: parts and how many of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Part {
    pub reached: u64,
    pub all: u64,
}

impl Part {
    fn of(reached: impl IntoIterator<Item = bool>) -> Part {
        reached.into_iter().fold(Part::default(), |part, is| Part {
            reached: part.reached + u64::from(is),
            all: part.all + 1,
        })
    }
}

/// What was reached of the rules, in numbers, and what was not, in words.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    pub statements: Part,
    pub options: Part,
    pub clauses: Part,
    pub components: Part,
    pub report: Report,
}

pub fn findings(definition: &Definition, reached: &Reached) -> Findings {
    let mut finder = Finder {
        reached,
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
    let components = reached.components.values().flat_map(|kind| kind.values());
    let named = reached.options.values();
    let named = named.filter(|option| !option.name.is_empty());
    Findings {
        statements: Part::of(reached.statements.values().map(|games| *games > 0)),
        options: Part::of(named.map(|option| option.chosen > 0)),
        clauses: Part::of(clauses.values().copied()),
        components: Part::of(components.map(|component| component.games > 0)),
        report: finder.report,
    }
}

struct Finder<'r> {
    reached: &'r Reached,
    report: Report,
}

impl Finder<'_> {
    fn push(&mut self, code: &'static str, span: Span, message: String, help: &str) {
        let in_games = format!("{message} in {} games", self.reached.games);
        self.report
            .push(Diagnostic::warning(code, span, in_games).help(help));
    }

    // ---- code

    fn effects(&mut self, definition: &Definition) {
        for effect in &definition.effects {
            self.text(effect.span, "this effect never happened", &effect.body);
        }
        for handler in &definition.handlers {
            self.text(handler.span, "this handler never ran", &handler.body);
        }
        for component in &definition.components {
            self.effects_of(component);
        }
    }

    fn effects_of(&mut self, kind: &ComponentDef) {
        for effect in &kind.effects {
            self.text(effect.span, "this effect never happened", &effect.body);
        }
        for handler in &kind.handlers {
            self.text(handler.span, "this handler never ran", &handler.body);
        }
        kind.kinds.iter().for_each(|kind| self.effects_of(kind));
    }

    fn text(&mut self, span: Span, message: &str, body: &Block) {
        if body.first().is_some_and(|first| self.is_unreached(first)) {
            let help = "look at what should call it and at the conditions before; players who choose at random may also \
                        just not come to it";
            self.push("never-happened", span, message.into(), help);
        } else {
            self.block(body);
        }
    }

    /// Tells of the first statement that was not reached; those behind it are not either.
    fn block(&mut self, block: &Block) {
        for statement in block {
            if self.is_unreached(statement) {
                return self.unreached(statement);
            }
            if let StmtKind::If { arms, otherwise } = &statement.kind {
                self.conditions(arms, otherwise.is_some());
            }
            if !self.untaken(statement) {
                blocks_of(statement).into_iter().for_each(|b| self.block(b));
            }
        }
    }

    fn is_unreached(&self, statement: &Stmt) -> bool {
        self.reached.statements.get(&place_of(statement)) == Some(&0)
    }

    fn unreached(&mut self, statement: &Stmt) {
        let (message, help) = match &statement.kind {
            StmtKind::Finish(_) => (
                "the game never ended here",
                "an end that nobody comes to is no end: is the condition before it right?",
            ),
            _ => (
                "this was never reached",
                "look at the condition before it, or at the choice it belongs to",
            ),
        };
        self.push("never-reached", statement.span, message.into(), help);
    }

    /// Conditions that made no difference. Where one never held, what it guards has been told of.
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
            let help = "if it must always hold it can go; otherwise it is not what was meant, or random players do not \
                        come to where it fails";
            self.push("always-held", last.span, message, help);
        }
    }

    /// Options that nobody took. True if what they lead to has been told of so.
    fn untaken(&mut self, statement: &Stmt) -> bool {
        let StmtKind::Choose(choose) = &statement.kind else {
            return false;
        };
        let mut any = false;
        for option in &choose.options {
            let taken = self.reached.options.get(&option.span);
            if let Some(taken) = taken.filter(|taken| taken.chosen == 0) {
                any = true;
                self.never_chosen(option.span, taken, choose.at_random);
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

    /// It could not be chosen, or it could and nobody did: two different things to look for.
    fn never_chosen(&mut self, span: Span, option: &OptionReached, at_random: bool) {
        let what = match option.name.as_str() {
            "" => "this".to_owned(),
            name => format!("`{name}`"),
        };
        if at_random {
            let message = format!("chance never chose {what}");
            let help = "there was nothing to choose from";
            return self.push("never-offered", span, message, help);
        }
        if option.offered == 0 {
            let (message, help) = match option.name.is_empty() {
                true => ("nobody was ever asked this".to_owned(), NEVER_ASKED),
                false => (
                    format!("{what} was never offered"),
                    "its condition never held, or there was nothing to choose from",
                ),
            };
            return self.push("never-offered", span, message, help);
        }
        let times = match option.offered {
            1 => "once".to_owned(),
            times => format!("{times} times"),
        };
        let message = format!("{what} was offered {times} and never chosen");
        let help = format!(
            "players choose at random, and would take it {:.1} times on average: {}",
            option.expected,
            match option.expected < EXPECTED_MIN {
                true => "it is one of many choices, and more games would come to it",
                false => "that this is chance is not likely",
            }
        );
        self.push("never-chosen", span, message, &help);
    }

    // ---- declarations

    fn clauses(&mut self, definition: &Definition, carried_out: &BTreeMap<String, bool>) {
        for clause in &definition.clauses {
            if carried_out.get(&clause.id.text) == Some(&false) {
                let message = format!("nothing that carries out `{}` ever ran", clause.id.text);
                let help = "look at where the clause is cited";
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
        let verb = if which.starts_with("no ") {
            "was ever"
        } else {
            "never was"
        };
        let message = format!("{which} {verb} moved, rolled, turned, shown, changed or chosen");
        let message = match offered {
            0 => message,
            times => format!("{message}, though it could be chosen at {times} decisions,"),
        };
        let help = match offered {
            0 => "give it something to do, or leave it out",
            _ => "it is one of many choices; more games may come to it",
        };
        self.push("unused-component", kind.name.span, message, help);
    }

    fn zones(&mut self, definition: &Definition) {
        for zone in &definition.zones {
            if self.reached.zones.get(&zone.name.text) == Some(&false) {
                let message = format!("nothing was ever moved to or from `{}`", zone.name.text);
                let help = "leave it out, or move something there";
                self.push("unused-zone", zone.name.span, message, help);
            }
        }
    }

    fn vars(&mut self, definition: &Definition) {
        for var in &definition.vars {
            if self.reached.vars.get(&var.name.text) == Some(&false) {
                let message = format!("`{}` was never set", var.name.text);
                let help = "what never changes belongs under `data`; or a statement that should set it is not reached";
                self.push("never-set", var.name.span, message, help);
            }
        }
    }
}

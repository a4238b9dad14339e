//! Plays one scenario, step by step. A step that only looks may fail and the story goes on; one that should have changed
//! the game and could not ends it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::luck::Forced;
use super::{
    At, Choice, Luck, Over, Refused, Scenario, Sees, Step, StepKind, arrange_name, attach, compare,
    expect_name, sides_name, waiting,
};
use crate::bot::RandomBot;
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::{
    self, Event, Fault, Observer, Pending, Rejection, State, StepError, ToolError, Viewer,
};
use crate::lang::ast::Expr;
use crate::program::{ClauseId, Program};
use crate::record;

/// What a scenario came to.
#[derive(Debug)]
pub struct Ran {
    pub failures: Vec<Failure>,
    /// Worth telling, but no failure.
    pub warnings: Vec<Diagnostic>,
    /// The clauses whose code ran, or which forbade something.
    pub clauses: BTreeSet<ClauseId>,
}

/// One thing that is not as the scenario states.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub diagnostic: Diagnostic,
    pub expected: String,
    pub found: String,
}

/// Whether the story can go on after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    GoOn,
    End,
}

/// Plays scenario `number` of those that were attached to the program's definition.
pub fn run(program: &Program, number: usize, scenario: &Scenario) -> Ran {
    let mut watch = Watch::default();
    let mut chance = Forced::new(program);
    chance.push(&scenario.given.luck);
    let seed = record::seed_from_number(scenario.given.seed.unwrap_or(1));
    match engine::start(program, seed, &mut chance, &mut watch) {
        Ok(state) => Runner {
            program,
            number,
            state,
            chance,
            watch,
            bot: RandomBot::for_game(&seed),
            failures: Vec::new(),
        }
        .run(scenario),
        Err(fault) => Ran {
            failures: vec![fault_failure(&fault, scenario.name.span)],
            warnings: Vec::new(),
            clauses: watch.clauses,
        },
    }
}

/// Keeps the events since the last play, and every clause of the whole story.
#[derive(Debug, Default)]
struct Watch {
    events: Vec<Event>,
    clauses: BTreeSet<ClauseId>,
}

impl Observer for Watch {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn clause(&mut self, clause: ClauseId) {
        self.clauses.insert(clause);
    }
}

pub(super) struct Runner<'a> {
    pub(super) program: &'a Program,
    number: usize,
    pub(super) state: State,
    chance: Forced<'a>,
    watch: Watch,
    bot: RandomBot,
    failures: Vec<Failure>,
}

impl Runner<'_> {
    fn run(mut self, scenario: &Scenario) -> Ran {
        self.take_luck_problems();
        self.note_owed();
        for (i, step) in scenario.steps.iter().enumerate() {
            let then = self.step(i, step);
            self.take_luck_problems();
            self.note_owed();
            if then == Then::End {
                break;
            }
        }
        Ran {
            warnings: self.leftover_luck(),
            failures: self.failures,
            clauses: self.watch.clauses,
        }
    }

    fn step(&mut self, i: usize, step: &Step) -> Then {
        match &step.kind {
            StepKind::Arrange(_) => self.arrange(i, step.span),
            StepKind::Waiting(stated) => {
                self.look(|runner| waiting::check(runner, stated, step.span))
            }
            StepKind::Play(choice) => self.play(choice, step.span),
            StepKind::Refused(refused) => self.look(|runner| runner.refused(refused, step.span)),
            StepKind::Luck(luck) => self.look(|runner| runner.push_luck(luck)),
            StepKind::Random(times) => self.random(*times, step.span),
            StepKind::Expect(conditions) => self.look(|runner| runner.expect(i, conditions)),
            StepKind::Sees(sees) => self.look(|runner| runner.sees(sees, step.span)),
            StepKind::Events(events) => self.look(|runner| runner.events(events, step.span)),
            StepKind::Over(over) => self.look(|runner| runner.over(over, step.span)),
        }
    }

    /// A step that leaves the game as it is: whatever it finds, the story goes on.
    fn look(&mut self, look: impl FnOnce(&mut Self)) -> Then {
        look(self);
        Then::GoOn
    }

    // ---- steps that change the game

    fn arrange(&mut self, i: usize, span: Span) -> Then {
        let name = arrange_name(self.number, i);
        let (program, state) = (self.program, &mut self.state);
        match engine::run_effect(program, state, &name, &mut self.chance, &mut engine::Silent) {
            Ok(()) => Then::GoOn,
            Err(ToolError::Fault(fault)) => self.fault(&fault, span),
            Err(error @ (ToolError::Over | ToolError::Unknown(_))) => {
                let message = format!("nothing can be arranged: {error}");
                let found = self.who_owes();
                self.fail(
                    Diagnostic::error("arrange", span, message),
                    "a game that goes on",
                    found,
                );
                Then::End
            }
        }
    }

    fn play(&mut self, choice: &Choice, span: Span) -> Then {
        let Some(pending) = self.owed_by(choice.seat, choice.span) else {
            return Then::End;
        };
        match self.read_choice(&pending, choice) {
            Ok(internal) => self.make(&pending, &internal, choice.span, span),
            Err(rejection) => self.not_accepted(&pending, &rejection, choice.span),
        }
    }

    fn make(&mut self, pending: &Pending, choice: &engine::Choice, at: Span, step: Span) -> Then {
        self.watch.events.clear();
        let (program, state) = (self.program, &mut self.state);
        match engine::step(
            program,
            state,
            pending.index,
            choice,
            &mut self.chance,
            &mut self.watch,
        ) {
            Ok(()) => Then::GoOn,
            Err(StepError::Rejected(rejection)) => self.not_accepted(pending, &rejection, at),
            Err(StepError::Fault(fault)) => self.fault(&fault, step),
        }
    }

    fn not_accepted(&mut self, pending: &Pending, rejection: &Rejection, span: Span) -> Then {
        let found = self.describe(rejection);
        let choices = waiting::some_choices(self, pending);
        let diagnostic = Diagnostic::error("refused", span, "this choice is not accepted")
            .help(format!("possible here: {choices}"));
        self.fail(diagnostic, "accepted", found);
        Then::End
    }

    fn random(&mut self, times: u32, span: Span) -> Then {
        for _ in 0..times {
            let Some(pending) = self.owed_by_anyone(span) else {
                return Then::End;
            };
            let then = match self.bot.choose(self.program, &self.state, &pending) {
                Ok(Some(choice)) => self.make(&pending, &choice, span, span),
                Ok(None) => self.nothing_to_choose(span),
                Err(fault) => self.fault(&fault, span),
            };
            if then == Then::End {
                return then;
            }
        }
        Then::GoOn
    }

    fn nothing_to_choose(&mut self, span: Span) -> Then {
        let diagnostic =
            Diagnostic::error("waiting", span, "a decision is owed that has no choice");
        self.fail(diagnostic, "at least one choice", "none");
        Then::End
    }

    fn push_luck(&mut self, luck: &[At<Luck>]) {
        self.chance.push(luck);
    }

    // ---- steps that look

    fn refused(&mut self, refused: &Refused, span: Span) {
        let rejection = self.try_choice(&refused.choice, span);
        let Some(rejection) = rejection else {
            return;
        };
        self.watch.clauses.extend(&rejection.clauses);
        if let Some(code) = &refused.code
            && code.value != rejection.code.name()
        {
            let diagnostic =
                Diagnostic::error("refused", code.span, "it is refused for another reason");
            let found = self.describe(&rejection);
            self.fail(diagnostic, code.value.clone(), found);
        }
        if let Some(clause) = &refused.clause
            && !self.clause_ids(&rejection).contains(&clause.text.as_str())
        {
            let diagnostic =
                Diagnostic::error("refused", clause.span, "it is refused by another clause");
            let found = self.describe(&rejection);
            self.fail(diagnostic, clause.text.clone(), found);
        }
    }

    /// Tries a choice that should be refused, on a copy of the game; why it was. `None`: it was not, and that is noted.
    fn try_choice(&mut self, choice: &Choice, span: Span) -> Option<Rejection> {
        let owed = engine::pending(self.program, &self.state);
        let pending = match choice.seat {
            Some(seat) => owed.iter().find(|p| p.seat + 1 == seat),
            None => owed.first(),
        };
        let mut copy = self.state.clone();
        let result = match pending {
            Some(pending) => match self.read_choice(pending, choice) {
                Ok(internal) => self.step_on(&mut copy, pending.index, &internal),
                Err(rejection) => return Some(rejection),
            },
            // A decision that nobody owes: the engine says which kind of refusal that is.
            None => self.step_on(&mut copy, usize::MAX, &engine::Choice::default()),
        };
        match result {
            Err(StepError::Rejected(rejection)) => {
                self.must_be_untouched(&copy, span);
                Some(rejection)
            }
            Err(StepError::Fault(fault)) => {
                self.fault(&fault, span);
                None
            }
            Ok(()) => {
                let diagnostic =
                    Diagnostic::error("refused", choice.span, "this choice is accepted");
                self.fail(diagnostic, "refused", "accepted");
                None
            }
        }
    }

    fn step_on(
        &mut self,
        state: &mut State,
        index: usize,
        choice: &engine::Choice,
    ) -> Result<(), StepError> {
        engine::step(
            self.program,
            state,
            index,
            choice,
            &mut engine::Seeded,
            &mut engine::Silent,
        )
    }

    fn must_be_untouched(&mut self, after: &State, span: Span) {
        if after.encode(self.program) != self.state.encode(self.program) {
            let diagnostic =
                Diagnostic::error("refused", span, "a refused choice changed the game");
            self.fail(diagnostic, "the same state", "another state");
        }
    }

    fn expect(&mut self, i: usize, conditions: &[Expr]) {
        for (k, condition) in conditions.iter().enumerate() {
            let name = expect_name(self.number, i, k);
            match engine::eval_query(self.program, &self.state, &name) {
                Some(0) => self.not_so(i, k, condition),
                Some(_) => {}
                None => self.cannot_tell(condition),
            }
        }
    }

    /// The checker has seen the query, so only a limit can be in the way.
    fn cannot_tell(&mut self, condition: &Expr) {
        let message = "this cannot be evaluated within the engine's limits";
        let diagnostic = Diagnostic::error("expect", condition.span, message);
        self.fail(diagnostic, "true", "no answer");
    }

    fn not_so(&mut self, i: usize, k: usize, condition: &Expr) {
        let diagnostic = Diagnostic::error("expect", condition.span, "this does not hold");
        let sides = attach::sides(condition).and_then(|_| self.sides(i, k));
        match sides {
            Some((left, right)) => self.fail(
                diagnostic.label(format!("the left side is {left}")),
                right,
                left,
            ),
            None => self.fail(diagnostic, "true", "false"),
        }
    }

    /// What the two sides of a comparison are, as the rules would say them.
    fn sides(&self, i: usize, k: usize) -> Option<(String, String)> {
        let name = sides_name(self.number, i, k);
        let mut said = Watch::default();
        let mut copy = self.state.clone();
        engine::run_effect(
            self.program,
            &mut copy,
            &name,
            &mut engine::Seeded,
            &mut said,
        )
        .ok()?;
        let mut texts = said.events.iter().filter_map(|event| {
            let doc = engine::event_doc(self.program, event, Viewer::All)?;
            Some(doc.get("text")?.as_str()?.to_owned())
        });
        Some((texts.next()?, texts.next()?))
    }

    fn sees(&mut self, sees: &Sees, span: Span) {
        let viewer = sees
            .seat
            .map_or(Viewer::Public, |seat| Viewer::Seat(seat - 1));
        let view = self.view(viewer);
        if let Some(wanted) = &sees.view {
            for difference in compare::differences(wanted, &view) {
                let message = format!("the view differs at `{}`", difference.path);
                let diagnostic = Diagnostic::error("sees", span, message);
                self.fail(diagnostic, difference.expected, difference.found);
            }
        }
        for id in sees.hides.iter().filter(|id| compare::mentions(&view, id)) {
            let message = format!("`{id}` can be seen");
            self.fail(Diagnostic::error("hides", span, message), "hidden", "seen");
        }
    }

    /// All that this viewer is shown: the view, and the decisions that are its own.
    fn view(&self, viewer: Viewer) -> Value {
        let view = engine::view(self.program, &self.state, viewer);
        serde_json::to_value(view).unwrap_or_default()
    }

    fn events(&mut self, wanted: &[At<Value>], span: Span) {
        let found: Vec<Value> = self
            .watch
            .events
            .iter()
            .filter_map(|event| engine::event_doc(self.program, event, Viewer::All))
            .collect();
        let values: Vec<Value> = wanted.iter().map(|at| at.value.clone()).collect();
        let Some(missing) = compare::first_missing(&values, &found) else {
            return;
        };
        let place = wanted.iter().find(|at| at.value == *missing);
        let span = place.map_or(span, |at| at.span);
        let diagnostic = Diagnostic::error(
            "events",
            span,
            "this did not happen, or not after those before it",
        );
        let happened: Vec<String> = found.iter().map(compare::short).collect();
        self.fail(diagnostic, compare::short(missing), happened.join("\n"));
    }

    fn over(&mut self, over: &Over, span: Span) {
        let Some(outcome) = self.state.outcome().map(record::Outcome::from) else {
            let diagnostic = Diagnostic::error("over", span, "the game is not over");
            let found = self.who_owes();
            return self.fail(diagnostic, "over", found);
        };
        if let Some(winners) = &over.winners
            && *winners != outcome.winners
        {
            let diagnostic = Diagnostic::error("over", span, "others have won");
            self.fail(
                diagnostic,
                format!("winners {winners:?}"),
                format!("winners {:?}", outcome.winners),
            );
        }
        if let Some(drawn) = over.drawn
            && drawn != outcome.drawn
        {
            let says = |drawn| if drawn { "drawn" } else { "not drawn" };
            let diagnostic =
                Diagnostic::error("over", span, format!("the game is {}", says(outcome.drawn)));
            self.fail(diagnostic, says(drawn), says(outcome.drawn));
        }
        if let Some(ranking) = &over.ranking {
            self.ranking(ranking, &outcome, span);
        }
    }

    fn ranking(&mut self, wanted: &[Value], outcome: &record::Outcome, span: Span) {
        let full = serde_json::to_value(&outcome.ranking).unwrap_or_default();
        let keys = serde_json::json!(
            outcome
                .ranking
                .iter()
                .map(|rank| &rank.keys)
                .collect::<Vec<_>>()
        );
        let by_keys = wanted.iter().all(Value::is_array);
        let found = if by_keys { keys } else { full };
        let wanted = Value::Array(wanted.to_vec());
        if !compare::contains(&wanted, &found) {
            let diagnostic = Diagnostic::error("over", span, "the ranking is another one");
            self.fail(diagnostic, compare::short(&wanted), compare::short(&found));
        }
    }

    // ---- what steps share

    pub(super) fn fail(
        &mut self,
        diagnostic: Diagnostic,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) {
        self.failures.push(Failure {
            diagnostic,
            expected: expected.into(),
            found: found.into(),
        });
    }

    fn fault(&mut self, fault: &Fault, span: Span) -> Then {
        self.failures.push(fault_failure(fault, span));
        Then::End
    }

    /// The decision that this seat owes, or the only one; if there is none, that is noted.
    pub(super) fn owed_by(&mut self, seat: Option<u8>, span: Span) -> Option<Pending> {
        let owed = engine::pending(self.program, &self.state);
        let found = match seat {
            Some(seat) => owed.iter().find(|p| p.seat + 1 == seat),
            None if owed.len() > 1 => {
                let diagnostic = Diagnostic::error("waiting", span, "several seats owe a decision")
                    .help("say which one with `seat`");
                let who = self.who_owes();
                self.fail(diagnostic, "one seat", who);
                return None;
            }
            None => owed.first(),
        };
        if found.is_none() {
            let wanted = seat.map_or("a seat owes a decision".into(), |s| {
                format!("seat {s} owes a decision")
            });
            let diagnostic = Diagnostic::error("waiting", span, "no such decision is owed");
            let who = self.who_owes();
            self.fail(diagnostic, wanted, who);
        }
        found.copied()
    }

    fn owed_by_anyone(&mut self, span: Span) -> Option<Pending> {
        let owed = engine::pending(self.program, &self.state);
        if owed.is_empty() {
            let diagnostic = Diagnostic::error("waiting", span, "nobody owes a decision");
            let who = self.who_owes();
            self.fail(diagnostic, "a seat owes a decision", who);
        }
        owed.first().copied()
    }

    /// `seats 1 and 3 owe a decision`, `the game is over`.
    pub(super) fn who_owes(&self) -> String {
        let owed = engine::pending(self.program, &self.state);
        let seats: Vec<String> = owed.iter().map(|p| (p.seat + 1).to_string()).collect();
        match seats.as_slice() {
            [] => "the game is over".into(),
            [one] => format!("seat {one} owes a decision"),
            _ => format!("seats {} owe a decision", seats.join(", ")),
        }
    }

    pub(super) fn read_choice(
        &self,
        pending: &Pending,
        choice: &Choice,
    ) -> Result<engine::Choice, Rejection> {
        engine::choice_from_json(self.program, &self.state, pending, &choice.json())
    }

    fn clause_ids(&self, rejection: &Rejection) -> Vec<&str> {
        let ids = rejection.clauses.iter();
        ids.filter_map(|id| self.program.clauses.get(usize::from(*id)))
            .map(|clause| clause.id.as_str())
            .collect()
    }

    fn describe(&self, rejection: &Rejection) -> String {
        let clauses = self.clause_ids(rejection);
        let by = if clauses.is_empty() {
            String::new()
        } else {
            format!(" [{}]", clauses.join(" "))
        };
        format!("{}: {}{by}", rejection.code.name(), rejection.message)
    }

    /// Conditions and domains of a decision that is owed have been evaluated: their clauses ran.
    fn note_owed(&mut self) {
        for pending in engine::pending(self.program, &self.state) {
            let Some(site) = self.program.sites.get(usize::from(pending.site)) else {
                continue;
            };
            self.watch.clauses.extend(&site.cites);
            for option in &site.options {
                let filters = option.binders.iter().flat_map(|binder| &binder.filters);
                let conditions = option.conditions.iter().chain(filters);
                self.watch.clauses.extend(&option.cites);
                self.watch
                    .clauses
                    .extend(conditions.flat_map(|condition| &condition.cites));
            }
        }
    }

    fn take_luck_problems(&mut self) {
        for diagnostic in std::mem::take(&mut self.chance.problems) {
            let found = diagnostic.help.clone().unwrap_or_default();
            self.fail(diagnostic, "a result that can be drawn", found);
        }
    }

    fn leftover_luck(&self) -> Vec<Diagnostic> {
        let left = self.chance.left().map(|at| {
            Diagnostic::warning("leftover-luck", at.span, "this result was never drawn")
                .help("chance was asked less often than the scenario expects")
        });
        left.collect()
    }
}

fn fault_failure(fault: &Fault, span: Span) -> Failure {
    let mut diagnostic = Diagnostic::error("fault", span, fault.to_string());
    if let Some(place) = fault.span {
        diagnostic = diagnostic.related(place, "it happened here");
    }
    Failure {
        diagnostic,
        expected: "the rules run".into(),
        found: fault.to_string(),
    }
}

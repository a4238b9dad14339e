//! Runs one scenario, step by step. If a step that only checks fails, the scenario continues; if a step that should
//! change the game fails, it ends.

mod act;
mod expect;
mod look;
mod moments;
mod possible;
mod refuse;
mod waiting;

use std::collections::BTreeSet;

use super::coverage::cited_at;
use super::luck::Forced;
use super::{AUTHOR, Scenario, ScenarioChoice, ScenarioStep, StepKind};
use wyrmgate_analysis::record;
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_engine::{self as engine, At, Event, Fault, Observer, Pending, Silent, State};
use wyrmgate_program::{ClauseId, Program};
use wyrmgate_search::bot::RandomBot;
use wyrmgate_view::Rejection;

pub use moments::ScenarioMoment;

/// The result of a scenario.
#[derive(Debug, Default)]
pub struct Ran {
    pub failures: Vec<ScenarioFailure>,
    /// Warnings, which are not failures.
    pub warnings: Vec<Diagnostic>,
    /// The clauses whose code ran or that forbade something.
    pub clauses: BTreeSet<ClauseId>,
    /// The positions to show, if the scenario is an example.
    pub moments: Vec<ScenarioMoment>,
}

/// A mismatch between the scenario and the game.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioFailure {
    pub diagnostic: Diagnostic,
    pub expected: String,
    pub found: String,
}

impl ScenarioFailure {
    pub(super) fn new(
        diagnostic: Diagnostic,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> ScenarioFailure {
        ScenarioFailure {
            diagnostic,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

/// Whether the scenario can continue after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    GoOn,
    End,
}

/// Runs scenario `number` of those attached to the program's definition.
pub fn run(program: &Program, number: usize, scenario: &Scenario) -> Ran {
    run_watched(program, number, scenario, &mut Silent)
}

/// Runs a scenario while another observer watches its events.
pub fn run_watched<'a>(
    program: &'a Program,
    number: usize,
    scenario: &Scenario,
    other: &'a mut dyn Observer,
) -> Ran {
    let mut watch = EventWatch {
        events: Vec::new(),
        clauses: BTreeSet::new(),
        untold: None,
        other,
    };
    let mut chance = Forced::new(program);
    chance.push(&scenario.given.luck);
    let seed = record::seed_from_number(scenario.given.seed.unwrap_or(1));
    match engine::start(program, seed, &mut chance, &mut watch) {
        Ok(state) => ScenarioRunner {
            program,
            number,
            state,
            chance,
            watch,
            bot: RandomBot::for_game(&seed),
            failures: Vec::new(),
            warnings: Vec::new(),
            moments: Vec::new(),
        }
        .run(scenario),
        Err(fault) => Ran {
            failures: vec![fault_failure(&fault, scenario.name.span)],
            clauses: watch.clauses,
            ..Ran::default()
        },
    }
}

/// Collects the events since the last play, and all clauses of the scenario.
struct EventWatch<'w> {
    events: Vec<Event>,
    clauses: BTreeSet<ClauseId>,
    untold: Option<Fault>,
    other: &'w mut dyn Observer,
}

impl Observer for EventWatch<'_> {
    fn event(&mut self, event: Event) {
        if self.other.wants_events() {
            self.other.event(event.clone());
        }
        self.events.push(event);
    }

    fn operation(&mut self, at: At<'_>) {
        self.other.operation(at);
    }

    fn rest(&mut self, state: &State, spent: u32) {
        self.other.rest(state, spent);
    }

    fn clause(&mut self, clause: ClauseId) {
        self.clauses.insert(clause);
    }

    fn untold(&mut self, fault: Fault) {
        self.untold.get_or_insert(fault);
    }
}

pub(super) struct ScenarioRunner<'a> {
    pub(super) program: &'a Program,
    number: usize,
    pub(super) state: State,
    chance: Forced<'a>,
    watch: EventWatch<'a>,
    bot: RandomBot,
    failures: Vec<ScenarioFailure>,
    warnings: Vec<Diagnostic>,
    moments: Vec<ScenarioMoment>,
}

impl ScenarioRunner<'_> {
    fn run(mut self, scenario: &Scenario) -> Ran {
        self.take_luck_problems();
        self.note_owed();
        for (i, step) in scenario.steps.iter().enumerate() {
            let mover = scenario.is_example.then(|| self.before(step)).flatten();
            let then = self.step(i, step);
            if let Some(seat) = mover {
                self.after(seat);
            }
            self.take_luck_problems();
            if let Some(untold) = self.watch.untold.take() {
                self.fault(&untold, step.span);
            }
            self.note_owed();
            if then == Then::End {
                break;
            }
        }
        self.warnings.extend(self.leftover_luck());
        if scenario.is_example && self.moments.is_empty() {
            self.moments.push(ScenarioMoment::still(&self.state));
        }
        Ran {
            warnings: self.warnings,
            failures: self.failures,
            clauses: self.watch.clauses,
            moments: self.moments,
        }
    }

    fn step(&mut self, i: usize, step: &ScenarioStep) -> Then {
        let span = step.span;
        match &step.kind {
            StepKind::Arrange(_) => return self.arrange(i, span),
            StepKind::Play(choice) => return self.play(choice, span),
            StepKind::Random(times) => return self.random(*times, span),
            StepKind::Late(seat) => return self.late(*seat, span),
            StepKind::Resigns(seat) => return self.resigns(*seat, span),
            StepKind::Luck(luck) => self.chance.push(luck),
            // The others only check.
            StepKind::Waiting(stated) => waiting::check(self, stated, span),
            StepKind::Refused(refused) => self.refused(refused, span),
            StepKind::Expect(conditions) => self.expect(i, conditions),
            StepKind::Sees(sees) => self.sees(sees, span),
            StepKind::Events(events) => self.events_for(AUTHOR, events, span),
            StepKind::NoEvents(events) => self.no_events_for(AUTHOR, events),
            StepKind::Over(over) => self.over(over, span),
        }
        Then::GoOn
    }

    // ---- what steps share

    pub(super) fn fail(
        &mut self,
        diagnostic: Diagnostic,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) {
        let failure = ScenarioFailure::new(diagnostic, expected, found);
        self.failures.push(failure);
    }

    /// Reports a difference for which there is no advice. `sides`: what was expected, and what was found.
    pub(super) fn differs<E: Into<String>, F: Into<String>>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        sides: (E, F),
    ) {
        self.fail(Diagnostic::error(code, span, message), sides.0, sides.1);
    }

    fn fault(&mut self, fault: &Fault, span: Span) -> Then {
        self.failures.push(fault_failure(fault, span));
        Then::End
    }

    /// Returns the decision that this seat owes, or the only one. Reports a failure if there is none.
    pub(super) fn owed_by(&mut self, seat: Option<u8>, span: Span) -> Option<Pending> {
        let owed = engine::pending(self.program, &self.state);
        let found = match seat {
            Some(seat) => owed.iter().find(|p| p.seat + 1 == seat),
            None if owed.len() > 1 => {
                let diagnostic = Diagnostic::error("waiting", span, "several seats owe a decision")
                    .help("add `seat`");
                let who = self.who_owes();
                self.fail(diagnostic, "one seat", who);
                return None;
            }
            None => owed.first(),
        };
        if found.is_none() {
            let wanted = seat.map_or("a seat".to_owned(), |seat| format!("seat {seat}"));
            let wanted = format!("{wanted} owes a decision");
            let sides = (wanted, self.who_owes());
            self.differs("waiting", span, "no such decision is pending", sides);
        }
        found.copied()
    }

    fn owed_by_anyone(&mut self, span: Span) -> Option<Pending> {
        let owed = engine::pending(self.program, &self.state);
        if owed.is_empty() {
            let sides = ("a seat owes a decision", self.who_owes());
            self.differs("waiting", span, "nobody owes a decision", sides);
        }
        owed.first().copied()
    }

    /// Formats `seats 1 and 3 owe a decision` or `the game is over`.
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
        choice: &ScenarioChoice,
    ) -> Result<engine::Choice, Rejection> {
        wyrmgate_view::choice_from_json(self.program, &self.state, pending, &choice.json())
    }

    fn clause_ids(&self, rejection: &Rejection) -> Vec<&str> {
        let ids = rejection.clauses.iter();
        ids.filter_map(|id| self.program.prose.clauses.get(usize::from(*id)))
            .map(|clause| clause.id.as_str())
            .collect()
    }

    fn describe(&self, rejection: &Rejection) -> String {
        let clauses = self.clause_ids(rejection);
        let by = match clauses.is_empty() {
            true => String::new(),
            false => format!(" [{}]", clauses.join(" ")),
        };
        format!("{}: {}{by}", rejection.code.name(), rejection.message)
    }

    /// Records the clauses of conditions and domains of an owed decision, which have been evaluated.
    fn note_owed(&mut self) {
        for pending in engine::pending(self.program, &self.state) {
            let Some(site) = self.program.site(pending.site) else {
                continue;
            };
            self.watch.clauses.extend(cited_at(site));
        }
    }

    fn take_luck_problems(&mut self) {
        self.warnings.append(&mut self.chance.warnings);
        for diagnostic in std::mem::take(&mut self.chance.problems) {
            let found = diagnostic.help.clone().unwrap_or_default();
            self.fail(diagnostic, "a result that can be drawn", found);
        }
    }

    fn leftover_luck(&self) -> Vec<Diagnostic> {
        let left = self.chance.left().map(|at| {
            Diagnostic::warning("leftover-luck", at.span, "this result was never drawn")
                .help("chance produced fewer results than the scenario expects")
        });
        left.collect()
    }
}

fn fault_failure(fault: &Fault, span: Span) -> ScenarioFailure {
    let mut diagnostic = Diagnostic::error("fault", span, wyrmgate_view::sentence(fault));
    if let Some(place) = fault.span {
        diagnostic = diagnostic.related(place, "the fault happened here");
    }
    ScenarioFailure::new(diagnostic, "the rules run", wyrmgate_view::sentence(fault))
}

//! Runs all scenarios of a game: reads them, attaches them to the rules, checks, compiles and runs them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use super::Scenario;
use super::attach::{Sides, attach};
use super::coverage::{ClauseCoverage, expect_known_clauses, idle_claims, idle_warning};
use super::reach::{OperationNotes, Reach};
use super::read::read;
use super::run::{ScenarioFailure, run_watched};
pub(crate) use super::setup::Programs;
use super::setup::{Impossible, impossible, refusal_failures};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Severity, Sources, Span};
use wyrmgate_compile::check::{Checked, check};
use wyrmgate_compile::compile::Setup;
use wyrmgate_engine::{Observer, Silent};
use wyrmgate_lang::Stack;
use wyrmgate_lang::definition::Definition;
use wyrmgate_lang::overlay::History;
use wyrmgate_program::Program;

/// The results of the scenarios of a game.
#[derive(Debug)]
pub struct SuiteResults {
    pub game: String,
    pub sources: Sources,
    /// Problems in the rules, and in scenarios that could not be read.
    pub report: Report,
    pub played: Vec<PlayedScenario>,
    pub coverage: ClauseCoverage,
    /// The statements that ran in scenarios that passed.
    pub reach: Reach,
}

/// A scenario that ran.
#[derive(Debug)]
pub struct PlayedScenario {
    pub name: String,
    pub span: Span,
    pub shows: Vec<String>,
    /// Clauses in `shows` whose code never ran, so that they do not count as covered.
    pub idle: BTreeSet<String>,
    pub failures: Vec<ScenarioFailure>,
    pub warnings: Vec<Diagnostic>,
}

impl PlayedScenario {
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// Returns the clauses that it covers, if it passed.
    fn shown(&self) -> impl Iterator<Item = &str> {
        let claims = self.shows.iter().filter(|_| self.passed());
        claims
            .filter(|claim| !self.idle.contains(*claim))
            .map(String::as_str)
    }
}

impl SuiteResults {
    /// Returns whether rules and scenarios have no errors and every scenario passes.
    pub fn passed(&self) -> bool {
        !self.report.has_errors() && self.played.iter().all(PlayedScenario::passed)
    }
}

/// The rules and the scenarios in a game's folder.
#[derive(Debug)]
pub struct GameScenarios {
    pub sources: Sources,
    pub definition: Option<Definition>,
    pub scenarios: Vec<Scenario>,
    pub report: Report,
    pub history: History,
}

/// Reads the rules and all scenarios of a game, or of its last overlay.
pub fn read_stack(stack: &Stack) -> io::Result<GameScenarios> {
    let mut loaded = stack.bundle()?.load();
    let mut scenarios = Vec::new();
    for path in stack.scenario_files()? {
        let text = std::fs::read_to_string(&path)?;
        let file = loaded.sources.add(stack.shown(&path), text.as_str());
        scenarios.extend(read(file, &text, &mut loaded.report));
    }
    warn_of_names(&scenarios, &mut loaded.report);
    Ok(GameScenarios {
        sources: loaded.sources,
        definition: loaded.definition,
        scenarios,
        report: loaded.report,
        history: loaded.history,
    })
}

/// Warns about two scenarios with one name, which `--scenario` cannot tell apart.
fn warn_of_names(scenarios: &[Scenario], report: &mut Report) {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for scenario in scenarios {
        let name = &scenario.name;
        let known = *first.entry(&name.value).or_insert(name.span);
        if known != name.span {
            let message = "two scenarios have this name";
            let warning = Diagnostic::warning("duplicate-scenario", name.span, message);
            let warning = warning.related(known, "first here");
            report.push(warning.help("say in the name how they differ"));
        }
    }
}

/// Results of the scenarios below an overlay when they run with the overlay.
#[derive(Debug, Serialize)]
pub struct Below {
    pub game: String,
    pub held: usize,
    /// Those that no longer hold.
    pub changed: Vec<ChangedScenario>,
}

/// A scenario that no longer holds.
#[derive(Debug, Serialize)]
pub struct ChangedScenario {
    #[serde(rename = "scenario")]
    pub name: String,
    /// `file:line`
    pub place: String,
    /// The first problem.
    pub reason: String,
}

/// Runs the scenarios of the game and of each overlay below the last with the rules of the whole stack.
pub fn run_below(stack: &Stack) -> io::Result<Vec<Below>> {
    let loaded = stack.bundle()?.load();
    let Some(definition) = loaded.definition else {
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    for below in stack.below() {
        let mut sources = loaded.sources.clone();
        let mut told = Below {
            game: below.name.clone(),
            held: 0,
            changed: Vec::new(),
        };
        for path in below.scenario_files()? {
            let text = std::fs::read_to_string(&path)?;
            let file = sources.add(below.shown(&path), text.as_str());
            let scenarios = read(file, &text, &mut Report::default());
            told.play(&definition, scenarios, &sources);
        }
        all.push(told);
    }
    Ok(all)
}

impl Below {
    fn play(&mut self, definition: &Definition, scenarios: Vec<Scenario>, sources: &Sources) {
        let (fitting, others) = fitting(definition, scenarios);
        let (checked, _) = check_attached(definition, &fitting);
        let mut programs = checked.as_ref().map(Programs::new);
        for (number, scenario) in fitting.iter().enumerate() {
            let played = programs.as_mut();
            let played = played.map(|programs| play(programs, number, scenario, &mut Silent));
            let failure = played.and_then(|played| played.failures.into_iter().next());
            match failure {
                None => self.held += 1,
                Some(failure) => self.changed(scenario, failure.diagnostic.message, sources),
            }
        }
        // A scenario that no longer compiles with these rules does not hold.
        for (scenario, problem) in others {
            self.changed(&scenario, problem, sources);
        }
    }

    fn changed(&mut self, scenario: &Scenario, reason: String, sources: &Sources) {
        let span = scenario.name.span;
        let (line, _) = sources.line_column(span.file, span.start);
        let file = sources.get(span.file).map_or("", |source| &source.path);
        self.changed.push(ChangedScenario {
            name: scenario.name.value.clone(),
            place: format!("{file}:{line}"),
            reason,
        });
    }
}

/// Returns the scenarios whose texts compile, and the first problem of each of the others.
pub(super) fn fitting(
    definition: &Definition,
    scenarios: Vec<Scenario>,
) -> (Vec<Scenario>, Vec<(Scenario, String)>) {
    if check_attached(definition, &scenarios).0.is_some() {
        return (scenarios, Vec::new());
    }
    let (mut fitting, mut others) = (Vec::new(), Vec::new());
    for scenario in scenarios {
        match check_attached(definition, std::slice::from_ref(&scenario)) {
            (Some(_), _) => fitting.push(scenario),
            (None, report) => {
                let first = report.diagnostics.into_iter().next();
                let problem = first.map_or_else(String::new, |first| first.message);
                others.push((scenario, problem));
            }
        }
    }
    (fitting, others)
}

/// Runs all scenarios in a game's folder.
pub fn run_folder(folder: &Path) -> io::Result<SuiteResults> {
    run_stack(&Stack::of_folder(folder), None)
}

/// Runs the scenarios of a game, or of its last overlay: all of them, or those whose name contains this text.
pub fn run_stack(stack: &Stack, named: Option<&str>) -> io::Result<SuiteResults> {
    Ok(run_read(stack.name.clone(), read_stack(stack)?, named))
}

/// Runs scenarios that were read: all of them, or those whose name contains this text.
pub fn run_read(game: String, read: GameScenarios, named: Option<&str>) -> SuiteResults {
    let mut outcome = SuiteResults {
        game,
        sources: read.sources,
        report: read.report,
        played: Vec::new(),
        coverage: ClauseCoverage::default(),
        reach: Reach::default(),
    };
    if let Some(definition) = read.definition {
        outcome.play(&definition, &read.history, read.scenarios, named);
    }
    read.history.annotate(&mut outcome.report, &outcome.sources);
    outcome
}

impl SuiteResults {
    fn play(
        &mut self,
        definition: &Definition,
        history: &History,
        scenarios: Vec<Scenario>,
        named: Option<&str>,
    ) {
        expect_known_clauses(definition, &scenarios, &mut self.report);
        let Some((checked, scenarios)) = checked_with(definition, scenarios, &mut self.report)
        else {
            self.coverage = ClauseCoverage::of(definition, history, std::iter::empty());
            return;
        };
        let mut programs = Programs::new(&checked);
        let is_wanted =
            |scenario: &Scenario| named.is_none_or(|text| scenario.name.value.contains(text));
        let report = &self.report;
        let wanted = scenarios.iter().enumerate().filter(|(_, s)| is_wanted(s));
        // A scenario with a mistake may not be the one that was meant.
        let right = wanted.filter(|(_, s)| !has_errors(s, &scenarios, report));
        let right: Vec<(usize, &Scenario)> = right.collect();
        for (number, scenario) in right {
            let mut steps = OperationNotes::default();
            let played = play(&mut programs, number, scenario, &mut steps);
            if let (true, Ok(program)) = (played.passed(), programs.of(number, scenario)) {
                self.reach.add(program, &steps);
            }
            self.played.push(played);
        }
        let shown = self.played.iter().flat_map(PlayedScenario::shown);
        self.coverage = ClauseCoverage::of(definition, history, shown);
        if named.is_some() {
            let claimed = |id: &String| self.played.iter().any(|played| played.shows.contains(id));
            self.coverage.missing.retain(|(id, _)| claimed(id));
            self.coverage.total = self.coverage.shown.len() + self.coverage.missing.len();
        }
    }
}

/// The coverage of one scenario.
#[derive(Debug)]
pub struct ScenarioCoverage {
    pub program: Program,
    /// The rules with the texts of the scenario, and the setup for which they were compiled.
    pub definition: Arc<Definition>,
    pub setup: Setup,
    pub sources: Sources,
    pub failures: Vec<ScenarioFailure>,
}

/// Runs the first scenario whose name contains this text, while somebody watches. Fails with what keeps it from running.
pub fn watch(
    game: &str,
    read: GameScenarios,
    named: &str,
    watcher: &mut dyn Observer,
) -> Result<ScenarioCoverage, String> {
    let is_named = |scenario: &Scenario| scenario.name.value.contains(named);
    let Some(scenario) = read.scenarios.into_iter().find(is_named) else {
        return Err(format!("no scenario of {game} has `{named}` in its name"));
    };
    let (mut report, sources) = (read.report, read.sources);
    let checked = read.definition.and_then(|definition| {
        let (checked, found) = check_attached(&definition, std::slice::from_ref(&scenario));
        extend_once(&mut report, found);
        checked
    });
    let Some(checked) = checked else {
        return Err(report.render(&sources, false));
    };
    let told = |problems: Vec<Impossible>| {
        let messages = problems
            .into_iter()
            .map(|problem| impossible(problem).diagnostic.message);
        messages.collect::<Vec<String>>().join("; ")
    };
    let mut programs = Programs::new(&checked);
    let setup = programs.setup(&scenario.given, scenario.name.span);
    let setup = setup.map_err(told)?;
    let program = programs.of(0, &scenario).map_err(told)?.clone();
    let failures = run_watched(&program, 0, &scenario, watcher).failures;
    Ok(ScenarioCoverage {
        program,
        definition: checked.definition.clone(),
        setup,
        sources,
        failures,
    })
}

/// Returns whether an error lies between the beginning of a scenario and that of the next one in its file.
fn has_errors(scenario: &Scenario, all: &[Scenario], report: &Report) -> bool {
    let begins = scenario.name.span;
    let others = all.iter().map(|other| other.name.span);
    let later = others.filter(|other| other.file == begins.file && other.start > begins.start);
    let end = later.map(|later| later.start).min().unwrap_or(u32::MAX);
    let errors = report.diagnostics.iter();
    let mut errors = errors.filter(|d| d.severity == Severity::Error);
    errors.any(|d| d.span.file == begins.file && (begins.start..end).contains(&d.span.start))
}

/// Runs scenario `number` of those attached to the definition, while an observer watches its events.
pub(crate) fn play(
    programs: &mut Programs<'_>,
    number: usize,
    scenario: &Scenario,
    watcher: &mut dyn Observer,
) -> PlayedScenario {
    let made = programs.of(number, scenario);
    let (mut idle, mut warnings) = (Vec::new(), Vec::new());
    let failures = match (&scenario.refused, made) {
        (Some(refused), made) => refusal_failures(refused, made.err()),
        (None, Ok(program)) => {
            let ran = run_watched(program, number, scenario, watcher);
            warnings = ran.warnings;
            if ran.failures.is_empty() {
                idle = idle_claims(program, scenario, &ran.clauses);
                warnings.extend(idle.iter().map(|claim| idle_warning(claim)));
            }
            ran.failures
        }
        (None, Err(problems)) => problems.into_iter().map(impossible).collect(),
    };
    PlayedScenario {
        name: scenario.name.value.clone(),
        span: scenario.name.span,
        shows: scenario.shows.iter().map(|id| id.text.clone()).collect(),
        idle: idle.into_iter().map(|id| id.text.clone()).collect(),
        failures,
        warnings,
    }
}

/// Reports problems in rules and scenarios. Returns whether there are no errors.
pub(crate) fn check_with(
    definition: &Definition,
    scenarios: Vec<Scenario>,
    report: &mut Report,
) -> bool {
    expect_known_clauses(definition, &scenarios, report);
    let checked = checked_with(definition, scenarios, report);
    checked.is_some() && !report.has_errors()
}

/// Checks the rules together with the scenarios. Leaves out those with mistakes in their texts.
fn checked_with(
    definition: &Definition,
    scenarios: Vec<Scenario>,
    report: &mut Report,
) -> Option<(Checked, Vec<Scenario>)> {
    let (checked, found) = check_attached(definition, &scenarios);
    extend_once(report, found);
    if let Some(checked) = checked {
        return Some((checked, scenarios));
    }
    // Their problems are already reported; this only decides whether the rest can run.
    let (scenarios, _) = fitting(definition, scenarios);
    let (checked, _) = check_attached(definition, &scenarios);
    Some((checked?, scenarios))
}

/// Checks without the sides of comparisons, if those are the problem.
pub(super) fn check_attached(
    definition: &Definition,
    scenarios: &[Scenario],
) -> (Option<Checked>, Report) {
    let check_with = |sides: Sides| {
        let (mut definition, mut found) = (definition.clone(), Report::default());
        attach(&mut definition, scenarios, sides, &mut found);
        let checked = check(&definition, &mut found).filter(|_| !found.has_errors());
        (checked, found)
    };
    match check_with(Sides::Printed) {
        (None, _) => check_with(Sides::Omitted),
        found => found,
    }
}

/// Adds diagnostics once, because code that is compiled twice reports its problems twice.
fn extend_once(report: &mut Report, found: Report) {
    for problem in found.diagnostics {
        if !report.diagnostics.contains(&problem) {
            report.push(problem);
        }
    }
}

//! Tests one mutant: makes it, compiles it, and runs the scenarios until one of them notices.

use std::io;

use super::equivalent::{self, Equivalents};
use super::expr::reverses;
use super::verdict::MutantVerdict;
use super::walk::{Mutant, mutant, mutants};
use crate::scenario::Scenario;
use crate::scenario::attach::{Sides, attach};
use crate::scenario::suite::{self, Programs, SuiteResults, play};
use wyrmgate_base::diagnostic::{Report, Sources, Span};
use wyrmgate_compile::check::{check, outline, without_order};
use wyrmgate_engine::Silent;
use wyrmgate_lang::Stack;
use wyrmgate_lang::definition::Definition;

/// A game and its scenarios, all of which pass.
#[derive(Debug)]
pub struct Trial {
    pub game: String,
    pub sources: Sources,
    pub scenarios: Vec<Scenario>,
    pub mutants: Vec<Mutant>,
    /// The mutants that are listed as equivalent.
    pub equivalents: Equivalents,
    /// Problems in that list.
    pub report: Report,
    definition: Definition,
}

/// Why the mutants of a game cannot be tested.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the rules or the scenarios of {} have errors", .0.game)]
    Broken(Box<SuiteResults>),
    #[error("{0} has no scenarios, so nothing can notice a mutation")]
    NoScenarios(String),
}

impl Trial {
    /// Reads a game and runs its scenarios once to verify that they pass.
    pub fn read(stack: &Stack) -> Result<Trial, TrialError> {
        let unchanged = suite::run_stack(stack, None)?;
        let mut read = suite::read_stack(stack)?;
        let Some(mut definition) = read.definition.filter(|_| unchanged.passed()) else {
            return Err(TrialError::Broken(Box::new(unchanged)));
        };
        // Removing a rule also removes its text; a left-over translation is not a mistake of the change.
        definition.texts.translations.clear();
        if read.scenarios.is_empty() {
            return Err(TrialError::NoScenarios(unchanged.game));
        }
        let mutants = effective(&definition, mutants(&definition));
        let mut mutants = own(stack, mutants, &read.sources)?;
        for mutant in &mut mutants {
            trim(&mut mutant.span, &read.sources);
        }
        let mut report = Report::default();
        let equivalents = listed(stack, &mutants, &mut read.sources, &mut report)?;
        Ok(Trial {
            game: unchanged.game,
            sources: read.sources,
            scenarios: read.scenarios,
            mutants,
            equivalents,
            report,
            definition,
        })
    }

    /// Tests one mutant. The scenario that notices it moves to the front of `order`, because it is most likely to
    /// notice the next one too, which usually belongs to the same line.
    pub fn verdict(&self, number: usize, order: &mut [usize]) -> MutantVerdict {
        let mut changed = mutant(&self.definition, number);
        let mut report = Report::default();
        attach(&mut changed, &self.scenarios, Sides::Omitted, &mut report);
        let Some(checked) = outline(&changed, &mut report) else {
            return MutantVerdict::Stillborn;
        };
        let mut programs = Programs::new(&checked);
        let mut verdict = MutantVerdict::Survived;
        for place in 0..order.len() {
            let number = order.get(place).copied().unwrap_or_default();
            verdict = self.play(&mut programs, number);
            if verdict != MutantVerdict::Survived {
                if let Some(front) = order.get_mut(..=place) {
                    front.rotate_right(1);
                }
                break;
            }
        }
        // An error counts even in a setup that no scenario uses.
        let mut compiles = || check(&changed, &mut report).is_some();
        match verdict {
            MutantVerdict::Killed | MutantVerdict::TimedOut => verdict,
            MutantVerdict::Survived | MutantVerdict::Stillborn if !compiles() => {
                MutantVerdict::Stillborn
            }
            MutantVerdict::Survived => MutantVerdict::Survived,
            MutantVerdict::Stillborn => MutantVerdict::Killed,
        }
    }

    /// Runs a scenario. `Stillborn` is only a suspicion: the setup is either refused or does not compile.
    fn play(&self, programs: &mut Programs<'_>, number: usize) -> MutantVerdict {
        let Some(scenario) = self.scenarios.get(number) else {
            return MutantVerdict::Survived;
        };
        let failures = play(programs, number, scenario, &mut Silent).failures;
        let codes: Vec<&str> = failures.iter().map(|f| f.diagnostic.code).collect();
        match failures.is_empty() {
            true => MutantVerdict::Survived,
            false if codes.contains(&"impossible-setup") => MutantVerdict::Stillborn,
            false if codes.contains(&"fault") => MutantVerdict::TimedOut,
            false => MutantVerdict::Killed,
        }
    }
}

/// Returns the mutants except those that cannot change anything, given the declarations: the other end of a zone for one
/// component, the seat on the other side of two.
fn effective(definition: &Definition, mut mutants: Vec<Mutant>) -> Vec<Mutant> {
    let Some(checked) = outline(definition, &mut Report::default()) else {
        return mutants;
    };
    let without_order = without_order(&checked);
    mutants.retain(|mutant| !(reverses(mutant) && without_order.contains(&mutant.span)));
    mutants
}

/// Removes the blanks at the beginning of a span, so that it begins with a word such as `where`.
fn trim(span: &mut Span, sources: &Sources) {
    let range = span.start as usize..span.end as usize;
    let source = sources.get(span.file);
    let text = source.and_then(|source| source.text.get(range));
    let begins =
        text.and_then(|text| text.find(|c: char| !c.is_whitespace() && !"\\)".contains(c)));
    span.start += begins.unwrap_or_default() as u32;
}

/// Returns the mutants of the last overlay, if there are overlays, because the scenarios of the others are not run.
fn own(stack: &Stack, mutants: Vec<Mutant>, sources: &Sources) -> io::Result<Vec<Mutant>> {
    let Some(below) = stack.below().pop() else {
        return Ok(mutants);
    };
    let others = below.bundle()?.files;
    let is_own = |mutant: &Mutant| {
        let source = sources.get(mutant.span.file);
        source.is_some_and(|source| others.iter().all(|(path, _)| *path != source.path))
    };
    Ok(mutants.into_iter().filter(is_own).collect())
}

/// Reads the equivalent mutants that are listed beside the scenarios.
fn listed(
    stack: &Stack,
    mutants: &[Mutant],
    sources: &mut Sources,
    report: &mut Report,
) -> io::Result<Equivalents> {
    let Some(path) = stack.equivalents_file() else {
        return Ok(Equivalents::default());
    };
    let text = std::fs::read_to_string(&path)?;
    let file = sources.add(stack.shown(&path), text.as_str());
    let entries = equivalent::read(file, &text, report);
    Ok(Equivalents::find(entries, mutants, sources, report))
}

//! A rules folder as a library: every game is checked, and every program compiled, once.
//!
//! A [`Ruleset`] is one game at one point in time, identified by the digest of its texts. Sessions refer to a digest,
//! so editing the folder creates another ruleset and affects no running game.

mod find;
mod library;
mod quote;
mod submission;

pub use find::{FindError, find, game_folders, is_game, name_of, variant, variants_of};
pub use library::{Catalog, GameOffer, Library};
pub use quote::{Clause, RulesPlace};
pub use submission::{BadSubmission, Submission};
pub use wyrmgate_lang::Bundle;
pub use wyrmgate_lang::load::is_rules_file;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, io};

use serde_json::{Map, Value};

use crate::scenario::examples::has_examples;
use wyrmgate_base::diagnostic::{Report, Sources, Span};
use wyrmgate_compile::check::{Checked, Cores, OptionFact, OptionProblem, Shape, check_on, warn};
use wyrmgate_compile::compile::Setup;
use wyrmgate_compile::names::translation::Translations;
use wyrmgate_lang::overlay::History;
use wyrmgate_lang::{Known, Stack};
use wyrmgate_program::{ClauseId, Language, Localized, Program};

/// One game, ready to be played in any setup that it allows.
#[derive(Debug)]
pub struct Ruleset {
    /// The name for clients: the game's folder and the overlays, as in `cliff-race+short`.
    pub name: String,
    pub digest: String,
    /// Digests that earlier versions gave to these rules, by their line ends.
    earlier_digests: [String; 2],
    pub checked: Checked,
    pub sources: Sources,
    /// The root files of the game and of each overlay.
    roots: Vec<String>,
    /// The changes of the overlays.
    pub history: History,
    /// Scenario files with examples for the rulebook. Rules that were uploaded or stored come without them.
    pub examples: Vec<(String, String)>,
    /// Warnings found while reading.
    report: Report,
    programs: Mutex<BTreeMap<Setup, Arc<Program>>>,
}

/// The maximum number of findings that clients get: each brings its line along.
const FINDINGS_MAX: usize = 100;

/// The name under which messages show the overlay of a start position.
const POSITION_FILE: &str = "position.yaml";

/// A ruleset with errors.
#[derive(Debug)]
pub struct BrokenRuleset {
    pub name: String,
    pub sources: Sources,
    pub report: Report,
}

impl BrokenRuleset {
    /// Returns the first problems with their places, as JSON.
    pub fn findings(&self) -> Value {
        serde_json::json!(self.report.first_documents(FINDINGS_MAX, &self.sources))
    }
}

/// Every problem with its excerpt, as the command `check` prints it.
impl fmt::Display for BrokenRuleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report.render(&self.sources, false))
    }
}

impl std::error::Error for BrokenRuleset {}

impl Ruleset {
    /// Reads and checks the game in a folder.
    pub fn from_folder(folder: &Path) -> io::Result<Result<Ruleset, BrokenRuleset>> {
        Ruleset::from_stack(&Stack::of_folder(folder))
    }

    /// Reads and checks a game with its overlays.
    pub fn from_stack(stack: &Stack) -> io::Result<Result<Ruleset, BrokenRuleset>> {
        let examples = examples_of(stack)?;
        let ruleset = Ruleset::from_bundle(&stack.bundle()?);
        Ok(ruleset.map(|ruleset| Ruleset {
            examples,
            ..ruleset
        }))
    }

    /// Checks the texts of a ruleset.
    pub fn from_bundle(bundle: &Bundle) -> Result<Ruleset, BrokenRuleset> {
        Ruleset::from_bundle_knowing(bundle, None, &Cores::others())
    }

    /// Checks the texts of a ruleset with another start position, drawn as under `start`.
    pub fn from_position(mut bundle: Bundle, position: &str) -> Result<Ruleset, BrokenRuleset> {
        let (game, rows) = (Value::from(bundle.name.as_str()), Value::from(position));
        let overlay = format!("extends: {game}\nchange: {{start.rows: {rows}}}\n");
        bundle.roots = bundle.roots();
        bundle.roots.push(POSITION_FILE.to_owned());
        bundle.files.push((POSITION_FILE.to_owned(), overlay));
        Ruleset::from_bundle(&bundle)
    }

    /// Checks the texts of a ruleset, sharing files and cores with other rulesets that are read too.
    fn from_bundle_knowing(
        bundle: &Bundle,
        known: Option<&Known>,
        cores: &Cores,
    ) -> Result<Ruleset, BrokenRuleset> {
        let loaded = bundle.load_knowing(known);
        let (name, sources, mut report) = (bundle.name.clone(), loaded.sources, loaded.report);
        let definition = loaded.definition;
        let checked = definition.and_then(|definition| check_on(cores, definition, &mut report));
        loaded.history.annotate(&mut report, &sources);
        let Some(checked) = checked.filter(|_| !report.has_errors()) else {
            return Err(BrokenRuleset {
                name,
                sources,
                report,
            });
        };
        Ok(Ruleset {
            name,
            digest: sources.digest(),
            earlier_digests: sources.earlier_digests(),
            checked,
            sources,
            roots: bundle.roots(),
            history: loaded.history,
            examples: Vec::new(),
            report,
            programs: Mutex::default(),
        })
    }

    /// Returns the rules by this digest, if it is one that an earlier version gave to them: programs then state it, as
    /// records and stored sessions do.
    pub fn under(mut self, digest: &str) -> Ruleset {
        if self.had_digest(digest) {
            digest.clone_into(&mut self.digest);
        }
        self
    }

    /// Returns whether an earlier version gave this digest to the rules.
    pub fn had_digest(&self, digest: &str) -> bool {
        self.earlier_digests.iter().any(|known| known == digest)
    }

    /// Returns the first warnings as JSON. Takes about as long as the check.
    pub fn warnings(&self) -> Value {
        let mut report = self.report.clone();
        warn(&self.checked, &mut report);
        serde_json::json!(report.first_documents(FINDINGS_MAX, &self.sources))
    }

    /// Returns the name of the game alone.
    pub fn game(&self) -> &str {
        self.name.split('+').next().unwrap_or_default()
    }

    /// Returns the name of the last overlay, such as `windy`. Empty without overlays.
    pub fn own_name(&self) -> &str {
        self.variant().rsplit('+').next().unwrap_or_default()
    }

    /// Returns the names of the overlays: `short+windy`. Empty without overlays.
    pub fn variant(&self) -> &str {
        self.name.split_once('+').map_or("", |(_, variant)| variant)
    }

    /// Returns the texts, to be read again when the folder has changed.
    pub fn bundle(&self) -> Bundle {
        let files = self.sources.iter();
        let files = files.map(|(_, source)| (source.path.clone(), source.text.to_string()));
        Bundle {
            name: self.name.clone(),
            files: files.collect(),
            roots: self.roots.clone(),
        }
    }

    /// Returns every declared option with the given value or its default.
    pub fn complete_options(
        &self,
        seats: usize,
        given: &Map<String, Value>,
    ) -> Result<Map<String, Value>, Vec<OptionProblem>> {
        let setup = self.setup(seats, given)?;
        let facts = self.checked.options.iter();
        let named = facts.map(|fact| {
            let value = setup.options.get(&fact.name).copied();
            let value = value.unwrap_or_else(|| fact.default_for(seats));
            (fact.name.clone(), option_value(fact, value))
        });
        Ok(named.collect())
    }

    /// Returns the program for a setup. Compiles it on first use.
    pub fn program(
        &self,
        seats: usize,
        options: &Map<String, Value>,
    ) -> Result<Arc<Program>, Vec<OptionProblem>> {
        self.compiled(&self.setup(seats, options)?)
    }

    /// Returns the program for a setup that [`Ruleset::setup`] allowed. Compiles it on first use.
    pub fn compiled(&self, setup: &Setup) -> Result<Arc<Program>, Vec<OptionProblem>> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = programs.get(setup) {
            return Ok(program.clone());
        }
        let mut program = self.checked.compile(setup).ok_or_else(not_for_this_setup)?;
        program.identity.digest.clone_from(&self.digest);
        program.identity.variant = self.variant().to_owned();
        let program = Arc::new(program);
        programs.insert(setup.clone(), program.clone());
        Ok(program)
    }

    /// Returns a setup, if the rules allow it.
    pub fn setup(
        &self,
        seats: usize,
        given: &Map<String, Value>,
    ) -> Result<Setup, Vec<OptionProblem>> {
        let mut texts = BTreeMap::new();
        let mut problems = Vec::new();
        for (name, value) in given {
            let fact = self.checked.options.iter().find(|fact| fact.name == *name);
            match option_text(fact, value) {
                Some(text) => drop(texts.insert(name.clone(), text)),
                None => problems.push(wrong_type(name, fact)),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        self.checked.setup(seats, &texts)
    }

    /// Returns a clause of a program of this ruleset.
    pub fn clause(&self, program: &Program, id: ClauseId) -> Option<Clause> {
        let clause = program.prose.clauses.get(usize::from(id))?;
        let languages = &program.prose.languages;
        Some(clause_in(languages, &clause.id, &clause.text))
    }

    /// Returns a clause of the definition by its id.
    pub fn clause_called(&self, id: &str) -> Option<Clause> {
        let definition = &self.checked.definition;
        let mut clauses = definition.clauses.iter();
        let clause = clauses.find(|clause| clause.id.text == id)?;
        let text = Translations::of(definition).called(id, &clause.text.text);
        Some(clause_in(&self.checked.languages, id, &text))
    }

    /// Returns the place where a span begins.
    pub fn place(&self, span: Span) -> Option<RulesPlace> {
        let source = self.sources.get(span.file)?;
        let (line, column) = self.sources.line_column(span.file, span.start);
        Some(RulesPlace {
            file: source.path.clone(),
            line,
            column,
        })
    }
}

/// Reads the scenario files with examples, of the game first, then of each overlay.
fn examples_of(stack: &Stack) -> io::Result<Vec<(String, String)>> {
    let mut examples = Vec::new();
    for level in stack.below().iter().chain([stack]) {
        for path in level.scenario_files()? {
            let text = std::fs::read_to_string(&path)?;
            if has_examples(&text) {
                examples.push((level.shown(&path), text));
            }
        }
    }
    Ok(examples)
}

/// Returns the value of an option as JSON: a number, a Boolean or a name.
pub fn option_value(fact: &OptionFact, value: i32) -> Value {
    match &fact.shape {
        Shape::Bool => (value == 1).into(),
        Shape::Range { .. } => value.into(),
        Shape::OneOf(_) => fact.shape.show(value).into(),
    }
}

/// Returns the value as a person writes it. `None` if the type is wrong. Any text is accepted for unknown options.
fn option_text(fact: Option<&OptionFact>, value: &Value) -> Option<String> {
    let Some(fact) = fact else {
        return Some(value.to_string());
    };
    match &fact.shape {
        Shape::Bool => value.as_bool().map(|truth| truth.to_string()),
        Shape::Range { .. } => integer(value).map(|number| number.to_string()),
        Shape::OneOf(_) => value.as_str().map(str::to_owned),
    }
}

/// Returns an integer. JSON does not distinguish 2 from 2.0.
fn integer(value: &Value) -> Option<i64> {
    let whole = |number: f64| number.fract() == 0.0 && number.abs() < 1e15;
    let from_float = || value.as_f64().filter(|number| whole(*number));
    let rounded = || from_float().map(|number| number as i64);
    value.as_i64().or_else(rounded)
}

fn clause_in(languages: &[String], id: &str, text: &Localized) -> Clause {
    let languages = (0..).map(Language).zip(languages);
    let texts = languages.map(|(number, tag)| (tag.clone(), text.get(number).into()));
    Clause {
        id: id.to_owned(),
        texts: texts.collect(),
    }
}

fn wrong_type(name: &str, fact: Option<&OptionFact>) -> OptionProblem {
    let wanted = fact.map_or_else(String::new, |fact| fact.shape.describe());
    OptionProblem::new(name, format!("`{name}` must be {wanted}"))
}

fn not_for_this_setup() -> Vec<OptionProblem> {
    let message = "the rules do not compile for this number of seats and these options";
    vec![OptionProblem::new("seats", message)]
}

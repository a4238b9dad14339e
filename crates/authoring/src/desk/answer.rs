//! Answers requests of an editor in JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::buffers::Desk;
use super::convert::{location, path_of, position_from, range, range_in, uri_of};
use crate::editor::{
    self, Classified, Completion, CompletionKind, EditorPosition, LineStarts, NameIndex, Project,
    RenameError, complete,
};
use crate::format::format;
use crate::scenario::suite::{PlayedScenario, SuiteResults};
use crate::schema::File;
use wyrmgate_base::diagnostic::{Diagnostic, Severity, Span};
use wyrmgate_lang::table::is_file;

/// Lines, counted from 1, by file.
type Lined = BTreeMap<String, Vec<usize>>;

/// A request: its position and parameters.
pub struct DeskRequest<'s> {
    desk: &'s Desk,
    params: &'s Value,
    path: PathBuf,
    text: String,
    byte: usize,
}

impl<'s> DeskRequest<'s> {
    pub fn of(desk: &'s Desk, params: &'s Value) -> DeskRequest<'s> {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let path = uri.and_then(path_of).unwrap_or_default();
        let saved = || desk.saved(&path).unwrap_or_default();
        let text = desk.buffers.get(&path).cloned().unwrap_or_else(saved);
        let place = params
            .get("position")
            .and_then(position_from)
            .unwrap_or_default();
        let byte = LineStarts::of(&text).byte(place);
        DeskRequest {
            desk,
            params,
            path,
            text,
            byte,
        }
    }

    fn kind(&self) -> File {
        File::of(&self.path, &self.text)
    }

    fn project(&self) -> Option<Project> {
        self.desk.project(&self.path)
    }

    /// Returns the game and the requested place in it.
    fn here(&self) -> Option<(Project, Span)> {
        let project = self.project()?;
        let (file, _) = project.file(&self.path)?;
        Some((project, Span::new(file, self.byte, self.byte)))
    }

    pub fn completion(&self) -> Value {
        let index = self.last_good_index().unwrap_or_default();
        let (start, found) = complete(self.kind(), &self.text, self.byte, &index);
        let lines = LineStarts::of(&self.text);
        let range = range(&lines, start, self.byte);
        let items: Vec<Value> = found.iter().map(|one| item(one, &range)).collect();
        json!({"isIncomplete": false, "items": items})
    }

    /// Returns the index. While a line is being typed, its file may be invalid YAML; then the names come from the last text
    /// that was valid.
    fn last_good_index(&self) -> Option<NameIndex> {
        let project = self.project()?;
        Some(match project.definition {
            Some(_) => project.index(),
            None => self.desk.project_before(&self.path)?.index(),
        })
    }

    pub fn hover(&self) -> Value {
        let here = self.here();
        let told =
            here.and_then(|(project, at)| editor::hover(&project, self.kind(), at.file, self.byte));
        let told = told.map(|told| json!({"contents": {"kind": "markdown", "value": told}}));
        told.unwrap_or_default()
    }

    /// Returns the classes of all words as the protocol encodes them: five numbers each, relative to the word before.
    pub fn semantic_tokens(&self) -> Value {
        let lines = LineStarts::of(&self.text);
        let project = self.project();
        let found = project.map_or(Vec::new(), |project| editor::classes(&project, &self.path));
        let mut before = EditorPosition::default();
        let mut data: Vec<u32> = Vec::with_capacity(found.len() * 5);
        for Classified { span, class } in found {
            let start = lines.position(span.start as usize);
            let end = lines.position(span.end as usize);
            let line = start.line - before.line;
            let character = match line {
                0 => start.character - before.character,
                _ => start.character,
            };
            let length = end.character.saturating_sub(start.character);
            data.extend([line, character, length, class as u32, 0]);
            before = start;
        }
        json!({"data": data})
    }

    pub fn definition(&self) -> Value {
        let Some((project, at)) = self.here() else {
            return Value::Null;
        };
        let index = project.index();
        let found = index.at(at).map_or(Vec::new(), |found| found.declared);
        found
            .iter()
            .filter_map(|declared| location(&project, declared.span))
            .collect()
    }

    pub fn references(&self) -> Value {
        let Some((project, at)) = self.here() else {
            return Value::Null;
        };
        let index = project.index();
        let Some(found) = index.at(at) else {
            return json!([]);
        };
        let means = |one: &&editor::NameUse| {
            let mut declared = index.resolve(one).into_iter();
            declared.any(|one| {
                let mut others = found.declared.iter();
                others.any(|other| std::ptr::eq(one, *other))
            })
        };
        let uses = index.uses.iter().filter(means);
        let mut spans: Vec<Span> = uses.map(|one| one.span).collect();
        if self.params.pointer("/context/includeDeclaration") == Some(&Value::Bool(true)) {
            spans.extend(found.declared.iter().map(|declared| declared.span));
        }
        spans.sort();
        spans
            .iter()
            .filter_map(|span| location(&project, *span))
            .collect()
    }

    pub fn prepare_rename(&self) -> Value {
        let here = self.here();
        let range = here.and_then(|(project, at)| {
            let index = project.index();
            let found = index.at(at).filter(|found| !found.declared.is_empty())?;
            Some(range_in(&self.text, found.span))
        });
        range.unwrap_or(Value::Null)
    }

    pub fn rename(&self) -> Result<Value, String> {
        let new = self.params.get("newName").and_then(Value::as_str);
        let new = new.unwrap_or_default();
        let (mut project, at) = self.here().ok_or("this file does not belong to a game")?;
        project.check();
        let edits = editor::rename(&project, at, new).map_err(|error| error.to_string())?;
        let mut changes = FileEdits::default();
        changes.add(&project, edits);
        for file in project.variants() {
            self.rename_in(&file, new, &mut changes)?;
        }
        Ok(json!({"changes": changes.by_file}))
    }

    /// Renames in a variant, whose index has the names of its game. A variant with errors of its own is left unchanged.
    fn rename_in(&self, file: &Path, new: &str, changes: &mut FileEdits) -> Result<(), String> {
        let Some(mut project) = self.desk.project(file) else {
            return Ok(());
        };
        project.check();
        let Some((here, _)) = project.file(&self.path) else {
            return Ok(());
        };
        let at = Span::new(here, self.byte, self.byte);
        match editor::rename(&project, at, new) {
            Ok(edits) => changes.add(&project, edits),
            Err(RenameError::WouldBreak(why)) => {
                return Err(format!("{} would cause an error: {why}", project.name()));
            }
            Err(_) => {}
        }
        Ok(())
    }

    /// Returns the changes that diagnostics in the requested range propose.
    pub fn quick_fixes(&self) -> Value {
        let Some(mut project) = self.project() else {
            return json!([]);
        };
        project.check();
        let file = project.file(&self.path).map(|(file, _)| file);
        let lines = LineStarts::of(&self.text);
        let byte = |end: &str| Some(lines.byte(position_from(self.params.pointer(end)?)?));
        let (Some(file), Some(from), Some(to)) = (file, byte("/range/start"), byte("/range/end"))
        else {
            return json!([]);
        };
        let is_here = |span: Span| {
            span.file == file && span.start as usize <= to && from <= span.end as usize
        };
        let problems = project.report.diagnostics.iter();
        let problems = problems.filter(|problem| is_here(problem.span));
        let fixes = problems.filter_map(|problem| quick_fix(&project, problem));
        // A change is also there in front of its last key.
        let line_of = |at: Span| {
            let text = project.sources.get(at.file).map(|source| &source.text);
            let before = text.and_then(|text| text.get(..at.start as usize));
            let start = before.and_then(|before| before.rfind('\n')).unwrap_or(0);
            Span {
                start: start as u32,
                ..at
            }
        };
        let changes = project.history.edits.iter();
        let changes = changes.filter(|edit| is_here(line_of(edit.at)));
        let pinned = changes.filter_map(|edit| edit.pinned(&project.sources));
        fixes
            .chain(pinned.map(|pinned| pin(&project, pinned)))
            .collect()
    }

    /// Runs the scenarios of the game.
    pub fn scenarios(&self) -> Value {
        let Some(project) = self.project() else {
            return json!([]);
        };
        let paths = project.clone();
        played(&paths, &project.play_scenarios())
    }

    /// Runs the scenarios of the game, and returns the lines with statements that those that pass reach, and the others, by
    /// file.
    pub fn coverage(&self) -> Value {
        let Some(project) = self.project() else {
            return json!({"scenarios": [], "reached": {}, "unreached": {}});
        };
        let paths = project.clone();
        let scenario_files = paths.scenario_files();
        let outcome = project.play_scenarios();
        let (mut reached, mut unreached) = (Lined::new(), Lined::new());
        for ((file, line), ran) in outcome.reach.lines(&outcome.sources) {
            let path = paths.path(file).filter(|_| !scenario_files.contains(&file));
            let lines = if ran { &mut reached } else { &mut unreached };
            if let Some(path) = path {
                lines.entry(uri_of(&path)).or_default().push(line);
            }
        }
        json!({"scenarios": played(&paths, &outcome), "reached": reached, "unreached": unreached})
    }

    /// Returns the formatted text if it differs. Returns nothing for invalid YAML.
    pub fn formatting(&self) -> Value {
        match format(self.kind(), &self.text) {
            Ok(fair) if fair != self.text && !is_file(&self.path) => {
                let range = range(&LineStarts::of(&self.text), 0, self.text.len());
                json!([{"range": range, "newText": fair}])
            }
            _ => json!([]),
        }
    }
}

/// Returns the scenarios with their places and problems.
fn played(paths: &Project, outcome: &SuiteResults) -> Value {
    let told = |played: &PlayedScenario| {
        let problems = played.failures.iter();
        let problems = problems.map(|failure| failure.diagnostic.message.as_str());
        let problems: Vec<&str> = problems.collect();
        json!({
            "name": played.name,
            "location": location(paths, played.span),
            "passed": played.passed(),
            "problems": problems,
        })
    };
    outcome.played.iter().map(told).collect()
}

/// Edits by file, each once.
#[derive(Default)]
struct FileEdits {
    by_file: Map<String, Value>,
}

impl FileEdits {
    fn add(&mut self, project: &Project, edits: Vec<(Span, String)>) {
        for (span, words) in edits {
            let Some(place) = location(project, span) else {
                continue;
            };
            let uri = place.get("uri").and_then(Value::as_str);
            let uri = uri.unwrap_or_default().to_owned();
            let edit = json!({"range": place.get("range"), "newText": words});
            if let Value::Array(own) = self.by_file.entry(uri).or_insert_with(|| json!([]))
                && !own.contains(&edit)
            {
                own.push(edit);
            }
        }
    }
}

fn item(one: &Completion, range: &Value) -> Value {
    let new_text = match one.kind {
        CompletionKind::Key => format!("{}: ", one.label),
        _ => one.label.clone(),
    };
    json!({
        "label": one.label,
        "kind": one.kind as u8,
        "detail": one.detail,
        "documentation": {"kind": "markdown", "value": one.about},
        "textEdit": {"range": range, "newText": new_text},
    })
}

/// Adds the diagnostics of a game, by file. A diagnostic shared by two games is reported once.
pub fn diagnostics(mut project: Project, found: &mut BTreeMap<PathBuf, Vec<Value>>) {
    project.check();
    for problem in &project.report.diagnostics {
        let Some(file) = project.path(problem.span.file) else {
            continue;
        };
        let told = found.entry(file).or_default();
        let one = diagnostic(&project, problem);
        if !told.contains(&one) {
            told.push(one);
        }
    }
}

fn diagnostic(project: &Project, problem: &Diagnostic) -> Value {
    let message = match &problem.help {
        Some(help) => format!("{}\nhelp: {help}", problem.message),
        None => problem.message.clone(),
    };
    let text = project.sources.get(problem.span.file);
    let related = problem.related.iter().filter_map(|(span, what)| {
        Some(json!({"location": location(project, *span)?, "message": what}))
    });
    json!({
        "range": range_in(text.map_or("", |source| &source.text), problem.span),
        "severity": match problem.severity { Severity::Error => 1, Severity::Warning => 2 },
        "code": problem.code,
        "source": "wyrmgate",
        "message": message,
        "relatedInformation": related.collect::<Vec<Value>>(),
    })
}

/// Returns the change that a diagnostic proposes, if it is known exactly.
fn quick_fix(project: &Project, problem: &Diagnostic) -> Option<Value> {
    let repair = problem.repair.as_ref()?;
    let source = project.sources.get(repair.span.file)?;
    let (start, end) = (repair.span.start as usize, repair.span.end as usize);
    let (old, new) = (source.text.get(start..end)?, &repair.text);
    let title = match (old.is_empty(), new.is_empty()) {
        (true, _) => format!("Insert `{new}`"),
        (false, true) => format!("Remove `{old}`"),
        (false, false) => format!("Replace `{old}` with `{new}`"),
    };
    let mut changes = FileEdits::default();
    changes.add(project, vec![(repair.span, new.clone())]);
    Some(json!({
        "title": title,
        "kind": "quickfix",
        "isPreferred": true,
        "diagnostics": [diagnostic(project, problem)],
        "edit": {"changes": changes.by_file},
    }))
}

/// Returns the change that lets an overlay state the value for which it was written.
fn pin(project: &Project, edit: (Span, String)) -> Value {
    let mut changes = FileEdits::default();
    changes.add(project, vec![edit]);
    json!({
        "title": "State the value that this replaces (`was`)",
        "kind": "refactor.rewrite",
        "edit": {"changes": changes.by_file},
    })
}

//! Answers requests of an editor in JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::buffers::Desk;
use super::convert::{location, path_of, position_from, range, range_in, uri_of};
use crate::editor::{
    self, Classified, Completion, CompletionKind, EditorPosition, LineStarts, Project, RenameError,
    complete,
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
    pub(super) desk: &'s Desk,
    pub(super) params: &'s Value,
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) byte: usize,
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

    pub(super) fn project(&self) -> Option<Arc<Project>> {
        self.desk.project(&self.path)
    }

    /// Returns the game and the requested place in it.
    pub(super) fn here(&self) -> Option<(Arc<Project>, Span)> {
        let project = self.project()?;
        let (file, _) = project.file(&self.path)?;
        Some((project, Span::new(file, self.byte, self.byte)))
    }

    pub fn completion(&self) -> Value {
        let project = self.desk.project_while_typing(&self.path);
        let (project, rulesets) = (project.as_deref(), self.desk.rulesets());
        let (start, found) = complete(self.kind(), &self.text, self.byte, project, &rulesets);
        let lines = LineStarts::of(&self.text);
        let range = range(&lines, start, self.byte);
        let items = found.iter().enumerate();
        let items: Vec<Value> = items.map(|(rank, one)| item(rank, one, &range)).collect();
        json!({"isIncomplete": false, "items": items})
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
            let character = start.character - if line == 0 { before.character } else { 0 };
            let length = end.character.saturating_sub(start.character);
            data.extend([line, character, length, class as u32, 0]);
            before = start;
        }
        json!({"data": data})
    }

    /// Returns where a name is declared, or the value that a path of an overlay changes.
    pub fn definition(&self) -> Value {
        let Some((project, at)) = self.here() else {
            return Value::Null;
        };
        let found = project.index().at(at);
        let named = found.iter().flat_map(|found| &found.declared);
        let edits = project
            .history
            .edits
            .iter()
            .filter(|edit| edit.at.covers(at));
        let changed = edits.filter_map(|edit| Some(edit.was.as_ref()?.span));
        let places = named.map(|declared| declared.span).chain(changed);
        places
            .filter_map(|place| location(&project, place))
            .collect()
    }

    /// Returns the games in which the name at the cursor means the same, each with the place of its declaration: the game, its
    /// variants, and open overlays on it.
    pub(super) fn related(&self) -> Vec<(Arc<Project>, Span)> {
        let Some((project, at)) = self.here() else {
            return Vec::new();
        };
        let found = project.index().at(at);
        let declared = found.and_then(|found| Some(found.declared.first()?.span));
        let declared = declared.unwrap_or(at);
        let path = project.path(declared.file).unwrap_or_default();
        let open = self.desk.buffers.keys().cloned();
        let others = project.variants().into_iter().chain(open);
        let mut all = vec![(project.clone(), at)];
        for other in others.filter_map(|file| self.desk.project(&file)) {
            let known = all.iter().any(|(known, _)| Arc::ptr_eq(known, &other));
            if let Some((file, _)) = other.file(&path).filter(|_| !known) {
                all.push((other, Span { file, ..declared }));
            }
        }
        all
    }

    pub fn references(&self) -> Value {
        let wants_all = self.params.pointer("/context/includeDeclaration") == Some(&true.into());
        let mut found: Vec<Value> = Vec::new();
        for (project, at) in self.related() {
            let mut spans = editor::mentions(&project, at);
            let declared = &project.index().declared;
            spans.retain(|span| wants_all || declared.iter().all(|one| one.span != *span));
            for place in spans
                .into_iter()
                .filter_map(|span| location(&project, span))
            {
                found.extend((!found.contains(&place)).then_some(place));
            }
        }
        found.into()
    }

    /// Returns the mentions in this file.
    pub fn highlights(&self) -> Value {
        let Some((project, at)) = self.here() else {
            return Value::Null;
        };
        let spans = editor::mentions(&project, at).into_iter();
        let spans = spans.filter(|span| span.file == at.file);
        spans
            .map(|span| json!({"range": range_in(&self.text, span)}))
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

    /// Renames in all games that have the name. A variant with errors of its own is left unchanged.
    pub fn rename(&self) -> Result<Value, String> {
        let new = self.params.get("newName").and_then(Value::as_str);
        let mut changes = FileEdits::default();
        let new = new.unwrap_or_default();
        let related = self.related();
        let ((project, at), others) = related
            .split_first()
            .ok_or("this file does not belong to a game")?;
        let edits = editor::rename(project, *at, new).map_err(|error| error.to_string())?;
        changes.add(project, edits);
        // In the others, the place is that of the declaration, which is no plural.
        let found = project.index().at(*at);
        let is_plural =
            found.is_some_and(|found| found.declared.iter().all(|one| one.name != found.name));
        let new = new.strip_suffix('s').filter(|_| is_plural).unwrap_or(new);
        for (project, at) in others {
            match editor::rename(project, *at, new) {
                Ok(edits) => changes.add(project, edits),
                Err(RenameError::WouldBreak(why)) => {
                    return Err(format!("{} would cause an error: {why}", project.name()));
                }
                Err(_) => {}
            }
        }
        Ok(json!({"changes": changes.by_file}))
    }

    /// Returns the changes that diagnostics in the requested range propose.
    pub fn quick_fixes(&self) -> Value {
        let Some(project) = self.project() else {
            return json!([]);
        };
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
        let problems = project.checked().diagnostics.iter();
        let problems = problems.filter(|problem| is_here(problem.span));
        let fixes = problems.filter_map(|problem| quick_fix(&project, problem));
        // A change is also there in front of its last key.
        let line_of = |at: Span| {
            let before = self.text.get(..at.start as usize).unwrap_or_default();
            let start = before.rfind('\n').unwrap_or(0) as u32;
            Span { start, ..at }
        };
        let changes = project.history.edits.iter();
        let changes = changes.filter(|edit| is_here(line_of(edit.at)));
        let pinned = changes.filter_map(|edit| edit.pinned(&project.sources));
        fixes
            .chain(pinned.map(|pinned| pin(&project, pinned)))
            .collect()
    }

    /// Runs the scenarios of the game, and returns the lines with statements that those that pass reach, and the others, by
    /// file.
    pub fn coverage(&self) -> Value {
        let Some(project) = self.project() else {
            return json!({"scenarios": [], "reached": {}, "unreached": {}});
        };
        let scenario_files = project.scenario_files();
        let outcome = Project::clone(&project).play_scenarios();
        let (mut reached, mut unreached) = (Lined::new(), Lined::new());
        for ((file, line), ran) in outcome.reach.lines(&outcome.sources) {
            let path = project
                .path(file)
                .filter(|_| !scenario_files.contains(&file));
            let lines = if ran { &mut reached } else { &mut unreached };
            if let Some(path) = path {
                lines.entry(uri_of(&path)).or_default().push(line);
            }
        }
        json!({"scenarios": played(&project, &outcome), "reached": reached, "unreached": unreached})
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

/// Returns a completion in JSON. Editors keep the order of the ranks among names that fit equally well.
fn item(rank: usize, one: &Completion, range: &Value) -> Value {
    let new_text = match one.kind {
        CompletionKind::Key => format!("{}: ", one.label),
        _ => one.label.clone(),
    };
    json!({
        "label": one.label,
        "sortText": format!("{rank:04}"),
        "kind": one.kind as u8,
        "detail": one.detail,
        "documentation": {"kind": "markdown", "value": one.about},
        "textEdit": {"range": range, "newText": new_text},
    })
}

/// Adds the diagnostics of a game, by file. A diagnostic shared by two games is reported once.
pub fn diagnostics(project: &Project, found: &mut BTreeMap<PathBuf, Vec<Value>>) {
    for problem in &project.checked().diagnostics {
        let Some(file) = project.path(problem.span.file) else {
            continue;
        };
        let told = found.entry(file).or_default();
        let one = diagnostic(project, problem);
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

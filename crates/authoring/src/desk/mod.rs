//! The language server, without its transport: buffers, requests and answers of the Language Server Protocol in JSON.
//!
//! Editors reach it over standard input and output (`wyrmgate lsp`), and the workbench over a WebSocket. The answers come from
//! [`crate::editor`].

mod answer;
mod buffers;
mod convert;
mod study;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::editor::Class;
use answer::DeskRequest;
pub use buffers::{Desk, Home};
use convert::{path_of, uri_of};
pub use study::{Study, StudyProgress};

/// Why a request has no answer: a code of the protocol, and words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRefusal {
    pub code: i32,
    pub message: String,
}

const METHOD_NOT_FOUND: i32 = -32601;
const REQUEST_FAILED: i32 = -32803;

pub fn capabilities() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": true, "change": 1, "save": true},
            "completionProvider": {"triggerCharacters": [".", "[", " ", "{"]},
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "renameProvider": {"prepareProvider": true},
            "documentFormattingProvider": true,
            "semanticTokensProvider": {
                "legend": {"tokenTypes": Class::ALL.map(Class::name), "tokenModifiers": []},
                "full": true,
            },
            "codeActionProvider": {"codeActionKinds": ["quickfix", "refactor.rewrite"]},
        },
        "serverInfo": {"name": "wyrmgate", "version": env!("CARGO_PKG_VERSION")},
    })
}

impl Desk {
    /// Creates a desk for files on disk, from the parameters of `initialize`.
    pub fn in_folder(params: &Value) -> Desk {
        let folder = params
            .pointer("/workspaceFolders/0/uri")
            .or_else(|| params.get("rootUri"));
        let root = folder.and_then(Value::as_str).and_then(path_of);
        let root = root.unwrap_or_default();
        let rules = root.join("rules");
        Desk::new(Home::Folder(if rules.is_dir() { rules } else { root }))
    }

    /// Answers a request.
    pub fn answer(&self, method: &str, params: &Value) -> Result<Value, RequestRefusal> {
        let asked = DeskRequest::of(self, params);
        match method {
            "textDocument/completion" => Ok(asked.completion()),
            "textDocument/hover" => Ok(asked.hover()),
            "textDocument/definition" => Ok(asked.definition()),
            "textDocument/references" => Ok(asked.references()),
            "textDocument/prepareRename" => Ok(asked.prepare_rename()),
            "textDocument/rename" => asked.rename().map_err(|message| RequestRefusal {
                code: REQUEST_FAILED,
                message,
            }),
            "textDocument/semanticTokens/full" => Ok(asked.semantic_tokens()),
            "textDocument/formatting" => Ok(asked.formatting()),
            "textDocument/codeAction" => Ok(asked.quick_fixes()),
            "wyrmgate/scenarios" => Ok(asked.scenarios()),
            "wyrmgate/coverage" => Ok(asked.coverage()),
            other => Err(RequestRefusal {
                code: METHOD_NOT_FOUND,
                message: format!("unknown method `{other}`"),
            }),
        }
    }

    /// Takes note of what happened in the editor.
    pub fn note(&mut self, method: &str, params: &Value) {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let Some(path) = uri.and_then(path_of) else {
            return;
        };
        let text = match method {
            "textDocument/didOpen" => params.pointer("/textDocument/text"),
            "textDocument/didChange" => {
                let changes = params.get("contentChanges").and_then(Value::as_array);
                changes.and_then(|changes| changes.last()?.get("text"))
            }
            "textDocument/didClose" | "textDocument/didSave" => None,
            _ => return,
        };
        match method {
            "textDocument/didSave" => {}
            "textDocument/didClose" => drop(self.buffers.remove(&path)),
            _ => {
                let text = text.and_then(Value::as_str).unwrap_or_default();
                self.buffers.insert(path, text.to_owned());
            }
        }
        self.changed = true;
    }

    /// Returns notifications with the diagnostics of the games of all open files, including empty lists for files that are now
    /// correct.
    pub fn diagnostics(&mut self) -> Vec<(&'static str, Value)> {
        self.changed = false;
        let mut found: BTreeMap<PathBuf, Vec<Value>> = BTreeMap::new();
        let mut games = BTreeSet::new();
        let mut is_readable = true;
        for path in self.buffers.keys() {
            found.entry(path.clone()).or_default();
            let project = self.project(path);
            if let Some(project) = project.filter(|one| games.insert(one.name().to_owned())) {
                is_readable &= project.definition.is_some();
                answer::diagnostics(project, &mut found);
            }
        }
        if is_readable && matches!(self.home, Home::Catalog(_)) {
            self.before = self.buffers.clone();
        }
        let reported = std::mem::take(&mut self.reported).into_iter();
        let correct = reported.filter(|file| !found.contains_key(file));
        let mut messages: Vec<_> = correct.map(|file| published(&file, &[])).collect();
        self.reported = found.keys().cloned().collect();
        let problems = found.iter();
        messages.extend(problems.map(|(file, problems)| published(file, problems)));
        messages
    }
}

fn published(file: &Path, diagnostics: &[Value]) -> (&'static str, Value) {
    let params = json!({"uri": uri_of(file), "diagnostics": diagnostics});
    ("textDocument/publishDiagnostics", params)
}

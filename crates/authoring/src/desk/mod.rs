//! The language server, without its transport: buffers, requests and answers of the Language Server Protocol in JSON.
//!
//! Editors reach it over standard input and output (`wyrmgate lsp`), and the workbench over a WebSocket. The answers come from
//! [`crate::editor`].

mod answer;
mod buffers;
mod convert;
mod outline;
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
            "documentOnTypeFormattingProvider": {"firstTriggerCharacter": "\n"},
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "inlayHintProvider": true,
            "documentLinkProvider": {},
            "codeLensProvider": {},
            "signatureHelpProvider": {"triggerCharacters": ["(", ","]},
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
        if method == "textDocument/rename" {
            let code = REQUEST_FAILED;
            return asked
                .rename()
                .map_err(|message| RequestRefusal { code, message });
        }
        Ok(match method {
            "textDocument/completion" => asked.completion(),
            "textDocument/hover" => asked.hover(),
            "textDocument/definition" => asked.definition(),
            "textDocument/references" => asked.references(),
            "textDocument/documentHighlight" => asked.highlights(),
            "textDocument/prepareRename" => asked.prepare_rename(),
            "textDocument/semanticTokens/full" => asked.semantic_tokens(),
            "textDocument/formatting" => asked.formatting(),
            "textDocument/codeAction" => asked.quick_fixes(),
            "textDocument/onTypeFormatting" => asked.indentation(),
            "textDocument/codeLens" => asked.lenses(),
            "textDocument/documentLink" => asked.links(),
            "textDocument/documentSymbol" => asked.symbols(),
            "textDocument/foldingRange" => asked.folds(),
            "textDocument/inlayHint" => asked.hints(),
            "textDocument/selectionRange" => asked.selections(),
            "textDocument/signatureHelp" => asked.signature(),
            "workspace/symbol" => asked.workspace_symbols(),
            "wyrmgate/coverage" => asked.coverage(),
            other => {
                return Err(RequestRefusal {
                    code: METHOD_NOT_FOUND,
                    message: format!("unknown method `{other}`"),
                });
            }
        })
    }

    /// Takes note of what happened in the editor.
    pub fn note(&mut self, method: &str, params: &Value) {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let Some(path) = uri.and_then(path_of) else {
            return;
        };
        let changes = params.get("contentChanges").and_then(Value::as_array);
        let text = match changes {
            Some(changes) => changes.last().and_then(|change| change.get("text")),
            None => params.pointer("/textDocument/text"),
        };
        let version = params.pointer("/textDocument/version");
        match method {
            "textDocument/didSave" => {}
            "textDocument/didClose" => {
                self.buffers.remove(&path);
                self.versions.remove(&path);
            }
            "textDocument/didOpen" | "textDocument/didChange" => {
                let text = text.and_then(Value::as_str).unwrap_or_default();
                self.buffers.insert(path.clone(), text.to_owned());
                let version = version.and_then(Value::as_i64);
                self.versions.extend(version.map(|version| (path, version)));
            }
            _ => return,
        }
        self.changed = true;
    }

    /// Returns notifications with the diagnostics of the games of all open files, including empty lists for files that are now
    /// correct.
    pub fn diagnostics(&mut self) -> Vec<(&'static str, Value)> {
        self.changed = false;
        let mut found: BTreeMap<PathBuf, Vec<Value>> = BTreeMap::new();
        let mut games = BTreeSet::new();
        for path in self.buffers.keys() {
            found.entry(path.clone()).or_default();
            let project = self.project(path);
            if let Some(project) = project.filter(|one| games.insert(one.texts().key())) {
                answer::diagnostics(&project, &mut found);
            }
        }
        let reported = self.reported.iter();
        let correct = reported.filter(|file| !found.contains_key(*file));
        let mut messages: Vec<_> = correct.map(|file| self.published(file, &[])).collect();
        let problems = found.iter();
        messages.extend(problems.map(|(file, problems)| self.published(file, problems)));
        self.reported = found.into_keys().collect();
        messages
    }

    fn published(&self, file: &Path, diagnostics: &[Value]) -> (&'static str, Value) {
        let mut params = json!({"uri": uri_of(file), "diagnostics": diagnostics});
        if let (Some(version), Value::Object(params)) = (self.versions.get(file), &mut params) {
            params.insert("version".to_owned(), json!(version));
        }
        ("textDocument/publishDiagnostics", params)
    }
}

//! Reads messages, keeps the buffers, and answers requests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};

use super::super::Stop;
use super::answer::Asked;
use super::convert::{path_of, uri_of};
use crate::editor::Project;

/// Diagnostics wait for this time without typing.
const QUIET: Duration = Duration::from_millis(120);

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
            "codeActionProvider": {"codeActionKinds": ["quickfix"]},
        },
        "serverInfo": {"name": "wyrmgate", "version": env!("CARGO_PKG_VERSION")},
    })
}

pub struct Server {
    /// The folder with the games that overlays elsewhere extend.
    pub rules: PathBuf,
    pub buffers: BTreeMap<PathBuf, String>,
    /// Whether a buffer has changed since the last diagnostics.
    changed: bool,
    /// Files for which diagnostics were published.
    told: BTreeSet<PathBuf>,
}

impl Server {
    /// Creates a server from the parameters of `initialize`.
    pub fn new(params: &Value) -> Server {
        let folder = params
            .pointer("/workspaceFolders/0/uri")
            .or_else(|| params.get("rootUri"));
        let root = folder
            .and_then(Value::as_str)
            .and_then(path_of)
            .unwrap_or_default();
        let rules = root.join("rules");
        Server {
            rules: if rules.is_dir() { rules } else { root },
            buffers: BTreeMap::new(),
            changed: false,
            told: BTreeSet::new(),
        }
    }

    pub fn run(mut self, connection: &Connection) -> Result<(), Stop> {
        loop {
            let message = match self.changed {
                false => connection.receiver.recv().ok(),
                true => match connection.receiver.recv_timeout(QUIET) {
                    Ok(message) => Some(message),
                    Err(error) if error.is_timeout() => {
                        self.tell(connection)?;
                        continue;
                    }
                    Err(_) => None,
                },
            };
            match message {
                None => return Ok(()),
                Some(Message::Request(request)) => {
                    if connection
                        .handle_shutdown(&request)
                        .map_err(Stop::failure)?
                    {
                        return Ok(());
                    }
                    let answer = self.answer(request);
                    send(connection, answer.into())?;
                }
                Some(Message::Notification(notification)) => self.note(&notification),
                Some(Message::Response(_)) => {}
            }
        }
    }

    fn answer(&self, request: Request) -> Response {
        let asked = Asked::of(self, &request.params);
        let answer = match request.method.as_str() {
            "textDocument/completion" => Ok(asked.completion()),
            "textDocument/hover" => Ok(asked.hover()),
            "textDocument/definition" => Ok(asked.definition()),
            "textDocument/references" => Ok(asked.references()),
            "textDocument/prepareRename" => Ok(asked.prepare_rename()),
            "textDocument/rename" => asked.rename(),
            "textDocument/formatting" => Ok(asked.formatting()),
            "textDocument/codeAction" => Ok(asked.quick_fixes()),
            other => {
                let message = format!("unknown method `{other}`");
                return Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message);
            }
        };
        match answer {
            Ok(answer) => Response::new_ok(request.id, answer),
            Err(why) => Response::new_err(request.id, ErrorCode::RequestFailed as i32, why),
        }
    }

    fn note(&mut self, notification: &Notification) {
        let params = &notification.params;
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let Some(path) = uri.and_then(path_of) else {
            return;
        };
        let text = |at: &str| {
            params
                .pointer(at)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                self.buffers
                    .insert(path, text("/textDocument/text").unwrap_or_default());
            }
            "textDocument/didChange" => {
                let changes = params.get("contentChanges").and_then(Value::as_array);
                let last = changes.and_then(|changes| changes.last());
                let text = last
                    .and_then(|change| change.get("text"))
                    .and_then(Value::as_str);
                self.buffers
                    .insert(path, text.unwrap_or_default().to_owned());
            }
            "textDocument/didClose" => {
                self.buffers.remove(&path);
            }
            "textDocument/didSave" => {}
            _ => return,
        }
        self.changed = true;
    }

    pub fn project(&self, path: &Path) -> Option<Project> {
        Project::read(path, &self.rules, &self.buffers)
    }

    /// Publishes the diagnostics of the games of all open files, including empty lists for files that are now correct.
    fn tell(&mut self, connection: &Connection) -> Result<(), Stop> {
        self.changed = false;
        let mut found: BTreeMap<PathBuf, Vec<Value>> = BTreeMap::new();
        let mut games = BTreeSet::new();
        for path in self.buffers.keys() {
            found.entry(path.clone()).or_default();
            if let Some(project) = self
                .project(path)
                .filter(|p| games.insert(p.name().to_owned()))
            {
                super::answer::diagnostics(project, &mut found);
            }
        }
        for file in self.told.iter().filter(|file| !found.contains_key(*file)) {
            publish(connection, file, Vec::new())?;
        }
        self.told = found.keys().cloned().collect();
        for (file, problems) in found {
            publish(connection, &file, problems)?;
        }
        Ok(())
    }
}

fn publish(connection: &Connection, file: &Path, diagnostics: Vec<Value>) -> Result<(), Stop> {
    let params = json!({"uri": uri_of(file), "diagnostics": diagnostics});
    let method = "textDocument/publishDiagnostics".to_owned();
    send(connection, Notification { method, params }.into())
}

fn send(connection: &Connection, message: Message) -> Result<(), Stop> {
    connection
        .sender
        .send(message)
        .map_err(|_| Stop::ReaderGone)
}

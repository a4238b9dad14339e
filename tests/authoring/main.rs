//! The commands for those who write games: schema, formatter, scaffolds, documents, language server.

#![cfg(test)]

#[path = "../support/mod.rs"]
mod support;

mod brief;
mod completion;
mod debugger;
mod docs;
mod format;
mod framed;
mod looks;
mod lsp;
mod nested;
mod new;
mod pictures;
mod schema;
mod variants;
mod watch;

use std::path::{Path, PathBuf};

/// Every YAML file of the shipped rules.
fn shipped() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&root().join("rules"), &mut files);
    assert!(files.len() > 20, "the shipped rules are not found");
    files
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "yaml") {
            files.push(path);
        }
    }
}

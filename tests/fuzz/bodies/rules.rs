//! Reading rules the way every command and the service do.

use std::path::{Path, PathBuf};

use wyrmgate::check::{Checked, check, warn};
use wyrmgate::lang::{Bundle, Loaded};

pub fn path(relative: &str) -> PathBuf {
    Path::new(crate::ROOT).join(relative)
}

/// The files of a folder and below it that end like this, in order.
pub fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    let mut next = vec![path(folder)];
    while let Some(folder) = next.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => next.push(path),
                false => paths.push(path),
            }
        }
    }
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// Reads, checks, warns and renders. Whatever the text is: there is a game, or a reason why not.
pub fn read(files: &[(&str, &str)], roots: &[&str]) -> (Loaded, Option<Checked>) {
    let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    let bundle = Bundle {
        name: "fuzz".into(),
        files: files.iter().map(owned).collect(),
        roots: roots.iter().map(|root| (*root).to_owned()).collect(),
    };
    let mut loaded = bundle.load();
    let definition = loaded.definition.take();
    let checked = definition.and_then(|definition| check(&definition, &mut loaded.report));
    if let Some(checked) = &checked {
        warn(checked, &mut loaded.report);
    }
    assert_eq!(
        checked.is_none(),
        loaded.report.has_errors(),
        "a game and errors, or neither"
    );
    let rendered = loaded.report.render(&loaded.sources, false);
    let json = serde_json::json!(loaded.report.documents(&loaded.sources));
    assert_eq!(
        json.as_array().unwrap().len(),
        loaded.report.diagnostics.len()
    );
    assert_eq!(rendered.is_empty(), loaded.report.diagnostics.is_empty());
    (loaded, checked)
}

//! Joins the scripts of the page to one, so that a browser loads it with one request instead of one for each file and each step
//! from file to file.
//!
//! Each file becomes a function that returns what the file exports, in an order in which a file stands behind those that it
//! imports. It reads the forms of `import` and `export` that the page uses, each at the beginning of a line, and fails with
//! any other one.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

type Failure = Box<dyn Error>;

/// The client of the TypeScript package, which is served among the files of the page.
const CLIENT: &str = "../../clients/typescript/src/index.js";

/// Writes `page.js` to the output folder.
pub fn join() -> Result<(), Failure> {
    println!("cargo:rerun-if-changed=build/script.rs");
    let mut script = Script::default();
    script.add(Path::new("pages/app.js"))?;
    let out = std::env::var_os("OUT_DIR").ok_or("cargo has named no output folder")?;
    fs::write(Path::new(&out).join("page.js"), script.text)?;
    Ok(())
}

#[derive(Default)]
struct Script {
    text: String,
    /// The variable with the exports of each file.
    files: HashMap<PathBuf, String>,
}

impl Script {
    /// Adds a file behind all that it imports. Returns the variable with its exports.
    fn add(&mut self, path: &Path) -> Result<String, Failure> {
        if let Some(known) = self.files.get(path) {
            return Ok(known.clone());
        }
        let source = source_of(path)?;
        let (mut body, mut exports) = (String::new(), String::new());
        let mut is_comment = false;
        for line in statements(&source) {
            // Comments are for those who read the files: they were a seventh of what was sent.
            is_comment |= line.trim_start().starts_with("/**");
            if is_comment || line.trim_start().starts_with("//") {
                is_comment &= !line.trim_end().ends_with("*/");
                continue;
            }
            match line.split_once("from").filter(|_| is_from(line)) {
                Some((names, from)) => {
                    let file = self.add(&path.with_file_name(quoted(from)?))?;
                    match names.strip_prefix("export") {
                        Some(names) => exports += &renamed(names, &format!("{file}."))?,
                        None => body += &format!("const {} = {file};", pattern(names)?),
                    }
                }
                None if line.starts_with("import") => {
                    drop(self.add(&path.with_file_name(quoted(line)?))?)
                }
                None => exported(line, &mut body, &mut exports)?,
            }
            body.push('\n');
        }
        let name = format!("file{}", self.files.len());
        let shown = path.file_name().unwrap_or_default().display();
        self.text += &format!(
            "// {shown}\nconst {name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
        );
        self.files.insert(path.to_owned(), name.clone());
        Ok(name)
    }
}

/// Returns a script. Those of other people are one long line, whose last statement exports.
fn source_of(path: &Path) -> Result<String, Failure> {
    let path = if path.ends_with("client.js") {
        Path::new(CLIENT)
    } else {
        path
    };
    println!("cargo:rerun-if-changed={}", path.display());
    let source =
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let ends = [
        (".js\";", ".js\";\n"),
        (";export", ";\nexport"),
        ("}export", "}\nexport"),
        (";//# ", ";\n//# "),
    ];
    Ok(ends
        .iter()
        .fold(source, |source, (from, to)| source.replace(from, to)))
}

/// Returns the lines of a script; an `import` of several lines is one.
fn statements(source: &str) -> impl Iterator<Item = &str> {
    let mut rest = source;
    std::iter::from_fn(move || {
        let is_list = rest.starts_with("import {") || rest.starts_with("export {");
        let end = if is_list {
            rest.find(';')? + 1
        } else {
            rest.find('\n').unwrap_or(rest.len())
        };
        let (line, more) = rest.split_at_checked(end)?;
        rest = more.strip_prefix('\n').unwrap_or(more);
        (!line.is_empty() || !rest.is_empty()).then_some(line)
    })
}

fn is_from(line: &str) -> bool {
    let is_list = line.starts_with("import") || line.starts_with("export");
    is_list
        && line.trim_end().ends_with("\";")
        && line.contains("from")
        && !line.starts_with("import \"")
}

fn quoted(text: &str) -> Result<&str, Failure> {
    let name = text
        .split('"')
        .nth(1)
        .ok_or_else(|| format!("no file in `{text}`"))?;
    Ok(name.strip_prefix("./").unwrap_or(name))
}

/// Returns the pattern of `import { a, b as c }` or `import a`.
fn pattern(import: &str) -> Result<String, Failure> {
    let names = import.strip_prefix("import").unwrap_or_default().trim();
    match names.starts_with('{') {
        true => Ok(names.replace(" as ", ": ")),
        false => Ok(format!("{{ default: {names} }}")),
    }
}

/// Returns the members of `{a, b as c}`, as in `c: b`.
fn renamed(list: &str, before: &str) -> Result<String, Failure> {
    let list = list
        .trim()
        .trim_end_matches(';')
        .strip_prefix('{')
        .and_then(|list| list.strip_suffix('}'));
    let names = list
        .ok_or("an export is not a list of names")?
        .split(',')
        .map(str::trim);
    let member = |name: &str| {
        let (from, to) = name.split_once(" as ").unwrap_or((name, name));
        format!("{to}: {before}{from}, ")
    };
    Ok(names.filter(|name| !name.is_empty()).map(member).collect())
}

/// Adds a line, and what it exports.
fn exported(line: &str, body: &mut String, exports: &mut String) -> Result<(), Failure> {
    let Some(exported) = line.strip_prefix("export") else {
        *body += line;
        return Ok(());
    };
    if let Some(value) = exported.strip_prefix(" default ") {
        *body += &format!("const value = {value}");
        *exports += "default: value, ";
        return Ok(());
    }
    if exported.trim().starts_with('{') {
        *exports += &renamed(exported, "")?;
        return Ok(());
    }
    let words =
        exported.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '$');
    let is_keyword = |word: &&str| !["", "async", "function", "const", "class"].contains(word);
    let name = words
        .into_iter()
        .find(is_keyword)
        .ok_or_else(|| format!("no name in `{line}`"))?;
    *body += exported;
    *exports += &format!("{name}, ");
    Ok(())
}

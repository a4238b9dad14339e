//! The crates depend on each other as ARCHITECTURE.md states, and on nothing that it rules out.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Names = BTreeSet<String>;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the crates, as their folders are called.
fn crates() -> Names {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let names = folders.map(|folder| folder.unwrap().file_name().into_string());
    names.map(Result::unwrap).collect()
}

/// The dependencies that the manifest of a crate declares, those of its tests apart.
fn declared(name: &str) -> Names {
    let manifest = read(format!("crates/{name}/Cargo.toml"));
    let mut in_section = false;
    let mut found = Names::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_section = line.ends_with("dependencies]") && !line.contains("dev-");
        } else if let (true, Some((dependency, _))) = (in_section, line.split_once([' ', '.', '=']))
        {
            found.insert(dependency.to_owned());
        }
    }
    found.remove("");
    found
}

/// The dependencies on our own crates, by their folders.
fn own(of: &Names) -> Names {
    let own = of.iter().filter_map(|name| name.strip_prefix("wyrmgate-"));
    own.map(str::to_owned).collect()
}

/// The rows of the table of crates: a crate, its modules, and the crates it may depend on.
fn table() -> BTreeMap<String, (Names, Names)> {
    let page = read("ARCHITECTURE.md");
    let (_, rest) = page.split_once("| Crate |").unwrap();
    let rows = rest
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let quoted = |cell: &str| {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect::<Names>()
    };
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        let name = quoted(cells[1]).pop_first().unwrap();
        (name, (quoted(cells[2]), quoted(cells[4])))
    })
    .collect()
}

#[test]
fn the_crates_are_those_of_the_table() {
    assert_eq!(table().into_keys().collect::<Names>(), crates());
}

#[test]
fn a_crate_depends_on_what_the_table_states_and_on_nothing_else() {
    for (name, (_, stated)) in table() {
        assert_eq!(own(&declared(&name)), stated, "of `{name}`");
    }
}

#[test]
fn a_crate_has_the_modules_of_the_table() {
    for (name, (stated, _)) in table() {
        let library = read(format!("crates/{name}/src/lib.rs"));
        let modules = library
            .lines()
            .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
        let modules: Names = modules.map(str::to_owned).collect();
        if stated.len() > 1 {
            let stated = &stated - &itself(&name);
            assert_eq!(modules, stated, "of `{name}`");
        }
    }
}

/// The module of the library that a crate is as a whole: `wyrmgate::engine` is `wyrmgate_engine`.
fn itself(name: &str) -> Names {
    let library = read("src/lib.rs");
    let start = format!("pub use wyrmgate_{name} as ");
    let modules = library
        .lines()
        .filter_map(|line| line.strip_prefix(&start)?.strip_suffix(';'));
    modules.map(str::to_owned).collect()
}

/// Each row: crates, and the dependencies that neither they nor what they depend on may have.
const RULED_OUT: [(&[&str], &[&str]); 5] = [
    (
        &[
            "base",
            "lang",
            "program",
            "compile",
            "engine",
            "native",
            "runner",
            "view",
            "search",
            "analysis",
            "authoring",
        ],
        &["tokio", "actix-web", "redis", "redb"],
    ),
    (
        &["program", "engine", "native", "runner", "view"],
        &["pest", "serde_yaml", "clap"],
    ),
    (
        &["base", "program", "engine", "native", "runner"],
        &["serde_json"],
    ),
    (&["store"], &["actix-web", "pest", "serde_yaml", "utoipa"]),
    (&["sessions"], &["actix-web", "clap"]),
];

#[test]
fn no_crate_knows_what_it_must_not() {
    for (names, ruled_out) in RULED_OUT {
        for name in names {
            let mut all = Names::from([(*name).to_owned()]);
            let mut open: Vec<String> = all.iter().cloned().collect();
            while let Some(next) = open.pop() {
                let declared = declared(&next);
                for unwanted in ruled_out {
                    assert!(
                        !declared.contains(*unwanted),
                        "`{name}` has `{unwanted}` by `{next}`"
                    );
                }
                open.extend(
                    own(&declared)
                        .into_iter()
                        .filter(|one| all.insert(one.clone())),
                );
            }
        }
    }
}

/// The walks of ARCHITECTURE.md lead to functions, types and macros that exist in the files that they name.
#[test]
fn the_walks_name_what_exists() {
    let page = read("ARCHITECTURE.md");
    let mut checked = 0;
    for part in page.split("[`").skip(1) {
        let Some((name, rest)) = part.split_once("`](") else {
            continue;
        };
        let path = rest.split(')').next().unwrap();
        if !path.ends_with(".rs") || path.ends_with(name) || path.contains(&format!("/{name}/")) {
            continue;
        }
        let text = read(path);
        let starts = ["fn ", "macro_rules! ", "struct ", "enum ", "        "];
        let is_there = starts.iter().any(|start| {
            let declared = format!("{start}{name}");
            text.match_indices(&declared).any(|(at, _)| {
                let after = text[at + declared.len()..].chars().next();
                after.is_some_and(|c| !c.is_alphanumeric() && c != '_')
            })
        });
        assert!(is_there, "`{name}` is not in {path}");
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

/// Every crate says what it is about, what it must never depend on, and where to begin.
#[test]
fn every_crate_has_a_page() {
    for name in crates() {
        let page = read(format!("crates/{name}/README.md"));
        for part in ["# wyrmgate-", "Depends on", "Never", "Start reading"] {
            assert!(
                page.contains(part),
                "crates/{name}/README.md has no `{part}`"
            );
        }
    }
}

/// The engine and what plays in its place report facts, and the crate `view` puts them into words. Reasons of lints and of assertions are for
/// developers.
#[test]
fn the_engine_has_no_words_for_people() {
    let crates = ["engine", "native", "runner"];
    let mut open = crates
        .map(|name| root().join(format!("crates/{name}/src")))
        .to_vec();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let inside = fs::read_dir(&path).unwrap();
            open.extend(inside.map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let shipped = text.split("#[cfg(test)]").next().unwrap();
        let lines = shipped.lines().filter(|line| {
            let line = line.trim_start();
            !line.starts_with("//") && !line.starts_with("reason = ") && !line.starts_with("#[")
        });
        for line in lines.filter(|line| !line.contains("reason = ")) {
            let literals = line.split('"').skip(1).step_by(2);
            for literal in literals.filter(|literal| !literal.contains(['{', '%'])) {
                let words = literal.split_whitespace().count();
                assert!(words < 3, "{}: {literal}", path.display());
            }
        }
    }
}

/// A crate whose tests are all in `tests/` is not built once more for unit tests, and one that has unit tests runs them.
#[test]
fn crates_are_built_for_unit_tests_if_they_have_any() {
    let with_tests = files_with(concat!("#[cfg(", "test)]"));
    for name in crates() {
        let manifest = read(format!("crates/{name}/Cargo.toml"));
        let source = format!("crates/{name}/src/");
        let has_tests = with_tests.iter().any(|file| file.starts_with(&source));
        assert_eq!(has_tests, !manifest.contains("\ntest = false\n"), "{name}");
    }
}

/// A crate whose documentation has no examples is not read once more to look for them, and one that has runs them.
#[test]
fn crates_are_searched_for_examples_if_they_have_any() {
    let fenced = files_with("```");
    let with_examples: Names = fenced
        .into_iter()
        .filter(|file| has_example(file))
        .collect();
    for name in crates() {
        let manifest = read(format!("crates/{name}/Cargo.toml"));
        let source = format!("crates/{name}/src/");
        let has_examples = with_examples.iter().any(|file| file.starts_with(&source));
        let is_searched = !manifest.contains("\ndoctest = false\n");
        assert_eq!(has_examples, is_searched, "{name}");
    }
}

/// Returns whether a file has an example that rustdoc runs: a fence that names no other language.
fn has_example(file: &str) -> bool {
    let text = read(file);
    let lines = text
        .lines()
        .map(|line| line.trim_start().trim_start_matches(['/', '!', ' ']));
    let fences = lines.filter_map(|line| line.strip_prefix("```"));
    // Every other fence ends what the one before began.
    let mut begins = fences.step_by(2);
    begins.any(|language| ["", "rust", "no_run", "should_panic"].contains(&language.trim()))
}

/// The Rust files of the crates that contain a text.
fn files_with(text: &str) -> Names {
    let mut folders = vec![root().join("crates")];
    let mut found = Names::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && read(&path).contains(text)
            {
                let name = path.strip_prefix(root()).unwrap();
                found.insert(name.to_string_lossy().into_owned());
            }
        }
    }
    found
}

#[test]
fn a_function_of_the_language_is_one_row_and_one_meaning() {
    let row = "crates/compile/src/compile/expressions/function.rs";
    let meaning = "crates/program/src/number.rs";
    let functions = [
        ("product", "Product"),
        ("median", "Median"),
        ("count_adjacent", "CountAdjacent"),
        ("most_alike", "MostAlike"),
        ("longest_run", "LongestRun"),
    ];
    for (name, fold) in functions {
        assert_eq!(
            files_with(&format!("\"{name}\"")),
            Names::from([row.into()])
        );
        let known = files_with(&format!("Fold::{fold}"));
        assert_eq!(known, Names::from([row.into(), meaning.into()]));
    }
}

/// Names are the base of translation, and checks build on both.
#[test]
fn names_translation_and_checks_build_on_each_other() {
    let below = [
        ("crate::check", &["names/", "compile/"][..]),
        ("crate::compile", &["names/"]),
    ];
    for (module, lower) in below {
        for file in files_with(module) {
            let file = file.strip_prefix("crates/compile/src/").unwrap_or_default();
            let is_lower = lower.iter().any(|folder| file.starts_with(folder));
            assert!(!is_lower, "{file} uses {module}");
        }
    }
}

/// The folders of the API, from what requests and responses have in common up to what every request passes.
const FOLDERS_OF_THE_API: [&str; 10] = [
    "shared",
    "request",
    "response",
    "document",
    "catalog",
    "session",
    "player",
    "stateless",
    "operation",
    "serving",
];

#[test]
fn the_folders_of_the_api_build_on_each_other() {
    let inside = fs::read_dir(root().join("crates/service/src/api")).unwrap();
    let folders = inside.filter(|entry| entry.as_ref().unwrap().path().is_dir());
    assert_eq!(folders.count(), FOLDERS_OF_THE_API.len());
    for (above, folder) in FOLDERS_OF_THE_API.iter().enumerate() {
        for file in files_with(&format!("crate::api::{folder}::")) {
            let path = file.strip_prefix("crates/service/src/api/").unwrap();
            let mut lower = FOLDERS_OF_THE_API[..above].iter();
            let is_lower = lower.any(|lower| path.starts_with(&format!("{lower}/")));
            assert!(!is_lower, "{file} uses {folder}");
        }
    }
}

/// A module by its path in its crate, and the paths that it imports: whether it only passes them on, by `pub use`.
type Module = Vec<String>;
type Imports = BTreeMap<Module, Vec<(bool, String)>>;
type Links<'m> = BTreeMap<&'m Module, BTreeSet<&'m Module>>;

/// Reads the imports of a module and of those below it, without their unit tests.
fn read_imports(module: Module, file: &Path, folder: &Path, all: &mut Imports) {
    let text = read(file);
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let code = text.lines().map(|line| line.split("//").next().unwrap());
    let code = code.collect::<Vec<_>>().join("\n");
    let mut imports = Vec::new();
    for part in code.split(';') {
        let (before, line) = part
            .rsplit_once("use ")
            .map_or((part, ""), |(before, used)| {
                let start = before.rsplit('\n').next().unwrap().trim();
                imports.extend(leaves(used).map(|leaf| (start.starts_with("pub"), leaf)));
                (before, start)
            });
        imports.extend(in_code(before).map(|path| (false, path)));
        let Some((_, name)) = part.rsplit('\n').next().unwrap().split_once("mod ") else {
            continue;
        };
        let (inner, below) = (
            folder.join(name),
            [&module[..], &[name.to_owned()]].concat(),
        );
        let mut files = [inner.with_extension("rs"), inner.join("mod.rs")].into_iter();
        if let (Some(file), "") = (files.find(|file| root().join(file).exists()), line) {
            read_imports(below, &file, &inner, all);
        }
    }
    all.insert(module, imports);
}

/// The paths that `a::{b, c as d}` imports: `a::b` and `a::c`.
fn leaves(used: &str) -> impl Iterator<Item = String> {
    let (start, list) = used.split_once('{').unwrap_or(("", used));
    let (mut depth, mut found) = (0, Vec::new());
    for part in list
        .trim()
        .trim_end_matches('}')
        .split_inclusive(|c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        })
    {
        let part = part.trim().trim_end_matches(',');
        match part.contains('{') {
            true => found.extend(leaves(part)),
            false => found.extend(part.split(" as ").next().map(str::to_owned)),
        }
    }
    let start = start.trim().to_owned();
    found.into_iter().map(move |leaf| format!("{start}{leaf}"))
}

/// The paths in code that begin with `crate` or `super`.
fn in_code(code: &str) -> impl Iterator<Item = String> {
    let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let ours = words.filter(|word| word.starts_with("crate::") || word.starts_with("super::"));
    ours.map(|word| word.trim_end_matches(':').to_owned())
}

/// Returns the module in which something is declared, behind the modules that only pass it on.
fn declares<'m>(all: &'m Imports, from: &Module, path: &str, depth: usize) -> Option<&'m Module> {
    let mut parts = path.split("::").peekable();
    let mut at = if path.starts_with("crate") {
        Module::new()
    } else {
        from.clone()
    };
    let mut is_ours = false;
    while let Some(part) = parts.next_if(|part| ["crate", "self", "super"].contains(part)) {
        is_ours = true;
        at.truncate(at.len().saturating_sub(usize::from(part == "super")));
    }
    let below = |at: &Module, part: &str| [&at[..], &[part.to_owned()]].concat();
    while let Some(part) = parts.next_if(|part| all.contains_key(&below(&at, part))) {
        is_ours = true;
        at.push(part.to_owned());
    }
    let (at, imports) = all.get_key_value(&at).filter(|_| is_ours)?;
    let name = parts.next().filter(|_| depth < 6);
    let passed_on = imports
        .iter()
        .filter(|(passes_on, used)| *passes_on && used != path && used.rsplit("::").next() == name);
    let mut further = passed_on.map(|(_, used)| declares(all, at, used, depth + 1));
    further.next().unwrap_or(Some(at))
}

fn links(all: &Imports) -> Links<'_> {
    let of = |from, imports: &[(bool, String)]| {
        let own = imports.iter().filter(|(passes_on, _)| !passes_on);
        let found = own.filter_map(|(_, path)| declares(all, from, path, 0));
        found.filter(|to| *to != from).collect()
    };
    all.iter()
        .map(|(from, imports)| (from, of(from, imports)))
        .collect()
}

fn reached<'m>(links: &Links<'m>, from: &'m Module) -> BTreeSet<&'m Module> {
    let (mut all, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(one) = open.pop() {
        open.extend(links[one].iter().filter(|to| all.insert(**to)));
    }
    all
}

#[test]
fn files_import_each_other_in_no_circles() {
    let mut roots: Vec<String> = crates()
        .iter()
        .map(|name| format!("crates/{name}/src/lib.rs"))
        .collect();
    roots.extend(["src/lib.rs", "src/main.rs"].map(str::to_owned));
    let mut circles = BTreeSet::new();
    for file in roots {
        let (file, mut all) = (Path::new(&file), Imports::new());
        read_imports(Module::new(), file, file.parent().unwrap(), &mut all);
        let links = links(&all);
        let reach: Links<'_> = all
            .keys()
            .map(|from| (from, reached(&links, from)))
            .collect();
        for (one, others) in &reach {
            let circle = others.iter().filter(|other| reach[*other].contains(one));
            let circle: BTreeSet<&Module> = circle.copied().collect();
            let within = circle.iter().flat_map(|from| {
                (&links[from] & &circle).into_iter().map(|to| {
                    format!(
                        "{}: {} → {}",
                        file.display(),
                        from.join("::"),
                        to.join("::")
                    )
                })
            });
            circles.insert((circle.len(), within.collect::<Vec<_>>()));
        }
    }
    circles.remove(&(0, Vec::new()));
    let imports: Vec<String> = circles
        .into_iter()
        .flat_map(|(_, imports)| imports)
        .collect();
    assert!(
        imports.is_empty(),
        "imports in circles:\n{}",
        imports.join("\n")
    );
}

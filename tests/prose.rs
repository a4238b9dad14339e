//! Documentation is plain American English: no sentence opens in a way that hides its subject, and every thing has one name
//! (`docs/glossary.md`).
#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};

/// Words that must not open a sentence. A question may begin with `What`.
const OPENINGS: [&str; 3] = ["So", "Whoever", "What"];

/// Words and phrases that readers would have to decode, and what to write instead.
const REPLACED: [(&str, &str); 24] = [
    ("answer in advance", "standing order"),
    ("answers in advance", "standing orders"),
    ("as it stands", "as it is"),
    ("at its place", "with its location"),
    ("authoris", "authoriz"),
    ("behaviour", "behavior"),
    ("built-in player", "built-in bot"),
    ("centre", "center"),
    ("colour", "color"),
    ("favour", "favor"),
    ("for ever", "forever"),
    ("given anew", "renewed"),
    ("honour", "honor"),
    ("if nothing is said", "by default"),
    ("imagined state", "sampled world"),
    ("imagined world", "sampled world"),
    ("misspelt", "misspelled"),
    ("neighbour", "neighbor"),
    ("optimis", "optimiz"),
    ("processor time", "CPU time"),
    ("recognis", "recogniz"),
    ("serialis", "serializ"),
    ("taken back", "undone"),
    ("written out fair", "formatted"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages for people: those at the top, and those of the folders that have some.
fn pages() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = [
        "",
        "docs",
        "rules",
        "rules/gallery",
        "rules/guide",
        "editors",
        "editors/tree-sitter",
        "examples",
        "clients/typescript",
        "fuzz",
    ]
    .map(|folder| root().join(folder))
    .into();
    let crates = fs::read_dir(root().join("crates")).unwrap();
    folders.extend(crates.map(|entry| entry.unwrap().path()));
    let files = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten();
    let mut pages: Vec<PathBuf> = files
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    pages.sort();
    pages
}

/// A piece of prose and the line where it begins: a paragraph, a member of a list or a cell of a table.
struct Piece {
    line: usize,
    text: String,
}

/// The prose of a page without code and headings.
fn pieces(page: &str) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let mut in_code = false;
    let mut continues = false;
    for (number, line) in page.lines().enumerate() {
        let bare = line.trim_start();
        if bare.starts_with("```") {
            in_code = !in_code;
            continues = false;
            continue;
        }
        if in_code || bare.is_empty() || bare.starts_with('#') || line.starts_with("    ") {
            continues = false;
            continue;
        }
        let new = |text: &str| Piece {
            line: number + 1,
            text: text.trim().to_owned(),
        };
        if let Some(row) = bare.strip_prefix('|') {
            found.extend(without_code(row).split('|').map(new));
            continues = false;
            continue;
        }
        let member = bare.trim_start_matches(|c: char| c.is_ascii_digit());
        let member = ["- ", "* ", ". "]
            .iter()
            .find_map(|mark| member.strip_prefix(mark));
        match (member, found.last_mut()) {
            (Some(text), _) => found.push(new(text)),
            (None, Some(above)) if continues => {
                above.text.push(' ');
                above.text.push_str(bare);
            }
            (None, _) => found.push(new(bare)),
        }
        continues = true;
    }
    for piece in &mut found {
        piece.text = without_code(&piece.text);
    }
    found
}

/// The text with `…` for everything in backticks.
fn without_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(i, part)| if i % 2 == 0 { part } else { "…" })
        .collect()
}

/// The sentences of a piece, each with the mark that ends it.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, mark) in text.char_indices() {
        let after = &text[at + mark.len_utf8()..];
        let ends = matches!(mark, '.' | '?' | '!' | ':' | ';');
        if ends && after.trim_start_matches(['*', '"', ')']).starts_with(' ') {
            found.push(&text[start..at + mark.len_utf8()]);
            start = at + mark.len_utf8();
        }
    }
    found.push(&text[start..]);
    found
}

/// Whether a sentence opens with a word that it must not open with.
fn bad_opening(sentence: &str) -> Option<&str> {
    let bare = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
    let first = bare.split(|c: char| !c.is_alphabetic()).next()?;
    (OPENINGS.contains(&first) && !sentence.ends_with('?')).then_some(first)
}

fn faults(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for piece in pieces(page) {
        for sentence in sentences(&piece.text) {
            let bare = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
            if let Some(first) = bad_opening(sentence) {
                found.push(format!(
                    "line {}: a sentence begins with `{first}`",
                    piece.line
                ));
            }
            let is_cleft = bare.starts_with("It is ") && bare.split(' ').nth(3) == Some("that");
            if is_cleft {
                found.push(format!("line {}: `It is … that`", piece.line));
            }
        }
        let lower = format!(" {} ", piece.text.to_lowercase());
        for (word, better) in REPLACED {
            if contains(&lower, word) {
                found.push(format!(
                    "line {}: `{better}` instead of `{word}`",
                    piece.line
                ));
            }
        }
    }
    found
}

/// Whether a text has these words; the last one may go on (`optimis` is in `optimise`), unless there are several.
fn contains(text: &str, words: &str) -> bool {
    let mut found = text.match_indices(words);
    found.any(|(at, _)| {
        let after = text[at + words.len()..].trim_start_matches('s');
        !words.contains(' ') || !after.starts_with(char::is_alphanumeric)
    })
}

#[test]
fn pages_are_plain_english() {
    let mut all = Vec::new();
    let pages = pages();
    assert!(pages.len() > 25, "{pages:?}");
    for path in pages {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let found = faults(&fs::read_to_string(&path).unwrap());
        all.extend(found.into_iter().map(|fault| format!("{name}, {fault}")));
    }
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
fn faults_are_found_and_nothing_else() {
    let wrong = [
        "So many proxies stand in front.",
        "It waits. So it is late.",
        "**Whoever** sits down plays.",
        "| a | What finds no room stays. |",
        "- What has no title has a name.",
        "It is time that passes.",
        "The colour\nof a die.",
        "A move costs processor\ntime.",
        "Two built-in players.",
    ];
    for text in wrong {
        assert_eq!(faults(text).len(), 1, "{text}");
    }
    let right = [
        "What is a seat? A place at the table.",
        "Some seats are free. Somebody waits. It is late.",
        "`What` is a word, and `So` too.",
        "```text\nSo it is.\n```",
        "    So many proxies",
        "## Who sees what",
        "The list says what a seat sees, so a client can show it.",
        "The field `neighbours` is a query.",
        "One for every card.",
    ];
    for text in right {
        assert_eq!(faults(text), Vec::<String>::new(), "{text}");
    }
}

/// Each term of the glossary once, in the order of the alphabet within its section, with one sentence.
#[test]
fn the_glossary_has_one_meaning_for_each_word() {
    let page = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let mut terms: Vec<&str> = Vec::new();
    for section in page.split("\n## ").skip(1) {
        let rows = section.lines().filter(|line| line.starts_with("| "));
        let rows = rows.filter(|row| !row.starts_with("| Term") && !row.starts_with("| ---"));
        let mut before = "";
        for row in rows {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let (term, meaning) = (cells[1], cells[2]);
            assert!(before < term, "`{term}` stands after `{before}`");
            assert!(
                meaning.ends_with('.') && meaning.matches(". ").count() == 0,
                "{row}"
            );
            terms.push(term);
            before = term;
        }
    }
    assert!(terms.len() > 60);
    let mut once = terms.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), terms.len(), "a term stands twice");
}

/// The anchors of a page: its headings as GitHub spells them, and explicit ones.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let slugs = headings.map(|line| {
        let text = line.trim_start_matches('#').trim().to_lowercase();
        let kept = text
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    });
    let explicit = page.split("<a id=\"").skip(1);
    let explicit = explicit.filter_map(|rest| rest.split('"').next().map(str::to_owned));
    slugs.chain(explicit).collect()
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut broken = Vec::new();
    let mut checked = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let links = page.split("](").skip(1);
        let links = links.filter_map(|rest| rest.split(')').next());
        for link in
            links.filter(|link| !link.contains("://") && !link.contains(char::is_whitespace))
        {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            checked += 1;
            let has_anchor = || {
                let text = fs::read_to_string(&target).unwrap_or_default();
                anchors(&text).iter().any(|known| known == anchor)
            };
            if !target.exists() || (!anchor.is_empty() && !has_anchor()) {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(checked > 80, "{checked}");
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The end of the name of a file that pages speak of.
const FILES: [&str; 16] = [
    "css", "html", "js", "json", "md", "mjs", "pest", "png", "py", "rs", "scm", "svg", "toml",
    "ts", "yaml", "yml",
];

/// Everything below the top folder, as paths from there, without what is built or fetched.
fn everything() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap_or_default();
            if [".git", "target", "node_modules"].contains(&name) {
                continue;
            }
            let inside = path.strip_prefix(root()).unwrap();
            found.extend(inside.to_str().map(str::to_owned));
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            }
        }
    }
    found
}

/// The paths in the backticks of a page: of a file by the end of its name, or of anything below a folder at the top.
fn paths(page: &str, tops: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in page.lines() {
        in_code ^= line.trim_start().starts_with("```");
        let parts = line.split('`').skip(1).step_by(2);
        for path in parts.filter(|_| !in_code) {
            let is_path = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
            let Some((first, _)) = path.split_once('/') else {
                continue;
            };
            let of_file = path
                .rsplit_once('.')
                .is_some_and(|(_, end)| FILES.contains(&end));
            let of_ours = of_file || tops.iter().any(|top| top == first);
            if path.chars().all(is_path) && of_ours && !first.is_empty() {
                found.push(path.trim_end_matches('/').to_owned());
            }
        }
    }
    found
}

/// A path begins at the top, at the page, or with a crate (`engine/play.rs`), or it is the end of one.
#[test]
fn paths_in_backticks_exist() {
    let everything = everything();
    let is_top = |path: &&String| !path.contains('/') && root().join(path).is_dir();
    let tops: Vec<String> = everything.iter().filter(is_top).cloned().collect();
    let mut broken = Vec::new();
    let mut checked = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for path in paths(&text, &tops) {
            checked += 1;
            let (first, rest) = path.split_once('/').unwrap_or((&path, ""));
            let places = [
                root().join(&path),
                page.parent().unwrap().join(&path),
                root().join("crates").join(first).join("src").join(rest),
            ];
            let end = format!("/{path}");
            let exists = places.iter().any(|place| place.exists())
                || everything.iter().any(|known| known.ends_with(&end));
            if !exists {
                broken.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(checked > 100, "{checked}");
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn paths_are_told_from_other_words() {
    let tops = ["rules".to_owned()];
    let page = "`rules/guide/` and `a/b.rs`, `text/plain`, `a/b`, `/v1/x.json`, `play a/b.rs`\n```\n`rules/no`\n```";
    assert_eq!(paths(page, &tops), ["rules/guide", "a/b.rs"]);
}

/// Crates whose doc comments keep the same rule, except that a fragment (`What a caller sees.`) is enough for them.
const CRATES: [&str; 6] = ["base", "lang", "program", "compile", "engine", "view"];

/// The doc comments of a source file, each with the line where it begins.
fn doc_comments(source: &str) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let mut continues = false;
    for (number, line) in source.lines().enumerate() {
        let bare = line.trim_start();
        let text = bare.strip_prefix("///").or(bare.strip_prefix("//!"));
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        match (text, found.last_mut()) {
            (Some(text), Some(above)) if continues && !text.starts_with("- ") => {
                above.text.push(' ');
                above.text.push_str(text);
            }
            (Some(text), _) => found.push(Piece {
                line: number + 1,
                text: text.to_owned(),
            }),
            (None, _) => {}
        }
        continues = text.is_some();
    }
    for piece in &mut found {
        piece.text = without_code(&piece.text);
    }
    found
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn doc_comments_name_their_subject_first() {
    let mut files = Vec::new();
    for name in CRATES {
        sources(&root().join("crates").join(name).join("src"), &mut files);
    }
    files.sort();
    assert!(files.len() > 200);
    let mut all = Vec::new();
    for path in files {
        let source = fs::read_to_string(&path).unwrap();
        for piece in doc_comments(&source) {
            let mut bad = sentences(&piece.text).into_iter().filter_map(bad_opening);
            let bad = bad.find(|first| *first != "What");
            all.extend(bad.map(|first| {
                let name = path.strip_prefix(root()).unwrap().display();
                format!("{name}:{}: a sentence begins with `{first}`", piece.line)
            }));
        }
    }
    assert!(all.is_empty(), "{all:#?}");
}

//! Writes a rulebook as Markdown. Pictures are inline SVG, which viewers that allow HTML can show.

use std::fmt::Write;

use super::words::Words;
use super::{Change, ComponentRow, OptionRow, Page};

/// Returns the page; its pictures are named files (`track.svg`) if `pictures` says how they are called.
pub fn markdown(page: &Page, picture: impl Fn(usize) -> String) -> String {
    let words = page.words();
    let mut out = format!("# {}\n\n", page.title);
    paragraph(&mut out, &page.about);
    paragraph(&mut out, &format!("{}: {}", words.players, page.players()));
    section(&mut out, words.board, page.boards.is_empty());
    for (at, board) in page.boards.iter().enumerate() {
        paragraph(&mut out, &format!("![{}]({})", board.title, picture(at)));
    }
    section(&mut out, words.components, page.components.is_empty());
    let heads = [words.count, words.component, ""];
    let rows = page.components.iter().map(|row| component(row, words));
    table(&mut out, &heads, rows.collect());
    section(&mut out, words.options, page.options.is_empty());
    let heads = [words.option, words.values, words.usual, ""];
    let rows = page.options.iter().map(|row| option(row, words));
    table(&mut out, &heads, rows.collect());
    section(&mut out, words.rules, page.clauses.is_empty());
    for clause in &page.clauses {
        let text = marked(&clause.text, clause.change.as_ref(), words);
        line(&mut out, &format!("- **{}** {text}", clause.id));
    }
    section(&mut out, words.numbers, page.numbers.is_empty());
    for number in &page.numbers {
        line(&mut out, &format!("- {number}"));
    }
    section(&mut out, words.examples, page.examples.is_empty());
    let mut at = page.boards.len();
    for example in &page.examples {
        paragraph(&mut out, &format!("### {}", example.title));
        paragraph(&mut out, &example.clauses.join(", "));
        for shown in &example.pictures {
            paragraph(&mut out, &format!("![{}]({})", shown.title, picture(at)));
            at += 1;
        }
    }
    section(&mut out, words.words, page.glossary.is_empty());
    for entry in &page.glossary {
        line(
            &mut out,
            &format!("- **{}**: {}", entry.word, entry.meaning),
        );
    }
    out
}

fn component(row: &ComponentRow, words: &Words) -> Vec<String> {
    let told = [row.keys.join("; "), row.text.clone()];
    let told = told.iter().map(String::as_str);
    let told: Vec<&str> = told.filter(|text| !text.is_empty()).collect();
    let title = marked(&row.title, row.change.as_ref(), words);
    vec![row.count.clone(), title, told.join(". ")]
}

fn option(row: &OptionRow, words: &Words) -> Vec<String> {
    vec![
        marked(&row.title, row.change.as_ref(), words),
        row.values.clone(),
        row.default.clone(),
        row.text.clone(),
    ]
}

/// Marks a text with what a variant does to it.
fn marked(text: &str, change: Option<&Change>, words: &Words) -> String {
    let (sign, was) = match change {
        None => return text.to_owned(),
        Some(Change::Added) => (words.added, ""),
        Some(Change::Changed { was }) => (words.changed, was.as_str()),
        Some(Change::Removed { was }) => (words.removed, was.as_str()),
    };
    let was = match was {
        "" => String::new(),
        was => format!(" ~~{was}~~"),
    };
    format!("**{sign}:** {text}{was}")
}

fn section(out: &mut String, title: &str, is_empty: bool) {
    if !is_empty {
        let gap = if out.ends_with("\n\n") { "" } else { "\n" };
        let _ = write!(out, "{gap}## {title}\n\n");
    }
}

fn paragraph(out: &mut String, text: &str) {
    if !text.is_empty() {
        let _ = write!(out, "{text}\n\n");
    }
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "{text}");
}

fn table(out: &mut String, heads: &[&str], rows: Vec<Vec<String>>) {
    if rows.is_empty() {
        return;
    }
    line(out, &format!("| {} |", heads.join(" | ")));
    line(out, &format!("|{}", " --- |".repeat(heads.len())));
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .map(|cell| cell.replace('|', "\\|").replace('\n', " "))
            .collect();
        line(out, &format!("| {} |", cells.join(" | ")));
    }
}

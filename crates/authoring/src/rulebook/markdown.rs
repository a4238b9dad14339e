//! Writes a rulebook as Markdown. Pictures are inline SVG, which viewers that allow HTML can show.

use std::fmt::Write;

use super::Page;

/// The page; its pictures are named files (`track.svg`) if `pictures` says how they are called.
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
    let rows = page.components.iter().map(|row| {
        let told = [row.keys.join("; "), row.text.clone()];
        let told: Vec<&str> = told
            .iter()
            .map(String::as_str)
            .filter(|text| !text.is_empty())
            .collect();
        vec![row.count.clone(), row.title.clone(), told.join(". ")]
    });
    table(
        &mut out,
        &[words.count, words.component, ""],
        rows.collect(),
    );
    section(&mut out, words.options, page.options.is_empty());
    let rows = page.options.iter().map(|row| {
        vec![
            row.title.clone(),
            row.values.clone(),
            row.default.clone(),
            row.text.clone(),
        ]
    });
    table(
        &mut out,
        &[words.option, words.values, words.usual, ""],
        rows.collect(),
    );
    section(&mut out, words.rules, page.clauses.is_empty());
    for clause in &page.clauses {
        line(&mut out, &format!("- **{}** {}", clause.id, clause.text));
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

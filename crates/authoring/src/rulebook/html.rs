//! Writes a rulebook as one self-contained HTML file.

use std::fmt::Write;

use super::Page;

const STYLE: &str = "body{font-family:Georgia,serif;max-width:52rem;margin:2rem auto;padding:0 1rem;line-height:1.5;color:#222;background:#fdfbf6}h1,h2{font-family:sans-serif}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #d9cfb8}td.count{text-align:right;white-space:nowrap}figure{margin:1rem 0}svg{max-width:100%;height:auto}dt{font-weight:bold;float:left;clear:left;min-width:5.5rem}dd{margin:0 0 .4rem 6rem}p.players{color:#6b5d45}@media print{body{margin:0}}";

pub fn html(page: &Page) -> String {
    let title = escaped(&page.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        escaped(&page.language)
    );
    element(&mut out, "p", "", &page.about);
    element(
        &mut out,
        "p",
        " class=\"players\"",
        &format!("Players: {}", page.players()),
    );
    head(&mut out, "Board", page.boards.is_empty());
    for board in &page.boards {
        let title = escaped(&board.title);
        put(
            &mut out,
            format_args!(
                "<figure>{}<figcaption>{title}</figcaption></figure>\n",
                board.svg.trim_end()
            ),
        );
    }
    components(&mut out, page);
    options(&mut out, page);
    let clauses = page
        .clauses
        .iter()
        .map(|clause| (clause.id.as_str(), clause.text.as_str()));
    list(&mut out, "Rules", clauses.collect());
    let words = page
        .glossary
        .iter()
        .map(|entry| (entry.word.as_str(), entry.meaning.as_str()));
    list(&mut out, "Words", words.collect());
    out.push_str("</body>\n</html>\n");
    out
}

fn components(out: &mut String, page: &Page) {
    head(out, "Components", page.components.is_empty());
    let rows = page.components.iter().map(|row| {
        let told = [row.keys.join("; "), row.text.clone()];
        let told: Vec<String> = told
            .iter()
            .filter(|text| !text.is_empty())
            .map(|text| escaped(text))
            .collect();
        let title = escaped(&row.title);
        let count = escaped(&row.count);
        format!(
            "<tr><td class=\"count\">{count}</td><td>{title}</td><td>{}</td></tr>\n",
            told.join("<br>")
        )
    });
    table(out, &["Count", "Component", ""], rows.collect());
}

fn options(out: &mut String, page: &Page) {
    head(out, "Options", page.options.is_empty());
    let rows = page.options.iter().map(|row| {
        let cells = [&row.title, &row.values, &row.default, &row.text]
            .map(|cell| format!("<td>{}</td>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.concat())
    });
    table(out, &["Option", "Values", "Usual", ""], rows.collect());
}

fn list(out: &mut String, title: &str, entries: Vec<(&str, &str)>) {
    head(out, title, entries.is_empty());
    if entries.is_empty() {
        return;
    }
    out.push_str("<dl>\n");
    for (word, text) in entries {
        let word = escaped(word);
        put(
            out,
            format_args!("<dt id=\"{word}\">{word}</dt><dd>{}</dd>\n", escaped(text)),
        );
    }
    out.push_str("</dl>\n");
}

fn table(out: &mut String, heads: &[&str], rows: Vec<String>) {
    if rows.is_empty() {
        return;
    }
    let heads: Vec<String> = heads
        .iter()
        .map(|head| format!("<th>{head}</th>"))
        .collect();
    put(
        out,
        format_args!(
            "<table>\n<tr>{}</tr>\n{}</table>\n",
            heads.concat(),
            rows.concat()
        ),
    );
}

fn head(out: &mut String, title: &str, is_empty: bool) {
    if !is_empty {
        element(out, "h2", "", title);
    }
}

fn element(out: &mut String, name: &str, more: &str, text: &str) {
    if !text.is_empty() {
        put(
            out,
            format_args!("<{name}{more}>{}</{name}>\n", escaped(text)),
        );
    }
}

/// Appends to a string, which cannot fail.
fn put(out: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(what);
}

fn escaped(text: &str) -> String {
    crate::picture::escaped(text)
}

//! Writes a rulebook as one self-contained HTML file.

use std::fmt::Write;

use super::Page;

const STYLE: &str = "body{font-family:Georgia,serif;max-width:52rem;margin:2rem auto;padding:0 1rem;line-height:1.5;color:#222;background:#fdfbf6}h1,h2{font-family:sans-serif}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #d9cfb8}td.count{text-align:right;white-space:nowrap}figure{margin:1rem 0}svg{max-width:100%;height:auto}dt{font-weight:bold;float:left;clear:left;min-width:5.5rem}dd{margin:0 0 .4rem 6rem}p.players{color:#6b5d45}nav ol{columns:2;font-family:sans-serif;padding-left:1.2rem}td.looks svg{margin:.1rem;vertical-align:top}@media print{@page{margin:18mm}body{margin:0;max-width:none;background:#fff;font-size:10.5pt}a{color:inherit;text-decoration:none}nav{break-after:page}h2{break-after:avoid}tr,figure,dd{break-inside:avoid}}";

pub fn html(page: &Page) -> String {
    let title = escaped(&page.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        escaped(&page.language)
    );
    element(&mut out, "p", "", &page.about);
    let words = page.words();
    element(
        &mut out,
        "p",
        " class=\"players\"",
        &format!("{}: {}", words.players, page.players()),
    );
    let sections = [
        (words.board, page.boards.is_empty()),
        (words.components, page.components.is_empty()),
        (words.options, page.options.is_empty()),
        (words.rules, page.clauses.is_empty()),
        (words.words, page.glossary.is_empty()),
    ];
    table_of_contents(&mut out, words.contents, &sections);
    head(&mut out, words.board, page.boards.is_empty());
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
    list(&mut out, words.rules, clauses.collect());
    let glossary = page
        .glossary
        .iter()
        .map(|entry| (entry.word.as_str(), entry.meaning.as_str()));
    list(&mut out, words.words, glossary.collect());
    out.push_str("</body>\n</html>\n");
    out
}

fn table_of_contents(out: &mut String, title: &str, sections: &[(&str, bool)]) {
    let there = sections.iter().filter(|(_, is_empty)| !is_empty);
    let lines = there.map(|(title, _)| {
        let title = escaped(title);
        format!("<li><a href=\"#{title}\">{title}</a></li>\n")
    });
    let lines: String = lines.collect();
    put(
        out,
        format_args!(
            "<nav aria-label=\"{0}\"><h2>{0}</h2>\n<ol>\n{lines}</ol></nav>\n",
            escaped(title)
        ),
    );
}

fn components(out: &mut String, page: &Page) {
    let words = page.words();
    head(out, words.components, page.components.is_empty());
    let rows = page.components.iter().map(|row| {
        let told = [row.keys.join("; "), row.text.clone()];
        let told: Vec<String> = told
            .iter()
            .filter(|text| !text.is_empty())
            .map(|text| escaped(text))
            .collect();
        let title = escaped(&row.title);
        let count = escaped(&row.count);
        let looks: String = row.pictures.iter().map(|svg| svg.trim_end()).collect();
        let looks = match looks.is_empty() {
            true => String::new(),
            false => format!("<br>{looks}"),
        };
        format!(
            "<tr><td class=\"count\">{count}</td><td>{title}</td><td class=\"looks\">{}{looks}</td></tr>\n",
            told.join("<br>")
        )
    });
    table(out, &[words.count, words.component, ""], rows.collect());
}

fn options(out: &mut String, page: &Page) {
    let words = page.words();
    head(out, words.options, page.options.is_empty());
    let rows = page.options.iter().map(|row| {
        let cells = [&row.title, &row.values, &row.default, &row.text]
            .map(|cell| format!("<td>{}</td>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.concat())
    });
    table(
        out,
        &[words.option, words.values, words.usual, ""],
        rows.collect(),
    );
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
        let id = format!(" id=\"{}\"", escaped(title));
        element(out, "h2", &id, title);
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

//! Writes a rulebook as one self-contained HTML file.

use std::fmt::Write;

use super::words::Words;
use super::{Change, Page};

const STYLE: &str = "\
:root{color-scheme:light dark;--ground:#fdfbf6;--ink:#222;--quiet:#6b5d45;--line:#d9cfb8;--mark:#fff0c2;--link:#7a3e00}
@media (prefers-color-scheme:dark){:root{--ground:#1b1a17;--ink:#e8e4da;--quiet:#b8ac95;--line:#4a453a;--mark:#453a14;--link:#f0b66a}}
@media print{:root{color-scheme:light;--ground:#fff;--ink:#000;--quiet:#444;--line:#bbb;--mark:#eee;--link:inherit}}
body{font-family:Georgia,serif;max-width:52rem;margin:2rem auto;padding:0 1rem;line-height:1.5;color:var(--ink);background:var(--ground)}
h1,h2,h3{font-family:sans-serif}h3{font-size:1.05rem;margin:1.6rem 0 .2rem}a{color:var(--link)}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
td.count{text-align:right;white-space:nowrap}figure{margin:1rem 0}svg{max-width:100%;height:auto;border-radius:6px}
dl>div{display:flex;gap:.6rem;margin-bottom:.4rem}dt{font-weight:bold;flex:none;min-width:5.4rem}dl.words dt{width:9rem;overflow-wrap:break-word}dd{margin:0}p.players,p.shows,figcaption{color:var(--quiet)}p.shows{margin:0}
nav ol{columns:2;font-family:sans-serif;padding-left:1.2rem}td.looks svg{margin:.1rem;vertical-align:top}
figure.move{display:inline-block;vertical-align:top;max-width:100%;margin:.4rem .5rem .4rem 0}figure.move figcaption{font:.85rem/1.35 sans-serif;width:0;min-width:100%}
.new,.changed,.removed{background:var(--mark);border-radius:3px;padding:.1rem .3rem}strong.sign{font:bold .75rem sans-serif;text-transform:uppercase;letter-spacing:.04em}del{color:var(--quiet)}
@media print{@page{margin:18mm}body{margin:0;max-width:none;font-size:10.5pt}a{text-decoration:none}h2,h3,p.shows,thead{break-after:avoid}tr,figure,dl>div{break-inside:avoid}figure svg{max-height:200mm}figure.move{width:48%;margin-right:1.5%}figure.move svg{max-height:120mm}.new,.changed,.removed{border:1px solid #999}svg{print-color-adjust:exact}}";

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
        (words.numbers, page.numbers.is_empty()),
        (words.examples, page.examples.is_empty()),
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
    clauses(&mut out, page);
    numbers(&mut out, page);
    examples(&mut out, page);
    let glossary = page
        .glossary
        .iter()
        .map(|entry| (entry.word.as_str(), entry.meaning.as_str()));
    let glossary = glossary.map(|(word, meaning)| (word, escaped(meaning)));
    list(
        &mut out,
        words.words,
        " class=\"words\"",
        glossary.collect(),
    );
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
        let title = marked(&title, row.change.as_ref(), words);
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
        let title = marked(&escaped(&row.title), row.change.as_ref(), words);
        let cells = [&row.values, &row.default, &row.text];
        let cells = cells.map(|cell| format!("<td>{}</td>", escaped(cell)));
        format!("<tr><td>{title}</td>{}</tr>\n", cells.concat())
    });
    table(
        out,
        &[words.option, words.values, words.usual, ""],
        rows.collect(),
    );
}

/// Writes the clauses, with links to the examples that show them.
fn clauses(out: &mut String, page: &Page) {
    let words = page.words();
    let entries = page.clauses.iter().map(|clause| {
        let text = marked(&escaped(&clause.text), clause.change.as_ref(), words);
        let shown = page.examples.iter().enumerate();
        let shown = shown.filter(|(_, example)| example.clauses.contains(&clause.id));
        let links = shown.map(|(at, example)| {
            let title = escaped(&example.title);
            format!(
                " <a href=\"#example-{0}\" title=\"{title}\">▸ {0}</a>",
                at + 1
            )
        });
        (clause.id.as_str(), text + &links.collect::<String>())
    });
    list(out, words.rules, "", entries.collect());
}

fn numbers(out: &mut String, page: &Page) {
    head(out, page.words().numbers, page.numbers.is_empty());
    let lines = page.numbers.iter();
    let lines: String = lines
        .map(|line| format!("<li>{}</li>\n", escaped(line)))
        .collect();
    if !lines.is_empty() {
        put(out, format_args!("<ul class=\"changed\">\n{lines}</ul>\n"));
    }
}

fn examples(out: &mut String, page: &Page) {
    head(out, page.words().examples, page.examples.is_empty());
    for (at, example) in page.examples.iter().enumerate() {
        let number = at + 1;
        let title = format!("{number}. {}", example.title);
        element(out, "h3", &format!(" id=\"example-{number}\""), &title);
        element(out, "p", " class=\"shows\"", &example.clauses.join(", "));
        for picture in &example.pictures {
            let caption = escaped(&picture.title);
            put(
                out,
                format_args!(
                    "<figure class=\"move\">{}<figcaption>{caption}</figcaption></figure>\n",
                    picture.svg.trim_end()
                ),
            );
        }
    }
}

/// Returns a text in HTML, marked with what a variant does to it, and with the text before.
fn marked(text: &str, change: Option<&Change>, words: &Words) -> String {
    let (class, sign, was) = match change {
        None => return text.to_owned(),
        Some(Change::Added) => ("new", words.added, ""),
        Some(Change::Changed { was }) => ("changed", words.changed, was.as_str()),
        Some(Change::Removed { was }) => ("removed", words.removed, was.as_str()),
    };
    let was = match was {
        "" => String::new(),
        was => format!(" <del>{}</del>", escaped(was)),
    };
    format!("<span class=\"{class}\"><strong class=\"sign\">{sign}</strong> {text}{was}</span>")
}

/// Writes terms and their texts, which are HTML.
fn list(out: &mut String, title: &str, class: &str, entries: Vec<(&str, String)>) {
    head(out, title, entries.is_empty());
    if entries.is_empty() {
        return;
    }
    put(out, format_args!("<dl{class}>\n"));
    for (word, text) in entries {
        let word = escaped(word);
        put(
            out,
            format_args!("<div><dt id=\"{word}\">{word}</dt><dd>{text}</dd></div>\n"),
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
            "<table>\n<thead><tr>{}</tr></thead>\n{}</table>\n",
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

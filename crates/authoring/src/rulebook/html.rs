//! Writes a rulebook as one self-contained HTML file.

use super::words::Words;
use super::{RulebookPage, RulebookPicture, VariantChange};
use crate::picture::escaped;

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

pub fn html(page: &RulebookPage) -> String {
    let words = page.words();
    let title = escaped(&page.title);
    let language = escaped(&page.language);
    let about = element("p", "", &page.about);
    let players = format!("{}: {}", words.players, page.players());
    let players = element("p", " class=\"players\"", &players);
    let glossary = page.glossary.iter();
    let glossary = glossary.map(|entry| (entry.word.as_str(), escaped(&entry.meaning)));
    let boards = page.boards.iter().map(|board| figure("", board));
    let mut sections = vec![
        (words.board, boards.collect()),
        (words.components, components(page)),
        (words.options, options(page)),
        (words.rules, clauses(page)),
        (words.numbers, numbers(page)),
        (words.examples, examples(page)),
        (words.words, list(" class=\"words\"", glossary)),
    ];
    sections.retain(|(_, body): &(&str, String)| !body.is_empty());
    let sections = sections.iter().map(|(title, body)| (escaped(title), body));
    let links = sections.clone();
    let links = links.map(|(title, _)| format!("<li><a href=\"#{title}\">{title}</a></li>\n"));
    let links: String = links.collect();
    let sections = sections.map(|(title, body)| format!("<h2 id=\"{title}\">{title}</h2>\n{body}"));
    let sections: String = sections.collect();
    let contents = escaped(words.contents);
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         {about}{players}<nav aria-label=\"{contents}\"><h2>{contents}</h2>\n<ol>\n{links}</ol></nav>\n{sections}</body>\n</html>\n"
    )
}

fn components(page: &RulebookPage) -> String {
    let words = page.words();
    let rows = page.components.iter().map(|row| {
        let told: Vec<String> = row.told().map(|text| escaped(&text)).collect();
        let told = told.join("<br>");
        let count = escaped(&row.count);
        let looks: String = row.pictures.iter().map(|svg| svg.trim_end()).collect();
        let gap = if looks.is_empty() { "" } else { "<br>" };
        let title = marked(&row.title, row.change.as_ref(), words);
        format!(
            "<tr><td class=\"count\">{count}</td><td>{title}</td><td class=\"looks\">{told}{gap}{looks}</td></tr>\n"
        )
    });
    table(&[words.count, words.component, ""], rows.collect())
}

fn options(page: &RulebookPage) -> String {
    let words = page.words();
    let rows = page.options.iter().map(|row| {
        let title = marked(&row.title, row.change.as_ref(), words);
        let cells = [&row.values, &row.default, &row.text];
        let cells = cells.map(|cell| format!("<td>{}</td>", escaped(cell)));
        format!("<tr><td>{title}</td>{}</tr>\n", cells.concat())
    });
    let heads = [words.option, words.values, words.usual, ""];
    table(&heads, rows.collect())
}

/// Returns the clauses, with links to the examples that show them.
fn clauses(page: &RulebookPage) -> String {
    let entries = page.clauses.iter().map(|clause| {
        let text = marked(&clause.text, clause.change.as_ref(), page.words());
        let shown = (1..).zip(&page.examples);
        let shown = shown.filter(|(_, example)| example.clauses.contains(&clause.id));
        let links = shown.map(|(number, example)| {
            let title = escaped(&example.title);
            format!(" <a href=\"#example-{number}\" title=\"{title}\">▸ {number}</a>")
        });
        (clause.id.as_str(), text + &links.collect::<String>())
    });
    list("", entries)
}

fn numbers(page: &RulebookPage) -> String {
    let lines = page.numbers.iter();
    let lines: String = lines.map(|line| element("li", "", line)).collect();
    enclosed("<ul class=\"changed\">\n", &lines, "</ul>\n")
}

fn examples(page: &RulebookPage) -> String {
    let examples = (1..).zip(&page.examples).map(|(number, example)| {
        let title = format!("{number}. {}", example.title);
        let title = element("h3", &format!(" id=\"example-{number}\""), &title);
        let shows = element("p", " class=\"shows\"", &example.clauses.join(", "));
        let pictures = example.pictures.iter();
        let pictures = pictures.map(|picture| figure(" class=\"move\"", picture));
        title + &shows + &pictures.collect::<String>()
    });
    examples.collect()
}

fn figure(class: &str, picture: &RulebookPicture) -> String {
    let (svg, title) = (picture.svg.trim_end(), escaped(&picture.title));
    format!("<figure{class}>{svg}<figcaption>{title}</figcaption></figure>\n")
}

/// Returns a text in HTML, marked with what a variant does to it, and with the text before.
fn marked(text: &str, change: Option<&VariantChange>, words: &Words) -> String {
    let text = escaped(text);
    let Some(change) = change else {
        return text;
    };
    let class = match change {
        VariantChange::Added => "new",
        VariantChange::Changed { .. } => "changed",
        VariantChange::Removed { .. } => "removed",
    };
    let (sign, was) = change.sign(words);
    let was = enclosed(" <del>", &escaped(was), "</del>");
    format!("<span class=\"{class}\"><strong class=\"sign\">{sign}</strong> {text}{was}</span>")
}

/// Returns terms and their texts, which are HTML.
fn list<'a>(class: &str, entries: impl Iterator<Item = (&'a str, String)>) -> String {
    let entries = entries.map(|(word, text)| {
        let word = escaped(word);
        format!("<div><dt id=\"{word}\">{word}</dt><dd>{text}</dd></div>\n")
    });
    let entries: String = entries.collect();
    enclosed(&format!("<dl{class}>\n"), &entries, "</dl>\n")
}

fn table(heads: &[&str], rows: String) -> String {
    let heads = heads.iter().map(|head| format!("<th>{head}</th>"));
    let heads: String = heads.collect();
    let heads = format!("<table>\n<thead><tr>{heads}</tr></thead>\n");
    enclosed(&heads, &rows, "</table>\n")
}

fn element(name: &str, more: &str, text: &str) -> String {
    let (begin, end) = (format!("<{name}{more}>"), format!("</{name}>\n"));
    enclosed(&begin, &escaped(text), &end)
}

/// Returns a text between two others, and nothing without it.
fn enclosed(before: &str, text: &str, after: &str) -> String {
    match text.is_empty() {
        true => String::new(),
        false => [before, text, after].concat(),
    }
}

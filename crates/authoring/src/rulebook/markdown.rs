//! Writes a rulebook as Markdown. Pictures are inline SVG, which viewers that allow HTML can show.

use super::words::Words;
use super::{RulebookPage, VariantChange};

/// Returns the page; its pictures are named files (`track.svg`) if `pictures` says how they are called.
pub fn markdown(page: &RulebookPage, picture: impl Fn(usize) -> String) -> String {
    let words = page.words();
    let mut pictures = page.pictures().enumerate();
    let mut pictures = |count| {
        let taken = pictures.by_ref().take(count);
        let taken = taken.map(|(at, shown)| format!("![{}]({})\n\n", shown.title, picture(at)));
        taken.collect::<String>()
    };
    let boards = pictures(page.boards.len());
    let components = page.components.iter().map(|row| {
        let title = marked(&row.title, row.change.as_ref(), words);
        let told: Vec<String> = row.told().collect();
        [row.count.clone(), title, told.join(". ")]
    });
    let options = page.options.iter().map(|row| {
        let title = marked(&row.title, row.change.as_ref(), words);
        [&title, &row.values, &row.default, &row.text].map(String::clone)
    });
    let clauses = page.clauses.iter().map(|clause| {
        let text = marked(&clause.text, clause.change.as_ref(), words);
        format!("- **{}** {text}\n", clause.id)
    });
    let numbers = page.numbers.iter().map(|number| format!("- {number}\n"));
    let examples = page.examples.iter().map(|example| {
        let title = format!("### {}", example.title);
        let shows = paragraphs([&title, &example.clauses.join(", ")]);
        shows + &pictures(example.pictures.len())
    });
    let glossary = page.glossary.iter();
    let glossary = glossary.map(|entry| format!("- **{}**: {}\n", entry.word, entry.meaning));
    let components = table([words.count, words.component, ""], components);
    let options = table([words.option, words.values, words.usual, ""], options);
    let sections = [
        (words.board, boards),
        (words.components, components),
        (words.options, options),
        (words.rules, clauses.collect()),
        (words.numbers, numbers.collect()),
        (words.examples, examples.collect()),
        (words.words, glossary.collect()),
    ];
    let title = format!("# {}", page.title);
    let players = format!("{}: {}", words.players, page.players());
    let mut out = paragraphs([&title, &page.about, &players]);
    for (title, body) in sections.iter().filter(|(_, body)| !body.is_empty()) {
        let gap = if out.ends_with("\n\n") { "" } else { "\n" };
        out += &format!("{gap}## {title}\n\n{body}");
    }
    out
}

/// Marks a text with what a variant does to it.
fn marked(text: &str, change: Option<&VariantChange>, words: &Words) -> String {
    let Some(change) = change else {
        return text.to_owned();
    };
    match change.sign(words) {
        (sign, "") => format!("**{sign}:** {text}"),
        (sign, was) => format!("**{sign}:** {text} ~~{was}~~"),
    }
}

fn paragraphs<const N: usize>(texts: [&String; N]) -> String {
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.map(|text| format!("{text}\n\n")).collect()
}

fn table<const N: usize>(
    heads: [&str; N],
    rows: impl ExactSizeIterator<Item = [String; N]>,
) -> String {
    if rows.len() == 0 {
        return String::new();
    }
    let heads = format!("| {} |\n|{}\n", heads.join(" | "), " --- |".repeat(N));
    let rows = rows.map(|row| {
        let cells = row.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        format!("| {} |\n", cells.join(" | "))
    });
    heads + &rows.collect::<String>()
}

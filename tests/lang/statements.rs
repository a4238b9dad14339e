//! The grammar, the table of statements and the highlighting of editors agree.

use pest::Parser;
use wyrmgate::lang::effect::statement::{STATEMENTS, words_that_begin};
use wyrmgate::lang::effect::table::Begins;
use wyrmgate_grammar::{Grammar, Rule};

/// Returns the words of a rule of the grammar.
fn of_grammar(rule: &str) -> Vec<&'static str> {
    let grammar = wyrmgate_grammar::TEXT;
    let (_, rest) = grammar.split_once(&format!("\n{rule} = @{{")).unwrap();
    let (body, _) = rest.split_once('}').unwrap();
    let words = body.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let words = words.map(|word| word.trim_start_matches("kw_"));
    let mut words: Vec<&str> = words
        .filter(|word| !["", "letter"].contains(word))
        .collect();
    words.sort_unstable();
    words
}

fn of_table(begins: Begins) -> Vec<&'static str> {
    let mut words: Vec<&str> = words_that_begin(begins).collect();
    words.sort_unstable();
    words
}

#[test]
fn grammar_and_table_agree_on_the_words() {
    assert_eq!(of_grammar("statement_word"), of_table(Begins::Always));
    assert_eq!(of_grammar("jump"), of_table(Begins::Alone));
}

#[test]
fn the_form_of_every_word_is_a_statement_with_this_word() {
    for known in STATEMENTS {
        let filled = known.form.replace("if …", "if a").replace('…', "stop");
        let form = filled.replace("NAME", "name");
        let parsed = Grammar::parse(Rule::only_line, &form);
        assert!(parsed.is_ok(), "{form}: {parsed:?}");
        assert!(known.form.starts_with(known.word), "{form}");
    }
}

/// `WYRMGATE_BLESS=1` adds missing words to the syntax of the editor.
#[test]
fn editors_highlight_every_word() {
    let path = "editors/vscode/syntaxes/wyrmgate.tmLanguage.json";
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let mut syntax = std::fs::read_to_string(&path).unwrap();
    for word in STATEMENTS.iter().map(|known| known.word) {
        let is_listed = ["(", "|"]
            .iter()
            .any(|before| syntax.contains(&format!("{before}{word}|")));
        if is_listed {
            continue;
        }
        assert!(std::env::var_os("WYRMGATE_BLESS").is_some(), "{word}");
        let (before, statements) = syntax.split_once("(let|").unwrap();
        syntax = format!("{before}(let|{word}|{statements}");
        std::fs::write(&path, &syntax).unwrap();
    }
}

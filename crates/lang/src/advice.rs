//! Advice for habits from other languages: what to write instead. One row each.

use crate::effect::statement::{STATEMENTS, words_that_begin};
use crate::effect::table::Begins;
use crate::elsewhere::Elsewhere;
use crate::token::token;
use crate::words_of_elsewhere;
use wyrmgate_base::diagnostic::{did_you_mean, misspelled};

/// The text at the error, and what was meant.
const SIGNS: Elsewhere = words_of_elsewhere! {
    "==" => "a single `=` compares";
    ":=" => "write `x = 3`";
    "&&" "&" => "write `and`";
    "||" "|" => "write `or`";
    "!" => "write `not`";
    "%" => "write `mod`";
    "?" => "write `if a then b else c`";
    "'" "`" => "put texts in double quotes";
    "{" => "braces stand in texts only, around a value; `:` begins a block";
    "}" => "`{` begins a hole in a text; write `\\{` for a brace";
    "\\" => "`\\` in a text must precede `\"`, `\\`, `n` or `{`";
};

/// Words of other languages with which a line may begin.
const FOREIGN: Elsewhere = words_of_elsewhere! {
    "for" "foreach" "forall" => "write `each p in seats: …`";
    "local" "var" "const" => "write `let x = 3`";
    "def" "function" "func" "fn" => EFFECTS;
    "switch" "match" "case" => CASES;
    "elif" "elseif" "elsif" => "write `else if`";
    "otherwise" => "write `else`";
    "assert" => "what is offered needs no check: `choose c in hand(p) where …`, or `option play if …`";
    "try" => "reading never fails: ask `x is some` where it matters";
    "class" => "components with fields are declared under `components:`";
    "import" => "`include: [more.yaml]` adds a file to the game";
    "when" => "write `if`";
    "unless" => "write `if not`";
    "until" => "write `while not`, or `repeat:` with `stop`";
    "loop" => "write `repeat:`";
    "set" => "write `x = 3`";
    "increase" "increment" => "write `x += 1`";
    "decrease" => "write `x -= 1`";
    "print" "log" => "write `say \"…\"`";
    "break" => "write `stop`";
    "continue" => "write `next`";
};

const EFFECTS: &str = "declare it under `effects:`, as in `rests(seat p): p scores 1`";
const CASES: &str = "write `if x = 1: …`, `else if x = 2: …` and `else: …`";
const MAP: &str = "one value for each key is a variable: `vars: {bid: {each: seats, type: int}}`, and then `bid[p]`";
const POINTS: &str = "write `p scores 2`; a bundle grows by `purse[p] += 2 ruby`";
const LISTS: &str = "a list grows with `xs += 3`: name it with `let xs = [1, 2]`, or declare it under `vars:`, as in `xs: {type: ints, most: 12}`";

/// Words from spoken rules; a game may use them for effects of its own.
const SPOKEN: Elsewhere = words_of_elsewhere! {
    "deal" => "write `draw 3 from deck to hand(p)`";
    "reveal" => "write `show c to seats`, or `turn c face up`";
    "flip" => "write `turn c face up` or `turn c face down`";
    "put" "place" "play" "plays" "lay" "discard" "discards" => "write `move c to discard`";
    "give" => "write `move c to hand(p)`";
    "take" => "write `move c to hand(p)`, or `draw 1 from deck to hand(p)`";
    "remove" "delete" => "write `move c to box`, or `xs -= 3` for a list";
    "clear" => "write `xs = []`";
    "sort" => "write `xs = xs sorted by it`";
    "pick" "select" => "write `choose c in hand(p): …`";
    "mix" "shuffles" => "write `shuffle deck`";
    "throw" "rolls" => "write `roll dice`";
    "exchange" "trade" => "write `swap a with b`";
    "end" => "a game ends with `finish ranked by score[it]`, `finish won by p` or `finish drawn`, and a turn with its block (`turn of p: …`)";
    "game" => "a game ends with `finish ranked by score[it]`, `finish won by p` or `finish drawn`";
    "cancel" "forbid" "deny" => "a `before` handler stops what it precedes by `prevent`";
    "pass" => "a block needs no empty statement: leave out the block";
    "append" "push" "add" "insert" => LISTS;
    "gains" "earns" "score" => POINTS;
    "gets" "receives" => "write `p scores 2`, or `draw 2 from deck to hand(p)`";
    "loses" => "write `p scores -2`, or `finish won by others(p)`";
    "draws" => "write `draw 2 from deck to hand(p)`";
    "next"
        => "a turn ends with its block (`turn of p: …`); `next` alone goes on with the next iteration of a loop";
    "skip" => "a seat misses a turn by `turns from p skipping missed: …` and `missed[p] += 1`";
    "win" "wins" "winner" => "write `finish won by p`, or `finish ranked by score[it]`";
};

/// Advice on a phrase with a value that depends on a condition.
pub const CONDITIONAL: &str =
    "put a value that depends on a condition in parentheses: `p scores (if windy then 2 else 1)`";
const BLOCK: &str = "`:` begins a block; only statements such as `if`, `each` or `repeat` have one";
const MINUS: &str =
    "write a space on both sides of a minus (`a - 1`); the id `hand-2` is written `hand(2)`";
const CAPITAL: &str = "names use lowercase letters; cite clauses in brackets: ` [ABC-01]`";
const CLAUSE: &str = "cite a clause by its id under `clauses:`, in uppercase letters: `[ABC-01]`";
const BRACKET: &str =
    "unclosed `(`; inside `{ }`, a comma ends the value unless the whole value is in quotes";
const EFFECT: &str =
    "a value stands after `=`: an effect has none, a query under `queries:` has one";
/// The advice for a value that nothing else explains.
const VALUE: &str = "a value is a number, a name, a list or a calculation: `2..4`, `[red, blue]`, `count(seats) + 1`";
const QUOTE: &str = "add the closing `\"`; a text must end on the line where it begins";

/// Returns advice for an error in a statement, between the text `before` it in the line and the `rest`.
pub(super) fn on_line(before: &str, rest: &str) -> Option<&'static str> {
    let block = || rest.starts_with(':').then_some(BLOCK);
    let effect = || {
        let value = before.split_once("= ").map(|(_, value)| value);
        let is_words = value.is_some_and(|value| !value.contains('('))
            && rest.starts_with(|c: char| c.is_ascii_lowercase());
        (first_word(before) == "let" && is_words).then_some(EFFECT)
    };
    let map = || {
        let is_value = rest.starts_with('{') && before.trim_end().ends_with('=');
        is_value.then_some(MAP)
    };
    let conditional = || {
        let is_if = before.split_whitespace().skip(1).any(|word| word == "if");
        (is_if && rest.contains(" then ")).then_some(CONDITIONAL)
    };
    let text = || (before.trim() == "say").then_some("put the text in double quotes");
    map()
        .or_else(text)
        .or_else(conditional)
        .or_else(|| on_sign(before, rest))
        .or_else(effect)
        .or_else(|| form(before))
        .or_else(|| form_of_misspelled(before))
        .or_else(block)
}

/// Returns our word for a word of another language.
pub fn on_foreign_word(word: &str) -> Option<&'static str> {
    FOREIGN.advice(word).or_else(|| SPOKEN.advice(word))
}

/// Returns the first word of a line and advice, if the word belongs to another language or is misspelled.
pub(super) fn on_first_word(line: &str) -> Option<(&str, String)> {
    let word = token(line.trim_start());
    let rest = line.trim_start().get(word.len()..).unwrap_or_default();
    // `print` may be the name of something that is given a value, or has fields.
    if !rest.starts_with(' ') || rest.trim_start().starts_with(['=', '+', '-', ':']) {
        return None;
    }
    if let Some(help) = FOREIGN.advice(word) {
        return Some((word, help.to_owned()));
    }
    if form_of(word).is_some() || ["at", "in", "by", "to", "of", "round"].contains(&word) {
        return None;
    }
    let short = || {
        did_you_mean(word, ["if", "each", "roll", "say", "ask", "let"]).filter(|_| word.len() < 5)
    };
    let meant = misspelled(word, first_words()).or_else(short)?;
    let form = form_of(meant).unwrap_or_default();
    Some((word, format!("did you mean `{meant}`? {form}")))
}

/// Returns advice for an error in any expression.
pub(super) fn on_sign(before: &str, rest: &str) -> Option<&'static str> {
    sign(rest).or_else(|| minus(before, rest)).or_else(|| {
        if rest.trim().is_empty()
            && !is_in_text(before)
            && before.matches('(').count() > before.matches(')').count()
        {
            return Some(BRACKET);
        }
        let clause = before.ends_with('[') && rest.contains('-');
        if clause {
            return Some(CLAUSE);
        }
        let capital = rest.starts_with(|c: char| c.is_uppercase());
        let open_quote = is_in_text(before) && token(rest).is_empty();
        capital.then_some(CAPITAL).or(open_quote.then_some(QUOTE))
    })
}

/// Returns advice for an error in a value that stands alone.
pub(super) fn on_value(text: &str, before: &str, rest: &str) -> &'static str {
    let is_half = text.contains("if ") && text.contains(" then ") && !text.contains(" else ");
    match on_sign(before, rest) {
        Some(help) => help,
        None if is_half => "a value has both parts: `if a then b else c`",
        None => VALUE,
    }
}

/// Returns advice for a character that is not part of the language, before anything else is guessed.
pub(super) fn on_plain_sign(rest: &str) -> Option<&'static str> {
    let is_ours = |c: char| matches!(c, '}' | '\\' | '-');
    sign(rest).filter(|_| !rest.starts_with(is_ours))
}

pub(super) fn on_signature(text: &str) -> &'static str {
    if text.contains("->") {
        return "leave the result out, its type is inferred: `name(card c)`; a query that uses itself begins with the type";
    }
    if text.contains('(') != text.contains(')') {
        "a comma inside `{ }` ends the entry; put this key in quotes or on its own line"
    } else if text.contains('(') {
        "usage: `name(card c, stack s)`; each parameter has a type and a name"
    } else {
        "usage: words and parameters, as in `seat p takes a turn`"
    }
}

fn sign(rest: &str) -> Option<&'static str> {
    if rest.starts_with("!=") {
        return None;
    }
    SIGNS.beginning(rest).map(|(_, help)| help)
}

fn minus(before: &str, rest: &str) -> Option<&'static str> {
    (rest.starts_with('-') || before.ends_with('-')).then_some(MINUS)
}

fn is_in_text(before: &str) -> bool {
    before.replace("\\\"", "").matches('"').count() % 2 == 1
}

/// Returns the usage of the statement that contains the error.
fn form(before: &str) -> Option<&'static str> {
    let word = first_word(before);
    form_of(word).or_else(|| FOREIGN.advice(word))
}

/// Returns the usage for a near miss of a word that begins a statement.
fn form_of_misspelled(before: &str) -> Option<&'static str> {
    form_of(misspelled(first_word(before), first_words())?)
}

fn first_word(before: &str) -> &str {
    let statement = before.get(statement_start(before)..).unwrap_or_default();
    token(statement.trim_start())
}

fn first_words() -> impl Iterator<Item = &'static str> {
    words_that_begin(Begins::Always)
}

/// Returns the usage of the statement that begins with a word.
pub fn form_of(word: &str) -> Option<&'static str> {
    let mut first = STATEMENTS
        .iter()
        .filter(|first| first.begins == Begins::Always);
    first
        .find(|first| first.word == word)
        .map(|first| first.usage)
}

/// Returns the position after the last `:` or `;` that is not in a text.
fn statement_start(line: &str) -> usize {
    let (mut start, mut in_text) = (0, false);
    for (i, c) in line.char_indices() {
        match c {
            '"' => in_text = !in_text,
            ':' | ';' if !in_text => start = i + 1,
            _ => {}
        }
    }
    start
}

//! Repairs of habits: what people write who know other languages, or spoken rules.

use pest::Parser;

use super::{Broken, Repair, shown};
use crate::advice;
use crate::effect::{Grammar, Rule};
use crate::token::token;

/// Operators of other languages, and ours.
const OPERATORS: &[(&str, &str)] = &[("<>", "!="), ("~=", "!="), ("=<", "<="), ("=>", ">=")];

/// Quantifiers of speech, and ours.
pub(super) const QUANTIFIERS: &[(&str, &str)] = &[
    ("all", "every"),
    ("each", "every"),
    ("every", "every"),
    ("any", "some"),
    ("some", "some"),
    ("exists", "some"),
    ("no", "no"),
];

/// Words that begin a statement with a block.
const OPENERS: &[&str] = &[
    "if", "else", "each", "while", "option", "ask", "turn", "turns", "as", "choose", "may",
];

/// The repair of a line that must be written otherwise, which nobody but its author can do.
fn advised(
    message: impl Into<String>,
    help: impl Into<String>,
    start: usize,
    said: &str,
) -> Repair {
    Repair {
        message: message.into(),
        help: help.into(),
        place: (start, start + said.len()),
        fixed: None,
    }
}

impl<'t> Broken<'t> {
    /// Returns the repair of what is said at `start`, if the line parses then. The advice shows it up to a byte.
    fn repaired(
        self,
        message: impl Into<String>,
        fixed: String,
        start: usize,
        said: &str,
        until: usize,
    ) -> Option<Repair> {
        self.parses(&fixed).then(|| Repair {
            message: message.into(),
            help: format!("write `{}`", shown(&fixed, until)),
            place: (start, start + said.len()),
            fixed: Some(fixed),
        })
    }

    /// Returns the line without its indentation, and where it begins.
    fn unindented(self) -> (usize, &'t str) {
        let line = self.text.trim_start();
        (self.text.len() - line.len(), line)
    }

    /// `count(dragons \` in a value of several lines
    pub(super) fn backslash(self) -> Option<Repair> {
        let slash = self
            .text
            .find("\\ ")
            .or(self.text.strip_suffix('\\').map(str::len))?;
        let is_here = self.rest().starts_with('\\') || slash + 1 == self.text.len();
        let fixed = self.with(slash, 1, " ");
        (is_here && self.parses(&fixed)).then(|| Repair {
            message: "a `\\` joins lines of effect text only".to_owned(),
            help: "remove the `\\`; the lines of a value continue by themselves".to_owned(),
            place: (slash, slash + 1),
            fixed: Some(fixed),
        })
    }

    /// Repairs `a <> b`.
    pub(super) fn sign_of_elsewhere(self) -> Option<Repair> {
        let first = self.at.checked_sub(1)?;
        let starts = [self.at, first];
        let found = |start: usize| {
            let rest = self.text.get(start..)?;
            let (sign, ours) = OPERATORS.iter().find(|(sign, _)| rest.starts_with(sign))?;
            Some((start, *sign, *ours))
        };
        let (start, sign, ours) = starts.into_iter().find_map(found)?;
        let fixed = self.with(start, sign.len(), ours);
        let message = format!("`{sign}` is not an operator");
        self.repaired(message, fixed, start, sign, start + ours.len())
    }

    /// Repairs `"Only " + x`, `"Only " + "the die"`.
    pub(super) fn joined_texts(self) -> Option<Repair> {
        let (start, left, plus) = text_before_plus(self.text)?;
        let behind = self.text.get(plus + 1..)?;
        let right = behind.trim_start();
        let (added, length) = match right.strip_prefix('"') {
            Some(text) => {
                let end = text.find('"')?;
                (text.get(..end)?.to_owned(), end + 2)
            }
            None => {
                let end = right.find([' ', ':', ';']).unwrap_or(right.len());
                (format!("{{{}}}", right.get(..end)?), end)
            }
        };
        let end = self.text.len() - right.len() + length;
        let fixed = self.with(start, end - start, &format!("\"{left}{added}\""));
        let message = "`+` does not join texts".to_owned();
        self.parses(&fixed).then(|| Repair {
            message,
            help: format!("put values into the text, in braces: `\"{left}{added}\"`"),
            place: (plus, plus + 1),
            fixed: Some(fixed),
        })
    }

    /// Repairs `draw 1 from from deck to hand(p)`.
    pub(super) fn word_twice(self) -> Option<Repair> {
        let words = self.suspects().filter(|(_, word)| word.len() > 1);
        words.into_iter().find_map(|(start, word)| {
            let before = self.text.get(..start)?.trim_end();
            let first = before.strip_suffix(word)?.len();
            let twice =
                self.text.get(..first)?.is_empty() || self.text.get(..first)?.ends_with(' ');
            let fixed = self.with(first, start - first, "");
            let message = format!("`{word}` stands here twice");
            twice.then(|| self.repaired(message, fixed, start, word, start))?
        })
    }

    /// Repairs `option keep "Keep them" draw 1 from deck to hand(p)`.
    pub(super) fn colon_before_statement(self) -> Option<Repair> {
        let opens = OPENERS.contains(&token(self.text.trim_start()));
        let begins = |word: &str| {
            Grammar::parse(Rule::statement_word, word).is_ok_and(|found| found.as_str() == word)
        };
        // `each p in seats choose …` means `chooses`.
        let is_choice = |word: &str| word == "choose" && self.text.trim_start().starts_with("each");
        let mut statements = self
            .suspects()
            .filter(|(at, word)| *at > 0 && begins(word) && !is_choice(word));
        opens.then(|| statements.find_map(|(at, _)| self.colon_at(at)))?
    }

    /// Repairs `option score active scores 1`: the first word before which a `:` makes sense.
    pub(super) fn colon_of_opener(self) -> Option<Repair> {
        let opens = OPENERS.contains(&token(self.text.trim_start()));
        let is_closed = self.text.contains(':');
        let words = self.text.match_indices(' ').map(|(at, _)| at + 1);
        let can_begin = |at: &usize| {
            let word = token(self.text.get(*at..).unwrap_or_default());
            word.starts_with(|c: char| c.is_ascii_lowercase())
                && !self.text.trim_start().starts_with("choose")
                && Grammar::parse(Rule::reserved_word, word).is_err()
        };
        (opens && !is_closed).then(|| words.filter(can_begin).find_map(|at| self.colon_at(at)))?
    }

    fn colon_at(self, at: usize) -> Option<Repair> {
        let (before, rest) = self.text.split_at_checked(at)?;
        let before = before.trim_end();
        let fixed = format!("{before}: {rest}");
        self.repaired("missing `:`", fixed, at, token(rest), before.len() + 1)
    }

    /// Repairs `move all cards in hand(p) to discard`, `shuffle the deck`.
    pub(super) fn words_of_speech(self) -> Option<Repair> {
        self.suspects().find_map(|(start, word)| {
            let behind = self.text.get(start + word.len()..)?;
            let noun = token(behind.trim_start());
            let rest = behind.trim_start().get(noun.len()..)?.trim_start();
            let length = match word {
                "the" | "a" | "an" | "my" | "your" | "their" => behind.trim_start(),
                "all" | "every" => ["in ", "of ", "from "]
                    .iter()
                    .find_map(|of| rest.strip_prefix(of))?,
                _ => return None,
            };
            let end = self.text.len() - length.len();
            let fixed = self.with(start, end - start, "");
            let said = self.text.get(start..end)?.trim_end();
            let message =
                format!("`{said}` is not needed: a name stands for the whole list or zone");
            self.repaired(message, fixed, start, said, start)
        })
    }

    /// Repairs `turn top card of deck face up`.
    pub(super) fn member_of(self) -> Option<Repair> {
        ["top", "bottom", "first", "last"]
            .into_iter()
            .find_map(|end| {
                let start = self.text.find(&format!(" {end} "))? + 1;
                let behind = self.text.get(start + end.len() + 1..)?;
                let (noun, list) = behind
                    .split_once(" of ")
                    .or_else(|| behind.split_once(" in "))?;
                let list = list.split(' ').next()?;
                let length = end.len() + 1 + noun.len() + " of ".len() + list.len();
                let said = self.text.get(start..start + length)?;
                let call = format!("{end}({list})");
                let fixed = self.with(start, length, &call);
                let message = format!("`{end}` is a function");
                let is_noun = !noun.contains(' ');
                let until = start + call.len();
                is_noun.then(|| self.repaired(message, fixed, start, said, until))?
            })
    }

    /// Repairs `finish drawn (RACE-03)`.
    pub(super) fn clause_in_parentheses(self) -> Option<Repair> {
        let rest = self.rest().strip_prefix('(')?;
        let end = rest.find(')')?;
        let clause = rest.get(..end)?;
        let fixed = self.with(self.at, end + 2, &format!("[{clause}]"));
        let message = "a clause stands in brackets";
        let is_clause = Grammar::parse(Rule::clause, clause).is_ok();
        let said = self.rest().get(..end + 2)?;
        is_clause.then(|| self.repaired(message, fixed, self.at, said, self.at + said.len()))?
    }

    /// Repairs `(move Slide …)`, `<move …/>`, `}`.
    pub(super) fn no_statement_sign(self) -> Option<Repair> {
        let (start, line) = self.unindented();
        let sign = line.chars().next()?;
        let word = token(line.get(sign.len_utf8()..)?);
        let known = Grammar::parse(Rule::statement_word, word).is_ok_and(|it| it.as_str() == word);
        let usage = advice::form_of(word).filter(|_| known);
        let help = match (sign, usage) {
            ('}', _) if line.trim_end() == "}" => {
                "remove it; a block consists of the lines that are indented more than its first line"
            }
            ('(' | '<' | '{' | '[' | '@' | '$', Some(usage)) => usage,
            ('<' | '@' | '$', None) => {
                "write a statement, such as `move c to discard`, or the words of an effect"
            }
            _ => return None,
        };
        let message = format!("a statement does not begin with `{sign}`");
        Some(advised(message, help, start, line.get(..sign.len_utf8())?))
    }

    /// Repairs `if windy: active scores 1 else: active scores 2`.
    pub(super) fn else_on_the_line(self) -> Option<Repair> {
        let (start, line) = self.unindented();
        let at = line.find(" else ").or_else(|| line.find(" else:"))?;
        let (head, behind) = (line.get(..at)?, line.get(at + " else".len()..)?);
        let head = match head.contains(':') {
            true => head.to_owned(),
            false => head.replacen(" then ", ": ", 1),
        };
        let other = behind.trim_start_matches(':').trim();
        let other = format!("else: {other}");
        let is_if = token(line) == "if" && self.parses(&head) && self.parses(&other);
        let message = "`else` begins a line of its own";
        let help = format!("write `{head}`, and `{other}` in the line below");
        is_if.then(|| advised(message, help, start + at + 1, "else"))
    }

    /// Repairs `each player draws 2 cards`.
    pub(super) fn each_player(self) -> Option<Repair> {
        let (start, line) = self.unindented();
        let forms = ["each player ", "every player ", "all players "];
        let said = forms.iter().find(|said| line.starts_with(**said))?;
        let message = "what all seats do is a loop";
        let help =
            "write `each p in seats: …`, as in `each p in seats: draw 2 from deck to hand(p)`";
        Some(advised(message, help, start, said.trim_end()))
    }

    /// Repairs `turn += 1`, also behind another statement: `wind = 1; turn = 3`.
    pub(super) fn word_set(self) -> Option<Repair> {
        let behind = self.before().rfind([';', ':']).map_or(0, |sign| sign + 1);
        let line = self.text.get(behind..)?.trim_start();
        let start = self.text.len() - line.len();
        let word = token(line);
        let rest = line.get(word.len()..)?.trim_start();
        let is_ours =
            Grammar::parse(Rule::statement_word, word).is_ok_and(|it| it.as_str() == word);
        let sets = ["=", "+=", "-=", "++", "--"];
        let is_set = sets.iter().any(|sign| rest.starts_with(sign));
        let help = match word {
            "turn" => {
                "`turns from p: …` and `turn of p: …` count the turns; `turn` is their number"
            }
            _ => "choose another name for the variable",
        };
        let message = format!("`{word}` is a word of the language, which nothing can set");
        (is_ours && is_set).then(|| advised(message, help, start, word))
    }

    /// Repairs `draw 3 cards to hand(p)`.
    pub(super) fn draw_without_source(self) -> Option<Repair> {
        let start = self.text.find("draw ")?;
        let (what, to) = self.text.get(start + "draw ".len()..)?.split_once(" to ")?;
        let number = what.split(' ').next()?;
        let message = "`draw` does not say from which zone";
        let to = shown(to, 0);
        let help = format!("name the zone, as in `draw {number} from deck to {to}`");
        let has_no_zone = !what.contains(" from ") && number != "from";
        has_no_zone.then(|| advised(message, help, start, "draw"))
    }

    /// Repairs `finish ranked by most score[it]`.
    pub(super) fn ranked_by_most(self) -> Option<Repair> {
        let phrase = "ranked by ";
        let start = self.text.find(phrase)? + phrase.len();
        let word = token(self.text.get(start..)?);
        let value = self.text.get(start + word.len()..)?.trim_start();
        let (message, instead) = match word {
            "most" | "highest" => ("the highest number is the best already", ""),
            "least" | "lowest" => ("the highest number is the best", "-"),
            _ => return None,
        };
        let length = self.text.len() - value.len() - start;
        let is_plain = value.starts_with(|c: char| c.is_ascii_lowercase());
        let fixed = self.with(start, length, instead);
        is_plain.then(|| self.repaired(message, fixed, start, word, start))?
    }

    /// Repairs `finish lost`, `finish lost by p`.
    pub(super) fn finish_lost(self) -> Option<Repair> {
        let phrase = "finish lost";
        let start = self.text.find(phrase)?;
        let place = start + "finish ".len();
        let message = "a game ends with those who win";
        let behind = self.text.get(start + phrase.len()..)?;
        if let Some(loser) = behind.strip_prefix(" by ") {
            let end = loser.find([' ', ';']).unwrap_or(loser.len());
            let (loser, rest) = loser.split_at_checked(end)?;
            let won = format!("finish won by seats - [{loser}]{rest}");
            let fixed = format!("{}{won}", self.text.get(..start)?);
            return self.repaired(message, fixed, place, "lost", 0);
        }
        let help = "if nobody wins, write `finish drawn`; if one seat loses, the others win: `finish won by others(p)`";
        Some(advised(message, help, place, "lost"))
    }

    /// Repairs `all dragons have laps > 1`.
    pub(super) fn everyday_quantifier(self) -> Option<Repair> {
        let (start, said, ours) = quantifier(self.text)?;
        let behind = self.text.get(start + said.len()..)?.trim_start();
        let list = token(behind);
        let rest = behind.get(list.len()..)?.trim_start();
        let verb = token(rest);
        let rest = rest.get(verb.len()..)?.trim_start();
        if !matches!(verb, "have" | "has") || list == "in" || list.is_empty() {
            return None;
        }
        let field = match rest.starts_with(|c: char| c.is_ascii_lowercase()) {
            true => format!("x.{}", rest.strip_prefix("it.").unwrap_or(rest)),
            false => rest.to_owned(),
        };
        if !list.ends_with('s') {
            let message = format!("`{said} {list} {verb}` needs a list, and a name for its member");
            let field = token(rest);
            let help = format!("write `{ours} x in … has x.{field}`, with the name of a list");
            return Some(advised(message, help, start, said));
        }
        let quantified = format!("{ours} x in {list} has {field}");
        let fixed = format!("{}{quantified}", self.text.get(..start)?);
        let message = format!("`{said} {list} {verb}` needs a name for the member");
        self.repaired(message, fixed, start, said, 0)
    }

    /// Repairs `count(some d in dragons where d.laps > 1)`.
    pub(super) fn counted_quantifier(self) -> Option<Repair> {
        let (start, said, _) = quantifier(self.text)?;
        let opened = self.text.get(..start)?.ends_with('(');
        let behind = self.text.get(start + said.len()..)?;
        let (name, list) = behind.trim_start().split_once(" in ")?;
        let rest = of_it(list, name);
        let fixed = format!("{}{rest}", self.text.get(..start)?);
        let message = format!("`{said} … in …` is a condition; it needs `has`");
        let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        let is_counted = opened && is_name && !list.contains(" has ");
        is_counted.then(|| self.repaired(message, fixed, start, said, 0))?
    }

    /// Repairs `move c from hand(p) to discard`, `move 2 from deck to hand(p)`.
    pub(super) fn move_from(self) -> Option<Repair> {
        let start = self.text.rfind("move ")?;
        let (what, rest) = self
            .text
            .get(start + "move ".len()..)?
            .split_once(" from ")?;
        let is_number = what.starts_with(|c: char| c.is_ascii_digit());
        let from = start + "move ".len() + what.len() + 1;
        let head = self.text.get(..start)?;
        let (message, fixed) = match is_number {
            true => (
                "`move` takes components, not a number of them",
                format!("{head}draw {} from {rest}", token(what)),
            ),
            false => {
                let (_, to) = rest.split_once(" to ")?;
                (
                    "`move` has no `from`: a component leaves the zone where it is",
                    format!("{head}move {what} to {to}"),
                )
            }
        };
        match is_number {
            true => self.repaired(message, fixed, start, "move", 0),
            false => self.repaired(message, fixed, from, "from", 0),
        }
    }

    /// Repairs `move c to bottom of deck`.
    pub(super) fn end_of_zone(self) -> Option<Repair> {
        ["bottom", "top"].into_iter().find_map(|end| {
            let phrase = format!(" to {end} of ");
            let start = self.text.find(&phrase)?;
            let before = self.text.get(..start)?;
            let zone = self.text.get(start + phrase.len()..)?;
            let length = zone.find([' ', ';']).unwrap_or(zone.len());
            let (zone, rest) = zone.split_at_checked(length)?;
            let fixed = format!("{before} to {zone} at {end}{rest}");
            let message = format!("`{end} of` is written `at {end}`, after the zone");
            let place = start + " to ".len();
            self.repaired(message, fixed, place, end, 0)
        })
    }
}

/// Finds a text that is followed by `+`: its first byte, its words, and the byte of the `+`.
fn text_before_plus(line: &str) -> Option<(usize, &str, usize)> {
    let start = line.find('"')?;
    let words = line.get(start + 1..)?;
    let end = words.find('"')?;
    let behind = words.get(end + 1..)?;
    let plus = behind
        .trim_start()
        .starts_with('+')
        .then(|| line.len() - behind.trim_start().len())?;
    Some((start, words.get(..end)?, plus))
}

/// Returns the first word of speech that quantifies: its byte, the word, and ours.
fn quantifier(line: &str) -> Option<(usize, &str, &'static str)> {
    let starts = line.char_indices().map(|(at, _)| at);
    starts.filter(|at| begins_word(line, *at)).find_map(|at| {
        let word = token(line.get(at..)?);
        let (_, ours) = QUANTIFIERS.iter().find(|(said, _)| *said == word)?;
        Some((at, word, *ours))
    })
}

fn begins_word(line: &str, at: usize) -> bool {
    let before = line.get(..at).unwrap_or_default();
    !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

/// Returns the condition with `it` in place of the name.
fn of_it(condition: &str, name: &str) -> String {
    let mut rewritten = String::new();
    let mut at = 0;
    while let Some(rest) = condition.get(at..).filter(|rest| !rest.is_empty()) {
        let word = token(rest);
        let length = word
            .len()
            .max(rest.chars().next().map_or(1, char::len_utf8));
        let is_name = word == name && begins_word(condition, at);
        match rest.get(length..) {
            Some(behind) if is_name && behind.starts_with('.') => {}
            _ if is_name => rewritten.push_str("it"),
            _ => rewritten.push_str(rest.get(..length).unwrap_or_default()),
        }
        at += length;
    }
    rewritten
}

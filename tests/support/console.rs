//! Blocks of a document that show a terminal: their commands, and whether what is printed is what they say.

use std::collections::HashMap;

/// A command and what it prints.
#[derive(Debug)]
pub struct Shown {
    pub command: String,
    pub output: String,
}

/// All commands of the blocks marked `console`, in order. A command begins with `$ `; lines up to a closing quote, or
/// after a backslash, belong to it.
pub fn commands(document: &str) -> Vec<Shown> {
    let blocks = document.split("```console\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap_or_default());
    blocks.flat_map(commands_of_block).collect()
}

/// A part of a guide, in order.
#[derive(Debug)]
pub enum Step {
    Run(Shown),
    /// A block marked with a path: `yaml rules/my-game/game.yaml`
    Write {
        path: String,
        text: String,
    },
}

/// All commands and files of a document, in order.
pub fn steps(document: &str) -> Vec<Step> {
    let mut all = Vec::new();
    let parts = document.split("```").skip(1).step_by(2);
    for block in parts {
        let (info, text) = block.split_once('\n').unwrap_or((block, ""));
        match info.split_once(' ') {
            None if info == "console" => {
                all.extend(commands_of_block(text).into_iter().map(Step::Run))
            }
            Some((_, path)) if path.contains('/') => all.push(Step::Write {
                path: path.to_owned(),
                text: text.to_owned(),
            }),
            _ => {}
        }
    }
    all
}

fn commands_of_block(block: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let mut open = false;
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            all.push(Shown {
                command: command.to_owned(),
                output: String::new(),
            });
        } else if let Some(last) = all.last_mut() {
            let part = if open {
                &mut last.command
            } else {
                &mut last.output
            };
            if open || !part.is_empty() {
                part.push('\n');
            }
            part.push_str(line);
        }
        open = all.last().is_some_and(|last| is_unfinished(&last.command))
            && all.last().is_some_and(|l| l.output.is_empty());
    }
    all
}

fn is_unfinished(command: &str) -> bool {
    command.ends_with('\\') || command.matches('\'').count() % 2 == 1
}

/// Ids and tokens are others in every run: each stands for the one that was found in its place first.
#[derive(Debug, Default)]
pub struct Ids(HashMap<String, String>);

/// Shorter words are no ids.
const ID_BYTES_MIN: usize = 22;

#[derive(Debug, Clone)]
enum Piece<'t> {
    Text(&'t str),
    Id(&'t str),
    /// `…`
    Anything,
}

impl Ids {
    /// The text with the ids of this run.
    pub fn put_into(&self, text: &str) -> String {
        let pieces = pieces(text).into_iter().map(|piece| match piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Id(id) => self.0.get(id).cloned().unwrap_or_else(|| id.to_owned()),
            Piece::Anything => "…".to_owned(),
        });
        pieces.collect()
    }

    /// Whether the output is as shown; learns ids that are new.
    pub fn matches(&mut self, shown: &str, found: &str) -> bool {
        let found = found
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n");
        let learned =
            self.rest_matches(&pieces(shown.trim_end()), found.trim_end(), &HashMap::new());
        let good = learned.is_some();
        self.0.extend(learned.into_iter().flatten());
        good
    }

    fn rest_matches(
        &self,
        shown: &[Piece<'_>],
        found: &str,
        learned: &HashMap<String, String>,
    ) -> Option<HashMap<String, String>> {
        let Some((first, rest)) = shown.split_first() else {
            return found.is_empty().then(|| learned.clone());
        };
        match first {
            Piece::Text(text) => self.rest_matches(rest, found.strip_prefix(text)?, learned),
            Piece::Id(id) => match self.0.get(*id).or_else(|| learned.get(*id)) {
                Some(known) => {
                    self.rest_matches(rest, found.strip_prefix(known.as_str())?, learned)
                }
                None => {
                    let end = found.find(|c| !is_of_id(c)).unwrap_or(found.len());
                    let mut learned = learned.clone();
                    learned.insert((*id).to_owned(), found[..end].to_owned());
                    (end >= ID_BYTES_MIN)
                        .then(|| self.rest_matches(rest, &found[end..], &learned))?
                }
            },
            Piece::Anything => {
                let mut starts = found.char_indices().map(|(i, _)| i).chain([found.len()]);
                starts.find_map(|start| self.rest_matches(rest, &found[start..], learned))
            }
        }
    }
}

fn is_of_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// An id has digits; a long word of letters is a word.
fn is_id(word: &str) -> bool {
    word.len() >= ID_BYTES_MIN && word.contains(|c: char| c.is_ascii_digit())
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut all = Vec::new();
    for (i, part) in text.split('…').enumerate() {
        if i > 0 {
            all.push(Piece::Anything);
        }
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let end = rest
                .find(|c| is_of_id(c) != is_of_id(first))
                .unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            all.push(if is_id(word) {
                Piece::Id(word)
            } else {
                Piece::Text(word)
            });
            rest = after;
        }
    }
    all
}

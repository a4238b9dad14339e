//! Equivalent mutants: changes that make no difference, so that no scenario can notice them. Authors list them beside
//! the scenarios, each with a reason.
//!
//! An entry identifies its mutant by the change and by its line, or a piece of it, instead of a line number. It therefore
//! stays valid when the rules are edited elsewhere, and must be reconsidered when its line is edited. A piece that is the
//! whole line of one mutant and a part of the lines of others means the first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::keys;
use super::verdict::MutantVerdict;
use super::walk::Mutant;
use crate::scenario::Located;
use crate::scenario::read::reader::ScenarioReader;
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Sources, Span};
use wyrmgate_lang::yaml::{self, Budget, Node, NodeKind};

/// An entry of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Equivalent {
    /// The change, in the words of [`Mutant::what`].
    pub change: Located<String>,
    /// The line that contains the changed place, or a piece of it.
    pub at: Located<String>,
    /// Why it makes no difference.
    pub because: String,
}

/// How well a text matches a changed place; greater is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// The text is the whole line.
    is_line: bool,
    part: PieceMatch,
}

/// How well a piece of a line matches a changed place. Places can contain each other: `a`, and `a and b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PieceMatch {
    /// The place begins in the piece and extends beyond it, with this total length.
    Begins(Reverse<usize>),
    /// The piece contains the whole place. Of several, the longest is meant.
    Inside(usize),
}

/// The entries, by the numbers of their mutants.
#[derive(Debug, Default)]
pub struct Equivalents(BTreeMap<usize, Equivalent>);

/// Reads all valid entries of a list; the report explains the others.
pub fn read(file: FileId, text: &str, report: &mut Report) -> Vec<Equivalent> {
    let Some(root) = yaml::parse(file, text, &mut Budget::default(), report) else {
        return Vec::new();
    };
    if matches!(&root.kind, NodeKind::Scalar(scalar) if scalar.is_missing()) {
        let empty = Diagnostic::error("empty-list", root.span, "the list is empty");
        report.push(empty.help("remove the file, or begin an entry with `- change: …`"));
        return Vec::new();
    }
    let mut reader = ScenarioReader { file, report };
    let NodeKind::List(members) = &root.kind else {
        let message = format!("a list of equivalent mutants is not {}", root.shape());
        reader.misshapen(root.span, message, "begin each with `- change: …`");
        return Vec::new();
    };
    let members = members.iter();
    members
        .filter_map(|member| reader.if_flawless(|reader| entry(reader, member)))
        .collect()
}

fn entry(reader: &mut ScenarioReader<'_>, node: &Node) -> Option<Equivalent> {
    let table = &keys::EQUIVALENT;
    let fields = reader.fields(node, table.what, &table.names())?;
    for key in table.keys {
        if fields.get(key.name).is_none() {
            reader.missing(node.span, key.name, key.about);
        }
    }
    let mut text = |key: &str| reader.located(fields.get(key)?, "a text");
    Some(Equivalent {
        change: text("change")?,
        at: text("at")?,
        because: text("because")?.value,
    })
}

impl Equivalents {
    /// Finds the mutant of each entry. Reports entries that match none or several.
    pub fn find(
        entries: Vec<Equivalent>,
        mutants: &[Mutant],
        sources: &Sources,
        report: &mut Report,
    ) -> Equivalents {
        let mut found = BTreeMap::new();
        for entry in entries {
            match entry.mutants(mutants, sources).as_slice() {
                [one] => {
                    found.insert(one.number, entry);
                }
                [] => report.push(entry.names_none(mutants)),
                several => report.push(entry.names_several(several)),
            }
        }
        Equivalents(found)
    }

    pub fn get(&self, mutant: &Mutant) -> Option<&Equivalent> {
        self.0.get(&mutant.number)
    }
}

impl Equivalent {
    /// Returns the mutants that the entry can mean: all that match best.
    fn mutants<'m>(&self, mutants: &'m [Mutant], sources: &Sources) -> Vec<&'m Mutant> {
        let mutants = mutants.iter();
        let same_change = mutants.filter(|mutant| mutant.what == self.change.value);
        let fitting =
            same_change.filter_map(|mutant| Some((self.fit(mutant.span, sources)?, mutant)));
        let fitting: Vec<(Fit, &Mutant)> = fitting.collect();
        let best = fitting.iter().map(|(fit, _)| *fit).max();
        let best_ones = fitting.into_iter().filter(|(fit, _)| Some(*fit) == best);
        best_ones.map(|(_, mutant)| mutant).collect()
    }

    fn fit(&self, place: Span, sources: &Sources) -> Option<Fit> {
        let text = &*sources.get(place.file)?.text;
        let (before, after) = text.split_at_checked(place.start as usize)?;
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text.get(line_start..)?.lines().next()?;
        let start = before.len() - line_start;
        let length = (place.end - place.start) as usize;
        let length = after.get(..length)?.lines().next()?.trim_end().len();
        let pieces = line.match_indices(self.at.value.as_str());
        let fits = pieces.filter_map(|(from, piece)| {
            let to = from + piece.len();
            match (from..to).contains(&start) {
                true if start + length <= to => Some(PieceMatch::Inside(length)),
                true => Some(PieceMatch::Begins(Reverse(length))),
                false => None,
            }
        });
        let is_line = line.trim() == self.at.value.trim();
        Some(Fit {
            is_line,
            part: fits.max()?,
        })
    }

    fn names_none(&self, mutants: &[Mutant]) -> Diagnostic {
        let mut mutants = mutants.iter();
        let is_known = mutants.any(|mutant| mutant.what == self.change.value);
        let (span, place) = match is_known {
            true => (self.at.span, "here"),
            false => (self.change.span, "of these rules"),
        };
        let message = format!("no mutation {place} is that {}", self.change.value);
        Diagnostic::error("unknown-mutant", span, message)
            .help("the rules have been edited: remove or rewrite the entry")
    }

    fn names_several(&self, mutants: &[&Mutant]) -> Diagnostic {
        let message = format!("this matches {} mutations", mutants.len());
        let problem = Diagnostic::error("ambiguous-mutant", self.at.span, message)
            .help("quote more of the line, or all of it");
        mutants.iter().take(3).fold(problem, |problem, mutant| {
            problem.related(mutant.span, "one of them is here")
        })
    }

    /// Reports an entry whose mutant was tested and is not equivalent.
    pub fn refuted(&self, mutant: &Mutant, verdict: MutantVerdict) -> Diagnostic {
        let message = match verdict {
            MutantVerdict::Stillborn => "the rules do not compile with this change",
            MutantVerdict::Killed | MutantVerdict::TimedOut | MutantVerdict::Survived => {
                "a scenario notices this mutation, so it is not equivalent"
            }
        };
        Diagnostic::error("not-equivalent", self.at.span, message)
            .related(mutant.span, "the mutation is here")
            .help("remove the entry")
    }
}

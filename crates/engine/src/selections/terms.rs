//! Conditions on a selection as terms over what is known and what is measured. Their truth can be judged while members
//! are still undecided.

use super::measure::{Mark, MeasureKind, MeasuredMembers, UndecidedGain};
use super::range::Range;
use wyrmgate_program::Binary;

/// Conditions, all of which must hold. The same for all selections that are asked for in one place of the rules.
#[derive(Debug, Default)]
pub struct SelectionTerms {
    pub conditions: Vec<Required>,
    /// The quantities that they measure.
    pub measures: Vec<MeasureKind>,
    /// How many values of the rules they compare with.
    pub known: usize,
    /// Whether a condition has a part that is not followed.
    pub has_unknown: bool,
    /// Whether the interpreter follows a part that was not followed here.
    pub knows_less: bool,
}

/// A condition, or a part of one that must hold, too.
#[derive(Debug)]
pub struct Required {
    /// The number of the condition.
    pub of: usize,
    pub term: Term,
    /// The sums that it reads. A selection without a member that adds to one of them may fail the condition.
    pub sums: Vec<usize>,
    /// Whether a number in it may be too large for the rules.
    pub may_overflow: bool,
}

/// How many of the conditions can be judged without evaluating them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    All,
    /// Not all, whatever the values of the rules are.
    Some,
    /// Perhaps all of them by the interpreter: with some values of the rules a part that is not followed does not matter.
    Sometimes,
}

/// A part of a condition.
#[derive(Debug, Clone)]
pub enum Term {
    /// The value with this number.
    Known(usize),
    Constant(i64),
    /// The number of members.
    Size,
    Measure(usize),
    Not(Box<Term>),
    And(Box<Term>, Box<Term>),
    Or(Box<Term>, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
    Negate(Box<Term>),
    Abs(Box<Term>),
    Binary(Binary, Box<Term>, Box<Term>),
    /// It depends on the selection in a way that is not followed.
    Unknown,
}

impl SelectionTerms {
    /// Adds a condition with this number; the parts of an `and` are judged one by one.
    pub fn require(&mut self, of: usize, term: Term) {
        if let Term::And(left, right) = term {
            self.require(of, *left);
            return self.require(of, *right);
        }
        let mut sums = Vec::new();
        term.add_sums(&self.measures, &mut sums);
        self.has_unknown |= term.has_unknown();
        self.conditions.push(Required {
            of,
            may_overflow: term.may_overflow(&self.measures),
            sums,
            term,
        });
    }

    /// Returns the term for the next value of the rules.
    pub fn value(&mut self) -> Term {
        self.known += 1;
        Term::Known(self.known - 1)
    }

    /// Returns how far the conditions can be judged without evaluating them.
    pub fn judged(&self) -> Judged {
        let mut conditions = self.conditions.iter();
        if !self.has_unknown {
            Judged::All
        } else if self.knows_less
            || conditions.any(|one| one.term.has_unknown() && one.term.branches())
        {
            Judged::Sometimes
        } else {
            Judged::Some
        }
    }

    pub fn measure(&mut self, what: MeasureKind) -> Term {
        self.measures.push(what);
        Term::Measure(self.measures.len() - 1)
    }

    /// The term for whether some member has a truth, as opposed to all the same one; see [`super::reading::SelectionDependence`].
    pub fn truth(&mut self, wanted: bool) -> Term {
        let count = Box::new(self.measure(MeasureKind::Truth(wanted)));
        let some = Term::Binary(Binary::More, count, Box::new(Term::Constant(0)));
        match wanted {
            true => some,
            false => Term::Not(Box::new(some)),
        }
    }
}

impl Term {
    fn parts(&self) -> [Option<&Term>; 3] {
        match self {
            Term::Known(_) | Term::Constant(_) | Term::Size | Term::Measure(_) | Term::Unknown => {
                [None; 3]
            }
            Term::Not(of) | Term::Negate(of) | Term::Abs(of) => [Some(of), None, None],
            Term::And(a, b) | Term::Or(a, b) | Term::Binary(_, a, b) => [Some(a), Some(b), None],
            Term::If(a, b, c) => [Some(a), Some(b), Some(c)],
        }
    }

    fn has_unknown(&self) -> bool {
        let mut parts = self.parts().into_iter().flatten();
        matches!(self, Term::Unknown) || parts.any(Term::has_unknown)
    }

    /// Returns whether a part of it may not matter.
    fn branches(&self) -> bool {
        let own = matches!(self, Term::And(..) | Term::Or(..) | Term::If(..));
        own || self.parts().into_iter().flatten().any(Term::branches)
    }

    /// Returns whether it looks at one of these measures.
    pub fn looks_at(&self, measures: &[usize]) -> bool {
        let mut parts = self.parts().into_iter().flatten();
        let own = matches!(self, Term::Measure(number) if measures.contains(number));
        own || parts.any(|part| part.looks_at(measures))
    }

    fn add_sums(&self, measures: &[MeasureKind], sums: &mut Vec<usize>) {
        if let Term::Measure(number) = self
            && let Some(MeasureKind::Sum | MeasureKind::Truth(_)) = measures.get(*number)
        {
            sums.push(*number);
        }
        let parts = self.parts().into_iter().flatten();
        parts.for_each(|part| part.add_sums(measures, sums));
    }

    fn may_overflow(&self, measures: &[MeasureKind]) -> bool {
        let own = match self {
            Term::Binary(op, ..) => !op.is_comparison(),
            Term::Negate(_) | Term::Abs(_) => true,
            Term::Measure(number) => measures.get(*number) == Some(&MeasureKind::Sum),
            Term::Known(_)
            | Term::Constant(_)
            | Term::Size
            | Term::Not(_)
            | Term::And(..)
            | Term::Or(..)
            | Term::If(..)
            | Term::Unknown => false,
        };
        let mut parts = self.parts().into_iter().flatten();
        own || parts.any(|part| part.may_overflow(measures))
    }

    /// Returns whether all numbers in it are certain to be numbers of the rules.
    pub(super) fn fits(&self, all: &DecidedMembers<'_>) -> bool {
        let mut parts = self.parts().into_iter().flatten();
        let is_open = matches!(self, Term::Unknown);
        (is_open || self.range(all).fits()) && parts.all(|part| part.fits(all))
    }
}

/// How far a selection is decided.
#[derive(Clone, Copy)]
pub(super) struct DecidedMembers<'p> {
    /// By number: the values of the rules.
    pub known: &'p [i32],
    pub measures: &'p [MeasuredMembers],
    /// How many members were taken.
    pub chosen: usize,
    /// How many more will be taken.
    pub taken: Range,
    pub marks: &'p [Mark],
    pub rests: Rests<'p>,
}

/// The possible gain of the undecided members for each measure.
#[derive(Clone, Copy)]
pub(super) enum Rests<'p> {
    /// Members are undecided from this one on.
    From(usize),
    /// By measure.
    These(&'p [UndecidedGain]),
}

impl DecidedMembers<'_> {
    fn measure(&self, number: usize) -> Option<(&MeasuredMembers, Mark, &UndecidedGain)> {
        let measure = self.measures.get(number)?;
        let rest = match self.rests {
            Rests::From(next) => measure.rest.get(next),
            Rests::These(rests) => rests.get(number),
        };
        Some((measure, *self.marks.get(number)?, rest?))
    }

    fn measured(&self, number: usize) -> Range {
        match self.measure(number) {
            Some((measure, mark, rest)) => measure.range(mark, rest, self.taken),
            None => Range::ANY,
        }
    }

    /// The difference of two numbers. That of the number of members and a measure is known better than that of any two.
    fn difference(&self, left: &Term, right: &Term) -> Range {
        let plain = left.range(self).minus(right.range(self));
        let lag = |number: usize| {
            let (measure, mark, rest) = self.measure(number)?;
            measure.lag(mark, rest, self.chosen)
        };
        match (left, right) {
            (Term::Size, Term::Measure(number)) => match lag(*number) {
                Some(lag) => Range::new(plain.low.max(lag), plain.high),
                None => plain,
            },
            (Term::Measure(_), Term::Size) => self.difference(right, left).negated(),
            _ => plain,
        }
    }
}

impl Term {
    /// Returns the truth; `None` while both are possible.
    pub(super) fn truth(&self, decided: &DecidedMembers<'_>) -> Option<bool> {
        match self {
            Term::Not(of) => of.truth(decided).map(|truth| !truth),
            Term::And(left, right) => match left.truth(decided) {
                Some(false) => Some(false),
                Some(true) => right.truth(decided),
                None if right.truth(decided) == Some(false) => Some(false),
                None => None,
            },
            Term::Or(left, right) => match left.truth(decided) {
                Some(true) => Some(true),
                Some(false) => right.truth(decided),
                None if right.truth(decided) == Some(true) => Some(true),
                None => None,
            },
            Term::If(condition, then, otherwise) => match condition.truth(decided) {
                Some(true) => then.truth(decided),
                Some(false) => otherwise.truth(decided),
                None => {
                    let then = then.truth(decided);
                    then.filter(|_| then == otherwise.truth(decided))
                }
            },
            Term::Binary(op, left, right) if op.is_comparison() => {
                Range::compared(*op, decided.difference(left, right))
            }
            Term::Known(_)
            | Term::Constant(_)
            | Term::Size
            | Term::Measure(_)
            | Term::Negate(_)
            | Term::Abs(_)
            | Term::Binary(..)
            | Term::Unknown => self.range(decided).truth(),
        }
    }

    fn range(&self, decided: &DecidedMembers<'_>) -> Range {
        match self {
            Term::Known(number) => match decided.known.get(*number) {
                Some(value) => Range::only(i64::from(*value)),
                None => Range::ANY,
            },
            Term::Constant(value) => Range::only(*value),
            Term::Size => Range::only(decided.chosen as i64).plus(decided.taken),
            Term::Measure(number) => decided.measured(*number),
            Term::Not(_) | Term::And(..) | Term::Or(..) => Range::of_truth(self.truth(decided)),
            Term::If(condition, then, otherwise) => match condition.truth(decided) {
                Some(true) => then.range(decided),
                Some(false) => otherwise.range(decided),
                None => then.range(decided).either(otherwise.range(decided)),
            },
            Term::Negate(of) => of.range(decided).negated(),
            Term::Abs(of) => of.range(decided).abs(),
            Term::Binary(op, ..) if op.is_comparison() => Range::of_truth(self.truth(decided)),
            Term::Binary(op, left, right) => {
                Range::calculated(*op, left.range(decided), right.range(decided))
            }
            Term::Unknown => Range::ANY,
        }
    }
}

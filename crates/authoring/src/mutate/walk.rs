//! One walk over a definition, used both to list its mutants and to make one of them.
//!
//! The walk calls [`MutationWalk::is`] at every place that can be changed. While mutants are listed, the result is false and
//! the change is recorded. To make mutant `n`, the result is true at the n-th call, and the place is changed. The list
//! and the changes therefore always agree.

use std::fmt::Display;

use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::Expr;
use wyrmgate_lang::definition::Definition;

/// A change of the rules: where, and what, as the end of a sentence: "`<` becomes `<=`".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// Its number in the walk.
    pub number: usize,
    pub span: Span,
    pub what: String,
}

#[derive(Default)]
pub(super) struct MutationWalk {
    /// The number of the mutant to make.
    target: Option<usize>,
    next: usize,
    mutants: Vec<Mutant>,
}

/// Returns all mutants of a definition, in the order of its parts.
pub fn mutants(definition: &Definition) -> Vec<Mutant> {
    let mut walk = MutationWalk::default();
    walk.definition(&mut definition.clone());
    walk.mutants
}

/// Returns the definition with one change.
pub fn mutant(definition: &Definition, number: usize) -> Definition {
    let mut walk = MutationWalk {
        target: Some(number),
        ..MutationWalk::default()
    };
    let mut changed = definition.clone();
    walk.definition(&mut changed);
    changed
}

impl MutationWalk {
    /// Returns whether this is the change to make.
    pub(super) fn is(&mut self, span: Span, what: impl Display) -> bool {
        let number = self.next;
        self.next += 1;
        match self.target {
            Some(target) => target == number,
            None => {
                let what = what.to_string();
                self.mutants.push(Mutant { number, span, what });
                false
            }
        }
    }

    /// Removes or visits each member in turn. With `keep_one`, the last one stays.
    pub(super) fn members<T>(
        &mut self,
        list: &mut Vec<T>,
        keep_one: bool,
        place: impl Fn(&T) -> Option<(Span, String)>,
        mut visit: impl FnMut(&mut MutationWalk, &mut T),
    ) {
        let may_go = list.len() > usize::from(keep_one);
        let mut gone = None;
        for (number, member) in list.iter_mut().enumerate() {
            if let Some((span, what)) = place(member).filter(|_| may_go)
                && self.is(span, what)
            {
                gone = Some(number);
            } else {
                visit(self, member);
            }
        }
        if let Some(number) = gone {
            list.remove(number);
        }
    }

    /// Removes or mutates an optional condition.
    pub(super) fn optional_condition(&mut self, condition: &mut Option<Expr>) {
        let place = |condition: &Expr| (condition.span, "this condition is left out");
        self.optional(condition, place, MutationWalk::condition);
    }

    /// Removes or mutates an optional expression.
    pub(super) fn optional_expr(&mut self, expr: &mut Option<Expr>, what: &'static str) {
        self.optional(expr, |expr| (expr.span, what), MutationWalk::expr);
    }

    /// Replaces a word by another one that could be meant.
    pub(super) fn replace<T: Copy>(
        &mut self,
        word: &mut T,
        others: &[T],
        span: Span,
        written: impl Fn(T) -> &'static str,
    ) {
        for other in others {
            let what = format!("`{}` becomes `{}`", written(*word), written(*other));
            if self.is(span, what) {
                *word = *other;
                return;
            }
        }
    }

    /// Removes or visits an optional part.
    pub(super) fn optional<T>(
        &mut self,
        value: &mut Option<T>,
        place: impl Fn(&T) -> (Span, &'static str),
        visit: impl FnOnce(&mut MutationWalk, &mut T),
    ) {
        let Some(present) = value else { return };
        let (span, what) = place(present);
        if self.is(span, what) {
            *value = None;
        } else {
            visit(self, present);
        }
    }
}

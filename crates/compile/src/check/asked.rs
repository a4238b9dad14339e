//! Finds decisions that nobody makes: outside of `turn of` and `as` no seat is active, and such decisions are skipped.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::compile::passes::extents::{Extents, called_by};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_program::{Expr, Local, Op, Program, SiteId, VAR_ACTIVE};

/// The decisions of the active seat, over all setups: those at which some seat can be active, and others.
#[derive(Default)]
pub struct Asked {
    somebody: BTreeSet<Span>,
    nobody: BTreeSet<Span>,
}

impl Asked {
    /// Visits everything that `play` reaches, with and without an active seat.
    pub fn look(&mut self, program: &Program) {
        let extents = Extents::of(program);
        let mut known = BTreeSet::from([(program.code.play, false)]);
        let mut next = vec![(program.code.play, false)];
        while let Some((effect, is_active)) = next.pop() {
            let ops: Vec<&Op> = extents.ops(effect).collect();
            let turns = turns(&ops);
            for (at, op) in ops.iter().enumerate() {
                let is_active = is_active || turns.iter().any(|turn| turn.contains(&at));
                self.site(program, op, is_active);
                for called in called_by(program, op) {
                    if known.insert((called, is_active)) {
                        next.push((called, is_active));
                    }
                }
            }
        }
    }

    fn site(&mut self, program: &Program, op: &Op, is_active: bool) {
        if let Op::Choose(site) = op
            && let Some(span) = of_active(program, *site)
        {
            let spans = match is_active {
                true => &mut self.somebody,
                false => &mut self.nobody,
            };
            spans.insert(span);
        }
    }

    pub fn warn(&self, report: &mut Report) {
        for span in self.nobody.difference(&self.somebody) {
            let message = "nobody is asked: no seat is active here";
            let help = "add `by p`, or put it inside `turn of p:` or `as p:`";
            report.push(Diagnostic::warning("nobody-asked", *span, message).help(help));
        }
    }
}

/// Returns the place of a decision of the active seat.
fn of_active(program: &Program, site: SiteId) -> Option<Span> {
    let site = program.site(site)?;
    let active = program.var(VAR_ACTIVE)?.offset;
    let asked = match program.exprs.get(site.who as usize)? {
        Expr::If(_, _, still) if program.code.resigns.is_some() => {
            program.exprs.get(*still as usize)?
        }
        asked => asked,
    };
    matches!(asked, Expr::Word(offset) if *offset == active).then_some(site.span)
}

/// Returns the parts of an effect in which a seat is active. Leaving early ends a turn before its last operation, so a
/// part lasts to the last end that belongs to its slot.
fn turns(ops: &[&Op]) -> Vec<Range<usize>> {
    let begins = ops.iter().enumerate();
    let begins = begins.filter_map(|(at, op)| Some((at, begun(op)?)));
    let turn = |(begin, slot)| {
        let behind = ops.iter().enumerate().skip(begin + 1);
        let own = behind.take_while(|(_, op)| begun(op) != Some(slot));
        let end = own.filter(|(_, op)| ended(op) == Some(slot)).last();
        begin..end.map_or(ops.len(), |(at, _)| at)
    };
    begins.map(turn).collect()
}

fn begun(op: &Op) -> Option<Local> {
    match op {
        Op::TurnBegin { before, .. } | Op::AsBegin { before, .. } => Some(*before),
        _ => None,
    }
}

fn ended(op: &Op) -> Option<Local> {
    match op {
        Op::TurnEnd { before } | Op::AsEnd { before } => Some(*before),
        _ => None,
    }
}

//! Quantifiers over a row of stacks, if the result depends on the top of the stack and perhaps on one changing field: a
//! row for each of these, and one look-up per stack.

use std::collections::BTreeMap;

use super::build::{Masks, Member};
use super::quantified::Quantified;
use super::tree::{depends, find, get};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// The maximum number of rows.
const ROWS_MAX: usize = 1_024;

/// The maximum number of values of a field to include.
const WORDS_MAX: i32 = 16;

/// The part of a stack that is read, as an expression and as its substitute in the rows.
#[derive(Clone, Copy)]
struct Looked {
    expr: ExprId,
    temp: Temp,
}

/// The words of the field: the place of the first one, the lowest value, the number of values.
#[derive(Clone, Copy)]
struct Words {
    offset: u32,
    low: i32,
    count: u32,
}

impl Masks<'_> {
    pub(super) fn over_tops(
        &mut self,
        heaps: &[i32],
        quantified: Quantified,
        each: MaskId,
        domain: Domain,
    ) -> Option<MaskId> {
        let (it, every) = (quantified.temp, quantified.every);
        let heap = Member::new(it, run(heaps)?);
        let mut questions = Vec::new();
        self.questions(each, &mut questions)?;
        let lies = questions.iter().find_map(|id| self.find(*id, it, is_top))?;
        let (zones, top) = self.zones_of(lies, heap)?;
        let lies = self.looked(lies);
        let field = questions.iter().find_map(|id| self.find(*id, it, is_field));
        let words = match field {
            Some(field) => self.words_of(field, heap)?,
            None => Words {
                offset: 0,
                low: 0,
                count: 1,
            },
        };
        let looked: Vec<Looked> = [Some(lies), field.map(|field| self.looked(field))]
            .into_iter()
            .flatten()
            .collect();
        let put = self.put_for(&questions, &looked, it)?;
        let components = self.program.components.len();
        if (components + 1) * words.count as usize > ROWS_MAX {
            return None;
        }
        let mut rows = Vec::new();
        for component in NONE..components as i32 {
            for word in 0..words.count as i32 {
                let values = [component, words.low + word];
                let known = looked.iter().zip(values);
                let mut known = known.fold(Known::default(), |known, (looked, value)| {
                    known.and(looked.temp, value)
                });
                rows.push(self.known_bits(each, &put, &mut known)? & domain.all());
            }
        }
        let rows = self.rows(rows);
        let mask = Mask::OverTops {
            zones,
            top,
            every,
            rows,
            offset: words.offset,
            low: words.low,
            count: words.count,
        };
        let mask = self.mask(domain, mask);
        Some(self.kept(mask))
    }

    fn looked(&mut self, expr: ExprId) -> Looked {
        let temp = self.fresh();
        Looked { expr, temp }
    }

    /// Finds the expressions that a mask evaluates, if it consists of rows and conditions only.
    fn questions(&self, id: MaskId, found: &mut Vec<ExprId>) -> Option<()> {
        match self.program.masks.get(id as usize)?.mask {
            Mask::Const(_) => {}
            Mask::When(expr) | Mask::Row { index: expr, .. } => found.push(expr),
            Mask::And(one, other) | Mask::Or(one, other) => {
                self.questions(one, found)?;
                self.questions(other, found)?;
            }
            Mask::Not(of) => self.questions(of, found)?,
            _ => return None,
        }
        Some(())
    }

    /// Finds the first part of this form that depends on the stack.
    fn find(&self, id: ExprId, it: Temp, is: fn(Expr) -> bool) -> Option<ExprId> {
        let of_stack = |id, expr| is(expr) && depends(self.program, id, it);
        find(self.program, id, &of_stack)
    }

    /// Returns the zones of the stacks, if they are consecutive, and whether the top is read.
    fn zones_of(&self, lies: ExprId, heap: Member) -> Option<(Domain, bool)> {
        let (of, top) = match get(self.program, lies) {
            Expr::ZoneLast(of) => (of, true),
            Expr::ZoneFirst(of) => (of, false),
            _ => return None,
        };
        Some((run(&self.values(of, heap)?)?, top))
    }

    fn words_of(&self, field: ExprId, heap: Member) -> Option<Words> {
        let Expr::WordAt {
            offset,
            low,
            len,
            index,
            ..
        } = get(self.program, field)
        else {
            return None;
        };
        let places = run(&self.values(index, heap)?)?;
        let before = u32::try_from(places.first.checked_sub(low)?).ok()?;
        let inside = before + u32::from(places.len) <= len;
        let (lowest, highest) = range(self.program, field, &self.ranges)?;
        let count = highest.checked_sub(lowest)?.checked_add(1)?;
        (inside && (1..=WORDS_MAX).contains(&count)).then_some(Words {
            offset: offset + before,
            low: lowest,
            count: count as u32,
        })
    }

    /// Returns each question with temps for what is read; `None` if one reads more of the stack.
    fn put_for(
        &mut self,
        questions: &[ExprId],
        looked: &[Looked],
        it: Temp,
    ) -> Option<BTreeMap<ExprId, ExprId>> {
        let mut all = BTreeMap::new();
        for question in questions {
            let mut put = *question;
            for Looked { expr, temp } in looked {
                put = self.with(put, *expr, Expr::Temp(*temp));
            }
            if depends(self.program, put, it) {
                return None;
            }
            all.insert(*question, put);
        }
        Some(all)
    }

    /// Evaluates a mask whose questions are known.
    fn known_bits(
        &self,
        id: MaskId,
        put: &BTreeMap<ExprId, ExprId>,
        known: &mut Known,
    ) -> Option<Bits> {
        let bits = |at: u32| self.program.bits.get(at as usize).copied();
        let info = self.program.masks.get(id as usize)?;
        match info.mask {
            Mask::Const(at) => bits(at),
            Mask::When(expr) => {
                let holds = pure::truth(self.program, *put.get(&expr)?, known)?;
                Some(if holds { info.domain.all() } else { 0 })
            }
            Mask::Row {
                rows,
                low,
                count,
                index,
            } => {
                let index = pure::value(self.program, *put.get(&index)?, known)?;
                let number = index.saturating_sub(low).max(0) as u32;
                bits(rows + number.min(count.saturating_sub(1)))
            }
            Mask::And(one, other) => {
                let one = self.known_bits(one, put, known)?;
                Some(one & self.known_bits(other, put, known)?)
            }
            Mask::Or(one, other) => {
                let one = self.known_bits(one, put, known)?;
                Some(one | self.known_bits(other, put, known)?)
            }
            Mask::Not(of) => Some(!self.known_bits(of, put, known)?),
            _ => None,
        }
    }
}

fn is_top(expr: Expr) -> bool {
    matches!(expr, Expr::ZoneLast(_) | Expr::ZoneFirst(_))
}

fn is_field(expr: Expr) -> bool {
    matches!(expr, Expr::WordAt { .. })
}

/// Returns the domain of consecutive numbers, at most as many as a mask has bits.
fn run(numbers: &[i32]) -> Option<Domain> {
    let first = *numbers.first().filter(|first| **first >= 0)?;
    let is_run = numbers
        .iter()
        .zip(first..)
        .all(|(number, wanted)| *number == wanted);
    let len = u16::try_from(numbers.len()).ok()?;
    (is_run && usize::from(len) <= DOMAIN_BITS).then_some(Domain { first, len })
}

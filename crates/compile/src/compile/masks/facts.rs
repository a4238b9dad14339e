//! The dependencies of a mask: whether its result can be cached until the state changes.

use super::tree;
use wyrmgate_program::*;

/// What a mask depends on.
#[derive(Default)]
pub struct Facts {
    bound: Vec<Temp>,
    asked: Vec<Temp>,
    frame: bool,
    /// Temps that refer to lists: their values do not tell what is in them.
    lists: bool,
    pub reads: Reads,
}

impl Facts {
    /// Nothing but the state.
    pub fn is_closed(&self) -> bool {
        !self.frame && self.asked.iter().all(|temp| self.bound.contains(temp))
    }

    /// The temps it depends on beside the state; `None` if it depends on more.
    pub fn free_temps(&self) -> Option<Vec<Temp>> {
        let mut free: Vec<Temp> = self.asked.clone();
        free.retain(|temp| !self.bound.contains(temp));
        free.sort_unstable();
        free.dedup();
        (!self.frame && !self.lists).then_some(free)
    }

    /// Does it look at the frame, or at what is not followed?
    pub fn looks_aside(&self) -> bool {
        self.frame
    }

    /// Does it look at this temp?
    pub fn asks(&self, temp: Temp) -> bool {
        self.asked.contains(&temp)
    }

    pub fn of_mask(&mut self, program: &Program, id: MaskId) {
        let Some(info) = program.masks.get(id as usize) else {
            return;
        };
        match info.mask {
            Mask::Const(_) | Mask::Free => {}
            Mask::When(expr) | Mask::Row { index: expr, .. } | Mask::Inside(expr) => {
                self.of_expr(program, expr);
            }
            Mask::Words { offset, value, .. } => {
                self.of_words(program, offset);
                self.of_expr(program, value);
            }
            Mask::And(a, b) | Mask::Or(a, b) => {
                self.of_mask(program, a);
                self.of_mask(program, b);
            }
            Mask::Not(of) | Mask::Related { of, .. } => self.of_mask(program, of),
            Mask::Tops { of, none, .. }
            | Mask::Lying { of, none }
            | Mask::Through { of, none, .. }
            | Mask::Shifted { of, none, .. } => {
                self.of_mask(program, of);
                self.of_expr(program, none);
            }
            Mask::Around { zone, cell, .. } => {
                self.of_expr(program, zone);
                self.of_expr(program, cell);
            }
            Mask::OverTops { offset, count, .. } => {
                if count > 1 {
                    self.of_words(program, offset);
                }
            }
            Mask::Over { of, temp, each, .. } => {
                self.bound.push(temp);
                self.of_set(program, of);
                self.of_mask(program, each);
            }
            Mask::Each { temp, condition } => {
                self.bound.push(temp);
                self.of_expr(program, condition);
            }
            Mask::ThroughBy { index, of, .. } => {
                self.of_expr(program, index);
                self.of_mask(program, of);
            }
            Mask::Kept { reads, .. } => self.also(reads),
            Mask::KeptFor { reads, temps, .. } => {
                self.also(reads);
                self.asked.extend(temps);
            }
        }
    }

    fn also(&mut self, reads: Reads) {
        self.reads.words |= reads.words;
        self.reads.course |= reads.course;
    }

    /// Variables never lie partly among those that every game has.
    fn of_words(&mut self, program: &Program, offset: u32) {
        let course = offset < program.course_words();
        self.also(Reads {
            words: !course,
            course,
        });
    }

    fn everything(&mut self) {
        self.also(Reads {
            words: true,
            course: true,
        });
    }

    pub fn of_expr(&mut self, program: &Program, id: ExprId) {
        let (mut exprs, mut sets) = (Vec::new(), Vec::new());
        tree::every(
            program,
            id,
            &mut |expr| {
                exprs.push(expr);
                true
            },
            &mut |set| {
                sets.push(set);
                true
            },
        );
        self.add(program, &exprs, &sets);
    }

    pub fn of_set(&mut self, program: &Program, id: SetId) {
        let (mut exprs, mut sets) = (Vec::new(), Vec::new());
        tree::every_of_set(
            program,
            id,
            &mut |expr| {
                exprs.push(expr);
                true
            },
            &mut |set| {
                sets.push(set);
                true
            },
        );
        self.add(program, &exprs, &sets);
    }

    fn add(&mut self, program: &Program, exprs: &[Expr], sets: &[Set]) {
        for expr in exprs {
            match *expr {
                Expr::Temp(temp) => self.asked.push(temp),
                Expr::Local(_) | Expr::LocalAt { .. } => self.frame = true,
                Expr::Word(offset)
                | Expr::WordAt { offset, .. }
                | Expr::CountWords { offset, .. } => self.of_words(program, offset),
                // What these look at is not followed.
                Expr::Call { .. } | Expr::CallKind { .. } => self.everything(),
                Expr::AnyBit(_)
                | Expr::CountBits(_)
                | Expr::FirstBit(..)
                | Expr::LineOfBits { .. } => self.frame = true,
                _ => {}
            }
            self.bound.extend(tree::temp_of(*expr));
        }
        for set in sets {
            match *set {
                Set::Temp(temp) => {
                    self.asked.push(temp);
                    self.lists = true;
                }
                Set::Local(_) | Set::LocalAt { .. } | Set::Bits(_) => self.frame = true,
                Set::Call { .. } | Set::CallKind { .. } => self.everything(),
                _ => {}
            }
            self.bound.extend(tree::temp_of_set(*set));
        }
    }
}

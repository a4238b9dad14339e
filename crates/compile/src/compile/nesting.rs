//! Computes how deeply expressions can nest. Queries are not recursive, so there is a deepest one; if it is well within
//! the limit, play need not count.

use super::masks::tree::{parts, parts_of_set};
use super::simplify::children::Child;
use wyrmgate_program::*;

/// The engine stops at 1,000 levels; up to here nobody counts.
pub const NESTING_MAX: u32 = 900;

/// The deepest nesting that evaluation can reach, if it is not more than [`NESTING_MAX`].
pub fn deepest(program: &Program) -> Option<u32> {
    let mut depths = Depths::new(program);
    let mut exprs = (0..program.exprs.len() as ExprId).map(|id| depths.of_expr(id));
    let of_exprs = exprs.try_fold(0, |most, depth| Some(most.max(depth?)))?;
    let mut sets = (0..program.sets.len() as SetId).map(|id| depths.of_set(id));
    let of_sets = sets.try_fold(0, |most, depth| Some(most.max(depth?)))?;
    // A list is walked while something is asked of its members.
    let deepest = of_exprs.saturating_add(of_sets);
    (deepest <= NESTING_MAX).then_some(deepest)
}

/// What is known of the depth of a part.
#[derive(Clone, Copy, PartialEq)]
enum Depth {
    Unknown,
    /// Being looked at: who meets it again goes in circles.
    Open,
    Known(u32),
}

struct Depths<'p> {
    program: &'p Program,
    exprs: Vec<Depth>,
    sets: Vec<Depth>,
    masks: Vec<Depth>,
}

impl<'p> Depths<'p> {
    fn new(program: &'p Program) -> Depths<'p> {
        Depths {
            program,
            exprs: vec![Depth::Unknown; program.exprs.len()],
            sets: vec![Depth::Unknown; program.sets.len()],
            masks: vec![Depth::Unknown; program.masks.len()],
        }
    }

    fn of_expr(&mut self, id: ExprId) -> Option<u32> {
        if let Some(known) = begin(&mut self.exprs, id) {
            return known;
        }
        let program = self.program;
        let expr = program.exprs.get(id as usize).copied()?;
        let mut within = self.of_parts(&parts(program, expr))?;
        within = within.saturating_add(match expr {
            Expr::Call { query, .. } => self.of_query(query)?,
            Expr::CallKind { dispatch, .. } => self.of_dispatch(dispatch)?,
            Expr::AnyBit(mask)
            | Expr::CountBits(mask)
            | Expr::FirstBit(mask, _)
            | Expr::LineOfBits { of: mask, .. } => self.of_mask(mask)?,
            _ => 0,
        });
        end(&mut self.exprs, id, within)
    }

    fn of_set(&mut self, id: SetId) -> Option<u32> {
        if let Some(known) = begin(&mut self.sets, id) {
            return known;
        }
        let program = self.program;
        let set = program.sets.get(id as usize).copied()?;
        let mut within = self.of_parts(&parts_of_set(program, set))?;
        within = within.saturating_add(match set {
            Set::Call { query, .. } => self.of_query(query)?,
            Set::CallKind { dispatch, .. } => self.of_dispatch(dispatch)?,
            Set::Bits(mask) => self.of_mask(mask)?,
            _ => 0,
        });
        end(&mut self.sets, id, within)
    }

    fn of_mask(&mut self, id: MaskId) -> Option<u32> {
        if let Some(known) = begin(&mut self.masks, id) {
            return known;
        }
        let mask = self.program.masks.get(id as usize)?.mask;
        let within = match mask {
            Mask::Const(_) | Mask::Free | Mask::OverTops { .. } => 0,
            Mask::Around { zone, cell, .. } => self.of_expr(zone)?.max(self.of_expr(cell)?),
            Mask::When(expr)
            | Mask::Row { index: expr, .. }
            | Mask::Inside(expr)
            | Mask::Words { value: expr, .. }
            | Mask::Each {
                condition: expr, ..
            } => self.of_expr(expr)?,
            Mask::And(one, other) | Mask::Or(one, other) => {
                self.of_mask(one)?.max(self.of_mask(other)?)
            }
            Mask::Not(of)
            | Mask::Related { of, .. }
            | Mask::Kept { of, .. }
            | Mask::KeptFor { of, .. } => self.of_mask(of)?,
            Mask::Tops { of, none: expr, .. }
            | Mask::Lying { of, none: expr }
            | Mask::Through { of, none: expr, .. }
            | Mask::Shifted { of, none: expr, .. }
            | Mask::ThroughBy {
                of, index: expr, ..
            } => self.of_mask(of)?.max(self.of_expr(expr)?),
            Mask::Over { of, each, .. } => self.of_set(of)?.saturating_add(self.of_mask(each)?),
        };
        end(&mut self.masks, id, within)
    }

    /// Members of a list are asked while it is walked, so the parts of what has lists add up.
    fn of_parts(&mut self, parts: &[Child]) -> Option<u32> {
        let (mut lists, mut most) = (0u32, 0);
        for part in parts {
            match *part {
                Child::Expr(id) => most = most.max(self.of_expr(id)?),
                Child::Set(id) => lists = lists.saturating_add(self.of_set(id)?),
            }
        }
        Some(lists.saturating_add(most))
    }

    fn of_query(&mut self, query: QueryId) -> Option<u32> {
        match self.program.queries.get(usize::from(query))?.body {
            QueryBody::Value(body) => self.of_expr(body),
            QueryBody::List(body) => self.of_set(body),
        }
    }

    fn of_dispatch(&mut self, dispatch: DispatchId) -> Option<u32> {
        let program = self.program;
        let dispatch = program.dispatches.get(usize::from(dispatch))?;
        let mut queries = dispatch.queries.iter().flatten();
        queries.try_fold(0, |most, query| Some(most.max(self.of_query(*query)?)))
    }
}

/// The depth of a part that has been looked at; `Some(None)` if it contains itself. Else it is being looked at now.
fn begin(depths: &mut [Depth], id: u32) -> Option<Option<u32>> {
    let Some(depth) = depths.get_mut(id as usize) else {
        return Some(None);
    };
    match *depth {
        Depth::Known(known) => Some(Some(known)),
        Depth::Open => Some(None),
        Depth::Unknown => {
            *depth = Depth::Open;
            None
        }
    }
}

fn end(depths: &mut [Depth], id: u32, within: u32) -> Option<u32> {
    let known = within.saturating_add(1);
    *depths.get_mut(id as usize)? = Depth::Known(known);
    Some(known)
}

//! Computes how deeply expressions can nest. Queries are not recursive, so there is a deepest one; if it is well within
//! the limit, play need not count.

use hashbrown::HashMap;

use wyrmgate_program::*;

/// The engine stops at 1,000 levels; up to this depth, play need not count.
pub const NESTING_MAX: u32 = 900;

/// Returns the deepest nesting that evaluation can reach, if it is at most [`NESTING_MAX`].
pub fn deepest(program: &Program) -> Option<u32> {
    let mut depths = Depths {
        program,
        known: HashMap::new(),
    };
    let mut exprs = (0..program.exprs.len() as ExprId).map(|id| depths.of_part(Part::Expr(id)));
    let of_exprs = exprs.try_fold(0, |most, depth| Some(most.max(depth?)))?;
    let mut sets = (0..program.sets.len() as SetId).map(|id| depths.of_part(Part::Set(id)));
    let of_sets = sets.try_fold(0, |most, depth| Some(most.max(depth?)))?;
    // Expressions are evaluated for members while a list is being walked.
    let deepest = of_exprs.saturating_add(of_sets);
    (deepest <= NESTING_MAX).then_some(deepest)
}

/// How deep the parts of an operation are.
#[derive(Default)]
struct Inside {
    lists: u32,
    exprs: u32,
    masks: u32,
    calls: u32,
}

impl Inside {
    fn summed(&self) -> u32 {
        let parts = self.lists.saturating_add(self.exprs);
        parts.saturating_add(self.masks).saturating_add(self.calls)
    }
}

/// What has a depth.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Nested {
    Expr(ExprId),
    Set(SetId),
    Mask(MaskId),
}

struct Depths<'p> {
    program: &'p Program,
    /// The known depths; `None` is in progress, so reaching it again means a cycle.
    known: HashMap<Nested, Option<u32>>,
}

impl Depths<'_> {
    /// Returns a depth that is determined once; `None` if it contains itself.
    fn once(
        &mut self,
        nested: Nested,
        within: impl FnOnce(&mut Self) -> Option<u32>,
    ) -> Option<u32> {
        if let Some(known) = self.known.get(&nested) {
            return *known;
        }
        self.known.insert(nested, None);
        let depth = within(self)?.saturating_add(1);
        self.known.insert(nested, Some(depth));
        Some(depth)
    }

    fn of_part(&mut self, part: Part) -> Option<u32> {
        let nested = match part {
            Part::Expr(id) => Nested::Expr(id),
            Part::Set(id) => Nested::Set(id),
        };
        self.once(nested, |depths| {
            let node = depths.program.node(part)?;
            Some(depths.inside(node)?.summed())
        })
    }

    fn of_mask(&mut self, id: MaskId) -> Option<u32> {
        self.once(Nested::Mask(id), |depths| {
            let mask = depths.program.masks.get(id as usize)?.mask;
            let inside = depths.inside(mask)?;
            // The parts of a mask are evaluated one after the other.
            Some(inside.lists.saturating_add(inside.exprs.max(inside.masks)))
        })
    }

    /// Returns the depths of what an operation is made of.
    fn inside<T: Operation>(&mut self, operation: T) -> Option<Inside> {
        let mut inside = Inside::default();
        for part in operation.parts(self.program) {
            let depth = self.of_part(part)?;
            match part {
                Part::Expr(_) => inside.exprs = inside.exprs.max(depth),
                // Members of a list are asked while it is walked, so lists add up.
                Part::Set(_) => inside.lists = inside.lists.saturating_add(depth),
            }
        }
        let (mut masks, mut queries, mut dispatches) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_known = true;
        operation.each_field(&mut |field| match field {
            Field::Mask(id) => masks.push(*id),
            Field::Query(id) => queries.push(*id),
            Field::Dispatch(id) => dispatches.push(*id),
            // An effect may call itself.
            Field::Supposed(_) => is_known = false,
            // Parts are looked at above; the others are not evaluated.
            Field::Expr(_)
            | Field::Row(_)
            | Field::Set(_)
            | Field::InOrder(_)
            | Field::Temp(_)
            | Field::ListTemp(_)
            | Field::Bound(_)
            | Field::BoundList(_)
            | Field::Frame(_)
            | Field::Word(_)
            | Field::Address(_)
            | Field::Site(_)
            | Field::Args(_)
            | Field::FaceDown(_) => {}
        });
        if !is_known {
            return None;
        }
        for mask in masks {
            inside.masks = inside.masks.max(self.of_mask(mask)?);
        }
        for query in queries {
            inside.calls = inside.calls.max(self.of_query(query)?);
        }
        for dispatch in dispatches {
            inside.calls = inside.calls.max(self.of_dispatch(dispatch)?);
        }
        Some(inside)
    }

    fn of_query(&mut self, query: QueryId) -> Option<u32> {
        self.of_part(self.program.query(query)?.body.part())
    }

    fn of_dispatch(&mut self, dispatch: DispatchId) -> Option<u32> {
        let program = self.program;
        let dispatch = program.dispatches.get(usize::from(dispatch))?;
        let mut queries = dispatch.queries.iter().flatten();
        queries.try_fold(0, |most, query| Some(most.max(self.of_query(*query)?)))
    }
}

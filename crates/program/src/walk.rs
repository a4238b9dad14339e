//! Walks over expressions, lists and masks. Only the rows of the table state the parts of an operation.

use std::ops::Range;

use super::{
    BinderInfo, DispatchId, Expr, ExprId, Field, Mask, Program, QueryId, Row, RowFacts, Set, SetId,
    Temp,
};

/// A part of an expression or list: an operand, a key, an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Expr(ExprId),
    Set(SetId),
}

impl Part {
    /// Returns a placeholder, for comparing operations without their parts.
    pub fn blank(self) -> Part {
        match self {
            Part::Expr(_) => Part::Expr(0),
            Part::Set(_) => Part::Set(0),
        }
    }
}

/// The operation of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Node {
    Expr(Expr),
    Set(Set),
}

impl Operation for Node {
    fn each_field(self, visit: &mut dyn FnMut(Field<'_>)) {
        match self {
            Node::Expr(expr) => expr.each_field(visit),
            Node::Set(set) => set.each_field(visit),
        }
    }

    fn each_field_mut(&mut self, visit: &mut dyn FnMut(Field<'_>)) {
        match self {
            Node::Expr(expr) => expr.each_field_mut(visit),
            Node::Set(set) => set.each_field_mut(visit),
        }
    }

    fn facts(&self) -> RowFacts {
        match self {
            Node::Expr(expr) => expr.facts(),
            Node::Set(set) => set.facts(),
        }
    }
}

/// A field that is an expression, a row of them, or a list.
enum Operand<'o> {
    Expr(&'o mut ExprId),
    Row(&'o mut ExprId),
    Set(&'o mut SetId),
}

fn operand(field: Field<'_>) -> Option<Operand<'_>> {
    match field {
        Field::Expr(id) => Some(Operand::Expr(id)),
        Field::Row(id) => Some(Operand::Row(id)),
        Field::Set(id) | Field::InOrder(id) => Some(Operand::Set(id)),
        Field::Mask(_)
        | Field::Temp(_)
        | Field::ListTemp(_)
        | Field::Bound(_)
        | Field::BoundList(_)
        | Field::Frame(_)
        | Field::Word(_)
        | Field::Query(_)
        | Field::Dispatch(_)
        | Field::Address(_)
        | Field::Site(_)
        | Field::Args(_)
        | Field::Supposed(_)
        | Field::FaceDown(_) => None,
    }
}

/// Expressions, lists and masks.
pub trait Operation: Copy + PartialEq {
    fn each_field(self, visit: &mut dyn FnMut(Field<'_>));
    fn each_field_mut(&mut self, visit: &mut dyn FnMut(Field<'_>));
    fn facts(&self) -> RowFacts;

    /// Returns the parts in the order of the fields, including arguments of calls.
    fn parts(self, program: &Program) -> Vec<Part> {
        let mut parts = Vec::new();
        self.each_field(&mut |field| match operand(field) {
            Some(Operand::Expr(id)) => parts.push(Part::Expr(*id)),
            Some(Operand::Set(id)) => parts.push(Part::Set(*id)),
            Some(Operand::Row(first)) => parts.extend(program.row(*first, self.facts().row)),
            None => {}
        });
        parts
    }

    /// Returns the same operation with these parts, as many as it has. Those of a row have consecutive ids.
    fn with_parts(mut self, parts: &[Part]) -> Self {
        let mut single = 0;
        self.each_field(&mut |field| {
            single += usize::from(matches!(
                operand(field),
                Some(Operand::Expr(_) | Operand::Set(_))
            ));
        });
        // All other parts belong to the row, whose first one stands for them.
        let in_row = parts.len().saturating_sub(single);
        let mut left = parts.iter();
        self.each_field_mut(&mut |field| match operand(field) {
            Some(Operand::Expr(id)) => {
                if let Some(Part::Expr(new)) = left.next() {
                    *id = *new;
                }
            }
            Some(Operand::Set(id)) => {
                if let Some(Part::Set(new)) = left.next() {
                    *id = *new;
                }
            }
            Some(Operand::Row(first)) => {
                let row = left.as_slice().get(..in_row).unwrap_or_default();
                if let Some(Part::Expr(new)) = row.first() {
                    *first = *new;
                }
                left = left.as_slice().get(in_row..).unwrap_or_default().iter();
            }
            None => {}
        });
        self
    }

    /// Returns the temp that it sets: to each member of its list, to a value, or to a list.
    fn bound(self) -> Option<Temp> {
        let mut bound = None;
        self.each_field(&mut |field| {
            if let Field::Bound(temp) | Field::BoundList(temp) = field {
                bound = Some(*temp);
            }
        });
        bound
    }

    /// Returns the words of the state that it reads or sets.
    fn words(self) -> Option<Range<u32>> {
        let mut first = None;
        self.each_field(&mut |field| {
            if let Field::Word(word) = field {
                first = Some(*word);
            }
        });
        let count = self.facts().words.max(1);
        first.map(|first| first..first.saturating_add(count))
    }

    /// Returns the highest temp that it names.
    fn highest_temp(self) -> Option<Temp> {
        let mut highest = None;
        self.each_field(&mut |field| {
            let named = if let Field::Temp(temp) | Field::Bound(temp) = field {
                Some(*temp)
            } else if let Field::ListTemp(temp) | Field::BoundList(temp) = field {
                temp.checked_add(1)
            } else {
                None
            };
            highest = highest.max(named);
        });
        highest
    }
}

macro_rules! operation {
    ($($Name:ident),*) => {
        $(
            impl Operation for $Name {
                fn each_field(self, visit: &mut dyn FnMut(Field<'_>)) {
                    $Name::each_field(self, visit);
                }

                fn each_field_mut(&mut self, visit: &mut dyn FnMut(Field<'_>)) {
                    $Name::each_field_mut(self, visit);
                }

                fn facts(&self) -> RowFacts {
                    $Name::facts(self)
                }
            }
        )*
    };
}

operation!(Expr, Set, Mask);

impl Program {
    /// Returns the operation of a part; `None` if there is no part with this id.
    pub fn node(&self, part: Part) -> Option<Node> {
        match part {
            Part::Expr(id) => self.exprs.get(id as usize).copied().map(Node::Expr),
            Part::Set(id) => self.sets.get(id as usize).copied().map(Node::Set),
        }
    }

    /// Returns whether a part and all parts inside it exist and pass a test.
    pub fn every_node(&self, part: Part, test: &mut dyn FnMut(Node) -> bool) -> bool {
        let Some(node) = self.node(part).filter(|node| test(*node)) else {
            return false;
        };
        let mut parts = node.parts(self).into_iter();
        parts.all(|part| self.every_node(part, test))
    }

    /// Returns the number of operations in an expression; `None` if there are more than `most`, or if it walks a list, runs
    /// a query or supposes an effect.
    pub fn operations_without_lists(&self, id: ExprId, most: usize) -> Option<usize> {
        let most = most.checked_sub(1)?;
        let expr = self.exprs.get(id as usize)?;
        let mut is_plain = true;
        expr.each_field(&mut |field| {
            is_plain &= !matches!(
                field,
                Field::Query(_) | Field::Dispatch(_) | Field::Supposed(_) | Field::Mask(_)
            );
        });
        let mut parts = expr.parts(self).into_iter().filter(|_| is_plain);
        let inside = parts.try_fold(0, |count, part| match part {
            Part::Expr(part) => Some(count + self.operations_without_lists(part, most - count)?),
            Part::Set(_) => None,
        })?;
        is_plain.then_some(inside + 1)
    }

    /// Returns the expressions of a row.
    fn row(&self, first: ExprId, row: Option<Row>) -> Vec<Part> {
        let counted = |count: usize| (first..).take(count).map(Part::Expr).collect();
        match row {
            None => Vec::new(),
            Some(Row::ZoneKeys(family)) => {
                let family = self.families.get(usize::from(family));
                counted(family.map_or(0, |family| family.keys.len()))
            }
            Some(Row::Pairs(table)) => {
                let pairs = self.tables.get(table as usize);
                counted(pairs.map_or(0, |pairs| pairs.len() / 2))
            }
            Some(Row::Count(count)) => counted(usize::from(count)),
            Some(Row::Arguments(query)) => self.arguments(first, self.params_of(query)),
            Some(Row::KindArguments(dispatch)) => counted(self.params_by_kind(dispatch)),
        }
    }

    fn params_of(&self, query: QueryId) -> u16 {
        let query = self.queries.get(usize::from(query));
        query.map_or(0, |query| query.params)
    }

    fn params_by_kind(&self, dispatch: DispatchId) -> usize {
        let dispatch = self.dispatches.get(usize::from(dispatch));
        dispatch.map_or(0, |dispatch| usize::from(dispatch.params))
    }

    /// Returns the arguments that fill this many temps. A list fills two.
    fn arguments(&self, first: ExprId, temps: u16) -> Vec<Part> {
        let mut left = temps;
        let mut all = Vec::new();
        for id in first.. {
            if left == 0 {
                break;
            }
            let is_list = matches!(self.exprs.get(id as usize), Some(Expr::ListArgument(_)));
            left = left.saturating_sub(if is_list { 2 } else { 1 });
            all.push(Part::Expr(id));
        }
        all
    }

    /// Returns the size of the lowest window of temps, which is large enough for every expression; computed once.
    pub fn lowest_window(&self) -> usize {
        let temps = self.caches.temps.get_or_init(|| self.temps_named());
        usize::from(*temps) + 1
    }

    /// Returns one more than the highest temp that expressions, lists, masks and decisions name.
    pub fn temps_named(&self) -> Temp {
        let of_exprs = self.exprs.iter().filter_map(|expr| expr.highest_temp());
        let of_sets = self.sets.iter().filter_map(|set| set.highest_temp());
        let of_masks = self
            .masks
            .iter()
            .filter_map(|info| info.mask.highest_temp());
        let of_sites = self.sites.iter().flat_map(|site| {
            let binders = site.options.iter().flat_map(|option| &option.binders);
            // The chosen value may be a list.
            let of_binders = binders.map(|binder: &BinderInfo| binder.temp.saturating_add(1));
            of_binders.chain([site.temps, site.seat_temp])
        });
        let all = of_exprs.chain(of_sets).chain(of_masks).chain(of_sites);
        all.max().unwrap_or(0).saturating_add(1)
    }
}

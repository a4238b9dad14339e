//! The possible values of expressions and members of lists: from the tables they read, the types of variables, and
//! arithmetic.

use super::{
    Binary, DOMAIN_BITS, Expr, ExprId, ExtremeKey, KeyedList, ListUpTo, MemberTest, NONE, Program,
    QueryBody, QueryId, Set, SetId, SortedList, SupposedList, TableId, TableLookUp, Temp, Type,
    VarRole, WithinSearch,
};

/// The lowest and the highest value, both included.
type Range = (i32, i32);

/// The range of no values at all: joined with another one, it changes nothing.
const NOTHING: Range = (i32::MAX, i32::MIN);

/// The maximum nesting that is examined.
const DEPTH_MAX: u32 = 32;

/// Returns the lowest and the highest possible value of an expression, if they are known. `temps` has those of temps.
pub fn range(program: &Program, id: ExprId, temps: &[(Temp, i32, i32)]) -> Option<Range> {
    Ranges::new(program, temps).of_expr(id)
}

/// Returns the lowest and the highest possible member of a list, if they are known and there can be members. `temps` has
/// the possible values of temps.
pub fn range_of_members(program: &Program, id: SetId, temps: &[(Temp, i32, i32)]) -> Option<Range> {
    let range = Ranges::new(program, temps).of_members(id);
    range.filter(|(low, high)| low <= high)
}

struct Ranges<'p> {
    program: &'p Program,
    temps: Vec<(Temp, i32, i32)>,
    /// How much deeper it may go.
    left: u32,
}

impl<'p> Ranges<'p> {
    fn new(program: &'p Program, temps: &[(Temp, i32, i32)]) -> Ranges<'p> {
        Ranges {
            program,
            temps: temps.to_vec(),
            left: DEPTH_MAX,
        }
    }

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let left = self.left;
        self.left = left.checked_sub(1)?;
        let found = inside(self);
        self.left = left;
        found
    }

    fn of_expr(&mut self, id: ExprId) -> Option<Range> {
        let expr = *self.program.exprs.get(id as usize)?;
        self.deeper(|ranges| ranges.of_operation(expr))
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "nothing is known of the values of the others"
    )]
    fn of_operation(&mut self, expr: Expr) -> Option<Range> {
        let program = self.program;
        let components = program.components.len() as i32;
        match expr {
            Expr::Const(value) => Some((value, value)),
            Expr::Temp(temp) => {
                let mut temps = self.temps.iter().rev();
                let found = temps.find(|(known, ..)| *known == temp);
                found.map(|(_, low, high)| (*low, *high))
            }
            Expr::Table(TableLookUp { table, default, .. }) => {
                let values = program.tables.get(table as usize)?;
                Some(joined_with(ends(values), default))
            }
            Expr::Word(offset) => of_word(program, offset),
            Expr::WordAt(at) => Some(joined_with(of_word(program, at.offset)?, at.default)),
            Expr::ZoneOf(_) | Expr::ZoneIn { .. } | Expr::ZoneAt { .. } | Expr::Inside(_) => {
                Some((NONE, program.zones.len() as i32 - 1))
            }
            Expr::HolderOf(_)
            | Expr::ZoneFirst(_)
            | Expr::ZoneLast(_)
            | Expr::AtCell { .. }
            | Expr::ComponentAt { .. } => Some((NONE, components - 1)),
            Expr::ZoneCount(_) | Expr::PlaceOf(_) => Some((0, components)),
            Expr::OwnerOf(_) | Expr::SeatAfter { .. } => Some((NONE, program.seats as i32 - 1)),
            Expr::SideTurned { .. } => Some((NONE, program.identity.cells.count() - 1)),
            Expr::IsKind { .. } | Expr::Not(_) | Expr::And(..) | Expr::Or(..) => Some((0, 1)),
            Expr::Count(of) => Some((0, self.size(of)?)),
            Expr::First(of, default) | Expr::Last(of, default) => {
                Some(joined_with(self.of_members(of)?, default))
            }
            Expr::Call { query, .. } => self.of_query(query),
            Expr::Let { body, .. } | Expr::LetList { body, .. } => self.of_expr(body),
            Expr::Negate(of) => {
                let (low, high) = self.of_expr(of)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            Expr::If(_, then, otherwise) => {
                Some(joined(self.of_expr(then)?, self.of_expr(otherwise)?))
            }
            Expr::Binary(op, left, right) => {
                of_binary(op, self.of_expr(left)?, self.of_expr(right)?)
            }
            _ => None,
        }
    }

    fn of_members(&mut self, id: SetId) -> Option<Range> {
        let set = *self.program.sets.get(id as usize)?;
        self.deeper(|ranges| ranges.of_list(set))
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "nothing is known of the members of the others"
    )]
    fn of_list(&mut self, set: Set) -> Option<Range> {
        let program = self.program;
        match set {
            Set::Empty => Some(NOTHING),
            Set::Range(low, high) => {
                let (low, high) = (self.of_expr(low)?, self.of_expr(high)?);
                Some((low.0, high.1.max(low.0)))
            }
            Set::Table(table) => self.of_table(table),
            Set::Keyed(KeyedList { members, .. }) => self.of_table(members),
            Set::Zone(_) => Some((0, program.components.len() as i32 - 1)),
            Set::SeatsFrom(_) | Set::Others(_) => Some((0, program.seats as i32 - 1)),
            Set::List { first, count } => {
                let ranges = (first..first + u32::from(count)).map(|expr| self.of_expr(expr));
                let ranges: Vec<Range> = ranges.collect::<Option<_>>()?;
                Some(ranges.into_iter().fold(NOTHING, joined))
            }
            Set::Bits(mask) => {
                let domain = program.masks.get(mask as usize)?.domain;
                Some((domain.first, domain.first + i32::from(domain.len) - 1))
            }
            Set::Where(MemberTest { of, .. })
            | Set::Sorted(SortedList { of, .. })
            | Set::With(ExtremeKey { of, .. })
            | Set::UpTo(ListUpTo { of, .. })
            | Set::Minus(of, _)
            | Set::Reversed(of)
            | Set::PhysicalOrder(of)
            | Set::Take(of, _)
            | Set::Unique(of)
            | Set::Joined { list: of, .. }
            | Set::Let { list: of, .. }
            | Set::LetList { list: of, .. }
            | Set::After(SupposedList { list: of, .. }) => self.of_members(of),
            Set::Keys { of, temp, key } => {
                let known = self.of_members(of);
                self.temps
                    .extend(known.map(|(low, high)| (temp, low, high)));
                let range = self.of_expr(key);
                if known.is_some() {
                    self.temps.pop();
                }
                range
            }
            Set::Concat(one, other) | Set::If(_, one, other) => {
                Some(joined(self.of_members(one)?, self.of_members(other)?))
            }
            Set::Words { offset, .. } => of_word(program, offset),
            // A search reaches members only, never NONE.
            Set::Within(WithinSearch { from, next, .. }) => {
                let (low, high) = joined(self.of_members(from)?, self.of_members(next)?);
                Some((low.max(0), high))
            }
            Set::Call { query, .. } => self.of_query(query),
            _ => None,
        }
    }

    /// Returns the range of the value, or of the members of the list, that a query makes of any arguments.
    fn of_query(&mut self, query: QueryId) -> Option<Range> {
        let info = self.program.query(query)?;
        if info.deepest > 0 {
            return None;
        }
        let outside = std::mem::take(&mut self.temps);
        let range = match info.body {
            QueryBody::List(list) => self.of_members(list),
            QueryBody::Value(value) => self.of_expr(value),
        };
        self.temps = outside;
        range
    }

    fn of_table(&self, table: TableId) -> Option<Range> {
        Some(ends(self.program.tables.get(table as usize)?))
    }

    /// Returns the maximum number of members of a list, if it is known.
    fn size(&mut self, id: SetId) -> Option<i32> {
        let set = *self.program.sets.get(id as usize)?;
        self.deeper(|ranges| ranges.size_of_list(set))
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "nothing is known of the sizes of the others"
    )]
    fn size_of_list(&mut self, set: Set) -> Option<i32> {
        let program = self.program;
        match set {
            Set::Empty => Some(0),
            Set::Zone(_) | Set::PhysicalOrder(_) => i32::try_from(program.components.len()).ok(),
            Set::Range(low, high) => {
                let (low, high) = (self.of_expr(low)?, self.of_expr(high)?);
                Some(high.1.checked_sub(low.0)?.checked_add(1)?.max(0))
            }
            Set::Table(table) => i32::try_from(program.tables.get(table as usize)?.len()).ok(),
            Set::SeatsFrom(_) | Set::Others(_) => i32::try_from(program.seats).ok(),
            Set::Words { len, .. } => i32::try_from(len).ok(),
            Set::List { count, .. } => Some(i32::from(count)),
            Set::Bits(_) => i32::try_from(DOMAIN_BITS).ok(),
            Set::Where(MemberTest { of, .. })
            | Set::Keys { of, .. }
            | Set::Sorted(SortedList { of, .. })
            | Set::With(ExtremeKey { of, .. })
            | Set::Minus(of, _)
            | Set::Reversed(of)
            | Set::UpTo(ListUpTo { of, .. })
            | Set::Take(of, _)
            | Set::Unique(of) => self.size(of),
            Set::Concat(one, other) => self.size(one)?.checked_add(self.size(other)?),
            Set::If(_, then, otherwise) => Some(self.size(then)?.max(self.size(otherwise)?)),
            _ => None,
        }
    }
}

fn ends(values: &[i32]) -> Range {
    let values = values.iter().map(|value| (*value, *value));
    values.fold(NOTHING, joined)
}

fn joined(one: Range, other: Range) -> Range {
    (one.0.min(other.0), one.1.max(other.1))
}

fn joined_with(range: Range, default: i32) -> Range {
    joined(range, (default, default))
}

fn of_binary(op: Binary, left: Range, right: Range) -> Option<Range> {
    match op {
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessOrEqual
        | Binary::More
        | Binary::MoreOrEqual => Some((0, 1)),
        Binary::Add => Some((left.0.checked_add(right.0)?, left.1.checked_add(right.1)?)),
        Binary::Subtract => Some((left.0.checked_sub(right.1)?, left.1.checked_sub(right.0)?)),
        Binary::Multiply => {
            let corners = [
                left.0.checked_mul(right.0)?,
                left.0.checked_mul(right.1)?,
                left.1.checked_mul(right.0)?,
                left.1.checked_mul(right.1)?,
            ];
            Some(ends(&corners))
        }
        Binary::Divide | Binary::Modulo => None,
        Binary::Max => Some((left.0.max(right.0), left.1.max(right.1))),
        Binary::Min => Some((left.0.min(right.0), left.1.min(right.1))),
    }
}

fn of_word(program: &Program, offset: u32) -> Option<Range> {
    let mut vars = program.vars.iter();
    let var = vars.find(|var| (var.offset..var.offset + var.len).contains(&offset))?;
    let count = |count: usize| Some((NONE, count as i32 - 1));
    if let VarRole::Lengths { most, .. } = var.role {
        return Some((0, i32::try_from(most).ok()?));
    }
    match var.of {
        Type::Bool => Some((0, 1)),
        Type::Seat => count(program.seats),
        Type::Enum(id) => count(program.enums.get(usize::from(id))?.values.len()),
        Type::Component(_) => count(program.components.len()),
        Type::Zone(_) => count(program.zones.len()),
        Type::Side => count(program.identity.cells.sides().len()),
        Type::Int
        | Type::Cell
        | Type::Row(_)
        | Type::Record(_)
        | Type::Amounts(_)
        | Type::Letter => None,
    }
}

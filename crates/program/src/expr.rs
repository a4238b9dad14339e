//! Expressions: pure, total, without side effects. Scalars are [`Expr`]s, lists are [`Set`]s, both in arenas.
//!
//! Values live in two kinds of places. *Locals* are slots of the running effect's frame and part of the state. *Temps*
//! live only while an expression is evaluated: parameters of queries, the `it` of filters, the names of a choice while
//! choices are enumerated. A query call opens a new window of temps.

use super::{FamilyId, KindId};

pub type ExprId = u32;
pub type SetId = u32;
pub type TableId = u32;
pub type QueryId = u16;
pub type DispatchId = u16;
/// A slot of the running effect's frame.
pub type Local = u16;
/// A slot of the current window of temps.
pub type Temp = u16;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expr {
    Const(i32),
    Local(Local),
    Temp(Temp),
    /// A word of the state: variables without an index.
    Word(u32),
    /// Word `offset + index - low`; `none` (or 0, by `default`) outside `0..len`.
    WordAt {
        offset: u32,
        low: i32,
        len: u32,
        index: ExprId,
        default: i32,
    },
    /// `tables[table][index - low]`; `default` outside.
    Table {
        table: TableId,
        low: i32,
        index: ExprId,
        default: i32,
    },
    /// The value that a seat chose in a simultaneous choice: local `base + seat`; `default` outside.
    LocalAt {
        base: Local,
        index: ExprId,
        default: i32,
    },
    /// The zone of this family with these keys (as many consecutive expressions from `keys` as the family has keys);
    /// NONE if there is none.
    ZoneAt {
        family: FamilyId,
        keys: ExprId,
    },
    /// The component of a kind with these keys: `tables[table]` maps the mixed-radix key number to a component. `sizes`
    /// is a table of (low, size) pairs, one per key; the keys are consecutive expressions from `keys`.
    ComponentAt {
        table: TableId,
        sizes: TableId,
        keys: ExprId,
    },
    /// The zone of a component.
    ZoneOf(ExprId),
    /// The zone if it is of the family, else NONE.
    ZoneIn {
        family: FamilyId,
        zone: ExprId,
    },
    /// The zone inside a component.
    Inside(ExprId),
    /// The component that holds a zone, NONE for other zones.
    HolderOf(ExprId),
    /// The owner seat of a zone, NONE for other zones.
    OwnerOf(ExprId),
    /// The 1-based position of a component in its zone, 0 for none.
    PlaceOf(ExprId),
    IsFaceUp(ExprId),
    /// Whether the component's kind is this one or in this family.
    IsKind {
        kind: KindId,
        of: ExprId,
    },
    /// The next (`by` 1) or previous (`by` -1) seat.
    SeatAfter {
        seat: ExprId,
        by: i8,
    },
    /// The value of an expression that the rules reveal on purpose: to everybody, or to the seat `to` (NONE:
    /// everybody). Only programs for the search for leaks contain it.
    Revealed {
        of: ExprId,
        to: ExprId,
        number: super::RevealId,
    },
    Not(ExprId),
    Negate(ExprId),
    Abs(ExprId),
    Binary(Binary, ExprId, ExprId),
    /// The number of a pair: `(one - low_of_one) × count + other - low_of_other`, where `other` has `count` values.
    Pair {
        one: ExprId,
        other: ExprId,
        low_of_one: i32,
        low_of_other: i32,
        count: i32,
    },
    And(ExprId, ExprId),
    Or(ExprId, ExprId),
    If(ExprId, ExprId, ExprId),
    /// The arguments are `argc` consecutive expressions from `args`; they become temps 0.. of the callee.
    Call {
        query: QueryId,
        args: ExprId,
    },
    /// `me` is the first argument; its kind selects the query.
    CallKind {
        dispatch: DispatchId,
        args: ExprId,
    },
    /// Only as an argument of a call: the list goes to the scratch list area and fills two temps (offset, length).
    ListArgument(SetId),
    // ---- of lists
    Count(SetId),
    IsEmpty(SetId),
    Contains(SetId, ExprId),
    /// The second is the result for an empty list: 0 for numbers and truth values, NONE otherwise.
    First(SetId, i32),
    Last(SetId, i32),
    /// 1-based; the third is the result outside of the list.
    Nth(SetId, ExprId, i32),
    IndexOf(SetId, ExprId),
    /// Whether a condition, with the member in `temp`, holds for some or every member.
    Some {
        of: SetId,
        temp: Temp,
        condition: ExprId,
    },
    Every {
        of: SetId,
        temp: Temp,
        condition: ExprId,
    },
    Sum {
        of: SetId,
        temp: Temp,
        key: ExprId,
    },
    /// The extreme value of the key; 0 for no members.
    Extreme {
        of: SetId,
        temp: Temp,
        key: ExprId,
        most: bool,
    },
    /// The number of different values of the key.
    Distinct {
        of: SetId,
        temp: Temp,
        key: ExprId,
    },
    /// The longest unbroken straight line of spaces of a grid through this one that fulfil the condition (with the
    /// space in `temp`).
    InARow {
        family: FamilyId,
        zone: ExprId,
        temp: Temp,
        condition: ExprId,
    },
    /// The number of members of a zone, without walking it.
    ZoneCount(ExprId),
    /// Whether the zone exists and is empty.
    IsFreeZone(ExprId),
    /// The number of words in `offset..offset + len` of the variables with this value.
    CountWords {
        offset: u32,
        len: u32,
        value: ExprId,
    },
    ZoneFirst(ExprId),
    ZoneLast(ExprId),
    // ---- of masks
    /// Whether the mask has any member.
    AnyBit(super::MaskId),
    CountBits(super::MaskId),
    /// The lowest member; the second is the result for an empty mask.
    FirstBit(super::MaskId, i32),
    /// Like [`Expr::InARow`]: the members of the mask fulfil the condition.
    LineOfBits {
        zone: ExprId,
        of: super::MaskId,
        lines: super::LinesId,
    },
    // ---- of open grids
    /// The place of a component on its open grid, NONE elsewhere.
    CellOf(ExprId),
    /// Quarter turns clockwise, 0..3.
    RotationOf(ExprId),
    /// The component of a zone at a place.
    AtCell {
        zone: ExprId,
        cell: ExprId,
    },
    /// The adjacent place on a side.
    CellBeside {
        cell: ExprId,
        side: ExprId,
    },
    /// The side that is this many quarter turns clockwise from this one.
    SideTurned {
        side: ExprId,
        by: ExprId,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Max,
    Min,
}

/// Lists; iterated lazily, in the order stated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Set {
    Empty,
    /// Components of a zone, first to last.
    Zone(ExprId),
    /// `low..=high` (components of a kind, zones of a family, seats, enum values, numbers); empty if high < low.
    Range(ExprId, ExprId),
    /// The values of a constant table, in order.
    Table(super::TableId),
    /// Components by a constant field, or a list by its number: `tables[members]` from `tables[starts][value - low]` to
    /// the next start.
    Keyed {
        starts: super::TableId,
        members: super::TableId,
        low: i32,
        value: ExprId,
        /// Whether the same value may occur twice.
        repeats: bool,
    },
    /// All seats, beginning with this one; none for NONE.
    SeatsFrom(ExprId),
    /// Like `SeatsFrom`, without the seat itself.
    Others(ExprId),
    /// A list in the running frame: the slot holds the offset in the stack, slot + 1 the length.
    Local(Local),
    /// The list a seat chose in a simultaneous choice: slots `base + 2 × seat`.
    LocalAt {
        base: Local,
        index: ExprId,
    },
    /// A list parameter of a query: the temp holds the offset in the scratch list area, temp + 1 the length.
    Temp(Temp),
    /// `count` consecutive expressions from `first`.
    List {
        first: ExprId,
        count: u16,
    },
    Where {
        of: SetId,
        temp: Temp,
        condition: ExprId,
    },
    /// The key of each member, as a list.
    Keys {
        of: SetId,
        temp: Temp,
        key: ExprId,
    },
    /// Stable.
    Sorted {
        of: SetId,
        temp: Temp,
        key: ExprId,
        descending: bool,
    },
    /// The members with the extreme key.
    With {
        of: SetId,
        temp: Temp,
        key: ExprId,
        most: bool,
    },
    Concat(SetId, SetId),
    Minus(SetId, SetId),
    Reversed(SetId),
    /// Components in physical order: zone after zone, first to last.
    AsTheyLie(SetId),
    /// The first members, up to this number.
    Take(SetId, ExprId),
    /// Each value once, in order of first appearance.
    Unique(SetId),
    If(ExprId, SetId, SetId),
    /// A query whose result is a list; arguments as in [`Expr::Call`].
    Call {
        query: QueryId,
        args: ExprId,
    },
    CallKind {
        dispatch: DispatchId,
        args: ExprId,
    },
    /// Everything that can be reached from the members of `from` in at most `steps` steps, including themselves:
    /// nearest first, each once. `next` lists the neighbors of the member in `temp`.
    Within {
        from: SetId,
        steps: ExprId,
        temp: Temp,
        next: SetId,
    },
    /// Cells of an open grid: empty ones next to a component of the zone, each once, in the order of the components and
    /// sides; the origin of an empty grid.
    FreeCells(ExprId),
    /// The cells that components of the zone occupy.
    TakenCells(ExprId),
    /// The members of a mask, the lowest first.
    Bits(super::MaskId),
}

/// A named query. Temps `0..params` are its arguments (a list argument takes two: offset and length).
#[derive(Debug, Clone)]
pub struct QueryInfo {
    pub name: String,
    pub params: u16,
    /// Size of its window of temps.
    pub temps: u16,
    pub body: QueryBody,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum QueryBody {
    Value(ExprId),
    List(SetId),
}

/// The meaning of a member call for each kind, indexed by [`super::KindId`].
#[derive(Debug, Clone, Default)]
pub struct Dispatch {
    pub name: String,
    pub queries: Vec<Option<QueryId>>,
    pub effects: Vec<Option<super::EffectId>>,
    /// The result for a kind that has none.
    pub default: i32,
    pub params: u16,
}

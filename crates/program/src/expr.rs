//! Expressions: pure, total, without side effects. Scalars are [`Expr`]s, lists are [`Set`]s, both in arenas.
//!
//! Values live in two kinds of places. *Locals* are slots of the running effect's frame and part of the state. *Temps*
//! live only while an expression is evaluated: parameters of queries, the `it` of filters, the names of a choice while
//! choices are enumerated. A query call opens a new window of temps.

use super::table::{Field, Row, RowFacts, field, operations};
use super::{Binary, FamilyId, Fold, KindId, MaskId, Part, RevealId, WaySet};

pub type ExprId = u32;
/// The first of several expressions in a row.
pub type RowId = ExprId;
pub type SetId = u32;
pub type TableId = u32;
pub type QueryId = u16;
pub type DispatchId = u16;
/// An effect that runs in a copy of the position.
pub type Supposed = super::EffectId;
/// A slot of the running effect's frame.
pub type Local = u16;
/// A slot of the current window of temps.
pub type Temp = u16;
/// A temp that holds each member of a list in turn.
pub type BoundTemp = Temp;
/// The first of two temps that refer to a list: its offset and its length.
pub type ListTemp = Temp;
/// The first of two temps that are made to refer to a list.
pub type BoundListTemp = Temp;
/// A position that the game remembers: a number, so that equal values of different positions differ.
pub type PositionId = u16;
/// A word of the variables of the state.
pub type WordId = u32;

operations! {
    /// Scalars: one row per operation; see [`crate::Field`].
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Expr {
        Const(value: i32) => pure,
        Local(slot: Local) => reads,
        Temp(temp: Temp) => reads,
        /// A word of the state: variables without an index.
        Word(word: WordId) => reads,
        /// Word `offset + index - low`; `none` (or 0, by `default`) outside `0..len`.
        WordAt as WordByIndex { offset: WordId, low: i32, len: u32, index: ExprId, default: i32 } => reads + words(*len),
        /// `tables[table][index - low]`; `default` outside.
        Table as TableLookUp { table: TableId, low: i32, index: ExprId, default: i32 } => pure,
        /// The value that a seat chose in a simultaneous choice: local `base + seat`; `default` outside.
        LocalAt as LocalByIndex { base: Local, index: ExprId, default: i32 } => reads,
        /// Zone of this family with these keys; NONE if there is none.
        ZoneAt { family: FamilyId, keys: RowId } => pure + row(Row::ZoneKeys(*family)),
        /// Component of a kind by keys: `tables[table]` maps the mixed-radix key number to a component. `sizes` is a
        /// table of (low, size) pairs, one pair per key.
        ComponentAt { table: TableId, sizes: TableId, keys: RowId } => pure + row(Row::Pairs(*sizes)),
        /// The zone of a component.
        ZoneOf(component: ExprId) => reads,
        /// The zone if it is of the family, else NONE.
        ZoneIn { family: FamilyId, zone: ExprId } => pure,
        /// The zone inside a component.
        Inside(component: ExprId) => pure,
        /// The component that holds a zone, NONE for other zones.
        HolderOf(zone: ExprId) => pure,
        /// The owner seat of a zone, NONE for other zones.
        OwnerOf(zone: ExprId) => pure,
        /// The 1-based position of a component in its zone, 0 for none.
        PlaceOf(component: ExprId) => reads,
        IsFaceUp(component: ExprId) => reads,
        /// `none` lies neither face up nor face down.
        IsFaceDown(component: ExprId) => reads,
        /// Whether a seat may know the front of a component now; in a condition of visibility, nobody.
        Knows { seat: ExprId, component: ExprId } => reads,
        /// Whether the component's kind is this one or in this family.
        IsKind { kind: KindId, of: ExprId } => pure,
        /// The next (`by` 1) or previous (`by` -1) seat.
        SeatAfter { seat: ExprId, by: i8 } => pure,
        /// The value of an expression that the rules reveal on purpose: to everybody, or to the seat `to` (NONE:
        /// everybody). Only in programs that are compiled for the laws; programs for play contain only the value.
        Revealed { of: ExprId, to: ExprId, number: RevealId } => reads,
        Not(of: ExprId) => pure,
        Negate(of: ExprId) => pure + overflows,
        Abs(of: ExprId) => pure + overflows,
        Binary(op: Binary, left: ExprId, right: ExprId) => pure + overflows_if(op.can_overflow()),
        /// The number of a pair: `(one - low_of_one) × count + other - low_of_other`, where `other` has `count` values.
        Pair as NumberPair { one: ExprId, other: ExprId, low_of_one: i32, low_of_other: i32, count: i32 } => pure,
        And(left: ExprId, right: ExprId) => pure,
        Or(left: ExprId, right: ExprId) => pure,
        If(condition: ExprId, then: ExprId, otherwise: ExprId) => pure,
        /// The arguments become temps 0.. of the callee.
        Call { query: QueryId, args: RowId } => reads + overflows + row(Row::Arguments(*query)),
        /// `me` is the first argument; its kind selects the query.
        CallKind { dispatch: DispatchId, args: RowId } => reads + overflows + row(Row::KindArguments(*dispatch)),
        /// The value in the position after an effect, which is not performed. The arguments are evaluated before it.
        After as SupposedValue { effect: Supposed, args: RowId, count: u16, value: ExprId } => reads + overflows + row(Row::Count(*count)),
        /// The body, with the value in `temp`.
        Let { value: ExprId, temp: BoundTemp, body: ExprId } => pure,
        LetList { value: SetId, temp: BoundListTemp, body: ExprId } => pure,
        /// How often a position with these values has been recorded; see [`crate::Op::Record`].
        Recorded { position: PositionId, of: SetId } => reads,
        /// Only as an argument of a call: the list goes to the scratch list area and fills two temps (offset, length).
        ListArgument(of: SetId) => pure,
        // ---- of lists
        Count(of: SetId) => pure,
        IsEmpty(of: SetId) => pure,
        Contains(of: SetId, member: ExprId) => pure,
        /// The second is the result for an empty list: 0 for numbers and truth values, NONE otherwise.
        First(of: SetId, default: i32) => pure,
        Last(of: SetId, default: i32) => pure,
        /// 1-based; the third is the result outside of the list.
        Nth(of: SetId, place: ExprId, default: i32) => pure,
        IndexOf(of: SetId, member: ExprId) => pure,
        /// Whether a condition, with the member in `temp`, holds for some or every member.
        Some as MemberTest { of: SetId, temp: BoundTemp, condition: ExprId } => pure,
        Every like MemberTest { of: SetId, temp: BoundTemp, condition: ExprId } => pure,
        Sum { of: SetId, temp: BoundTemp, key: ExprId } => pure + overflows,
        /// The extreme value of the key; 0 for no members.
        Extreme as ExtremeKey { of: SetId, temp: BoundTemp, key: ExprId, most: bool } => pure,
        /// The number of different values of the key.
        Distinct { of: SetId, temp: BoundTemp, key: ExprId } => pure,
        /// The result of a function of the keys of all members, in order.
        Fold as FoldedKeys { fold: Fold, of: SetId, temp: BoundTemp, key: ExprId } => pure + overflows_if(fold.can_overflow()),
        /// A question about the selections of `least` to `most` members that fulfill the condition, with the selection in
        /// `temp` and the next one.
        Selections as SelectionsAsked { what: Chosen, of: SetId, least: ExprId, most: ExprId, temp: BoundListTemp, condition: ExprId, key: ExprId } => pure + overflows,
        /// The longest unbroken straight line of spaces of a grid through this one, of which the condition holds (with
        /// the space in `temp`), along some of the ways of a grid.
        InARow as LineSearch { family: FamilyId, ways: WaySet, zone: ExprId, temp: BoundTemp, condition: ExprId } => pure,
        /// Whether these letters, in any case, are a word of a list; or with `begins`, the beginning of one.
        Spelled as SpelledWord { of: SetId, starts: TableId, letters: TableId, begins: bool } => pure,
        /// The number of members of a zone, without walking it.
        ZoneCount(zone: ExprId) => reads,
        /// Whether the zone exists and is empty.
        IsFreeZone(zone: ExprId) => reads,
        ZoneFirst(zone: ExprId) => reads,
        ZoneLast(zone: ExprId) => reads,
        // ---- of open grids
        /// The place of a component on its open grid, NONE elsewhere.
        CellOf(component: ExprId) => reads,
        /// Quarter turns clockwise, 0..3.
        RotationOf(component: ExprId) => reads,
        /// The component of a zone at a place.
        AtCell { zone: ExprId, cell: ExprId } => reads,
        /// The adjacent place on a side.
        CellBeside { cell: ExprId, side: ExprId } => pure,
        /// The side that is this many quarter turns clockwise from this one.
        SideTurned { side: ExprId, by: ExprId } => pure,
    }
}

operations! {
    /// Lists; iterated lazily, in the order stated.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Set {
        Empty => pure,
        /// Components of a zone, first to last.
        Zone(zone: ExprId) => reads,
        /// `low..=high` (components of a kind, zones of a family, seats, enum values, numbers); empty if high < low.
        Range(low: ExprId, high: ExprId) => pure,
        /// The values of a constant table, in order.
        Table(table: TableId) => pure,
        /// Components by a constant field, or a list by its number: `tables[members]` from `tables[starts][value - low]`
        /// to the next start. With `repeats` the same value may come twice.
        Keyed as KeyedList { starts: TableId, members: TableId, low: i32, value: ExprId, repeats: bool } => pure,
        /// All seats, beginning with this one; none for NONE.
        SeatsFrom(seat: ExprId) => pure,
        /// All other seats, beginning with the one after this; none for NONE.
        Others(seat: ExprId) => pure,
        /// A list in the running frame: the slot holds the offset in the stack, slot + 1 the length.
        Local(slot: Local) => reads,
        /// The list a seat chose in a simultaneous choice: slots `base + 2 × seat`.
        LocalAt { base: Local, index: ExprId } => reads,
        /// A list parameter of a query, in the scratch list area.
        Temp(temp: ListTemp) => reads,
        /// The values of a variable with a value for each key, in the order of the keys.
        Words { offset: WordId, len: u32 } => reads + words(*len),
        /// `count` consecutive expressions from `first`.
        List { first: RowId, count: u16 } => pure + row(Row::Count(*count)),
        Where like MemberTest { of: SetId, temp: BoundTemp, condition: ExprId } => pure,
        /// The key of each member, as a list.
        Keys { of: SetId, temp: BoundTemp, key: ExprId } => pure + walked,
        /// The lists of all members, one after the other.
        Joined { of: SetId, temp: BoundTemp, list: SetId } => pure + walked,
        /// Stable.
        Sorted as SortedList { of: SetId, temp: BoundTemp, key: ExprId, descending: bool } => pure,
        /// The members with the extreme key.
        With like ExtremeKey { of: SetId, temp: BoundTemp, key: ExprId, most: bool } => pure + walked,
        Concat(one: SetId, other: SetId) => pure,
        Minus(of: SetId, without: SetId) => pure,
        Reversed(of: SetId) => pure,
        /// Components in physical order: zone after zone, first to last.
        PhysicalOrder(of: SetId) => reads,
        /// The members before the first one that fulfills the condition, and that one too if `with_it`.
        UpTo as ListUpTo { of: SetId, temp: BoundTemp, condition: ExprId, with_it: bool } => pure + walked,
        /// The first members, up to this number.
        Take(of: SetId, count: ExprId) => pure + walked,
        /// Each value once, in order of first appearance.
        Unique(of: SetId) => pure,
        /// The values whose letters, `tables[values][value]`, follow these letters in words of a list.
        Following as FollowingLetters { of: SetId, starts: TableId, letters: TableId, values: TableId } => pure + walked,
        If(condition: ExprId, then: SetId, otherwise: SetId) => pure,
        /// A query whose result is a list; arguments as in [`Expr::Call`].
        Call { query: QueryId, args: RowId } => reads + overflows + row(Row::Arguments(*query)),
        CallKind { dispatch: DispatchId, args: RowId } => reads + walked + overflows + row(Row::KindArguments(*dispatch)),
        /// Everything that can be reached from the members of `from` in at most `steps` steps, including the members
        /// themselves: nearest first, each once. `next` lists what is one step from the member in `temp`.
        Within as WithinSearch { from: SetId, steps: ExprId, temp: BoundTemp, next: SetId } => pure + walked,
        /// Cells of an open grid: empty ones next to a component of the zone, each once, in the order of the components and
        /// sides; the origin of an empty grid.
        FreeCells(zone: ExprId) => reads + walked,
        /// The cells that components of the zone occupy.
        TakenCells(zone: ExprId) => reads + walked,
        /// The members of a mask, the lowest first.
        Bits(mask: MaskId) => reads + overflows,
        /// The list, with the value in `temp`.
        Let { value: ExprId, temp: BoundTemp, list: SetId } => pure,
        LetList { value: SetId, temp: BoundListTemp, list: SetId } => pure + walked,
        /// The list as it is in the position after an effect, as for [`Expr::After`].
        After as SupposedList { effect: Supposed, args: RowId, count: u16, list: SetId } => reads + walked + overflows + row(Row::Count(*count)),
    }
}

impl NumberPair {
    /// Returns the number of a pair of these values.
    pub fn of(self, one: i32, other: i32) -> i32 {
        let row = one
            .saturating_sub(self.low_of_one)
            .saturating_mul(self.count);
        row.saturating_add(other.saturating_sub(self.low_of_other))
    }
}

/// The questions about selections, each with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Chosen {
    Count,
    Sum,
    Max,
    Min,
    /// Whether the key holds for any of them.
    Any,
    All,
}

/// A named query. Temps `0..params` are its arguments (a list argument takes two: offset and length).
#[derive(Debug, Clone)]
pub struct QueryInfo {
    pub name: String,
    pub params: u16,
    /// Size of its window of temps.
    pub temps: u16,
    pub body: QueryBody,
    /// How often it can be nested in itself at most; 0 for a query that does not use itself.
    pub deepest: u16,
    pub number: QueryId,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum QueryBody {
    Value(ExprId),
    List(SetId),
}

impl QueryBody {
    pub fn part(self) -> Part {
        match self {
            QueryBody::Value(body) => Part::Expr(body),
            QueryBody::List(body) => Part::Set(body),
        }
    }
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

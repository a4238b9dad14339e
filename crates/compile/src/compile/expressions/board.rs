//! Boards: directions, lines, groups, distances.
//!
//! Adjacency is constant, so a board becomes tables that an expression looks up: the next space in a direction, the whole
//! line in a direction. Play needs no operation that knows boards.

mod edges;
mod tables;

use crate::compile::compiler::Compiler;
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast;
use wyrmgate_program::*;

/// The number of spaces of a board up to which distances are stored for every pair.
const DISTANCES_MAX: usize = 400;

/// Enough steps to reach everything.
const FAR: i32 = 65_535;

/// A space in an expression, and the board to which it belongs.
#[derive(Debug, Clone, Copy)]
struct OnBoard {
    family: FamilyId,
    zone: ExprId,
}

/// The directions in which a rule looks.
#[derive(Debug, Clone)]
struct Ways {
    list: SetId,
    /// The numbers, unless they depend on the state.
    known: Option<Vec<i32>>,
}

impl Compiler<'_> {
    // ---- functions

    /// `step(square, 1)`
    pub fn step(&mut self, space: ValueAt, way: &ast::Expr) -> Option<Value> {
        let space = self.space(space)?;
        let way = self.number(way)?;
        let next = self.next_space(space, way)?;
        Some(Value::One(next, Some(Type::Zone(Some(space.family)))))
    }

    /// `line(square, 1)`
    pub fn line(&mut self, space: ValueAt, way: &ast::Expr) -> Option<Value> {
        let space = self.straight(space)?;
        let way = self.number(way)?;
        let line = self.line_from(space, way)?;
        Some(Value::List(line, Some(Type::Zone(Some(space.family)))))
    }

    /// `steps(square, orthogonal)`
    pub fn steps(&mut self, space: ValueAt, ways: Option<&ast::Expr>, name: Span) -> Option<Value> {
        let space = self.space(space)?;
        let ways = self.ways(space.family, ways, name)?;
        let beside = self.beside(space, &ways)?;
        Some(Value::List(beside, Some(Type::Zone(Some(space.family)))))
    }

    /// `slides(square, diagonal, it is free)`
    pub fn slides(
        &mut self,
        space: ValueAt,
        ways: Option<&ast::Expr>,
        passes: &ast::Expr,
        name: Span,
    ) -> Option<Value> {
        let space = self.straight(space)?;
        let ways = self.ways(space.family, ways, name)?;
        self.in_each_way(space, &ways, |c, line| {
            let (temp, passes) = c.filter(passes, Some(Type::Zone(Some(space.family))), None)?;
            let ends = c.b.not(passes);
            Some(c.until(line, temp, ends, true))
        })
    }

    /// `enclosed(square, compass, stone[it] = left(p), stone[it] = p)`
    pub fn enclosed(
        &mut self,
        space: ValueAt,
        ways: Option<&ast::Expr>,
        between: &ast::Expr,
        end: &ast::Expr,
        name: Span,
    ) -> Option<Value> {
        let space = self.straight(space)?;
        let ways = self.ways(space.family, ways, name)?;
        self.in_each_way(space, &ways, |c, line| {
            let member = Some(Type::Zone(Some(space.family)));
            let (temp, between) = c.filter(between, member, None)?;
            let others = c.b.not(between);
            let run = c.until(line, temp, others, false);
            let behind = c.b.filtered(line, temp, others);
            let one = c.b.constant(1);
            let behind = c.b.set(Set::Take(behind, one));
            let (temp, condition) = c.filter(end, member, None)?;
            let closes = c.b.some(behind, temp, condition);
            let nothing = c.b.set(Set::Empty);
            Some(c.b.set(Set::If(closes, run, nothing)))
        })
    }

    /// `group(point, orthogonal, stone[it] = p)`
    pub fn group(
        &mut self,
        from: ValueAt,
        ways: Option<&ast::Expr>,
        condition: &ast::Expr,
        name: Span,
    ) -> Option<Value> {
        let (family, from) = self.spaces(from)?;
        let ways = self.ways_of_a_search(family, ways, name)?;
        let of = Some(Type::Zone(Some(family)));
        let from = self.only(from, condition, of)?;
        let mark = self.scope.mark();
        let temp = self.scope.temp(Ty::one(of));
        let zone = self.b.temp(temp);
        let beside = self.beside(OnBoard { family, zone }, &ways);
        let next = beside.and_then(|beside| self.only(beside, condition, of));
        self.scope.reset(mark);
        Some(self.all_within(from, (temp, next?), of))
    }

    /// `border(point, orthogonal, stone[it] = p)`: one search, which continues from members only.
    pub fn border(
        &mut self,
        from: ValueAt,
        ways: Option<&ast::Expr>,
        condition: &ast::Expr,
        name: Span,
    ) -> Option<Value> {
        let (family, from) = self.spaces(from)?;
        let ways = self.ways_of_a_search(family, ways, name)?;
        let of = Some(Type::Zone(Some(family)));
        let from = self.only(from, condition, of)?;
        let mark = self.scope.mark();
        let (temp, belongs) = self.filter(condition, of, None)?;
        // The member's temp stays in use.
        self.scope.temp(Ty::one(of));
        let zone = self.b.temp(temp);
        let beside = self.beside(OnBoard { family, zone }, &ways);
        self.scope.reset(mark);
        let beside = beside?;
        let nothing = self.b.set(Set::Empty);
        let next = self.b.set(Set::If(belongs, beside, nothing));
        let Value::List(reached, of) = self.all_within(from, (temp, next), of) else {
            return None;
        };
        let condition = self.b.not(belongs);
        Some(Value::List(self.b.filtered(reached, temp, condition), of))
    }

    /// Translates directions that are listed for each member of a search. The member's temp, which is the next one, is read
    /// while they are listed, so theirs come behind it.
    fn ways_of_a_search(
        &mut self,
        family: FamilyId,
        ways: Option<&ast::Expr>,
        name: Span,
    ) -> Option<Ways> {
        let mark = self.scope.mark();
        self.scope.temp(Ty::one(Some(Type::Zone(Some(family)))));
        let ways = self.ways(family, ways, name);
        self.scope.reset(mark);
        ways
    }

    /// `distance(a, b, orthogonal)`
    pub fn distance(
        &mut self,
        from: ValueAt,
        to: &ast::Expr,
        ways: Option<&ast::Expr>,
        name: Span,
    ) -> Option<Value> {
        let from = self.space(from)?;
        let family = from.family;
        let to = self.one(to, Type::Zone(Some(family)))?;
        let ways = self.ways(family, ways, name)?;
        let board = self.board(family)?;
        let Some(known) = ways.known.filter(|_| board.spaces() <= DISTANCES_MAX) else {
            let message = format!(
                "distances are known on boards of at most {DISTANCES_MAX} spaces, in constant directions"
            );
            let help =
                "compute it from the coordinates of the spaces, or count the steps of `within`";
            return self.problem("no-distance", name, message, help);
        };
        // Nothing leads from or to no space.
        let row = board.spaces() + 1;
        let mut table = vec![NONE; row];
        for zone in board.zones() {
            table.push(NONE);
            table.extend(board.distances(zone, &known));
        }
        let table = self.b.table(table);
        let (one, other) = (self.place_on(&board, from.zone), self.place_on(&board, to));
        let index = self.b.expr(Expr::Pair(NumberPair {
            one,
            other,
            low_of_one: 0,
            low_of_other: 0,
            count: row as i32,
        }));
        let distance = self.b.look_up(table, index);
        Some(Value::One(distance, Some(Type::Int)))
    }

    /// `up_to(deck, it is dragon)`, `before(deck, it is dragon)`
    pub fn up_to(&mut self, list: ValueAt, condition: &ast::Expr, with_it: bool) -> Option<Value> {
        let (of, member) = self.list_from(list.value, list.span)?;
        let (temp, condition) = self.filter(condition, member, None)?;
        Some(Value::List(
            self.until(of, temp, condition, with_it),
            member,
        ))
    }

    /// Adds the members before the first one that fulfills the condition, and that one too if `with_it`.
    fn until(&mut self, of: SetId, temp: Temp, condition: ExprId, with_it: bool) -> SetId {
        self.b.set(Set::UpTo(ListUpTo {
            of,
            temp,
            condition,
            with_it,
        }))
    }

    /// `in_a_row(point, stone[it] = p)` on a board whose directions are declared: the longest line is the longest of one
    /// direction and its opposite.
    pub fn in_a_row_of_board(
        &mut self,
        family: FamilyId,
        zone: ExprId,
        condition: &ast::Expr,
    ) -> Option<Value> {
        let space = OnBoard { family, zone };
        let (one_way, opposite) = self.pairs_of_directions(family)?;
        let of = Some(Type::Zone(Some(family)));
        let mark = self.scope.mark();
        let pair = self.scope.temp(Ty::INT);
        let index = self.b.temp(pair);
        let last = one_way.len() as i32 - 1;
        let one = self.run_along(space, one_way, index, condition);
        let other = self.run_along(space, opposite, index, condition);
        self.scope.reset(mark);
        let key = self.b.binary(Binary::Add, one?, other?);
        let Value::List(pairs, _) = self.range_of(0, last, Type::Int) else {
            return None;
        };
        let longest = self.b.expr(Expr::Extreme(ExtremeKey {
            of: pairs,
            temp: pair,
            key,
            most: true,
        }));
        let longest = self.b.compare(Binary::Add, longest, 1);
        let itself = self.b.list(&[zone]);
        let (temp, condition) = self.filter(condition, of, None)?;
        let belongs = self.b.some(itself, temp, condition);
        let nothing = self.b.constant(0);
        let length = self.b.expr(Expr::If(belongs, longest, nothing));
        Some(Value::One(length, Some(Type::Int)))
    }

    /// Returns the number of spaces behind a space for which a condition holds, up to the first for which it does not. The
    /// direction is the one at `index` in the list.
    fn run_along(
        &mut self,
        space: OnBoard,
        directions: Vec<i32>,
        index: ExprId,
        condition: &ast::Expr,
    ) -> Option<ExprId> {
        let table = self.b.table(directions);
        let direction = self.b.look_up(table, index);
        let of = self.line_from(space, direction)?;
        let spaces = Some(Type::Zone(Some(space.family)));
        let (temp, holds) = self.filter(condition, spaces, None)?;
        let ends = self.b.not(holds);
        let run = self.until(of, temp, ends, false);
        Some(self.b.expr(Expr::Count(run)))
    }

    /// Returns one direction of each line of a board, and their opposites; `None` if the board declares no directions.
    fn pairs_of_directions(&self, family: FamilyId) -> Option<(Vec<i32>, Vec<i32>)> {
        let decl = self.world.family(family)?;
        if decl.directions.is_empty() {
            return None;
        }
        let opposite = |way: i32| match decl.lines.is_empty() {
            // Half a turn among the eight directions of the same kind.
            true => (way - 1) / 8 * 8 + (way - 1 + 4) % 8 + 1,
            false => (way - 1) / 2 * 2 + way % 2 + 1,
        };
        let mut one_way: Vec<i32> = Vec::new();
        for way in &decl.directions {
            if !one_way.contains(&opposite(*way)) {
                one_way.push(*way);
            }
        }
        let other = one_way.iter().map(|way| opposite(*way)).collect();
        Some((one_way, other))
    }

    // ---- their parts
}

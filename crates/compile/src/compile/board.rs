//! Boards: directions, lines, groups, distances.
//!
//! What is adjacent is constant, so a board becomes tables that an expression looks up: the next space in a direction, the
//! whole line in a direction. Play needs no operation that knows boards.

use std::collections::VecDeque;

use super::Compiler;
use super::value::Value;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast;
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// The number of spaces of a board up to which distances are stored for every pair.
const DISTANCES_MAX: usize = 400;

/// Enough steps to reach everything.
const FAR: i32 = 65_535;

/// What is adjacent on a board.
#[derive(Debug, Clone, Default)]
pub struct Board {
    first: i32,
    /// For each direction, the next space of each space, by its place on the board.
    next: Vec<Vec<i32>>,
    /// By the number of a zone: its place on the board from 1, or 0.
    places: TableId,
}

impl Board {
    fn spaces(&self) -> usize {
        self.next.first().map_or(0, Vec::len)
    }

    /// Returns the next space in a direction from 1.
    fn step(&self, zone: i32, way: i32) -> i32 {
        let next = usize::try_from(way - 1).ok();
        let next = next.and_then(|way| self.next.get(way));
        let place = usize::try_from(zone - self.first).ok();
        let found = next.and_then(|next| next.get(place?).copied());
        found.unwrap_or(NONE)
    }

    /// Returns the spaces in a direction. A line that leads back to where it began ends there.
    fn line(&self, zone: i32, way: i32) -> Vec<i32> {
        let mut line = Vec::new();
        let mut at = self.step(zone, way);
        while at != NONE && at != zone && line.len() < self.spaces() {
            line.push(at);
            at = self.step(at, way);
        }
        line
    }

    fn zones(&self) -> impl Iterator<Item = i32> + use<> {
        self.first..self.first + self.spaces() as i32
    }

    /// Returns the spaces next to a space, each once.
    fn beside(&self, zone: i32, ways: &[i32]) -> Vec<i32> {
        let mut beside = Vec::new();
        for way in ways {
            let next = self.step(zone, *way);
            if next != NONE && !beside.contains(&next) {
                beside.push(next);
            }
        }
        beside
    }

    /// Returns the number of steps to each space.
    fn distances(&self, from: i32, ways: &[i32]) -> Vec<i32> {
        let mut steps = vec![NONE; self.spaces()];
        let mut open = VecDeque::from([(from, 0)]);
        while let Some((zone, distance)) = open.pop_front() {
            let place = usize::try_from(zone - self.first).unwrap_or(usize::MAX);
            let Some(known) = steps.get_mut(place).filter(|known| **known == NONE) else {
                continue;
            };
            *known = distance;
            let beside = self.beside(zone, ways).into_iter();
            open.extend(beside.map(|next| (next, distance + 1)));
        }
        steps
    }
}

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
    pub fn step(&mut self, space: (Value, Span), way: &ast::Expr) -> Option<Value> {
        let space = self.space(space)?;
        let way = self.number(way)?;
        let next = self.next_space(space, way)?;
        Some(Value::One(next, Some(Type::Zone(Some(space.family)))))
    }

    /// `line(square, 1)`
    pub fn line(&mut self, space: (Value, Span), way: &ast::Expr) -> Option<Value> {
        let space = self.space(space)?;
        let way = self.number(way)?;
        let line = self.line_from(space, way)?;
        Some(Value::List(line, Some(Type::Zone(Some(space.family)))))
    }

    /// `steps(square, orthogonal)`
    pub fn steps(
        &mut self,
        space: (Value, Span),
        ways: Option<&ast::Expr>,
        name: Span,
    ) -> Option<Value> {
        let space = self.space(space)?;
        let ways = self.ways(space.family, ways, name)?;
        let beside = self.beside(space, &ways)?;
        Some(Value::List(beside, Some(Type::Zone(Some(space.family)))))
    }

    /// `slides(square, diagonal, it is free)`
    pub fn slides(
        &mut self,
        space: (Value, Span),
        ways: Option<&ast::Expr>,
        passes: &ast::Expr,
        name: Span,
    ) -> Option<Value> {
        let space = self.space(space)?;
        let ways = self.ways(space.family, ways, name)?;
        self.in_each_way(space, &ways, |c, line| {
            let (temp, passes) = c.filter(passes, Some(Type::Zone(Some(space.family))), None)?;
            let condition = c.b.not(passes);
            Some(Set::UpTo {
                of: line,
                temp,
                condition,
                with_it: true,
            })
        })
    }

    /// `enclosed(square, compass, stone[it] = left(p), stone[it] = p)`
    pub fn enclosed(
        &mut self,
        space: (Value, Span),
        ways: Option<&ast::Expr>,
        (between, end): (&ast::Expr, &ast::Expr),
        name: Span,
    ) -> Option<Value> {
        let space = self.space(space)?;
        let ways = self.ways(space.family, ways, name)?;
        self.in_each_way(space, &ways, |c, line| {
            let member = Some(Type::Zone(Some(space.family)));
            let (temp, between) = c.filter(between, member, None)?;
            let others = c.b.not(between);
            let run = c.b.set(Set::UpTo {
                of: line,
                temp,
                condition: others,
                with_it: false,
            });
            let behind = c.b.set(Set::Where {
                of: line,
                temp,
                condition: others,
            });
            let one = c.b.constant(1);
            let behind = c.b.set(Set::Take(behind, one));
            let (temp, condition) = c.filter(end, member, None)?;
            let closes = c.b.expr(Expr::Some {
                of: behind,
                temp,
                condition,
            });
            let nothing = c.b.set(Set::Empty);
            Some(Set::If(closes, run, nothing))
        })
    }

    /// `group(point, orthogonal, stone[it] = p)`
    pub fn group(
        &mut self,
        from: (Value, Span),
        ways: Option<&ast::Expr>,
        condition: &ast::Expr,
        name: Span,
    ) -> Option<Value> {
        let (family, from) = self.spaces(from)?;
        let ways = self.ways(family, ways, name)?;
        let of = Some(Type::Zone(Some(family)));
        let from = self.only(from, condition, of)?;
        let mark = self.scope.mark();
        let temp = self.scope.temp(Ty { of, list: false });
        let zone = self.b.expr(Expr::Temp(temp));
        let beside = self.beside(OnBoard { family, zone }, &ways);
        let next = beside.and_then(|beside| self.only(beside, condition, of));
        self.scope.reset(mark);
        Some(self.all_within(from, (temp, next?), of))
    }

    /// `border(point, orthogonal, stone[it] = p)`: one search, which goes on from members only.
    pub fn border(
        &mut self,
        from: (Value, Span),
        ways: Option<&ast::Expr>,
        condition: &ast::Expr,
        name: Span,
    ) -> Option<Value> {
        let (family, from) = self.spaces(from)?;
        let ways = self.ways(family, ways, name)?;
        let of = Some(Type::Zone(Some(family)));
        let from = self.only(from, condition, of)?;
        let mark = self.scope.mark();
        let (temp, belongs) = self.filter(condition, of, None)?;
        // The member's temp stays in use.
        self.scope.temp(Ty { of, list: false });
        let zone = self.b.expr(Expr::Temp(temp));
        let beside = self.beside(OnBoard { family, zone }, &ways);
        self.scope.reset(mark);
        let beside = beside?;
        let nothing = self.b.set(Set::Empty);
        let next = self.b.set(Set::If(belongs, beside, nothing));
        let Value::List(reached, of) = self.all_within(from, (temp, next), of) else {
            return None;
        };
        let condition = self.b.not(belongs);
        let border = Set::Where {
            of: reached,
            temp,
            condition,
        };
        Some(Value::List(self.b.set(border), of))
    }

    /// `distance(a, b, orthogonal)`
    pub fn distance(
        &mut self,
        from: (Value, Span),
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
        let index = self.b.expr(Expr::Pair {
            one,
            other,
            low_of_one: 0,
            low_of_other: 0,
            count: row as i32,
        });
        let distance = Expr::Table {
            table,
            low: 0,
            index,
            default: NONE,
        };
        Some(Value::One(self.b.expr(distance), Some(Type::Int)))
    }

    /// `up_to(deck, it is dragon)`, `before(deck, it is dragon)`
    pub fn up_to(
        &mut self,
        (list, span): (Value, Span),
        condition: &ast::Expr,
        with_it: bool,
    ) -> Option<Value> {
        let (of, member) = self.list_from(list, span)?;
        let (temp, condition) = self.filter(condition, member, None)?;
        let first = Set::UpTo {
            of,
            temp,
            condition,
            with_it,
        };
        Some(Value::List(self.b.set(first), member))
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
        let index = self.b.expr(Expr::Temp(pair));
        let mut both = Vec::new();
        for ways in [&one_way, &opposite] {
            let table = self.b.table(ways.clone());
            let way = self.b.expr(Expr::Table {
                table,
                low: 0,
                index,
                default: NONE,
            });
            let run = self.line_from(space, way).and_then(|line| {
                let (temp, holds) = self.filter(condition, of, None)?;
                let condition = self.b.not(holds);
                Some(self.b.set(Set::UpTo {
                    of: line,
                    temp,
                    condition,
                    with_it: false,
                }))
            });
            both.extend(run.map(|run| self.b.expr(Expr::Count(run))));
        }
        self.scope.reset(mark);
        let &[one, other] = both.as_slice() else {
            return None;
        };
        let key = self.b.expr(Expr::Binary(Binary::Add, one, other));
        let last = one_way.len() as i32 - 1;
        let Value::List(pairs, _) = self.range_of(0, last, Type::Int) else {
            return None;
        };
        let longest = self.b.expr(Expr::Extreme {
            of: pairs,
            temp: pair,
            key,
            most: true,
        });
        let one = self.b.constant(1);
        let longest = self.b.expr(Expr::Binary(Binary::Add, longest, one));
        let first = self.b.row(&[zone]);
        let itself = self.b.set(Set::List { first, count: 1 });
        let (temp, condition) = self.filter(condition, of, None)?;
        let belongs = self.b.expr(Expr::Some {
            of: itself,
            temp,
            condition,
        });
        let nothing = self.b.constant(0);
        let length = self.b.expr(Expr::If(belongs, longest, nothing));
        Some(Value::One(length, Some(Type::Int)))
    }

    /// Returns one direction of each line of a board, and their opposites; `None` if the board declares no directions.
    fn pairs_of_directions(&self, family: FamilyId) -> Option<(Vec<i32>, Vec<i32>)> {
        let decl = self.world.families.get(usize::from(family))?;
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

    fn space(&mut self, (value, span): (Value, Span)) -> Option<OnBoard> {
        let zone = self.one_from(value, Type::Zone(None), span)?;
        let family = self.board_family(value.ty().of, span)?;
        Some(OnBoard { family, zone })
    }

    /// Returns one space or several: a zone stands for itself here, and not for its contents.
    fn spaces(&mut self, (value, span): (Value, Span)) -> Option<(FamilyId, SetId)> {
        let (set, of) = self.members_or_itself(value, span)?;
        let family = self.board_family(of, span)?;
        Some((family, set))
    }

    fn board_family(&mut self, of: Option<Type>, span: Span) -> Option<FamilyId> {
        if let Some(Type::Zone(Some(id))) = of {
            let decl = self.world.families.get(usize::from(id));
            let has_lines = decl.is_some_and(|decl| !decl.lines.is_empty());
            let info = self.b.program.families.get(usize::from(id));
            if has_lines || info.is_some_and(|info| info.grid.is_some()) {
                return Some(id);
            }
        }
        let message = "this is not a space of a board";
        let help = "pass a space of a zone family with `grid: [column, row]` or `lines`";
        self.problem("no-board", span, message, help)
    }

    /// Returns the directions that a rule names, or those of the board.
    fn ways(&mut self, family: FamilyId, ways: Option<&ast::Expr>, name: Span) -> Option<Ways> {
        let list = match ways {
            Some(ways) => self.list_typed(ways, Type::Int)?,
            None => {
                let decl = self.world.families.get(usize::from(family))?;
                if decl.directions.is_empty() {
                    let message = format!("`{}` declares no directions", decl.name);
                    let help = "name them: `orthogonal`, `diagonal`, `compass`, `hexagonal` or `leaps`; or add `directions: orthogonal` to the zone";
                    return self.problem("no-directions", name, message, help);
                }
                let table = self.b.table(decl.directions.clone());
                self.b.set(Set::Table(table))
            }
        };
        let known = pure::list(&self.b.program, list, &mut Known::default());
        Some(Ways { list, known })
    }

    /// Joins what a line of each direction yields.
    fn in_each_way(
        &mut self,
        space: OnBoard,
        ways: &Ways,
        of_line: impl FnOnce(&mut Self, SetId) -> Option<Set>,
    ) -> Option<Value> {
        let mark = self.scope.mark();
        let temp = self.scope.temp(Ty::INT);
        let way = self.b.expr(Expr::Temp(temp));
        let line = self.line_from(space, way);
        let found = line.and_then(|line| of_line(self, line));
        self.scope.reset(mark);
        let list = self.b.set(found?);
        let joined = Set::Joined {
            of: ways.list,
            temp,
            list,
        };
        Some(Value::List(
            self.b.set(joined),
            Some(Type::Zone(Some(space.family))),
        ))
    }

    /// Returns the members that fulfil a condition.
    fn only(&mut self, of: SetId, condition: &ast::Expr, member: Option<Type>) -> Option<SetId> {
        let (temp, condition) = self.filter(condition, member, None)?;
        Some(self.b.set(Set::Where {
            of,
            temp,
            condition,
        }))
    }

    fn all_within(&mut self, from: SetId, next: (Temp, SetId), of: Option<Type>) -> Value {
        let steps = self.b.constant(FAR);
        let (temp, next) = next;
        let within = Set::Within {
            from,
            steps,
            temp,
            next,
        };
        Value::List(self.b.set(within), of)
    }

    /// Returns the spaces next to one, from a table if the directions are constant.
    fn beside(&mut self, space: OnBoard, ways: &Ways) -> Option<SetId> {
        let board = self.board(space.family)?;
        if let Some(known) = &ways.known {
            let mut lists = vec![Vec::new()];
            lists.extend(board.zones().map(|zone| board.beside(zone, known)));
            let value = self.place_on(&board, space.zone);
            return Some(self.listed(&lists, value));
        }
        let mark = self.scope.mark();
        let temp = self.scope.temp(Ty::INT);
        let way = self.b.expr(Expr::Temp(temp));
        let key = self.next_space(space, way);
        self.scope.reset(mark);
        let of = self.b.set(Set::Keys {
            of: ways.list,
            temp,
            key: key?,
        });
        let (member, none) = (self.b.expr(Expr::Temp(temp)), self.b.constant(NONE));
        let condition = self.b.expr(Expr::Binary(Binary::More, member, none));
        Some(self.b.set(Set::Where {
            of,
            temp,
            condition,
        }))
    }

    fn next_space(&mut self, space: OnBoard, way: ExprId) -> Option<ExprId> {
        let board = self.board(space.family)?;
        let mut table = Vec::new();
        for next in &board.next {
            table.push(NONE);
            table.extend(next);
        }
        let table = self.b.table(table);
        let index = self.in_way(&board, space.zone, way);
        Some(self.b.expr(Expr::Table {
            table,
            low: 0,
            index,
            default: NONE,
        }))
    }

    fn line_from(&mut self, space: OnBoard, way: ExprId) -> Option<SetId> {
        let board = self.board(space.family)?;
        let mut lists = Vec::new();
        for way in 1..=board.next.len() as i32 {
            lists.push(Vec::new());
            lists.extend(board.zones().map(|zone| board.line(zone, way)));
        }
        let value = self.in_way(&board, space.zone, way);
        Some(self.listed(&lists, value))
    }

    /// Returns the list with a number.
    fn listed(&mut self, lists: &[Vec<i32>], value: ExprId) -> SetId {
        let mut starts = vec![0];
        let mut end = 0;
        for list in lists {
            end += list.len() as i32;
            starts.push(end);
        }
        let (starts, members) = (self.b.table(starts), self.b.table(lists.concat()));
        self.b.set(Set::Keyed {
            starts,
            members,
            low: 0,
            value,
            repeats: false,
        })
    }

    /// Returns the number of a direction and a space together; a number out of every table for what does not exist.
    fn in_way(&mut self, board: &Board, zone: ExprId, way: ExprId) -> ExprId {
        let other = self.place_on(board, zone);
        self.b.expr(Expr::Pair {
            one: way,
            other,
            low_of_one: 1,
            low_of_other: 0,
            count: board.spaces() as i32 + 1,
        })
    }

    /// Returns the place of a zone on a board from 1, or 0.
    fn place_on(&mut self, board: &Board, zone: ExprId) -> ExprId {
        self.b.expr(Expr::Table {
            table: board.places,
            low: 0,
            index: zone,
            default: 0,
        })
    }

    fn board(&mut self, family: FamilyId) -> Option<Board> {
        if let Some(known) = self.boards.get(&family) {
            return Some(known.clone());
        }
        let board = self.new_board(family)?;
        self.boards.insert(family, board.clone());
        Some(board)
    }

    fn new_board(&mut self, id: FamilyId) -> Option<Board> {
        let decl = self.world.families.get(usize::from(id))?;
        let (first, spaces) = (i32::from(decl.first), i32::from(decl.count));
        let next = match decl.lines.is_empty() {
            true => {
                let program = &self.b.program;
                let next = |way: (i32, i32)| {
                    let step = |zone| {
                        let space = wyrmgate_program::Space::of(program, id, zone);
                        space.map_or(NONE, |space| space.step(way, 1))
                    };
                    (first..first + spaces).map(step).collect()
                };
                VECTORS.iter().map(|way| next(*way)).collect()
            }
            false => {
                let both = |line: &Vec<i32>| {
                    let back = line.iter().rev().copied().collect();
                    [line.clone(), back]
                };
                let lines = decl.lines.iter().flat_map(both);
                let next = |line: Vec<i32>| {
                    let behind = |zone: i32| {
                        let at = line.iter().position(|other| *other == zone)?;
                        line.get(at + 1).copied()
                    };
                    let zones = first..first + spaces;
                    zones.map(|zone| behind(zone).unwrap_or(NONE)).collect()
                };
                lines.map(next).collect()
            }
        };
        let mut places = vec![0; decl.first.into()];
        places.extend(1..=spaces);
        let places = self.b.table(places);
        Some(Board {
            first,
            next,
            places,
        })
    }
}

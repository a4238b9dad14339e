//! The tables of a board: what is adjacent, and the lines in each direction.

use super::{FAR, OnBoard, Ways};
use crate::compile::compiler::Compiler;
use crate::compile::terms::board::Board;
use crate::compile::terms::value::{Value, ValueAt};
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast;
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

impl Compiler<'_> {
    pub(super) fn space(&mut self, ValueAt { value, span }: ValueAt) -> Option<OnBoard> {
        let zone = self.one_from(value, Type::Zone(None), span)?;
        let family = self.board_family(value.ty().of, span)?;
        Some(OnBoard { family, zone })
    }

    /// Returns a space of a board with straight lines.
    pub(super) fn straight(&mut self, at: ValueAt) -> Option<OnBoard> {
        let space = self.space(at)?;
        if self.world.family(space.family)?.beside.is_empty() {
            return Some(space);
        }
        let help = "use `steps`, `group` or `within`";
        self.problem(
            "no-board",
            at.span,
            "no straight lines lead from here",
            help,
        )
    }

    /// Returns one space or several: a zone stands for itself here, and not for its contents.
    pub(super) fn spaces(&mut self, zones: ValueAt) -> Option<(FamilyId, SetId)> {
        let (set, of) = self.members_or_itself(zones)?;
        let family = self.board_family(of, zones.span)?;
        Some((family, set))
    }

    fn board_family(&mut self, of: Option<Type>, span: Span) -> Option<FamilyId> {
        if let Some(Type::Zone(Some(id))) = of {
            let decl = self.world.family(id);
            let has_lines = decl.is_some_and(|decl| !decl.lines.is_empty());
            let info = self.b.program.family(id);
            let has_neighbors = decl.is_some_and(|decl| !decl.beside.is_empty());
            if has_lines || has_neighbors || info.is_some_and(|info| info.grid.is_some()) {
                return Some(id);
            }
        }
        let message = "this is not a space of a board";
        let help = "pass a space of a zone family with `grid: [column, row]`, `lines`, `corners`, `sides` or `joins`";
        self.problem("no-board", span, message, help)
    }

    /// Returns the directions that a rule names, or those of the board.
    pub(super) fn ways(
        &mut self,
        family: FamilyId,
        ways: Option<&ast::Expr>,
        name: Span,
    ) -> Option<Ways> {
        let list = match ways {
            Some(ways) => self.list_typed(ways, Type::Int)?,
            None => {
                let decl = self.world.family(family)?;
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
    pub(super) fn in_each_way(
        &mut self,
        space: OnBoard,
        ways: &Ways,
        of_line: impl FnOnce(&mut Self, SetId) -> Option<SetId>,
    ) -> Option<Value> {
        let mark = self.scope.mark();
        let temp = self.scope.temp(Ty::INT);
        let way = self.b.temp(temp);
        let line = self.line_from(space, way);
        let found = line.and_then(|line| of_line(self, line));
        self.scope.reset(mark);
        let joined = Set::Joined {
            of: ways.list,
            temp,
            list: found?,
        };
        Some(self.list_value(joined, Some(Type::Zone(Some(space.family)))))
    }

    /// Returns the members that fulfill a condition.
    pub(super) fn only(
        &mut self,
        of: SetId,
        condition: &ast::Expr,
        member: Option<Type>,
    ) -> Option<SetId> {
        let (temp, condition) = self.filter(condition, member, None)?;
        Some(self.b.filtered(of, temp, condition))
    }

    pub(super) fn all_within(
        &mut self,
        from: SetId,
        next: (Temp, SetId),
        of: Option<Type>,
    ) -> Value {
        let steps = self.b.constant(FAR);
        let (temp, next) = next;
        let within = Set::Within(WithinSearch {
            from,
            steps,
            temp,
            next,
        });
        Value::List(self.b.set(within), of)
    }

    /// Returns the spaces next to one, from a table if the directions are constant.
    pub(super) fn beside(&mut self, space: OnBoard, ways: &Ways) -> Option<SetId> {
        let board = self.board(space.family)?;
        if let Some(known) = &ways.known {
            let mut lists = vec![Vec::new()];
            lists.extend(board.zones().map(|zone| board.beside(zone, known)));
            let value = self.place_on(&board, space.zone);
            return Some(self.listed(&lists, value));
        }
        let mark = self.scope.mark();
        let temp = self.scope.temp(Ty::INT);
        let way = self.b.temp(temp);
        let key = self.next_space(space, way);
        self.scope.reset(mark);
        let of = self.b.set(Set::Keys {
            of: ways.list,
            temp,
            key: key?,
        });
        let (member, none) = (self.b.temp(temp), self.b.constant(NONE));
        let condition = self.b.binary(Binary::More, member, none);
        Some(self.b.filtered(of, temp, condition))
    }

    pub(super) fn next_space(&mut self, space: OnBoard, way: ExprId) -> Option<ExprId> {
        let board = self.board(space.family)?;
        let mut table = Vec::new();
        for next in &board.next {
            table.push(NONE);
            table.extend(next);
        }
        let table = self.b.table(table);
        let index = self.in_way(&board, space.zone, way);
        Some(self.b.look_up(table, index))
    }

    pub(super) fn line_from(&mut self, space: OnBoard, way: ExprId) -> Option<SetId> {
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
    pub(super) fn listed(&mut self, lists: &[Vec<i32>], value: ExprId) -> SetId {
        let mut starts = vec![0];
        let mut end = 0;
        for list in lists {
            end += list.len() as i32;
            starts.push(end);
        }
        let (starts, members) = (self.b.table(starts), self.b.table(lists.concat()));
        self.b.set(Set::Keyed(KeyedList {
            starts,
            members,
            low: 0,
            value,
            repeats: false,
        }))
    }

    /// Returns the number of a direction and a space together; a number out of every table for what does not exist.
    fn in_way(&mut self, board: &Board, zone: ExprId, way: ExprId) -> ExprId {
        let other = self.place_on(board, zone);
        self.b.expr(Expr::Pair(NumberPair {
            one: way,
            other,
            low_of_one: 1,
            low_of_other: 0,
            count: board.spaces() as i32 + 1,
        }))
    }

    /// Returns the place of a zone on a board from 1, or 0.
    pub(super) fn place_on(&mut self, board: &Board, zone: ExprId) -> ExprId {
        self.b.expr(Expr::Table(TableLookUp {
            table: board.places,
            low: 0,
            index: zone,
            default: 0,
        }))
    }

    pub(super) fn board(&mut self, family: FamilyId) -> Option<Board> {
        if let Some(known) = self.boards.get(&family) {
            return Some(known.clone());
        }
        let board = self.new_board(family)?;
        self.boards.insert(family, board.clone());
        Some(board)
    }

    fn new_board(&mut self, id: FamilyId) -> Option<Board> {
        let decl = self.world.family(id)?;
        let (first, spaces) = (i32::from(decl.first), i32::from(decl.count));
        let next = match decl.lines.is_empty() {
            true if !decl.beside.is_empty() => {
                let in_way = |way: &i32| {
                    let beside = decl.beside.iter();
                    let next = |of: &Vec<i32>| of.get(*way as usize - 1).copied();
                    beside.map(|of| next(of).unwrap_or(NONE)).collect()
                };
                decl.directions.iter().map(in_way).collect()
            }
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

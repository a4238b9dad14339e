//! Statements: from the tree as written to code.

use super::Compiler;
use super::builder::LATER;
use super::scope::Binding;
use super::value::Value;
use crate::check::types::{Families, Ty, default_of};
use crate::check::world::{FieldDecl, Symbol};
use crate::diagnostic::Span;
use crate::lang::ast::{self, Block, ExprKind, Face, Finish, Name, Place, SetOp, Stmt, StmtKind};
use crate::program::*;

/// A loop being translated: jumps out of it and to its next pass.
#[derive(Default)]
pub struct Loop {
    pub stops: Vec<Address>,
    pub nexts: Vec<Address>,
    /// How many cleanups were open when it began.
    pub cleanups: usize,
}

/// What has to be ended when control leaves a turn, a phase or a round from the middle.
#[derive(Debug, Clone, Copy)]
pub enum Cleanup {
    Turn(Local),
    Phase(Local),
    Round,
}

impl Compiler<'_> {
    /// Names declared in a block end with it.
    pub fn block(&mut self, statements: &Block) {
        let mark = self.scope.mark();
        self.statements(statements);
        self.scope.reset(mark);
    }

    pub fn statements(&mut self, statements: &[Stmt]) {
        for (i, statement) in statements.iter().enumerate() {
            let cites = self.cite(&statement.cites);
            self.b.at(statement.span, cites);
            if let StmtKind::Choose(choose) = &statement.kind {
                let rest = statements.get(i + 1..).unwrap_or_default();
                if self.choose(choose, rest, statement) {
                    return;
                }
                continue;
            }
            self.statement(statement);
        }
    }

    /// A problem was reported if it is `None`; translation goes on with the next statement.
    fn statement(&mut self, statement: &Stmt) -> Option<()> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Let { name, value } => self.let_statement(name, value),
            StmtKind::Set { target, op, value } => self.set_statement(target, *op, value, span),
            StmtKind::If { arms, otherwise } => self.if_statement(arms, otherwise.as_ref()),
            StmtKind::Each { name, of, body } => self.each(name, of, body),
            StmtKind::Repeat { times, body } => self.repeat(times.as_ref(), body),
            StmtKind::While { condition, body } => self.while_loop(condition, body),
            StmtKind::Stop => self.leave_loop(span, true),
            StmtKind::Next => self.leave_loop(span, false),
            StmtKind::Return => {
                self.emit_cleanups(0);
                self.b.emit(Op::Return);
                Some(())
            }
            StmtKind::Choose(_) => Some(()),
            StmtKind::Ask {
                who,
                prompt,
                yes,
                no,
            } => self.ask(who.as_ref(), prompt, yes, no.as_ref(), statement),
            StmtKind::Move {
                what,
                to,
                place,
                face,
                turned,
            } => self.move_statement(what, to, place, *face, turned.as_ref()),
            StmtKind::Draw {
                count,
                from,
                to,
                face,
            } => self.draw(count, from, to, *face),
            StmtKind::Shuffle { zone } => {
                let zone = self.one(zone, Type::Zone(None))?;
                self.emit_shuffle(zone);
                Some(())
            }
            StmtKind::Roll { dice } => {
                let dice = self.list_typed(dice, Type::Component(None))?;
                self.emit_roll(dice);
                Some(())
            }
            StmtKind::Swap { one, other } => {
                let one = self.one(one, Type::Component(None));
                let other = self.one(other, Type::Component(None));
                self.b.emit(Op::Swap(one?, other?));
                Some(())
            }
            StmtKind::Turn { what, face } => {
                let what = self.list_typed(what, Type::Component(None))?;
                self.emit_turn(what, *face == Face::Down);
                Some(())
            }
            StmtKind::TurnOf { who, body } => self.turn_of(who, body),
            StmtKind::Turns { from, body } => self.turns(from, body),
            StmtKind::Phase { name, body } => self.phase(name, body),
            StmtKind::Round { body } => self.round(body),
            StmtKind::Say { text, to } => self.say(text, to.as_ref()),
            StmtKind::Show { what, to } => {
                let what = self.list_typed(what, Type::Component(None));
                let to = self.list_typed(to, Type::Seat);
                self.b.emit(Op::Show {
                    what: what?,
                    to: to?,
                });
                Some(())
            }
            StmtKind::Finish(finish) => self.finish(finish),
            StmtKind::Proceed => self.proceed(span),
            StmtKind::Prevent => self.prevent(span),
            StmtKind::Phrase { terms } => self.phrase(terms, span),
        }
    }

    // ---- values

    fn let_statement(&mut self, name: &Name, value: &ast::Expr) -> Option<()> {
        let value = self.expr(value, None)?;
        let ty = value.ty();
        let local = self.scope.local(ty);
        match value {
            Value::One(expr, _) => self.b.emit(Op::Let(local, expr)),
            Value::List(set, _) => self.b.emit(Op::LetList(local, set)),
        };
        self.scope.bind(&name.text, Binding::Local(local, ty));
        Some(())
    }

    fn set_statement(
        &mut self,
        target: &ast::Expr,
        op: SetOp,
        value: &ast::Expr,
        span: Span,
    ) -> Option<()> {
        match &target.kind {
            ExprKind::Name(name) => match self.scope.find(&name.text) {
                Some(Binding::Local(local, ty)) if !ty.list => {
                    let old = self.b.expr(Expr::Local(local));
                    let value = self.new_value(old, ty.of, op, value, span)?;
                    self.b.emit(Op::Let(local, value));
                    Some(())
                }
                Some(_) => self.cannot_set(target.span),
                None => self.set_variable(name, op, value, span),
            },
            ExprKind::Index(of, index) => match &of.kind {
                ExprKind::Name(name) => self.set_indexed(name, index, op, value, span),
                _ => self.cannot_set(target.span),
            },
            ExprKind::Field(of, name, None) => self.set_field(of, name, op, value, span),
            _ => self.cannot_set(target.span),
        }
    }

    fn cannot_set(&mut self, span: Span) -> Option<()> {
        self.problem(
            "cannot-set",
            span,
            "this cannot be given a value",
            "variables, `let` names and fields that change can; components are moved",
        )
    }

    /// `old op value`
    fn new_value(
        &mut self,
        old: ExprId,
        of: Option<Type>,
        op: SetOp,
        value: &ast::Expr,
        span: Span,
    ) -> Option<ExprId> {
        let by = match of {
            Some(of) => self.one(value, of)?,
            None => {
                let value_found = self.expr(value, None)?;
                self.single(value_found, value.span)?
            }
        };
        let binary = match op {
            SetOp::Set => return Some(by),
            SetOp::Add => Binary::Add,
            SetOp::Subtract => Binary::Subtract,
        };
        if of != Some(Type::Int) {
            return self.mismatch(value.span, Ty { of, list: false }, Ty::INT);
        }
        Some(self.b.checked_expr(Expr::Binary(binary, old, by), span))
    }

    fn set_variable(
        &mut self,
        name: &Name,
        op: SetOp,
        value: &ast::Expr,
        span: Span,
    ) -> Option<()> {
        let id = match self.world.symbol(&name.text) {
            Some(Symbol::Var(id)) => id,
            Some(_) => return self.cannot_set(name.span),
            None => return self.unknown_name(name),
        };
        let old = self.name(name, None)?;
        let old = self.single(old, name.span)?;
        let var = self.world.vars.get(id as usize)?.clone();
        let value = self.new_value(old, Some(var.of), op, value, span)?;
        self.b.emit(Op::SetWord {
            offset: var.offset,
            value,
        });
        Some(())
    }

    fn set_indexed(
        &mut self,
        name: &Name,
        index: &ast::Expr,
        op: SetOp,
        value: &ast::Expr,
        span: Span,
    ) -> Option<()> {
        let Some(Symbol::Var(id)) = self.world.symbol(&name.text) else {
            return self.cannot_set(name.span);
        };
        let var = self.world.vars.get(id as usize)?.clone();
        let Some(by) = var.index else {
            return self.cannot_set(name.span);
        };
        let index = self.one(index, by)?;
        self.store_at(id, index, op, value, span)
    }

    fn store_at(
        &mut self,
        id: VarId,
        index: ExprId,
        op: SetOp,
        value: &ast::Expr,
        span: Span,
    ) -> Option<()> {
        let var = self.world.vars.get(id as usize)?.clone();
        let old = self.word_at(id, index);
        let old = self.single(old, span)?;
        let value = self.new_value(old, Some(var.of), op, value, span)?;
        self.b.emit(Op::SetWordAt {
            offset: var.offset,
            low: var.low,
            len: var.len,
            index,
            value,
        });
        Some(())
    }

    fn set_field(
        &mut self,
        of: &ast::Expr,
        name: &Name,
        op: SetOp,
        value: &ast::Expr,
        span: Span,
    ) -> Option<()> {
        let holder = self.expr(of, None)?;
        let Value::One(index, ty) = holder else {
            return self.mismatch(of.span, holder.ty(), holder.ty().element());
        };
        if let Some(Symbol::Var(id)) = self.world.symbol(&name.text)
            && let Some(by) = self.world.vars.get(id as usize).and_then(|v| v.index)
            && self.world.fits(ty, Some(by))
        {
            return self.store_at(id, index, op, value, span);
        }
        let Some(Type::Component(Some(kind))) = ty else {
            return self.cannot_set(name.span);
        };
        let Some(field) = self.changing_field(kind, &name.text) else {
            return self.problem(
                "cannot-set",
                name.span,
                format!("`{}` does not change in play", name.text),
                "a field that changes is declared with the name of its type: `fields: {laps: int}`",
            );
        };
        let FieldPlace::Changing { offset, first } = field.place else {
            return None;
        };
        let (low, len) = (first as i32, field.count);
        let old = self.b.expr(Expr::WordAt {
            offset,
            low,
            len,
            index,
            default: default_of(field.of),
        });
        let value = self.new_value(old, Some(field.of), op, value, span)?;
        self.b.emit(Op::SetWordAt {
            offset,
            low,
            len,
            index,
            value,
        });
        Some(())
    }

    fn changing_field(&self, kind: KindId, name: &str) -> Option<FieldDecl> {
        let kinds = self.world.kinds.iter().filter(|k| k.family == Some(kind));
        let fields = self
            .world
            .kind(kind)
            .fields
            .iter()
            .chain(kinds.flat_map(|k| k.fields.iter()));
        let mut changing =
            fields.filter(|f| f.name == name && matches!(f.place, FieldPlace::Changing { .. }));
        changing.next().cloned()
    }

    // ---- branches and loops

    fn if_statement(
        &mut self,
        arms: &[(ast::Expr, Block)],
        otherwise: Option<&Block>,
    ) -> Option<()> {
        let mut ends = Vec::new();
        for (condition, body) in arms {
            let cites = self.cites_of(condition);
            self.b.at(condition.span, cites);
            let test = self.condition(condition);
            let past = test.map(|test| self.b.emit(Op::JumpUnless(test, LATER)));
            self.block(body);
            ends.push(self.b.emit(Op::Jump(LATER)));
            if let Some(past) = past {
                self.b.land(past);
            }
        }
        if let Some(otherwise) = otherwise {
            self.block(otherwise);
        }
        self.b.land_all(ends);
        Some(())
    }

    /// A loop's frame: the stack is given back before each pass and at the end.
    fn looped(
        &mut self,
        head: impl FnOnce(&mut Self) -> Option<Option<Address>>,
        body: &Block,
    ) -> Option<()> {
        let mark = self.scope.mark();
        let height = self.scope.local(Ty::INT);
        self.b.emit(Op::Mark(height));
        let top = self.b.here();
        self.b.emit(Op::Release(height));
        let exit = head(self);
        self.loops.push(Loop {
            cleanups: self.cleanups.len(),
            ..Loop::default()
        });
        self.block(body);
        let ended = self.loops.pop().unwrap_or_default();
        self.b.land_all(ended.nexts);
        self.b.emit(Op::Jump(top));
        self.b.land_all(ended.stops);
        if let Some(Some(exit)) = exit {
            self.b.land(exit);
        }
        self.b.emit(Op::Release(height));
        self.scope.reset(mark);
        exit.map(|_| ())
    }

    fn each(&mut self, name: &Name, of: &ast::Expr, body: &Block) -> Option<()> {
        let mark = self.scope.mark();
        let found = self.binder_list(of, &name.text);
        let (set, member) = found.unwrap_or((self.b.set(Set::Empty), None));
        let height = self.scope.local(Ty::INT);
        let list = self.scope.local(Ty {
            of: member,
            list: true,
        });
        let index = self.scope.local(Ty::INT);
        let var = self.scope.local(Ty {
            of: member,
            list: false,
        });
        let zero = self.b.constant(0);
        self.b.emit(Op::Mark(height));
        self.b.emit(Op::LetList(list, set));
        self.b.emit(Op::Let(index, zero));
        self.scope.bind(
            &name.text,
            Binding::Local(
                var,
                Ty {
                    of: member,
                    list: false,
                },
            ),
        );
        let done = self.looped(
            |c| {
                Some(Some(c.b.emit(Op::EachNext {
                    list,
                    index,
                    var,
                    exit: LATER,
                })))
            },
            body,
        );
        self.b.emit(Op::Release(height));
        self.scope.reset(mark);
        found.and(done)
    }

    fn repeat(&mut self, times: Option<&ast::Expr>, body: &Block) -> Option<()> {
        let Some(times) = times else {
            return self.looped(|_| Some(None), body);
        };
        let count = self.number(times)?;
        let mark = self.scope.mark();
        let left = self.scope.local(Ty::INT);
        self.b.emit(Op::Let(left, count));
        let done = self.looped(
            |c| {
                let (zero, one, now) = (
                    c.b.constant(0),
                    c.b.constant(1),
                    c.b.expr(Expr::Local(left)),
                );
                let more = c.b.expr(Expr::Binary(Binary::More, now, zero));
                let exit = c.b.emit(Op::JumpUnless(more, LATER));
                let fewer = c.b.expr(Expr::Binary(Binary::Subtract, now, one));
                c.b.emit(Op::Let(left, fewer));
                Some(Some(exit))
            },
            body,
        );
        self.scope.reset(mark);
        done
    }

    fn while_loop(&mut self, condition: &ast::Expr, body: &Block) -> Option<()> {
        let cites = self.cites_of(condition);
        self.looped(
            |c| {
                c.b.at(condition.span, cites);
                let test = c.condition(condition)?;
                Some(Some(c.b.emit(Op::JumpUnless(test, LATER))))
            },
            body,
        )
    }

    fn leave_loop(&mut self, span: Span, stop: bool) -> Option<()> {
        let Some(depth) = self.loops.last().map(|l| l.cleanups) else {
            let word = if stop { "stop" } else { "next" };
            return self.problem(
                "no-loop",
                span,
                format!("`{word}` stands in no loop"),
                "it leaves an `each`, `repeat`, `while` or `turns`; `return` leaves the effect",
            );
        };
        self.emit_cleanups(depth);
        let jump = self.b.emit(Op::Jump(LATER));
        if let Some(innermost) = self.loops.last_mut() {
            let jumps = if stop {
                &mut innermost.stops
            } else {
                &mut innermost.nexts
            };
            jumps.push(jump);
        }
        Some(())
    }

    fn emit_cleanups(&mut self, down_to: usize) {
        let open: Vec<Cleanup> = self.cleanups.iter().skip(down_to).rev().copied().collect();
        for cleanup in open {
            self.emit_cleanup(cleanup);
        }
    }

    fn emit_cleanup(&mut self, cleanup: Cleanup) {
        match cleanup {
            Cleanup::Turn(before) => self.b.emit(Op::TurnEnd { before }),
            Cleanup::Phase(before) => self.b.emit(Op::PhaseEnd { before }),
            Cleanup::Round => self.b.emit(Op::RoundEnd),
        };
    }

    fn inside(&mut self, cleanup: Cleanup, body: &Block) {
        self.cleanups.push(cleanup);
        self.block(body);
        self.cleanups.pop();
        self.emit_cleanup(cleanup);
    }

    // ---- the course of the game

    fn turn_of(&mut self, who: &ast::Expr, body: &Block) -> Option<()> {
        let seat = self.one(who, Type::Seat);
        let mark = self.scope.mark();
        let before = self.scope.local(Ty::SEAT);
        if let Some(seat) = seat {
            self.emit_turn_begin(seat, before);
        }
        self.inside(Cleanup::Turn(before), body);
        self.scope.reset(mark);
        seat.map(|_| ())
    }

    /// Endless turns in seat order.
    fn turns(&mut self, from: &ast::Expr, body: &Block) -> Option<()> {
        let from = self.one(from, Type::Seat);
        let mark = self.scope.mark();
        let seat = self.scope.local(Ty::SEAT);
        let before = self.scope.local(Ty::SEAT);
        let height = self.scope.local(Ty::INT);
        if let Some(from) = from {
            self.b.emit(Op::Let(seat, from));
        }
        self.b.emit(Op::Mark(height));
        let top = self.b.here();
        self.b.emit(Op::Release(height));
        let now = self.b.expr(Expr::Local(seat));
        self.emit_turn_begin(now, before);
        self.cleanups.push(Cleanup::Turn(before));
        // `next` ends this turn, `stop` also the turns after it
        self.loops.push(Loop {
            cleanups: self.cleanups.len(),
            ..Loop::default()
        });
        self.block(body);
        let ended = self.loops.pop().unwrap_or_default();
        self.cleanups.pop();
        self.b.land_all(ended.nexts);
        self.b.emit(Op::TurnEnd { before });
        let after = self.b.expr(Expr::SeatAfter { seat: now, by: 1 });
        self.b.emit(Op::Let(seat, after));
        self.b.emit(Op::Jump(top));
        self.b.land_all(ended.stops);
        self.b.emit(Op::TurnEnd { before });
        self.b.emit(Op::Release(height));
        self.scope.reset(mark);
        from.map(|_| ())
    }

    fn phase(&mut self, name: &Name, body: &Block) -> Option<()> {
        let phase = self.phase_number(&name.text);
        let mark = self.scope.mark();
        let before = self.scope.local(Ty::INT);
        self.b.emit(Op::PhaseBegin { phase, before });
        self.inside(Cleanup::Phase(before), body);
        self.scope.reset(mark);
        Some(())
    }

    fn phase_number(&mut self, name: &str) -> i32 {
        if let Some(known) = self.world.enum_value(0, name) {
            return known;
        }
        let title = name.to_string();
        if let Some(phases) = self.world.enums.first_mut() {
            phases.values.push(title.clone());
        }
        match self.b.program.enums.first_mut() {
            Some(phases) => {
                phases.values.push(title);
                phases.values.len() as i32 - 1
            }
            None => NONE,
        }
    }

    fn round(&mut self, body: &Block) -> Option<()> {
        self.b.emit(Op::RoundBegin);
        self.inside(Cleanup::Round, body);
        Some(())
    }

    fn say(&mut self, text: &ast::Text, to: Option<&ast::Expr>) -> Option<()> {
        let text = self.text(text)?;
        let to = match to {
            Some(to) => Some(self.list_typed(to, Type::Seat)?),
            None => None,
        };
        self.b.emit(Op::Say { text, to });
        Some(())
    }

    fn finish(&mut self, finish: &Finish) -> Option<()> {
        match finish {
            Finish::Drawn => {
                self.b.emit(Op::FinishDrawn);
            }
            Finish::WonBy(winners) => {
                let winners = self.list_typed(winners, Type::Seat)?;
                self.b.emit(Op::FinishWonBy(winners));
            }
            Finish::RankedBy { keys, ties_drawn } => {
                let mut exprs = Vec::new();
                for key in keys {
                    exprs.push(self.ranking_key(key)?);
                }
                let first = self.b.row(&exprs);
                self.b.emit(Op::FinishRanked {
                    keys: first,
                    count: exprs.len() as u16,
                    ties_drawn: *ties_drawn,
                });
            }
        }
        Some(())
    }

    /// A key sees the seat as `it`, in temp 0.
    fn ranking_key(&mut self, key: &ast::Expr) -> Option<ExprId> {
        let (temp, key_expr, ty) = self.key(key, Some(Type::Seat))?;
        debug_assert_eq!(temp, 0, "a statement begins with an empty window of temps");
        if !self.world.fits(ty.of, Some(Type::Int)) {
            return self.mismatch(key.span, ty, Ty::INT);
        }
        Some(key_expr)
    }

    // ---- components

    fn move_statement(
        &mut self,
        what: &ast::Expr,
        to: &ast::Expr,
        place: &Place,
        face: Option<Face>,
        turned: Option<&ast::Expr>,
    ) -> Option<()> {
        let what_value = self.expr(what, None);
        let to_value = self.expr(to, None);
        let (what_value, to_value) = (what_value?, to_value?);
        let zone = self.one_from(to_value, Type::Zone(None), to.span)?;
        let open = matches!(to_value.ty().of, Some(Type::Zone(Some(f))) if self.world.families.get(f as usize).is_some_and(|f| f.open_grid));
        if open && let Place::At(cell) = place {
            return self.move_to_cell(what_value, what.span, zone, cell, turned);
        }
        let place = match place {
            Place::Top => MovePlace::Top,
            Place::Bottom => MovePlace::Bottom,
            Place::At(at) => MovePlace::At(self.number(at)?),
        };
        let face_down = face == Some(Face::Down);
        match what_value {
            Value::One(component, Some(Type::Component(_)) | None) => {
                self.emit_move(component, zone, place, face_down)
            }
            _ => {
                let (set, of) = self.list_of(what_value);
                if !self.world.fits(of, Some(Type::Component(None))) {
                    return self.mismatch(what.span, what_value.ty(), Ty::COMPONENT);
                }
                self.emit_move_all(set, zone, place, face_down);
            }
        }
        Some(())
    }

    fn move_to_cell(
        &mut self,
        what: Value,
        span: Span,
        zone: ExprId,
        cell: &ast::Expr,
        turned: Option<&ast::Expr>,
    ) -> Option<()> {
        let what = self.one_from(what, Type::Component(None), span)?;
        let cell = self.one(cell, Type::Cell)?;
        let turned = match turned {
            Some(turned) => self.number(turned)?,
            None => self.b.constant(0),
        };
        self.b.emit(Op::MoveToCell {
            what,
            zone,
            cell,
            turned,
        });
        Some(())
    }

    fn draw(
        &mut self,
        count: &ast::Expr,
        from: &ast::Expr,
        to: &ast::Expr,
        face: Option<Face>,
    ) -> Option<()> {
        let count = self.number(count);
        let from = self.one(from, Type::Zone(None));
        let to = self.one(to, Type::Zone(None));
        self.emit_draw(count?, from?, to?, face == Some(Face::Down));
        Some(())
    }
}

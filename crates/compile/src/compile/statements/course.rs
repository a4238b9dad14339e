//! The course of the game: turns, phases, rounds, the end.

use crate::compile::builder::LATER;
use crate::compile::compiler::Compiler;
use crate::compile::compiler::body::{Cleanup, Loop};
use crate::compile::compiler::notes::KeyedThing;
use crate::compile::scope::Binding;
use crate::compile::terms::place::Change;
use crate::compile::tree::Tree;
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, BinaryOp, Block, ExprKind, Finish, Name, SetOp, TurnOrder};
use wyrmgate_program::*;

/// The name of the seat of a loop of turns, which no rules can write.
const SEAT: &str = "seat of these turns";

impl Compiler<'_> {
    pub fn emit_cleanups(&mut self, down_to: usize) {
        let open = self.body.cleanups.iter().skip(down_to).rev();
        let open: Vec<Cleanup> = open.copied().collect();
        for cleanup in open {
            self.emit_cleanup(cleanup);
        }
    }

    pub(crate) fn emit_cleanup(&mut self, cleanup: Cleanup) {
        let op = match cleanup {
            Cleanup::Turn(before) => Op::TurnEnd { before },
            Cleanup::As(before) => Op::AsEnd { before },
            Cleanup::Phase(before) => Op::PhaseEnd { before },
            Cleanup::Round => Op::RoundEnd,
            Cleanup::Running(word) => self.runs(word, false),
        };
        self.b.emit(op);
    }

    fn inside(&mut self, cleanup: Cleanup, body: &Block) {
        self.body.cleanups.push(cleanup);
        self.block(body);
        self.body.cleanups.pop();
        self.emit_cleanup(cleanup);
    }

    pub fn turn_of(&mut self, who: &ast::Expr, body: &Block) -> Option<()> {
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

    /// Turns in seat order: endless, or with a `where` of those for whom it holds, as long as there is one.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    pub fn turns(
        &mut self,
        from: &ast::Expr,
        order: &TurnOrder,
        body: &Block,
        span: Span,
    ) -> Option<()> {
        let begin = self.b.here();
        let (from, condition) = match &from.kind {
            ExprKind::Where(from, condition) => (&**from, Some(&**condition)),
            _ => (from, None),
        };
        let in_play = self.in_play(condition, span);
        let from = self.first_seat(from);
        let mark = self.scope.mark();
        let seat = self.scope.local(Ty::SEAT);
        let before = self.scope.local(Ty::SEAT);
        let height = self.scope.local(Ty::INT);
        if let Some(from) = from {
            self.b.emit(Op::Let(seat, from));
        }
        let step = order.by.as_ref().map(|_| self.scope.local(Ty::INT));
        self.steps_somewhere(order);
        self.set_step(order, step);
        self.b.emit(Op::Mark(height));
        let top = self.b.here();
        self.b.emit(Op::Release(height));
        let now = self.b.local(seat);
        let (nobody, not_this) = in_play
            .as_ref()
            .and_then(|condition| self.who_takes_turns(now, condition))
            .unzip();
        let missed = self.uses_up(seat, order.skipping.as_ref(), "skipping");
        self.emit_turn_begin(now, before);
        self.body.cleanups.push(Cleanup::Turn(before));
        let ended = self.body_of_turn(body);
        self.b.land_all(ended.nexts);
        self.set_step(order, step);
        let again = self.uses_up(seat, order.repeating.as_ref(), "repeating");
        self.b.emit(Op::TurnEnd { before });
        self.b
            .land_all(not_this.into_iter().chain(missed).collect());
        let after = self.seat_after(now, step);
        self.b.emit(Op::Let(seat, after));
        self.b.emit(Op::Jump(top));
        if let Some(again) = again {
            self.b.land(again);
            self.b.emit(Op::TurnEnd { before });
            self.b.emit(Op::Jump(top));
        }
        self.b.land_all(ended.stops);
        self.b.emit(Op::TurnEnd { before });
        self.b.land_all(nobody.into_iter().collect());
        self.b.emit(Op::Release(height));
        if condition.is_none() {
            self.notes.endless.push((begin..self.b.here(), span));
        }
        self.scope.reset(mark);
        from.map(|_| ())
    }

    /// Translates the seat that begins, and notes whether it can exist.
    fn first_seat(&mut self, from: &ast::Expr) -> Option<ExprId> {
        let begins_at = from.span;
        let noted = self.notes.doubts.named.len();
        let from = self.one(from, Type::Seat)?;
        let seats = 0..self.world.seats as i32;
        let known = self.known_value(from);
        let exists = known.is_none_or(|seat| seats.contains(&seat));
        if self.notes.doubts.named.len() == noted {
            let doubts = &mut self.notes.doubts;
            doubts.named.push((begins_at, KeyedThing::Seat, exists));
        }
        Some(from)
    }

    /// Translates what happens in a turn: `next` ends this turn, `stop` also the turns after it.
    fn body_of_turn(&mut self, body: &Block) -> Loop {
        self.body.loops.push(Loop {
            cleanups: self.body.cleanups.len(),
            ..Loop::default()
        });
        self.block(body);
        let ended = self.body.loops.pop().unwrap_or_default();
        self.body.cleanups.pop();
        ended
    }

    /// Evaluates how many seats further the next turn is.
    fn set_step(&mut self, order: &TurnOrder, step: Option<Local>) {
        if let (Some(by), Some(step)) = (&order.by, step)
            && let Some(number) = self.number(by)
        {
            self.b.emit(Op::Let(step, number));
        }
    }

    fn steps_somewhere(&mut self, order: &TurnOrder) {
        let is_zero = |by: &&ast::Expr| by.kind == ExprKind::Int(0);
        if let Some(by) = order.by.as_ref().filter(is_zero) {
            let help = "for one more turn of the same seat, write `repeating` and a variable";
            self.problem::<()>("no-step", by.span, "the same seat takes every turn", help);
        }
    }

    /// Returns the seat that many seats further.
    fn seat_after(&mut self, seat: ExprId, step: Option<Local>) -> ExprId {
        let Some(step) = step else {
            return self.b.expr(Expr::SeatAfter { seat, by: 1 });
        };
        let step = self.b.local(step);
        let seats = self.b.constant(self.world.seats as i32);
        let further = self.b.binary(Binary::Add, seat, step);
        self.b.binary(Binary::Modulo, further, seats)
    }

    /// Counts down the variable of `skipping missed` or `repeating extra` for the seat of the loop; returns the jump of
    /// a seat that had something left in it.
    fn uses_up(&mut self, seat: Local, counter: Option<&ast::Expr>, word: &str) -> Option<Address> {
        let counter = counter?;
        let span = counter.span;
        let Some(of) = self.counts_by_seat(counter) else {
            let message =
                format!("`{word}` needs a variable with a number, or yes or no, for each seat");
            let help = format!(
                "declare it, as in `vars: missed: {{each: seats, type: int}}`, and write `{word} missed`"
            );
            return self.problem("wrong-type", span, message, help);
        };
        let mark = self.scope.mark();
        self.scope.bind(SEAT, Binding::Local(seat, Ty::SEAT));
        let jump = self.count_down(counter, of);
        self.scope.reset(mark);
        jump
    }

    /// Takes one from the number that [`SEAT`] has; returns the jump after that.
    fn count_down(&mut self, counter: &ast::Expr, of: Type) -> Option<Address> {
        let span = counter.span;
        let tree = Tree { span };
        let seat = Box::new(tree.name(SEAT));
        let left = tree.of(ExprKind::Index(Box::new(counter.clone()), seat));
        let (some, op, value) = match of == Type::Bool {
            true => (left.clone(), SetOp::Set, ExprKind::Bool(false)),
            false => {
                let more = tree.binary(BinaryOp::More, left.clone(), tree.int(0));
                (more, SetOp::Subtract, ExprKind::Int(1))
            }
        };
        let some = self.condition(&some)?;
        let none_left = self.b.emit(Op::JumpUnless(some, LATER));
        let value = &tree.of(value);
        self.set_statement(&left, Change { op, value, span });
        let jump = self.b.emit(Op::Jump(LATER));
        self.b.land(none_left);
        Some(jump)
    }

    /// Returns the type of a variable with a number or a truth value for each seat.
    fn counts_by_seat(&self, counter: &ast::Expr) -> Option<Type> {
        let name = counter.as_name()?;
        let Some(Symbol::Var(id)) = self.world.symbol(&name.text) else {
            return None;
        };
        let var = self.world.var(id)?;
        let counts = var.index == Some(Type::Seat)
            && var.rows.is_empty()
            && matches!(var.of, Type::Int | Type::Bool);
        counts.then_some(var.of)
    }

    /// Emits two jumps: one if the condition holds for no seat, one if it does not hold for this seat.
    fn who_takes_turns(
        &mut self,
        seat: ExprId,
        condition: &ast::Expr,
    ) -> Option<(Address, Address)> {
        let (temp, condition) = self.filter(condition, Some(Type::Seat), None)?;
        let all = self.b.set(Set::SeatsFrom(seat));
        let any = self.b.some(all, temp, condition);
        let nobody = self.b.emit(Op::JumpUnless(any, LATER));
        let only = self.b.list(&[seat]);
        let this = self.b.some(only, temp, condition);
        let not_this = self.b.emit(Op::JumpUnless(this, LATER));
        Some((nobody, not_this))
    }

    /// Makes another seat active within a block.
    pub fn act_as(&mut self, who: &ast::Expr, body: &Block) -> Option<()> {
        let seat = self.one(who, Type::Seat);
        let mark = self.scope.mark();
        let before = self.scope.local(Ty::SEAT);
        if let Some(seat) = seat {
            self.b.emit(Op::AsBegin { seat, before });
        }
        self.inside(Cleanup::As(before), body);
        self.scope.reset(mark);
        seat.map(|_| ())
    }

    pub fn phase(&mut self, name: &Name, body: &Block) -> Option<()> {
        let phase = self.phase_number(&name.text);
        let mark = self.scope.mark();
        let before = self.scope.local(Ty::INT);
        self.b.emit(Op::PhaseBegin { phase, before });
        self.inside(Cleanup::Phase(before), body);
        self.scope.reset(mark);
        Some(())
    }

    fn phase_number(&mut self, name: &str) -> i32 {
        self.world.enum_value(0, name).unwrap_or(NONE)
    }

    pub fn round(&mut self, body: &Block) -> Option<()> {
        self.b.emit(Op::RoundBegin);
        self.inside(Cleanup::Round, body);
        Some(())
    }

    pub fn finish(&mut self, finish: &Finish) -> Option<()> {
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
                self.b.emit(Op::FinishRanked(RankedFinish {
                    keys: first,
                    count: exprs.len() as u16,
                    ties_drawn: *ties_drawn,
                }));
            }
        }
        Some(())
    }

    /// Translates a key of a ranking, which refers to the seat as `it`, in temp 0.
    fn ranking_key(&mut self, key: &ast::Expr) -> Option<ExprId> {
        let (temp, key_expr, ty) = self.key(key, Some(Type::Seat), None)?;
        debug_assert_eq!(temp, 0, "a statement begins with an empty window of temps");
        if !self.world.fits(ty.of, Some(Type::Int)) {
            return self.mismatch(key.span, ty, Ty::INT);
        }
        Some(self.last_if_resigned(key_expr))
    }
}

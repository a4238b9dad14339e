//! Translates statements to code.

use crate::compile::compiler::Compiler;
use crate::compile::terms::place::Change;
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_lang::ast::{self, Block, Face, Stmt, StmtKind};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Names declared in a block end with it. What follows, such as the end of a turn, belongs to the statement with the block
    /// again, not to the last one in it.
    pub fn block(&mut self, statements: &Block) {
        let (mark, around) = (self.scope.mark(), self.b.location());
        self.statements(statements);
        self.scope.reset(mark);
        self.b.at(around, Vec::new());
    }

    pub fn statements(&mut self, statements: &[Stmt]) {
        let before = self.scope.mark();
        for (i, statement) in statements.iter().enumerate() {
            if self.report.is_full() {
                return;
            }
            self.scope.give_back_temps(before);
            let cites = self.cite(&statement.cites);
            self.b.at(statement.span, cites);
            self.b.note_names(self.scope.named_slots());
            if let StmtKind::Choose(choose) = &statement.kind {
                let rest = statements.get(i + 1..).unwrap_or_default();
                if self.choose(choose, rest, statement) {
                    return;
                }
                continue;
            }
            if let StmtKind::Let { name, value } = &statement.kind {
                let rest = statements.get(i + 1..).unwrap_or_default();
                self.let_statement(name, value, rest);
                continue;
            }
            self.statement(statement);
        }
        self.scope.give_back_temps(before);
    }

    /// Returns `None` after reporting a problem; translation continues with the next statement.
    fn statement(&mut self, statement: &Stmt) -> Option<()> {
        checkpoint();
        let span = statement.span;
        match &statement.kind {
            StmtKind::Let { name, value } => self.let_statement(name, value, &[]),
            StmtKind::Set { target, op, value } => {
                let change = Change {
                    op: *op,
                    value,
                    span,
                };
                self.set_statement(target, change)
            }
            StmtKind::If { arms, otherwise } => self.if_statement(arms, otherwise.as_ref()),
            StmtKind::Each { name, of, body } => self.each(name, of, body),
            StmtKind::Repeat { times, body } => self.repeat(times.as_ref(), body, span),
            StmtKind::While { condition, body } => self.while_loop(condition, body),
            StmtKind::Stop => self.leave_loop(span, true),
            StmtKind::Next => self.leave_loop(span, false),
            StmtKind::Return => {
                self.no_answer();
                self.emit_cleanups(0);
                self.b.emit(Op::Return);
                Some(())
            }
            StmtKind::Answer { value } => self.answer(value, span),
            StmtKind::Choose(_) => Some(()),
            StmtKind::Ask { .. } => self.ask(statement),
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
                let zone = self.one(zone, Type::Zone(None));
                zone.map(|zone| self.emit_shuffle(zone))
            }
            StmtKind::Roll { dice } => self.dice(dice).map(|dice| self.emit_roll(dice)),
            StmtKind::Swap { one, other } => {
                let one = self.one(one, Type::Component(None));
                let other = self.one(other, Type::Component(None));
                self.emit_swap(one?, other?);
                Some(())
            }
            StmtKind::Rotate { zones } => {
                let zones = self.list_typed(zones, Type::Zone(None));
                zones.map(|zones| self.emit_rotate(zones))
            }
            StmtKind::Record { position } => self.record(position),
            StmtKind::Turn { what, face } => {
                let what = self.list_typed(what, Type::Component(None));
                what.map(|what| self.emit_turn(what, *face == Face::Down))
            }
            StmtKind::TurnOf { who, body } => self.turn_of(who, body),
            StmtKind::Turns { from, order, body } => self.turns(from, order, body, span),
            StmtKind::As { who, body } => self.act_as(who, body),
            StmtKind::Phase { name, body } => self.phase(name, body),
            StmtKind::Round { body } => self.round(body),
            StmtKind::Say { text, to } => self.say(text, to.as_ref()),
            StmtKind::Show { what, to, secretly } => {
                let what = self.list_typed(what, Type::Component(None));
                let to = self.list_typed(to, Type::Seat);
                self.b.emit(Op::Show {
                    what: what?,
                    to: to?,
                    secretly: *secretly,
                });
                Some(())
            }
            StmtKind::Finish(finish) => self.finish(finish),
            StmtKind::Proceed => self.proceed(span),
            StmtKind::Prevent => self.prevent(span),
            StmtKind::Resolve => {
                self.resolve(span);
                Some(())
            }
            StmtKind::Phrase { terms } => self.phrase(terms, span),
        }
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
}

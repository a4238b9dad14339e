//! `resigns(seat p)`: what the rules do when a seat resigns. Who has resigned takes no turn and is never asked again.

use crate::compile::compiler::Compiler;
use crate::compile::passes::extents::Extents;
use crate::compile::tree::Tree;
use crate::names::declaration::WordRun;
use crate::names::types::Ty;
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, BinaryOp, ExprKind, RESIGNED, RESIGNS, UnaryOp};
use wyrmgate_program::*;

/// The query with the seats that play together.
const TEAM: &str = "team";

impl Compiler<'_> {
    /// Finds the effect, and reports a form in which nobody can resign by it.
    pub fn find_resigning(&mut self) {
        self.b.program.code.team = self.team();
        let mut declared = self.effects.all.iter();
        let found = declared.find(|e| e.me.is_none() && e.pattern.name() == RESIGNS);
        let Some(found) = found else { return };
        let (pattern, effect, result) = (found.pattern.clone(), found.id, found.result);
        let of_seat = matches!(pattern.params().as_slice(), [(_, ty)] if *ty == Ty::SEAT);
        let message = match self.resigned() {
            Some(_) if self.has_handlers(&pattern) => "`resigns` cannot have handlers",
            Some(_) if self.asks(effect) => {
                "`resigns` asks somebody, but it runs while others may owe a decision"
            }
            Some((resigned, _)) if of_seat && result.is_none() => {
                self.b.program.code.resigns = Some(Resigning { effect, resigned });
                return;
            }
            Some(_) | None => "a seat that resigns is the only parameter of `resigns`",
        };
        let help = "write `resigns(seat p): …` with statements that ask nobody";
        self.problem::<()>("resigns", pattern.span, message, help);
    }

    /// Finds the query `team(seat p)`, which says who plays together.
    fn team(&self) -> Option<QueryId> {
        let Some(Symbol::Query(index)) = self.world.symbol(TEAM) else {
            return None;
        };
        let params = self.queries.params.get(index)?;
        let of_seat = matches!(params.as_slice(), [(_, ty)] if *ty == Ty::SEAT);
        let query = self.queries.all.get(index).filter(|_| of_seat)?;
        Some(query.id)
    }

    fn asks(&self, effect: EffectId) -> bool {
        let extents = Extents::of(&self.b.program);
        let reached = extents.reached(effect);
        let mut ops = reached.iter().flat_map(|id| extents.ops(*id));
        ops.any(|op| op.facts().asks)
    }

    /// Returns the variable and its words, if the rules say what happens when a seat resigns.
    fn resigned(&self) -> Option<(VarId, WordRun)> {
        let declared = self.def.behavior.effects.iter();
        declared
            .clone()
            .find(|effect| effect.signature.is_of_resigning())?;
        let Some(Symbol::Var(id)) = self.world.symbol(RESIGNED) else {
            return None;
        };
        let offset = self.world.var(id)?.offset;
        Some((id, WordRun::new(offset, 0, self.world.seats as u32)))
    }

    /// Emits the first statement of `resigns`.
    pub fn mark_resigned(&mut self) {
        if let Some((_, words)) = self.resigned() {
            let (seat, yes) = (self.b.local(0), self.b.constant(1));
            self.b.emit(words.set(seat, yes, false));
        }
    }

    /// Makes nobody decide instead of a seat that has resigned.
    pub fn ask_nobody_who_resigned(&mut self, site: SiteId) {
        let (Some((_, words)), Some(who)) = (
            self.resigned(),
            self.b.program.site(site).map(|site| site.who),
        ) else {
            return;
        };
        let (has_resigned, nobody) = (self.b.expr(words.at(who, 0)), self.b.constant(NONE));
        let asked = self.b.expr(Expr::If(has_resigned, nobody, who));
        if let Some(site) = self.b.program.sites.get_mut(usize::from(site)) {
            site.who = asked;
        }
    }

    /// Returns a key of a ranking, for the seat in temp 0, in which those who have resigned come last.
    pub fn last_if_resigned(&mut self, key: ExprId) -> ExprId {
        let Some((_, words)) = self.resigned() else {
            return key;
        };
        let (seat, last) = (self.b.temp(0), self.b.constant(i32::MIN));
        let has_resigned = self.b.expr(words.at(seat, 0));
        self.b.expr(Expr::If(has_resigned, last, key))
    }

    /// Returns `S where not resigned[p]` for the seats that are asked, `p in S`.
    pub fn without_resigned(&self, seats: &ast::Expr, name: &str) -> Option<ast::Expr> {
        self.resigned()?;
        let tree = Tree { span: seats.span };
        let still = tree.still_plays(tree.name(name));
        Some(tree.of(ExprKind::Where(Box::new(seats.clone()), Box::new(still))))
    }

    /// Returns the condition of those who take turns.
    pub fn in_play(&self, condition: Option<&ast::Expr>, span: Span) -> Option<ast::Expr> {
        if self.resigned().is_none() {
            return condition.cloned();
        }
        let tree = Tree { span };
        let still = tree.still_plays(tree.of(ExprKind::It));
        Some(match condition {
            Some(condition) => tree.binary(BinaryOp::And, still, condition.clone()),
            None => still,
        })
    }
}

impl Tree {
    fn still_plays(self, seat: ast::Expr) -> ast::Expr {
        let resigned = ExprKind::Index(Box::new(self.name(RESIGNED)), Box::new(seat));
        self.of(ExprKind::Unary(UnaryOp::Not, Box::new(self.of(resigned))))
    }
}

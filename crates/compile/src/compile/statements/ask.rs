//! `ask`: a decision between yes and no.

use crate::compile::builder::LATER;
use crate::compile::compiler::Compiler;
use crate::compile::scope::Binding;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, Stmt, StmtKind, Text};
use wyrmgate_program::*;

impl Compiler<'_> {
    pub fn ask(&mut self, statement: &Stmt) -> Option<()> {
        let StmtKind::Ask {
            any,
            who,
            prompt,
            default_yes,
            yes,
            no,
        } = &statement.kind
        else {
            return Some(());
        };
        let mark = self.scope.mark();
        let site = self.question(any.as_ref(), who.as_ref(), prompt, statement)?;
        if let Some(name) = any {
            let first = self.scope.local(Ty::SEAT);
            self.scope.bind(&name.text, Binding::Local(first, Ty::SEAT));
            if let Some(site) = self.site_mut(site) {
                site.first = Some(first);
            }
        }
        let yes_target = self.b.here();
        self.block(yes);
        self.scope.reset(mark);
        let end = self.b.emit(Op::Jump(LATER));
        let no_target = self.b.here();
        if let Some(no) = no {
            self.block(no);
        }
        self.b.land(end);
        self.yes_or_no(site, yes_target, no_target, *default_yes, statement.span);
        self.scope.reset(mark);
        Some(())
    }

    /// Emits the decision of an `ask`, without its options.
    fn question(
        &mut self,
        any: Option<&ast::Name>,
        who: Option<&ast::Expr>,
        prompt: &Text,
        statement: &Stmt,
    ) -> Option<SiteId> {
        let active = self.active();
        let (seats, who) = match (any, who) {
            (Some(name), Some(who)) => (Some(self.seats_named(who, &name.text)?), active),
            (_, Some(who)) => (None, self.one(who, Type::Seat)?),
            (_, None) => (None, active),
        };
        let mark = self.scope.mark();
        let seat_temp = self.scope.temp(Ty::SEAT);
        if let Some(name) = any {
            let asked = Binding::Temp(seat_temp, Ty::SEAT);
            self.scope.bind(&name.text, asked);
        }
        let prompt = self.text(prompt);
        self.scope.reset(mark);
        let cites = self.cite(&statement.cites);
        self.b.at(statement.span, cites.clone());
        let temps = self.scope.temps_max;
        let site = self.new_site(Site {
            prompt,
            is_ask: true,
            temps,
            cites,
            ..Site::new(who, seat_temp, statement.span)
        });
        match seats {
            Some(seats) => self.emit_resting(Op::ChooseFirst { site, seats }),
            None => self.emit_resting(Op::Choose(site)),
        }
        Some(site)
    }

    /// Gives the decision of an `ask` its two options.
    fn yes_or_no(
        &mut self,
        site: SiteId,
        yes_target: Address,
        no_target: Address,
        default_yes: bool,
        span: Span,
    ) {
        let words = self.b.program.prose.words.clone();
        let option =
            |name: &str, title, target| SiteOption::bare(name.to_owned(), title, target, span);
        let mut yes = option("yes", words.yes, yes_target);
        yes.default = default_yes.then(Vec::new);
        if let Some(site) = self.site_mut(site) {
            site.options = vec![yes, option("no", words.no, no_target)];
            site.otherwise = no_target;
        }
    }
}

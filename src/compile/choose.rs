//! Decisions: sites with their options, binders, filters and where each answer goes on.

use super::Compiler;
use super::builder::LATER;
use super::scope::{Binding, Mark};
use crate::check::types::Ty;
use crate::lang::ast::{self, Block, Choose, ChooseOption, Stmt, Text};
use crate::program::*;

/// How a site is asked: names bound afterwards live in different places.
#[derive(Clone, Copy, PartialEq)]
pub enum Manner {
    Asked,
    AtRandom,
    EachSeat,
}

impl Compiler<'_> {
    /// True if the rest of the block was translated as the body.
    pub fn choose(&mut self, choose: &Choose, rest: &[Stmt], statement: &Stmt) -> bool {
        let manner = match (&choose.each, choose.at_random) {
            (Some(_), _) => Manner::EachSeat,
            (None, true) => Manner::AtRandom,
            (None, false) => Manner::Asked,
        };
        let outer = self.scope.mark();
        let site = self.open_site(choose, manner, statement);
        let listed = choose.options.iter().any(|o| o.body.is_some());
        if listed {
            self.listed_options(choose, site, outer);
        } else if let Some(body) = &choose.body {
            self.plain_choice(choose, site, manner, body, outer);
        } else {
            self.open_choice(choose, site, manner, rest, outer);
            self.scope.reset(outer);
            return true;
        }
        self.scope.reset(outer);
        false
    }

    /// Emits the op with an empty site that is filled later; the seat's temp is taken.
    fn open_site(&mut self, choose: &Choose, manner: Manner, statement: &Stmt) -> SiteId {
        let active = self.active();
        let who = choose
            .who
            .as_ref()
            .and_then(|who| self.one(who, Type::Seat))
            .unwrap_or(active);
        let seats = choose
            .each
            .as_ref()
            .and_then(|(_, seats)| self.list_typed(seats, Type::Seat));
        let seat_temp = self.scope.temp(Ty::SEAT);
        if let Some((name, _)) = &choose.each {
            self.scope
                .bind(&name.text, Binding::Temp(seat_temp, Ty::SEAT));
        }
        let prompt = choose.prompt.as_ref().and_then(|text| self.text(text));
        let cites = self.cite(&statement.cites);
        self.b.at(statement.span, cites.clone());
        let site = self.new_site(Site {
            who,
            seat_temp,
            prompt,
            options: Vec::new(),
            otherwise: 0,
            is_ask: false,
            temps: 0,
            span: statement.span,
            cites,
        });
        match (manner, seats) {
            (Manner::EachSeat, Some(seats)) => self.b.emit(Op::ChooseEach { site, seats }),
            (Manner::AtRandom, _) => self.b.emit(Op::ChooseAtRandom(site)),
            _ => self.b.emit(Op::Choose(site)),
        };
        site
    }

    pub fn active(&mut self) -> ExprId {
        let offset = self
            .world
            .vars
            .get(VAR_ACTIVE as usize)
            .map_or(0, |v| v.offset);
        self.b.expr(Expr::Word(offset))
    }

    fn new_site(&mut self, site: Site) -> SiteId {
        self.b.program.sites.push(site);
        self.b.program.sites.len() as SiteId - 1
    }

    fn site_mut(&mut self, site: SiteId) -> Option<&mut Site> {
        self.b.program.sites.get_mut(site as usize)
    }

    /// `choose x in S` without a body: what follows in the block is it.
    fn open_choice(
        &mut self,
        choose: &Choose,
        site: SiteId,
        manner: Manner,
        rest: &[Stmt],
        outer: Mark,
    ) {
        let target = self.b.here();
        self.bind_options(choose, site, manner, target, outer);
        self.statements(rest);
        let end = choose
            .otherwise
            .as_ref()
            .map(|_| self.b.emit(Op::Jump(LATER)));
        self.close(choose, site, manner, target);
        if let Some(end) = end {
            self.b.land(end);
        }
    }

    /// `choose x in S: body`
    fn plain_choice(
        &mut self,
        choose: &Choose,
        site: SiteId,
        manner: Manner,
        body: &Block,
        outer: Mark,
    ) {
        let target = self.b.here();
        self.bind_options(choose, site, manner, target, outer);
        self.block(body);
        self.scope.reset(outer);
        let end = self.b.emit(Op::Jump(LATER));
        self.close(choose, site, manner, target);
        self.b.land(end);
    }

    /// Translates the options, then forgets the names and temps they were asked with and binds the answers.
    fn bind_options(
        &mut self,
        choose: &Choose,
        site: SiteId,
        manner: Manner,
        target: Address,
        outer: Mark,
    ) {
        let mut answers = Vec::new();
        for option in &choose.options {
            let (info, binders) = self.option(option, manner, target);
            answers.extend(binders);
            self.add_option(site, info);
        }
        self.scope.reset_but_locals(outer);
        self.bind_answers(&answers, manner);
    }

    fn add_option(&mut self, site: SiteId, info: SiteOption) {
        if let Some(site) = self.b.program.sites.get_mut(site as usize) {
            site.options.push(info);
        }
    }

    /// Emits the `else` block and says where to go without a choice.
    fn close(&mut self, choose: &Choose, site: SiteId, manner: Manner, target: Address) {
        let here = self.b.here();
        if let Some(otherwise) = &choose.otherwise {
            self.block(otherwise);
        }
        let temps = self.scope.temps_max;
        let nobody_asked_goes_on = manner == Manner::EachSeat && choose.otherwise.is_none();
        if let Some(site) = self.site_mut(site) {
            site.otherwise = if nobody_asked_goes_on { target } else { here };
            site.temps = temps;
        }
    }

    /// `choose "…":` with `option` lines.
    fn listed_options(&mut self, choose: &Choose, site: SiteId, outer: Mark) {
        let mut ends = Vec::new();
        let asking = self.scope.mark();
        for option in &choose.options {
            let target = self.b.here();
            let (info, binders) = self.option(option, Manner::Asked, target);
            self.add_option(site, info);
            self.scope.reset_but_locals(outer);
            self.bind_answers(&binders, Manner::Asked);
            if let Some(body) = &option.body {
                self.block(body);
            }
            ends.push(self.b.emit(Op::Jump(LATER)));
            // the next option is asked with the deciding seat's temp taken again
            self.scope.reset(outer);
            let seat = self.scope.temp(Ty::SEAT);
            debug_assert_eq!(
                self.scope.mark(),
                asking,
                "the seat's temp is the first of every option ({seat})"
            );
        }
        self.scope.reset(outer);
        self.close(choose, site, Manner::Asked, 0);
        self.b.land_all(ends);
    }

    /// Options whose conditions and domains are translated with the binders as temps.
    fn option(
        &mut self,
        option: &ChooseOption,
        manner: Manner,
        target: Address,
    ) -> (SiteOption, Vec<(String, Local, Ty)>) {
        let mut conditions = Vec::new();
        if let Some(condition) = &option.condition
            && option.binders.is_empty()
        {
            self.conjuncts(condition, &mut conditions);
        }
        let mut binders = Vec::new();
        let mut infos = Vec::new();
        for binder in &option.binders {
            let Some((info, ty)) = self.binder(binder, manner) else {
                continue;
            };
            binders.push((info.name.clone(), info.local, ty));
            infos.push(info);
        }
        // with binders the condition may speak of them: it filters the last one, or its selections
        let mut checks = Vec::new();
        if let (Some(condition), Some(last)) = (&option.condition, infos.last_mut()) {
            let single = last.count == BinderSize::One;
            let into = if single {
                &mut last.filters
            } else {
                &mut checks
            };
            self.conjuncts(condition, into);
        }
        let label = option.label.as_ref().and_then(|text| self.text(text));
        let cites = self.cite(&option.cites);
        let info = SiteOption {
            name: option
                .name
                .as_ref()
                .map_or(String::new(), |name| name.text.clone()),
            label,
            conditions,
            binders: infos,
            checks,
            target,
            cites,
            span: option.span,
        };
        (info, binders)
    }

    fn bind_answers(&mut self, binders: &[(String, Local, Ty)], manner: Manner) {
        for (name, local, ty) in binders {
            let binding = match manner {
                Manner::EachSeat => Binding::BySeat(*local, *ty),
                _ => Binding::Local(*local, *ty),
            };
            self.scope.bind(name, binding);
        }
    }

    // ---- yes or no

    pub fn ask(
        &mut self,
        who: Option<&ast::Expr>,
        prompt: &Text,
        yes: &Block,
        no: Option<&Block>,
        statement: &Stmt,
    ) -> Option<()> {
        let active = self.active();
        let who = match who {
            Some(who) => self.one(who, Type::Seat)?,
            None => active,
        };
        let mark = self.scope.mark();
        let seat_temp = self.scope.temp(Ty::SEAT);
        let prompt = self.text(prompt);
        self.scope.reset(mark);
        let cites = self.cite(&statement.cites);
        self.b.at(statement.span, cites.clone());
        let temps = self.scope.temps_max;
        let site = self.new_site(Site {
            who,
            seat_temp,
            prompt,
            options: Vec::new(),
            otherwise: 0,
            is_ask: true,
            temps,
            span: statement.span,
            cites,
        });
        self.b.emit(Op::Choose(site));
        let yes_target = self.b.here();
        self.block(yes);
        let end = self.b.emit(Op::Jump(LATER));
        let no_target = self.b.here();
        if let Some(no) = no {
            self.block(no);
        }
        self.b.land(end);
        let option = |name: &str, target| SiteOption {
            name: name.into(),
            label: None,
            conditions: Vec::new(),
            binders: Vec::new(),
            checks: Vec::new(),
            target,
            cites: Vec::new(),
            span: statement.span,
        };
        if let Some(site) = self.site_mut(site) {
            site.options = vec![option("yes", yes_target), option("no", no_target)];
            site.otherwise = no_target;
        }
        self.scope.reset(mark);
        Some(())
    }
}

//! Decisions: sites with their options, binders, filters, and the address that follows each answer.

mod members;
mod options;

use crate::compile::builder::LATER;
use crate::compile::compiler::Compiler;
use crate::compile::scope::{Binding, Mark};
use crate::compile::terms::value::Value;
use crate::compile::tree::{self, Tree};
use crate::names::types::Ty;
use crate::names::walk::mentions;
use wyrmgate_lang::ast::{self, Choose, ChooseOption, ExprKind, Stmt};
use wyrmgate_program::*;

/// How a site asks, which determines where names are bound afterwards.
#[derive(Clone, Copy, PartialEq)]
pub enum Manner {
    Asked,
    AtRandom,
    EachSeat,
    /// Each seat about one member of a list after the other.
    EachMember,
    /// Several seats, until one of them has chosen.
    FirstSeat,
}

impl Manner {
    pub fn is_secret(self) -> bool {
        matches!(self, Manner::EachSeat | Manner::EachMember)
    }
}

/// The names that an option binds, with the slots of their answers, and those with mistakes.
struct Answers {
    binders: Vec<(String, Local, Ty)>,
    failed: Vec<String>,
}

impl Compiler<'_> {
    /// Returns true if the rest of the block was translated as the body.
    pub fn choose(&mut self, choose: &Choose, rest: &[Stmt], statement: &Stmt) -> bool {
        if let Some(sequence) = &choose.sequence {
            match sequence.until_all {
                true => self.window(choose, sequence, statement),
                false => self.sequence(choose, sequence, statement),
            };
            return false;
        }
        let manner = match (&choose.each, choose.at_random) {
            (Some(_), _) if choose.first => Manner::FirstSeat,
            (Some(_), _) if members::list_of(choose).is_some() => Manner::EachMember,
            (Some(_), _) => Manner::EachSeat,
            (None, true) => Manner::AtRandom,
            (None, false) => Manner::Asked,
        };
        let outer = self.scope.mark();
        let site = self.open_site(choose, manner, statement);
        let listed = choose.options.iter().any(|o| o.body.is_some());
        self.manner_fits(choose, statement);
        self.members_fit(choose, manner);
        self.may_be_declined(choose, statement);
        self.asks_in_any_case(choose, statement);
        self.options_once(choose);
        self.one_default(choose);
        if listed && manner.is_secret() {
            self.options_of_each(choose, site, manner, outer);
        } else if listed {
            self.listed_options(choose, site, manner, outer);
        } else {
            self.plain_choice(choose, site, manner, rest, outer);
        }
        self.scope.reset(outer);
        !listed && choose.body.is_none()
    }

    /// Translates the seat that decides.
    fn decider(&mut self, who: &ast::Expr, choose: &Choose) -> Option<ExprId> {
        if let ExprKind::Where(_, condition) = &who.kind {
            let binders = choose.options.iter().flat_map(|option| &option.binders);
            let names: Vec<&str> = binders.map(|binder| binder.name.text.as_str()).collect();
            if mentions(condition, &names) {
                let message = "this condition stands behind `by`, so it is about who decides";
                let help = "write it before: `choose n in 1..9 where n > 2 by p`";
                return self.problem("where-behind-by", condition.span, message, help);
            }
        }
        match self.expr(who, Some(Type::Seat))? {
            Value::List(_, Some(Type::Seat)) => {
                let message = "one seat makes a decision, and these are several";
                let help = "for a decision of each, write `each p in seats chooses …`, or `each p in seats:` above it and `by p` here";
                self.problem("wrong-type", who.span, message, help)
            }
            value @ (Value::One(..) | Value::List(..) | Value::Record(..)) => {
                self.one_from(value, Type::Seat, who.span)
            }
        }
    }

    /// Emits the operation with an empty site that is filled later; reserves the seat's temp.
    pub(super) fn open_site(
        &mut self,
        choose: &Choose,
        manner: Manner,
        statement: &Stmt,
    ) -> SiteId {
        let active = self.active();
        let who = choose
            .who
            .as_ref()
            .and_then(|who| self.decider(who, choose))
            .unwrap_or(active);
        let seats = choose
            .each
            .as_ref()
            .and_then(|(name, seats)| self.seats_named(seats, &name.text));
        let seat_temp = self.scope.temp(Ty::SEAT);
        if let Some((name, _)) = &choose.each {
            self.scope
                .bind(&name.text, Binding::Temp(seat_temp, Ty::SEAT));
        }
        let prompt = choose.prompt.as_ref().and_then(|text| self.text(text));
        let cites = self.cite(&statement.cites);
        self.b.at(statement.span, cites.clone());
        let site = self.new_site(Site {
            always: choose.always,
            prompt,
            may_decline: choose.may,
            cites,
            ..Site::new(who, seat_temp, statement.span)
        });
        match (manner, seats) {
            (Manner::EachSeat | Manner::EachMember, Some(seats)) => {
                self.emit_resting(Op::ChooseEach { site, seats })
            }
            (Manner::FirstSeat, Some(seats)) => {
                self.emit_resting(Op::ChooseFirst { site, seats });
                let first = self.scope.local(Ty::SEAT);
                if let Some(site) = self.site_mut(site) {
                    site.first = Some(first);
                }
            }
            (Manner::AtRandom, _) => {
                self.b.emit(Op::ChooseAtRandom(site));
            }
            _ => self.emit_resting(Op::Choose(site)),
        };
        site
    }

    pub fn active(&mut self) -> ExprId {
        let offset = self.world.var(VAR_ACTIVE).map_or(0, |v| v.offset);
        self.b.expr(Expr::Word(offset))
    }

    pub(crate) fn new_site(&mut self, site: Site) -> SiteId {
        self.b.program.sites.push(site);
        self.b.program.sites.len() as SiteId - 1
    }

    pub(super) fn site_mut(&mut self, site: SiteId) -> Option<&mut Site> {
        self.b.program.sites.get_mut(site as usize)
    }

    /// `choose x in S: body`, or without a body: the rest of the block is the body.
    fn plain_choice(
        &mut self,
        choose: &Choose,
        site: SiteId,
        manner: Manner,
        rest: &[Stmt],
        outer: Mark,
    ) {
        let target = self.b.here();
        self.bind_options(choose, site, manner, target, outer);
        match &choose.body {
            Some(body) => self.block(body),
            None => self.statements(rest),
        }
        let goes_on = choose.body.is_some() || choose.otherwise.is_some();
        let end = goes_on.then(|| self.b.emit(Op::Jump(LATER)));
        // without a choice the names have no values
        self.scope.reset(outer);
        self.close(choose, site, manner, target);
        self.b.land_all(end.into_iter().collect());
    }

    /// Translates the options, then drops the names and temps that they were asked with and binds the answers.
    pub(super) fn bind_options(
        &mut self,
        choose: &Choose,
        site: SiteId,
        manner: Manner,
        target: Address,
        outer: Mark,
    ) {
        let mut all = Vec::new();
        for option in &choose.options {
            let weighted = choose.weight.as_ref().map(|by| weighted(option, by));
            let option = weighted.as_ref().unwrap_or(option);
            let (info, answers) = self.option(option, manner, target);
            all.push(answers);
            self.add_option(site, info);
        }
        self.scope.reset_but_locals(outer);
        for answers in &all {
            self.bind_answers(answers, manner);
        }
        self.bind_first(choose, site);
    }

    /// Binds the name of the seat that answered first.
    fn bind_first(&mut self, choose: &Choose, site: SiteId) {
        let first = self.site_mut(site).and_then(|site| site.first);
        if let (Some((name, _)), Some(first)) = (&choose.each, first) {
            self.scope.bind(&name.text, Binding::Local(first, Ty::SEAT));
        }
    }

    /// Binds the name of the asked seat again, for the next option.
    fn bind_asked(&mut self, choose: &Choose, site: SiteId) {
        let temp = self.site_mut(site).map(|site| site.seat_temp);
        if let (Some((name, _)), Some(temp)) = (&choose.each, temp) {
            self.scope.bind(&name.text, Binding::Temp(temp, Ty::SEAT));
        }
    }

    fn add_option(&mut self, site: SiteId, info: SiteOption) {
        if let Some(site) = self.site_mut(site) {
            site.options.push(info);
        }
    }

    /// Emits the `else` block and sets where to continue without a choice.
    pub(super) fn close(&mut self, choose: &Choose, site: SiteId, manner: Manner, target: Address) {
        let here = self.b.here();
        if let Some(otherwise) = &choose.otherwise {
            self.block(otherwise);
        }
        let temps = self.scope.temps_max;
        let nobody_asked_goes_on = manner.is_secret() && choose.otherwise.is_none();
        // who declines in secret has chosen nothing: the others' choices are followed all the same
        let declined = if manner.is_secret() { target } else { here };
        let title = self.b.program.prose.words.decline.clone();
        if let Some(site) = self.site_mut(site) {
            site.otherwise = if nobody_asked_goes_on { target } else { here };
            site.is_expected = choose.otherwise.is_none() && !choose.may;
            site.temps = temps;
            if site.may_decline {
                let decline = SiteOption::bare(DECLINE.into(), title, declined, site.span);
                site.options.push(decline);
            }
        }
    }

    /// Rejects what a decision with `may` cannot have.
    fn may_be_declined(&mut self, choose: &Choose, statement: &Stmt) {
        if !choose.may {
            return;
        }
        if choose.at_random {
            let help =
                "remove `may`, or ask first: `ask p \"…\":` with `choose … at random` inside";
            let message = "chance cannot decline";
            self.problem::<()>("chance-declines", statement.span, message, help);
        }
        let names = choose.options.iter().filter_map(|o| o.name.as_ref());
        for name in names.filter(|name| name.text == DECLINE) {
            let message = format!("`may choose` has an option `{DECLINE}` of its own");
            let help = "remove `may` or this option; declining runs `else:`";
            self.problem::<()>("duplicate-name", name.span, message, help);
        }
    }

    /// Reports `in any case` at a decision that cannot be declined: a seat with nothing to choose could not answer.
    fn asks_in_any_case(&mut self, choose: &Choose, statement: &Stmt) {
        if choose.always && !choose.may {
            let help = "write `may choose`: who has no choice can only decline";
            let message = "`in any case` stands at a decision that cannot be declined";
            self.problem::<()>("nothing-to-decline", statement.span, message, help);
        }
    }

    /// Rejects what a simultaneous or random decision cannot have.
    fn manner_fits(&mut self, choose: &Choose, statement: &Stmt) {
        self.weight_fits(choose);
        let Some((name, _)) = &choose.each else {
            return;
        };
        if choose.at_random {
            let help = format!(
                "write `each {} in …:` with `choose … at random` inside",
                name.text
            );
            let message = "chance cannot choose in secret";
            self.problem::<()>("secret-chance", statement.span, message, help);
        }
        if let Some(who) = &choose.who {
            let word = if choose.first { "any" } else { "each" };
            let message = format!(
                "`{word} … chooses` already says that `{}` decides",
                name.text
            );
            self.problem::<()>("secret-by", who.span, message, "remove `by …`");
        }
    }

    /// Reports weights at a choice of anything but one value of one list.
    fn weight_fits(&mut self, choose: &Choose) {
        let Some(weight) = &choose.weight else {
            return;
        };
        let is_single = |option: &ChooseOption| matches!(option.binders.as_slice(), [binder] if binder.count == ast::BinderCount::One);
        if !matches!(choose.options.as_slice(), [option] if is_single(option)) {
            let message = "weights belong to one member of one list";
            let help = "write `choose x in S at random weighted by …`, once for each";
            self.problem::<()>("weights", weight.span, message, help);
        }
    }

    fn bind_answers(&mut self, answers: &Answers, manner: Manner) {
        for name in &answers.failed {
            self.scope.bind(name, Binding::Failed);
        }
        for (name, local, ty) in &answers.binders {
            if self.bind_record(name, *local, *ty) {
                continue;
            }
            let binding = if matches!(manner, Manner::EachSeat) {
                Binding::BySeat(*local, *ty)
            } else {
                Binding::Local(*local, *ty)
            };
            self.scope.bind(name, binding);
        }
    }
}

/// Repeats each member of the list as often as its weight says, so that chance takes it with this probability. Conditions
/// on the members come first.
fn weighted(option: &ChooseOption, by: &ast::Expr) -> ChooseOption {
    let tree = Tree { span: by.span };
    let mut option = option.clone();
    for binder in &mut option.binders {
        let name = tree.of(ExprKind::Name(binder.name.clone()));
        let times = ExprKind::Range(Box::new(tree.int(1)), Box::new(by.clone()));
        let repeated = tree.call("keys", vec![tree.of(times), name.clone()]);
        let members = tree::named(&name, &binder.of);
        binder.of = tree.call("keys", vec![members, repeated]);
    }
    option
}

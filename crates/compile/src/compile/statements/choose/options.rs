//! The options of a decision, and the names that each of them binds.

use super::{Answers, Manner};
use crate::compile::builder::LATER;
use crate::compile::compiler::Compiler;
use crate::compile::scope::{Binding, Mark};
use crate::compile::statements::binder::conjuncts_of;
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use crate::names::walk::{mentions, repeated};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{Choose, ChooseOption};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// `choose "…":` with `option` lines.
    pub(super) fn listed_options(
        &mut self,
        choose: &Choose,
        site: SiteId,
        manner: Manner,
        outer: Mark,
    ) {
        let mut ends = Vec::new();
        let asking = self.scope.mark();
        for option in &choose.options {
            let target = self.b.here();
            let (info, binders) = self.option(option, manner, target);
            self.add_option(site, info);
            self.scope.reset_but_locals(outer);
            self.bind_answers(&binders, manner);
            self.bind_first(choose, site);
            if let Some(body) = &option.body {
                self.block(body);
            }
            ends.push(self.b.emit(Op::Jump(LATER)));
            // the next option reuses the temp of the deciding seat
            self.scope.reset_but_locals(outer);
            self.scope.reset(asking);
            self.bind_asked(choose, site);
        }
        self.scope.reset(outer);
        self.close(choose, site, manner, 0);
        self.b.land_all(ends);
    }

    /// `each p in seats chooses "…":` with `option` lines: their blocks are run when all have answered, for one seat
    /// after the other.
    pub(super) fn options_of_each(
        &mut self,
        choose: &Choose,
        site: SiteId,
        manner: Manner,
        outer: Mark,
    ) {
        let target = self.b.here();
        let first = self.slot_of_answer(manner, Ty::INT);
        let members = self.members_of_site(choose, site);
        if let Some(site) = self.site_mut(site) {
            site.chosen = Some(ChosenOptions { first, members });
        }
        let asking = self.scope.mark();
        let mut all = Vec::new();
        for option in &choose.options {
            self.bind_member_number(members, site);
            let (info, answers) = self.option(option, manner, target);
            self.add_option(site, info);
            all.push(answers);
            self.scope.reset_but_locals(outer);
            self.scope.reset_but_locals(asking);
            self.bind_asked(choose, site);
        }
        self.scope.reset_but_locals(outer);
        if let Some((name, seats)) = &choose.each {
            self.each_in(name, seats, |c| {
                if let Some(Binding::Local(seat, _)) = c.scope.find(&name.text) {
                    let seat = c.b.local(seat);
                    match members {
                        Some(_) => c.blocks_of_members(choose, first, seat, &all),
                        None => {
                            let chosen = c.answer_of_seat(first, Ty::INT, seat);
                            c.blocks_of_options(choose, chosen, &all, &|c, slot, ty| {
                                c.answer_of_seat(slot, ty, seat)
                            });
                        }
                    }
                }
            });
        }
        let end = self.b.emit(Op::Jump(LATER));
        self.scope.reset(outer);
        self.close(choose, site, manner, target);
        self.b.land(end);
    }

    /// Runs the block of the chosen option. `read` returns an answer, by its slot and type.
    pub(super) fn blocks_of_options(
        &mut self,
        choose: &Choose,
        chosen: Value,
        all: &[Answers],
        read: &dyn Fn(&mut Self, Local, Ty) -> Value,
    ) {
        let Value::One(chosen, _) = chosen else {
            return;
        };
        let mut ends = Vec::new();
        for ((number, option), answers) in (0..).zip(&choose.options).zip(all) {
            let mark = self.scope.mark();
            let number = self.b.constant(number);
            let is_this = self.b.binary(Binary::Equal, chosen, number);
            let past = self.b.emit(Op::JumpUnless(is_this, LATER));
            for (name, base, ty) in &answers.binders {
                let own = self.scope.local(*ty);
                let value = read(self, *base, *ty);
                self.emit_value(own, value, *ty);
                self.scope.bind(name, Binding::Local(own, *ty));
            }
            for name in &answers.failed {
                self.scope.bind(name, Binding::Failed);
            }
            option.body.iter().for_each(|body| self.block(body));
            ends.push(self.b.emit(Op::Jump(LATER)));
            self.b.land(past);
            self.scope.reset(mark);
        }
        self.b.land_all(ends);
    }

    /// Translates an option, whose conditions and domains use the binders as temps.
    pub(super) fn option(
        &mut self,
        option: &ChooseOption,
        manner: Manner,
        target: Address,
    ) -> (SiteOption, Answers) {
        self.binders_once(option);
        let (mut binders, mut failed) = (Vec::new(), Vec::new());
        let mut infos = Vec::new();
        for binder in &option.binders {
            let Some(chosen) = self.binders(binder, manner) else {
                self.scope.bind(&binder.name.text, Binding::Failed);
                failed.push(binder.name.text.clone());
                continue;
            };
            for (info, ty) in chosen {
                binders.push((info.name.clone(), info.local, ty));
                infos.push(info);
            }
        }
        let conditions = self.option_conditions(option, &mut infos);
        let default = option.default.as_ref();
        let default = default.map(|default| self.default_conditions(default));
        let label = option.label.as_ref().and_then(|text| self.text(text));
        let cites = self.cite(&option.cites);
        let name = option.name.as_ref().map_or("", |name| name.text.as_str());
        let forms = self.forms(name, &infos);
        let info = SiteOption {
            name: name.to_owned(),
            title: self.translations.name(name),
            label,
            forms,
            conditions,
            binders: infos,
            default,
            target,
            cites,
            span: option.span,
        };
        (info, Answers { binders, failed })
    }

    /// Conditions that do not refer to the names are evaluated first. Each of the others is a condition of the last name
    /// that it mentions: a filter of its members, or a condition on all members that are chosen together.
    fn option_conditions(
        &mut self,
        option: &ChooseOption,
        infos: &mut [BinderInfo],
    ) -> Vec<Condition> {
        let mut conditions = Vec::new();
        let conjuncts = option.condition.as_ref().map(conjuncts_of);
        for (conjunct, cites) in conjuncts.unwrap_or_default() {
            let mut names = infos.iter_mut().rev();
            let last = names.find(|info| mentions(conjunct, &[info.whole_name()]));
            let into = match last {
                Some(last) if last.count == BinderSize::One => &mut last.filters,
                Some(last) => &mut last.together,
                None => &mut conditions,
            };
            self.conjunct(conjunct, &cites, into);
        }
        conditions
    }

    fn binders_once(&mut self, option: &ChooseOption) {
        for (name, first) in repeated(option.binders.iter().map(|binder| &binder.name)) {
            let message = format!("the decision uses the name `{}` twice", name.text);
            self.twice(message, name.span, first);
        }
    }

    pub(super) fn options_once(&mut self, choose: &Choose) {
        let names = choose.options.iter().filter_map(|o| o.name.as_ref());
        for (name, first) in repeated(names) {
            let message = format!("the decision has two options `{}`", name.text);
            self.twice(message, name.span, first);
        }
    }

    fn twice(&mut self, message: String, span: Span, first: Span) {
        self.report.push(
            Diagnostic::error("duplicate-name", span, message)
                .related(first, "first here")
                .help("answers refer to these names, so they must differ"),
        );
    }
}

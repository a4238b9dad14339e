//! `instead` handlers with `by`: each applies once to an event, in the order that a seat chooses.
//!
//! All of them belong to one effect, the *group*, which gets the parameters of the event and the list of what has applied
//! to it. It looks which handlers apply, lets the seat choose if there are several, and calls one of them, whose
//! `proceed` calls the group again. Where none is left, it calls what they replace. The list belongs to the event, so
//! other events of the same form begin with an empty one.

use crate::compile::builder::LATER;
use crate::compile::compiler::Compiler;
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::Params;
use crate::compile::terms::value::Value;
use crate::names::translation::in_words;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Report;
use wyrmgate_lang::ast::{StmtKind, Text, TextPart};
use wyrmgate_lang::effect::parse_block;
use wyrmgate_lang::positions::Positions;
use wyrmgate_program::*;

/// The list of the handlers that have applied to the event.
const APPLIED: &str = "the applied";
/// The name of the component in a decision between handlers.
const SOURCE: &str = "source";
/// Numbers of handlers and of their components, in one number.
const COMPONENTS: i32 = 1 << 16;

/// When and how one of the handlers applies.
struct Applicable {
    index: usize,
    effect: EffectId,
    /// Whether it applies, or the number of components for which it does.
    count: ExprId,
    /// The components for which it applies, and the temp that holds each of them.
    of_kind: Option<(SetId, Temp)>,
}

impl Compiler<'_> {
    /// Returns whether a seat orders this handler.
    pub(crate) fn is_ordered(&self, index: usize) -> bool {
        let handler = self.handlers.get(index);
        handler.is_some_and(|handler| handler.def.by.is_some())
    }

    /// Returns the name of a handler in decisions, which no other one of these has.
    pub(crate) fn handler_names(&self, handlers: &[usize]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for index in handlers {
            let Some(handler) = self.handlers.get(*index) else {
                continue;
            };
            let of_kind = || handler.me.map(|kind| self.world.kind(kind).name.clone());
            let own = handler.def.name.as_ref().map(|name| name.text.clone());
            let stem = own.or_else(of_kind);
            let stem = stem.unwrap_or_else(|| handler.pattern.name());
            let mut name = stem.clone();
            let mut number = 2;
            while names.contains(&name) {
                name = format!("{stem}_{number}");
                number += 1;
            }
            names.push(name);
        }
        names
    }

    /// Wraps `inner` in the `instead` handlers that a seat orders.
    pub(crate) fn ordered(
        &mut self,
        handlers: &[usize],
        all: &Params,
        inner: EffectId,
    ) -> EffectId {
        let mut params = all.clone();
        params.push((APPLIED.into(), Ty::list(Type::Int)));
        let Some(first) = handlers.first() else {
            return inner;
        };
        let group = self.add_handler_effect(*first, &params);
        let bodies: Vec<EffectId> = handlers
            .iter()
            .map(|index| self.body_of_ordered(*index, &params, group))
            .collect();
        self.effect_body(group, &params, |c| {
            c.apply_one(handlers, &bodies, all, inner);
        });
        let entry = self.add_handler_effect(*first, all);
        self.effect_body(entry, all, |c| {
            let mut args = c.own_slots(0, all);
            args.push(Arg::List(c.b.set(Set::Empty)));
            c.emit_call(group, args);
        });
        entry
    }

    fn body_of_ordered(&mut self, index: usize, group: &Params, proceeds: EffectId) -> EffectId {
        let params = self.with_hidden(index, group);
        let first = Local::from(self.handlers.is_of_kind(index));
        let id = self.add_handler_effect(index, &params);
        self.effect_body(id, &params, |c| {
            let original = c.original(index, proceeds, &params, first);
            c.handler_body(index, Some(original));
        });
        id
    }

    /// Emits the body of the group.
    fn apply_one(
        &mut self,
        handlers: &[usize],
        bodies: &[EffectId],
        all: &Params,
        inner: EffectId,
    ) {
        let [total, who, source] =
            [Ty::INT, Ty::SEAT, Ty::COMPONENT].map(|ty| self.scope.local(ty));
        let mut found = Vec::new();
        for (index, effect) in handlers.iter().zip(bodies) {
            found.extend(self.applicable(*index, *effect, all));
        }
        let zero = self.b.constant(0);
        let mut sum = zero;
        for one in &found {
            sum = self.b.binary(Binary::Add, sum, one.count);
        }
        self.b.emit(Op::Let(total, sum));
        let total = self.b.local(total);
        let any = self.b.binary(Binary::More, total, zero);
        let none_left = self.b.emit(Op::JumpUnless(any, LATER));
        let one = self.b.constant(1);
        let several = self.b.binary(Binary::More, total, one);
        let single = self.b.emit(Op::JumpUnless(several, LATER));
        self.who_orders(&found, who);
        self.choose_between(&found, handlers, who, source, all);
        self.b.land(single);
        for one in &found {
            self.apply_first(one, source, all);
        }
        self.b.land(none_left);
        let args = self.own_slots(0, all);
        self.emit_call(inner, args);
    }

    /// Translates when a handler applies to the event.
    fn applicable(&mut self, index: usize, effect: EffectId, all: &Params) -> Option<Applicable> {
        let handler = self.handlers.get(index)?;
        let (def, own, kind) = (handler.def, handler.pattern.params(), handler.me);
        let applied = self.applied_list();
        let hidden = self.scope.hide_names();
        self.bind_own(&own);
        let temp = self.scope.temp(Ty::COMPONENT);
        let me = self.b.temp(temp);
        if let Some(kind) = kind {
            let ty = Ty::one(Type::Component(Some(kind)));
            self.scope.bind("me", Binding::Temp(temp, ty));
        }
        let number = self.number_of(index, kind.map(|_| me));
        let has_applied = self.b.expr(Expr::Contains(applied, number));
        let mut test = self.b.not(has_applied);
        let (rests, within) = (self.rests(index, me), self.is_within(index));
        for one in [rests, within].into_iter().flatten() {
            test = self.b.and(test, one);
        }
        if let Some(stated) = self.handler_condition(def, &own, all) {
            test = self.b.and(test, stated);
        }
        // The temps that the condition binds stay in use, because the group looks at its members later.
        self.scope.show_names(hidden);
        let (mut count, mut of_kind) = (test, None);
        if let Some(Value::List(all, _)) = kind.map(|kind| self.all_of(kind)) {
            let members = self.b.filtered(all, temp, test);
            count = self.b.expr(Expr::Count(members));
            of_kind = Some((members, temp));
        }
        Some(Applicable {
            index,
            effect,
            count,
            of_kind,
        })
    }

    /// Returns the number of a handler, with its component, in the list of those that have applied.
    fn number_of(&mut self, index: usize, me: Option<ExprId>) -> ExprId {
        let number = self.b.constant(index as i32 * COMPONENTS);
        match me {
            Some(me) => self.b.binary(Binary::Add, number, me),
            None => number,
        }
    }

    fn applied_list(&mut self) -> SetId {
        let slot = match self.scope.find(APPLIED) {
            Some(Binding::Local(slot, _)) => slot,
            _ => 0,
        };
        self.b.set(Set::Local(slot))
    }

    /// Finds the seat that decides: the one that the first applicable handler names.
    fn who_orders(&mut self, found: &[Applicable], who: Local) {
        let none = self.b.constant(NONE);
        self.b.emit(Op::Let(who, none));
        for one in found {
            let Some(handler) = self.handlers.get(one.index) else {
                continue;
            };
            let (def, own) = (handler.def, handler.pattern.params());
            let Some(by) = &def.by else { continue };
            let hidden = self.scope.hide_names();
            self.bind_own(&own);
            self.is_within(one.index);
            let seat = self.one(by, Type::Seat);
            self.scope.show_names(hidden);
            let Some(seat) = seat else { continue };
            let (now, zero) = (self.b.local(who), self.b.constant(0));
            let open = self.b.binary(Binary::Equal, now, none);
            let any = self.b.binary(Binary::More, one.count, zero);
            let test = self.b.and(any, open);
            let past = self.b.emit(Op::JumpUnless(test, LATER));
            self.b.emit(Op::Let(who, seat));
            self.b.land(past);
        }
    }

    /// Emits the question which of these handlers is next, for the seat in a slot. Its options are set later.
    pub(crate) fn ask_between(&mut self, handlers: &[usize], who: Local) -> SiteId {
        let who = self.b.local(who);
        let seat_temp = self.scope.temp(Ty::SEAT);
        let first = handlers.first().and_then(|index| self.handlers.get(*index));
        let span = first.map(|handler| handler.def.span).unwrap_or_default();
        let parts = vec![TextPart::Literal(WHICH_FIRST.into())];
        let prompt = self.text(&Text { parts, span });
        let site = Site::new(who, seat_temp, span);
        let site = self.new_site(Site { prompt, ..site });
        self.emit_resting(Op::Choose(site));
        site
    }

    /// Emits the decision, with one option for each handler.
    fn choose_between(
        &mut self,
        found: &[Applicable],
        handlers: &[usize],
        who: Local,
        source: Local,
        all: &Params,
    ) {
        let site = self.ask_between(handlers, who);
        let names = self.handler_names(handlers);
        let mut options = Vec::new();
        for (one, name) in found.iter().zip(names) {
            let target = self.b.here();
            self.apply(one, source, all);
            let Some(handler) = self.handlers.get(one.index) else {
                continue;
            };
            let (span, condition) = (handler.def.span, handler.def.condition.as_ref());
            let cites = condition.map(|condition| self.cites_of(condition));
            let title = self.translations.name(&name);
            let mut option = SiteOption::bare(name, title, target, span);
            option.cites = cites.unwrap_or_default();
            match one.of_kind {
                // The list contains those that apply and no others: a refusal must not tell whether a hidden component
                // is of this kind.
                Some((domain, temp)) => {
                    let of = Type::Component(None);
                    let binder = BinderInfo::of_one(SOURCE, of, domain, temp, source);
                    option.binders.push(binder);
                    option.label = self.label_of_source(one.index, temp);
                }
                None => option.conditions.push(Condition {
                    test: one.count,
                    cites: Vec::new(),
                    span,
                }),
            }
            options.push(option);
        }
        self.set_options(site, options);
    }

    /// Ends a decision between handlers. Without a choice, the code that follows runs.
    pub(crate) fn set_options(&mut self, site: SiteId, options: Vec<SiteOption>) {
        let (otherwise, temps) = (self.b.here(), self.scope.temps_max);
        if let Some(site) = self.b.program.sites.get_mut(usize::from(site)) {
            site.options = options;
            site.otherwise = otherwise;
            site.temps = temps;
        }
    }

    /// Returns the label of a replacement by a component: copies look alike, so it says where this one lies.
    fn label_of_source(&mut self, index: usize, temp: Temp) -> Option<TextId> {
        let def = self.handlers.get(index)?.def;
        let name = def
            .name
            .as_ref()
            .map(|name| format!("{}: ", in_words(&name.text)));
        let name = name.unwrap_or_default();
        let said = format!("say \"{name}{{source}} ({{source.zone}} {{source.place}})\"");
        let positions = Positions::straight(def.span.file, def.span.start as usize);
        let said = parse_block(&said, &positions, &mut Report::default());
        let StmtKind::Say { text, .. } = &said.first()?.kind else {
            return None;
        };
        let mark = self.scope.mark();
        self.scope.bind(SOURCE, Binding::Temp(temp, Ty::COMPONENT));
        let label = self.text(text);
        self.scope.reset_but_temps(mark);
        label
    }

    /// Runs a handler, which is then in the list; its component lies in a slot.
    fn apply(&mut self, one: &Applicable, source: Local, all: &Params) {
        let me = one.of_kind.map(|_| self.b.local(source));
        let number = self.number_of(one.index, me);
        let this = self.b.list(&[number]);
        let applied = self.applied_list();
        let applied = self.b.set(Set::Concat(applied, this));
        let mut args: Vec<Arg> = me.map(Arg::Value).into_iter().collect();
        args.extend(self.own_slots(0, all));
        args.push(Arg::List(applied));
        self.emit_call(one.effect, args);
        self.b.emit(Op::Return);
    }

    /// Runs a handler if it applies, for its first component.
    fn apply_first(&mut self, one: &Applicable, source: Local, all: &Params) {
        let test = match one.of_kind {
            None => one.count,
            Some((members, _)) => {
                let first = self.b.expr(Expr::First(members, NONE));
                self.b.emit(Op::Let(source, first));
                let (found, none) = (self.b.local(source), self.b.constant(NONE));
                self.b.binary(Binary::NotEqual, found, none)
            }
        };
        let past = self.b.emit(Op::JumpUnless(test, LATER));
        self.apply(one, source, all);
        self.b.land(past);
    }
}

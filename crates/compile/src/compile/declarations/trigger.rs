//! Handlers that wait: `waits: true`, `resolve`.
//!
//! A handler that waits is a *trigger*. When its event happens, its number, its seat and the values of its parameters go
//! into words of the state, which are variables of the game without names. `resolve` calls one effect for the whole
//! game, which takes all triggers that wait as one batch: seat by seat in turn order, each in the order that its seat
//! chooses. Triggers that arise meanwhile are the next batch. A `resolve` inside a trigger takes only those that have
//! arisen since, because the word [`WaitingWords::base`] says where its batch begins.

use crate::compile::builder::LATER;
use crate::compile::compiler::Compiler;
use crate::compile::compiler::handlers::{Trigger, WaitingWords};
use crate::compile::scope::Binding;
use crate::compile::terms::pattern::Params;
use crate::compile::tree::Tree;
use crate::names::declaration::WordRun;
use crate::names::types::{Ty, default_of};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::{Text, TextPart};
use wyrmgate_program::*;

/// The number of triggers that can wait at the same time.
const WAITING_MAX: u32 = 64;

impl Compiler<'_> {
    /// Takes words for what is in no variable of the game.
    pub(crate) fn take_column(&mut self, of: Type, len: u32, start: i32) -> u32 {
        self.world
            .take_words(&mut self.b.program, "waiting", of, len, start)
    }

    /// Gives a handler that waits its effect, and words for what it remembers.
    pub(crate) fn declare_trigger(&mut self, index: usize) {
        let params = self.handler_params(index);
        let effect = self.add_handler_effect(index, &params);
        let Some(handler) = self.handlers.all.get_mut(index) else {
            return;
        };
        handler.trigger = Some(Trigger {
            effect,
            is_translated: false,
        });
        let span = handler.def.span;
        if params.iter().any(|(_, ty)| ty.list) {
            let help = "handle an event of single components, or let the handler run at once";
            let message = "a handler that waits cannot remember a list";
            self.problem::<()>("handler-key", span, message, help);
        }
        if self.handlers.waiting.words.is_none() {
            let resolve = self.add_effect("resolve", &[], span);
            let [count, base] = [(); 2].map(|()| self.take_column(Type::Int, 1, 0));
            let handler = self.take_column(Type::Int, WAITING_MAX, 0);
            let seat = self.take_column(Type::Seat, WAITING_MAX, NONE);
            self.handlers.waiting.words = Some(WaitingWords {
                resolve,
                count,
                base,
                handler,
                seat,
            });
        }
        self.handlers.waiting.handlers.push(index);
        self.columns_of(&params);
    }

    /// Returns the column of each value, in which the words have its type.
    fn columns_of(&mut self, params: &Params) -> Vec<u32> {
        let mut used: Vec<u32> = Vec::new();
        for (_, ty) in params {
            let of = widest(ty.of.unwrap_or(Type::Int));
            let mut fitting = self.handlers.waiting.columns.iter();
            let known = fitting.find(|(known, at)| *known == of && !used.contains(at));
            let at = known.map(|(_, at)| *at);
            let at = at.unwrap_or_else(|| {
                let at = self.take_column(of, WAITING_MAX, default_of(of));
                self.handlers.waiting.columns.push((of, at));
                at
            });
            used.push(at);
        }
        used
    }

    /// Translates the body of a handler that waits, once; returns whether it waits.
    pub(crate) fn translate_trigger(&mut self, index: usize, params: &Params) -> bool {
        let handler = self.handlers.all.get_mut(index);
        let Some(trigger) = handler.and_then(|handler| handler.trigger.as_mut()) else {
            return false;
        };
        let effect = trigger.effect;
        if !std::mem::replace(&mut trigger.is_translated, true) {
            self.effect_body(effect, params, |c| c.handler_body(index, None));
        }
        true
    }

    fn column_at(&mut self, column: u32, at: ExprId, of: Type) -> ExprId {
        let words = WordRun::new(column, 1, WAITING_MAX);
        self.b.expr(words.at(at, default_of(of)))
    }

    fn set_column(&mut self, column: u32, at: ExprId, value: ExprId, strict: bool) {
        let words = WordRun::new(column, 1, WAITING_MAX);
        self.b.emit(words.set(at, value, strict));
    }

    /// Puts a trigger with the values of the frame at the end of the line.
    pub(crate) fn wait_in_line(&mut self, index: usize, params: &Params) {
        let (Some(words), Some(handler)) = (self.handlers.waiting.words, self.handlers.get(index))
        else {
            return;
        };
        let by = handler.def.by.as_ref();
        let Some(seat) = by.and_then(|by| self.one(by, Type::Seat)) else {
            return;
        };
        let number = self.number_of_trigger(index);
        let (count, one) = (self.b.expr(Expr::Word(words.count)), self.b.constant(1));
        let last = self.b.binary(Binary::Add, count, one);
        self.set_column(words.handler, last, number, true);
        self.set_column(words.seat, last, seat, true);
        let mut slot = 0;
        for ((_, ty), column) in params.iter().zip(self.columns_of(params)) {
            let value = self.b.local(slot);
            self.set_column(column, last, value, true);
            slot += if ty.list { 2 } else { 1 };
        }
        self.b.set_word(words.count, last);
    }

    fn number_of_trigger(&mut self, index: usize) -> ExprId {
        let mut all = self.handlers.waiting.handlers.iter();
        let at = all.position(|known| *known == index).unwrap_or_default();
        self.b.constant(at as i32 + 1)
    }

    /// `resolve`
    pub(crate) fn resolve(&mut self, span: Span) {
        self.handlers.waiting.is_resolved = true;
        self.b.at(span, Vec::new());
        if let Some(words) = self.handlers.waiting.words {
            self.emit_call(words.resolve, Vec::new());
        }
    }

    /// Translates the effect that runs what waits.
    pub(crate) fn translate_waiting(&mut self) {
        let Some(words) = self.handlers.waiting.words else {
            return;
        };
        if !self.handlers.waiting.is_resolved
            && let Some(first) = self.handlers.waiting.handlers.first()
            && let Some(handler) = self.handlers.get(*first)
        {
            let message = "this handler waits forever, because nothing resolves it";
            let help = "write the statement `resolve` where the handlers that wait should run";
            let warning = Diagnostic::warning("never-resolved", handler.def.span, message);
            self.report.push(warning.help(help));
        }
        self.effect_body(words.resolve, &[], |c| c.run_waiting(words));
    }

    fn run_waiting(&mut self, words: WaitingWords) {
        let low = self.scope.local(Ty::INT);
        let slots = Slots {
            first: self.scope.local(Ty::INT),
            last: self.scope.local(Ty::INT),
            seat: self.scope.local(Ty::SEAT),
            left: self.scope.local(Ty::INT),
            number: self.scope.local(Ty::INT),
        };
        let base = self.b.expr(Expr::Word(words.base));
        let count = self.b.expr(Expr::Word(words.count));
        self.b.emit(Op::Let(low, base));
        let more = self.b.binary(Binary::More, count, base);
        let top = self.b.emit(Op::JumpUnless(more, LATER));
        self.begin_batch(words, slots);
        let next_seat = self.next_seat(words, slots);
        self.b.emit(Op::Jump(top));
        self.run_chosen(words, slots, next_seat);
        self.b.land(top);
        let low = self.b.local(low);
        for offset in [words.base, words.count] {
            self.b.set_word(offset, low);
        }
    }

    /// Takes all that wait as a batch.
    fn begin_batch(&mut self, words: WaitingWords, slots: Slots) {
        let base = self.b.expr(Expr::Word(words.base));
        let count = self.b.expr(Expr::Word(words.count));
        let first = self.b.compare(Binary::Add, base, 1);
        self.b.emit(Op::Let(slots.first, first));
        self.b.emit(Op::Let(slots.last, count));
        let last = self.b.local(slots.last);
        self.b.set_word(words.base, last);
        let (active, zero) = (self.active(), self.b.constant(0));
        let seat = self.b.binary(Binary::Max, active, zero);
        self.b.emit(Op::Let(slots.seat, seat));
        let seats = self.b.constant(self.world.seats as i32);
        self.b.emit(Op::Let(slots.left, seats));
    }

    /// Lists the triggers of the batch that still wait: those of one seat, or of any.
    fn waiting_of(&mut self, words: WaitingWords, slots: Slots, of_seat: bool) -> SetId {
        let (first, last) = (self.b.local(slots.first), self.b.local(slots.last));
        let of = self.b.set(Set::Range(first, last));
        let temp = self.scope.temp(Ty::INT);
        let at = self.b.temp(temp);
        let condition = self.still_waits(words, slots, at, of_seat);
        self.b.filtered(of, temp, condition)
    }

    fn still_waits(
        &mut self,
        words: WaitingWords,
        slots: Slots,
        at: ExprId,
        of_seat: bool,
    ) -> ExprId {
        let handler = self.column_at(words.handler, at, Type::Int);
        let waits = self.b.compare(Binary::More, handler, 0);
        if !of_seat {
            return waits;
        }
        let own = self.column_at(words.seat, at, Type::Seat);
        let seat = self.b.local(slots.seat);
        let is_own = self.b.binary(Binary::Equal, own, seat);
        self.b.and(is_own, waits)
    }

    /// Finds the next trigger, and leaves its number in its slot; behind it is the end of the batch. Returns where this
    /// begins.
    fn next_seat(&mut self, words: WaitingWords, slots: Slots) -> Next {
        let left = self.b.local(slots.left);
        let zero = self.b.constant(0);
        let one = self.b.constant(1);
        let any_left = self.b.binary(Binary::More, left, zero);
        let top = self.b.emit(Op::JumpUnless(any_left, LATER));
        let own = self.waiting_of(words, slots, true);
        let none = self.b.expr(Expr::IsEmpty(own));
        let any = self.b.not(none);
        let past = self.b.emit(Op::JumpUnless(any, LATER));
        let first = self.b.expr(Expr::First(own, 0));
        self.b.emit(Op::Let(slots.number, first));
        let count = self.b.expr(Expr::Count(own));
        let several = self.b.binary(Binary::More, count, one);
        let single = self.b.emit(Op::JumpUnless(several, LATER));
        let site = self.choose_trigger(words, slots);
        let mut to_run = vec![single];
        to_run.push(self.b.emit(Op::Jump(LATER)));
        self.b.land(past);
        let seat = self.b.local(slots.seat);
        let after = self.b.expr(Expr::SeatAfter { seat, by: 1 });
        self.b.emit(Op::Let(slots.seat, after));
        let fewer = self.b.binary(Binary::Subtract, left, one);
        self.b.emit(Op::Let(slots.left, fewer));
        self.b.emit(Op::Jump(top));
        // Triggers whose seat is none come last.
        self.b.land(top);
        let of_nobody = self.waiting_of(words, slots, false);
        let first = self.b.expr(Expr::First(of_nobody, 0));
        self.b.emit(Op::Let(slots.number, first));
        let number = self.b.local(slots.number);
        let found = self.b.binary(Binary::More, number, zero);
        let nothing = self.b.emit(Op::JumpUnless(found, LATER));
        to_run.push(self.b.emit(Op::Jump(LATER)));
        self.b.land(nothing);
        Next { top, to_run, site }
    }

    /// Emits the decision between the triggers of a seat.
    fn choose_trigger(&mut self, words: WaitingWords, slots: Slots) -> SiteId {
        let handlers = self.handlers.waiting.handlers.clone();
        let site = self.ask_between(&handlers, slots.seat);
        let names = self.handler_names(&handlers);
        let (first, last) = (self.b.local(slots.first), self.b.local(slots.last));
        let domain = self.b.set(Set::Range(first, last));
        let temp = self.scope.temp(Ty::INT);
        let at = self.b.temp(temp);
        let mut options = Vec::new();
        for (index, name) in handlers.into_iter().zip(names) {
            let waits = self.still_waits(words, slots, at, true);
            let own = self.column_at(words.handler, at, Type::Int);
            let number = self.number_of_trigger(index);
            let is_this = self.b.binary(Binary::Equal, own, number);
            let span = self.handlers.get(index).map(|handler| handler.def.span);
            let span = span.unwrap_or_default();
            let condition = Condition {
                test: self.b.and(is_this, waits),
                cites: Vec::new(),
                span,
            };
            let title = self.translations.name(&name);
            let label = self.label_of_trigger(index, &name, at);
            let mut binder = BinderInfo::of_one("number", Type::Int, domain, temp, slots.number);
            binder.filters.push(condition);
            let target = self.b.here();
            options.push(SiteOption {
                label,
                binders: vec![binder],
                ..SiteOption::bare(name, title, target, span)
            });
        }
        self.set_options(site, options);
        site
    }

    /// Returns the label of a trigger: its name, and the components that it is about.
    fn label_of_trigger(&mut self, index: usize, name: &str, at: ExprId) -> Option<TextId> {
        let params = self.handler_params(index);
        let columns = self.columns_of(&params);
        let span = self.handlers.get(index)?.def.span;
        let tree = Tree { span };
        let mark = self.scope.mark();
        let mut parts = vec![TextPart::Literal(name.replace('_', " "))];
        for ((name, ty), column) in params.iter().zip(columns) {
            if let Some(of @ Type::Component(_)) = ty.of {
                let value = self.column_at(column, at, of);
                self.scope.bind(name, Binding::Alias(value, *ty));
                let between = if parts.len() > 1 { ", " } else { ": " };
                parts.push(TextPart::Literal(between.into()));
                parts.push(TextPart::Hole(tree.name(name), name.clone()));
            }
        }
        let label = self.text(&Text { parts, span });
        self.scope.reset_but_temps(mark);
        label
    }

    /// Runs the trigger with the number in the slot, which waits no longer, and continues with the next one.
    fn run_chosen(&mut self, words: WaitingWords, slots: Slots, next: Next) {
        self.b.land_all(next.to_run);
        let here = self.b.here();
        if let Some(site) = self.b.program.sites.get_mut(usize::from(next.site)) {
            for option in &mut site.options {
                option.target = here;
            }
            site.otherwise = here;
        }
        let handler = self.scope.local(Ty::INT);
        let at = self.b.local(slots.number);
        let waiting = self.column_at(words.handler, at, Type::Int);
        self.b.emit(Op::Let(handler, waiting));
        let (zero, none) = (self.b.constant(0), self.b.constant(NONE));
        self.set_column(words.handler, at, zero, false);
        self.set_column(words.seat, at, none, false);
        for index in self.handlers.waiting.handlers.clone() {
            let number = self.number_of_trigger(index);
            let is = self.b.local(handler);
            let is_this = self.b.binary(Binary::Equal, is, number);
            let past = self.b.emit(Op::JumpUnless(is_this, LATER));
            self.run_trigger(index, at);
            self.b.emit(Op::Jump(next.top));
            self.b.land(past);
        }
        self.b.emit(Op::Jump(next.top));
    }

    /// Takes the values of a trigger out of their words and runs it.
    fn run_trigger(&mut self, index: usize, at: ExprId) {
        let params = self.handler_params(index);
        let columns = self.columns_of(&params);
        let trigger = self.handlers.get(index).and_then(|of| of.trigger.as_ref());
        let Some(effect) = trigger.map(|trigger| trigger.effect) else {
            return;
        };
        let mark = self.scope.mark();
        let mut args = Vec::new();
        for ((_, ty), column) in params.iter().zip(columns) {
            let of = ty.of.unwrap_or(Type::Int);
            let slot = self.scope.local(*ty);
            let value = self.column_at(column, at, of);
            self.b.emit(Op::Let(slot, value));
            let nothing = self.b.constant(default_of(of));
            self.set_column(column, at, nothing, false);
            args.push(Arg::Value(self.b.local(slot)));
        }
        self.emit_call(effect, args);
        self.scope.reset(mark);
    }
}

/// The slots of the effect of `resolve`.
#[derive(Clone, Copy)]
struct Slots {
    first: Local,
    last: Local,
    seat: Local,
    /// How many seats have not had their turn in this batch.
    left: Local,
    /// The trigger to run.
    number: Local,
}

/// The code that finds the next trigger.
struct Next {
    top: Address,
    to_run: Vec<Address>,
    site: SiteId,
}

/// Returns the type of a column for values of this type.
pub(crate) fn widest(of: Type) -> Type {
    match of.refers() {
        Refers::ToComponent => Type::Component(None),
        Refers::ToZone => Type::Zone(None),
        Refers::ToNothing => of,
    }
}

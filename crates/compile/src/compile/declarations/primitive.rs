//! Built-in events that handlers can handle: moving, rolling, shuffling, scoring, turning over, the beginning of a
//! turn.
//!
//! Without handlers, each is one operation. With handlers, it becomes an effect with one operation, which is wrapped
//! like any effect of the game.

use crate::compile::builder;
use crate::compile::compiler::Compiler;
use crate::compile::compiler::effects::Later;
use crate::compile::terms::pattern::{Part, Pattern};
use std::fmt;
use std::sync::LazyLock;

use crate::names::types::{Families, Ty};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::*;

/// The events that handlers can handle besides the effects of the game: names and parameters.
const HAPPENINGS: &[(&str, &[(&str, Ty)])] = &[
    ("move", &[("c", Ty::COMPONENT), ("z", Ty::ZONE)]),
    ("draw", &[("c", Ty::COMPONENT), ("z", Ty::ZONE)]),
    ("swap", &[("a", Ty::COMPONENT), ("b", Ty::COMPONENT)]),
    ("rotate", &[("z", Ty::ZONES)]),
    ("roll", &[("d", Ty::COMPONENTS)]),
    ("shuffle", &[("z", Ty::ZONE)]),
    ("turn", &[("c", Ty::COMPONENTS)]),
    ("scores", &[("p", Ty::SEAT), ("n", Ty::INT)]),
    ("turn_begins", &[("p", Ty::SEAT)]),
];

/// Every operation of a move, a roll or a turn uses them.
static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    HAPPENINGS
        .iter()
        .map(|(name, params)| pattern(name, params))
        .collect()
});

pub fn happenings() -> &'static [Pattern] {
    &PATTERNS
}

/// Returns whether a built-in event has this form.
pub fn is_happening(pattern: &Pattern) -> bool {
    let shape = pattern.shape();
    PATTERNS.iter().any(|known| known.shape() == shape)
}

/// Returns the pattern of an event; `None` for unknown names.
fn happening(name: &str) -> Option<&'static Pattern> {
    let at = HAPPENINGS.iter().position(|(known, _)| *known == name)?;
    PATTERNS.get(at)
}

fn pattern(name: &str, params: &[(&str, Ty)]) -> Pattern {
    let mut parts = vec![Part::Word(name.into())];
    parts.extend(
        params
            .iter()
            .map(|(name, ty)| Part::Param((*name).into(), *ty)),
    );
    Pattern {
        parts,
        call_style: true,
        ..Pattern::default()
    }
}

impl Compiler<'_> {
    /// Returns whether there are handlers for this event.
    fn meets(&self, name: &str) -> bool {
        happening(name).is_some_and(|pattern| self.has_handlers(pattern))
    }

    /// Returns whether some handler could concern a move of such components into such a zone.
    pub fn meets_move(&self, what: Ty, to: Ty) -> bool {
        let Some(pattern) = happening("move").filter(|pattern| self.has_handlers(pattern)) else {
            return false;
        };
        let meeting = self.handlers.by_shape.get(&pattern.shape());
        let mut handlers = meeting.into_iter().flatten();
        self.is_watched(pattern)
            || handlers.any(|at| {
                let handler = self.handlers.get(*at);
                let given = handler.map(|handler| handler.pattern.given());
                let mut pairs = given.iter().flatten().zip([what, to]);
                pairs.all(|((_, own), met)| self.world.fits(own.of, met.of))
            })
    }

    /// Returns the wrapped primitive for this operation, created on first use; `None` without handlers. `variant`
    /// distinguishes primitives that look the same to handlers; `extra` parameters follow those they see.
    fn primitive(
        &mut self,
        name: &str,
        variant: fmt::Arguments,
        extra: &[Ty],
        op: impl FnOnce(&mut Self) -> Op,
    ) -> Option<EffectId> {
        let pattern = happening(name).filter(|pattern| self.has_handlers(pattern))?;
        let key = format!("{name} {variant}");
        if let Some(known) = self.effects.primitives.get(&key) {
            return Some(*known);
        }
        let mut params = pattern.params();
        params.extend(extra.iter().map(|ty| (String::new(), *ty)));
        let id = self.add_effect(&pattern.name(), &params, Span::default());
        let inner = self.add_effect(&pattern.name(), &params, Span::default());
        self.effects.primitives.insert(key, id);
        let op = op(self);
        self.effects.later.push(Later {
            id,
            inner,
            pattern: pattern.clone(),
            params,
            op,
        });
        Some(id)
    }

    /// Returns the wrapped move to such a place; `None` without handlers.
    fn moving(&mut self, place: MovePlace, face_down: bool) -> Option<EffectId> {
        let (variant, extra) = match place {
            MovePlace::Top => ("top", &[][..]),
            MovePlace::Bottom => ("bottom", &[][..]),
            MovePlace::At(_) => ("at", &[Ty::INT][..]),
        };
        self.primitive("move", format_args!("{variant} {face_down}"), extra, |c| {
            let [what, to, at] = c.own_values();
            let place = match place {
                MovePlace::Top | MovePlace::Bottom => place,
                MovePlace::At(_) => MovePlace::At(at),
            };
            one_move(what, to, place, face_down)
        })
    }

    pub fn emit_move(&mut self, what: ExprId, to: ExprId, place: MovePlace, face_down: bool) {
        let wrapped = self.moving(place, face_down);
        let at = match place {
            MovePlace::Top | MovePlace::Bottom => None,
            MovePlace::At(at) => Some(at),
        };
        let args = [what, to].into_iter().chain(at).map(Arg::Value);
        let op = one_move(what, to, place, face_down);
        self.emit_happening(wrapped, args.collect(), op);
    }

    /// Moves a component to a cell of a zone, rotated by a number of quarter turns.
    pub fn emit_move_to_cell(&mut self, given: [ExprId; 4], face_down: bool) {
        let extra = [Ty::one(Type::Cell), Ty::INT];
        let variant = format_args!("cell {face_down}");
        self.happens(
            "move",
            variant,
            &extra,
            given,
            |[what, zone, cell, turned]| {
                Op::MoveToCell(CellMove {
                    what,
                    zone,
                    cell,
                    turned,
                    face_down,
                })
            },
        );
    }

    pub fn emit_move_all(&mut self, what: SetId, to: ExprId, place: MovePlace, face_down: bool) {
        let mark = self.scope.mark();
        let to = self.kept(to);
        self.each_member(what, |c, component| {
            c.emit_move(component, to, place, face_down)
        });
        self.scope.reset(mark);
    }

    /// Evaluates a value once that is used several times.
    fn kept(&mut self, value: ExprId) -> ExprId {
        let local = self.scope.local(Ty::INT);
        self.b.emit(Op::Let(local, value));
        self.b.local(local)
    }

    /// Emits a list that becomes part of the frame.
    pub fn emit_list(&mut self, local: Local, set: SetId, ty: Ty) {
        let at = self.b.emit(Op::LetList(local, set));
        if matches!(ty.of, Some(Type::Component(_))) {
            self.effects.component_lists.push(at);
        }
    }

    /// Emits a loop over a list of components.
    pub fn each_member(&mut self, what: SetId, body: impl FnOnce(&mut Self, ExprId)) {
        let mark = self.scope.mark();
        let height = self.scope.local(Ty::INT);
        self.b.emit(Op::Mark(height));
        self.each_listed(what, Ty::COMPONENTS, |c, component, _| body(c, component));
        self.b.emit(Op::Release(height));
        self.scope.reset(mark);
    }

    /// Emits a loop over a list, whose body is given each member and its number; returns the number of members.
    pub(crate) fn each_listed(
        &mut self,
        set: SetId,
        listed: Ty,
        body: impl FnOnce(&mut Self, ExprId, ExprId),
    ) -> ExprId {
        let list = self.scope.local(listed);
        let index = self.scope.local(Ty::INT);
        let var = self.scope.local(listed.element());
        let zero = self.b.constant(0);
        self.emit_list(list, set, listed);
        self.b.emit(Op::Let(index, zero));
        let exit = builder::LATER;
        let top = self.b.emit(Op::EachNext(LoopStep {
            list,
            index,
            var,
            exit,
        }));
        let (member, number) = (self.b.local(var), self.b.local(index));
        body(self, member, number);
        self.b.emit(Op::Jump(top));
        self.b.land(top);
        number
    }

    pub fn emit_draw(&mut self, count: ExprId, from: ExprId, to: ExprId, face_down: bool) {
        if !self.meets("move") && !self.meets("draw") {
            self.b.emit(Op::Draw(ComponentDraw {
                count,
                from,
                to,
                face_down,
            }));
            return;
        }
        let mark = self.scope.mark();
        let (from, to) = (self.kept(from), self.kept(to));
        let there = self.b.expr(Expr::ZoneCount(from));
        let count = self.b.binary(Binary::Min, count, there);
        self.times(count, |c| {
            let top = c.b.expr(Expr::ZoneLast(from));
            c.emit_drawn(top, to, face_down);
        });
        self.scope.reset(mark);
    }

    /// Emits the draw of one component, which moves it.
    fn emit_drawn(&mut self, what: ExprId, to: ExprId, face_down: bool) {
        let wrapped = self.primitive("draw", format_args!("{face_down}"), &[], |c| {
            let [what, to] = c.own_values();
            match c.moving(MovePlace::Top, face_down) {
                Some(effect) => {
                    let args = c.b.args(vec![Arg::Value(what), Arg::Value(to)]);
                    Op::Call { effect, args }
                }
                None => one_move(what, to, MovePlace::Top, face_down),
            }
        });
        match wrapped {
            Some(effect) => self.emit_call(effect, vec![Arg::Value(what), Arg::Value(to)]),
            None => self.emit_move(what, to, MovePlace::Top, face_down),
        }
    }

    /// Emits a loop that counts down.
    fn times(&mut self, count: ExprId, body: impl FnOnce(&mut Self)) {
        let left = self.scope.local(Ty::INT);
        self.b.emit(Op::Let(left, count));
        let (now, zero, one) = (self.b.local(left), self.b.constant(0), self.b.constant(1));
        let more = self.b.binary(Binary::More, now, zero);
        let top = self.b.emit(Op::JumpUnless(more, builder::LATER));
        let fewer = self.b.binary(Binary::Subtract, now, one);
        self.b.emit(Op::Let(left, fewer));
        body(self);
        self.b.emit(Op::Jump(top));
        self.b.land(top);
    }

    /// Emits one operation, or the wrapping effect if there are handlers.
    fn emit_happening(&mut self, wrapped: Option<EffectId>, args: Vec<Arg>, op: Op) {
        match wrapped {
            Some(effect) => self.emit_call(effect, args),
            None => drop(self.b.emit(op)),
        }
    }

    /// Emits an operation on these values, which handlers can handle.
    fn happens<const N: usize>(
        &mut self,
        name: &str,
        variant: fmt::Arguments,
        extra: &[Ty],
        given: [ExprId; N],
        op: impl Fn([ExprId; N]) -> Op,
    ) {
        let wrapped = self.primitive(name, variant, extra, |c| op(c.own_values()));
        self.emit_happening(wrapped, given.map(Arg::Value).to_vec(), op(given));
    }

    /// Emits an operation on a list, which handlers can handle.
    fn happens_to(
        &mut self,
        name: &str,
        variant: fmt::Arguments,
        given: SetId,
        op: impl Fn(SetId) -> Op,
    ) {
        let wrapped = self.primitive(name, variant, &[], |c| op(c.b.set(Set::Local(0))));
        self.emit_happening(wrapped, vec![Arg::List(given)], op(given));
    }

    /// Returns the values in the first slots of the frame.
    fn own_values<const N: usize>(&mut self) -> [ExprId; N] {
        std::array::from_fn(|slot| self.b.local(slot as Local))
    }

    pub fn emit_swap(&mut self, one: ExprId, other: ExprId) {
        let op = |[one, other]: [ExprId; 2]| Op::Swap(one, other);
        self.happens("swap", format_args!(""), &[], [one, other], op);
    }

    pub fn emit_shuffle(&mut self, zone: ExprId) {
        let op = |[zone]: [ExprId; 1]| Op::Shuffle(zone);
        self.happens("shuffle", format_args!(""), &[], [zone], op);
    }

    pub fn emit_rotate(&mut self, zones: SetId) {
        self.happens_to("rotate", format_args!(""), zones, Op::Rotate);
    }

    pub fn emit_roll(&mut self, dice: SetId) {
        self.happens_to("roll", format_args!(""), dice, Op::Roll);
    }

    pub fn emit_turn(&mut self, what: SetId, down: bool) {
        let op = |what| Op::TurnFace { what, down };
        self.happens_to("turn", format_args!("{down}"), what, op);
    }

    pub fn emit_score(&mut self, seat: ExprId, by: ExprId) {
        let op = |[seat, by]: [ExprId; 2]| Op::Score { seat, by };
        self.happens("scores", format_args!(""), &[], [seat, by], op);
    }

    /// Emits the beginning of a turn, which can be handled: `after turn_begins(seat p)`. The turn itself cannot.
    pub fn emit_turn_begin(&mut self, seat: ExprId, before: Local) {
        self.b.emit(Op::TurnBegin { seat, before });
        let nothing = self.primitive("turn_begins", format_args!(""), &[], |_| Op::Return);
        if let Some(effect) = nothing {
            let active = self.active();
            self.emit_call(effect, vec![Arg::Value(active)]);
        }
    }

    /// Emits the primitives in use; handlers may add more during translation.
    pub fn translate_primitives(&mut self) {
        while let Some(later) = self.effects.later.pop() {
            let (inner, params) = (later.inner, &later.params);
            self.effect_body(inner, params, |c| c.emit_resting(later.op));
            self.wrap(later.id, inner, &later.pattern, params);
        }
    }
}

pub fn one_move(what: ExprId, to: ExprId, place: MovePlace, face_down: bool) -> Op {
    Op::Move(ComponentMove {
        what,
        to,
        place,
        face_down,
    })
}

//! Built-in happenings that handlers may meet: moving, rolling, shuffling, scoring, turning over, a turn's begin.
//!
//! Without handlers each is one op. With handlers it becomes an effect of one op, so that it can be wrapped like any
//! effect of the game.

use super::Compiler;
use super::effect::{Part, Pattern};
use crate::check::types::Ty;
use crate::diagnostic::Span;
use crate::program::*;

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
        span: Span::default(),
    }
}

const COMPONENTS: Ty = Ty::list(Type::Component(None));

impl Compiler<'_> {
    /// The wrapped primitive for this op, made when first needed; `None` if nobody meets it.
    fn primitive(
        &mut self,
        key: String,
        pattern: &Pattern,
        op: impl FnOnce(&mut Self) -> Op,
    ) -> Option<EffectId> {
        if !self.has_handlers(pattern) {
            return None;
        }
        if let Some(known) = self.primitives.get(&key) {
            return Some(*known);
        }
        let params = pattern.params();
        let id = self.add_effect(&pattern.name(), &params, Span::default());
        let inner = self.add_effect(&pattern.name(), &params, Span::default());
        self.primitives.insert(key, id);
        let op = op(self);
        self.later.push(super::Later {
            id,
            inner,
            pattern: pattern.clone(),
            op,
        });
        Some(id)
    }

    pub fn emit_move(&mut self, what: ExprId, to: ExprId, place: MovePlace, face_down: bool) {
        let met = pattern("move", &[("c", Ty::COMPONENT), ("z", Ty::ZONE)]);
        // a stated place is another expression at each use, so it is not passed on to handlers
        let key = format!("move {} {face_down}", place_key(place));
        let wrapped = self.primitive(key, &met, |c| {
            let (what, to) = (c.b.expr(Expr::Local(0)), c.b.expr(Expr::Local(1)));
            Op::Move {
                what,
                to,
                place: plain_place(place),
                face_down,
            }
        });
        match wrapped {
            Some(effect) => self.emit_call(effect, vec![Arg::Value(what), Arg::Value(to)]),
            None => {
                self.b.emit(Op::Move {
                    what,
                    to,
                    place,
                    face_down,
                });
            }
        }
    }

    pub fn emit_move_all(&mut self, what: SetId, to: ExprId, place: MovePlace, face_down: bool) {
        let met = pattern("move", &[("c", Ty::COMPONENT), ("z", Ty::ZONE)]);
        if !self.has_handlers(&met) {
            self.b.emit(Op::MoveAll {
                what,
                to,
                place,
                face_down,
            });
            return;
        }
        self.each_member(what, |c, component| {
            c.emit_move(component, to, place, face_down)
        });
    }

    /// A loop over a list of components.
    fn each_member(&mut self, what: SetId, body: impl FnOnce(&mut Self, ExprId)) {
        let mark = self.scope.mark();
        let height = self.scope.local(Ty::INT);
        let list = self.scope.local(COMPONENTS);
        let index = self.scope.local(Ty::INT);
        let var = self.scope.local(Ty::COMPONENT);
        let zero = self.b.constant(0);
        self.b.emit(Op::Mark(height));
        self.b.emit(Op::LetList(list, what));
        self.b.emit(Op::Let(index, zero));
        let exit = super::builder::LATER;
        let top = self.b.emit(Op::EachNext {
            list,
            index,
            var,
            exit,
        });
        let component = self.b.expr(Expr::Local(var));
        body(self, component);
        self.b.emit(Op::Jump(top));
        self.b.land(top);
        self.b.emit(Op::Release(height));
        self.scope.reset(mark);
    }

    pub fn emit_draw(&mut self, count: ExprId, from: ExprId, to: ExprId, face_down: bool) {
        let met = pattern("move", &[("c", Ty::COMPONENT), ("z", Ty::ZONE)]);
        if !self.has_handlers(&met) {
            self.b.emit(Op::Draw {
                count,
                from,
                to,
                face_down,
            });
            return;
        }
        let contents = self.b.set(Set::Zone(from));
        let from_top = self.b.set(Set::Reversed(contents));
        let drawn = self.b.set(Set::Take(from_top, count));
        self.each_member(drawn, |c, component| {
            c.emit_move(component, to, MovePlace::Top, face_down)
        });
    }

    pub fn emit_shuffle(&mut self, zone: ExprId) {
        let met = pattern("shuffle", &[("z", Ty::ZONE)]);
        let wrapped = self.primitive("shuffle".into(), &met, |c| {
            Op::Shuffle(c.b.expr(Expr::Local(0)))
        });
        match wrapped {
            Some(effect) => self.emit_call(effect, vec![Arg::Value(zone)]),
            None => {
                self.b.emit(Op::Shuffle(zone));
            }
        }
    }

    pub fn emit_roll(&mut self, dice: SetId) {
        let met = pattern("roll", &[("d", COMPONENTS)]);
        let wrapped = self.primitive("roll".into(), &met, |c| Op::Roll(c.b.set(Set::Local(0))));
        match wrapped {
            Some(effect) => self.emit_call(effect, vec![Arg::List(dice)]),
            None => {
                self.b.emit(Op::Roll(dice));
            }
        }
    }

    pub fn emit_turn(&mut self, what: SetId, down: bool) {
        let met = pattern("turn", &[("c", COMPONENTS)]);
        let wrapped = self.primitive(format!("turn {down}"), &met, |c| {
            let what = c.b.set(Set::Local(0));
            Op::TurnFace { what, down }
        });
        match wrapped {
            Some(effect) => self.emit_call(effect, vec![Arg::List(what)]),
            None => {
                self.b.emit(Op::TurnFace { what, down });
            }
        }
    }

    pub fn emit_score(&mut self, seat: ExprId, by: ExprId) {
        let met = pattern("scores", &[("p", Ty::SEAT), ("n", Ty::INT)]);
        let wrapped = self.primitive("scores".into(), &met, |c| {
            let (seat, by) = (c.b.expr(Expr::Local(0)), c.b.expr(Expr::Local(1)));
            Op::Score { seat, by }
        });
        match wrapped {
            Some(effect) => self.emit_call(effect, vec![Arg::Value(seat), Arg::Value(by)]),
            None => {
                self.b.emit(Op::Score { seat, by });
            }
        }
    }

    /// The turn itself cannot be met, but its beginning can: `after turn_begins(seat p)`.
    pub fn emit_turn_begin(&mut self, seat: ExprId, before: Local) {
        self.b.emit(Op::TurnBegin { seat, before });
        let met = pattern("turn_begins", &[("p", Ty::SEAT)]);
        let nothing = self.primitive("turn_begins".into(), &met, |_| Op::Return);
        if let Some(effect) = nothing {
            self.emit_call(effect, vec![Arg::Value(seat)]);
        }
    }

    /// Emits the primitives that were needed; handlers may need more while they are translated.
    pub fn translate_primitives(&mut self) {
        while let Some(super::Later {
            id,
            inner,
            pattern,
            op,
        }) = self.later.pop()
        {
            self.effect_body(inner, &pattern.params(), |c| {
                c.b.emit(op);
            });
            self.wrap(id, inner, &pattern);
        }
    }
}

fn place_key(place: MovePlace) -> &'static str {
    match place {
        MovePlace::Bottom => "bottom",
        _ => "top",
    }
}

fn plain_place(place: MovePlace) -> MovePlace {
    match place {
        MovePlace::Bottom => MovePlace::Bottom,
        _ => MovePlace::Top,
    }
}

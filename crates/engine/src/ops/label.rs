//! The label of a choice that was made: the values in its holes, each with who may know it.
//!
//! The state is gone when somebody reads the event, so the values travel with it. The seat that chose has read them. All
//! others may know a value that follows from what is chosen and from what they see on the table. Values that this file cannot
//! follow (names of the running effect, what-ifs, memory) stay with the seat that chose.

use super::values::assigned;
use crate::choice::{Answer, BoundValue};
use crate::eval::{Eval, Scratch};
use crate::fault::{Fault, FaultKind, Halt};
use crate::limit::FUEL_PER_MOVE;
use crate::machine::Machine;
use crate::see::{self, seen_value};
use crate::seen::{EventSight, LabelValue, SeenValue};
use crate::viewer::{EVERYBODY, Viewers, bit_of_seat};
use wyrmgate_program::{
    BinderSize, DispatchId, Expr, ExprId, Hole, Operation, Part, QueryBody, QueryId, Set, SetId,
    SiteOption, Type, WordId,
};

/// Returns what fills the holes of the label of this option; without a label, the sides that show of chosen dice, by name.
pub fn values(
    m: &Machine,
    seat: u8,
    option: &SiteOption,
    answer: &impl Answer,
) -> Result<Vec<LabelValue>, Fault> {
    if option.label.is_none() {
        let binders = option.binders.iter().enumerate();
        let sides = binders.map(|(name, binder)| {
            let dice = answer.values(name);
            let dice = dice.filter(|_| matches!(binder.of, Type::Component(_)));
            sides(m, seat, dice.unwrap_or_default())
        });
        let sides: Vec<LabelValue> = sides.collect();
        let has_some = sides.iter().any(|of| !of.values.is_empty());
        return Ok(if has_some { sides } else { Vec::new() });
    }
    let label = option.label.map(usize::from);
    let info = label.and_then(|label| m.program.prose.texts_with_holes.get(label));
    let Some(info) = info.filter(|info| !info.holes.is_empty()) else {
        return Ok(Vec::new());
    };
    // A budget of its own, so observing costs a game nothing.
    let mut scratch = Scratch::new(FUEL_PER_MOVE, FaultKind::Fuel);
    let mut eval = Eval::new(m.program, m.state, &mut scratch, m.base);
    for (name, binder) in option.binders.iter().enumerate() {
        let Some(values) = answer.values(name) else {
            return Ok(Vec::new());
        };
        match (binder.count, values) {
            (BinderSize::One, &[value]) => eval.bind(binder, &BoundValue::One(value)),
            _ => eval.bind(binder, &BoundValue::Many(values.into())),
        }
    }
    let mut witnesses = Witnesses {
        eval,
        place: ExpressionPlace::Label,
        follows: false,
        asked: Vec::new(),
    };
    let values = info.holes.iter().map(|hole| witnesses.value(*hole, seat));
    let values = values.collect::<Result<_, Halt>>();
    values.map_err(|Halt| scratch.take_fault())
}

/// Returns the sides that show if these are dice, for those who can identify all of them; they may be rolled next.
fn sides(m: &Machine, seat: u8, dice: &[i32]) -> LabelValue {
    let side = |die: &i32| {
        let word = m.program.side_of(*die)?.word_of(*die)?;
        Some(SeenValue::Plain(m.state.var(word)))
    };
    let sides: Option<Vec<SeenValue>> = dice.iter().map(side).collect();
    let values = sides.unwrap_or_default();
    let known = dice.iter().take(values.len());
    let known = known.map(|die| see::viewers(m.program, m.state, *die));
    LabelValue {
        by: known.fold(EVERYBODY, |by, to| by & to) | bit_of_seat(seat),
        values,
        follows: false,
    }
}

/// Where an expression stands. A value can be looked up in the state only where all temps have their values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExpressionPlace {
    Label,
    /// Evaluated for each member of a list, or with arguments.
    Inside,
}

/// Finds out who may know a value.
struct Witnesses<'e> {
    eval: Eval<'e>,
    place: ExpressionPlace,
    /// Whether what was chosen has been read.
    follows: bool,
    /// The queries whose bodies are being looked at, or were found open.
    asked: Vec<QueryId>,
}

impl Witnesses<'_> {
    fn value(&mut self, hole: Hole, seat: u8) -> Result<LabelValue, Halt> {
        self.follows = false;
        let (values, by) = match hole {
            Hole::Value(expr, _) => (vec![self.eval.value(expr)?], self.of(expr)?),
            Hole::List(set, _) => (self.eval.gather(set)?.to_vec(), self.of_list(set)?),
        };
        let (program, state) = (self.eval.program, self.eval.state);
        let values = values.into_iter();
        let values = values.map(|value| seen_value(program, state, value, hole.of()));
        Ok(LabelValue {
            values: values.collect(),
            by: by | bit_of_seat(seat),
            follows: self.follows,
        })
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the table says whether the others read the state"
    )]
    fn of(&mut self, id: ExprId) -> Result<Viewers, Halt> {
        let program = self.eval.program;
        let Some(&expr) = program.exprs.get(id as usize) else {
            return Ok(0);
        };
        let own = match expr {
            Expr::Temp(_) => {
                self.follows = true;
                return Ok(EVERYBODY);
            }
            Expr::Revealed { .. } => return Ok(EVERYBODY),
            Expr::Call { query, .. } => self.of_query(query)?,
            Expr::CallKind { dispatch, .. } => self.of_dispatch(dispatch)?,
            _ if expr.facts().pure => EVERYBODY,
            _ if self.place == ExpressionPlace::Inside => return Ok(0),
            Expr::ZoneOf(component) => self.located(component, |sight| sight.located)?,
            Expr::PlaceOf(component)
            | Expr::IsFaceUp(component)
            | Expr::IsFaceDown(component)
            | Expr::CellOf(component)
            | Expr::RotationOf(component) => self.located(component, |sight| sight.placed)?,
            Expr::AtCell { .. } | Expr::ZoneFirst(_) | Expr::ZoneLast(_) => {
                let found = self.eval.value(id)?;
                self.by_who_identifies(found)
            }
            Expr::ZoneCount(zone) | Expr::IsFreeZone(zone) => {
                let zone = self.eval.value(zone)?;
                see::noticing(program, self.eval.state, zone)
            }
            Expr::Word(word) => self.of_word(word),
            Expr::WordAt(word) => {
                let at = self.eval.value(word.index)?.saturating_sub(word.low);
                self.of_word(word.offset.saturating_add_signed(at))
            }
            _ => 0,
        };
        Ok(own & self.of_parts(expr.bound().is_some(), expr.parts(program))?)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the table says whether the others read the state"
    )]
    fn of_list(&mut self, id: SetId) -> Result<Viewers, Halt> {
        let program = self.eval.program;
        let Some(&set) = program.sets.get(id as usize) else {
            return Ok(0);
        };
        let own = match set {
            Set::Temp(_) => {
                self.follows = true;
                return Ok(EVERYBODY);
            }
            Set::Call { query, .. } => self.of_query(query)?,
            Set::CallKind { dispatch, .. } => self.of_dispatch(dispatch)?,
            _ if set.facts().pure => EVERYBODY,
            _ if self.place == ExpressionPlace::Inside => return Ok(0),
            Set::Zone(zone) => {
                let zone = self.eval.value(zone)?;
                let members: Vec<i32> = self.eval.state.members(zone).collect();
                let members = members.into_iter();
                let known = members.map(|member| self.by_who_identifies(member));
                known.fold(see::noticing(program, self.eval.state, zone), |by, to| {
                    by & to
                })
            }
            Set::Words { offset, len } => {
                let words = offset..offset.saturating_add(len);
                let known = words.map(|word| self.of_word(word));
                known.fold(EVERYBODY, |by, to| by & to)
            }
            _ => 0,
        };
        Ok(own & self.of_parts(set.bound().is_some(), set.parts(program))?)
    }

    /// Returns the viewers who know all parts of an expression.
    fn of_parts(&mut self, binds: bool, parts: Vec<Part>) -> Result<Viewers, Halt> {
        let outside = self.place;
        if binds {
            self.place = ExpressionPlace::Inside;
        }
        let mut by = EVERYBODY;
        for part in parts {
            by &= match part {
                Part::Expr(id) => self.of(id)?,
                Part::Set(id) => self.of_list(id)?,
            };
        }
        self.place = outside;
        Ok(by)
    }

    /// Returns the viewers who may know the result of a query: those who know the arguments, if it does not read the
    /// state.
    fn of_query(&mut self, query: QueryId) -> Result<Viewers, Halt> {
        let program = self.eval.program;
        let Some(info) = program.query(query) else {
            return Ok(0);
        };
        if self.asked.contains(&query) {
            return Ok(EVERYBODY);
        }
        self.asked.push(query);
        let outside = std::mem::replace(&mut self.place, ExpressionPlace::Inside);
        let by = match info.body {
            QueryBody::Value(expr) => self.of(expr),
            QueryBody::List(set) => self.of_list(set),
        };
        self.place = outside;
        if by != Ok(EVERYBODY) {
            self.asked.retain(|asked| *asked != query);
        }
        by
    }

    fn of_dispatch(&mut self, dispatch: DispatchId) -> Result<Viewers, Halt> {
        let program = self.eval.program;
        let Some(info) = program.dispatches.get(usize::from(dispatch)) else {
            return Ok(0);
        };
        let mut by = EVERYBODY;
        for query in info.queries.iter().flatten() {
            by &= self.of_query(*query)?;
        }
        Ok(by)
    }

    /// Returns the viewers who may know a word of a variable. A value that follows from a component in it would identify
    /// the component.
    fn of_word(&self, word: WordId) -> Viewers {
        let (program, state) = (self.eval.program, self.eval.state);
        let (_, value, by) = assigned(program, state, word, state.var(word));
        match value {
            SeenValue::Plain(_) => by,
            SeenValue::Component(what) | SeenValue::Inside(what) => by & what.sight().by,
        }
    }

    fn located(
        &mut self,
        component: ExprId,
        who: fn(EventSight) -> Viewers,
    ) -> Result<Viewers, Halt> {
        let (program, state) = (self.eval.program, self.eval.state);
        let component = self.eval.value(component)?;
        Ok(match state.is_component(component) {
            true => who(see::located(program, state, component)),
            false => EVERYBODY,
        })
    }

    fn by_who_identifies(&self, component: i32) -> Viewers {
        let (program, state) = (self.eval.program, self.eval.state);
        match state.is_component(component) {
            true => see::viewers(program, state, component),
            false => EVERYBODY,
        }
    }
}

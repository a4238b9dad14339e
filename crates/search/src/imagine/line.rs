//! The true game as one seat has observed it.
//!
//! Random operations that mix components destroy their identity. Between two mixes, a component either stays unknown,
//! or is seen at some time and therefore was this one all along.

use std::cell::RefCell;

use super::history::Made;
use wyrmgate_engine::{
    AssignmentTarget, Chance, Draw, Event, Observer, Rng, SeenComponent, State, ViewReader, Viewer,
    reads_back, seen_value, sees, viewers_of_var,
};
use wyrmgate_program::{NONE, Program, Type, ZoneId};
use wyrmgate_view::{ChangingBack, changing_back, component_in, components_in, event_doc};

/// The true history, for which worlds are sampled. Components that the seat may not know have other numbers in every world
/// (`sampling::name`).
#[expect(
    clippy::disallowed_methods,
    reason = "the true numbers are renamed before a world has them"
)]
const HISTORIAN: Viewer = Viewer::omniscient();

/// Returns the component's number in the true game, or in the world in which it was observed.
pub(super) fn number_of(what: &SeenComponent) -> i32 {
    what.component_for(HISTORIAN).map_or(NONE, i32::from)
}

/// The knowledge of a seat about a component between two mixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ComponentKnowledge {
    Nothing,
    /// Its back.
    Back,
    /// Its identity.
    All,
}

/// One of the mixed components.
#[derive(Debug, Clone, Copy)]
pub(super) struct MixedSlot {
    pub component: i32,
    /// The components that become known before they are mixed again.
    pub known: ComponentKnowledge,
    /// The operation that mixes it next.
    pub next: Option<usize>,
    /// The number of the back that the seat saw first since, among [`ObservedGame::backs`].
    pub back: Option<usize>,
    /// The last step in which the seat identified the component before it was mixed again. 0 if it did not.
    seen: usize,
}

/// A random operation.
#[derive(Debug, Clone)]
pub(super) enum RandomOperation {
    /// A shuffle, with the components from first to last afterwards.
    Shuffle(Vec<MixedSlot>),
    /// A draw of one component from several. The seat may know from which place.
    Draw {
        slots: Vec<MixedSlot>,
        drawn: usize,
        is_placed: bool,
    },
    /// One of several components was chosen of which the seat knew each: which one it was is a number and no more, and mixes
    /// nothing.
    Pick {
        among: Vec<i32>,
        picked: usize,
        /// The picked components that the seat was shown in the same step.
        told: Vec<i32>,
    },
    /// A roll of a die.
    Roll { side: u32, known: bool },
    /// Any other operation.
    Number,
}

impl RandomOperation {
    /// Returns the picked component of those that lay open, if the seat was shown that one and no other: it is the same in
    /// every world. If the seat was shown several of them, there may be another reason.
    pub fn known_pick(&self) -> Option<i32> {
        let RandomOperation::Pick {
            among,
            picked,
            told,
        } = self
        else {
            return None;
        };
        let picked = *among.get(*picked)?;
        (told.as_slice() == [picked]).then_some(picked)
    }
}

/// A back that became visible or changed.
#[derive(Debug, Clone)]
pub(super) struct SeenBack {
    pub component: i32,
    pub back: ChangingBack,
}

/// A choice, or the setup, with its consequences.
#[derive(Debug, Clone)]
pub(super) struct LineStep {
    /// `None` for the setup.
    pub made: Option<Made>,
    /// The events that the seat receives, in order.
    pub events: Vec<Event>,
    /// The backs that the seat sees for the first time afterwards.
    pub sights: Vec<SeenBack>,
    /// The number of operations after it.
    pub operations: usize,
}

impl LineStep {
    /// Returns whether it is a secret answer after which the seat has not noticed anything.
    pub fn is_held(&self) -> bool {
        let is_chose = |event: &Event| matches!(event, Event::Chose { .. });
        self.made.as_ref().is_some_and(|made| made.secret) && self.events.iter().all(is_chose)
    }
}

/// The observed game up to now.
#[derive(Debug, Clone)]
pub(super) struct ObservedGame {
    pub operations: Vec<RandomOperation>,
    pub steps: Vec<LineStep>,
    /// The changing backs that the seat has seen.
    pub backs: Vec<ChangingBack>,
    components: Vec<ComponentTrace>,
}

/// What was observed of a component.
#[derive(Debug, Clone, Default)]
struct ComponentTrace {
    /// The last operation that mixed it, and its slot there.
    mixed: Option<(usize, usize)>,
    /// Its back as last seen since it was mixed.
    back: Option<ChangingBack>,
    /// Its last roll.
    rolled: Option<usize>,
    /// Whether the seat has identified it since its last shuffle.
    is_identified: bool,
    /// The number of its back when the seat first saw both.
    known_back: Option<usize>,
}

impl ObservedGame {
    pub fn new(program: &Program) -> ObservedGame {
        ObservedGame {
            operations: Vec::new(),
            steps: Vec::new(),
            backs: Vec::new(),
            components: vec![ComponentTrace::default(); program.components.len()],
        }
    }

    /// Identifies the components that are visible before anything has happened.
    pub fn look_before(&mut self, program: &Program, blank: &State, seat: u8) {
        for component in 0..program.components.len() as i32 {
            if sees(program, blank, seat, component)
                && let Some(trace) = self.trace(component)
            {
                trace.is_identified = true;
            }
        }
    }

    fn trace(&mut self, component: i32) -> Option<&mut ComponentTrace> {
        self.components.get_mut(usize::try_from(component).ok()?)
    }

    fn are_identified(&mut self, components: &[i32]) -> bool {
        let mut components = components.iter();
        components.all(|component| self.trace(*component).is_some_and(|it| it.is_identified))
    }

    /// Returns the slots of components that are mixed now.
    fn mix(&mut self, components: &[i32]) -> Vec<MixedSlot> {
        let number = self.operations.len();
        for (slot, component) in components.iter().enumerate() {
            if let Some(before) = self.slot_of(*component) {
                before.next = Some(number);
            }
            if let Some(trace) = self.trace(*component) {
                trace.mixed = Some((number, slot));
                trace.back = None;
                trace.is_identified = false;
            }
        }
        let slot = |component: &i32| MixedSlot {
            component: *component,
            known: ComponentKnowledge::Nothing,
            next: None,
            back: None,
            seen: 0,
        };
        components.iter().map(slot).collect()
    }

    fn slot_of(&mut self, component: i32) -> Option<&mut MixedSlot> {
        let (operation, slot) = self.trace(component)?.mixed?;
        match self.operations.get_mut(operation)? {
            RandomOperation::Shuffle(slots) | RandomOperation::Draw { slots, .. } => {
                slots.get_mut(slot)
            }
            RandomOperation::Pick { .. }
            | RandomOperation::Roll { .. }
            | RandomOperation::Number => None,
        }
    }

    /// Records that the seat learns something about a component; in this step, if it sees where it is.
    fn learn(&mut self, component: i32, known: ComponentKnowledge, now: usize) {
        if let Some(slot) = self.slot_of(component) {
            slot.known = slot.known.max(known);
            slot.seen = slot.seen.max(now);
        }
        if known == ComponentKnowledge::All
            && let Some(trace) = self.trace(component)
        {
            trace.is_identified = true;
            let rolled = trace
                .rolled
                .and_then(|rolled| self.operations.get_mut(rolled));
            if let Some(RandomOperation::Roll { known, .. }) = rolled {
                *known = true;
            }
        }
    }

    /// Records that the seat learns where a component lies or lay.
    fn place(&mut self, what: &SeenComponent, viewer: Viewer) {
        if !viewer.is_among(what.sight().placed) {
            return;
        }
        let mixed = self.trace(number_of(what)).and_then(|trace| trace.mixed);
        if let Some((operation, slot)) = mixed
            && let Some(RandomOperation::Draw {
                drawn, is_placed, ..
            }) = self.operations.get_mut(operation)
            && *drawn == slot
        {
            *is_placed = true;
        }
    }

    /// Returns the step of an operation.
    pub fn step_of(&self, operation: usize) -> usize {
        self.steps
            .partition_point(|step| step.operations <= operation)
    }

    /// Returns whether the seat has identified a component after a secret decision was over, and before it was mixed again.
    pub fn is_found_out(&self, component: i32, step: usize) -> bool {
        let held = self.steps.iter().skip(step);
        let over = step + held.take_while(|step| step.is_held()).count();
        let before = self.operations.iter().enumerate().rev();
        let mut before = before.skip_while(|(number, _)| self.step_of(*number) >= step);
        let slot = before.find_map(|(_, operation)| {
            let mut slots = slots_of(operation).iter();
            slots.find(|slot| slot.component == component)
        });
        slot.is_some_and(|slot| slot.seen >= over)
    }

    /// Records what the seat sees at a decision point. Returns the newly seen backs.
    pub fn look(&mut self, program: &Program, state: &State, seat: u8) -> Vec<SeenBack> {
        let (mut sights, now) = (Vec::new(), self.steps.len());
        for component in 0..program.components.len() as i32 {
            let is_identified = sees(program, state, seat, component);
            if is_identified {
                self.learn(component, ComponentKnowledge::All, now);
            } else if reads_back(program, state, Viewer::Seat(seat), component) {
                self.learn(component, ComponentKnowledge::Back, 0);
            } else {
                continue;
            }
            sights.extend(self.look_at_back(program, state, component, is_identified));
        }
        for (number, var) in program.vars.iter().enumerate() {
            if !matches!(var.of, Type::Component(_) | Type::Zone(_)) || var.internal {
                continue;
            }
            for word in 0..var.len {
                if Viewer::Seat(seat).is_among(viewers_of_var(program, state, number, word)) {
                    let value = state.var(var.offset + word);
                    let seen = seen_value(program, state, value, var.of);
                    component_in(&seen)
                        .iter()
                        .for_each(|what| self.see(what, seat, 0));
                }
            }
        }
        sights
    }

    fn look_at_back(
        &mut self,
        program: &Program,
        state: &State,
        component: i32,
        is_identified: bool,
    ) -> Option<SeenBack> {
        let back = changing_back(program, state, component);
        if back.is_empty() {
            return None;
        }
        let known = self.backs.iter().position(|known| *known == back);
        let number = known.unwrap_or(self.backs.len());
        if known.is_none() {
            self.backs.push(back.clone());
        }
        let trace = self.trace(component)?;
        if is_identified {
            trace.known_back = trace.known_back.or(Some(number));
        }
        let before = trace.back.replace(back.clone());
        if before.as_ref() == Some(&back) {
            return None;
        }
        if before.is_none()
            && let Some(slot) = self.slot_of(component)
        {
            slot.back = Some(number);
        }
        Some(SeenBack { component, back })
    }

    /// Returns the back with which the seat has seen a component that it could identify.
    pub fn known_back(&self, component: i32) -> Option<&ChangingBack> {
        let trace = self.components.get(usize::try_from(component).ok()?)?;
        self.backs.get(trace.known_back?)
    }

    /// Records a component as far as the seat may know it.
    fn see(&mut self, what: &SeenComponent, seat: u8, now: usize) {
        let viewer = Viewer::Seat(seat);
        self.place(what, viewer);
        if let Some(component) = what.component_for(viewer) {
            self.learn(i32::from(component), ComponentKnowledge::All, now);
            self.tell_of(i32::from(component));
        }
    }

    /// Notes that the seat is shown a component, perhaps because it was picked in the same step.
    fn tell_of(&mut self, component: i32) {
        let before = self.steps.last().map_or(0, |step| step.operations);
        let lately = self.operations.get_mut(before..).unwrap_or_default();
        for operation in lately {
            if let RandomOperation::Pick { among, told, .. } = operation
                && among.contains(&component)
                && !told.contains(&component)
            {
                told.push(component);
            }
        }
    }

    /// Records an event as the seat receives it.
    fn hear(&mut self, event: &Event, seat: u8) {
        if let Event::Given { seen_by: to, .. } | Event::Said { to, .. } = event
            && !Viewer::Seat(seat).is_among(*to)
        {
            return;
        }
        // A seat's own secret answer tells it nothing of others, who may have chosen the same.
        let is_answer = matches!(event, Event::Chose { secret: true, .. });
        let now = if is_answer { 0 } else { self.steps.len() };
        components_in(event).for_each(|what| self.see(what, seat, now));
        if let Event::Given {
            to: AssignmentTarget::Field { what, .. },
            ..
        } = event
        {
            self.learn(number_of(what), ComponentKnowledge::Back, 0);
        }
    }
}

pub(super) fn slots_of(operation: &RandomOperation) -> &[MixedSlot] {
    match operation {
        RandomOperation::Shuffle(slots) | RandomOperation::Draw { slots, .. } => slots,
        RandomOperation::Pick { .. } | RandomOperation::Roll { .. } | RandomOperation::Number => {
            &[]
        }
    }
}

/// A source of random numbers that records the results.
pub(super) struct RecordingSource<'a> {
    pub line: &'a RefCell<ObservedGame>,
    pub source: &'a mut dyn Chance,
}

impl Chance for RecordingSource<'_> {
    fn draw(&mut self, rng: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let at = self.source.draw(rng, n, what).min(n.saturating_sub(1));
        let mut line = self.line.borrow_mut();
        let operation = match what {
            Draw::Die { die, .. } => {
                let number = line.operations.len();
                if let Some(trace) = line.trace(i32::from(die)) {
                    trace.rolled = Some(number);
                }
                let (side, known) = (at, false);
                RandomOperation::Roll { side, known }
            }
            Draw::Value {
                values,
                of: Type::Component(_),
                ..
            } if line.are_identified(values) => RandomOperation::Pick {
                among: values.to_vec(),
                picked: at as usize,
                told: Vec::new(),
            },
            Draw::Value {
                values,
                of: Type::Component(_),
                ..
            } => RandomOperation::Draw {
                slots: line.mix(values),
                drawn: at as usize,
                is_placed: false,
            },
            Draw::Value { .. } | Draw::Choice { .. } | Draw::Shuffle { .. } => {
                RandomOperation::Number
            }
        };
        line.operations.push(operation);
        at
    }

    fn shuffle(&mut self, rng: &mut Rng, zone: ZoneId, order: &mut [i32]) {
        self.source.shuffle(rng, zone, order);
        let mut line = self.line.borrow_mut();
        let slots = line.mix(order);
        line.operations.push(RandomOperation::Shuffle(slots));
    }
}

/// A listener that records the seat's events.
pub(super) struct Listening<'a> {
    pub program: &'a Program,
    pub seat: u8,
    pub line: &'a RefCell<ObservedGame>,
    pub told: Vec<Event>,
}

impl<'a> Listening<'a> {
    pub fn new(program: &'a Program, seat: u8, line: &'a RefCell<ObservedGame>) -> Listening<'a> {
        Listening {
            program,
            seat,
            line,
            told: Vec::new(),
        }
    }
}

impl Observer for Listening<'_> {
    fn event(&mut self, event: Event) {
        let reader = ViewReader::from(Viewer::Seat(self.seat));
        if event_doc(self.program, &event, reader).is_some() {
            let mut line = self.line.borrow_mut();
            line.hear(&event, self.seat);
            self.told.push(event);
        }
    }

    fn wants_clauses(&self) -> bool {
        false
    }
}

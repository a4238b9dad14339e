//! Information gain: whether a choice teaches a viewer anything.
//!
//! There are three ways. **A draw**: nobody knew the result. **Something becomes visible**: a viewer is shown, or told
//! of, a component that it did not know (`knowledge.rs`). **Something depends on hidden state**: a card's rank is
//! announced, a sum over a hidden hand is scored, a choice was possible only because of a face-down card, or what a seat may
//! choose next depends on one.
//!
//! The last has one rule: *a choice teaches a viewer if the game could have been in another state, indistinguishable
//! for that viewer from the true one, in which the viewer would then have been told, or would see, or be asked, something
//! else.* The other states are constructed by exchanging what the viewer does not know, now and some moments ago:
//!
//! - **Now**, every two components that look alike are exchanged, all of them are put into other orders, and every
//!   hidden word, including the faces of hidden dice, gets other values. This finds everything that is revealed about
//!   one component. Among the orders are some in which what rules ask of several cards together comes true
//!   (`arranged.rs`), which is rare in orders at random: a flush, four of a kind, a hand of high cards.
//! - **Some moments ago**, they are put into other orders, and the choices since are replayed. If the viewer would have
//!   been told something else on the way, the attempt does not count. This also finds a value that was computed from
//!   hidden state earlier and is revealed only now, whether it was stored in a variable, in a name (`let`), or in the
//!   path that the rules took. The setup is one of these moments: its shuffles get other results.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use wyrmgate_engine::{
    Arg, Chance, Choice, Collect, Draw, Event, Fault, Label, Pending, Rng, Seeded, State,
    StepError, Viewer, Viewers, default_choice, reads_back, viewers_of_var,
};

use crate::arranged::arranged;
use crate::decision::{DecisionDoc, decision_docs};
use crate::disguise::{Exchange, essence_of, looks_of, renamed_zone, spoken_of};
use crate::doc::Doc;
use crate::event_doc::event_doc;
use crate::json::choice_to_json;
use crate::knowledge::{Knowledge, Taken, bit, viewers_of};
use crate::view::{ViewDoc, view};
use wyrmgate_engine::play;
use wyrmgate_program::{FieldInfo, FieldPlace, KindInfo, Program, Refers, Type, ZoneId};

/// The maximum number of pairs exchanged per viewer; of more pairs, a sample.
const PAIRS: usize = 4_000;
/// The number of other orders for everything unknown, as it is now and as it was some moments ago. What only certain cards
/// together lead to shows in few of them.
const ORDERS_NOW: u32 = 48;
const ORDERS: u32 = 12;
/// How many choices ago.
const AGO: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];
/// The amounts by which hidden numbers change.
const STEPS: [i32; 5] = [1, 2, 5, 10, 100];

/// A game so far, with everything that each viewer came to know.
#[derive(Clone)]
pub struct Lessons<'p> {
    program: &'p Program,
    seed: [u8; 32],
    /// The events of the setup.
    started: Vec<Event>,
    moments: Vec<Moment>,
    now: State,
    known: Knowledge,
    /// Called repeatedly during the computation.
    pause: fn(),
}

/// A choice that was made.
#[derive(Clone)]
struct Moment {
    before: State,
    /// The knowledge of each viewer before it.
    known: Knowledge,
    pending: Pending,
    choice: Choice,
    events: Vec<Event>,
}

impl<'p> Lessons<'p> {
    /// Starts a game in which nothing was chosen yet.
    pub fn begin(program: &'p Program, seed: [u8; 32]) -> Result<Lessons<'p>, Fault> {
        let mut heard = Collect::default();
        let now = play::start(program, seed, &mut Seeded, &mut heard)?;
        let known = Knowledge::of_start(program, seed, &now, &heard.0);
        Ok(Lessons {
            program,
            seed,
            started: heard.0,
            moments: Vec::new(),
            now,
            known,
            pause: || (),
        })
    }

    /// Returns the same game with a callback: finding out what a choice teaches takes long, and callers cancel it by
    /// unwinding from `pause`.
    pub fn pausing(self, pause: fn()) -> Lessons<'p> {
        Lessons { pause, ..self }
    }

    /// Returns the current state.
    pub fn state(&self) -> &State {
        &self.now
    }

    /// Makes the next choice, of the pending decision with this index.
    pub fn take(&mut self, index: usize, choice: Choice) -> Result<(), StepError> {
        let owed = play::pending(self.program, &self.now);
        let mut after = self.now.clone();
        let mut heard = Collect::default();
        let chance = &mut Seeded;
        play::step(self.program, &mut after, index, &choice, chance, &mut heard)?;
        let Some(pending) = owed.get(index).copied() else {
            return Ok(());
        };
        let known = self.known.clone();
        let before = std::mem::replace(&mut self.now, after);
        let taken = Taken {
            before: &before,
            after: &self.now,
            events: &heard.0,
        };
        self.known.follow(self.program, taken);
        self.moments.push(Moment {
            before,
            known,
            pending,
            choice,
            events: heard.0,
        });
        Ok(())
    }

    /// Returns whether a choice, counted from 0, taught any viewer anything. A choice that was not made counts as
    /// teaching.
    pub fn teaches(&self, number: usize) -> bool {
        let Some(moment) = self.moments.get(number) else {
            return true;
        };
        let after = self.after(number);
        if after.draws_made() != moment.before.draws_made() {
            return true;
        }
        let step = Taken {
            before: &moment.before,
            after,
            events: &moment.events,
        };
        moment.known.clone().follow(self.program, step) || self.follows_from_hidden(number)
    }

    fn before(&self, number: usize) -> &State {
        let moment = self.moments.get(number);
        moment.map_or(&self.now, |moment| &moment.before)
    }

    fn after(&self, number: usize) -> &State {
        self.before(number + 1)
    }

    /// Returns whether the choice reveals anything that depends on hidden state, to any viewer.
    fn follows_from_hidden(&self, number: usize) -> bool {
        let Some(moment) = self.moments.get(number) else {
            return true;
        };
        let truth = Truth::of(self);
        self.another_now_differs(&truth, number, moment)
            || viewers_of(self.program)
                .any(|viewer| self.another_past_differs(&truth, viewer, number))
    }

    /// Exchanges what is hidden now: two components or one word at a time. Each exchanged state is played once, for all
    /// viewers from whom the exchange is hidden.
    fn another_now_differs(&self, truth: &Truth<'_>, number: usize, moment: &Moment) -> bool {
        let known: Vec<_> = viewers_of(self.program).collect();
        let pairs = self.pairs(number, moment);
        let exchanged = pairs.into_iter().any(|((one, other), among)| {
            let mut exchange = Exchange::new(self.program, &moment.before);
            exchange.swap(one, other);
            let names = exchange.names().to_vec();
            let other = moment.before.renamed(&names);
            other != moment.before
                && self.differs_for(&known, among, (truth, number), &other, &names)
        });
        let unchanged: Vec<i32> = (0..self.program.components.len() as i32).collect();
        exchanged
            || self
                .other_words(moment)
                .into_iter()
                .any(|((word, value), among)| {
                    let mut other = moment.before.clone();
                    other.set_var(word, value);
                    self.differs_for(&known, among, (truth, number), &other, &unchanged)
                })
    }

    /// Returns whether one of these viewers would be told something else by this choice in another state that it cannot
    /// tell from the true one.
    fn differs_for(
        &self,
        viewers: &[Viewer],
        among: Viewers,
        (truth, number): (&Truth<'_>, usize),
        other: &State,
        names: &[i32],
    ) -> bool {
        (self.pause)();
        let Some(moment) = self.moments.get(number) else {
            return false;
        };
        let gone = self.play(other, moment, names);
        // Where all lies as it does, but for the components that were exchanged, there is nothing else to see.
        let lies_the_same =
            (gone.as_ref()).is_some_and(|(there, _)| *there == self.after(number).renamed(names));
        let mut viewers = viewers.iter().filter(|viewer| viewer.is_among(among));
        viewers.any(|viewer| {
            let is_same = gone.as_ref().is_some_and(|(there, events)| {
                truth.is_told(*viewer, number, events)
                    && (lies_the_same || truth.is_seen(*viewer, number + 1, there))
                    && truth.is_asked(*viewer, number + 1, there)
            });
            !is_same && truth.is_received(*viewer, number, other)
        })
    }

    /// Puts what was hidden some moments ago into other orders.
    fn another_past_differs(&self, truth: &Truth<'_>, viewer: Viewer, number: usize) -> bool {
        let mut ago = std::iter::once(0)
            .chain(AGO)
            .filter_map(|ago| number.checked_sub(ago));
        let orders = |first| self.orders(viewer, (first, number));
        ago.any(|first| {
            let orders = orders(first);
            let mut orders = orders.iter();
            orders.any(|names| self.differs(truth, viewer, (first, number), names))
        }) || orders(0)
            .iter()
            .any(|names| self.differs_from_setup(truth, viewer, number, names))
    }

    /// Like [`Lessons::differs`], if these components had been exchanged in the setup.
    fn differs_from_setup(
        &self,
        truth: &Truth<'_>,
        viewer: Viewer,
        number: usize,
        names: &[i32],
    ) -> bool {
        let mut heard = Collect::default();
        let mut chance = Exchanging {
            names,
            exchanged: BTreeSet::new(),
        };
        let started = play::start(self.program, self.seed, &mut chance, &mut heard);
        let Ok(state) = started else {
            return false;
        };
        let told = |events| docs(self.program, events, viewer);
        (self.started == heard.0 || same_docs(&told(&self.started), &told(&heard.0)))
            && self.would_differ(truth, viewer, (0, number), (state, names))
    }

    /// Returns whether the viewer would be told something else by choice `last`, if these components had been exchanged
    /// before choice `first`, and the viewer had been told the same in between.
    fn differs(
        &self,
        truth: &Truth<'_>,
        viewer: Viewer,
        span: (usize, usize),
        names: &[i32],
    ) -> bool {
        let Some(moment) = self.moments.get(span.0) else {
            return false;
        };
        let other = moment.before.renamed(names);
        other != moment.before && self.would_differ(truth, viewer, span, (other, names))
    }

    fn would_differ(
        &self,
        truth: &Truth<'_>,
        viewer: Viewer,
        (first, last): (usize, usize),
        (other, names): (State, &[i32]),
    ) -> bool {
        (self.pause)();
        let mut state = other.clone();
        for number in first..=last {
            let Some(moment) = self.moments.get(number) else {
                return false;
            };
            let same = self.play(&state, moment, names).filter(|(there, events)| {
                // Where all lies as it does, but for the components that were exchanged, there is nothing else to see.
                truth.is_told(viewer, number, events)
                    && (*there == self.after(number).renamed(names)
                        || truth.is_seen(viewer, number + 1, there))
                    && truth.is_asked(viewer, number + 1, there)
            });
            match same {
                Some((there, _)) => state = there,
                // What the viewer could have told apart before says nothing.
                None if number == last => return truth.is_received(viewer, first, &other),
                None => return false,
            }
        }
        false
    }

    /// Makes the choice of a moment in another state; `None` if that is impossible.
    fn play(&self, state: &State, moment: &Moment, names: &[i32]) -> Option<(State, Vec<Event>)> {
        let owed = play::pending(self.program, state);
        let index = moment.pending.index;
        let is_owed = owed
            .get(index)
            .is_some_and(|owed| owed.seat == moment.pending.seat);
        if !is_owed {
            return None;
        }
        let mut state = state.clone();
        let mut heard = Collect::default();
        let choice = self.renamed(moment, names);
        let chance = &mut Seeded;
        play::step(self.program, &mut state, index, &choice, chance, &mut heard).ok()?;
        Some((state, heard.0))
    }

    // ---- what is exchanged

    /// Returns the pairs of components that a viewer cannot tell apart and that differ in more than their names, each with
    /// the viewers that cannot.
    fn pairs(&self, number: usize, moment: &Moment) -> BTreeMap<(i32, i32), Viewers> {
        let components = 0..self.program.components.len() as i32;
        let essences = components.map(|one| essence_of(self.program, &moment.before, one));
        let essences: Vec<_> = essences.collect();
        let essence = |component: i32| essences.get(usize::try_from(component).ok()?);
        let mut pairs: BTreeMap<(i32, i32), Viewers> = BTreeMap::new();
        for viewer in viewers_of(self.program) {
            for group in self.groups(viewer, (number, number)) {
                for (at, one) in group.iter().enumerate() {
                    let others = group.iter().skip(at + 1);
                    for other in others.filter(|other| essence(*one) != essence(**other)) {
                        let pair = (*one.min(other), *one.max(other));
                        *pairs.entry(pair).or_default() |= bit(viewer);
                    }
                }
            }
        }
        let every = pairs.len().div_ceil(PAIRS).max(1);
        pairs.into_iter().step_by(every).collect()
    }

    /// Returns other orders of everything that the viewer did not know before the first of these choices, and does not
    /// know before the last.
    fn orders(&self, viewer: Viewer, span: (usize, usize)) -> Vec<Vec<i32>> {
        let groups = self.groups(viewer, span);
        let Some(moment) = self.moments.get(span.0).filter(|_| !groups.is_empty()) else {
            return Vec::new();
        };
        let count = if span.0 == span.1 { ORDERS_NOW } else { ORDERS };
        let at_random = (0..count).map(|order| {
            let mut rng = Rng::new([0; 32], Label::Shuffle, order);
            let mut exchange = Exchange::new(self.program, &moment.before);
            for group in &groups {
                for at in (1..group.len()).rev() {
                    let other = rng.below(at as u32 + 1) as usize;
                    if let (Some(one), Some(other)) = (group.get(at), group.get(other)) {
                        exchange.swap(*one, *other);
                    }
                }
            }
            exchange.names().to_vec()
        });
        let mut orders: Vec<Vec<i32>> = at_random.collect();
        if span.0 == span.1 {
            orders.extend(arranged(self.program, &moment.before, &groups));
        }
        orders
    }

    /// Groups components that the viewer does not know by their looks, in physical order: first by their backs, then
    /// those whose backs it cannot read.
    fn groups(&self, viewer: Viewer, (first, last): (usize, usize)) -> Vec<Vec<i32>> {
        let (Some(before), Some(later)) = (self.moments.get(first), self.moments.get(last)) else {
            return Vec::new();
        };
        let (program, state) = (self.program, &before.before);
        let mut groups: Vec<(_, Vec<i32>)> = Vec::new();
        let spoken_of = spoken_of(program, state);
        let lying = (0..state.zones() as i32).flat_map(|zone| state.members(zone));
        for component in lying {
            let is_open =
                before.known.knows(viewer, component) || later.known.knows(viewer, component);
            if is_open || spoken_of.get(component as usize) == Some(&true) {
                continue;
            }
            let Some((family, back)) = looks_of(program, state, component) else {
                continue;
            };
            let is_read = reads_back(program, state, viewer, component);
            let unread = (!is_read && !back.is_empty()).then_some((family, None));
            for looks in std::iter::once((family, Some(back))).chain(unread) {
                match groups.iter_mut().find(|(other, _)| *other == looks) {
                    Some((_, members)) => members.push(component),
                    None => groups.push((looks, vec![component])),
                }
            }
        }
        let groups = groups.into_iter().map(|(_, members)| members);
        groups.filter(|members| members.len() > 1).collect()
    }

    /// Returns the choice of a moment with the components that lie there then.
    fn renamed(&self, moment: &Moment, names: &[i32]) -> Choice {
        let mut choice = moment.choice.clone();
        let site = self.program.sites.get(usize::from(moment.pending.site));
        let option = site.and_then(|site| site.options.get(usize::from(choice.option)));
        let binders = option.into_iter().flat_map(|option| &option.binders);
        let name = |component: i32| {
            let at = usize::try_from(component).ok();
            at.and_then(|at| names.get(at))
                .copied()
                .unwrap_or(component)
        };
        for (arg, binder) in choice.args.iter_mut().zip(binders) {
            let rename = |value: &mut i32| match binder.of.refers() {
                Refers::ToComponent => *value = name(*value),
                Refers::ToZone => *value = renamed_zone(self.program, *value, name),
                Refers::ToNothing => {}
            };
            match arg {
                Arg::One(value) => rename(value),
                Arg::Many(values) => values.iter_mut().for_each(rename),
            }
        }
        choice
    }

    // ---- other words

    /// Returns other values of hidden words, each with the viewers that may not see the word.
    fn other_words(&self, moment: &Moment) -> BTreeMap<(u32, i32), Viewers> {
        let mut others: BTreeMap<(u32, i32), Viewers> = BTreeMap::new();
        for viewer in viewers_of(self.program) {
            self.add_other_words(viewer, moment, &mut |word, value| {
                *others.entry((word, value)).or_default() |= bit(viewer);
            });
        }
        others
    }

    fn add_other_words(&self, viewer: Viewer, moment: &Moment, add: &mut dyn FnMut(u32, i32)) {
        let state = &moment.before;
        let mut put = |word: u32, values: Vec<i32>| {
            let present = state.var(word);
            let others = values.into_iter().filter(|value| *value != present);
            others.for_each(|value| add(word, value));
        };
        for (number, var) in self.program.vars.iter().enumerate() {
            for word in 0..var.len {
                let seen = viewers_of_var(self.program, state, number, word);
                if !var.internal && !viewer.is_among(seen) {
                    let word = var.offset + word;
                    put(word, other_values(self.program, var.of, state.var(word)));
                }
            }
        }
        for (component, info) in self.program.components.iter().enumerate() {
            let component = component as i32;
            let kind = self.program.kinds.get(usize::from(info.kind));
            if moment.known.knows(viewer, component) {
                continue;
            }
            let reads = reads_back(self.program, state, viewer, component);
            for (number, field) in kind.into_iter().flat_map(fields) {
                let FieldPlace::Changing { offset, first } = field.at else {
                    continue;
                };
                if field.on_back && reads {
                    continue;
                }
                let word = offset + (component.max(0) as u32).saturating_sub(first);
                let die = kind.and_then(|kind| kind.die.as_ref());
                let values = match die.filter(|die| die.field == number) {
                    Some(die) => die.faces.clone(),
                    None => other_values(self.program, field.of, state.var(word)),
                };
                put(word, values);
            }
        }
    }
}

/// A value for each choice and seat.
type BySeat<T> = BTreeMap<(usize, Viewers), Rc<T>>;

/// A cache of what each seat was told and shown. Every attempt is compared with it.
struct Truth<'l> {
    lessons: &'l Lessons<'l>,
    /// Views before each choice (the last is the present one), by choice and seat.
    views: RefCell<BySeat<ViewDoc>>,
    /// Events of each choice, by choice and seat.
    told: RefCell<BySeat<Vec<Doc<'l>>>>,
    /// Decisions owed before each choice, by choice and seat.
    asked: RefCell<BySeat<Vec<Asked>>>,
}

/// A decision as its seat gets it; `None` if listing its choices exceeds a limit. What is played for the seat in silence.
type Asked = (Option<DecisionDoc>, Option<Doc<'static>>);

/// Choices of a decision that are compared.
const CHOICES: usize = 50;

fn asked(program: &Program, state: &State, viewer: Viewer) -> Vec<Asked> {
    let owed = play::pending(program, state);
    let mine = owed.iter().filter(|owed| Viewer::Seat(owed.seat) == viewer);
    mine.map(|owed| {
        let doc = decision_docs(program, state, owed, CHOICES, 0);
        let default = default_choice(program, state, owed);
        let default = default.map(|choice| choice_to_json(program, state, owed, &choice, viewer));
        (doc.ok(), default)
    })
    .collect()
}

impl<'l> Truth<'l> {
    fn of(lessons: &'l Lessons<'l>) -> Truth<'l> {
        Truth {
            lessons,
            views: RefCell::default(),
            told: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    /// Returns whether the viewer sees the same in this state as before choice `number`, and is asked the same.
    fn is_received(&self, viewer: Viewer, number: usize, there: &State) -> bool {
        self.is_seen(viewer, number, there) && self.is_asked(viewer, number, there)
    }

    /// Returns whether the viewer owes the same decisions in this state as before choice `number`, with the same choices.
    fn is_asked(&self, viewer: Viewer, number: usize, there: &State) -> bool {
        let program = self.lessons.program;
        let key = (number, bit(viewer));
        let known = self.asked.borrow().get(&key).cloned();
        let truly = known.unwrap_or_else(|| {
            let truly = Rc::new(asked(program, self.lessons.before(number), viewer));
            self.asked.borrow_mut().insert(key, truly.clone());
            truly
        });
        *truly == asked(program, there, viewer)
    }

    /// Returns whether the viewer is told the same of these events as of choice `number`.
    fn is_told(&self, viewer: Viewer, number: usize, events: &[Event]) -> bool {
        let Some(moment) = self.lessons.moments.get(number) else {
            return false;
        };
        if moment.events == *events {
            return true;
        }
        let program = self.lessons.program;
        let key = (number, bit(viewer));
        let known = self.told.borrow().get(&key).cloned();
        let truly = known.unwrap_or_else(|| {
            let truly = Rc::new(docs(program, &moment.events, viewer));
            self.told.borrow_mut().insert(key, truly.clone());
            truly
        });
        same_docs(&truly, &docs(program, events, viewer))
    }

    /// Returns whether the viewer sees the same in this state as before choice `number`.
    fn is_seen(&self, viewer: Viewer, number: usize, there: &State) -> bool {
        let program = self.lessons.program;
        let key = (number, bit(viewer));
        let known = self.views.borrow().get(&key).cloned();
        let truly = known.unwrap_or_else(|| {
            let here = self.lessons.before(number);
            let truly = Rc::new(view(program, here, viewer));
            self.views.borrow_mut().insert(key, truly.clone());
            truly
        });
        *truly == view(program, there, viewer)
    }
}

fn same_docs<'d>(some: &[Doc<'d>], others: &[Doc<'d>]) -> bool {
    some == others
}

fn docs<'d>(program: &'d Program, events: &'d [Event], viewer: Viewer) -> Vec<Doc<'d>> {
    let told = |event| event_doc(program, event, viewer);
    events.iter().filter_map(told).collect()
}

/// Chance by the seed, except that components come out of shuffles exchanged.
struct Exchanging<'n> {
    names: &'n [i32],
    /// Components that have been shuffled: they are exchanged once.
    exchanged: BTreeSet<i32>,
}

impl Chance for Exchanging<'_> {
    fn draw(&mut self, rng: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        Seeded.draw(rng, n, what)
    }

    fn shuffle(&mut self, rng: &mut Rng, zone: ZoneId, order: &mut [i32]) {
        Seeded.shuffle(rng, zone, order);
        let name = |component: &i32| {
            let at = usize::try_from(*component).ok();
            let name = at.and_then(|at| self.names.get(at));
            name.copied().unwrap_or(*component)
        };
        let is_closed = order.iter().all(|one| order.contains(&name(one)));
        if !is_closed || order.iter().any(|one| self.exchanged.contains(one)) {
            return;
        }
        for component in order.iter_mut() {
            *component = name(component);
        }
        self.exchanged.extend(order.iter().copied());
    }
}

fn fields(kind: &KindInfo) -> impl Iterator<Item = (usize, &FieldInfo)> {
    kind.fields.iter().enumerate()
}

fn other_values(program: &Program, of: Type, value: i32) -> Vec<i32> {
    let up_to = |count: usize| (0..count as i32).collect();
    match of {
        Type::Bool => vec![1 - value.clamp(0, 1)],
        Type::Seat => up_to(program.seats),
        Type::Side => up_to(4),
        Type::Enum(id) => {
            let info = program.enums.get(usize::from(id));
            up_to(info.map_or(0, |info| info.values.len()))
        }
        Type::Int | Type::Row(_) | Type::Record(_) => {
            let steps = STEPS.iter();
            let around =
                steps.flat_map(|by| [value.saturating_sub(*by), value.saturating_add(*by)]);
            around.chain([0]).collect()
        }
        // What they speak of is exchanged where it lies.
        Type::Component(_) | Type::Zone(_) | Type::Cell => Vec::new(),
    }
}

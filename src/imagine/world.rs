//! Worlds that a seat cannot tell from the true one.

use std::collections::{BTreeMap, BTreeSet};

use super::history::{History, Made};
use super::plan::{Altered, Brought, Noting, Plan};
use super::told::Told;
use crate::bot::RandomBot;
use crate::engine::{
    self, Arg, Chance, Choice, Fault, Looks, State, StepError, ViewDoc, Viewer, looks_of, sees,
};
use crate::program::{Program, Type};

/// A plan that the seat would notice is taken apart; each part is tried so often in other ways.
const TRIES: usize = 3;
/// Draws that might be of things nobody was told, tried one by one.
const SINGLE_DRAWS_MAX: usize = 8;

/// Everything one seat has observed of a game, and what it may have missed.
pub struct Imagination<'p> {
    program: &'p Program,
    history: &'p History,
    seat: u8,
    truth: State,
    /// What the seat was told, by step; step 0 is the setup.
    told: Vec<Vec<u8>>,
    view: ViewDoc,
    brought: Brought,
    /// By component: the last step after which the seat knew which one it was.
    seen_after: Vec<Option<usize>>,
    looks: Vec<Option<Looks>>,
}

impl<'p> Imagination<'p> {
    /// Plays the history once, in the eyes of a seat (from 0).
    pub fn new(
        program: &'p Program,
        history: &'p History,
        seat: u8,
    ) -> Result<Imagination<'p>, StepError> {
        let mut chance = Noting {
            step: 0,
            brought: Brought::default(),
        };
        let mut seen_after = vec![None; program.components.len()];
        let mut told = Vec::with_capacity(history.made.len() + 1);
        let mut ears = Told::new(program, seat);
        let mut truth = engine::start(program, history.seed, &mut chance, &mut ears)?;
        told.push(std::mem::take(&mut ears.words));
        note_seen(program, &truth, seat, 0, &mut seen_after);
        for (number, made) in history.made.iter().enumerate() {
            chance.step = number + 1;
            take(
                program,
                &mut truth,
                made,
                &made.choice,
                &mut chance,
                &mut ears,
            )?;
            told.push(std::mem::take(&mut ears.words));
            note_seen(program, &truth, seat, number + 1, &mut seen_after);
        }
        let looks = (0..program.components.len() as i32)
            .map(|component| looks_of(program, &truth, component));
        Ok(Imagination {
            program,
            history,
            seat,
            view: engine::view(program, &truth, Viewer::Seat(seat)),
            told,
            brought: chance.brought,
            seen_after,
            looks: looks.collect(),
            truth,
        })
    }

    /// A state that the seat cannot tell from the true one, with chance of its own from now on.
    pub fn world(&self, dice: &mut RandomBot) -> State {
        let parts = self.parts(dice);
        let whole = parts
            .iter()
            .fold(Plan::default(), |all, part| all.and(part));
        let mut world = if whole.is_empty() {
            self.truth.clone()
        } else {
            match self.play(&whole, dice) {
                Some(world) => world,
                None => self.piece_together(&parts, dice),
            }
        };
        world.reseed(dice.bytes());
        world
    }

    /// Takes of each part as much as goes unnoticed.
    fn piece_together(&self, parts: &[Plan], dice: &mut RandomBot) -> State {
        let mut kept = Plan::default();
        let mut world = self.truth.clone();
        for part in parts {
            let mut part = part.clone();
            for _ in 0..TRIES {
                let plan = kept.and(&part);
                if let Some(found) = self.play(&plan, dice) {
                    (kept, world) = (plan, found);
                    break;
                }
                part = halved(&part, dice);
                if part.is_empty() {
                    break;
                }
            }
        }
        world
    }

    /// What might have been otherwise, drawn anew: components alike in each other's places, hidden dice, secret answers.
    fn parts(&self, dice: &mut RandomBot) -> Vec<Plan> {
        let mut parts = self.shuffled_anew(dice);
        let (rolls, others) = self.free_draws();
        parts.push(Plan {
            draws: self.drawn_anew(rolls, dice),
            ..Plan::default()
        });
        let secret = |made: &Made| made.secret && made.seat != self.seat;
        let numbered = self.history.made.iter().enumerate();
        let answers = numbered
            .filter(|(_, made)| secret(made))
            .map(|(number, _)| number);
        for answer in answers {
            parts.push(Plan {
                choices: BTreeSet::from([answer]),
                ..Plan::default()
            });
        }
        // The latest are the likeliest to be secret still.
        for draw in others.into_iter().rev().take(SINGLE_DRAWS_MAX) {
            parts.push(Plan {
                draws: self.drawn_anew(vec![draw], dice),
                ..Plan::default()
            });
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// For each shuffle, the components it was the last to mix and that the seat has not seen since.
    fn shuffled_anew(&self, dice: &mut RandomBot) -> Vec<Plan> {
        let mut settled = vec![false; self.program.components.len()];
        let mut parts = Vec::new();
        for (number, shuffle) in self.brought.shuffles.iter().enumerate().rev() {
            let mut alike: BTreeMap<&Looks, Vec<i32>> = BTreeMap::new();
            for component in &shuffle.order {
                let at = usize::try_from(*component).unwrap_or(usize::MAX);
                let Some(settled) = settled.get_mut(at) else {
                    continue;
                };
                let seen = self.seen_after.get(at).copied().flatten();
                let is_free = !*settled && seen.is_none_or(|seen| seen < shuffle.step);
                *settled = true;
                if let (true, Some(Some(looks))) = (is_free, self.looks.get(at)) {
                    alike.entry(looks).or_default().push(*component);
                }
            }
            for members in alike.into_values().filter(|members| members.len() > 1) {
                let places = members.iter().copied().zip(mixed(&members, dice));
                let places = places.filter(|(one, other)| one != other);
                parts.push(Plan {
                    shuffles: BTreeMap::from([(number, places.collect())]),
                    ..Plan::default()
                });
            }
        }
        parts
    }

    /// Rolls of dice that the seat has not seen since; and other draws, of which nobody can say.
    fn free_draws(&self) -> (Vec<usize>, Vec<usize>) {
        let mut settled = BTreeSet::new();
        let (mut rolls, mut others) = (Vec::new(), Vec::new());
        for (number, draw) in self.brought.draws.iter().enumerate().rev() {
            match draw.die {
                Some(die) => {
                    let seen = self.seen_after.get(usize::from(die)).copied().flatten();
                    let is_last = settled.insert(die);
                    if is_last && seen.is_none_or(|seen| seen < draw.step) {
                        rolls.push(number);
                    }
                }
                None if draw.of > 1 => others.push(number),
                None => {}
            }
        }
        others.reverse();
        (rolls, others)
    }

    fn drawn_anew(&self, draws: Vec<usize>, dice: &mut RandomBot) -> BTreeMap<usize, u32> {
        let drawn = draws.into_iter().filter_map(|number| {
            let of = self.brought.draws.get(number)?.of;
            Some((number, dice.below(u64::from(of)) as u32))
        });
        drawn.collect()
    }

    /// Plays the history by a plan; `None` as soon as the seat would notice a difference.
    fn play(&self, plan: &Plan, dice: &mut RandomBot) -> Option<State> {
        let program = self.program;
        let mut chance = Altered::new(plan, &self.brought, program.components.len());
        let mut ears = Told::new(program, self.seat);
        let (state, view) = self.run(plan, &mut chance, &mut ears, dice)?;
        (view == self.view).then_some(state)
    }

    fn run(
        &self,
        plan: &Plan,
        chance: &mut Altered<'_>,
        ears: &mut Told<'_>,
        dice: &mut RandomBot,
    ) -> Option<(State, ViewDoc)> {
        let program = self.program;
        let seed = self.history.seed;
        let mut state = engine::start(program, seed, chance, ears).ok()?;
        for (number, made) in self.history.made.iter().enumerate() {
            self.hears_the_same(number, ears)?;
            let choice = if plan.choices.contains(&number) {
                another(program, &state, made, dice)?
            } else {
                renamed(program, &state, made, chance)
            };
            take(program, &mut state, made, &choice, chance, ears).ok()?;
        }
        self.hears_the_same(self.history.made.len(), ears)?;
        let view = engine::view(program, &state, Viewer::Seat(self.seat));
        Some((state, view))
    }

    fn hears_the_same(&self, step: usize, ears: &mut Told<'_>) -> Option<()> {
        let told = std::mem::take(&mut ears.words);
        (*self.told.get(step)? == told).then_some(())
    }
}

fn note_seen(
    program: &Program,
    state: &State,
    seat: u8,
    step: usize,
    seen_after: &mut [Option<usize>],
) {
    for (component, seen) in seen_after.iter_mut().enumerate() {
        if sees(program, state, seat, component as i32) {
            *seen = Some(step);
        }
    }
}

/// Makes a choice for its seat.
fn take(
    program: &Program,
    state: &mut State,
    made: &Made,
    choice: &Choice,
    chance: &mut dyn Chance,
    ears: &mut Told<'_>,
) -> Result<(), StepError> {
    let owed = engine::pending(program, state);
    let index = owed.iter().position(|owed| owed.seat == made.seat);
    let index = index.unwrap_or(usize::MAX); // refused as not owed
    engine::step(program, state, index, choice, chance, ears)
}

/// The choice with the components that lie there now.
fn renamed(program: &Program, state: &State, made: &Made, chance: &Altered<'_>) -> Choice {
    let mut choice = made.choice.clone();
    let owed = engine::pending(program, state);
    let site = owed
        .first()
        .and_then(|owed| program.sites.get(usize::from(owed.site)));
    let option = site.and_then(|site| site.options.get(usize::from(choice.option)));
    let binders = option.into_iter().flat_map(|option| &option.binders);
    for (arg, binder) in choice.args.iter_mut().zip(binders) {
        if !matches!(binder.of, Type::Component(_)) {
            continue;
        }
        match arg {
            Arg::One(value) => *value = chance.name(*value),
            Arg::Many(values) => {
                for value in values {
                    *value = chance.name(*value);
                }
            }
        }
    }
    choice
}

fn another(program: &Program, state: &State, made: &Made, dice: &mut RandomBot) -> Option<Choice> {
    let owed = engine::pending(program, state);
    let owed = owed.iter().find(|owed| owed.seat == made.seat)?;
    let choice: Result<Option<Choice>, Fault> = dice.choose(program, state, owed);
    choice.ok()?
}

/// The members in a random order.
fn mixed(members: &[i32], dice: &mut RandomBot) -> Vec<i32> {
    let mut mixed = members.to_vec();
    for i in (1..mixed.len()).rev() {
        mixed.swap(i, dice.below(i as u64 + 1) as usize % (i + 1));
    }
    mixed
}

/// Half of the exchanges of a part: components of a random half, in a new order. Single results are given up.
fn halved(part: &Plan, dice: &mut RandomBot) -> Plan {
    let halves = part.shuffles.iter().filter_map(|(number, places)| {
        let all: Vec<i32> = places.keys().copied().collect();
        let chosen = mixed(&all, dice);
        let half: Vec<i32> = chosen.into_iter().take(all.len().div_ceil(2)).collect();
        let places = half.iter().copied().zip(mixed(&half, dice));
        let places: BTreeMap<i32, i32> = places.filter(|(one, other)| one != other).collect();
        (!places.is_empty()).then_some((*number, places))
    });
    Plan {
        shuffles: halves.collect(),
        ..Plan::default()
    }
}

impl Imagination<'_> {
    /// Whether the seat would learn something by this choice (its own or another's) that it could not have foreseen
    /// knowing the choice; and in any case if the choice takes a draw. Tried in so many worlds, so a yes is certain and a
    /// no is not: what counts is [`Lesson`](crate::engine::Lesson), and this is what it is tested against.
    pub fn draws_or_teaches(&self, made: &Made, worlds: usize, dice: &mut RandomBot) -> bool {
        let here = self.told_after(&Plan::default(), made, dice);
        let Some((draws, told, view)) = here else {
            return true;
        };
        if draws != self.truth.draws_made() {
            return true;
        }
        (0..worlds).any(|_| {
            self.parts(dice).iter().any(|part| {
                let there = self.told_after(part, made, dice);
                // A world that the seat would have noticed before says nothing.
                let is_world = self.play(part, dice).is_some();
                is_world && there.is_none_or(|(_, other, seen)| other != told || seen != view)
            })
        })
    }

    /// Draws made, what the seat is told, and what it sees after the choice in the world of a plan.
    fn told_after(
        &self,
        plan: &Plan,
        made: &Made,
        dice: &mut RandomBot,
    ) -> Option<(u32, Vec<u8>, ViewDoc)> {
        let program = self.program;
        let mut chance = Altered::new(plan, &self.brought, program.components.len());
        let mut ears = Told::new(program, self.seat);
        let (mut state, _) = self.run(plan, &mut chance, &mut ears, dice)?;
        let choice = renamed(program, &state, made, &chance);
        take(program, &mut state, made, &choice, &mut chance, &mut ears).ok()?;
        let view = engine::view(program, &state, Viewer::Seat(self.seat));
        Some((state.draws_made(), ears.words, view))
    }
}

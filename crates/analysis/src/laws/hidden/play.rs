//! Plays a line.

use std::cell::OnceCell;

use super::answers::answer;
use super::course::{ChanceRecorder, RandomChoice};
use super::glance::Glance;
use super::information::{sent, tries};
use super::line::{AskedBack, LinePoint, PlayedLine};
use crate::laws::JUDGE;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{
    Choice, Collect, Event, Pending, Revelation, SeenValue, State, Viewer, blank, noting, pending,
    random_choice, sees_as, start, step_legal,
};
use wyrmgate_program::{BOX, NONE, Program, SiteId, Type};
use wyrmgate_view::{
    InformationGain, Unknown, hides, lasting_looks, names_by_place, renamed, take_backs,
};

/// Number of illegal choices tried at each rest.
const TRIES: usize = 6;

/// In one line of this many from the beginning, the viewer asks to take back a step.
const UNDOS: u64 = 2;
/// The most replies that are taken back with a step.
const REPLIES: usize = 2;

/// The last rests of a line are compared in full, and one in this many of those before.
const CLOSE: usize = 4;

const NOW_AND_THEN: u64 = 8;

impl<'p> PlayedLine<'p> {
    /// Plays this number of random steps, or fewer if the game ends; `None` if the game cannot be played.
    pub fn play(
        program: &'p Program,
        base: Option<&State>,
        viewer: Viewer,
        steps: usize,
        dice: &mut Dice,
    ) -> Option<PlayedLine<'p>> {
        let begins_with = match base {
            Some(state) => state.clone(),
            None => blank(program, [0; 32]).ok()?,
        };
        let mut line = PlayedLine {
            program,
            viewer,
            base: base.cloned(),
            course: ChanceRecorder::new(dice),
            points: Vec::new(),
            glance: Glance::new(program, &begins_with, viewer),
            answers: Vec::new(),
            asks_back: None,
            goes_back: OnceCell::new(),
            unseen: OnceCell::new(),
            hides: false,
        };
        let mut heard = Collect::default();
        let (state, revealed) = noting(|| match base {
            Some(state) => Some(state.clone()),
            None => start(program, [0; 32], &mut line.course, &mut heard).ok(),
        });
        line.rest(state?, heard.0, revealed, dice);
        for _ in 0..steps {
            if line.step(dice)? {
                break;
            }
        }
        line.finish(dice);
        Some(line)
    }

    /// Takes one step. Returns whether there was none to take.
    fn step(&mut self, dice: &mut Dice) -> Option<bool> {
        let program = self.program;
        let point = self.points.last_mut()?;
        let owed = pending(program, &point.state);
        let Some(owed) = owed.get(dice.below(owed.len() as u64) as usize).copied() else {
            return Some(true);
        };
        let choice = any_choice(program, &point.state, &owed, dice)?;
        let mut state = point.state.clone();
        point.taken = Some((owed, choice.clone()));
        self.course.step = self.points.len();
        let mut heard = Collect::default();
        let (taken, revealed) = noting(|| {
            let chance = &mut self.course;
            step_legal(program, &mut state, owed.index, &choice, chance, &mut heard)
        });
        taken.ok()?;
        self.rest(state, heard.0, revealed, dice);
        Some(false)
    }

    fn rest(
        &mut self,
        state: State,
        heard: Vec<Event>,
        revealed: Vec<Revelation>,
        dice: &mut Dice,
    ) {
        let before = self.points.last().map(|point| &point.state);
        self.glance.hear(self.program, &state, &heard);
        self.glance.look(self.program, &state, before);
        self.points.push(LinePoint {
            state,
            heard,
            revealed,
            information: OnceCell::new(),
            tries: Vec::new(),
            sent: Vec::new(),
            page: dice.below(u64::MAX),
            is_close: false,
            taken: None,
        });
    }

    /// Completes the line after its last step.
    fn finish(&mut self, dice: &mut Dice) {
        let (program, viewer) = (self.program, self.viewer);
        let rests = self.points.len();
        let is_own = |point: &LinePoint| {
            let taken = point.taken.as_ref();
            // A session takes no secret answer back.
            taken.is_some_and(|(owed, _)| Viewer::Seat(owed.seat) == viewer && !owed.secret)
        };
        let own = self.points.iter().rposition(is_own);
        // Up to two replies, where there are some.
        let asked = own.map(|first| AskedBack {
            first,
            last: rests.saturating_sub(2).min(first + first % (REPLIES + 1)),
        });
        // Other setups are replayed from a seed, which a line does not have; so its first step is not taken back.
        let asks = self.base.is_none() && dice.one_in(UNDOS);
        self.asks_back = asked.filter(|asked| asked.first > 0 && asks);
        for (number, point) in self.points.iter_mut().enumerate() {
            let is_last =
                number + CLOSE >= rests || asked.is_some_and(|asked| number == asked.last + 1);
            point.is_close = number == 0 || is_last || dice.below(NOW_AND_THEN) == 0;
            if point.is_close {
                point.tries = tries(program, &point.state, viewer, TRIES, dice);
                point.sent = sent(program, &point.state, viewer, &point.tries);
            }
        }
        let ends = self.points.first().into_iter().chain(self.points.last());
        let mut ends = ends.map(|point| hides(program, &point.state, viewer));
        self.hides = ends.any(|hides| hides);
        let steps = 0..self.points.len();
        self.answers = steps.map(|step| answer(self, step)).collect();
        self.hides |= self.answers.iter().any(Option::is_some);
    }

    /// Returns whether the viewer may take back the steps that it asks to take back.
    pub fn goes_back(&self) -> bool {
        *self.goes_back.get_or_init(|| {
            let Some((first, asked)) = self.first().zip(self.asks_back) else {
                return false;
            };
            let (state, heard) = (first.state.clone(), first.heard.clone());
            let mut gain = InformationGain::from_rest(self.program, state, heard);
            for (point, next) in self
                .points
                .iter()
                .zip(self.points.iter().skip(1))
                .take(asked.last + 1)
            {
                if let Some((pending, choice)) = point.taken.clone() {
                    gain.follow(pending, choice, next.state.clone(), next.heard.clone());
                }
            }
            asked.is_granted(self.viewer, &gain)
        })
    }

    /// Returns a sampled world in which everything that the viewer sees in these steps lies in its true place; `None`
    /// if another back would lie there.
    pub fn as_seen(&self, world: &State) -> Option<State> {
        let there = names_by_place(&self.first()?.state, world);
        let mut names: Vec<i32> = (0..there.len() as i32).collect();
        let known = self.glance.known().into_iter().enumerate();
        for (component, _) in known.filter(|(_, known)| *known) {
            let lies = there
                .get(component)
                .and_then(|at| usize::try_from(*at).ok());
            let called = names.iter().position(|name| *name == component as i32);
            let (Some(lies), Some(called)) = (lies, called) else {
                continue;
            };
            let looks = |component: usize| lasting_looks(self.program, component as i32);
            if looks(lies) != looks(called) {
                return None;
            }
            names.swap(lies, called);
        }
        let mut seen = renamed(self.program, world, &names).state;
        // A back that is not visible yet may become visible in these steps.
        let truth = &self.first()?.state;
        take_backs(
            self.program,
            &mut seen,
            truth,
            &self.glance.known(),
            self.viewer,
        )?;
        Some(seen)
    }

    /// Returns the components that chance could have chosen instead without the viewer noticing; `None` if there are none. A
    /// chosen component that comes into sight could not have been another one. Of components that lay open, the choice itself
    /// is hidden.
    pub fn could_be(&self, chosen: &RandomChoice) -> Option<Vec<bool>> {
        let program = self.program;
        let Some(chosen_one) = chosen.component else {
            let is_open = !names_components(program, chosen.site) || self.lay_open(chosen);
            return is_open.then(Vec::new);
        };
        let rest = self.points.get(chosen.step.saturating_sub(1))?;
        let lies_open = |component: i32| {
            let is_there =
                chosen.step > 0 || self.starts_in(component) == rest.state.zone_of(component);
            is_there && sees_as(program, &rest.state, self.viewer, component)
        };
        let glance = &self.glance;
        let looks = |component| glance.looks_between(program, component, chosen.shuffles);
        let is_unseen =
            |component| !glance.was_seen(component) && looks(component) == looks(chosen_one);
        let is_like: &dyn Fn(i32) -> bool = if lies_open(chosen_one) {
            &lies_open
        } else if !glance.was_seen(chosen_one) && !glance.saw_taking(chosen.key) {
            &is_unseen
        } else {
            return None;
        };
        let all = 0..program.components.len() as i32;
        Some(all.map(is_like).collect())
    }

    /// Returns whether the viewer saw all components that one random number chose here, and they still lie there.
    fn lay_open(&self, chosen: &RandomChoice) -> bool {
        let Some(number) = chosen.number_of_whole_choice() else {
            return false;
        };
        let heard = self.points.iter().flat_map(|point| &point.heard);
        let mut drawn = heard.filter_map(|event| match event {
            Event::Drawn { site, args, .. } if *site == chosen.site => Some(args),
            _ => None,
        });
        let args = (number as usize)
            .checked_sub(1)
            .and_then(|at| drawn.nth(at));
        let mut values = args.into_iter().flatten().flatten();
        args.is_some()
            && values.all(|value| match value {
                SeenValue::Plain(_) => true,
                SeenValue::Component(seen) | SeenValue::Inside(seen) => {
                    let component = seen.component_for(JUDGE).map(i32::from);
                    component.is_some_and(|component| self.stays_open(chosen.step, component))
                }
            })
    }

    /// Returns whether the viewer sees a component in the same place before and after a step.
    fn stays_open(&self, step: usize, component: i32) -> bool {
        let sees = |state| sees_as(self.program, state, self.viewer, component);
        let around = self.around(step, component);
        around.is_some_and(|(before, lay, after)| {
            lay == after.state.zone_of(component)
                && sees(&after.state)
                && before.is_none_or(|before| sees(&before.state))
        })
    }

    /// Returns the rests before and after a step, and where a component lay before it.
    fn around(&self, step: usize, component: i32) -> Option<(Option<&LinePoint>, i32, &LinePoint)> {
        let before = step.checked_sub(1).and_then(|at| self.points.get(at));
        let lay = match before {
            Some(before) => before.state.zone_of(component),
            None => self.starts_in(component),
        };
        Some((before, lay, self.points.get(step)?))
    }

    fn starts_in(&self, component: i32) -> i32 {
        let info = self.program.component(component);
        info.map_or(NONE, |info| i32::from(info.starts_in))
    }

    /// Returns whether chance has chosen a hidden component that was then moved out of the viewer's sight: its identity is as
    /// hidden as that of anything else there. Components that left play do not count, because they are drawn to be shown. Nor do
    /// components whose place the viewer saw when they were taken.
    pub fn puts_away(&self, chosen: &RandomChoice) -> bool {
        let component = chosen.component;
        let around = component.and_then(|it| Some((it, self.around(chosen.step, it)?)));
        let Some((component, (_, lay, after))) = around else {
            return false;
        };
        let lies = after.state.zone_of(component);
        let is_taken_from_a_place = after.heard.iter().any(|event| match event {
            Event::Moved { what, .. } => {
                what.component_for(JUDGE).map(i32::from) == Some(component)
                    && what.place_for(self.viewer).is_some()
            }
            _ => false,
        });
        let is_hidden = !self.glance.was_seen(component) && !is_taken_from_a_place;
        is_hidden && lies != lay && lies != i32::from(BOX)
    }

    /// Returns whether anything can differ without the viewer noticing. A suspended effect can also keep a random choice that
    /// nobody sees.
    pub fn can_differ(&self) -> bool {
        self.hides || !self.course.choices.is_empty()
    }

    /// Returns the first rest.
    pub fn first(&self) -> Option<&LinePoint> {
        self.points.first()
    }

    /// Returns what the viewer does not know at the beginning and does not see later.
    pub fn unknown(&self) -> Unknown {
        let known = self.glance.known();
        let first = self.first();
        first.map_or_else(Unknown::default, |first| {
            Unknown::of(self.program, &first.state, self.viewer, &known)
        })
    }
}

/// Returns whether choices of a site name components. Such a choice cannot be split into components that the viewer sees
/// and others.
fn names_components(program: &Program, site: SiteId) -> bool {
    let options = program.site(site);
    let options = options.into_iter().flat_map(|site| &site.options);
    let mut binders = options.flat_map(|option| &option.binders);
    binders.any(|binder| matches!(binder.of, Type::Component(_)))
}

/// Draws a few choices and returns the one with the rarest option, because options that are rarely chosen have rules
/// too.
fn any_choice(program: &Program, state: &State, owed: &Pending, dice: &mut Dice) -> Option<Choice> {
    let options = program.site(owed.site)?.options.len();
    let drawn = random_choice(program, state, owed, &mut |n| dice.below(n)).ok()??;
    if options < 2 || dice.one_in(2) {
        return Some(drawn);
    }
    let wanted = dice.below(options as u64) as u16;
    for _ in 0..OTHERS {
        let other = random_choice(program, state, owed, &mut |n| dice.below(n)).ok()??;
        if other.option == wanted {
            return Some(other);
        }
    }
    Some(drawn)
}

/// Maximum number of draws in search of a certain option.
const OTHERS: usize = 6;

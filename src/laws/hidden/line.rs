//! Steps of a game as they were played first, in the eyes of one seat.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::course::Course;
use super::told::{Told, tries};
use crate::dice::Dice;
use crate::engine::{
    Choice, Collect, Event, Fault, Pending, Revelation, Seen, SeenValue, State, Target, Unknown,
    Viewer, lasting_looks, names_by_place, noting, pending, random_choice, reads_back, renamed,
    sees, start, step_legal,
};
use crate::laws::JUDGE;
use crate::program::Program;

/// What is tried, and refused, at each rest.
const TRIES: usize = 6;

pub(super) struct Line<'p> {
    pub program: &'p Program,
    pub seat: u8,
    /// `None`: it begins with the game.
    pub base: Option<State>,
    pub course: Course,
    /// The rest it begins with, and one after each step.
    pub points: Vec<Point>,
    /// By component: the seat comes to see it.
    pub known: Vec<bool>,
    /// Draws whose result was at once put where the seat does not see it: the site, and the how manieth there.
    pub open: HashSet<(u16, u32)>,
    draws: HashMap<u16, u32>,
    /// Is there anything that the seat may not know? If not, no steps are made.
    pub hides: bool,
}

/// A rest, and how it was reached.
pub(super) struct Point {
    pub state: State,
    /// What happened on the way; whole.
    pub heard: Vec<Event>,
    /// What the rules revealed on purpose on the way.
    pub revealed: Vec<Revelation>,
    /// What the seat is told, and what the rules reveal in that; worked out when it is first compared.
    told: OnceCell<(Result<Told, Fault>, Vec<Revelation>)>,
    /// Choices, good and bad, of which the seat asks whether it has them.
    pub tries: Vec<(Pending, Choice)>,
    /// The step that was taken from here.
    pub taken: Option<(Pending, Choice)>,
}

impl Point {
    /// What the seat is told, and what the rules reveal on purpose in that.
    pub fn told(&self, line: &Line<'_>) -> &(Result<Told, Fault>, Vec<Revelation>) {
        let told = || Told::of(line.program, &self.state, line.seat, &self.tries);
        self.told.get_or_init(|| noting(told))
    }
}

impl<'p> Line<'p> {
    /// Plays so many steps at random; `None` if the game cannot go on so far.
    pub fn play(
        program: &'p Program,
        base: Option<&State>,
        seat: u8,
        steps: usize,
        dice: &mut Dice,
    ) -> Option<Line<'p>> {
        let mut line = Line {
            program,
            seat,
            base: base.cloned(),
            course: Course::new(dice),
            points: Vec::new(),
            known: vec![false; program.components.len()],
            open: HashSet::new(),
            draws: HashMap::new(),
            hides: false,
        };
        let mut heard = Collect::default();
        let (state, revealed) = noting(|| match base {
            Some(state) => Some(state.clone()),
            None => start(program, [0; 32], &mut line.course, &mut heard).ok(),
        });
        let state = state?;
        line.hides = !Unknown::of(program, &state, seat, &[]).is_empty();
        if !line.hides {
            return Some(line);
        }
        line.rest(state, heard.0, revealed, dice)?;
        for _ in 0..steps {
            if line.step(dice)? {
                break;
            }
        }
        Some(line)
    }

    /// One step; whether there was none to be made.
    fn step(&mut self, dice: &mut Dice) -> Option<bool> {
        let program = self.program;
        let point = self.points.last_mut()?;
        let owed = pending(program, &point.state);
        let Some(owed) = owed.get(dice.below(owed.len() as u64) as usize).copied() else {
            return Some(true);
        };
        let choice = random_choice(program, &point.state, &owed, &mut |n| dice.below(n));
        let choice = choice.ok()??;
        let mut state = point.state.clone();
        point.taken = Some((owed, choice.clone()));
        let mut heard = Collect::default();
        let (taken, revealed) = noting(|| {
            let chance = &mut self.course;
            step_legal(program, &mut state, owed.index, &choice, chance, &mut heard)
        });
        taken.ok()?;
        self.rest(state, heard.0, revealed, dice)?;
        Some(false)
    }

    fn rest(
        &mut self,
        state: State,
        heard: Vec<Event>,
        revealed: Vec<Revelation>,
        dice: &mut Dice,
    ) -> Option<()> {
        let tries = tries(self.program, &state, self.seat, TRIES, dice);
        for (number, event) in heard.iter().enumerate() {
            self.hear(event);
            self.hear_of_draw(event, heard.get(number + 1));
        }
        self.look(&state);
        self.points.push(Point {
            state,
            heard,
            revealed,
            told: OnceCell::new(),
            tries,
            taken: None,
        });
        Some(())
    }

    fn look(&mut self, state: &State) {
        let before = self.points.last().map(|point| &point.state);
        for (component, known) in self.known.iter_mut().enumerate() {
            let component = component as i32;
            let eyes = Viewer::Seat(self.seat);
            let shows = |state: &State| reads_back(self.program, state, eyes, component);
            let reads = shows(state) && before.is_some_and(|before| !shows(before));
            *known |= sees(self.program, state, self.seat, component)
                || reads && has_back(self.program, component);
        }
    }

    fn hear(&mut self, event: &Event) {
        match event {
            Event::Moved { what, .. } | Event::Turned { what, .. } => self.see(what),
            Event::Given { to, value, seen_by } if self.is_among(*seen_by) => {
                if let Target::Field { what, .. } = to {
                    self.see(what);
                }
                self.see_all(&[vec![*value]]);
            }
            Event::Rolled { dice } => dice.iter().for_each(|(die, _)| self.see(die)),
            Event::Shown { what, to } if self.is_among(*to) => {
                for component in what.iter().filter_map(|seen| seen.component_for(JUDGE)) {
                    self.know(component);
                }
            }
            Event::Chose {
                args, secret, seat, ..
            } if !secret || *seat == self.seat => self.see_all(args),
            Event::Said { holes, to, .. } if self.is_among(*to) => self.see_all(holes),
            _ => {}
        }
    }

    fn hear_of_draw(&mut self, event: &Event, next: Option<&Event>) {
        let Event::Drawn { site, args, .. } = event else {
            return;
        };
        let count = self.draws.entry(*site).or_default();
        *count += 1;
        let key = (*site, *count);
        let drawn = args.first().and_then(|values| values.first());
        if let Some(Event::Given { value, seen_by, .. }) = next
            && Some(value) == drawn
            && !self.is_among(*seen_by)
        {
            self.open.insert(key);
        }
    }

    fn see_all(&mut self, values: &[Vec<SeenValue>]) {
        for value in values.iter().flatten() {
            if let SeenValue::Component(seen) | SeenValue::Inside(seen) = value {
                self.see(seen);
            }
        }
    }

    fn see(&mut self, seen: &Seen) {
        if let Some(component) = seen.component_for(Viewer::Seat(self.seat)) {
            self.know(component);
        }
    }

    fn know(&mut self, component: u16) {
        if let Some(known) = self.known.get_mut(usize::from(component)) {
            *known = true;
        }
    }

    fn is_among(&self, viewers: u16) -> bool {
        Viewer::Seat(self.seat).is_among(viewers)
    }

    /// A world that the seat can imagine, with all that it comes to see in these steps where it is; `None` where another
    /// back would lie there then.
    pub fn as_seen(&self, world: &State) -> Option<State> {
        let there = names_by_place(&self.first()?.state, world);
        let mut names: Vec<i32> = (0..there.len() as i32).collect();
        let known = self.known.iter().enumerate().filter(|(_, known)| **known);
        for (component, _) in known {
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
        Some(renamed(self.program, world, &names).state)
    }

    /// The rest it begins with.
    pub fn first(&self) -> Option<&Point> {
        self.points.first()
    }

    /// What the seat does not know at the beginning, and does not come to see.
    pub fn unknown(&self) -> Unknown {
        let first = self.first();
        first.map_or_else(Unknown::default, |first| {
            Unknown::of(self.program, &first.state, self.seat, &self.known)
        })
    }
}

fn has_back(program: &Program, component: i32) -> bool {
    let info = program.components.get(component.max(0) as usize);
    let kind = info.and_then(|info| program.kinds.get(usize::from(info.kind)));
    kind.is_some_and(|kind| kind.fields.iter().any(|field| field.on_back))
}

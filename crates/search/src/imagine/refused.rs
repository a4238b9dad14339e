//! Proposes changes where a choice that was made is impossible in a world, because its component lies elsewhere: a player
//! plays a card that this world has given to another one. The card is exchanged for one that lies where it should be. Or
//! somebody has passed it on, and only they saw it; or they did not, but do so in this world.

use super::change::{CourseChange, RECENT, Stray};
use super::draft::WorldDraft;
use super::line::number_of;
use super::making::{Making, each_component, renamed};
use super::sampling::{RandomResult, name};
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Choice, Event, State, Viewer};

impl Making<'_> {
    /// Proposes a change after which the component lies where it was chosen, if that is what is wrong.
    pub fn instead_of_refused(
        &self,
        draft: &WorldDraft,
        stray: &Stray,
        dice: &mut Dice,
    ) -> Option<CourseChange> {
        let (wanted, zone) = self.out_of_place(draft, stray)?;
        let how = dice.below(8);
        if how < 6
            && let Some(change) = self.needed_answer(draft, stray, wanted, dice)
        {
            return Some(change);
        }
        // Any other change may help as well.
        if how == 7 {
            return None;
        }
        let there: Vec<i32> = draft.state.as_ref()?.members(zone).collect();
        let other = one_of(&there, dice)?;
        let operation = self.last_mix(&stray.course.outcomes, wanted, other, false)?;
        Some(CourseChange::exchange(operation, wanted, other))
    }

    /// Returns another legal answer to a recent secret decision, with the component in it, or without it.
    fn needed_answer(
        &self,
        draft: &WorldDraft,
        stray: &Stray,
        wanted: i32,
        dice: &mut Dice,
    ) -> Option<CourseChange> {
        let mixed = last_of(&stray.course.outcomes, wanted);
        let first = mixed.map_or(0, |operation| self.line.step_of(operation));
        let steps = self.line.steps.get(..draft.steps)?;
        let is_hidden = |at: &usize| steps.get(*at).is_some_and(|step| self.is_hidden(step));
        let hidden = (first..draft.steps).rev().filter(is_hidden).take(RECENT);
        let mut hidden: Vec<usize> = hidden.collect();
        dice.mix(&mut hidden);
        hidden.into_iter().find_map(|step| {
            let choice = self.answer_about(draft, stray, step, wanted, dice)?;
            let choice = Some(choice);
            Some(CourseChange::Answer { step, choice })
        })
    }

    /// Returns the component of a choice that is impossible here, and the zone from which it should have moved, if it is not
    /// there.
    fn out_of_place(&self, draft: &WorldDraft, stray: &Stray) -> Option<(i32, i32)> {
        let step = self.line.steps.get(draft.steps)?;
        let failure = &stray.failure;
        if failure.score > 0 || failure.other.is_some() || self.is_hidden(step) {
            return None;
        }
        let (made, state) = (step.made.as_ref()?, draft.state.as_ref()?);
        let choice = renamed(self.program, state, made, &draft.names);
        let wanted = *self.components_of(state, &choice).first()?;
        let zone = step.events.iter().find_map(|event| {
            let Event::Moved { what, .. } = event else {
                return None;
            };
            let knows = Viewer::Seat(self.seat).is_among(what.sight().located);
            let is_it = name(&draft.names, number_of(what)) == wanted;
            (knows && is_it).then_some(i32::from(what.zone))
        });
        let zone = zone.filter(|zone| state.zone_of(wanted) != *zone)?;
        Some((wanted, zone))
    }

    /// Returns the answer at a step with the component in it, or without it if it is there; `None` if that is not legal.
    fn answer_about(
        &self,
        draft: &WorldDraft,
        stray: &Stray,
        step: usize,
        wanted: i32,
        dice: &mut Dice,
    ) -> Option<Choice> {
        let state = draft.state_before(step)?;
        let seat = stray.course.made_at(step)?.seat;
        let mut choice = stray.course.made_at(step)?.choice.clone();
        let chosen = self.components_of(state, &choice);
        let (old, new) = match chosen.contains(&wanted) {
            true => {
                let beside = state.members(state.zone_of(wanted));
                let others: Vec<i32> = beside.filter(|other| !chosen.contains(other)).collect();
                (wanted, one_of(&others, dice)?)
            }
            false => (one_of(&chosen, dice)?, wanted),
        };
        each_component(self.program, state, &mut choice, &mut |component| {
            if component == old { new } else { component }
        });
        let owed = engine::pending(self.program, state);
        let owed = owed.iter().find(|owed| owed.seat == seat)?;
        let is_legal = engine::is_legal(self.program, state, owed, &choice);
        is_legal.unwrap_or(false).then_some(choice)
    }

    fn components_of(&self, state: &State, choice: &Choice) -> Vec<i32> {
        let mut components = Vec::new();
        let mut choice = choice.clone();
        each_component(self.program, state, &mut choice, &mut |component| {
            components.push(component);
            component
        });
        components
    }
}

fn one_of(components: &[i32], dice: &mut Dice) -> Option<i32> {
    components
        .get(dice.below(components.len() as u64) as usize)
        .copied()
}

/// Returns the last operation that mixed a component.
pub(super) fn last_of(outcomes: &[RandomResult], component: i32) -> Option<usize> {
    outcomes
        .iter()
        .rposition(|outcome| outcome.mixed().contains(&component))
}

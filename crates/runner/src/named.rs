//! Choices as such instead of by number, for programs that compare the choices of several states.

use super::Runner;
use wyrmgate_engine::choice::{Choice, Pending};
use wyrmgate_engine::choices::{is_legal, random_choice};
use wyrmgate_engine::fault::Fault;
use wyrmgate_program::{BinderInfo, Program};

impl<'p> Runner<'p> {
    pub fn program(&self) -> &'p Program {
        self.game.program
    }

    /// Returns one of the choices of a pending decision, all equally likely, like [`wyrmgate_engine::random_choice`].
    pub fn random_choice(
        &mut self,
        owed: &Pending,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Option<Choice>, Fault> {
        if !self.is_first(owed) {
            return random_choice(self.game.program, &self.game.state, owed, draw);
        }
        if self.count()? == 0 {
            return Ok(None);
        }
        let number = self.draw(draw)?;
        if let Some(choice) = self.fast.choice(number) {
            return Ok(Some(choice));
        }
        let site = self.game.program.site(owed.site);
        Ok(site.map(|site| {
            self.game.menu.pick(number, &mut self.picked);
            self.picked.choice(site)
        }))
    }

    /// Answers a pending decision with a choice that was just drawn, and runs to the next rest.
    pub fn answer_drawn(&mut self, owed: &Pending, choice: &Choice) -> Result<(), Fault> {
        if self.is_first(owed)
            && let Some(number) = self.fast.number_of(choice)
        {
            return self.take(number);
        }
        self.answer(owed, choice)
    }

    /// Answers a pending decision with a choice if it is legal, and runs to the next rest; returns whether it was.
    pub fn answer_if_legal(&mut self, owed: &Pending, choice: &Choice) -> Result<bool, Fault> {
        if self.is_first(owed) {
            self.count()?;
            if let Some(number) = self.fast.number_of(choice) {
                return self.take(number).map(|()| true);
            }
            if self.fast.count().is_some() && !self.lists_some_only(owed, choice) {
                return Ok(false);
            }
        }
        let is_legal = is_legal(self.game.program, &self.game.state, owed, choice)?;
        if is_legal {
            self.answer(owed, choice)?;
        }
        Ok(is_legal)
    }

    fn is_first(&self, owed: &Pending) -> bool {
        self.pending().is_some_and(|first| first.seat == owed.seat)
    }

    /// Returns whether an option can have choices that are legal but not listed: listed ones are like them, or a number is
    /// given.
    fn lists_some_only(&self, owed: &Pending, choice: &Choice) -> bool {
        let site = self.game.program.site(owed.site);
        let option = site.and_then(|site| site.options.get(usize::from(choice.option)));
        let lists_some =
            |binder: &BinderInfo| binder.alike || binder.range(self.game.program).is_some();
        option.is_some_and(|option| option.binders.iter().any(lists_some))
    }
}

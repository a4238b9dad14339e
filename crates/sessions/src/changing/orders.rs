//! Reading and replacing the standing orders of a seat.

use crate::Refusal;
use crate::access::token::Token;
use crate::changing::call::{Answered, Call};
use crate::changing::pending::PendingChange;
use crate::changing::pending::writing::Attempt;
use crate::content::live::Live;
use crate::content::log::{Happening, LogEntry};
use crate::content::stage::Stage;
use crate::content::standing::{PresetAnswer, Standing, StandingAnswer};
use crate::service::Service;
use wyrmgate_program::Program;

/// Number of attempts when the game continues in the meantime.
const TRIES: usize = 8;
/// Number of past changes to search for the last move, because other changes can follow it.
const LOOK_BACK: usize = 16;
const SEATS_ONLY: &str = "only a seat can have standing orders; send a seat token";

impl Service {
    /// Returns the orders of the caller's seat.
    pub async fn standing_orders(
        &self,
        id: &str,
        token: Option<&Token>,
    ) -> Result<Vec<PresetAnswer>, Refusal> {
        let (live, caller) = self.look(id, token).await?;
        Ok(live.orders_of(caller.needs_seat(SEATS_ONLY)?))
    }

    /// Replaces the orders of the caller's seat.
    pub async fn give_orders(
        &self,
        call: Call<'_>,
        orders: &[PresetAnswer],
    ) -> Result<Answered, Refusal> {
        for _ in 0..TRIES {
            let (live, caller) = self.look(call.session, call.token).await?;
            caller.needs_seat(SEATS_ONLY)?;
            check(&live.program, orders)?;
            self.free_text.allows_orders(orders)?;
            let opened_by = self.opened_by(&live).await?;
            let version = live.version();
            let give = |attempt: &Attempt<'_>| {
                let (seat, change) = attempt.by_seat(SEATS_ONLY)?;
                if change.before.version() != version {
                    return Err(Refusal::Overloaded); // judged again with the change that has come
                }
                give(change, seat, orders, &opened_by)
            };
            match self.write(call, &give).await {
                Err(Refusal::Overloaded) => {}
                answered => return answered,
            }
        }
        Err(Refusal::Overloaded)
    }

    /// Returns the most recent change of the game, if it was not long ago.
    async fn opened_by(&self, live: &Live) -> Result<LogEntry, Refusal> {
        let before = live.version().saturating_sub(LOOK_BACK as u64);
        let past = self.history(&live.id, before, LOOK_BACK).await?;
        let is_game = |happening: &Happening| matches!(happening, Happening::Game(_));
        let mut entries = past.into_iter().map(|past| past.entry);
        let last = entries.rfind(|entry| entry.happenings.iter().any(is_game));
        Ok(last.unwrap_or_default())
    }
}

impl Live {
    pub fn orders_of(&self, seat: u8) -> Vec<PresetAnswer> {
        let of_seat = usize::from(seat).checked_sub(1);
        let of_seat = of_seat.and_then(|at| self.status.standing.get(at));
        of_seat.map_or_else(Vec::new, |of_seat| of_seat.orders.clone())
    }
}

fn give(
    mut change: PendingChange,
    seat: u8,
    orders: &[PresetAnswer],
    opened_by: &LogEntry,
) -> Result<PendingChange, Refusal> {
    if change.before.stage() == Stage::Finished {
        return Err(Refusal::SessionOver);
    }
    let standing = Standing {
        orders: orders.to_vec(),
        due: None,
    };
    change.order(seat, standing, opened_by)?;
    Ok(change)
}

fn check(program: &Program, orders: &[PresetAnswer]) -> Result<(), Refusal> {
    for (at, order) in orders.iter().enumerate() {
        if let Some(name) = &order.decision
            && !program.sites.iter().any(|site| site.name == *name)
        {
            let message = "the rules have no decision with this name";
            return Err(Refusal::unprocessable(
                &format!("/orders/{at}/decision"),
                message,
            ));
        }
        if let StandingAnswer::Choice { option, .. } = &order.answer
            && let Some(option) = option
        {
            let sites = program.sites.iter();
            let mut sites = sites.filter(|site| {
                order
                    .decision
                    .as_ref()
                    .is_none_or(|name| site.name == *name)
            });
            let is_known = sites.any(|site| site.options.iter().any(|known| known.name == *option));
            if !is_known {
                let message = "no matching decision has this option";
                let pointer = format!("/orders/{at}/answer/option");
                return Err(Refusal::unprocessable(&pointer, message));
            }
        }
    }
    Ok(())
}

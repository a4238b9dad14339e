//! Undo: back to the last point at which someone gained information or another seat acted, and no further.

use crate::Refusal;
use crate::changing::call::{Answered, Call};
use crate::changing::pending::PendingChange;
use crate::changing::pending::writing::Attempt;
use crate::content::budget::budget;
use crate::content::live::Live;
use crate::content::log::{Happening, LoggedMove};
use crate::content::play::Play;
use crate::content::stage::Stage;
use crate::content::status::{Seat, UndoWish};
use crate::content::terms::Undo;
use crate::history::past::{EffectiveChoices, damaged};
use crate::service::Service;
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_engine::{self as engine};
use wyrmgate_view::InformationGain;

const SEATS_ONLY: &str = "only a seat can request an undo; send a seat token";
const NOTHING_OPEN: Refusal = Refusal::NotUndoable("there is no open undo request to answer");

/// A request or an answer of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoOrder {
    /// Request to go back to this version, or to before the last choice.
    Ask(Option<u64>),
    Agree,
    Refuse,
}

impl Service {
    pub async fn undo(&self, call: Call<'_>, order: UndoOrder) -> Result<Answered, Refusal> {
        let (live, caller) = self.look(call.session, call.token).await?;
        let seat = caller.needs_seat(SEATS_ONLY)?;
        let course = self.course(&live.id, live.version()).await?;
        let Some(wish) = wish(&live, seat, order, &course)? else {
            let refuse = |attempt: &Attempt<'_>| refused(attempt.by_seat(SEATS_ONLY)?);
            return self.write(call, &refuse).await;
        };
        let back = self.back_to(&live, &wish, &course).await?;
        let position = live.position;
        let change = |attempt: &Attempt<'_>| {
            let (_, mut change) = attempt.by_seat(SEATS_ONLY)?;
            let live = &change.before;
            if live.position != position {
                return Err(Refusal::Stale {
                    version: live.version(),
                });
            }
            let others = people_besides(live, wish.seat);
            let waits_for_others = live.facts.terms.undo == Undo::Agreed
                && others.iter().any(|other| !wish.agreed.contains(other));
            if waits_for_others {
                change.wish_undo(wish.clone());
            } else {
                change.go_back(back.clone(), wish.seat, wish.to);
            }
            Ok(change)
        };
        self.write(call, &change).await
    }

    /// Returns the game at the requested version, if the undo is allowed.
    async fn back_to(
        &self,
        live: &Live,
        wish: &UndoWish,
        course: &EffectiveChoices,
    ) -> Result<Play, Refusal> {
        let limit = self.undo_limit(live, course, wish.seat).await?;
        if wish.to < limit || wish.to >= live.version() {
            return Err(Refusal::NotUndoable(
                "someone has gained information or another seat has acted since that version; choose a later one",
            ));
        }
        let before = self.course(&live.id, wish.to).await?;
        let play = self.play_of(live, &before).await?;
        play.ok_or(Refusal::NotUndoable(
            "the game had not begun at that version; choose a later one",
        ))
    }

    /// Returns the earliest version to which a seat may go back, or the current one if there is none.
    async fn undo_limit(
        &self,
        live: &Live,
        course: &EffectiveChoices,
        seat: u8,
    ) -> Result<u64, Refusal> {
        let seed = self.game_seed(live).await?;
        let (of, moves) = (live.clone(), course.moves.clone());
        // This replays the game many times while other requests wait.
        let informative = self
            .undo_limits
            .run(move || informative(&of, seed, &moves, seat));
        let mut informative = informative.await??;
        let mut course = course.clone();
        while let Some(last) = course.entries.last().copied() {
            let made: Vec<u8> = course
                .moves
                .iter()
                .filter(|(version, _)| *version == last.version)
                .map(|(_, made)| made.seat)
                .collect();
            if made.is_empty() && !last.begins {
                course.entries.pop(); // words, not deeds
                continue;
            }
            // One choice per change: with more of them, another seat has acted or a secret was revealed.
            if !last.is_play || made != [seat] || informative.pop().unwrap_or(true) {
                return Ok(last.version);
            }
            course.entries.pop();
            course.moves.pop();
        }
        Ok(live.version())
    }
}

/// Returns for each of the last choices of this seat whether it gave anyone information. The last choice comes last,
/// and the list stops at one that did.
fn informative(
    live: &Live,
    seed: [u8; 32],
    moves: &[(u64, LoggedMove)],
    seat: u8,
) -> Result<Vec<bool>, Refusal> {
    let program = &live.program;
    let gain = InformationGain::begin(program, seed).map_err(|fault| budget(live, fault))?;
    let mut gain = gain.pausing(checkpoint);
    for (version, made) in moves {
        let damaged = || damaged(*version);
        let owed = engine::pending(program, gain.state());
        let pending = *owed.get(made.decision as usize).ok_or_else(damaged)?;
        let taken = gain.take(pending.index, made.choice());
        taken.map_err(|_| damaged())?;
    }
    let mut informative = Vec::new();
    for (number, (_, made)) in moves.iter().enumerate().rev() {
        if made.seat != seat || informative.last() == Some(&true) {
            break;
        }
        informative.push(gain.is_informative(number));
    }
    informative.reverse();
    Ok(informative)
}

/// Returns the undo request after this order. `None` if it is declined.
fn wish(
    live: &Live,
    seat: u8,
    order: UndoOrder,
    course: &EffectiveChoices,
) -> Result<Option<UndoWish>, Refusal> {
    match live.stage() {
        Stage::Finished => return Err(Refusal::SessionOver),
        Stage::Waiting => return Err(Refusal::NotUndoable("the game has not begun")),
        Stage::Running => {}
    }
    if live.facts.terms.undo == Undo::Never {
        return Err(Refusal::Forbidden("this session does not allow undo"));
    }
    let open = live.status.undo.as_ref();
    match (order, open) {
        (UndoOrder::Ask(to), _) => Ok(Some(UndoWish {
            seat,
            to: to.or(course.before_last()).unwrap_or(live.version()),
            agreed: Vec::new(),
        })),
        (_, None) => Err(NOTHING_OPEN),
        (UndoOrder::Refuse, Some(_)) => Ok(None),
        (UndoOrder::Agree, Some(open)) => {
            let mut wish = open.clone();
            if wish.seat != seat && !wish.agreed.contains(&seat) {
                wish.agreed.push(seat);
            }
            Ok(Some(wish))
        }
    }
}

/// Declines the open request for a seat.
fn refused((seat, mut change): (u8, PendingChange)) -> Result<PendingChange, Refusal> {
    if change.status().undo.is_none() {
        return Err(NOTHING_OPEN);
    }
    change.forget_undo();
    change.add_event(Happening::UndoRefused { seat });
    Ok(change)
}

/// Returns the other people. Built-in players always agree.
fn people_besides(live: &Live, seat: u8) -> Vec<u8> {
    let seats = (1..).zip(&live.status.seats);
    let people = seats.filter(|(_, held)| matches!(held, Seat::Taken { .. }));
    people
        .map(|(number, _)| number)
        .filter(|other| *other != seat)
        .collect()
}

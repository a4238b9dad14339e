//! Undo: back past own choices and, as far as the terms allow, past replies to them and what was learned from both.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use crate::Refusal;
use crate::access::caller::Caller;
use crate::access::token::Token;
use crate::changing::call::{Answered, Call};
use crate::changing::pending::PendingChange;
use crate::changing::pending::writing::Attempt;
use crate::changing::reach::{PossibleUndo, Retraced, Retracing, UNDOS_MAX, UndoNeeds};
use crate::content::live::Live;
use crate::content::log::Happening;
use crate::content::play::Play;
use crate::content::stage::Stage;
use crate::content::status::UndoWish;
use crate::content::terms::Undo;
use crate::history::past::EffectiveChoices;
use crate::service::Service;

const SEATS_ONLY: &str = "only a seat can request an undo; send a seat token";
const NOTHING_OPEN: Refusal = Refusal::NotUndoable("there is no open undo request to answer");
const NOT_BEGUN: Refusal =
    Refusal::NotUndoable("the game had not begun at that version; choose a later one");

/// A request or an answer of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoOrder {
    /// Request to go back to this version, or to before the last own choice.
    Ask(Option<u64>),
    Agree,
    Refuse,
}

/// The undos that can be requested now.
#[derive(Serialize, ToSchema)]
#[schema(as = UndoList)]
pub struct UndoOffers {
    /// The current version of the session.
    #[schema(minimum = 1)]
    pub version: u64,
    /// The request that waits for other seats, if any.
    #[schema(required)]
    pub open: Option<UndoWish>,
    /// The versions before own choices, the nearest first. For the owner of a practice session, those before the last choices.
    #[schema(max_items = 8)]
    pub possible: Vec<PossibleUndo>,
}

/// The game at the version of a request.
struct Earlier {
    play: Play,
    /// Whether someone may have gained information since.
    informs: bool,
}

impl Service {
    pub async fn undo(&self, call: Call<'_>, order: UndoOrder) -> Result<Answered, Refusal> {
        let (live, caller) = self.look(call.session, call.token).await?;
        if caller == Caller::Owner {
            return Box::pin(self.roll_back(call, &live, order)).await;
        }
        let seat = caller.needs_seat(SEATS_ONLY)?;
        let has_given = live
            .play
            .as_ref()
            .is_some_and(|play| play.given(seat).next().is_some());
        if order == UndoOrder::Ask(None) && has_given {
            let withdraw = |attempt: &Attempt<'_>| {
                let (seat, mut change) = attempt.by_seat(SEATS_ONLY)?;
                change.withdraw(seat)?;
                Ok(change)
            };
            return self.write(call, &withdraw).await;
        }
        let course = self.course(&live.id, live.version()).await?;
        let Some(wish) = wish(&live, seat, order, &course)? else {
            let refuse = |attempt: &Attempt<'_>| refused(attempt.by_seat(SEATS_ONLY)?);
            return self.write(call, &refuse).await;
        };
        let earlier = self.earlier(&live, &wish, &course).await?;
        let change = |attempt: &Attempt<'_>| {
            let (_, mut change) = attempt.by_seat(SEATS_ONLY)?;
            is_still(&live, &change.before)?;
            let UndoWish { seat, to, .. } = wish;
            match UndoNeeds::of(&change.before, seat, &wish.agreed) {
                UndoNeeds::Agreement => change.wish_undo(wish.clone()),
                UndoNeeds::Nobody => {
                    let how = Happening::Undone { seat, to };
                    change.go_back(earlier.play.clone(), how, earlier.informs);
                }
            }
            Ok(change)
        };
        self.write(call, &change).await
    }

    /// Goes back to any version of a practice session for its owner. Nobody has to agree, and all clocks begin again.
    async fn roll_back(
        &self,
        call: Call<'_>,
        live: &Arc<Live>,
        order: UndoOrder,
    ) -> Result<Answered, Refusal> {
        may_roll_back(live)?;
        let UndoOrder::Ask(Some(to)) = order else {
            return Err(Refusal::unprocessable(
                "/to",
                "the owner must name the version to go back to",
            ));
        };
        if to >= live.version() {
            return Err(Refusal::NotUndoable(
                "this is not an earlier version; choose one before the current version",
            ));
        }
        let before = self.course(&live.id, to).await?;
        let play = self.play_of(live, &before).await?.ok_or(NOT_BEGUN)?;
        let change = |attempt: &Attempt<'_>| {
            let mut change = attempt.by_owner()?;
            may_roll_back(&change.before)?;
            is_still(live, &change.before)?;
            change.go_back(play.clone(), Happening::RolledBack { to }, true);
            change.reset_clocks();
            Ok(change)
        };
        self.write(call, &change).await
    }

    /// Returns the undos that this caller can request now.
    pub async fn undos(&self, id: &str, token: Option<&Token>) -> Result<UndoOffers, Refusal> {
        let (live, caller) = self.look(id, token).await?;
        caller.needs_player_or_owner("only a seat or the owner can request an undo")?;
        let version = self.known(&live, caller).await?;
        let possible = match caller.seat() {
            Some(seat) if may_undo(&live).is_ok() => {
                let course = self.course(&live.id, version).await?;
                let back = self.retrace(&live, &course, seat, 0, UNDOS_MAX).await?;
                offers(back.own, UndoNeeds::of(&live, seat, &[]))
            }
            None if may_roll_back(&live).is_ok() => {
                let course = self.course(&live.id, version).await?;
                let versions = course.before_each().take(UNDOS_MAX).collect();
                offers(versions, UndoNeeds::Nobody)
            }
            Some(_) | None => Vec::new(),
        };
        Ok(UndoOffers {
            version,
            open: live.status.undo.clone(),
            possible,
        })
    }

    /// Returns the game at the requested version, if the undo is allowed.
    async fn earlier(
        &self,
        live: &Live,
        wish: &UndoWish,
        course: &EffectiveChoices,
    ) -> Result<Earlier, Refusal> {
        if wish.to >= live.version() {
            return Err(Refusal::NotUndoable(
                "there is nothing to undo since that version; choose an earlier one",
            ));
        }
        let before = self.course(&live.id, wish.to).await?;
        if !course.moves.starts_with(&before.moves) {
            return Err(Refusal::NotUndoable(
                "the choices before that version were undone; choose another one",
            ));
        }
        let back = self
            .retrace(live, course, wish.seat, wish.to, usize::MAX)
            .await?;
        if let Some(obstacle) = back.obstacle {
            return Err(Refusal::NotUndoable(obstacle));
        }
        let play = self.play_of(live, &before).await?.ok_or(NOT_BEGUN)?;
        let informs = back.informs;
        Ok(Earlier { play, informs })
    }

    /// Finds out what a seat passes on its way back. This replays the game many times while other requests wait.
    async fn retrace(
        &self,
        live: &Live,
        course: &EffectiveChoices,
        seat: u8,
        to: u64,
        most: usize,
    ) -> Result<Retraced, Refusal> {
        let retracing = Retracing {
            live: live.clone(),
            seed: self.game_seed(live).await?,
            course: course.clone(),
            seat,
        };
        self.undo_limits
            .run(move || retracing.back(to, most))
            .await?
    }
}

fn offers(versions: Vec<u64>, needs: UndoNeeds) -> Vec<PossibleUndo> {
    let offer = |to| PossibleUndo { to, needs };
    versions.into_iter().map(offer).collect()
}

/// Fails if the session has changed since a request was judged.
fn is_still(judged: &Live, now: &Live) -> Result<(), Refusal> {
    match judged.position == now.position {
        true => Ok(()),
        false => Err(Refusal::Stale {
            version: now.version(),
        }),
    }
}

fn may_undo(live: &Live) -> Result<(), Refusal> {
    match live.stage() {
        Stage::Finished => return Err(Refusal::SessionOver),
        Stage::Waiting => return Err(Refusal::NotUndoable("the game has not begun")),
        Stage::Running => {}
    }
    allows_undo(live)
}

fn may_roll_back(live: &Live) -> Result<(), Refusal> {
    if !live.is_practice() {
        return Err(Refusal::Forbidden(
            "the owner can go back only in a practice session; here a seat requests an undo",
        ));
    }
    if live.stage() == Stage::Waiting {
        return Err(Refusal::NotUndoable("the game has not begun"));
    }
    allows_undo(live)
}

fn allows_undo(live: &Live) -> Result<(), Refusal> {
    match live.facts.terms.undo {
        Undo::Never => Err(Refusal::Forbidden("this session does not allow undo")),
        Undo::Free | Undo::Agreed | Undo::AnythingAgreed => Ok(()),
    }
}

/// Returns the undo request after this order. `None` if it is declined.
fn wish(
    live: &Live,
    seat: u8,
    order: UndoOrder,
    course: &EffectiveChoices,
) -> Result<Option<UndoWish>, Refusal> {
    may_undo(live)?;
    let open = live.status.undo.as_ref();
    match (order, open) {
        (UndoOrder::Ask(to), _) => Ok(Some(UndoWish {
            seat,
            to: to
                .or_else(|| course.before_last_of(seat))
                .ok_or(Refusal::NotUndoable(
                    "this seat has made no choice that is in effect",
                ))?,
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

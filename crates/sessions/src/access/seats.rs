//! Taking and leaving seats.

use std::sync::Arc;

use crate::Refusal;
use crate::access::token::{Kind, Token, TokenHash};
use crate::changing::pending::Change;
use crate::content::facts::Visibility;
use crate::content::live::{Caller, Live};
use crate::content::seed::Secrets;
use crate::content::status::{Seat, Stage};
use crate::history::log::Happening;
use crate::service::{Answered, Call, Key, Made, Service};
use crate::time::clock;
use wyrmgate_base::hex;
use wyrmgate_search::bot::Bot;

/// The player who takes a seat.
#[derive(Debug, Clone)]
pub struct Claim {
    pub seat: u8,
    pub name: Option<String>,
    /// The bot to seat. Only the owner can do this.
    pub bot: Option<Bot>,
    /// Renews the token of a taken seat, for its player or for the owner.
    pub renew: bool,
    /// The invite code of a private session, if the credential grants no access.
    pub invite: Option<Token>,
    /// Entropy for the seed, from a person who takes a seat before the game begins.
    pub entropy: Option<[u8; 32]>,
}

/// A taken seat.
#[derive(Debug, Clone)]
pub struct Claimed {
    pub answered: Answered<Made>,
    /// The token for the player. `None` for a bot.
    pub token: Option<Token>,
}

impl Service {
    /// Seats a player. The game begins when the last seat is taken.
    pub async fn claim(&self, call: Call<'_>, claim: &Claim) -> Result<Claimed, Refusal> {
        let live = self.load(call.session).await?;
        let caller = live.caller(claim.invite.as_ref().or(call.token))?;
        if claim.renew {
            may_renew(caller, claim.seat)?;
        } else {
            may_claim(&live, caller, claim)?;
        }
        let secrets = self.secrets(call.session).await?;
        let new = new_token(&secrets, claim, call.key)?;
        let hash = new.as_ref().map(Token::hash);
        let sit = |live: &Arc<Live>| {
            let mut change = match hash {
                Some(hash) if claim.renew => renewed(live, claim.seat, hash)?,
                _ => sit_down(live, claim, hash, &secrets)?,
            };
            change.hand_out(new.clone());
            Ok(change)
        };
        let answered = self.write(call, &sit).await?;
        Ok(Claimed {
            answered,
            token: new,
        })
    }

    /// Frees a seat, for its player or for the owner of the session.
    pub async fn leave(&self, call: Call<'_>, seat: u8) -> Result<Answered<Made>, Refusal> {
        let (_, caller) = self.look(call.session, call.token).await?;
        let stand = |live: &Arc<Live>| stand_up(live, caller, seat);
        self.write(call, &stand).await
    }
}

pub(crate) fn owner_only(caller: Caller) -> Result<(), Refusal> {
    match caller {
        Caller::Owner => Ok(()),
        _ => Err(caller.refused("this requires the owner token of the session")),
    }
}

fn may_renew(caller: Caller, seat: u8) -> Result<(), Refusal> {
    if caller == Caller::Seat(seat) {
        return Ok(());
    }
    owner_only(caller)
}

/// Replaces the token of a seat. The old one stops working on every node.
fn renewed(live: &Arc<Live>, number: u8, token: TokenHash) -> Result<Change, Refusal> {
    let seat = live.status.seat(number).ok_or(Refusal::NotFound)?;
    let Seat::Taken { name, .. } = seat else {
        return Err(Refusal::Forbidden(
            "no player has a token for this seat; only a seat taken by a person can be renewed",
        ));
    };
    let name = name.clone();
    let mut change = Change::of(live.clone(), clock::now_ms());
    change.put_on_seat(number, Seat::Taken { token, name });
    change.add_event(Happening::SeatRenewed { seat: number });
    Ok(change)
}

fn may_claim(live: &Live, caller: Caller, claim: &Claim) -> Result<(), Refusal> {
    if claim.bot.is_some() {
        return owner_only(caller);
    }
    let is_private = live.facts.visibility == Visibility::Private;
    match caller {
        Caller::Owner | Caller::Guest => Ok(()),
        Caller::Public if !is_private => Ok(()),
        Caller::Public => Err(Refusal::NotFound),
        Caller::Seat(_) if !is_private => Ok(()),
        Caller::Seat(_) => Err(Refusal::Forbidden(
            "taking a seat of a private session requires its invite code; send `invite_code`",
        )),
    }
}

/// Returns a new token. With a key, the same request yields the same token even if two nodes serve it at once. The
/// caller decides whether to show it again.
fn new_token(
    secrets: &Secrets,
    claim: &Claim,
    key: Option<&Key>,
) -> Result<Option<Token>, Refusal> {
    match (claim.bot, key) {
        (Some(_), _) => Ok(None),
        (None, None) => Ok(Some(Token::random(Kind::Seat)?)),
        (None, Some(key)) => Ok(Some(Token::derived(
            Kind::Seat,
            &secrets.token_key,
            claim.seat,
            &key.digest,
        ))),
    }
}

fn sit_down(
    live: &Arc<Live>,
    claim: &Claim,
    token: Option<TokenHash>,
    secrets: &Secrets,
) -> Result<Change, Refusal> {
    let present = live.status.seat(claim.seat).ok_or(Refusal::NotFound)?;
    if live.stage() == Stage::Finished {
        return Err(Refusal::SessionOver);
    }
    if live.status.is_full() {
        return Err(Refusal::SessionFull);
    }
    if !matches!(present, Seat::Open) {
        return Err(Refusal::SeatTaken);
    }
    let seat = match (token, claim.bot) {
        (Some(token), _) => Seat::Taken {
            token,
            name: claim.name.clone(),
        },
        (None, bot) => Seat::Bot(bot.unwrap_or(Bot::Random)),
    };
    if claim.entropy.is_some() && live.stage() != Stage::Waiting {
        let late = "the game has begun and its seed is fixed; remove `entropy`";
        return Err(Refusal::unprocessable("/entropy", late));
    }
    let mut change = Change::of(live.clone(), clock::now_ms());
    change.put_on_seat(claim.seat, seat);
    change.bring(
        claim.seat,
        claim.entropy.as_ref().map(|bits| hex::encode(bits)),
    );
    change.add_event(Happening::SeatTaken {
        seat: claim.seat,
        name: claim.name.clone(),
        bot: claim.bot,
    });
    if change.is_due_to_begin() {
        change.begin(secrets)?;
    }
    change.play_bots(&mut crate::service::bot()?);
    Ok(change)
}

fn stand_up(live: &Arc<Live>, caller: Caller, number: u8) -> Result<Change, Refusal> {
    let seat = live.status.seat(number).ok_or(Refusal::NotFound)?;
    if caller != Caller::Seat(number) && caller != Caller::Owner {
        return Err(
            caller.refused("the credential belongs to another seat; use the token of this seat")
        );
    }
    if live.stage() == Stage::Finished {
        return Err(Refusal::SessionOver);
    }
    let mut change = Change::of(live.clone(), clock::now_ms());
    if !matches!(seat, Seat::Open) {
        change.put_on_seat(number, Seat::Open);
        change.bring(number, None);
        change.add_event(Happening::SeatLeft { seat: number });
    }
    Ok(change)
}

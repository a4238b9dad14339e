//! Taking and leaving seats.

use crate::Refusal;
use crate::access::caller::Caller;
use crate::access::player::PlayerId;
use crate::access::token::{Token, TokenHash, TokenRights};
use crate::changing::call::{Answered, Call};
use crate::changing::pending::PendingChange;
use crate::changing::pending::writing::Attempt;
use crate::changing::seeker::{MOVING, rating_in};
use crate::content::facts::Visibility;
use crate::content::live::Live;
use crate::content::log::{Declaration, Happening};
use crate::content::seed::Secrets;
use crate::content::stage::Stage;
use crate::content::status::{Reservation, Seat};
use crate::service::{Service, bot};
use crate::storing::answering::IdempotencyKey;
use crate::storing::players::PlayerProfile;
use wyrmgate_base::hex;
use wyrmgate_engine::EndReason;
use wyrmgate_search::bot::Bot;
use wyrmgate_store::Digest;

/// The player who takes a seat.
#[derive(Debug, Clone)]
pub struct Claim {
    pub seat: u8,
    /// The stated name. Without one, that of the profile counts.
    pub name: Option<String>,
    /// The bot to seat. Only the owner can do this.
    pub bot: Option<Bot>,
    /// Renews the token of a taken seat, for its player or for the owner.
    pub renew: bool,
    /// The invite code of a private session, if the credential grants no access.
    pub invite: Option<Token>,
    /// The digest of a secret that the player has chosen. The token follows from it, so that the same claim can be repeated.
    pub secret: Option<Digest>,
    /// The player to whom the seat is left, for its player or for the owner.
    pub reserve_for: Option<PlayerId>,
    /// The player who takes the seat, if it is known across sessions, and what is kept of it.
    pub player: Option<PlayerId>,
    pub profile: PlayerProfile,
    /// Entropy for the seed, from a person who takes a seat before the game begins.
    pub entropy: Option<[u8; 32]>,
}

impl Claim {
    /// Returns whether this player sits here, by the name that the claim states.
    fn is_of(&self, seat: &Seat) -> bool {
        let is_same = |name: &Option<String>| self.name.is_none() || *name == self.name;
        matches!(seat, Seat::Taken { name, player, .. } if is_same(name) && *player == self.player)
    }
}

/// A taken seat.
#[derive(Debug, Clone)]
pub struct Claimed {
    pub answered: Answered,
    /// The token for the player. `None` for a bot.
    pub token: Option<Token>,
}

impl Service {
    /// Seats a player. The game begins when the last seat is taken.
    pub async fn claim(&self, call: Call<'_>, claim: &Claim) -> Result<Claimed, Refusal> {
        let secrets = self.secrets(call.session).await?;
        let new = new_token(&secrets, claim, call.key)?;
        let hash = new.as_ref().map(Token::hash);
        let sit = |attempt: &Attempt<'_>| {
            let mut change = match (hash, claim.reserve_for) {
                (_, Some(player)) => reserved(attempt, claim.seat, player)?,
                (Some(hash), None) if claim.renew => renewed(attempt, claim.seat, hash)?,
                (_, None) => sit_down(attempt, claim, hash, &secrets)?,
            };
            change.token.clone_from(&new);
            Ok(change)
        };
        let call = Call {
            token: claim.invite.as_ref().or(call.token),
            ..call
        };
        let answered = self.write(call, &sit).await?;
        // Also for a repeated request: the node of the first one may have died before it told the player.
        if !claim.renew {
            let player = claim.reserve_for.or(claim.player);
            self.tell_players(player).await;
        }
        Ok(Claimed {
            answered,
            token: new,
        })
    }

    /// Frees a seat, for its player, for the one for whom it is reserved, or for the owner of the session.
    pub async fn leave(&self, call: Call<'_>, seat: u8) -> Result<Answered, Refusal> {
        let player = call.token.and_then(Token::player);
        let stand = |attempt: &Attempt<'_>| stand_up(attempt, seat, player);
        self.write(call, &stand).await
    }
}

fn may_renew(caller: Caller, seat: u8) -> Result<(), Refusal> {
    if caller == Caller::Seat(seat) {
        return Ok(());
    }
    caller.needs_owner()
}

/// Leaves a seat to one player, who alone can take it then.
fn reserved(attempt: &Attempt<'_>, number: u8, player: PlayerId) -> Result<PendingChange, Refusal> {
    let (_, mut change) = attempt.permitted(|_, caller| may_renew(caller, number))?;
    let seat = change.status().seat(number).ok_or(Refusal::NotFound)?;
    let is_open = matches!(seat, Seat::Open);
    if change.before.stage() == Stage::Finished {
        return Err(Refusal::SessionOver);
    }
    change.before.is_not_contested()?;
    if change.before.seek().is_some() {
        let sought = "others are sought here; create a session to invite somebody";
        return Err(Refusal::Forbidden(sought));
    }
    if !is_open {
        change.bring(number, None);
        change.leave_seat(number);
    }
    change.reserve(number, Some(player));
    change.declare(Some(number), Declaration::Reserved);
    Ok(change)
}

/// Replaces the token of a seat. The old one stops working on every node.
fn renewed(attempt: &Attempt<'_>, number: u8, token: TokenHash) -> Result<PendingChange, Refusal> {
    let permission = |live: &Live, caller: Caller| {
        may_renew(caller, number)?;
        let is_players = live
            .status
            .seat(number)
            .is_some_and(|of| of.player().is_some());
        match is_players && caller != Caller::Seat(number) {
            true => Err(Refusal::Forbidden(
                "a player sits here, who needs no seat token; nobody else can have one",
            )),
            false => Ok(()),
        }
    };
    let (_, mut change) = attempt.permitted(permission)?;
    let seat = change.status().seat(number).ok_or(Refusal::NotFound)?;
    let Seat::Taken { name, player, .. } = seat else {
        return Err(Refusal::Forbidden(
            "no player has a token for this seat; only a seat taken by a person can be renewed",
        ));
    };
    let (name, player) = (name.clone(), *player);
    change.put_on_seat(
        number,
        Seat::Taken {
            token,
            name,
            player,
        },
    );
    change.add_event(Happening::SeatRenewed { seat: number });
    Ok(change)
}

fn may_claim(live: &Live, caller: Caller, claim: &Claim) -> Result<(), Refusal> {
    if claim.bot.is_some() {
        return caller.needs_owner();
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

/// Returns a new token. With a chosen secret or a key, the same request yields the same token even if two nodes serve it at
/// once. The caller decides whether to show it again.
fn new_token(
    secrets: &Secrets,
    claim: &Claim,
    key: Option<&IdempotencyKey>,
) -> Result<Option<Token>, Refusal> {
    let nonce = claim.secret.or(key.map(|key| key.digest));
    if claim.reserve_for.is_some() {
        return Ok(None);
    }
    match (claim.bot, nonce) {
        (Some(_), _) => Ok(None),
        (None, None) => Ok(Some(Token::random(TokenRights::Seat)?)),
        (None, Some(nonce)) => Ok(Some(Token::derived(
            TokenRights::Seat,
            &secrets.token_key,
            claim.seat,
            &nonce,
        ))),
    }
}

fn sit_down(
    attempt: &Attempt<'_>,
    claim: &Claim,
    token: Option<TokenHash>,
    secrets: &Secrets,
) -> Result<PendingChange, Refusal> {
    let (_, mut change) = attempt.permitted(|live, caller| may_claim(live, caller, claim))?;
    let live = &change.before;
    let present = live.status.seat(claim.seat).ok_or(Refusal::NotFound)?;
    if claim.secret.is_some() && present.has_token(token) {
        // The response to the same claim was lost; but another claim would be forgotten without a word.
        let other = "this secret took the seat for somebody else; repeat that claim, or choose a new secret";
        let is_same = claim.is_of(present);
        return is_same
            .then_some(change)
            .ok_or_else(|| Refusal::unprocessable("/secret", other));
    }
    if live.stage() == Stage::Finished {
        return Err(Refusal::SessionOver);
    }
    live.may_contest(claim.player, claim.bot)?;
    let replaces = claim.bot.is_some() && matches!(present, Seat::Taken { .. });
    if live.status.is_full() && !replaces {
        return Err(Refusal::SessionFull);
    }
    if !matches!(present, Seat::Open) && !replaces {
        return Err(Refusal::SeatTaken);
    }
    let reserved = live.status.reserved_for(claim.seat);
    if claim.bot.is_none() && reserved.is_some_and(|player| claim.player != Some(player)) {
        return Err(Refusal::Forbidden(
            "the seat is reserved for another player; take another one",
        ));
    }
    may_join(live, claim)?;
    let is_reserved = reserved.is_some();
    let seat = match (token, claim.bot) {
        (Some(token), _) => Seat::Taken {
            token,
            name: claim.name.clone().or_else(|| claim.profile.name.clone()),
            player: claim.player,
        },
        (None, bot) => Seat::Bot(bot.unwrap_or(Bot::Random)),
    };
    if claim.entropy.is_some() && live.stage() != Stage::Waiting {
        let late = "the game has begun and its seed is fixed; remove `entropy`";
        return Err(Refusal::unprocessable("/entropy", late));
    }
    if replaces {
        change.leave_seat(claim.seat);
    }
    if is_reserved {
        change.reserve(claim.seat, None);
    }
    change.bring(
        claim.seat,
        claim.entropy.as_ref().map(|bits| hex::encode(bits)),
    );
    change.fill(claim.seat, seat, &claim.profile, secrets)?;
    Ok(change)
}

/// Refuses whom a session does not want that seeks players.
fn may_join(live: &Live, claim: &Claim) -> Result<(), Refusal> {
    let Some(seek) = &live.facts.waits.seek else {
        return Ok(());
    };
    if live.stage() != Stage::Waiting || claim.bot.is_some() {
        return Ok(());
    }
    if live.status.roster.wait.is_moving() {
        return Err(Refusal::SessionFull);
    }
    let mut seats = claim
        .player
        .into_iter()
        .flat_map(|player| live.status.seats_of(player));
    if seats.next().is_some() {
        return Err(Refusal::Forbidden(
            "you sit here already; others are sought",
        ));
    }
    let clock = live.facts.terms.clock.as_ref();
    match seek.range.admits(rating_in(
        claim.player,
        &claim.profile,
        &live.facts.game,
        clock,
    )) {
        true => Ok(()),
        false => Err(Refusal::Forbidden(
            "others with another rating are sought here",
        )),
    }
}

fn stand_up(
    attempt: &Attempt<'_>,
    number: u8,
    player: Option<PlayerId>,
) -> Result<PendingChange, Refusal> {
    let permission = |live: &Live, caller: Caller| {
        let seat = live.status.seat(number).ok_or(Refusal::NotFound)?;
        let reserved = live.status.reserved_for(number);
        let declines = reserved.is_some() && reserved == player;
        if caller != Caller::Seat(number) && caller != Caller::Owner && !declines {
            let others = "the credential belongs to another seat; use the token of this seat";
            return Err(caller.refused(others));
        }
        if caller == Caller::Owner {
            live.is_not_contested()?;
        }
        if live.status.roster.wait.is_moving() {
            return Err(Refusal::NotNow(MOVING.into()));
        }
        let is_free = matches!(seat, Seat::Open) && reserved.is_none();
        Ok((is_free, declines))
    };
    let ((is_free, declines), mut change) = attempt.permitted(permission)?;
    if change.before.stage() == Stage::Finished {
        return Err(Refusal::SessionOver);
    }
    if !is_free {
        change.reserve(number, None);
        change.bring(number, None);
        change.leave_game(number, EndReason::Resigned)?;
    }
    match declines {
        true => change.close_if_declined(number),
        false => change.close_if_deserted(),
    }
    Ok(change)
}

impl PendingChange {
    /// Puts somebody on a seat, and begins the game if it was the last one.
    pub(super) fn fill(
        &mut self,
        seat: u8,
        with: Seat,
        profile: &PlayerProfile,
        secrets: &Secrets,
    ) -> Result<(), Refusal> {
        let (name, bot_seated) = match &with {
            Seat::Taken { name, .. } => (name.clone(), None),
            Seat::Bot(bot) => (None, Some(*bot)),
            Seat::Open => (None, None),
        };
        let player = with.player();
        self.put_on_seat(seat, with);
        if let Some(player) = player {
            self.put_player_hooks(player, profile);
        }
        self.add_event(Happening::SeatTaken {
            seat,
            name,
            bot: bot_seated,
        });
        if self.is_due_to_begin() {
            self.begin(secrets)?;
        }
        self.play_bots(&mut bot()?);
        Ok(())
    }

    /// Keeps a seat for this player alone, or for nobody.
    fn reserve(&mut self, seat: u8, player: Option<PlayerId>) {
        let reserved = &mut self.status_mut().roster.reserved;
        reserved.retain(|reservation| reservation.seat != seat);
        reserved.extend(player.map(|player| Reservation { seat, player }));
    }
}

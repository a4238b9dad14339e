//! Who reads and writes at a table.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;

use crate::Refusal;
use crate::access::caller::Caller;
use crate::access::token::{Token, entropy};
use crate::content::live::Live;
use crate::content::messages::{MessageBoard, TableMessage};
use crate::content::status::Seat;
use crate::content::terms::MessagePolicy;
use crate::service::Service;
use crate::storing::messages::board_of;
use wyrmgate_engine::sides;
use wyrmgate_runtime::surroundings::now_ms;

/// A message to write.
#[derive(Debug, Clone)]
pub struct MessageOrder {
    pub text: String,
    /// Whether only the team of the seat may read it.
    pub to_team: bool,
}

impl Live {
    /// Fails for callers who may not read the messages of the table.
    pub fn may_read_messages(&self, caller: Caller) -> Result<(), Refusal> {
        if self.facts.terms.messages == MessagePolicy::Off {
            return Err(Refusal::NotFound);
        }
        match caller == Caller::Owner || self.watches_live(caller) {
            true => Ok(()),
            false => Err(Refusal::Forbidden(
                "only those who may watch live read the messages of the table",
            )),
        }
    }

    /// Returns the seats that play together with the caller's, and that one, if the rules name such teams. What happens in the game
    /// does not count, so that the answer tells nothing hidden.
    pub fn team_of(&self, caller: Caller) -> Option<Vec<u8>> {
        let seat = caller.seat()?.checked_sub(1)?;
        let mut sides = sides(&self.program).into_iter();
        let team = sides.find(|side| side.contains(&seat))?;
        let is_team = (2..usize::from(self.facts.seats)).contains(&team.len());
        is_team.then(|| team.iter().map(|member| member.saturating_add(1)).collect())
    }
}

impl Service {
    /// Writes a message. Its writer is a seat or the owner.
    pub async fn write_message(
        &self,
        session: &str,
        token: Option<&Token>,
        order: &MessageOrder,
    ) -> Result<TableMessage, Refusal> {
        let (live, caller) = self.look(session, token).await?;
        live.may_read_messages(caller)?;
        caller.needs_player_or_owner("spectators read messages and write none")?;
        let message = new_message(&live, caller, order)?;
        let write = |board: &mut MessageBoard, version: u64| {
            if let Some(until_ms) = board.full_until_ms(message.seat, message.at_ms) {
                let wait_ms = until_ms.saturating_sub(message.at_ms);
                return Err(Refusal::TooManyMessages { wait_ms });
            }
            board.add(TableMessage {
                changed: version,
                ..message.clone()
            });
            Ok(())
        };
        self.change_messages(&board_of(session), &write).await?;
        Ok(message)
    }

    /// Deletes a message, for the owner of the session.
    pub async fn delete_message(
        &self,
        session: &str,
        token: Option<&Token>,
        id: &str,
    ) -> Result<(), Refusal> {
        let (live, caller) = self.look(session, token).await?;
        live.may_read_messages(caller)?;
        caller.needs_owner()?;
        let is_this = |message: &TableMessage| message.id == id;
        // What does not exist leaves no record behind.
        if !self.messages(session).await?.0.all.iter().any(is_this) {
            return Err(Refusal::NotFound);
        }
        let delete = |board: &mut MessageBoard, version: u64| {
            let found = board.all.iter_mut().find(|message| is_this(message));
            found.ok_or(Refusal::NotFound)?.delete(version);
            Ok(())
        };
        self.change_messages(&board_of(session), &delete).await
    }
}

fn new_message(live: &Live, caller: Caller, order: &MessageOrder) -> Result<TableMessage, Refusal> {
    let seat = caller.seat();
    let team = match (order.to_team, seat) {
        (false, _) => None,
        (true, Some(_)) => Some(live.team_of(caller).ok_or_else(|| {
            Refusal::unprocessable(
                "/to",
                "the rules of this game name no teams; write to the table",
            )
        })?),
        (true, None) => return Err(Refusal::Forbidden("only a seat has a team")),
    };
    let (name, player) = match seat.and_then(|seat| live.status.seat(seat)) {
        Some(Seat::Taken { name, player, .. }) => (name.clone(), *player),
        Some(Seat::Open | Seat::Bot(_)) | None => (None, None),
    };
    Ok(TableMessage {
        id: BASE64.encode(entropy::<12>()?),
        at_ms: now_ms(),
        seat,
        name,
        player,
        team,
        text: Some(order.text.clone()),
        changed: 0,
    })
}

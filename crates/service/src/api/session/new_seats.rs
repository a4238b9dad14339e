//! The initial state of a seat: open, a built-in player, or a player who is known across sessions.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use utoipa::openapi::{OneOfBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::api::request::context::JsonContext;
use crate::api::request::display_name::display_name;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{Bot, NoEntropy, Refusal, Reservation, Seat, Token, TokenRights};

/// The initial state of a seat.
#[derive(Debug, Clone)]
pub enum NewSeat {
    Plain(PlainSeat),
    Player(PlayerSeat),
}

/// A seat that anyone can take, or one of a built-in player.
#[derive(Debug, Clone, Copy, serde::Deserialize, ToSchema)]
pub enum PlainSeat {
    /// Anyone can take it.
    #[serde(rename = "open")]
    Open,
    /// A built-in player that chooses at random.
    #[serde(rename = "random")]
    Random,
    #[serde(rename = "greedy")]
    Greedy,
    #[serde(rename = "search-1")]
    Search1,
    #[serde(rename = "search-2")]
    Search2,
    #[serde(rename = "search-3")]
    Search3,
    #[serde(rename = "default")]
    Default,
}

/// A seat of a player. Players for whom you act sit there at once; for others the seat is reserved until they take it.
#[derive(Debug, Clone, serde::Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerSeat {
    /// `me`, the id of a player (`p_…`), or a name of yours for a player of your operator key.
    #[schema(pattern = "^[A-Za-z0-9._:@|-]{1,64}$")]
    player: String,
    /// Display name of the player. It counts only for players for whom you act.
    #[schema(max_length = 64)]
    name: Option<String>,
}

impl NewSeat {
    pub const OPEN: NewSeat = NewSeat::Plain(PlainSeat::Open);
}

impl<'de> Deserialize<'de> for NewSeat {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = NewSeat;

            fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
                text.write_str("`open`, a built-in player or an object with `player`")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<NewSeat, E> {
                PlainSeat::deserialize(StrDeserializer::new(text)).map(NewSeat::Plain)
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<NewSeat, A::Error> {
                PlayerSeat::deserialize(MapAccessDeserializer::new(members)).map(NewSeat::Player)
            }
        }
        from.deserialize_any(Either)
    }
}

impl PartialSchema for NewSeat {
    fn schema() -> RefOr<Schema> {
        let of = |name: &str| Ref::from_schema_name(name);
        let either = OneOfBuilder::new()
            .item(of("PlainSeat"))
            .item(of("PlayerSeat"));
        RefOr::T(Schema::OneOf(either.build()))
    }
}

impl ToSchema for NewSeat {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((PlainSeat::name().into_owned(), PlainSeat::schema()));
        schemas.push((PlayerSeat::name().into_owned(), PlayerSeat::schema()));
    }
}

/// Returns the seats of a new session. Seats of others are open.
pub fn seated(context: &JsonContext, seats: Vec<NewSeat>) -> Result<Vec<Seat>, Problem> {
    let seated = seats.into_iter().enumerate();
    let seated = seated.map(|(at, seat)| match seat {
        NewSeat::Plain(plain) => Ok(plain.seat()),
        NewSeat::Player(seat) => seat.seat(context, at),
    });
    seated.collect()
}

/// Returns the seats that wait for players for whom the caller does not act.
pub fn reservations(context: &JsonContext, seats: &[NewSeat]) -> Result<Vec<Reservation>, Problem> {
    let mut reserved = Vec::new();
    // No game has more than eight seats; a longer list is refused later.
    for (seat, new) in (1..=8).zip(seats) {
        if let NewSeat::Player(named) = new
            && let (player, false) = context.named_player(&named.player)?
        {
            reserved.push(Reservation { seat, player });
        }
    }
    Ok(reserved)
}

impl PlayerSeat {
    fn seat(self, context: &JsonContext, at: usize) -> Result<Seat, Problem> {
        let name = self.name.as_deref().map(display_name).transpose();
        let name =
            name.map_err(|wrong| Problem::unprocessable(&format!("/seats/{at}/name"), wrong))?;
        let (player, is_acting) = context.named_player(&self.player)?;
        if !is_acting {
            return Ok(Seat::Open);
        }
        // Nobody gets this token: the player acts by itself, and the seat can be renewed.
        let token = Token::random(TokenRights::Seat);
        let token = token.map_err(|none: NoEntropy| Problem::from(Refusal::from(none)))?;
        Ok(Seat::Taken {
            token: token.hash(),
            name,
            player: Some(player),
        })
    }
}

impl PlainSeat {
    pub fn seat(self) -> Seat {
        match self {
            PlainSeat::Open => Seat::Open,
            PlainSeat::Random => Seat::Bot(Bot::Random),
            PlainSeat::Greedy => Seat::Bot(Bot::Greedy),
            PlainSeat::Search1 => Seat::Bot(Bot::Search1),
            PlainSeat::Search2 => Seat::Bot(Bot::Search2),
            PlainSeat::Search3 => Seat::Bot(Bot::Search3),
            PlainSeat::Default => Seat::Bot(Bot::Default),
        }
    }
}

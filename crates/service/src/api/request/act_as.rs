//! The header `Act-As`: for which player an operator key acts, and for which seat of a player who has several, or as host.

use std::str::FromStr;

use actix_web::http::header::HeaderName;

pub const ACT_AS: HeaderName = HeaderName::from_static("act-as");
/// The player whose credential the request has.
pub const ME: &str = "me";
const NAME_MAX: usize = 64;

/// The value of the header: `ada`, `ada;seat=2` or `ada;host`.
pub struct ActAs {
    pub player: String,
    pub seat: Option<u8>,
    /// Whether the player means the sessions that it hosts, not its seats there.
    pub is_host: bool,
}

/// The error for a text that is no such value.
pub struct NoActAs;

impl FromStr for ActAs {
    type Err = NoActAs;

    fn from_str(text: &str) -> Result<ActAs, NoActAs> {
        let (player, role) = match text.split_once(';') {
            Some((player, role)) => (player, Some(role.trim())),
            None => (text, None),
        };
        let is_host = role == Some("host");
        let seat = role.filter(|_| !is_host);
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._:@|-".contains(&byte);
        if !(1..=NAME_MAX).contains(&player.len()) || !player.bytes().all(is_of_name) {
            return Err(NoActAs);
        }
        let seat = seat.map(|seat| {
            let seat = seat.strip_prefix("seat=").ok_or(NoActAs)?;
            let is_seat = seat.len() == 1 && ("1"..="8").contains(&seat);
            seat.parse().ok().filter(|_| is_seat).ok_or(NoActAs)
        });
        Ok(ActAs {
            player: player.to_owned(),
            seat: seat.transpose()?,
            is_host,
        })
    }
}

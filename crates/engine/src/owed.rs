//! The decisions that seats owe.

use smallvec::SmallVec;

use crate::choice::{Choice, Pending};
use crate::frame::FRAME_HEADER;
use crate::layout::header;
use crate::state::State;
use wyrmgate_program::{Program, SEATS_MAX, Site, SiteId, SiteMembers};

/// Returns the pending decisions, in seat order; empty if and only if the game is finished.
pub fn pending(_program: &Program, state: &State) -> SmallVec<[Pending; 8]> {
    owed_seats(state).collect()
}

/// Returns the seats that owe a decision, in seat order.
pub fn owed_seats(state: &State) -> impl Iterator<Item = Pending> + '_ {
    let waits = SiteId::try_from(state.head(header::SITE));
    let owing = waits.map_or(0, |_| state.head(header::OWING));
    let site = waits.unwrap_or_default();
    let seats = (0..state.layout.seats as u8).filter(move |seat| owing >> seat & 1 != 0);
    let secret = state.head(header::SECRET) != 0;
    seats.enumerate().map(move |(index, seat)| Pending {
        index,
        seat,
        site,
        secret,
    })
}

/// Returns whether an answer stays secret after its step: because other seats owe theirs, or because the same seat owes more.
pub fn stays_secret(owed_before: &[Pending], pending: &Pending, after: &State) -> bool {
    pending.secret && (owed_before.len() > 1 || after.head(header::SECRET) > 1)
}

/// Returns the number of the member about which a seat is asked, from 1; 0 for a decision that is not about members.
pub fn member_number(program: &Program, state: &State, pending: &Pending) -> u16 {
    let members = program.site(pending.site).and_then(Site::members);
    let base = state.head(header::BASE).max(0) as usize + FRAME_HEADER;
    let slot = |of: SiteMembers| usize::from(of.at) + usize::from(pending.seat);
    let number = members.map_or(0, |of| state.slot(base + slot(of)));
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// Returns the decision that this choice answers, by its index. A seat that resigns answers none: `site` is not there.
pub fn answered(state: &State, index: usize, choice: &Choice) -> Option<Pending> {
    if !choice.is_resigning() {
        return owed_seats(state).nth(index);
    }
    let seat = u8::try_from(index).ok()?;
    Some(Pending {
        index,
        seat,
        site: SiteId::MAX,
        secret: false,
    })
}

/// Returns whether a seat (from 0) has resigned, as far as the rules say what follows.
pub fn has_resigned(program: &Program, state: &State, seat: u8) -> bool {
    let var = program.code.resigns.and_then(|of| program.var(of.resigned));
    var.is_some_and(|var| state.var(var.offset.saturating_add(u32::from(seat))) == 1)
}

/// Returns the first pending decision; `None` when the game is over.
#[inline]
pub fn first_owed(state: &State) -> Option<Pending> {
    let head = state.words.first_chunk::<{ header::LEN }>()?;
    let [_, _, _, _, _, site, owing, secret] = *head;
    let site = SiteId::try_from(site).ok()?;
    let seats = (1u32 << state.layout.seats.min(SEATS_MAX)) - 1;
    let owing = owing as u32 & seats;
    (owing != 0).then(|| Pending {
        index: 0,
        seat: owing.trailing_zeros() as u8,
        site,
        secret: secret != 0,
    })
}

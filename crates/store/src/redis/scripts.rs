//! The writes: each is one script, sent by its digest, and safe to send twice.

use std::sync::LazyLock;

use redis::{FromRedisValue, Value};
use wyrmgate_base::hex;
use wyrmgate_runtime::surroundings;

use super::super::clock::now_ms;
use super::super::types::TAKEN_MS;
use super::super::{
    Commit, Committed, Create, Created, Idempotency, Index, Listing, SessionRecord, StoreError,
};
use super::connection::{Connection, WriteResponse};
use super::fault::{CommandFault, unconfirmed};
use super::keys::{Keys, list, member};
use super::reply::{self, Reply};
use super::script::{Script, ScriptCall};

/// Returns the text of a script that writes one session, from the file with what it does.
macro_rules! of_a_session {
    ($file:literal) => {
        concat!(
            include_str!("session.lua"),
            "local function change_places(before, after, expiry_before, expiry)\n",
            include_str!("places.lua"),
            include_str!("placing.lua"),
            "end\n",
            include_str!($file)
        )
    };
}

static CREATE: LazyLock<Script> = LazyLock::new(|| Script::new(of_a_session!("create.lua")));
static COMMIT: LazyLock<Script> = LazyLock::new(|| Script::new(of_a_session!("commit.lua")));
static REMOVE: LazyLock<Script> = LazyLock::new(|| Script::new(of_a_session!("remove.lua")));
static BURY: LazyLock<Script> = LazyLock::new(|| {
    Script::new(concat!(
        include_str!("places.lua"),
        include_str!("bury.lua")
    ))
});
static TIDY: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("tidy.lua")));

/// Must match `session.lua`.
const OPERATIONS_KEPT: u64 = 8;
/// After this time, some node has certainly found a due entry.
const OVERDUE_MS: u64 = 1_000;

pub(super) async fn create(connection: &Connection, create: Create) -> Result<Created, StoreError> {
    let keys = Keys::of(&create.session);
    let mut call = begin(connection, &CREATE, &keys, &create.session)?;
    give_idempotency(&mut call, create.idempotency.as_ref());
    call.arg(&*create.fixed)
        .arg(&*create.status)
        .arg(&*create.snapshot);
    give_optional(
        &mut call,
        "k",
        create.secret.as_ref().map(|secret| &*secret.0),
    );
    give_optional(&mut call, "e", create.entry.as_deref());
    give_listing(&mut call, Some(&create.listing));
    give_expiry(&mut call, create.expires_at_ms);
    call.arg(&create.mark.digits()[..]);
    match send(connection, &call).await?.0 {
        Reply::Done(position) => Ok(Created::Done(position)),
        Reply::Duplicate(recorded) => Ok(Created::Duplicate(recorded)),
        Reply::Exists => Ok(Created::Exists),
        Reply::Removed => Ok(Created::Removed),
        Reply::Absent | Reply::Stale(_) => Err(reply::unexpected()),
    }
}

pub(super) async fn commit(
    connection: &Connection,
    commit: Commit,
) -> Result<Committed, StoreError> {
    let keys = Keys::of(&commit.session);
    let mut call = begin(connection, &COMMIT, &keys, &commit.session)?;
    give_idempotency(&mut call, commit.idempotency.as_ref());
    call.arg(commit.expected_revision).arg(&given(&commit)[..]);
    for part in [&commit.status, &commit.snapshot, &commit.entry] {
        call.arg(part.as_deref().unwrap_or_default());
    }
    give_listing(&mut call, commit.listing.as_ref());
    give_expiry(&mut call, commit.expires_at_ms);
    call.arg(&commit.expected_mark.digits()[..])
        .arg(&commit.mark.digits()[..]);
    match send(connection, &call).await? {
        (Reply::Done(position), _) => Ok(Committed::Done(position)),
        (Reply::Duplicate(recorded), _) => Ok(Committed::Duplicate(recorded)),
        (Reply::Stale(record), Sent::Once) => Ok(Committed::Stale(record)),
        (Reply::Stale(record), _) => stale_on_repeat(&commit, record),
        (Reply::Absent, _) => Ok(Committed::Absent),
        (Reply::Exists | Reply::Removed, _) => Err(reply::unexpected()),
    }
}

/// Returns whether there was a session. If the first response was lost, a missing session counts as removed.
pub(super) async fn remove(connection: &Connection, session: &str) -> Result<bool, StoreError> {
    let keys = Keys::of(session);
    let mut call = begin(connection, &REMOVE, &keys, session)?;
    call.arg(now_ms().saturating_add(TAKEN_MS));
    let (answer, sent) = send_raw::<u8>(connection, &call).await?;
    // A reader that finds the session gone relies on the removal as much as the writer does.
    match answer.is_confirmed {
        true => Ok(answer.value == 1 || matches!(sent, Sent::Twice)),
        false => Err(unconfirmed()),
    }
}

/// Removes an entry that its session does not claim.
pub(super) async fn tidy(
    connection: &Connection,
    index: &Index,
    score: u64,
    session: &str,
) -> Result<(), StoreError> {
    let keys = Keys::of(session);
    let mut call = TIDY.call(&[keys.hash(), list(index, keys.bucket)]);
    call.arg(claim(index.name(), score))
        .arg(member(score, session));
    run(connection, &call).await
}

/// Runs a script whose result does not matter, and that may run twice.
async fn run(connection: &Connection, call: &ScriptCall) -> Result<(), StoreError> {
    let answer = connection.write::<Value>(call).await;
    answer.map(|_| ()).map_err(CommandFault::of_read)
}

/// Removes the entries of an expired session. `expiry` is the entry of the index of
/// expiries: which session, and where people see it.
pub(super) async fn bury(
    connection: &Connection,
    index: &Index,
    score: u64,
    expiry: &str,
) -> Result<(), StoreError> {
    let (session, places) = expiry.split_once(' ').ok_or_else(reply::unexpected)?;
    let keys = Keys::of(session);
    let mut call = BURY.call(&[keys.hash(), list(index, keys.bucket), keys.settled()]);
    call.arg(&keys.tag)
        .arg(session)
        .arg(member(score, expiry))
        .arg(places);
    run(connection, &call).await
}

/// Decides after a lost response whose retry met another revision. If few commits came in between, ours would still be
/// remembered, so another writer was first. Otherwise the outcome is unknown.
fn stale_on_repeat(commit: &Commit, present: SessionRecord) -> Result<Committed, StoreError> {
    let since = present
        .position
        .revision
        .saturating_sub(commit.expected_revision);
    if since <= OPERATIONS_KEPT {
        return Ok(Committed::Stale(present));
    }
    Err(StoreError::OutcomeUnknown(
        "many commits came before the retry".to_owned(),
    ))
}

/// How often a call was sent before its response.
#[derive(Clone, Copy)]
enum Sent {
    Once,
    /// The cluster client may have retried it.
    Perhaps,
    Twice,
}

/// Sends a call. Returns a successful reply only if the write is durable.
async fn send(connection: &Connection, call: &ScriptCall) -> Result<(Reply, Sent), StoreError> {
    let (answer, sent) = send_raw::<Value>(connection, call).await?;
    let reply = reply::decode(answer.value)?;
    match reply {
        // A reader that finds a record relies on it as much as its writer does.
        Reply::Done(_) | Reply::Duplicate(_) | Reply::Exists | Reply::Removed
            if !answer.is_confirmed =>
        {
            Err(unconfirmed())
        }
        reply => Ok((reply, sent)),
    }
}

/// Sends a call, and once more if there was no response.
async fn send_raw<T: FromRedisValue>(
    connection: &Connection,
    call: &ScriptCall,
) -> Result<(WriteResponse<T>, Sent), StoreError> {
    match connection.write(call).await {
        Ok(answer) if answer.maybe_twice => Ok((answer, Sent::Perhaps)),
        Ok(answer) => Ok((answer, Sent::Once)),
        Err(CommandFault::Silence(_)) => match connection.write(call).await {
            Ok(answer) => Ok((answer, Sent::Twice)),
            // The first attempt may have run, whatever happened to the second.
            Err(fault) => Err(StoreError::OutcomeUnknown(fault.of_read().to_string())),
        },
        Err(CommandFault::Refused(error)) => Err(error),
    }
}

fn begin(
    connection: &Connection,
    script: &'static Script,
    keys: &Keys,
    session: &str,
) -> Result<ScriptCall, StoreError> {
    let mut call = script.call(&written(keys));
    call.arg(&keys.tag)
        .arg(session)
        .arg(&hex::last_digits::<16>(surroundings::number()?)[..]) // tells a repeat of this call from any other
        .arg(connection.ring)
        .arg(overdue_and_channel(connection));
    Ok(call)
}

/// Returns the keys of a script that writes a session and its entries in lists.
pub(super) fn written(keys: &Keys) -> [String; 5] {
    let [hash, log, answers, secret] = keys.all();
    [hash, log, answers, secret, keys.settled()]
}

/// Formats arguments for `session.lua`.
fn overdue_and_channel(connection: &Connection) -> String {
    let overdue = now_ms().saturating_sub(OVERDUE_MS);
    format!("{overdue:016x} {}", connection.channel_of_due)
}

fn give_idempotency(call: &mut ScriptCall, idempotency: Option<&Idempotency>) {
    match idempotency {
        Some(Idempotency {
            key,
            fingerprint,
            answer,
        }) => {
            call.arg(&key[..]).arg([fingerprint, &**answer].concat());
        }
        None => {
            call.arg("").arg("");
        }
    }
}

fn give_optional(call: &mut ScriptCall, mark: &str, part: Option<&[u8]>) {
    call.arg(if part.is_some() { mark } else { "" })
        .arg(part.unwrap_or_default());
}

pub(super) fn give_listing(call: &mut ScriptCall, listing: Option<&Listing>) {
    let claims = |listing: &Listing| -> String {
        listing
            .placements
            .iter()
            .map(|place| claim(place.index.name(), place.score))
            .collect()
    };
    call.arg(listing.map(claims).unwrap_or_default());
}

/// Formats a placement as the session's hash states it.
pub(super) fn claim(index: &str, score: u64) -> String {
    format!("{index} {score:016x}\n")
}

/// Returns the score that a session claims in an index.
pub(super) fn claimed(claims: &str, index: &str) -> Option<u64> {
    let mut lines = claims.lines().filter_map(|line| line.split_once(' '));
    let (_, score) = lines.find(|(name, _)| *name == index)?;
    u64::from_str_radix(score, 16).ok()
}

/// Returns a digit for each part that a commit may replace.
fn given(commit: &Commit) -> [u8; 4] {
    [
        commit.status.is_some(),
        commit.snapshot.is_some(),
        commit.entry.is_some(),
        commit.listing.is_some(),
    ]
    .map(|is_given| if is_given { b'1' } else { b'0' })
}

pub(super) fn give_expiry(call: &mut ScriptCall, expires_at_ms: Option<u64>) {
    match expires_at_ms {
        Some(at) => call.arg(at),
        None => call.arg(""),
    };
}

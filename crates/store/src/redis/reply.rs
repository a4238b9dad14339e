//! Converts responses of the server to types of the store.

use redis::{FromRedisValue, Value};

use super::super::{Bytes, ChangeEntry, ChangeMark, Position, Recorded, SessionRecord, StoreError};

/// The response of a script that writes.
pub(super) enum Reply {
    Done(Position),
    Duplicate(Recorded),
    Stale(SessionRecord),
    Absent,
    Exists,
    Removed,
}

/// The fields of a session's hash that form a record, in the order of [`record`].
pub(super) const RECORD_FIELDS: [&str; 8] = ["r", "v", "f", "t", "n", "x", "a", "h"];

pub(super) fn decode(value: Value) -> Result<Reply, StoreError> {
    if let Value::BulkString(text) = &value {
        return done(text).map(Reply::Done).ok_or_else(unexpected);
    }
    let mut parts = array(value)?.into_iter();
    let mut part = || parts.next().ok_or_else(unexpected);
    match get::<String>(part()?)?.as_str() {
        "duplicate" => Ok(Reply::Duplicate(recorded(&get::<Vec<u8>>(part()?)?)?)),
        "stale" => Ok(Reply::Stale(record(part()?)?.ok_or_else(unexpected)?)),
        "absent" => Ok(Reply::Absent),
        "exists" => Ok(Reply::Exists),
        "removed" => Ok(Reply::Removed),
        _ => Err(unexpected()),
    }
}

/// Parses `revision version`, the result of a successful write.
fn done(text: &[u8]) -> Option<Position> {
    let (revision, version) = str::from_utf8(text).ok()?.split_once(' ')?;
    Some(Position {
        revision: revision.parse().ok()?,
        version: version.parse().ok()?,
    })
}

/// Parses the values of [`RECORD_FIELDS`]; all are nil if there is no session.
pub(super) fn record(value: Value) -> Result<Option<SessionRecord>, StoreError> {
    let Ok(
        [
            revision,
            version,
            fixed,
            status,
            snapshot,
            expiry,
            of_revision,
            of_version,
        ],
    ) = <[Value; 8]>::try_from(array(value)?)
    else {
        return Err(unexpected());
    };
    if revision == Value::Nil {
        return Ok(None);
    }
    Ok(Some(SessionRecord {
        position: Position {
            revision: get(revision)?,
            version: get(version)?,
        },
        mark: mark(of_revision)?,
        version_mark: mark(of_version)?,
        fixed: bytes(fixed)?,
        status: bytes(status)?,
        snapshot: bytes(snapshot)?,
        expires_at_ms: get::<String>(expiry)?.parse().ok(),
    }))
}

/// `version:` in decimal digits, 32 bytes of fingerprint, the answer.
pub(super) fn recorded(stored: &[u8]) -> Result<Recorded, StoreError> {
    let colon = stored
        .iter()
        .position(|byte| *byte == b':')
        .ok_or_else(unexpected)?;
    let (version, rest) = stored.split_at(colon);
    let version = std::str::from_utf8(version)
        .ok()
        .and_then(|text| text.parse().ok());
    let rest = rest.get(1..).unwrap_or_default();
    let (fingerprint, answer) = rest.split_first_chunk().ok_or_else(unexpected)?;
    let version = version.ok_or_else(unexpected)?;
    Ok(Recorded {
        version,
        fingerprint: *fingerprint,
        answer: answer.into(),
    })
}

/// Formats a record for [`recorded`].
pub(super) fn stored(recorded: &Recorded) -> Vec<u8> {
    let version = format!("{}:", recorded.version);
    [version.as_bytes(), &recorded.fingerprint, &recorded.answer].concat()
}

/// Parses a mark. Nil means that the data is older than marks.
fn mark(value: Value) -> Result<ChangeMark, StoreError> {
    match get::<Option<String>>(value)? {
        Some(text) => text.parse().map_err(|_| unexpected()),
        None => Ok(ChangeMark::default()),
    }
}

/// Parses an entry of a stream: its id and its fields, of which the second may be missing.
pub(super) fn entry(id: &str, fields: Vec<Vec<u8>>) -> Result<ChangeEntry, StoreError> {
    let version = id
        .split('-')
        .next()
        .and_then(|version| version.parse().ok());
    let version = version.ok_or_else(unexpected)?;
    let mut values = fields.into_iter().skip(1).step_by(2);
    let bytes = values.next().ok_or_else(unexpected)?.into();
    let mark = match values.next().map(String::from_utf8) {
        Some(text) => text.ok().and_then(|text| text.parse().ok()),
        None => Some(ChangeMark::default()),
    };
    Ok(ChangeEntry {
        version,
        mark: mark.ok_or_else(unexpected)?,
        bytes,
    })
}

pub(super) fn bytes(value: Value) -> Result<Bytes, StoreError> {
    Ok(get::<Vec<u8>>(value)?.into())
}

/// Returns the error for a response that neither our scripts nor our layout can produce.
pub(super) fn unexpected() -> StoreError {
    StoreError::Corrupt("Redis holds a value that this program did not write".to_owned())
}

fn array(value: Value) -> Result<Vec<Value>, StoreError> {
    match value {
        Value::Array(values) => Ok(values),
        _ => Err(unexpected()),
    }
}

fn get<T: FromRedisValue>(value: Value) -> Result<T, StoreError> {
    T::from_redis_value(value).map_err(|_| unexpected())
}

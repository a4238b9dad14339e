//! How the parts of a session are encoded: as JSON, or with postcard behind a number of the format.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use wyrmgate_base::presume::{BrokenInvariant, Presume};
use wyrmgate_store::{Bytes, StoreError};

/// Initial capacity: the size of most entries.
pub(crate) const ROOM: usize = 256;

pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<Bytes, BrokenInvariant> {
    let bytes = serde_json::to_vec(value);
    bytes
        .map(Bytes::from)
        .presume("the data of a session serializes to JSON")
}

/// Encodes a value as JSON without the members that are as usual, which reading must take for the defaults.
pub(crate) fn to_short_json<T: Serialize>(
    value: &T,
    usual: &Value,
) -> Result<Bytes, BrokenInvariant> {
    let value = serde_json::to_value(value);
    let mut value = value.presume("the data of a session serializes to JSON")?;
    forget_usual(&mut value, usual);
    to_json(&value)
}

fn forget_usual(value: &mut Value, usual: &Value) {
    if let (Value::Object(members), Value::Object(usual)) = (value, usual) {
        members.retain(|name, member| usual.get(name) != Some(member));
        for (name, usual) in usual {
            if let Some(member) = members.get_mut(name) {
                forget_usual(member, usual);
            }
        }
    }
}

pub(crate) fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes).map_err(|error| StoreError::Corrupt(error.to_string()))
}

/// Encodes a value with postcard, after its format number.
pub(crate) fn encode<T: Serialize>(format: u8, value: &T) -> Result<Bytes, StoreError> {
    encode_onto(Vec::with_capacity(ROOM), format, value).map(Bytes::from)
}

/// Appends a value like [`encode`] to existing bytes.
pub(crate) fn encode_onto<T: Serialize>(
    mut bytes: Vec<u8>,
    format: u8,
    value: &T,
) -> Result<Vec<u8>, StoreError> {
    bytes.push(format);
    append(bytes, value)
}

/// Appends a value, encoded with postcard.
pub(crate) fn append<T: Serialize>(bytes: Vec<u8>, value: &T) -> Result<Vec<u8>, StoreError> {
    postcard::to_extend(value, bytes)
        .map_err(|error| StoreError::Corrupt(format!("cannot encode: {error}")))
}

pub(crate) fn decode<T: for<'a> Deserialize<'a>>(
    format: u8,
    bytes: &[u8],
) -> Result<T, StoreError> {
    decode_first(format, bytes).map(|(value, _)| value)
}

/// Returns a decoded value and the bytes behind it.
pub(crate) fn decode_first<'b, T: Deserialize<'b>>(
    format: u8,
    bytes: &'b [u8],
) -> Result<(T, &'b [u8]), StoreError> {
    match bytes.split_first() {
        Some((found, rest)) if *found == format => postcard::take_from_bytes(rest).map_err(damaged),
        found => Err(StoreError::Corrupt(format!(
            "unsupported format {:?}; this version reads {format}",
            found.map(|(found, _)| found)
        ))),
    }
}

pub(crate) fn damaged(error: postcard::Error) -> StoreError {
    StoreError::Corrupt(format!("cannot decode: {error}"))
}

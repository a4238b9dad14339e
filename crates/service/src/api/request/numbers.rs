//! Numbers in requests. JSON does not distinguish 5 from 5.0, and some parsers cannot represent integers above 2^53.

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Number, Value};

use crate::api::shared::problem::Problem;
use wyrmgate_base::hex;

/// The largest integer that every JSON parser represents exactly.
pub const WHOLE_MAX: i64 = (1 << 53) - 1;

/// Reads an integer, with or without a zero fraction.
pub fn whole<'de, D: Deserializer<'de>, N: TryFrom<u64>>(from: D) -> Result<Option<N>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(from)? else {
        return Ok(None);
    };
    let whole = number.as_u64().or_else(|| {
        let float = number.as_f64()?;
        let is_whole = is_whole(float) && float >= 0.0;
        is_whole.then_some(float as u64)
    });
    let fitting = whole.and_then(|whole| N::try_from(whole).ok());
    let wrong = || {
        D::Error::custom(format!(
            "expected a whole number from 0, found the number {number}"
        ))
    };
    fitting.map(Some).ok_or_else(wrong)
}

fn is_whole(float: f64) -> bool {
    float.fract() == 0.0 && float.abs() <= WHOLE_MAX as f64
}

/// Reads a version in a body.
pub fn version<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    in_range(whole(from)?)
}

/// Reads a version in a query.
pub fn asked_version<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    in_range(Option::deserialize(from)?)
}

/// Reads a version in a query that a session can have had: the first is 1.
pub fn past_version<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    match asked_version(from)? {
        Some(0) => Err(D::Error::custom("a version must be at least 1")),
        version => Ok(version),
    }
}

fn in_range<E: Error>(version: Option<u64>) -> Result<Option<u64>, E> {
    match version {
        Some(number) if number > WHOLE_MAX as u64 => {
            Err(E::custom(format!("a version must be at most {WHOLE_MAX}")))
        }
        _ => Ok(version),
    }
}

/// Reads the member `seed` of a body.
pub fn seed(text: Option<&str>) -> Result<Option<[u8; 32]>, Problem> {
    let bad = || Problem::malformed("/seed", "a seed must have exactly 64 hexadecimal digits");
    text.map(|text| hex::decode(text).ok_or_else(bad))
        .transpose()
}

/// Rewrites whole numbers without a fraction. Returns whether it changed any.
pub fn make_whole(value: &mut Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().unwrap_or(f64::NAN);
            if is_whole(float) {
                *value = (float as i64).into();
            }
            is_whole(float)
        }
        Value::Array(members) => members
            .iter_mut()
            .fold(false, |any, member| make_whole(member) | any),
        Value::Object(members) => members
            .values_mut()
            .fold(false, |any, member| make_whole(member) | any),
        _ => false,
    }
}

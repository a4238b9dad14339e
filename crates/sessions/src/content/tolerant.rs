//! Reading what a newer version of the server has stored.
//!
//! While nodes are upgraded one by one, nodes of the older version read sessions that the newer one has written. They ignore
//! members that they do not know, also of types that deny them in requests and records, where they are mistakes.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error, IntoDeserializer, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Value;

type Result<T> = std::result::Result<T, serde_json::Error>;

/// Reads a value whose type may deny unknown members, and ignores them.
pub(crate) fn known_members<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
) -> std::result::Result<T, D::Error> {
    T::deserialize(KnownMembers(Value::deserialize(from)?)).map_err(D::Error::custom)
}

/// A value without the members that the type that reads it does not know.
struct KnownMembers(Value);

impl<'de> Deserializer<'de> for KnownMembers {
    type Error = serde_json::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let Value::Object(members) = self.0 else {
            return self.0.deserialize_struct(name, fields, visitor);
        };
        let known = members.into_iter();
        let known = known.filter(|(member, _)| fields.contains(&member.as_str()));
        let known = known.map(|(member, value)| (member, KnownMembers(value)));
        visitor.visit_map(MapDeserializer::new(known))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value::Array(items) = self.0 else {
            return self.0.deserialize_seq(visitor);
        };
        let items = items.into_iter().map(KnownMembers);
        visitor.visit_seq(SeqDeserializer::new(items))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct tuple tuple_struct map identifier ignored_any
    }
}

impl IntoDeserializer<'_, serde_json::Error> for KnownMembers {
    type Deserializer = KnownMembers;

    fn into_deserializer(self) -> KnownMembers {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::facts::SessionFacts;
    use crate::content::status::Status;
    use serde_json::json;

    /// Adds a member to every object. An object with one member may be a variant of an enum, and stays as it is.
    fn written_later(of: &Value) -> Value {
        match of {
            Value::Object(members) if members.len() > 1 => {
                let later = ("of_a_later_version".to_owned(), json!(1));
                let members = members.iter();
                let members = members.map(|(name, value)| (name.clone(), written_later(value)));
                members.chain([later]).collect()
            }
            Value::Object(members) => members
                .iter()
                .map(|(name, value)| (name.clone(), written_later(value)))
                .collect(),
            Value::Array(items) => items.iter().map(written_later).collect(),
            other => other.clone(),
        }
    }

    fn as_json(bytes: &[u8]) -> Value {
        serde_json::from_slice(bytes).unwrap()
    }

    #[test]
    fn members_that_a_later_version_added_to_a_session_are_ignored() {
        let hash = "ab".repeat(32);
        let facts = json!({
            "format": 1, "game": "duel", "ruleset": hash, "seats": 2, "options": {},
            "visibility": "public", "practice": false, "commitment": hash, "created_at_ms": 1,
            "owner": hash, "invite": null, "watch": null,
            "terms": {
                "spectators": "live", "undo": "agreed", "forks": "finished", "messages": "off",
                "clock": {"decision_ms": 60_000, "increment_ms": 0, "delay": "bronstein", "at_end": "lose"},
                "replies": {"least_ms": 1, "most_ms": 2},
                "endings": {"resignations": "greedy", "draws": true, "aborts": true, "claims_after_ms": 9},
                "rated": true
            },
            "labels": {"metadata": {}, "tags": ["spring"], "external_id": "a", "key": "club"},
            "waits": {
                "until_ms": 9,
                "seek": {"pool": hash, "rating": 1_500, "range": {"least": 1_400, "most": 1_600}}
            }
        });
        let later = SessionFacts::decode(written_later(&facts).to_string().as_bytes()).unwrap();
        assert_eq!(json!(later), facts);
        let again = SessionFacts::decode(&later.encode().unwrap()).unwrap();
        assert_eq!(json!(again), facts, "the usual ones come back");

        let player = format!("p_{}", "ab".repeat(16));
        let status = json!({
            "stage": "running",
            "seats": [{"taken": {"token": hash, "name": "Ann", "player": player}}, "open"],
            "roster": {
                "host": player, "reserved": [{"seat": 2, "player": player}], "absence_votes": [2], "nameless": [1],
                "finished_at_ms": 9,
                "wait": {"look_at_ms": 9, "moves_to": "a", "moves": 1, "is_closed": true}
            },
            "pause": {"is_on": false, "wanted_by": [2]},
            "entropy": [{"seat": 1, "value": hash}, {"seat": 2, "value": hash}]
        });
        let later = Status::decode(written_later(&status).to_string().as_bytes()).unwrap();
        assert_eq!(as_json(&later.encode().unwrap()), status);
    }

    #[test]
    fn a_session_from_before_a_setting_has_its_default() {
        let terms: crate::Terms = serde_json::from_value(json!({"clock": null})).unwrap();
        assert_eq!(terms, crate::Terms::default());
    }
}

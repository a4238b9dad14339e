//! Values that are read from objects only. Serde would also read a struct from a list of its values.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// A value that a JSON object describes.
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(ObjectMembers(PhantomData)).map(Object)
    }
}

struct ObjectMembers<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectMembers<T> {
    type Value = T;

    fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members))
    }
}

/// Reads a member that is an object.
pub fn one<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    Object::deserialize(from).map(|object| object.0)
}

/// Reads a member that is an object or null.
pub fn optional<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(from).map(|object| object.map(|Object(value)| value))
}

/// Reads a member that is a list of objects.
pub fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Vec::deserialize(from).map(values)
}

/// Reads a member that is a list of objects or null.
pub fn optional_list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<Vec<T>>, D::Error> {
    Option::deserialize(from).map(|objects| objects.map(values))
}

fn values<T>(objects: Vec<Object<T>>) -> Vec<T> {
    objects.into_iter().map(|object| object.0).collect()
}

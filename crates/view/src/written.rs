//! Writes documents as compact JSON, the same as `serde_json` does, in fewer instructions: what is JSON already is
//! copied.

mod text;

use std::fmt;

use serde::ser::{self, Serialize, Serializer};

pub(crate) use text::push_text;

/// A document that is written already. Only [`write_json`] copies it; for other serializers it is bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenDocument(Vec<u8>);

/// Room for what follows a [`WrittenDocument`]. Without it, the next byte would move everything before it.
const ROOM_BEHIND: usize = 1024;

/// The name by which the writer recognizes [`WrittenDocument`].
const WRITTEN: &str = "$wyrmgate::Written";

impl WrittenDocument {
    /// Wraps bytes that are JSON.
    pub(crate) fn of(json: Vec<u8>) -> WrittenDocument {
        WrittenDocument(json)
    }
}

/// The bytes of a [`WrittenDocument`], which serializers do not take for a list.
struct Bytes<'w>(&'w [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self.0)
    }
}

impl Serialize for WrittenDocument {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_newtype_struct(WRITTEN, &Bytes(&self.0))
    }
}

/// Why a document has no JSON: its own `Serialize` says so, or a key is not a text.
#[derive(Debug)]
pub struct NoJson(String);

impl fmt::Display for NoJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoJson {}

impl ser::Error for NoJson {
    fn custom<T: fmt::Display>(message: T) -> Self {
        NoJson(message.to_string())
    }
}

/// Appends a document.
pub fn write_json(to: &mut Vec<u8>, document: &impl Serialize) -> Result<(), NoJson> {
    document.serialize(JsonWriter::on(to))
}

struct JsonWriter<'t> {
    to: &'t mut Vec<u8>,
    /// Whether bytes are JSON already.
    is_written: bool,
}

/// The members of a list or an object.
struct JsonMembers<'t> {
    to: &'t mut Vec<u8>,
    is_first: bool,
    end: u8,
    /// Whether they are the only member of an object with the name of a variant.
    of_variant: bool,
}

impl<'t> JsonWriter<'t> {
    fn on(to: &'t mut Vec<u8>) -> JsonWriter<'t> {
        JsonWriter {
            to,
            is_written: false,
        }
    }

    fn open(self, start: u8, end: u8) -> JsonMembers<'t> {
        self.to.push(start);
        JsonMembers {
            to: self.to,
            is_first: true,
            end,
            of_variant: false,
        }
    }

    /// Opens a variant: an object whose only member has its name.
    fn open_variant(self, variant: &str, start: u8, end: u8) -> JsonMembers<'t> {
        self.to.push(b'{');
        push_text(self.to, variant);
        self.to.push(b':');
        JsonMembers {
            of_variant: true,
            ..self.open(start, end)
        }
    }

    fn number(self, number: impl itoa::Integer) -> Result<(), NoJson> {
        let mut digits = itoa::Buffer::new();
        self.to.extend_from_slice(digits.format(number).as_bytes());
        Ok(())
    }

    /// Numbers that are not whole come from clients only.
    fn real(self, number: f64) -> Result<(), NoJson> {
        match number.is_finite() {
            true => self.to.extend_from_slice(format!("{number:?}").as_bytes()),
            false => self.to.extend_from_slice(b"null"),
        }
        Ok(())
    }
}

macro_rules! numbers {
    ($($method:ident: $number:ty),* $(,)?) => {$(
        fn $method(self, number: $number) -> Result<(), NoJson> {
            self.number(number)
        }
    )*};
}

impl<'t> Serializer for JsonWriter<'t> {
    type Ok = ();
    type Error = NoJson;
    type SerializeSeq = JsonMembers<'t>;
    type SerializeTuple = JsonMembers<'t>;
    type SerializeTupleStruct = JsonMembers<'t>;
    type SerializeTupleVariant = JsonMembers<'t>;
    type SerializeMap = JsonMembers<'t>;
    type SerializeStruct = JsonMembers<'t>;
    type SerializeStructVariant = JsonMembers<'t>;

    numbers! {
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
    }

    fn serialize_bool(self, truth: bool) -> Result<(), NoJson> {
        let word: &[u8] = if truth { b"true" } else { b"false" };
        self.to.extend_from_slice(word);
        Ok(())
    }

    fn serialize_f32(self, number: f32) -> Result<(), NoJson> {
        self.real(f64::from(number))
    }

    fn serialize_f64(self, number: f64) -> Result<(), NoJson> {
        self.real(number)
    }

    fn serialize_char(self, character: char) -> Result<(), NoJson> {
        push_text(self.to, character.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), NoJson> {
        push_text(self.to, text);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), NoJson> {
        match self.is_written {
            true => {
                self.to.reserve(bytes.len() + ROOM_BEHIND);
                self.to.extend_from_slice(bytes);
                Ok(())
            }
            false => self.collect_seq(bytes),
        }
    }

    fn serialize_none(self) -> Result<(), NoJson> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NoJson> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), NoJson> {
        self.to.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), NoJson> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), NoJson> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), NoJson> {
        let is_written = name == WRITTEN;
        value.serialize(JsonWriter { is_written, ..self })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), NoJson> {
        let mut inside = self.open(b'{', b'}');
        inside.member(variant, value)?;
        inside.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<JsonMembers<'t>, NoJson> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<JsonMembers<'t>, NoJson> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<JsonMembers<'t>, NoJson> {
        Ok(self.open(b'[', b']'))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<JsonMembers<'t>, NoJson> {
        Ok(self.open_variant(variant, b'[', b']'))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<JsonMembers<'t>, NoJson> {
        Ok(self.open(b'{', b'}'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<JsonMembers<'t>, NoJson> {
        Ok(self.open(b'{', b'}'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<JsonMembers<'t>, NoJson> {
        Ok(self.open_variant(variant, b'{', b'}'))
    }
}

impl JsonMembers<'_> {
    fn separate(&mut self) {
        if !std::mem::take(&mut self.is_first) {
            self.to.push(b',');
        }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoJson> {
        self.separate();
        value.serialize(JsonWriter::on(self.to))
    }

    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NoJson> {
        self.separate();
        let start = self.to.len();
        key.serialize(JsonWriter::on(self.to))?;
        // Numbers as keys are texts.
        match self.to.get(start) {
            Some(b'"') => Ok(()),
            Some(b'0'..=b'9' | b'-' | b't' | b'f') => {
                self.to.insert(start, b'"');
                self.to.push(b'"');
                Ok(())
            }
            _ => Err(ser::Error::custom("a key must be a text")),
        }
    }

    fn member<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), NoJson> {
        self.separate();
        // Names of members of our types need no escapes.
        self.to.push(b'"');
        self.to.extend_from_slice(name.as_bytes());
        self.to.push(b'"');
        self.value(value)
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoJson> {
        self.to.push(b':');
        value.serialize(JsonWriter::on(self.to))
    }

    fn close(self) -> Result<(), NoJson> {
        self.to.push(self.end);
        if self.of_variant {
            self.to.push(b'}');
        }
        Ok(())
    }
}

macro_rules! inside {
    ($($of:ident::$method:ident => $own:ident($($name:ident)?);)*) => {$(
        impl ser::$of for JsonMembers<'_> {
            type Ok = ();
            type Error = NoJson;

            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($name: &'static str,)?
                value: &T,
            ) -> Result<(), NoJson> {
                self.$own($($name,)? value)
            }

            fn end(self) -> Result<(), NoJson> {
                self.close()
            }
        }
    )*};
}

inside! {
    SerializeSeq::serialize_element => element();
    SerializeTuple::serialize_element => element();
    SerializeTupleStruct::serialize_field => element();
    SerializeTupleVariant::serialize_field => element();
    SerializeStruct::serialize_field => member(name);
    SerializeStructVariant::serialize_field => member(name);
}

impl ser::SerializeMap for JsonMembers<'_> {
    type Ok = ();
    type Error = NoJson;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NoJson> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoJson> {
        self.value(value)
    }

    fn end(self) -> Result<(), NoJson> {
        self.close()
    }
}

#[cfg(test)]
#[cfg(feature = "json")]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;
    use serde_json::{Value, json};

    use super::*;

    fn written(document: &impl Serialize) -> String {
        let mut json = Vec::new();
        write_json(&mut json, document).unwrap();
        String::from_utf8(json).unwrap()
    }

    #[derive(Serialize)]
    enum JsonForm {
        Unit,
        One(u8),
        Two(i8, f64),
        Named {
            name: &'static str,
            none: Option<u8>,
        },
    }

    #[test]
    fn documents_read_as_serde_json_writes_them() {
        let texts = [
            "",
            "plain",
            "exactly8",
            "nine char",
            "a \"quote\" inside a longer text",
            "back\\slash at the end\\",
            "\u{0}\u{8}\u{c}\n\r\t\u{1f} \u{7f}",
            "größer 日本語 🐉 and more",
        ];
        let forms = [
            JsonForm::Unit,
            JsonForm::One(255),
            JsonForm::Two(-128, 0.1),
            JsonForm::Named {
                name: "x",
                none: None,
            },
        ];
        let numbered: BTreeMap<i32, bool> = BTreeMap::from([(-1, true), (20, false)]);
        let document = (texts, forms, numbered, ('"', [u64::MAX, 0], i64::MIN, ()));
        let expected = serde_json::to_string(&document).unwrap();
        assert_eq!(written(&document), expected);
        // An exponent may be spelled in another way.
        let numbers = json!([1.0, -0.5, 1e300, 1e-7, 123_456.789]);
        let read: Value = serde_json::from_str(&written(&numbers)).unwrap();
        assert_eq!(read, numbers);
    }

    #[test]
    fn what_is_written_already_is_copied() {
        let document = [WrittenDocument::of(br#"{"a":[1,"b"]}"#.to_vec())];
        assert_eq!(written(&document), r#"[{"a":[1,"b"]}]"#);
    }

    #[test]
    fn texts_are_escaped_at_every_place() {
        for length in 0..40 {
            let plain = "naïve ¿text? ".repeat(4);
            let plain: String = plain.chars().take(length).collect();
            assert_eq!(written(&plain), serde_json::to_string(&plain).unwrap());
            for (at, _) in plain.char_indices() {
                for letter in ['"', '\\', '\n', '\u{1}', '\u{1f}', '\u{7f}'] {
                    let mut text = plain.clone();
                    text.insert(at, letter);
                    assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
                }
            }
        }
    }

    #[test]
    fn a_key_is_a_text() {
        let lists = BTreeMap::from([([1, 2], 3)]);
        assert!(write_json(&mut Vec::new(), &lists).is_err());
    }
}

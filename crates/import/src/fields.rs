//! A JSON object as its fields in their order, values left raw: parsing goes no deeper than what is asked for, so
//! that no nesting can overflow the stack.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use session_search_core::Millis;

/// The fields of one object. Of a repeated field the last counts.
#[derive(Default)]
pub(crate) struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// Reads an object; `None` for anything else.
    pub(crate) fn parse(json: &'a str) -> Option<Fields<'a>> {
        serde_json::from_str(json).ok()
    }

    /// The field's JSON text.
    pub(crate) fn raw(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.get())
    }

    /// The field, where it is a string.
    pub(crate) fn string(&self, name: &str) -> Option<Cow<'a, str>> {
        string(self.raw(name)?)
    }

    /// The field, where it is an object.
    pub(crate) fn object(&self, name: &str) -> Option<Fields<'a>> {
        object(self.raw(name)?)
    }

    /// The elements of the field, where it is an array; else nothing.
    pub(crate) fn array(&self, name: &str) -> Vec<&'a str> {
        self.raw(name).map(array).unwrap_or_default()
    }

    /// Whether the field is `true`.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.raw(name) == Some("true")
    }

    /// The field as a whole number from 0.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        self.raw(name)?.parse().ok()
    }

    /// The field as a time: RFC 3339, or a number.
    pub(crate) fn time(&self, name: &str) -> Option<Millis> {
        time(self.raw(name)?)
    }

    /// The fields in their order; of repeated ones the last.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        let last = |at: usize, key: &str| !self.0[at + 1..].iter().any(|(later, _)| later == key);
        let kept = self.0.iter().enumerate().filter(move |(at, (key, _))| last(*at, key));
        kept.map(|(_, (key, value))| (key.as_ref(), value.get()))
    }
}

/// A JSON string's text; `None` for anything else.
pub(crate) fn string(json: &str) -> Option<Cow<'_, str>> {
    if !json.starts_with('"') {
        return None;
    }
    let inner = json.get(1..json.len() - 1)?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    session_search_core::json::parse_lenient(json).ok().map(Cow::Owned)
}

/// An object's fields; `None` for anything else.
pub(crate) fn object(json: &str) -> Option<Fields<'_>> {
    if json.starts_with('{') { Fields::parse(json) } else { None }
}

/// An array's elements as JSON text; nothing for anything else.
pub(crate) fn array(json: &str) -> Vec<&str> {
    if !json.starts_with('[') {
        return Vec::new();
    }
    let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
    items.into_iter().map(RawValue::get).collect()
}

/// A time: RFC 3339 in a string, or a number.
pub(crate) fn time(json: &str) -> Option<Millis> {
    match string(json) {
        Some(text) => Millis::from_rfc3339(&text),
        None => Millis::from_number(json.parse().ok()?),
    }
}

/// Text as a JSON string.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a field name")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some((key, value)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
                    fields.push((key.0, value));
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_order_and_the_last_counts() {
        let fields = Fields::parse(r#"{"b":1,"a":"x\ny","b":[1,{}],"t":true,"\u0061b":null}"#).unwrap();
        assert_eq!(fields.raw("b"), Some("[1,{}]"));
        assert_eq!(fields.array("b"), ["1", "{}"]);
        assert_eq!(fields.string("a").unwrap(), "x\ny");
        assert!(fields.flag("t") && !fields.flag("a"));
        let order: Vec<_> = fields.iter().map(|(key, _)| key.to_owned()).collect();
        assert_eq!(order, ["a", "b", "t", "ab"]);
        assert!(
            Fields::parse("[1]").is_none() && fields.object("b").is_none() && fields.string("b").is_none()
        );
    }

    #[test]
    fn nesting_is_only_carried() {
        let deep = format!(r#"{{"a":{}{},"b":7}}"#, "[".repeat(20_000), "]".repeat(20_000));
        assert_eq!(Fields::parse(&deep).unwrap().number("b"), Some(7));
    }
}

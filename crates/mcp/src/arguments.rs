//! Reads the arguments of a call field by field, so that a refusal names the field and what it takes, and repeats
//! nothing of what was given.

use rmcp::model::JsonObject;
use serde_json::Value;

/// What a model should mend in its arguments.
pub(crate) type Refusal = String;

/// The fields of a call that were not read yet.
#[derive(Debug)]
pub(crate) struct Arguments {
    fields: JsonObject,
    known: Vec<&'static str>,
}

impl Arguments {
    /// Takes the arguments of a call; none at all are none given.
    pub(crate) fn new(fields: Option<JsonObject>) -> Arguments {
        Arguments { fields: fields.unwrap_or_default(), known: Vec::new() }
    }

    /// `null` counts as left out: models write it for optional fields.
    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.fields.remove(name).filter(|value| !value.is_null())
    }

    /// A string.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("{name} must be a string")),
        }
    }

    /// A string that must be there.
    pub(crate) fn required(&mut self, name: &'static str, what: &str) -> Result<String, Refusal> {
        self.text(name)?.ok_or_else(|| format!("{name} is missing; it must be {what}"))
    }

    /// A whole number; a string of digits will do.
    pub(crate) fn integer(&mut self, name: &'static str) -> Result<Option<i64>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let number = match &value {
            Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number.map(Some).ok_or_else(|| format!("{name} must be a whole number"))
    }

    /// `true` or `false`, also as strings.
    pub(crate) fn flag(&mut self, name: &'static str) -> Result<Option<bool>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(Value::String(text)) if text == "true" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" => Ok(Some(false)),
            Some(_) => Err(format!("{name} must be true or false")),
        }
    }

    /// A time: a string, or a number of milliseconds, which becomes one.
    pub(crate) fn time(&mut self, name: &'static str) -> Result<Option<String>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(_) => {
                Err(format!("{name} must be a time: RFC 3339, a date as 2026-03-01, or epoch milliseconds"))
            }
        }
    }

    /// One of some names.
    pub(crate) fn one_of<T: Copy>(
        &mut self,
        name: &'static str,
        of: &[(&str, T)],
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let found = value.as_str().and_then(|text| of.iter().find(|(known, _)| *known == text));
        let names = || of.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(" or ");
        found.map(|(_, choice)| Some(*choice)).ok_or_else(|| format!("{name} must be {}", names()))
    }

    /// Refuses what no field took: a misspelt filter must not widen a search in silence.
    pub(crate) fn finish(self) -> Result<(), Refusal> {
        let Some(unknown) = self.fields.keys().next() else { return Ok(()) };
        // A name may be anything, so only one that looks like a name is repeated.
        let plain = unknown.len() <= 40 && unknown.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let which = if plain {
            format!("{unknown} is no field of this tool")
        } else {
            "a field is unknown".to_owned()
        };
        Err(format!("{which}; the fields are {}", self.known.join(", ")))
    }

    /// The names that were read, in order: what the schema must describe.
    #[cfg(test)]
    pub(crate) fn known(&self) -> &[&'static str] {
        &self.known
    }
}

/// A number without a fraction, as some hosts write whole numbers (`10.0`).
fn whole(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "bounded on this line")]
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(value: Value) -> Arguments {
        Arguments::new(value.as_object().cloned())
    }

    #[test]
    fn numbers_and_flags_are_read_as_models_write_them() {
        for (value, expected) in [
            (json!(5), Ok(Some(5))),
            (json!(5.0), Ok(Some(5))),
            (json!("5"), Ok(Some(5))),
            (json!(null), Ok(None)),
            (json!(-1), Ok(Some(-1))),
            (json!(5.5), Err("n must be a whole number".to_owned())),
            (json!("five"), Err("n must be a whole number".to_owned())),
            (json!([5]), Err("n must be a whole number".to_owned())),
        ] {
            assert_eq!(arguments(json!({"n": value})).integer("n"), expected, "{value}");
        }
        assert_eq!(arguments(json!({"f": "true"})).flag("f"), Ok(Some(true)));
        assert_eq!(arguments(json!({"f": 1})).flag("f"), Err("f must be true or false".to_owned()));
    }

    #[test]
    fn unknown_fields_are_refused_and_the_known_named() {
        let mut given = arguments(json!({"query": "x", "sesionKey": "k"}));
        given.text("query").unwrap();
        given.text("sessionKey").unwrap();
        assert_eq!(
            given.finish(),
            Err("sesionKey is no field of this tool; the fields are query, sessionKey".to_owned())
        );
        assert_eq!(
            arguments(json!({"secret words": 1})).finish(),
            Err("a field is unknown; the fields are ".to_owned())
        );
    }

    #[test]
    fn refusals_repeat_no_value() {
        let mut given =
            arguments(json!({"a": "canary", "b": ["canary"], "c": "canary", "d": {"x": "canary"}}));
        let refusals = [
            given.integer("a").unwrap_err(),
            given.text("b").unwrap_err(),
            given.one_of("c", &[("user", 1), ("assistant", 2)]).unwrap_err(),
            given.time("d").unwrap_err(),
        ];
        assert!(refusals.iter().all(|text| !text.contains("canary")), "{refusals:?}");
        assert_eq!(refusals[2], "c must be user or assistant");
    }
}

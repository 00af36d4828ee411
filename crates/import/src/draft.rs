//! An event that is not yet linked: what a reader makes of a record.

use session_search_core::{Event, EventId, Millis};

use crate::fields::quote;

/// What a draft hangs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Up {
    /// The leaf of the transcript so far.
    Leaf,
    /// Nothing.
    Root,
    /// The record of that id, as the source writes it.
    Id(String),
}

/// A native event before its id, parent and time are settled.
#[derive(Clone)]
pub(crate) struct Draft {
    /// The id as the source writes it; `None` where it has none.
    pub(crate) id: Option<String>,
    /// The parent.
    pub(crate) up: Up,
    /// Its time; `None`: the one of the record before it.
    pub(crate) time: Option<Millis>,
    /// The field `type`.
    pub(crate) kind: String,
    /// All other fields: name and JSON text, in order.
    pub(crate) fields: Vec<(String, String)>,
}

impl Draft {
    /// A draft of that type without further fields.
    pub(crate) fn new(kind: &str, id: Option<String>, up: Up, time: Option<Millis>) -> Draft {
        Draft { id, up, time, kind: kind.to_owned(), fields: Vec::new() }
    }

    /// With one more field, as JSON text.
    pub(crate) fn with(mut self, name: &str, json: impl Into<String>) -> Draft {
        self.fields.push((name.to_owned(), json.into()));
        self
    }

    /// The event, or `None` where it breaks a bound of events (16 MiB).
    pub(crate) fn settle(
        &self,
        id: &EventId,
        parent: Option<&EventId>,
        time: Millis,
        gap: bool,
    ) -> Option<Event> {
        let mut raw = String::with_capacity(
            160 + self.fields.iter().map(|(n, v)| n.len() + v.len() + 6).sum::<usize>(),
        );
        raw.push_str("{\"type\":");
        raw.push_str(&quote(&self.kind));
        raw.push_str(",\"id\":");
        raw.push_str(&quote(id.as_str()));
        raw.push_str(",\"parentId\":");
        raw.push_str(&parent.map_or_else(|| "null".to_owned(), |parent| quote(parent.as_str())));
        raw.push_str(&format!(",\"timestamp\":{}", number(time)));
        if gap {
            raw.push_str(",\"gap\":true");
        }
        for (name, json) in &self.fields {
            raw.push(',');
            raw.push_str(&quote(name));
            raw.push(':');
            raw.push_str(json);
        }
        raw.push('}');
        Event::parse(raw).ok().map(|event| event.or_timestamp(time))
    }
}

/// A time as a number that is read back as the same time: below 10^11 a number counts as seconds.
fn number(time: Millis) -> String {
    if time.0 < 100_000_000_000 {
        format!("{}.{:03}", time.0 / 1000, time.0 % 1000)
    } else {
        time.0.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_becomes_an_event_with_its_id_parent_and_time() {
        let draft =
            Draft::new("message", None, Up::Root, None).with("message", r#"{"role":"user","content":"x"}"#);
        let (id, parent) = (EventId::new("a\"b").unwrap(), EventId::new("p").unwrap());
        for time in [0, 250, 99_999_999_999, 100_000_000_000, 1_764_540_000_123] {
            let event = draft.settle(&id, Some(&parent), Millis(time), true).unwrap();
            assert_eq!(event.timestamp(), Some(Millis(time)));
            assert_eq!(event.id(), Some(&id));
            assert!(event.raw().contains(r#""gap":true"#));
        }
        assert!(draft.settle(&id, None, Millis(0), false).unwrap().raw().contains(r#""parentId":null"#));
    }
}

//! The canonical line of [`crate::TranscriptStore::dump`]: one form for all stores, so that dumps can be compared.

use crate::ids::{EventId, SessionId, SessionKey};
use crate::time::Millis;

/// An event as a store holds it.
#[derive(Clone, Copy)]
pub struct DumpedEvent<'a> {
    /// Its session.
    pub key: &'a SessionKey,
    /// Its transcript.
    pub session_id: &'a SessionId,
    /// The id it is stored under.
    pub event_id: &'a EventId,
    /// The event it hangs on, resolved: the leaf of its time where the event did not say.
    pub parent: Option<&'a EventId>,
    /// The time it is stored with.
    pub timestamp: Millis,
    /// Its place in the active branch, from 0 at the root; `None` off it, and for `leaf` events.
    pub place: Option<u64>,
    /// The event as it came.
    pub raw: &'a str,
}

impl DumpedEvent<'_> {
    /// The line: a JSON array of the fields in the order above. It holds message text.
    #[must_use]
    pub fn line(&self) -> String {
        let fields = serde_json::json!([
            self.key,
            self.session_id,
            self.event_id,
            self.parent,
            self.timestamp.0,
            self.place,
            self.raw
        ]);
        fields.to_string()
    }
}

/// A dump: the lines of all events, sorted by session key, transcript and event id, compared byte for byte. So
/// neither the order of arrival nor anything internal shows.
#[must_use]
pub fn dump<'a>(events: impl IntoIterator<Item = DumpedEvent<'a>>) -> Vec<String> {
    let mut events: Vec<_> = events.into_iter().collect();
    events.sort_by(|a, b| (a.key, a.session_id, a.event_id).cmp(&(b.key, b.session_id, b.event_id)));
    events.iter().map(DumpedEvent::line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_sorted_by_ids_whatever_the_order_of_arrival() {
        let key = SessionKey::new("k").unwrap();
        let session_id = SessionId::new("s").unwrap();
        let ids = ["b", "a"].map(|id| EventId::new(id).unwrap());
        let event = |n: usize| DumpedEvent {
            key: &key,
            session_id: &session_id,
            event_id: &ids[n],
            parent: (n == 0).then_some(&ids[1]),
            timestamp: Millis(7),
            place: Some(1 - n as u64),
            raw: "{\"type\":\"x\"}",
        };
        let expected =
            [r#"["k","s","a",null,7,0,"{\"type\":\"x\"}"]"#, r#"["k","s","b","a",7,1,"{\"type\":\"x\"}"]"#];
        assert_eq!(dump([event(0), event(1)]), expected);
        assert_eq!(dump([event(1), event(0)]), expected);
    }
}

//! Ids that stores accept, from whatever a source holds: what is empty, too long or holds control characters becomes
//! a hash, always the same one.

use sha2::{Digest, Sha256};

use session_search_core::{EventId, SessionId, SessionKey};

use crate::lines::hex;

/// Hex digits of a hash that stands for an id.
const HASH_DIGITS: usize = 32;

fn hashed(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    let mut text = hex(&hasher.finalize());
    text.truncate(HASH_DIGITS);
    text
}

/// The id of an event as the source has it, or a hash of it.
pub(crate) fn event_id(given: &str) -> EventId {
    accepted(EventId::new(given), || EventId::new(hashed(&["event", given])))
}

/// The id of a record that has none: from its transcript and its number there.
pub(crate) fn numbered_id(session_id: &SessionId, ordinal: u64) -> EventId {
    let hash = hashed(&["record", session_id.as_str(), &ordinal.to_string()]);
    accepted(EventId::new(&hash[..16]), || EventId::new(hash.clone()))
}

/// The id of a transcript as the source has it, or a hash of it.
pub(crate) fn session_id(given: &str) -> SessionId {
    accepted(SessionId::new(given), || SessionId::new(hashed(&["session", given])))
}

/// A key as the source has it, or a hash of it.
pub(crate) fn session_key(given: &str) -> SessionKey {
    accepted(SessionKey::new(given), || SessionKey::new(hashed(&["key", given])))
}

/// Takes the first, else the second, which is a hash and always accepted.
fn accepted<T, E>(given: Result<T, E>, hashed: impl FnOnce() -> Result<T, E>) -> T {
    match given.or_else(|_| hashed()) {
        Ok(id) => id,
        Err(_) => unreachable!("hex digits are within every bound"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_ids_stay_and_bad_ones_become_hashes() {
        assert_eq!(event_id("8f3a").as_str(), "8f3a");
        for bad in ["", "a\nb", &"x".repeat(257)] {
            let id = event_id(bad);
            assert_eq!(id.as_str().len(), HASH_DIGITS);
            assert_eq!(id, event_id(bad));
        }
        assert_ne!(event_id(""), event_id("\n"));
        assert_eq!(session_key(&"k".repeat(512)).as_str().len(), 512);
        assert_eq!(session_key(&"k".repeat(513)).as_str().len(), HASH_DIGITS);
        assert_eq!(session_id("../../etc").as_str(), "../../etc");
    }

    #[test]
    fn numbered_ids_differ_by_transcript_and_number() {
        let (a, b) = (session_id("a"), session_id("b"));
        assert_eq!(numbered_id(&a, 1), numbered_id(&a, 1));
        assert_ne!(numbered_id(&a, 1), numbered_id(&a, 2));
        assert_ne!(numbered_id(&a, 1), numbered_id(&b, 1));
    }
}

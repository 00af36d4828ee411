//! Cursors of history pages: a place in a transcript that stays right while messages are appended.

use std::fmt;
use std::str::FromStr;

use crate::ids::{EventId, SessionId};

/// A place in a transcript: the message that a page ended with. Made of ids only, so that it depends on nothing
/// that its holder could not see. As text it is opaque: `A-Z a-z 0-9 - _` and at most 1 KiB.
///
/// ```
/// use session_search_core::{Cursor, EventId, SessionId};
/// let cursor = Cursor { session_id: SessionId::new("s/1")?, event_id: EventId::new("m 2")? };
/// assert_eq!(cursor.to_string().parse::<Cursor>().unwrap(), cursor);
/// assert!("nonsense".parse::<Cursor>().is_err());
/// # Ok::<(), session_search_core::IdError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The transcript.
    pub session_id: SessionId,
    /// The message at its edge.
    pub event_id: EventId,
}

/// The text is no cursor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is no cursor; pass one back exactly as a history page gave it")]
pub struct BadCursor;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MAX_BYTES: usize = 1 << 10;

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Ids hold no control characters, so one parts them.
        let plain = format!("1{}\n{}", self.session_id, self.event_id);
        for chunk in plain.as_bytes().chunks(3) {
            let bits =
                chunk.iter().fold(0_u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
            for place in 0..=chunk.len() {
                let index = (bits >> (18 - 6 * place) & 63) as usize;
                f.write_str(char::from(ALPHABET[index]).encode_utf8(&mut [0; 4]))?;
            }
        }
        Ok(())
    }
}

impl FromStr for Cursor {
    type Err = BadCursor;

    fn from_str(text: &str) -> Result<Cursor, BadCursor> {
        if text.len() > MAX_BYTES {
            return Err(BadCursor);
        }
        let mut plain = Vec::with_capacity(text.len());
        let (mut bits, mut count) = (0_u32, 0_u32);
        for byte in text.bytes() {
            let value = ALPHABET.iter().position(|b| *b == byte).ok_or(BadCursor)?;
            bits = (bits << 6 | u32::try_from(value).map_err(|_| BadCursor)?) & 0xffff;
            count += 6;
            if count >= 8 {
                count -= 8;
                plain.push((bits >> count & 0xff) as u8);
            }
        }
        let plain = String::from_utf8(plain).map_err(|_| BadCursor)?;
        let (session, event) = plain.strip_prefix('1').ok_or(BadCursor)?.split_once('\n').ok_or(BadCursor)?;
        Ok(Cursor {
            session_id: SessionId::new(session).map_err(|_| BadCursor)?,
            event_id: EventId::new(event).map_err(|_| BadCursor)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_at_every_length() {
        for length in 1..=256 {
            let cursor = Cursor {
                session_id: SessionId::new("é".repeat(length.min(128))).unwrap(),
                event_id: EventId::new("x".repeat(length)).unwrap(),
            };
            let text = cursor.to_string();
            assert!(text.bytes().all(|b| ALPHABET.contains(&b)) && text.len() <= MAX_BYTES);
            assert_eq!(text.parse(), Ok(cursor));
        }
    }

    #[test]
    fn refuses_the_rest() {
        for text in ["", "A", "MQ", "*", "é", &"A".repeat(2_000)] {
            assert_eq!(text.parse::<Cursor>(), Err(BadCursor), "{text}");
        }
    }
}

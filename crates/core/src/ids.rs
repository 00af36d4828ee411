//! Ids as types: who owns a session, what it is called, and which event is meant.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Bound of a session key, in bytes of UTF-8 (CONTRACT, head).
pub const MAX_KEY_BYTES: usize = 512;
/// Bound of every other id, in bytes of UTF-8.
pub const MAX_ID_BYTES: usize = 256;
/// Bound of an agent id, in characters: one letter or digit and up to 63 more.
pub const MAX_AGENT_CHARS: usize = 64;

/// Why an id was refused. The refused value is not repeated where it could be long or hold control characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The agent id does not match `[a-z0-9][a-z0-9_-]{0,63}`.
    #[error("an agent id is 1 to 64 of a-z, 0-9, _ and -, and starts with a letter or digit")]
    Agent,
    /// The id is empty.
    #[error("the {what} is empty")]
    Empty {
        /// Which id it was: `session key`, `session id`, `event id`.
        what: &'static str,
    },
    /// The id is too long.
    #[error("the {what} has {bytes} bytes; at most {max} are allowed")]
    TooLong {
        /// Which id it was.
        what: &'static str,
        /// Its length in bytes.
        bytes: usize,
        /// The bound in bytes.
        max: usize,
    },
    /// The id holds a control character.
    #[error("the {what} holds a control character")]
    Control {
        /// Which id it was.
        what: &'static str,
    },
}

fn check(value: &str, what: &'static str, max: usize) -> Result<(), IdError> {
    if value.is_empty() {
        return Err(IdError::Empty { what });
    }
    if value.len() > max {
        return Err(IdError::TooLong { what, bytes: value.len(), max });
    }
    if value.chars().any(char::is_control) {
        return Err(IdError::Control { what });
    }
    Ok(())
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Checks the bounds and takes the value as it is.
            ///
            /// # Errors
            /// [`IdError`] says which bound was broken.
            pub fn new(value: impl Into<String>) -> Result<Self, IdError> {
                let value = value.into();
                let check: fn(&str) -> Result<(), IdError> = $check;
                check(&value)?;
                Ok(Self(value))
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(value: String) -> Result<Self, IdError> {
                Self::new(value)
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;
            fn from_str(value: &str) -> Result<Self, IdError> {
                Self::new(value)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}

id!(
    /// An agent: `[a-z0-9][a-z0-9_-]{0,63}`. The only id that names a directory.
    AgentId,
    |value| {
        let bytes = value.as_bytes();
        let inner = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'_' || *b == b'-';
        let start = bytes.first().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if start && bytes.len() <= MAX_AGENT_CHARS && bytes.iter().all(inner) { Ok(()) } else { Err(IdError::Agent) }
    }
);

id!(
    /// The name of a session within its agent: 1 to 512 bytes, no control characters.
    SessionKey,
    |value| check(value, "session key", MAX_KEY_BYTES)
);

id!(
    /// A transcript of a session (the field calls it *session id*): 1 to 256 bytes, no control characters.
    SessionId,
    |value| check(value, "session id", MAX_ID_BYTES)
);

id!(
    /// An event of a transcript; of a message it is the *message id*: 1 to 256 bytes, no control characters.
    EventId,
    |value| check(value, "event id", MAX_ID_BYTES)
);

impl SessionKey {
    /// The agent that a key of the form `agent:X:…` belongs to; `None` for other keys.
    ///
    /// # Errors
    /// [`IdError::Agent`] where `X` is no agent id.
    ///
    /// ```
    /// use session_search_core::SessionKey;
    /// let key = SessionKey::new("agent:main:telegram:direct:7")?;
    /// assert_eq!(key.owner()?.unwrap().as_str(), "main");
    /// assert!(SessionKey::new("claude:1234")?.owner()?.is_none());
    /// assert!(SessionKey::new("agent:../etc:main")?.owner().is_err());
    /// # Ok::<(), session_search_core::IdError>(())
    /// ```
    pub fn owner(&self) -> Result<Option<AgentId>, IdError> {
        let Some(rest) = self.0.strip_prefix("agent:") else { return Ok(None) };
        let Some((agent, _)) = rest.split_once(':') else { return Ok(None) };
        AgentId::new(agent).map(Some)
    }
}

/// A session as everyone else sees it: its agent and its key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionName {
    /// The agent whose store holds the session.
    pub agent: AgentId,
    /// The session's key there.
    pub key: SessionKey,
}

impl fmt::Display for SessionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (agent {})", self.key, self.agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agent_ids_have_a_small_alphabet() {
        for good in ["a", "main", "0x", "a_b-c", &"a".repeat(64)] {
            assert!(AgentId::new(good).is_ok(), "{good}");
        }
        for bad in ["", "-a", "_a", "Main", "a.b", "a/b", "..", "é", &"a".repeat(65)] {
            assert_eq!(AgentId::new(bad), Err(IdError::Agent), "{bad}");
        }
    }

    #[test]
    fn keys_and_ids_are_bounded_in_bytes() {
        assert!(SessionKey::new("é".repeat(256)).is_ok());
        assert!(matches!(
            SessionKey::new("é".repeat(257)),
            Err(IdError::TooLong { bytes: 514, max: 512, .. })
        ));
        assert!(matches!(EventId::new("x".repeat(257)), Err(IdError::TooLong { .. })));
        assert!(matches!(SessionId::new(""), Err(IdError::Empty { .. })));
        assert!(matches!(SessionKey::new("a\0b"), Err(IdError::Control { .. })));
    }

    #[test]
    fn deserializing_checks_the_bounds() {
        assert!(serde_json::from_str::<EventId>("\"a\"").is_ok());
        assert!(serde_json::from_str::<EventId>("\"\"").is_err());
    }
}

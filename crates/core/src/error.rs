//! Errors of stores. No driver's type is part of them; no message text and no secret ever stands in one.

use std::error::Error;
use std::fmt;

/// What kind of failure it was: what a caller can act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// What was named is not there (or may not be seen).
    NotFound,
    /// An id is taken by something else.
    Conflict,
    /// A bound was broken.
    Limit,
    /// Another process or thread holds the store for longer than we wait.
    Busy,
    /// The disk, or a quota, is full.
    Full,
    /// The store can be read only.
    ReadOnly,
    /// The file is damaged, or no store of ours.
    Corrupt,
    /// A newer version of the program wrote the store.
    SchemaTooNew,
    /// The store was closed.
    Closed,
    /// The read was given up because nobody waits for it.
    Cancelled,
    /// Any other failure of the system beneath.
    Io,
}

/// A failure of a store: what was tried, on what, and what to do.
#[derive(Debug)]
pub struct StoreError {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl StoreError {
    /// A failure described by one sentence: what was tried, on what, what to do.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> StoreError {
        StoreError { kind, message: message.into(), source: None }
    }

    /// The same, with the error beneath it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> StoreError {
        self.source = Some(source.into());
        self
    }

    /// What a caller can act on.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

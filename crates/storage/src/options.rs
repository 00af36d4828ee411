//! How a store is opened.

use std::time::Duration;

/// Whether a store is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenMode {
    /// Reads and writes. Where the place is read-only, the store opens read-only and its status says so.
    ReadWrite {
        /// Whether a store that is not there is made.
        create: bool,
    },
    /// Reads only.
    ReadOnly,
}

/// When a transaction counts as durable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Synchronous {
    /// When the disk says that it holds it.
    #[default]
    Full,
    /// When the system has it: the last transactions may be lost with the power, never the database.
    Normal,
}

/// How a store is opened. [`OpenOptions::default`] reads and writes, makes what is not there, waits five seconds
/// for others and has two readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenOptions {
    /// Whether it is written to.
    pub mode: OpenMode,
    /// How long to wait for another process that holds the store, before `Busy`.
    pub busy_wait: Duration,
    /// When a transaction counts as durable.
    pub synchronous: Synchronous,
    /// How many reads may run at the same time, from 1 to 16. Threads start when they are first needed.
    pub readers: usize,
}

impl Default for OpenOptions {
    fn default() -> OpenOptions {
        OpenOptions {
            mode: OpenMode::ReadWrite { create: true },
            busy_wait: Duration::from_secs(5),
            synchronous: Synchronous::Full,
            readers: 2,
        }
    }
}

impl OpenOptions {
    /// The defaults, reading only.
    #[must_use]
    pub fn read_only() -> OpenOptions {
        OpenOptions { mode: OpenMode::ReadOnly, ..OpenOptions::default() }
    }
}

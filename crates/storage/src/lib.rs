//! The SQLite store of session-search: transcripts and their full-text index in one file per agent.
//!
//! # What a change must keep
//!
//! - **All SQL of the product is here**, and nothing else knows of SQLite. This crate knows no callers, no rules of
//!   redaction, no JSON for users: text is prepared by the port it is opened with.
//! - **A deletion gives FTS5 exactly what was inserted.** So a full-text table belongs to one version of words and
//!   rules (`generation`), and an entry is only removed by preparing its text again in that version. A table of another
//!   version than the pipeline's decides nothing of an answer: its messages are read instead (`search::stale`).
//! - **What is off the branch or deleted is out of reach in the transaction that says so**, by one filter: the block
//!   of a row id (`rows`, `search::scope`). Removing it from the index and the files may take longer.
//! - **Scores, counts and flags are made of visible messages only**: `search::scope` comes before any count.
//! - **Readers never take the write lock**, one thread writes, transactions are short. State is in rows, so that
//!   work that a crash cut off is taken up again by whoever calls `reconcile_step`.
//! - **Nothing deleted stays in a file** (`erase`, `separators`): every connection sets `secure_delete`.
//! - `unsafe` stands in `rank` only.
//!
//! # Map
//!
//! | file | holds |
//! | --- | --- |
//! | `store` | the trait, each call a job |
//! | `options`, `connection`, `schema` | opening, rights, tables, migrations |
//! | `writer`, `writing`, `readers` | threads, transactions, cancelling |
//! | `sessions`, `transcripts`, `events`, `kinds`, `marks`, `state` | rows |
//! | `append`, `import`, `delete` | writes |
//! | `branch`, `moves` | the active branch, and what a move of the leaf changes |
//! | `rows`, `entries`, `generation` | row ids, index entries, full-text tables |
//! | `plan`, `reconcile` | what is pending |
//! | `erase`, `separators` | what is deleted |
//! | `postings/` | the lists of the full-text table, read directly |
//! | `search/`, `rank/` | search, statistics; the pass over what FTS5 matches |
//! | `history`, `list`, `status`, `dump`, `verify` | other reads |

mod append;
mod branch;
mod connection;
mod delete;
mod dump;
mod entries;
mod erase;
mod error;
mod events;
mod generation;
mod history;
mod import;
mod kinds;
mod list;
mod marks;
mod moves;
mod options;
mod plan;
mod postings;
mod rank;
mod readers;
mod reconcile;
mod rows;
mod schema;
mod search;
mod separators;
mod sessions;
mod state;
mod status;
mod store;
mod transcripts;
mod verify;
mod writer;
mod writing;

pub use options::{OpenMode, OpenOptions, Synchronous};
pub use store::SqliteStore;

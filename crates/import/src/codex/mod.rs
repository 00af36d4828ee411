//! Codex CLI: `rollout-<time>-<id>.jsonl` (or `.jsonl.zst`) under `sessions/` and `archived_sessions/`.
//!
//! | file | holds |
//! | --- | --- |
//! | `said` | what of a text a person typed, and what the program put there |
//! | `twins` | the two forms of one message |
//! | `meta` | whose thread a file is, and where copied history ends |
//! | `item` | items of the model's context as drafts of events |
//! | `read` | the reader, for every generation of the format |
//!
//! Records have no ids and no parents: order is the order of the file, ids are made of the thread's id and what stays
//! the same in every copy of the file (compressed, grown, archived).

mod item;
mod meta;
mod read;
mod said;
mod twins;

use crate::reader::Reading;

/// How Codex's files are read.
pub(crate) const READING: Reading =
    Reading { reader: |found| Box::new(read::CodexReader::new(found)), link: |_| None, resumes: true };

//! Claude Code: `~/.claude/projects/<directory>/<session>.jsonl`, and files of sub-agents.
//!
//! | file | holds |
//! | --- | --- |
//! | `said` | what of a text a person typed, and what the program put there |
//! | `links` | the tree of turns: where each record hangs |
//! | `queue` | text typed while the agent worked |
//! | `titles` | which title counts |
//! | `identity` | whose transcript a file is |
//! | `entry` | a record as a draft of an event |
//! | `sides` | sub-agents whose records stand in the main file |
//! | `read` | the reader |
//!
//! Progress, hooks, snapshots and other noise become no events: they only say where their children hang.

mod entry;
mod identity;
mod links;
mod queue;
mod read;
mod said;
mod sides;
mod titles;

use crate::reader::Reading;

/// How Claude Code's files are read.
pub(crate) const READING: Reading =
    Reading { reader: |found| Box::new(read::ClaudeReader::new(found)), link: |_| None, resumes: true };

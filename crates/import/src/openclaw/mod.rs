//! What is OpenClaw's own beside the JSONL it shares with pi: where agents live, which session a file belongs to, and
//! the SQLite database of an agent.

pub(crate) mod database;
pub(crate) mod index;
pub(crate) mod place;
pub(crate) mod sqlite;

//! Readers for the transcript formats that agents leave on disk: a file in, native events out.
//!
//! [`discover()`] finds [`TranscriptSource`](session_search_core::source::TranscriptSource)s under paths, [`homes()`]
//! knows the usual ones. A source is read into an
//! [`ImportSink`](session_search_core::source::ImportSink); a store implements that, and this crate knows none.
//!
//! # What a change must keep
//!
//! - **Damage is counted, never fatal.** A record that cannot be read is reported with its line and byte offset, its
//!   neighbours survive. Only a file that cannot be read at all is an error.
//! - **Memory is bounded** whatever a file holds: one line (at most 24 MiB once `elide` left out base64 and endless
//!   strings), one chunk (about 4 MiB), and 64-bit hashes of ids. No file is read as a whole.
//! - **Nesting is only carried.** Records are split into raw fields, iteratively; nothing recurses over input.
//! - **Ids never become paths**, and never leave their bounds: what does not fit is replaced by a hash.
//! - **Links are settled here** (CONTRACT 7): a missing parent, or one that closes a cycle, is replaced by the record
//!   before, marked `"gap":true`.
//! - **Reading on needs proof.** A mark holds the SHA-256 of the bytes consumed; another prefix is read anew. A mark
//!   that was written halfway matches no file by size and time, so the rest is not forgotten.
//! - **States hold ids and counts only**, warnings and errors no text of a file.
//! - **Files of other programs are opened read-only**; tables with credentials are never read.
//!
//! # Map
//!
//! | file | holds |
//! | --- | --- |
//! | `discover`, `names`, `detect`, `homes` | which files are transcripts, of which format, whose |
//! | `found`, `open` | a file that was found; which reader takes it |
//! | `lines`, `elide`, `records` | bytes to lines to JSON objects, repaired or counted |
//! | `reader` | the run over one file: where it was left, chunks, marks |
//! | `out`, `feed`, `links`, `draft` | drafts of events to linked chunks in the sink |
//! | `native`, `parts`, `fields`, `ids` | native messages, raw JSON fields, safe ids |
//! | `pi`, `openclaw` | pi and OpenClaw: JSONL, `sessions.json`, the SQLite of an agent |
//! | `claude`, `codex`, `gemini` | the other programs |
//!
//! A format implements `reader::Reader`: it takes records one by one, opens a feed per transcript with `Out::open`, and
//! pushes drafts. All else (resuming, marks, chunks, links, duplicates) is shared.

mod claude;
mod codex;
mod detect;
mod discover;
mod draft;
mod elide;
mod feed;
mod fields;
mod format;
mod found;
mod gemini;
mod homes;
mod ids;
mod lines;
mod links;
mod names;
mod native;
mod open;
mod openclaw;
mod out;
mod parts;
mod pi;
mod reader;
mod records;
mod state;

pub use discover::{DiscoverOptions, Discovery, discover};
pub use format::{Format, UnknownFormat};
pub use homes::{Home, homes};
pub use state::is_unchanged;

//! Any bytes, read as a transcript of this format, end in events that hang together, or in a clear error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use session_search_import::Format;

fuzz_target!(|bytes: &[u8]| session_search_fuzz::read(Format::Codex, "rollout-2026-05-01T10-00-00-019f0000-0000-7000-8000-000000000001.jsonl", bytes));

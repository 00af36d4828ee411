//! Any bytes, read as a transcript of this format, end in events that hang together, or in a clear error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use session_search_import::Format;

fuzz_target!(|bytes: &[u8]| session_search_fuzz::read(Format::Claude, "x.jsonl", bytes));

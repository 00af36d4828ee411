//! Whatever is read as a cursor is written back the same, and nothing makes the reader fail otherwise.
#![no_main]

use libfuzzer_sys::fuzz_target;
use session_search_core::{Cursor, Event, Millis};

fuzz_target!(|text: &str| {
    if let Ok(cursor) = text.parse::<Cursor>() {
        assert_eq!(cursor.to_string().parse::<Cursor>().as_ref(), Ok(&cursor));
    }
    let _ = Millis::from_rfc3339(text);
    if let Ok(event) = Event::parse(text) {
        let searchable = session_search_core::text::searchable(event.raw());
        assert!(searchable.text.len() <= session_search_core::limits::MAX_SEARCHABLE_BYTES);
        let _ = session_search_core::text::tools(event.raw());
    }
});

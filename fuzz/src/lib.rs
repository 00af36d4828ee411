//! Feeds arbitrary bytes to the readers of transcripts, and checks what the tests of the readers check.

use std::cell::RefCell;

use session_search_import::Format;

#[path = "../../crates/import/tests/it/replay.rs"]
mod replay;

thread_local! {
    static DIRECTORY: RefCell<Option<tempfile::TempDir>> = const { RefCell::new(None) };
}

/// Reads bytes as a file of that format, whole; then again as a file that grew to them from its first half.
pub fn read(format: Format, name: &str, bytes: &[u8]) {
    DIRECTORY.with_borrow_mut(|slot| {
        let directory = slot.get_or_insert_with(|| tempfile::tempdir().expect("a temporary directory"));
        replay::read(directory.path(), format, name, bytes);
    });
}

//! Feeds arbitrary bytes to the readers of transcripts.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs;

use session_search_core::source::{ImportChunk, ImportReceipt, ImportSink, SourceMark};
use session_search_core::{EventId, Parent, SessionId, SessionKey, StoreError};
use session_search_import::{DiscoverOptions, Format, discover};

/// An event of a transcript.
type Place = (SessionKey, SessionId, EventId);

/// Checks what every chunk must hold, and remembers ids.
#[derive(Default)]
struct Sink {
    known: HashSet<Place>,
    /// Parents that may still come.
    awaited: HashSet<Place>,
    mark: Option<SourceMark>,
}

impl Sink {
    /// Checks what must hold of a source that was read.
    fn check(&self) {
        assert!(self.awaited.is_subset(&self.known), "a parent that never came");
    }
}

impl ImportSink for Sink {
    fn store(&mut self, chunk: ImportChunk) -> Result<ImportReceipt, StoreError> {
        for event in &chunk.events {
            let place = |id: &EventId| (chunk.session.key.clone(), chunk.session_id.clone(), id.clone());
            let id = event.id().expect("an event without an id");
            assert!(event.timestamp().is_some(), "an event without a time");
            match event.parent() {
                Parent::Event(parent) => drop(self.awaited.insert(place(parent))),
                Parent::Root => {}
                Parent::CurrentLeaf => panic!("a parent that was not resolved"),
            }
            self.known.insert(place(id));
        }
        let transcript = chunk.transcript.unwrap_or(chunk.session_id);
        Ok(ImportReceipt { transcript, messages: 0, skipped: 0, tombstone: false, pinned: false })
    }

    fn known(&mut self, key: &SessionKey, id: &SessionId, ids: &[EventId]) -> Result<Vec<bool>, StoreError> {
        let known = |event: &EventId| self.known.contains(&(key.clone(), id.clone(), event.clone()));
        Ok(ids.iter().map(known).collect())
    }

    fn mark(&mut self, mark: SourceMark) -> Result<(), StoreError> {
        self.mark = Some(mark);
        Ok(())
    }

    fn progress(&mut self, _: u64) {}
}

thread_local! {
    static DIRECTORY: RefCell<Option<tempfile::TempDir>> = const { RefCell::new(None) };
}

/// Reads bytes as a file of that format, whole; then again as a file that grew to them from its first half.
pub fn read(format: Format, name: &str, bytes: &[u8]) {
    DIRECTORY.with_borrow_mut(|slot| {
        let directory = slot.get_or_insert_with(|| tempfile::tempdir().expect("a temporary directory"));
        let path = directory.path().join(name);
        let options = DiscoverOptions { format: Some(format), include_deleted: true, ..DiscoverOptions::default() };
        let mut grown = Sink::default();
        for part in [&bytes[..bytes.len() / 2], bytes] {
            fs::write(&path, part).expect("a file that can be written");
            let last = grown.mark.take();
            for source in &mut discover(&[path.clone()], &options, &|_| None).sources {
                let read = source.read(last.as_ref(), &mut grown);
                if read.is_ok() {
                    grown.check();
                }
            }
        }
        let mut whole = Sink::default();
        for source in &mut discover(&[path], &options, &|_| None).sources {
            if source.read(None, &mut whole).is_ok() {
                whole.check();
            }
        }
    });
}

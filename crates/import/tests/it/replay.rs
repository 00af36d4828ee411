//! Inputs that fuzzing found to reach new places of the readers, read again: each ends in events that hang together, or
//! in a clear error. The fuzz targets check with [`read`], too.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

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
            let id = event.id().unwrap();
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

/// Reads bytes as a file of that format, whole; then again as a file that grew to them from its first half.
pub(crate) fn read(directory: &Path, format: Format, name: &str, bytes: &[u8]) {
    let path = directory.join(name);
    let options =
        DiscoverOptions { format: Some(format), include_deleted: true, ..DiscoverOptions::default() };
    let mut grown = Sink::default();
    for part in [&bytes[..bytes.len() / 2], bytes] {
        fs::write(&path, part).unwrap();
        let last = grown.mark.take();
        for source in &mut discover(std::slice::from_ref(&path), &options, &|_| None).sources {
            if source.read(last.as_ref(), &mut grown).is_ok() {
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
}

/// The inputs of one reader: compressed, each with its length (four bytes, the lowest first) before it.
#[cfg(test)]
fn inputs(name: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fuzz").join(format!("{name}.zst"));
    let all = zstd::decode_all(fs::File::open(path).unwrap()).unwrap();
    let mut rest = all.as_slice();
    let mut inputs = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let (input, behind) = behind.split_at(u32::from_le_bytes(*length) as usize);
        inputs.push(input.to_vec());
        rest = behind;
    }
    inputs
}

#[cfg(test)]
fn replay(name: &str, format: Format, file: &str) {
    let directory = tempfile::tempdir().unwrap();
    let inputs = inputs(name);
    assert!(inputs.len() > 100, "{} inputs", inputs.len());
    for input in inputs {
        read(directory.path(), format, file, &input);
    }
}

#[test]
fn what_fuzzing_found_for_claude_code() {
    replay("claude", Format::Claude, "x.jsonl");
}

#[test]
fn what_fuzzing_found_for_codex() {
    replay("codex", Format::Codex, "rollout-2026-05-01T10-00-00-019f0000-0000-7000-8000-000000000001.jsonl");
}

#[test]
fn what_fuzzing_found_for_gemini() {
    replay("gemini", Format::Gemini, "session-x.json");
}

#[test]
fn what_fuzzing_found_for_openclaw() {
    replay("openclaw", Format::Openclaw, "x.jsonl");
}

#[test]
fn what_fuzzing_found_for_pi() {
    replay("pi", Format::Pi, "x.jsonl");
}

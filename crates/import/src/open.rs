//! Which reader takes a file.

use session_search_core::source::TranscriptSource;

use crate::claude;
use crate::codex;
use crate::format::Format;
use crate::found::Found;
use crate::gemini;
use crate::openclaw;
use crate::pi;
use crate::reader::FileSource;

/// The source that reads a file (or an OpenClaw database).
pub(crate) fn source(found: Found, database: bool) -> Option<Box<dyn TranscriptSource>> {
    if database {
        return Some(Box::new(openclaw::database::Database::new(found)));
    }
    match found.format {
        Format::Openclaw | Format::Pi => Some(Box::new(FileSource::new(found, pi::READING))),
        Format::Claude => Some(Box::new(FileSource::new(found, claude::READING))),
        Format::Codex => Some(Box::new(FileSource::new(found, codex::READING))),
        Format::Gemini => Some(Box::new(FileSource::new(found, gemini::READING))),
    }
}

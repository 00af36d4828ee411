//! The two streams: results on standard output, everything else on standard error.

use std::io::{self, Write};

use serde::Serialize;
use session_search_redact::display;

use crate::error::Failure;
use crate::render::screen::Screen;

/// Where a command prints.
#[derive(Debug)]
pub(crate) struct Output {
    /// Whether standard output is for programs.
    pub(crate) json: bool,
    /// How readable output looks.
    pub(crate) screen: Screen,
}

impl Output {
    /// Standard output as it was asked for.
    pub(crate) fn new(json: bool) -> Output {
        Output { json, screen: Screen::detect() }
    }

    /// One JSON document on a line of its own, out at once.
    ///
    /// # Errors
    /// [`Failure::Closed`] where nobody reads, [`Failure::System`] where it cannot be written.
    pub(crate) fn document(&self, document: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(document).map_err(|error| Failure::System(error.to_string()))?;
        line.push(b'\n');
        self.bytes(&line)
    }

    /// Readable text, ready to be seen: whoever made it escaped it.
    ///
    /// # Errors
    /// As [`Output::document`].
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    /// Bytes as they are.
    ///
    /// # Errors
    /// As [`Output::document`].
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| Failure::output(&error))
    }

    /// A remark for the person, escaped. Where standard error is gone there is nobody to tell.
    pub(crate) fn note(&self, kind: &str, text: &str) {
        let _ = writeln!(io::stderr().lock(), "{kind}: {}", display::escape(text));
    }

    /// A failure, in the form that was asked for.
    pub(crate) fn failure(&self, failure: &Failure) {
        if matches!(failure, Failure::Closed) {
            return;
        }
        self.note("error", &failure.to_string());
        // Standard output holds one document, and a report is one already.
        if self.json && !matches!(failure, Failure::Reported(_)) {
            let text = failure.to_string();
            let document = serde_json::json!({"status": failure.status(), "error": display::strip(&text)});
            let _ = self.document(&document);
        }
    }
}

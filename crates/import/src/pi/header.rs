//! The first line of a transcript: what it is called and where it was held.

use session_search_core::Millis;
use session_search_core::source::ReadSummary;

use crate::fields::Fields;
use crate::found::Found;
use crate::lines::Lines;
use crate::records::{Record, Records};

/// Bytes of a working directory that are kept.
const MAX_CWD_BYTES: usize = 4_096;

/// What is used of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) id: Option<String>,
    pub(super) time: Option<Millis>,
    pub(super) cwd: Option<String>,
}

impl Header {
    /// Reads the header; `None` for any other record.
    pub(super) fn read(fields: &Fields<'_>) -> Option<Header> {
        if fields.string("type")? != "session" {
            return None;
        }
        let text =
            |name: &str| fields.string(name).filter(|text| !text.is_empty()).map(|text| text.into_owned());
        let cwd = text("cwd").filter(|cwd| cwd.len() <= MAX_CWD_BYTES);
        Some(Header { id: text("id"), time: fields.time("timestamp"), cwd })
    }
}

/// The header of a file, read anew.
pub(super) fn of_file(found: &Found) -> Option<Header> {
    let mut records = Records::new(Lines::new(found.open().ok()?));
    let mut header = None;
    let mut each = |record: Record<'_>| -> std::io::Result<()> {
        header = header.take().or_else(|| Header::read(&Fields::parse(record.text)?));
        Ok(())
    };
    records.step(&mut ReadSummary::default(), &mut each).ok()?;
    header
}

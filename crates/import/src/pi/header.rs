//! The first line of a transcript: what it is called and where it was held.

use serde::{Deserialize, Serialize};
use session_search_core::Millis;

use crate::fields::Fields;

/// Bytes of a working directory that are kept.
const MAX_CWD_BYTES: usize = 4_096;

/// What is used of it; kept between two reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

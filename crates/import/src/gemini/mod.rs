//! Gemini CLI: one JSON document a session, since 0.39 lines of JSON to which later states of a message are appended.
//!
//! A message may change until its file ends, so a file is always read as a whole, and the id of an event covers what
//! it says and what it hangs on: a later state is another event, and the earlier one falls off the branch.

mod message;
mod read;

use crate::reader::Reading;

/// How Gemini CLI's files are read.
pub(crate) const READING: Reading =
    Reading { reader: |found| Box::new(read::GeminiReader::new(found)), link: |_| None, resumes: false };

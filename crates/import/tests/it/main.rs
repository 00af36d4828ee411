//! The readers as a whole: files in, transcripts out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod openclaw;
mod places;
mod programs;
mod replay;
mod sink;

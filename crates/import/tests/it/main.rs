//! The readers as a whole: files in, transcripts out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod openclaw;
mod places;
mod programs;
mod sink;

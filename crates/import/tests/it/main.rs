//! The readers as a whole: files in, transcripts out.

mod openclaw;
mod places;
mod programs;
mod sink;

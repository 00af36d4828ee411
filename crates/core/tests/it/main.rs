//! Behaviour of the pure parts, seen from outside.
// What takes the ranges of markers takes lists of any length, one included.
#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

mod limits;
mod query;
mod snippet;
mod tree;
mod visibility;
mod words;
mod words_laws;

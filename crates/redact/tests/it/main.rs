//! The redactor from outside.

#![allow(clippy::unwrap_used, reason = "tests")]

mod anywhere;
mod api;
mod corpus;
mod examples;
mod labelled;
mod private_keys;
mod properties;
mod table;
mod wrapping;

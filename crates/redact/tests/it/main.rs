//! The redactor from outside.

mod anywhere;
mod api;
mod corpus;
mod examples;
mod labelled;
mod private_keys;
mod properties;
mod table;
mod wrapping;

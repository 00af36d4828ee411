//! The redactor from outside.

mod api;
mod corpus;
mod examples;
mod labelled;
mod properties;
mod table;

//! The redactor from outside.

mod corpus;
mod labelled;

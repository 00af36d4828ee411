//! Answers as people read them. Everything that comes from outside is escaped here.

pub(crate) mod history;
pub(crate) mod hits;
pub(crate) mod index;
pub(crate) mod list;
pub(crate) mod receipts;
pub(crate) mod screen;
pub(crate) mod shell;
pub(crate) mod when;
pub(crate) mod wrap;

//! Proptest strategies over small worlds: few words, few ids, few times, so that things meet.

mod log;
mod text;

pub use log::{draft, lineage, log, time};
pub use text::{query, text, word};

//! What every store is tested with: an in-memory store, generators, a contract suite and a state machine. For
//! development only; no crate of the product depends on it but in tests.
//!
//! # What a change must keep
//!
//! - **The model is the definition.** [`MemoryStore`] does what the words of
//!   [`session_search_core::TranscriptStore`] say, in the simplest code: nothing is kept but the terms
//!   of a text, nothing is clever. Where the words
//!   leave a choice, the choice is written on the model's functions, and the suites below hold other stores to it.
//! - **The suites know the trait only.** [`contract`] and [`machine`] take a [`factory::StoreFactory`] and reach no
//!   further. They demand equal sets of hits, never equal scores between two backends; within one backend scores,
//!   order and flags must not depend on what is invisible.
//! - **Everything is seeded.** No clock, no sleep, no address, no hash order decides anything; a failure prints what
//!   is needed to see it again.
//! - A contract test is a plain `async fn` over a factory, named for the promise it checks, and listed in
//!   [`contract::all`].
//!
//! # Map
//!
//! | file | holds |
//! | --- | --- |
//! | `pipeline` | text pipelines with a rule that is easy to reason about |
//! | `model/` | what a store means |
//! | `memory` | the model behind the trait |
//! | `factory` | how suites get stores |
//! | `fixture` | short ways to write events, appends, plans |
//! | `kit` | a store under test with short ways to ask it |
//! | `contract/` | the contract suite, a file a subject |
//! | `strategies/` | proptest strategies: texts, queries, events, sessions |
//! | `machine/` | the state machine, and the law of invisible sessions |

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "development only: a panic here is a failed test"
)]

pub mod contract;
pub mod factory;
pub mod fixture;
mod kit;
pub mod machine;
mod memory;
mod model;
pub mod pipeline;
pub mod strategies;

pub use factory::{MemoryFactory, StoreFactory, StoreHome};
pub use kit::{Kit, ids, names, refused};
pub use memory::MemoryStore;

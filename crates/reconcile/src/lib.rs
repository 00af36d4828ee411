//! Background reconciliation: brings the index of one store up to date, and erases what was deleted.
//!
//! The work itself is a step of the store ([`TranscriptStore::reconcile_step`]): one short transaction, idempotent,
//! safe to be called by any number of processes. This crate decides *when* the next step is due.
//!
//! # What a change must keep
//!
//! - **No input.** A run looks for what is pending, so a crash, a lost wake or a second process changes nothing:
//!   normal work and recovery are the same code.
//! - **One at a time.** All steps of a [`Reconciler`] go through one lock; there is one reconciler per open store.
//! - **Plan apart from driver.** [`plan`] is a state machine without clock and runtime; [`driver`] only obeys it.
//! - **Backoff is reset by nothing but an idle store.** Progress elsewhere, or a steady stream of wakes, must not
//!   turn waiting into a busy loop.
//! - **Stops on drop**, between two steps.
//! - It knows the trait only, and sees no text.
//!
//! ```no_run
//! # async fn example(store: std::sync::Arc<dyn session_search_core::TranscriptStore>) {
//! use session_search_reconcile::{Options, Reconciler};
//! let reconciler = Reconciler::new(store, Options::default());
//! reconciler.wake();
//! let finished = reconciler.finish(std::time::Duration::from_secs(10)).await;
//! # let _ = finished;
//! # }
//! ```
//!
//! [`TranscriptStore::reconcile_step`]: session_search_core::TranscriptStore::reconcile_step

pub mod driver;
pub mod plan;
pub mod status;

pub use driver::{Options, Reconciler, Unfinished};
pub use plan::{Next, Outcome, Pace, Plan};
pub use status::{State, Status};

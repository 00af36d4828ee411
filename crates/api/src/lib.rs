//! The use cases of session-search: search, history, list, append, rewind, delete, import and the life of the index,
//! over the stores of a home.
//!
//! ```
//! use session_search_api::{AppendRequest, Context, SearchRequest, SessionSearch, Settings};
//! use session_search_core::Event;
//!
//! # let home = tempfile::tempdir()?;
//! # let home = home.path();
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let sessions = SessionSearch::open(home, &Settings::default());
//! let said = r#"{"type":"message","message":{"role":"user","content":"We chose exponential backoff."}}"#;
//! sessions.append(&AppendRequest::to("agent:main:main"), vec![Event::parse(said)?]).await?;
//!
//! let found = sessions.search(&Context::operator(), &SearchRequest::new("backoff")).await?;
//! assert_eq!(found.results[0].snippet, "We chose exponential backoff.");
//! sessions.close().await;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a change must keep
//!
//! - **Who asks is no part of a request.** [`Context`] comes from the host; request types refuse unknown fields.
//! - **Invisible sessions are gone before anything is counted.** Every question to a store takes what may be seen;
//!   hints, warnings, flags and the answer to a name are made of visible things only. A store's failure is told only
//!   to those who may see into it. `naming` gives unknown and invisible the same words.
//! - **Every text passes `clean` whole, before it is cut**, and a hit is checked again against the scrubbed text.
//! - **The same request on the same data gives the same bytes.** No clock, no hash order, no order of arrival: what is
//!   gathered from several stores is sorted by a total order.
//! - **Bounds are applied last and in the order of CONTRACT 2**, with the types of `core::limits`; sizes are those of
//!   the JSON that leaves.
//! - **A backend has a name in `backend` only**, no SQL anywhere. Tests take another [`StoreProvider`].
//! - **Nobody waits for a store while holding one** (`stores`).
//!
//! # Map
//!
//! | file | holds |
//! | --- | --- |
//! | `session_search` | the handle |
//! | `context`, `settings`, `clock` | who asks; how it works; the time of arrival |
//! | `search/`, `history/`, `list` | the reading use cases, with their requests and responses |
//! | `append`, `delete`, `import/`, `index` | the writing ones |
//! | `reach`, `naming` | what a caller sees; what it means by a name |
//! | `stores`, `fan_out`, `provider`, `backend` | open stores; one question to many; where they come from |
//! | `pipeline`, `clean` | what the index is built from; what texts go through when they leave |
//! | `times`, `serde_forms`, `json_bytes` | forms of values in JSON |
//! | `error` | failures, and their words |

mod append;
mod backend;
mod clean;
mod clock;
mod context;
mod delete;
mod error;
mod fan_out;
mod history;
mod import;
mod index;
mod json_bytes;
mod list;
mod naming;
mod pipeline;
mod provider;
mod reach;
mod search;
mod serde_forms;
mod session_search;
mod settings;
mod stores;
mod times;

pub use session_search_core as core;
pub use session_search_redact as redact;

pub use self::session_search::SessionSearch;
pub use append::{AppendOutcome, AppendRequest, AppendedEvent, DEFAULT_AGENT};
pub use clock::{Clock, FixedClock, SystemClock};
pub use context::Context;
pub use delete::{DeleteOutcome, ErasureState, RewindOutcome};
pub use error::{ApiError, FORBIDDEN, Failure};
pub use history::{HistoryMessage, HistoryRequest, HistoryResponse, HistoryTool};
pub use import::{ImportOptions, ImportReport, MAX_WARNINGS, NoProgress, Progress};
pub use index::{PerAgent, ReindexOutcome};
pub use list::{DEFAULT_LIST, ListRequest, ListResponse, ListedSession, MAX_LIST, MAX_LIST_BYTES};
pub use pipeline::ScrubbedWords;
pub use provider::StoreProvider;
pub use search::{CopyPlace, Hit, MAX_PROJECT_BYTES, SearchRequest, SearchResponse};
pub use session_search_reconcile::{Options as ReconcileOptions, Pace};
pub use settings::{MAX_OPEN_STORES, Settings};
pub use times::TimeInput;

//! The pure heart of session-search.
//!
//! # What a change must keep
//!
//! - **No I/O, no clock, no environment, no async runtime, no SQL.** Times come in as [`Millis`]; the
//!   storage trait is `async` through `async_trait` only, which names no runtime.
//! - **Ids are opaque.** [`SessionKey`], [`SessionId`] and [`EventId`] are compared byte for byte and never
//!   become paths. Only an [`AgentId`] does, and its alphabet has no separator and no dot.
//! - **Every read takes a [`Visible`].** There is no method that reads messages without one, and a `Visible`
//!   is made by [`visibility`] alone in production code.
//! - **Text is scrubbed before anything else sees it.** The store is opened with a [`TextPipeline`], so the
//!   index holds scrubbed words only, and `core` itself knows no redaction rule.
//! - **Words, queries and snippets share one function.** [`words`] splits the text that is indexed, the query
//!   that is typed, and the excerpt that is shown. A change of its output is a new [`words::WORDS_VERSION`].
//!
//! # Map
//!
//! | file | holds |
//! | --- | --- |
//! | `ids` | agent ids, session keys, session ids, event ids and their bounds |
//! | `time` | [`Millis`] and RFC 3339 |
//! | `json` | repair of lone surrogates; raw JSON values |
//! | `event` | one event: parsing, kinds, leaf moves |
//! | `text` | searchable text and tool parts of an event |
//! | `tree` | the transcript tree and its active branch |
//! | `words`, `query`, `snippet` | words, the query language, excerpts |
//! | `visibility` | caller, scope, sandbox clamp, agent-to-agent policy, lineage walk |
//! | `limits` | every bound, as constants and as types |
//! | `cursor` | cursors of history pages |
//! | `pipeline` | the port through which a store prepares text |
//! | `store` | the storage trait, its requests and receipts |
//! | `source` | what an importer hands to a store |
//! | `relax` | which messages a relaxed search finds |
//! | `score` | what a match is worth |
//! | `spelling` | words that a misspelt one may stand for |
//! | `dump` | the canonical lines in which stores are compared |
//! | `error` | errors of stores |

pub mod cursor;
pub mod dump;
pub mod error;
pub mod event;
pub mod ids;
pub mod json;
pub mod limits;
pub mod pipeline;
pub mod query;
pub mod relax;
pub mod score;
pub mod snippet;
pub mod source;
pub mod spelling;
pub mod store;
pub mod text;
pub mod time;
pub mod tree;
pub mod visibility;
pub mod words;

pub use cursor::Cursor;
pub use error::{ErrorKind, StoreError};
pub use event::{Event, EventKind, LeafMove, Parent, Role};
pub use ids::{AgentId, EventId, IdError, SessionId, SessionKey, SessionName};
pub use pipeline::{PipelineVersion, TextPipeline};
pub use store::TranscriptStore;
pub use time::Millis;
pub use visibility::Visible;

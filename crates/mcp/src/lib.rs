//! Serves session-search to models over the Model Context Protocol.
//!
//! # What a change must keep
//!
//! - **The caller comes from the host.** A [`Server`] is made for one [`Context`]; no
//!   field of a request names a caller, a scope or a policy, and an unknown field is refused rather than ignored.
//! - **No logic.** A call becomes a request of `session-search-api`, its answer a result; what is visible, scrubbed,
//!   cut and counted is decided there.
//! - **A failure that a model can mend is a result** with `isError` and `{"status","error"}`: models read those, while
//!   hosts keep faults of the protocol to themselves. Refusals name fields and ranges, and repeat no value.
//! - **Standard output belongs to the protocol.** Nothing else may print there.
//!
//! | file | holds |
//! | --- | --- |
//! | `tools` | the tools, what models are told about them, how arguments become requests |
//! | `arguments` | reading arguments field by field |
//! | `schema` | JSON Schema in its plainest form |
//! | `server` | the handler; answers and refusals as results |

mod arguments;
mod schema;
mod server;
mod tools;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use session_search_api::{Context, SessionSearch};

pub use server::Server;

/// Why a server ended before its host closed it.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The other side does not speak the protocol.
    #[error(
        "the client did not start a session of the Model Context Protocol ({0}); a host must start this command"
    )]
    Handshake(&'static str),
    /// The task that served failed.
    #[error("the server failed: {0}")]
    Task(String),
}

/// Serves on standard input and output until the input ends. Calls under way are answered before it returns.
///
/// # Errors
/// [`ServeError`] where no session comes about, or the serving task fails.
pub async fn serve(sessions: SessionSearch, context: Context) -> Result<(), ServeError> {
    let server = Server::new(sessions, context);
    let running = match server.serve(rmcp::transport::stdio()).await {
        Ok(running) => running,
        // A host that goes away before it said anything is no failure.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Handshake(in_words(&error))),
    };
    running.waiting().await.map(drop).map_err(|error| ServeError::Task(error.to_string()))
}

/// What went wrong, without the message that was received: that may hold anything.
fn in_words(error: &ServerInitializeError) -> &'static str {
    match error {
        ServerInitializeError::ExpectedInitializeRequest(_) => "its first message is no `initialize`",
        ServerInitializeError::ConnectionClosed(_) => "it went away",
        ServerInitializeError::TransportError { .. } => "the connection broke",
        ServerInitializeError::Cancelled => "it was cancelled",
        _ => "the versions of the protocol do not meet",
    }
}

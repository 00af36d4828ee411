//! The server: three tools over the use cases, for one caller.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use serde::Serialize;
use serde_json::{Value, json};
use session_search_api::redact::display::strip;
use session_search_api::{ApiError, Context, SessionSearch};

use crate::tools::{self, Kind};

/// Answers the tools' calls for one caller, who is fixed when the server is made.
#[derive(Clone)]
pub struct Server {
    sessions: SessionSearch,
    context: Arc<Context>,
    tools: Arc<[Tool]>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("context", &self.context).finish_non_exhaustive()
    }
}

impl Server {
    /// A server over these sessions. The context is all that decides what is visible: no request can change it.
    /// One that shows secrets is for people; whoever calls this must not pass it.
    #[must_use]
    pub fn new(sessions: SessionSearch, context: Context) -> Server {
        Server { sessions, context: Arc::new(context), tools: tools::announced() }
    }

    async fn answer(&self, kind: Kind, arguments: Option<JsonObject>) -> Result<CallToolResult, ErrorData> {
        match kind {
            Kind::Search => match tools::search(arguments) {
                Ok(request) => answered(self.sessions.search(&self.context, &request).await),
                Err(refusal) => Ok(refused("error", &refusal)),
            },
            Kind::History => match tools::history(arguments) {
                Ok(request) => answered(self.sessions.history(&self.context, &request).await),
                Err(refusal) => Ok(refused("error", &refusal)),
            },
            Kind::List => match tools::list(arguments) {
                Ok(request) => answered(self.sessions.list(&self.context, &request).await),
                Err(refusal) => Ok(refused("error", &refusal)),
            },
        }
    }
}

/// An answer as a result; a failure that a model can mend as one too, and any other as a fault of the server.
fn answered<T: Serialize>(answer: Result<T, ApiError>) -> Result<CallToolResult, ErrorData> {
    match answer {
        Ok(answer) => succeeded(&answer).map_err(|error| ErrorData::internal_error(error.to_string(), None)),
        Err(error) if error.is_mendable() => Ok(refused(error.status(), &error.to_string())),
        Err(error) => Err(ErrorData::internal_error(strip(&error.to_string()).into_owned(), None)),
    }
}

/// The answer as structure, and as text with its fields in the order of its type.
fn succeeded<T: Serialize>(answer: &T) -> Result<CallToolResult, serde_json::Error> {
    let text = serde_json::to_string(answer)?;
    let mut structure: Value = serde_json::from_str(&text)?;
    let changed = strip_all(&mut structure);
    let text = if changed { structure.to_string() } else { text };
    let mut result = CallToolResult::structured(structure);
    result.content = vec![ContentBlock::text(text)];
    Ok(result)
}

fn refused(status: &str, error: &str) -> CallToolResult {
    CallToolResult::structured_error(json!({"status": status, "error": strip(error)}))
}

/// Removes hidden characters from every string. Texts come without them; names that others chose may not.
/// Says whether there were any.
fn strip_all(value: &mut Value) -> bool {
    match value {
        Value::String(text) => match strip(text) {
            Cow::Borrowed(_) => false,
            Cow::Owned(clean) => {
                *text = clean;
                true
            }
        },
        Value::Array(items) => items.iter_mut().fold(false, |changed, item| strip_all(item) | changed),
        Value::Object(fields) => fields.values_mut().fold(false, |changed, field| strip_all(field) | changed),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let this =
            Implementation::new("session-search", env!("CARGO_PKG_VERSION")).with_title("Session search");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(this)
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(kind) = Kind::named(&call.name) else {
            return Err(ErrorData::invalid_params("there is no tool of that name", None));
        };
        // A read that nobody waits for any more is given up.
        tokio::select! {
            answer = self.answer(kind, call.arguments) => answer.map(Into::into),
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }
}

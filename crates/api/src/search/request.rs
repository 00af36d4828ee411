//! What is asked: the request as it comes, and as it is once checked.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use session_search_core::Role;
use session_search_core::limits::{PerSession, SearchLimit};
use session_search_core::query::Query;
use session_search_core::store::{Filter, Order};
use session_search_redact::markers;

use crate::context::Context;
use crate::error::ApiError;
use crate::serde_forms::null_is_default;
use crate::times::{self, End, TimeInput};

/// Bound of the `project` filter, in bytes.
pub const MAX_PROJECT_BYTES: usize = 4_096;

/// A search (CONTRACT 2). Fields that are absent or `null` take their defaults; unknown fields are refused.
///
/// ```
/// use session_search_api::SearchRequest;
/// let request: SearchRequest = serde_json::from_str(r#"{"query":"exponential backoff","limit":5}"#)?;
/// assert_eq!(request, SearchRequest { limit: Some(5), ..SearchRequest::new("exponential backoff") });
/// assert!(serde_json::from_str::<SearchRequest>(r#"{"query":"x","caller":"agent:main:main"}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchRequest {
    /// Words that must all occur (1 to 4,096 characters, at most 64 words): `deploy failed`; `"an exact phrase"`;
    /// `migrat*` for words that begin so; `-word` to exclude; `cats OR dogs` for either.
    pub query: String,
    /// Only this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_key: Option<String>,
    /// Only this agent's sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Only sessions whose working directory contains this text; ASCII case does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Only messages of this role: `user` or `assistant`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::serde_forms::RoleForm>"))]
    pub role: Option<Role>,
    /// Only messages from this time on (inclusive): RFC 3339, a date, or epoch milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<TimeInput>,
    /// Only messages before this time (exclusive; a date includes that day).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<TimeInput>,
    /// `relevance` (the default) or `recent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::serde_forms::OrderForm>"))]
    pub order: Option<Order>,
    /// How many hits at most: 1 to 25 (to 1,000 for the operator); 10 where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// How many hits of one session at most: 1 to 1,000; 3 where nothing is said. Without effect beside `sessionKey`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_session: Option<i64>,
    /// Leave out the session that asks.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "std::ops::Not::not")]
    pub exclude_current: bool,
    /// Only messages that hold all the words; never those that hold most of them.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
}

impl SearchRequest {
    /// A search for this, everything else by default.
    #[must_use]
    pub fn new(query: impl Into<String>) -> SearchRequest {
        SearchRequest { query: query.into(), ..SearchRequest::default() }
    }
}

impl std::fmt::Debug for SearchRequest {
    /// Without the query, which may hold a secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchRequest")
            .field("query_bytes", &self.query.len())
            .field("session_key", &self.session_key)
            .field("agent_id", &self.agent_id)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// A request whose values are within their bounds. Names are not looked up yet.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    pub(crate) query: Arc<Query>,
    /// Role, times and project; sessions are filled in for each store.
    pub(crate) filter: Filter,
    pub(crate) order: Order,
    pub(crate) limit: usize,
    pub(crate) per_session: Option<usize>,
    pub(crate) exclude_current: bool,
    pub(crate) strict: bool,
}

/// Checks every value; the error names the range.
pub(crate) fn check(context: &Context, request: &SearchRequest) -> Result<Checked, ApiError> {
    // What is copied from an answer finds what the answer showed: a marker is no word here either.
    let query = Query::parse_skipping(&request.query, &markers(&request.query))?;
    let limit = match request.limit {
        None => SearchLimit::DEFAULT,
        Some(limit) if context.is_operator() => SearchLimit::for_operator(limit)?,
        Some(limit) => SearchLimit::for_caller(limit)?,
    };
    let per_session = match request.per_session {
        None => PerSession::DEFAULT,
        Some(per_session) => PerSession::new(per_session)?,
    };
    let time = |input: &Option<TimeInput>, end| {
        input.as_ref().map(|input| times::read(input, end, context.zone())).transpose()
    };
    let project = request.project.clone();
    if project.as_ref().is_some_and(|project| project.is_empty() || project.len() > MAX_PROJECT_BYTES) {
        return Err(ApiError::Invalid(format!("project must have from 1 to {MAX_PROJECT_BYTES} bytes")));
    }
    let filter = Filter {
        role: request.role,
        since: time(&request.since, End::Since)?,
        until: time(&request.until, End::Until)?,
        project,
        ..Filter::default()
    };
    Ok(Checked {
        query: Arc::new(query),
        filter,
        order: request.order.unwrap_or_default(),
        limit: limit.get(),
        per_session: if request.session_key.is_some() { None } else { Some(per_session.get()) },
        exclude_current: request.exclude_current,
        strict: request.strict,
    })
}

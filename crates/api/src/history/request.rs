//! What is asked.

use serde::{Deserialize, Serialize};

use crate::serde_forms::null_is_default;

/// A page of a session's history (CONTRACT 3). Without an anchor or cursor: the newest page of the current
/// transcript. A cursor counts before an anchor. Unknown fields are refused.
///
/// ```
/// use session_search_api::HistoryRequest;
/// let request: HistoryRequest = serde_json::from_str(r#"{"sessionKey":"agent:main:main","messageId":"m7"}"#)?;
/// assert_eq!(request.message_id.as_deref(), Some("m7"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HistoryRequest {
    /// The session, as a hit or a list names it.
    pub session_key: String,
    /// Its agent, as a hit or a list names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The transcript, as a hit names it; without it the one that holds `messageId`, or the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// A message, as a hit names it: the page is centred on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// How many messages at most: 1 to 100; 20 where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// The `older` cursor of a page: the page before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The `newer` cursor of a page: the page after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Show tool calls and results with their message.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "std::ops::Not::not")]
    pub include_tools: bool,
    /// With `messageId`: read that message's text from this character on (`nextTextOffset` of a truncated message).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_offset: Option<i64>,
}

impl HistoryRequest {
    /// The newest page of a session.
    #[must_use]
    pub fn newest(session_key: impl Into<String>) -> HistoryRequest {
        HistoryRequest { session_key: session_key.into(), ..HistoryRequest::default() }
    }
}

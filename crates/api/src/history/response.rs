//! What is answered.

use serde::Serialize;
use session_search_core::text::ToolKind;
use session_search_core::{AgentId, EventId, Role, SessionId, SessionKey};

/// A page of history, oldest first. As JSON at most 80 KiB.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HistoryResponse {
    /// The session's agent.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub agent_id: AgentId,
    /// The session.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub session_key: SessionKey,
    /// The transcript the page is of; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub session_id: Option<SessionId>,
    /// The messages.
    pub messages: Vec<HistoryMessage>,
    /// There are older messages: pass it as `before`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<String>,
    /// There are newer messages: pass it as `after`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<String>,
    /// Why the page is empty, or holds less than was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A message of a page. As JSON at most 16 KiB.
#[derive(Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HistoryMessage {
    /// Its id.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub message_id: EventId,
    /// Who said it.
    #[cfg_attr(feature = "schema", schemars(with = "crate::serde_forms::RoleForm"))]
    pub role: Role,
    /// When, in epoch milliseconds.
    pub timestamp: i64,
    /// Its text, scrubbed; at most 4,000 characters.
    pub text: String,
    /// The text goes on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Where it goes on: pass it as `textOffset`, with the `messageId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_text_offset: Option<usize>,
    /// Secrets were replaced by markers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub redacted: bool,
    /// Its tool calls, and the results that follow it; there where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<HistoryTool>,
    /// How many further tool parts did not fit.
    #[serde(skip_serializing_if = "is_zero")]
    pub tools_omitted: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl std::fmt::Debug for HistoryMessage {
    /// Without the text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HistoryMessage")
            .field("message_id", &self.message_id)
            .field("role", &self.role)
            .field("bytes", &self.text.len())
            .finish_non_exhaustive()
    }
}

/// A tool call or result.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HistoryTool {
    /// `call` or `result`.
    #[cfg_attr(feature = "schema", schemars(with = "crate::serde_forms::ToolKindForm"))]
    pub kind: ToolKind,
    /// The tool, where the transcript says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its arguments as JSON, or its result; scrubbed; at most 2,000 characters.
    pub text: String,
    /// The text was cut.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

impl std::fmt::Debug for HistoryTool {
    /// Without the text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HistoryTool({:?}, {} bytes)", self.kind, self.text.len())
    }
}

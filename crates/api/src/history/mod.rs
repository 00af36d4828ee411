//! History: a page of a session, scrubbed and bounded (CONTRACT 3).

mod message;
mod page;
mod request;
mod response;

use session_search_core::limits::{HistoryLimit, MAX_SEARCHABLE_BYTES};
use session_search_core::store::{HistoryAnswer, HistoryFrom, HistoryPlan, MissingPlace};
use session_search_core::{Cursor, ErrorKind, EventId, SessionId, SessionName, Visible};

pub use request::HistoryRequest;
pub use response::{HistoryMessage, HistoryResponse, HistoryTool};

use crate::context::Context;
use crate::error::ApiError;
use crate::reach::Purpose;
use crate::session_search::Inner;
use page::Keep;

/// Where a request wants to read; or why there is nothing at that place.
type Wanted = Result<(Option<SessionId>, HistoryFrom), &'static str>;

const NO_TRANSCRIPT: &str =
    "this session has no transcript of that sessionId; leave it out to read the current one";
const NO_MESSAGE: &str = "no transcript of this session holds that message; it may have been deleted";
const OFF_BRANCH: &str = "that message is no longer part of the conversation, which was rewound to before it";
const NO_CURSOR: &str =
    "that is no cursor of this session; pass back older or newer exactly as a page gave it";

impl Inner {
    /// Answers a history request.
    pub(crate) async fn history(
        &self,
        context: &Context,
        request: &HistoryRequest,
    ) -> Result<HistoryResponse, ApiError> {
        let limit = request.limit.map_or(Ok(HistoryLimit::DEFAULT), HistoryLimit::new)?;
        let offset = text_offset(request)?;
        let wanted = wanted(request)?;
        let view = self.view(context, Purpose::Reading).await?;
        let name =
            self.named_session(context, &view, &request.session_key, request.agent_id.as_deref()).await?;
        let (session_id, from) = match wanted {
            Ok(wanted) => wanted,
            Err(reason) => return Ok(nothing(name, reason)),
        };
        let plan = HistoryPlan {
            key: name.key.clone(),
            session_id,
            from,
            limit: limit.get(),
            include_tools: request.include_tools,
        };
        let visible = match view.within(&name.agent) {
            // Narrowing would leave incognito sessions out.
            Visible::Everything => Visible::Everything,
            visible => visible.narrowed_to(&name.key),
        };
        let answer = match self.stores.lease(&name.agent, false).await? {
            Some(lease) => lease.store().history(&visible, &plan).await,
            None => return Ok(nothing(name, "this session has no messages yet")),
        };
        let (page, reason) = match answer {
            Ok(HistoryAnswer::Page(page)) => (page, None),
            Ok(HistoryAnswer::Missing(missing)) => {
                return Ok(nothing(name, missing_reason(missing, &plan.from)));
            }
            // The session that asks, before its first message; or one that was deleted this very moment.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(nothing(name, "this session has no messages yet"));
            }
            Err(error) => return Err(error.into()),
        };
        let reason = reason.or_else(|| page.messages.is_empty().then(|| empty_reason(&plan.from)));
        let keep = Keep::of(&plan.from, &page);
        let writer = message::Writer {
            cleaner: if context.shows_secrets() { None } else { Some(&self.cleaner) },
            include_tools: request.include_tools,
        };
        Ok(page::build(name, page, keep, offset, reason, &writer))
    }
}

/// What is read from the request about the place. A malformed id or cursor is one that is not there.
fn wanted(request: &HistoryRequest) -> Result<Wanted, ApiError> {
    if request.before.is_some() && request.after.is_some() {
        return Err(ApiError::Invalid("before and after exclude each other; pass one cursor".into()));
    }
    let session_id = match request.session_id.as_deref().map(SessionId::new) {
        None => None,
        Some(Ok(id)) => Some(id),
        Some(Err(_)) => return Ok(Err(NO_TRANSCRIPT)),
    };
    let cursor = request.before.as_ref().or(request.after.as_ref());
    let from = match (cursor.map(|cursor| cursor.parse::<Cursor>()), request.message_id.as_deref()) {
        (Some(Err(_)), _) => return Ok(Err(NO_CURSOR)),
        (Some(Ok(cursor)), _) if request.before.is_some() => HistoryFrom::Before(cursor),
        (Some(Ok(cursor)), _) => HistoryFrom::After(cursor),
        (None, Some(id)) => match EventId::new(id) {
            Ok(id) => HistoryFrom::Around(id),
            Err(_) => return Ok(Err(NO_MESSAGE)),
        },
        (None, None) => HistoryFrom::Newest,
    };
    Ok(Ok((session_id, from)))
}

/// Where the anchor's text is read on. An offset of 0 means nothing, with or without an anchor.
fn text_offset(request: &HistoryRequest) -> Result<usize, ApiError> {
    let offset = request.text_offset.unwrap_or(0);
    let range = i64::try_from(MAX_SEARCHABLE_BYTES).unwrap_or(i64::MAX);
    if !(0..=range).contains(&offset) {
        return Err(ApiError::Invalid(format!("textOffset is {offset}; it must be from 0 to {range}")));
    }
    if offset > 0 && request.message_id.is_none() {
        return Err(ApiError::Invalid(
            "textOffset needs a messageId: the message whose text is read on".into(),
        ));
    }
    if offset > 0 && (request.before.is_some() || request.after.is_some()) {
        return Err(ApiError::Invalid(
            "textOffset goes with a messageId, not with a cursor; leave one out".into(),
        ));
    }
    usize::try_from(offset).map_err(ApiError::invalid)
}

fn missing_reason(missing: MissingPlace, from: &HistoryFrom) -> &'static str {
    match (missing, from) {
        (MissingPlace::OffBranch, _) => OFF_BRANCH,
        (_, HistoryFrom::Before(_) | HistoryFrom::After(_)) => NO_CURSOR,
        (MissingPlace::Transcript, _) => NO_TRANSCRIPT,
        (MissingPlace::Message, _) => NO_MESSAGE,
    }
}

fn empty_reason(from: &HistoryFrom) -> &'static str {
    match from {
        HistoryFrom::Before(_) => "there is nothing older",
        HistoryFrom::After(_) => "there is nothing newer yet",
        HistoryFrom::Newest | HistoryFrom::Around(_) => "this transcript has no messages",
    }
}

fn nothing(name: SessionName, reason: &str) -> HistoryResponse {
    HistoryResponse {
        agent_id: name.agent,
        session_key: name.key,
        session_id: None,
        messages: Vec::new(),
        older: None,
        newer: None,
        reason: Some(reason.to_owned()),
    }
}

//! What can go wrong, in words that say what to do.

use serde::Serialize;
use session_search_core::query::QueryError;
use session_search_core::{ErrorKind, IdError, StoreError};

/// What a caller reads who names a session or an agent that it may not see, or that is not there: the same words
/// for both, so that they tell nothing.
pub const FORBIDDEN: &str =
    "no session or agent of that name is visible to this caller; list the sessions to see which are";

/// Why a request got no answer. Holds no message text and no secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// The request is wrong; the sentence says what to write instead, and names ranges.
    #[error("{0}")]
    Invalid(String),
    /// The caller may not see what it named, or there is no such thing.
    #[error("{FORBIDDEN}")]
    Forbidden,
    /// What the operator named is not there.
    #[error("{0}")]
    NotFound(String),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A failure as JSON: `{"status":"error"|"forbidden","error":"…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// `forbidden`, or `error` for everything else.
    pub status: &'static str,
    /// What was wrong, and what to do.
    pub error: String,
}

impl ApiError {
    /// `forbidden`, or `error` for everything else.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self {
            ApiError::Forbidden => "forbidden",
            ApiError::Invalid(_) | ApiError::NotFound(_) | ApiError::Store(_) => "error",
        }
    }

    /// Whether another request, put differently, could succeed: what a model is told as a result, not as a fault of
    /// the server.
    #[must_use]
    pub fn is_mendable(&self) -> bool {
        match self {
            ApiError::Invalid(_) | ApiError::Forbidden | ApiError::NotFound(_) => true,
            ApiError::Store(error) => matches!(error.kind(), ErrorKind::Busy | ErrorKind::NotFound),
        }
    }

    /// As JSON.
    ///
    /// ```
    /// let failure = session_search_api::ApiError::Forbidden.failure();
    /// assert_eq!(failure.status, "forbidden");
    /// ```
    #[must_use]
    pub fn failure(&self) -> Failure {
        Failure { status: self.status(), error: self.to_string() }
    }

    pub(crate) fn invalid(what: impl std::fmt::Display) -> ApiError {
        ApiError::Invalid(what.to_string())
    }
}

impl From<QueryError> for ApiError {
    fn from(error: QueryError) -> ApiError {
        ApiError::invalid(error)
    }
}

impl From<IdError> for ApiError {
    fn from(error: IdError) -> ApiError {
        ApiError::invalid(error)
    }
}

impl From<session_search_core::limits::OutOfRange> for ApiError {
    fn from(error: session_search_core::limits::OutOfRange) -> ApiError {
        ApiError::invalid(error)
    }
}

//! From the driver's errors to ours. No SQL parameter, and so no message text, stands in either.

use rusqlite::ErrorCode;
use session_search_core::{ErrorKind, StoreError};

pub(crate) type Result<T> = std::result::Result<T, StoreError>;

/// What a caller can act on, for an error of the driver.
fn kind(error: &rusqlite::Error) -> ErrorKind {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ErrorKind::Busy,
        Some(ErrorCode::DiskFull) => ErrorKind::Full,
        Some(ErrorCode::ReadOnly) => ErrorKind::ReadOnly,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => ErrorKind::Corrupt,
        Some(ErrorCode::OperationInterrupted) => ErrorKind::Cancelled,
        Some(ErrorCode::TooBig) => ErrorKind::Limit,
        _ => ErrorKind::Io,
    }
}

fn advice(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Busy => "another process holds the store; try again, or wait longer",
        ErrorKind::Full => "the disk is full; make room and try again",
        ErrorKind::ReadOnly => "the store can be read only; check the rights of the file and its directory",
        ErrorKind::Corrupt => {
            "the file is damaged or no store; run verify with --repair, or restore it from a copy"
        }
        ErrorKind::Cancelled => "the read was given up",
        ErrorKind::Limit => "a value is too big for the database",
        _ => "the database answered with an error",
    }
}

/// Wraps an error of the driver, saying what was tried.
pub(crate) trait Tried<T> {
    /// `what` completes "cannot …".
    fn tried(self, what: &str) -> Result<T>;
}

impl<T> Tried<T> for std::result::Result<T, rusqlite::Error> {
    fn tried(self, what: &str) -> Result<T> {
        self.map_err(|error| {
            let kind = kind(&error);
            // Only the code goes along: some of the driver's messages repeat what they were given.
            let code = error.sqlite_error().map_or(0, |error| error.extended_code);
            StoreError::new(kind, format!("cannot {what}: {}", advice(kind)))
                .with_source(describe(&error, code))
        })
    }
}

fn describe(error: &rusqlite::Error, code: i32) -> String {
    if code != 0 {
        return format!("SQLite result {code}: {}", rusqlite::ffi::code_to_str(code));
    }
    match error {
        rusqlite::Error::QueryReturnedNoRows => "a row that should be there is not".to_owned(),
        rusqlite::Error::InvalidColumnType(_, column, kind) => format!("column {column} holds {kind}"),
        _ => "the driver refused the call".to_owned(),
    }
}

/// A stored value that breaks what this program keeps.
pub(crate) fn damaged(what: &str) -> StoreError {
    StoreError::new(ErrorKind::Corrupt, format!("the store is damaged ({what}); run verify with repair"))
}

/// A session, transcript or event that is not there.
pub(crate) fn not_found(what: impl std::fmt::Display) -> StoreError {
    StoreError::new(ErrorKind::NotFound, format!("{what} does not exist"))
}

/// The answer after the store was closed.
pub(crate) fn closed() -> StoreError {
    StoreError::new(ErrorKind::Closed, "the store was closed; open it again")
}

/// A panic in one of the store's threads, caught.
pub(crate) fn panicked() -> StoreError {
    StoreError::new(ErrorKind::Io, "the store failed inside; nothing was changed, please report it")
}

//! What can go wrong, and the exit status that it ends with.

use std::io;

use session_search_api::ApiError;

/// Why a command did not do what was asked. Message text and credentials never stand in one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A value on the command line that is refused before a use case sees it.
    #[error("{0}")]
    Value(String),
    /// A file or a stream that cannot be used.
    #[error("{0}")]
    System(String),
    /// A line of standard input; the lines before it stay.
    #[error("line {line}: {why}")]
    Line {
        /// From 1.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
    /// A use case failed or refused.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// The command did what it could and printed its report; this says what is wrong.
    #[error("{0}")]
    Reported(String),
    /// Nobody reads standard output any more: no failure, but the end of the work.
    #[error("standard output was closed")]
    Closed,
}

/// The exit statuses of CONTRACT 8; 2 is clap's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done, also without hits.
    Done = 0,
    /// Failed, refused or forbidden.
    Failed = 1,
}

impl Failure {
    /// The status that the program ends with.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Failure::Closed => Exit::Done,
            Failure::Value(_)
            | Failure::System(_)
            | Failure::Line { .. }
            | Failure::Api(_)
            | Failure::Reported(_) => Exit::Failed,
        }
    }

    /// `error` or `forbidden`, as the failure stands in JSON.
    pub(crate) fn status(&self) -> &'static str {
        match self {
            Failure::Api(error) => error.status(),
            Failure::Value(_)
            | Failure::System(_)
            | Failure::Line { .. }
            | Failure::Reported(_)
            | Failure::Closed => "error",
        }
    }

    /// A failure of standard output: its end is no error.
    pub(crate) fn output(error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::System(format!("cannot write to standard output: {error}")),
        }
    }

    /// A failure of standard input.
    pub(crate) fn input(error: &io::Error) -> Failure {
        Failure::System(format!("cannot read standard input: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_the_end_and_no_failure() {
        assert_eq!(Failure::output(&io::ErrorKind::BrokenPipe.into()).exit(), Exit::Done);
        assert_eq!(Failure::output(&io::ErrorKind::StorageFull.into()).exit(), Exit::Failed);
    }
}

//! What a reconciler tells about itself.

use session_search_core::ErrorKind;

/// What a reconciler does at the moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    /// It has not looked yet.
    #[default]
    New,
    /// It takes steps.
    Working,
    /// The last step found nothing left to do.
    Idle,
    /// What is left waits for something outside (a reader that holds up a checkpoint).
    Waiting,
    /// The last step failed; it will be tried again, unless the store is closed or read-only.
    Failed(ErrorKind),
    /// It was stopped, or the store was closed.
    Stopped,
}

/// A report, as the watch channel carries it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// What it does.
    pub state: State,
    /// Steps taken since it was made.
    pub steps: u64,
    /// Index entries written or removed since it was made.
    pub entries: u64,
}

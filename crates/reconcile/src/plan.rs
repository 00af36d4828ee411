//! What to do next, given how the last step ended. Pure: no clock, no runtime, no store.

use std::time::Duration;

use session_search_core::store::ReconcileStep;
use session_search_core::{ErrorKind, StoreError};

/// How a step ended, as far as the plan cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is pending.
    Idle,
    /// Work was done; there may be more.
    Progress,
    /// What is left waits for something that a further step cannot hurry.
    Waiting,
    /// Another process or thread holds the store.
    Busy,
    /// The store was closed: there will never be work again.
    Closed,
    /// The store can be read only: somebody else has to do the work.
    ReadOnly,
    /// Any other failure.
    Failed,
}

impl Outcome {
    /// Reads the answer of a store.
    #[must_use]
    pub fn of(answer: &Result<ReconcileStep, StoreError>) -> Outcome {
        match answer {
            Ok(ReconcileStep::Idle) => Outcome::Idle,
            Ok(ReconcileStep::Progress { .. }) => Outcome::Progress,
            Ok(ReconcileStep::Waiting) => Outcome::Waiting,
            Err(error) => match error.kind() {
                ErrorKind::Busy => Outcome::Busy,
                ErrorKind::Closed => Outcome::Closed,
                ErrorKind::ReadOnly => Outcome::ReadOnly,
                _ => Outcome::Failed,
            },
        }
    }
}

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Let others run, then take a step.
    Step,
    /// Rest. A wake counts once `at_least` has passed; without one the next step is due after `at_most`, or never
    /// where that is `None`.
    Rest {
        /// Before this no wake is heeded.
        at_least: Duration,
        /// After this a step is due in any case.
        at_most: Option<Duration>,
    },
    /// Nothing will ever be due again.
    Stop,
}

/// How long rests last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Between looks at an idle store; `None`: only a wake leads to one.
    pub interval: Option<Duration>,
    /// The first rest after [`Outcome::Busy`], [`Outcome::Waiting`] or a failure; doubled with each further one.
    pub first_backoff: Duration,
    /// The longest such rest.
    pub longest_backoff: Duration,
}

impl Default for Pace {
    /// Every 30 seconds; backoff from 100 ms to 30 seconds.
    fn default() -> Pace {
        Pace {
            interval: Some(Duration::from_secs(30)),
            first_backoff: Duration::from_millis(100),
            longest_backoff: Duration::from_secs(30),
        }
    }
}

/// The state machine. It remembers how often it was put off since the store was last idle.
///
/// ```
/// use session_search_reconcile::{Next, Outcome, Pace, Plan};
/// let mut plan = Plan::new(Pace { interval: None, ..Pace::default() });
/// assert_eq!(plan.after(Outcome::Progress), Next::Step);
/// assert!(matches!(plan.after(Outcome::Idle), Next::Rest { at_most: None, .. }));
/// assert_eq!(plan.after(Outcome::Closed), Next::Stop);
/// ```
#[derive(Debug, Clone)]
pub struct Plan {
    pace: Pace,
    put_off: u32,
}

impl Plan {
    /// A plan that was not put off yet.
    #[must_use]
    pub fn new(pace: Pace) -> Plan {
        Plan { pace, put_off: 0 }
    }

    /// What to do after a step that ended so.
    pub fn after(&mut self, outcome: Outcome) -> Next {
        match outcome {
            Outcome::Progress => Next::Step,
            Outcome::Idle => {
                self.put_off = 0;
                Next::Rest { at_least: Duration::ZERO, at_most: self.pace.interval }
            }
            // New work may arrive while old work waits, so a wake counts, but never more often than this.
            Outcome::Waiting => {
                Next::Rest { at_least: self.pace.first_backoff, at_most: Some(self.next_backoff()) }
            }
            // A wake does not free a lock and mends no disk.
            Outcome::Busy | Outcome::Failed => {
                let rest = self.next_backoff();
                Next::Rest { at_least: rest, at_most: Some(rest) }
            }
            Outcome::Closed | Outcome::ReadOnly => Next::Stop,
        }
    }

    fn next_backoff(&mut self) -> Duration {
        let factor = 1_u32.checked_shl(self.put_off).unwrap_or(u32::MAX);
        self.put_off = self.put_off.saturating_add(1);
        self.pace.first_backoff.saturating_mul(factor).min(self.pace.longest_backoff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn plan() -> Plan {
        Plan::new(Pace { interval: Some(MS(1_000)), first_backoff: MS(10), longest_backoff: MS(100) })
    }

    fn at_most(next: Next) -> Duration {
        match next {
            Next::Rest { at_most: Some(rest), .. } => rest,
            other => panic!("no rest: {other:?}"),
        }
    }

    #[test]
    fn backoff_doubles_up_to_its_bound() {
        let mut plan = plan();
        let rests: Vec<_> = (0..6).map(|_| at_most(plan.after(Outcome::Busy))).collect();
        assert_eq!(rests, [MS(10), MS(20), MS(40), MS(80), MS(100), MS(100)]);
        for _ in 0..100 {
            assert_eq!(at_most(plan.after(Outcome::Waiting)), MS(100));
        }
    }

    #[test]
    fn progress_does_not_reset_it_and_idleness_does() {
        let mut plan = plan();
        plan.after(Outcome::Waiting);
        plan.after(Outcome::Busy);
        assert_eq!(plan.after(Outcome::Progress), Next::Step);
        assert_eq!(at_most(plan.after(Outcome::Waiting)), MS(40));
        assert_eq!(at_most(plan.after(Outcome::Idle)), MS(1_000));
        assert_eq!(at_most(plan.after(Outcome::Waiting)), MS(10));
    }

    #[test]
    fn wakes_count_while_waiting_but_not_while_busy() {
        let mut plan = plan();
        plan.after(Outcome::Waiting);
        assert_eq!(plan.after(Outcome::Waiting), Next::Rest { at_least: MS(10), at_most: Some(MS(20)) });
        assert_eq!(plan.after(Outcome::Busy), Next::Rest { at_least: MS(40), at_most: Some(MS(40)) });
        assert_eq!(plan.after(Outcome::Failed), Next::Rest { at_least: MS(80), at_most: Some(MS(80)) });
        assert_eq!(plan.after(Outcome::Idle), Next::Rest { at_least: MS(0), at_most: Some(MS(1_000)) });
    }

    #[test]
    fn some_stores_never_need_it_again() {
        assert_eq!(plan().after(Outcome::Closed), Next::Stop);
        assert_eq!(plan().after(Outcome::ReadOnly), Next::Stop);
    }

    #[test]
    fn answers_are_read_by_kind() {
        let failed = |kind| Outcome::of(&Err(StoreError::new(kind, "x")));
        assert_eq!(failed(ErrorKind::Busy), Outcome::Busy);
        assert_eq!(failed(ErrorKind::Closed), Outcome::Closed);
        assert_eq!(failed(ErrorKind::ReadOnly), Outcome::ReadOnly);
        assert_eq!(failed(ErrorKind::Full), Outcome::Failed);
        assert_eq!(Outcome::of(&Ok(ReconcileStep::Progress { entries: 1 })), Outcome::Progress);
        assert_eq!(Outcome::of(&Ok(ReconcileStep::Waiting)), Outcome::Waiting);
        assert_eq!(Outcome::of(&Ok(ReconcileStep::Idle)), Outcome::Idle);
    }
}

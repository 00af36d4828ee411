//! The time of arrival, as a port, so that tests can fix it.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use session_search_core::Millis;
use session_search_core::time::MAX_MILLIS;

/// Tells the time at which an event arrives. Searches never ask it.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Now.
    fn now(&self) -> Millis;
}

/// The clock of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis(i64::try_from(since.as_millis()).unwrap_or(MAX_MILLIS).min(MAX_MILLIS))
    }
}

/// A clock that stands still.
#[derive(Debug, Clone, Copy)]
pub struct FixedClock(
    /// The time it tells.
    pub Millis,
);

impl Clock for FixedClock {
    fn now(&self) -> Millis {
        self.0
    }
}

/// A new id that sorts by time (UUID version 7).
pub(crate) fn new_id(now: Millis) -> String {
    let millis = u64::try_from(now.0).unwrap_or(0);
    let nanos = u32::try_from(millis % 1_000).unwrap_or(0) * 1_000_000;
    let time = uuid::Timestamp::from_unix(uuid::NoContext, millis / 1_000, nanos);
    uuid::Uuid::new_v7(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_carry_the_time_and_differ() {
        let ids: Vec<_> = (0..3).map(|_| new_id(Millis(1_764_540_000_123))).collect();
        // The first 48 bits are the milliseconds: 1764540000123 = 0x19ad69d5f7b (computed by hand).
        assert!(
            ids.iter().all(|id| id.replace('-', "").starts_with(&format!("{:012x}", 1_764_540_000_123_u64)))
        );
        assert!(ids[0] != ids[1] && ids[1] != ids[2]);
    }
}

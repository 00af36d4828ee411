//! The branch of a pending transcript, remembered between steps of reconciliation so that it is walked once.

use rusqlite::Connection;

use crate::branch::Walk;
use crate::error::Result;
use crate::events::{self, Link};
use crate::transcripts::Transcript;

/// The entries that a branch should have, in order.
#[derive(Debug)]
pub(crate) struct Plan {
    transcript: i64,
    leaf: Option<i64>,
    nums: Vec<i64>,
}

impl Plan {
    /// The plan of a transcript: the one at hand where its leaf only grew since, else a new one.
    pub(crate) fn of(conn: &Connection, transcript: &Transcript, old: Option<Plan>) -> Result<Plan> {
        if let Some(mut plan) = old.filter(|plan| plan.transcript == transcript.num)
            && plan.catch_up(conn, transcript)?
        {
            return Ok(plan);
        }
        let (nodes, _) = Walk::from(conn, transcript.num, transcript.leaf).whole()?;
        let nums = nodes.iter().filter(|node| node.kind.is_entry()).map(|node| node.num).collect();
        Ok(Plan { transcript: transcript.num, leaf: transcript.leaf, nums })
    }

    /// Follows a leaf that grew by few events.
    fn catch_up(&mut self, conn: &Connection, transcript: &Transcript) -> Result<bool> {
        const FEW: usize = 10_000;
        let Some(known) = self.leaf else { return Ok(false) };
        let mut next = transcript.leaf;
        let mut more = Vec::new();
        for _ in 0..FEW {
            let Some(num) = next else { return Ok(false) };
            if num == known {
                more.reverse();
                self.nums.extend(more);
                self.leaf = transcript.leaf;
                // A parent that came late, or a purge, shows in the number.
                return Ok(i64::try_from(self.nums.len()) == Ok(transcript.length));
            }
            let Some(head) = events::head(conn, num)? else { return Ok(false) };
            if head.kind.is_entry() {
                more.push(num);
            }
            let Link::Event(parent) = head.link else { return Ok(false) };
            next = Some(parent);
        }
        Ok(false)
    }

    /// The events of entries from this ordinal on, at most so many.
    pub(crate) fn slice(&self, from: i64, most: usize) -> &[i64] {
        let from = usize::try_from(from).unwrap_or(usize::MAX).min(self.nums.len());
        let to = from.saturating_add(most).min(self.nums.len());
        &self.nums[from..to]
    }

    /// How many entries the branch should have.
    pub(crate) fn length(&self) -> i64 {
        i64::try_from(self.nums.len()).unwrap_or(i64::MAX)
    }
}

//! `sessions delete`, `purge` and `rewind`: what takes sessions or messages away.

use std::time::Duration;

use jiff::Zoned;

use super::Work;
use crate::age;
use crate::args::{DeleteArgs, PurgeArgs, RewindArgs};
use crate::error::Failure;
use crate::render::receipts;

pub(super) fn delete(work: &Work, args: &DeleteArgs) -> Result<(), Failure> {
    let outcome = work.with_sessions(|sessions| async move {
        Ok(sessions.delete(&args.key, args.agent.as_deref()).await?)
    })?;
    if work.output.json {
        return work.output.document(&outcome);
    }
    work.output.text(&receipts::deleted(&outcome))
}

pub(super) fn purge(work: &Work, args: &PurgeArgs) -> Result<(), Failure> {
    let now = Zoned::now();
    let before = age::cutoff(&args.older_than, &now)?;
    let millis = now.timestamp().as_millisecond().saturating_sub(before);
    let age = Duration::from_millis(u64::try_from(millis).unwrap_or(0));
    let outcome = work.with_sessions(|sessions| async move { Ok(sessions.purge(age).await?) })?;
    if work.output.json {
        work.output.document(&outcome)?;
    } else {
        work.output.text(&receipts::deleted(&outcome))?;
    }
    if outcome.failed.is_empty() {
        return Ok(());
    }
    let agents = outcome.failed.join(", ");
    Err(Failure::Reported(format!(
        "nothing was deleted of agents whose stores failed: {agents}; see `sessions status`"
    )))
}

pub(super) fn rewind(work: &Work, args: &RewindArgs) -> Result<(), Failure> {
    let outcome = work.with_sessions(|sessions| async move {
        Ok(sessions.rewind(&args.key, args.agent.as_deref(), &args.to, args.purge).await?)
    })?;
    if work.output.json {
        return work.output.document(&outcome);
    }
    work.output.text(&receipts::rewound(&outcome, args.purge))
}

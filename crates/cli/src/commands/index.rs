//! `sessions status`, `reindex` and `verify`.

use std::time::Duration;

use serde::Serialize;

use super::Work;
use crate::args::{ReindexArgs, VerifyArgs};
use crate::error::Failure;
use crate::progress::Progress;
use crate::render::index;

/// Long enough to be for ever, short enough to be added to a clock.
const FOR_EVER: Duration = Duration::from_hours(24 * 365);

/// A document with what each agent's store said. Made by way of values, where a field counts once that both the
/// envelope and the store's own answer have.
fn document(work: &Work, agents: &impl Serialize) -> Result<(), Failure> {
    let agents = serde_json::to_value(agents).map_err(|error| Failure::System(error.to_string()))?;
    work.output.document(&serde_json::json!({"agents": agents}))
}

pub(super) fn status(work: &Work) -> Result<(), Failure> {
    let agents = work.with_sessions(|sessions| async move { Ok(sessions.status().await?) })?;
    let failed = agents.iter().filter(|agent| agent.error.is_some()).count();
    if work.output.json {
        document(work, &agents)?;
    } else {
        work.output.text(&index::status(&agents, work.output.screen))?;
    }
    if failed == 0 { Ok(()) } else { Err(Failure::Reported(format!("{failed} stores cannot be read"))) }
}

pub(super) fn reindex(work: &Work, args: &ReindexArgs) -> Result<(), Failure> {
    let session = args.key.as_deref().map(|key| (key, args.agent.as_deref()));
    let outcome = {
        let _progress = Progress::start("rebuilding the index", 0);
        work.with_sessions(|sessions| async move { Ok(sessions.reindex(session, FOR_EVER).await?) })?
    };
    if work.output.json {
        return work.output.document(&outcome);
    }
    work.output.text(&index::reindexed(outcome))
}

pub(super) fn verify(work: &Work, args: &VerifyArgs) -> Result<(), Failure> {
    let agents = {
        let _progress = Progress::start("comparing the index with the transcripts", 0);
        work.with_sessions(|sessions| async move { Ok(sessions.verify(args.repair).await?) })?
    };
    let found = |differs: &dyn Fn(&session_search_api::core::store::VerifyReport) -> bool| {
        agents.iter().filter(|agent| agent.answer.as_ref().is_some_and(differs)).count()
    };
    let differ = found(&|report| !report.differences.is_empty());
    let repaired = found(&|report| !report.differences.is_empty() && report.repaired);
    let failed = agents.iter().filter(|agent| agent.error.is_some()).count();
    if work.output.json {
        document(work, &agents)?;
    } else {
        work.output.text(&index::verified(&agents, work.output.screen))?;
    }
    match (differ, failed) {
        (0, 0) => Ok(()),
        (_, 1..) => Err(Failure::Reported(format!("{failed} stores cannot be verified"))),
        _ if repaired == differ => Err(Failure::Reported(
            "the index and the transcripts differed, and were repaired; verify again".to_owned(),
        )),
        _ => Err(Failure::Reported(
            "the index and the transcripts differ; `sessions verify --repair` mends what it can".to_owned(),
        )),
    }
}

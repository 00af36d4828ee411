//! The state of the index as people read it.

use std::fmt::Write;

use session_search_api::core::store::{StoreStatus, VerifyReport};
use session_search_api::{PerAgent, ReindexOutcome};
use session_search_redact::display;

use super::receipts::count;
use super::screen::{HEADING, Screen};

/// Each agent's store.
pub(crate) fn status(agents: &[PerAgent<StoreStatus>], screen: Screen) -> String {
    if agents.is_empty() {
        return "No agent has a store yet.\n".to_owned();
    }
    let mut out = String::new();
    for agent in agents {
        let _ = writeln!(out, "{}", screen.paint(HEADING, agent.agent_id.as_str()));
        match &agent.answer {
            Some(answer) => one(&mut out, answer),
            None => trouble(&mut out, agent.error.as_deref()),
        }
    }
    out
}

fn one(out: &mut String, status: &StoreStatus) {
    let (sessions, transcripts) =
        (count(status.sessions, "session"), count(status.transcripts, "transcript"));
    let _ = writeln!(out, "  {sessions}, {transcripts}, {}", count(status.events, "event"));
    let state = match (status.pending, status.erasing) {
        (0, false) => "complete".to_owned(),
        (0, true) => "complete; deleted bytes wait to be erased".to_owned(),
        (pending, false) => format!("{} pending", count(pending, "transcript")),
        (pending, true) => {
            format!("{} pending; deleted bytes wait to be erased", count(pending, "transcript"))
        }
    };
    let _ = writeln!(out, "  index {}: {}, {state}", status.index_version, count(status.indexed, "message"));
    let read_only = if status.read_only { ", read-only" } else { "" };
    let _ = writeln!(out, "  {} on disk, schema {}{read_only}", size(status.bytes), status.schema_version);
}

/// Bytes in the unit that fits.
fn size(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} bytes"),
    }
}

/// What reindexing did.
pub(crate) fn reindexed(outcome: ReindexOutcome) -> String {
    let what = count(outcome.transcripts, "transcript");
    if outcome.complete {
        format!("Rebuilt the index of {what}.\n")
    } else {
        format!("Began to rebuild the index of {what}; it goes on with the next search.\n")
    }
}

/// What verification found.
pub(crate) fn verified(agents: &[PerAgent<VerifyReport>], screen: Screen) -> String {
    if agents.is_empty() {
        return "No agent has a store yet.\n".to_owned();
    }
    let mut out = String::new();
    for agent in agents {
        let name = screen.paint(HEADING, agent.agent_id.as_str());
        let Some(report) = &agent.answer else {
            let _ = writeln!(out, "{name}");
            trouble(&mut out, agent.error.as_deref());
            continue;
        };
        let compared = format!("{} compared", count(report.checked, "message"));
        let state = match (report.differences.len(), report.repaired) {
            (0, _) => "no difference".to_owned(),
            (many, false) => count(many as u64, "difference"),
            (many, true) => format!("{}, repaired", count(many as u64, "difference")),
        };
        let _ = writeln!(out, "{name}: {compared}, {state}");
        for difference in &report.differences {
            let _ = writeln!(out, "  {}", display::escape(difference));
        }
    }
    out
}

fn trouble(out: &mut String, error: Option<&str>) {
    let _ = writeln!(out, "  {}", display::escape(error.unwrap_or("it gave no answer")));
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_in_the_unit_that_fits() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1_023, "1023 bytes"),
            (1_024, "1.0 KiB"),
            (1_536, "1.5 KiB"),
            (1 << 20, "1.0 MiB"),
            ((5 << 30) + (1 << 29), "5.5 GiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}

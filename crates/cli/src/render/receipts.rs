//! What was done, in a sentence.

use session_search_api::{DeleteOutcome, ErasureState, ImportReport, RewindOutcome};
use session_search_redact::display;

/// A count and its noun.
pub(crate) fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// What an import did.
pub(crate) fn imported(report: &ImportReport) -> String {
    let mut text = format!(
        "{} looked at, {} read: {} new",
        count(report.files, "file"),
        count(report.sessions, "session"),
        count(report.messages, "message")
    );
    for (number, what) in [
        (report.skipped, "already there"),
        (report.malformed, "could not be read"),
        (report.pending, "still being written"),
    ] {
        if number > 0 {
            text.push_str(&format!(", {number} {what}"));
        }
    }
    text + "\n"
}

/// What a deletion did.
pub(crate) fn deleted(outcome: &DeleteOutcome) -> String {
    let what = format!(
        "Deleted {} with {}. ",
        count(outcome.sessions, "session"),
        count(outcome.messages, "message")
    );
    what + &erasure(outcome.erasure, outcome.why.as_deref())
}

/// What a rewind did.
pub(crate) fn rewound(outcome: &RewindOutcome, purge: bool) -> String {
    let mut text = format!("Rewound transcript {}.", display::escape(outcome.session_id.as_str()));
    if outcome.pending {
        text.push_str(" Its index is brought up to date in the background.");
    }
    if purge {
        text.push_str(&format!(" Deleted {}. ", count(outcome.purged, "message")));
        return text + &erasure(outcome.erasure, outcome.why.as_deref());
    }
    text + "\n"
}

fn erasure(state: ErasureState, why: Option<&str>) -> String {
    match state {
        ErasureState::Done => "No byte of it is left.\n".to_owned(),
        ErasureState::Pending => {
            let why = why.unwrap_or("something still holds some bytes");
            format!("It is not found any more, but its bytes are not erased yet: {}\n", display::escape(why))
        }
    }
}

//! What the name of a file says: transcript or sidecar, live or archived, deleted, and which session.

use session_search_core::Millis;
use session_search_core::source::SourceRank;

use crate::found::time_in_name;

/// What a name may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// A transcript, by its name.
    Transcript,
    /// An OpenClaw database.
    Database,
    /// Something that belongs to transcripts but is none: locks, indexes, traces.
    Sidecar,
    /// Nothing that holds a transcript.
    Other,
}

/// What the name of a transcript file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileName {
    /// The name without its extensions and archive suffixes: in OpenClaw the session id.
    pub(crate) stem: String,
    /// Live, or archived at what time.
    pub(crate) rank: SourceRank,
    /// Whether it was marked as deleted.
    pub(crate) deleted: bool,
}

impl FileName {
    /// Reads a file's name (no directories).
    pub(crate) fn parse(name: &str) -> FileName {
        let plain = name.strip_suffix(".zst").unwrap_or(name);
        let live = |stem: &str| FileName { stem: stem.to_owned(), rank: SourceRank::Live, deleted: false };
        let archive = |stem: &str, time: Option<Millis>, deleted| FileName {
            stem: stem.to_owned(),
            rank: SourceRank::Archive(time.unwrap_or(Millis(0))),
            deleted,
        };
        if let Some((stem, rest)) = plain.split_once(".jsonl.") {
            if let Some(time) = rest.strip_prefix("reset.") {
                return archive(stem, time_in_name(time), false);
            }
            if let Some(time) = rest.strip_prefix("deleted.") {
                return archive(stem, time_in_name(time), true);
            }
            if let Some(rest) = rest.strip_prefix("bak-") {
                let millis = rest.rsplit('-').next().and_then(|millis| millis.parse().ok());
                return archive(stem, millis.and_then(Millis::from_number), false);
            }
            if let Some(time) = rest.strip_prefix("corrupt-") {
                let millis = time.split('-').next().and_then(|millis| millis.parse().ok());
                return archive(
                    stem,
                    time_in_name(time).or_else(|| millis.and_then(Millis::from_number)),
                    false,
                );
            }
            // An archive of a kind that is not known yet: the oldest of all.
            return archive(stem, None, false);
        }
        let stem = plain.strip_suffix(".jsonl").or_else(|| plain.strip_suffix(".json")).unwrap_or(plain);
        match stem.split_once(".checkpoint.") {
            // Its name tells no time. It is a copy from before a compaction, so it never counts most.
            Some((id, _)) => archive(id, None, false),
            None => live(stem),
        }
    }
}

/// Sorts a file by its name.
pub(crate) fn kind(name: &str) -> NameKind {
    const SIDECARS: [&str; 9] = [
        "sessions.json",
        "sessions-index.json",
        "session_index.jsonl",
        "journal.jsonl",
        "history.jsonl",
        "meta.json",
        "logs.json",
        "settings.json",
        "package.json",
    ];
    const SIDECAR_ENDS: [&str; 6] =
        [".lock", ".trajectory.jsonl", ".trajectory-path.json", ".meta.json", ".tmp", ".migrated"];
    if SIDECARS.contains(&name) || SIDECAR_ENDS.iter().any(|end| name.ends_with(end)) {
        return NameKind::Sidecar;
    }
    if name == "openclaw-agent.sqlite" {
        return NameKind::Database;
    }
    let plain = name.strip_suffix(".zst").unwrap_or(name);
    let transcript = plain.ends_with(".jsonl") || plain.ends_with(".json") || plain.contains(".jsonl.");
    if transcript { NameKind::Transcript } else { NameKind::Other }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_and_live_files() {
        let id = "bbbbbbbb-0000-4000-8000-000000000002";
        let check = |suffix: &str, rank, deleted| {
            let name = format!("{id}{suffix}");
            assert_eq!(kind(&name), NameKind::Transcript, "{name}");
            assert_eq!(FileName::parse(&name), FileName { stem: id.to_owned(), rank, deleted }, "{name}");
        };
        // date -u -d 2026-05-01T04:00:00Z +%s
        let at = SourceRank::Archive(Millis(1_777_608_000_000));
        check(".jsonl", SourceRank::Live, false);
        check(".jsonl.zst", SourceRank::Live, false);
        check(".jsonl.reset.2026-05-01T04-00-00.000Z", at, false);
        check(".jsonl.deleted.2026-05-01T04-00-00.000Z", at, true);
        check(".jsonl.deleted.2026-05-01T04-00-00.000Z.zst", at, true);
        check(".jsonl.bak-1234-1777608000000", at, false);
        check(".jsonl.corrupt-2026-05-01T04-00-00.000Z-0af3.jsonl", at, false);
        check(".jsonl.corrupt-1777608000000-0af3.jsonl", at, false);
        check(
            ".checkpoint.cccccccc-0000-4000-8000-000000000003.jsonl",
            SourceRank::Archive(Millis(0)),
            false,
        );
    }

    #[test]
    fn sidecars_are_no_transcripts() {
        for name in
            ["sessions.json", "a.jsonl.lock", "a.trajectory.jsonl", "agent-1.meta.json", "history.jsonl"]
        {
            assert_eq!(kind(name), NameKind::Sidecar, "{name}");
        }
        assert_eq!(kind("notes.md"), NameKind::Other);
        assert_eq!(kind("openclaw-agent.sqlite"), NameKind::Database);
    }
}

//! Whether the stores are older than the files they were imported from, told by size and time alone.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use session_search_api::SessionSearch;
use session_search_api::core::source::SourceMark;

use crate::output::Output;

/// How many files are looked at, the newest first: a look costs some microseconds each, and whoever works on
/// transcripts works on the newest.
const MOST_LOOKED_AT: usize = 500;

/// Says on standard error that imported files have changed since, and how to take the changes in. `fresh` was imported
/// just now. What cannot be looked at is no reason to bother anybody.
pub(super) async fn say(sessions: &SessionSearch, fresh: &[PathBuf], output: &Output) {
    let Ok(mut marks) = sessions.source_marks().await else { return };
    let fresh: Vec<PathBuf> = fresh.iter().filter_map(|path| path.canonicalize().ok()).collect();
    marks.retain(|(path, _)| !fresh.iter().any(|fresh| Path::new(path).starts_with(fresh)));
    marks.sort_by_key(|(_, mark)| std::cmp::Reverse(mark.modified_ns));
    let changed = marks.iter().take(MOST_LOOKED_AT).filter(|(path, mark)| has_changed(path, mark)).count();
    let files = match changed {
        0 => return,
        1 => "1 imported file has".to_owned(),
        many => format!("{many} imported files have"),
    };
    output.note(
        "note",
        &format!("{files} changed since: `sessions sync`, or `sessions import PATH`, takes the changes in"),
    );
}

/// Whether a file is there and is not as it was when it was read. One that is gone was kept, and is no news.
fn has_changed(path: &str, mark: &SourceMark) -> bool {
    std::fs::metadata(path)
        .is_ok_and(|now| now.len() != mark.size || modified_ns(&now) != Some(mark.modified_ns))
}

fn modified_ns(metadata: &Metadata) -> Option<i64> {
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_time_tell_a_change_and_a_file_that_is_gone_is_none() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "one").unwrap();
        let metadata = file.path().metadata().unwrap();
        let mark = SourceMark {
            size: 3,
            modified_ns: modified_ns(&metadata).unwrap(),
            inode: 0,
            offset: 3,
            hash: String::new(),
            state: String::new(),
        };
        let path = file.path().to_str().unwrap();
        assert!(!has_changed(path, &mark));
        assert!(has_changed(path, &SourceMark { size: 4, ..mark.clone() }));
        assert!(has_changed(path, &SourceMark { modified_ns: 1, ..mark.clone() }));
        assert!(!has_changed("/no/such/file", &mark));
    }
}

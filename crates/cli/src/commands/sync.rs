//! `sessions sync`: what the programs we know left in their usual places.

use std::path::PathBuf;

use session_search_api::SessionSearch;
use session_search_import::homes;

use super::{Work, import, watch};
use crate::args::{ImportOptions, SyncArgs};
use crate::error::Failure;

pub(super) fn run(work: &Work, args: &SyncArgs) -> Result<(), Failure> {
    work.with_sessions(|sessions| async move {
        if args.watch {
            return watch::run(work, &sessions).await;
        }
        once(work, &sessions).await
    })
}

async fn once(work: &Work, sessions: &SessionSearch) -> Result<(), Failure> {
    let places = places();
    if places.is_empty() {
        work.output
            .note("note", "no histories were found in the usual places; name them to `sessions import`");
    }
    let report = import::paths(sessions, &places, &ImportOptions::default()).await?;
    import::tell(&work.output, &report)?;
    match report.failed {
        0 => Ok(()),
        failed => Err(Failure::Reported(format!(
            "{failed} files could not be imported as a whole; see the warnings"
        ))),
    }
}

/// The usual places that are there.
pub(super) fn places() -> Vec<PathBuf> {
    homes(&|name| std::env::var_os(name)).into_iter().map(|home| home.path).collect()
}

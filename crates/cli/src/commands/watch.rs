//! `sessions sync --watch`: imports changes as they happen. The system tells what changed; no tree is walked again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use session_search_api::{ImportReport, SessionSearch};
use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::{Work, import, sync};
use crate::args::ImportOptions;
use crate::error::Failure;

/// Changes that follow each other within this time are imported together.
const QUIET: Duration = Duration::from_millis(300);
/// So many changed paths are imported without waiting for quiet: a writer that never pauses must not keep its text from
/// being found.
const MOST_TOGETHER: usize = 256;

/// What the watcher tells.
type Changes = UnboundedReceiver<notify::Result<notify::Event>>;

/// Watches until it is ended from outside.
pub(super) async fn run(work: &Work, sessions: &SessionSearch) -> Result<(), Failure> {
    let (sender, mut changes) = mpsc::unbounded_channel();
    let refuse = |error: notify::Error| Failure::System(format!("cannot watch for changes: {error}"));
    // Where nobody listens any more, there is nothing to tell.
    let mut watcher = notify::recommended_watcher(move |change| drop(sender.send(change))).map_err(refuse)?;
    // Watched before it is read: what changes in between is read twice, and stored once.
    let mut watched = BTreeSet::new();
    watch(&mut watcher, &mut watched, work);
    let places: Vec<PathBuf> = watched.iter().cloned().collect();
    told(work, &import::paths(sessions, &places, &ImportOptions::default()).await?)?;
    loop {
        let Some(changed) = next(&mut changes).await else { return Ok(()) };
        let fresh = watch(&mut watcher, &mut watched, work);
        let paths: Vec<PathBuf> = changed
            .into_iter()
            .filter(|path| within(path, &watched))
            .chain(fresh)
            .filter(|path| path.exists())
            .collect();
        if !paths.is_empty() {
            told(work, &import::paths(sessions, &paths, &ImportOptions::default()).await?)?;
        }
    }
}

/// Watches the places that are there now and were not before, and the directory of the user for those to come.
fn watch(watcher: &mut RecommendedWatcher, watched: &mut BTreeSet<PathBuf>, work: &Work) -> Vec<PathBuf> {
    if watched.is_empty()
        && let Some(home) = std::env::var_os("HOME")
        && let Err(error) = watcher.watch(Path::new(&home), RecursiveMode::NonRecursive)
    {
        work.output.note("warning", &format!("cannot watch for new histories: {error}"));
    }
    let mut fresh = Vec::new();
    for place in sync::places() {
        if watched.contains(&place) {
            continue;
        }
        match watcher.watch(&place, RecursiveMode::Recursive) {
            Ok(()) => {
                watched.insert(place.clone());
                fresh.push(place);
            }
            Err(error) => work.output.note("warning", &format!("cannot watch {}: {error}", place.display())),
        }
    }
    fresh
}

/// The paths that changed, once it is quiet; `None` where the watcher ended.
async fn next(changes: &mut Changes) -> Option<BTreeSet<PathBuf>> {
    let mut paths = BTreeSet::new();
    add(&mut paths, changes.recv().await?);
    while paths.len() < MOST_TOGETHER {
        match tokio::time::timeout(QUIET, changes.recv()).await {
            Ok(Some(change)) => add(&mut paths, change),
            Ok(None) => return None,
            Err(_) => break,
        }
    }
    Some(paths)
}

fn add(paths: &mut BTreeSet<PathBuf>, change: notify::Result<notify::Event>) {
    match change {
        // Being read is no change, and imports read.
        Ok(event) if matches!(event.kind, EventKind::Access(_) | EventKind::Remove(_)) => {}
        Ok(event) => paths.extend(event.paths),
        Err(error) => paths.extend(error.paths),
    }
}

/// Whether a path lies in a watched place; other entries of the user's directory are none of our business.
fn within(path: &Path, watched: &BTreeSet<PathBuf>) -> bool {
    watched.iter().any(|place| path.starts_with(place))
}

/// Tells what was new, and nothing where there was nothing.
fn told(work: &Work, report: &ImportReport) -> Result<(), Failure> {
    if report.messages > 0 || report.malformed > 0 || report.failed > 0 {
        return import::tell(&work.output, report);
    }
    Ok(())
}

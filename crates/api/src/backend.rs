//! The one file that names a backend: SQLite, one database per agent under a home.

use std::fs;
use std::io::ErrorKind as IoKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use session_search_core::{AgentId, ErrorKind, StoreError, TextPipeline, TranscriptStore};
use session_search_storage::{OpenMode, OpenOptions, SqliteStore};

use crate::pipeline::ScrubbedWords;
use crate::provider::StoreProvider;
use crate::settings::Settings;

/// The directory of agents within a home.
const AGENTS: &str = "agents";
/// The database within an agent's directory.
const DATABASE: &str = "sessions.sqlite";

/// The stores of a home.
pub(crate) fn provider(home: PathBuf, settings: &Settings) -> Arc<dyn StoreProvider> {
    let pipeline: Arc<dyn TextPipeline> = Arc::new(ScrubbedWords::new(Arc::clone(&settings.redactor)));
    Arc::new(SqliteHome { home, pipeline })
}

struct SqliteHome {
    home: PathBuf,
    pipeline: Arc<dyn TextPipeline>,
}

impl std::fmt::Debug for SqliteHome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteHome").field("home", &self.home).finish_non_exhaustive()
    }
}

#[async_trait]
impl StoreProvider for SqliteHome {
    async fn agents(&self) -> Result<Vec<AgentId>, StoreError> {
        let home = self.home.clone();
        blocking(move || agents(&home)).await
    }

    async fn open(
        &self,
        agent: &AgentId,
        create: bool,
    ) -> Result<Option<Arc<dyn TranscriptStore>>, StoreError> {
        // An agent id has no separator and no dot, so it stays within the home.
        let path = self.home.join(AGENTS).join(agent.as_str()).join(DATABASE);
        let (agent, pipeline) = (agent.clone(), Arc::clone(&self.pipeline));
        blocking(move || {
            if !create && matches!(path.try_exists(), Ok(false)) {
                return Ok(None);
            }
            let options = OpenOptions { mode: OpenMode::ReadWrite { create }, ..OpenOptions::default() };
            let store = SqliteStore::open(&path, agent, options, pipeline)?;
            Ok(Some(Arc::new(store) as Arc<dyn TranscriptStore>))
        })
        .await
    }
}

/// The agents that have a database, sorted. A home that is not there has none; one that is a file is an error.
fn agents(home: &Path) -> Result<Vec<AgentId>, StoreError> {
    let directory = home.join(AGENTS);
    let entries = match fs::read_dir(&directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == IoKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(&directory, error)),
    };
    let mut agents = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(&directory, error))?;
        let Some(agent) = entry.file_name().to_str().and_then(|name| AgentId::new(name).ok()) else {
            continue;
        };
        // A directory that cannot be looked into has a store, for all we know; opening it says what is wrong.
        if !matches!(entry.path().join(DATABASE).try_exists(), Ok(false)) {
            agents.push(agent);
        }
    }
    agents.sort();
    Ok(agents)
}

fn unreadable(directory: &Path, error: std::io::Error) -> StoreError {
    let message = format!(
        "cannot read {}: {error}; the home must be a directory that you may read",
        directory.display()
    );
    StoreError::new(ErrorKind::Io, message).with_source(error)
}

/// Runs what touches files on a thread that may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(_) => {
            Err(StoreError::new(ErrorKind::Cancelled, "the store was not opened: the program is stopping"))
        }
    }
}

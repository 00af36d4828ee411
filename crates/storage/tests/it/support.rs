//! Places for stores, and what several tests look for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use session_search_core::{TextPipeline, TranscriptStore};
use session_search_storage::{OpenOptions, SqliteStore, Synchronous};
use session_search_testkit::factory::{StoreFactory, StoreHome, agent};
use session_search_testkit::pipeline::TestPipeline;

/// Makes stores in temporary directories.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct SqliteFactory;

/// A temporary directory with a store.
pub(crate) struct Home {
    /// Gone with the home.
    pub(crate) directory: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Home {
        Home { directory: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("main").join("sessions.sqlite")
    }

    pub(crate) fn store(&self) -> SqliteStore {
        self.store_with(TestPipeline::plain())
    }

    pub(crate) fn store_with(&self, pipeline: Arc<dyn TextPipeline>) -> SqliteStore {
        SqliteStore::open(&self.path(), agent(), options(), pipeline).unwrap()
    }
}

/// Fast: what is tested is not the disk.
pub(crate) fn options() -> OpenOptions {
    OpenOptions { synchronous: Synchronous::Normal, ..OpenOptions::default() }
}

#[async_trait]
impl StoreFactory for SqliteFactory {
    async fn create(&self) -> Box<dyn StoreHome> {
        Box::new(Home::new())
    }
}

#[async_trait]
impl StoreHome for Home {
    async fn open(&self, pipeline: Arc<dyn TextPipeline>) -> Arc<dyn TranscriptStore> {
        Arc::new(self.store_with(pipeline))
    }
}

/// The files under a directory that hold these bytes.
pub(crate) fn files_with(directory: &Path, needle: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if memchr::memmem::find(&std::fs::read(&path).unwrap(), needle.as_bytes()).is_some() {
                found.push(path);
            }
        }
    }
    found
}

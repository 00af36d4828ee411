//! Which session a transcript file belongs to: `sessions.json` beside it, and the agent's database, which keeps the
//! older transcripts of a session too. Read when first asked, once for all files of a directory.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use session_search_core::source::SourceRank;
use session_search_core::{AgentId, SessionKey};

use crate::fields::Fields;
use crate::openclaw::sqlite::AgentDatabase;

/// No index longer than this is read.
const MAX_INDEX_BYTES: u64 = 256 << 20;

/// What an index says about a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its key.
    pub(crate) key: String,
    /// The key of the session that spawned it.
    pub(crate) spawned_by: Option<String>,
    /// What people call it.
    pub(crate) title: Option<String>,
}

/// The index of a directory of transcripts.
#[derive(Debug)]
pub(crate) struct Index {
    directory: PathBuf,
    content: OnceLock<Content>,
}

#[derive(Debug, Default)]
struct Content {
    entries: Vec<Entry>,
    by_session: HashMap<String, usize>,
    by_file: HashMap<String, usize>,
    /// Transcripts that the database holds itself.
    migrated: std::collections::HashSet<String>,
}

impl Index {
    /// The index of that directory; nothing is opened yet.
    pub(crate) fn new(directory: &Path) -> Index {
        Index { directory: directory.to_path_buf(), content: OnceLock::new() }
    }

    /// Whether there is a `sessions.json`.
    pub(crate) fn is_there(&self) -> bool {
        self.directory.join("sessions.json").is_file()
    }

    /// The entry of a transcript, by its session id or, first, its file's stem.
    pub(crate) fn entry(&self, stem: &str, session_id: &str) -> Option<&Entry> {
        let content = self.content();
        let at = content.by_file.get(stem).or_else(|| content.by_session.get(session_id));
        at.or_else(|| content.by_session.get(stem)).map(|at| &content.entries[*at])
    }

    /// The keys of all sessions.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.content().entries.iter().map(|entry| entry.key.as_str())
    }

    /// The entry of a key.
    pub(crate) fn of_key(&self, key: &str) -> Option<&Entry> {
        self.content().entries.iter().find(|entry| entry.key == key)
    }

    /// Whether the database holds that transcript, so that a file of it is only its past.
    pub(crate) fn is_migrated(&self, session_id: &str) -> bool {
        self.content().migrated.contains(session_id)
    }

    /// The agent that the key of a file's session names; else the one that most keys name.
    pub(crate) fn owner(&self, file_name: &str) -> Option<AgentId> {
        let stem = crate::names::FileName::parse(file_name).stem;
        let owner = |entry: &Entry| SessionKey::new(entry.key.as_str()).ok()?.owner().ok().flatten();
        if let Some(owner) = self.entry(&stem, &stem).and_then(owner) {
            return Some(owner);
        }
        let mut counts: std::collections::BTreeMap<AgentId, usize> = std::collections::BTreeMap::new();
        for owner in self.content().entries.iter().filter_map(owner) {
            *counts.entry(owner).or_default() += 1;
        }
        // The first by name of those that most keys name.
        counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(agent, _)| agent)
    }

    fn content(&self) -> &Content {
        self.content.get_or_init(|| {
            let mut content = Content::default();
            let path = self.directory.join("sessions.json");
            let fits = std::fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= MAX_INDEX_BYTES);
            if fits && let Ok(bytes) = std::fs::read(&path) {
                content.add_json(&String::from_utf8_lossy(&bytes));
            }
            let database = self.directory.parent().map(|agent| agent.join("agent/openclaw-agent.sqlite"));
            if let Some(database) = database.filter(|database| database.is_file()) {
                match AgentDatabase::open(&database) {
                    Ok(database) => content.add_database(&database),
                    Err(error) => tracing::debug!(%error, "the agent's database cannot be read"),
                }
            }
            content
        })
    }
}

impl Content {
    fn add(&mut self, entry: Entry) -> usize {
        match self.entries.iter().position(|known| known.key == entry.key) {
            Some(at) => {
                let known = &mut self.entries[at];
                known.spawned_by = entry.spawned_by.or(known.spawned_by.take());
                known.title = entry.title.or(known.title.take());
                at
            }
            None => {
                self.entries.push(entry);
                self.entries.len() - 1
            }
        }
    }

    fn add_json(&mut self, json: &str) {
        let json = session_search_core::json::repair_surrogates(json);
        let Some(map) = Fields::parse(&json) else { return };
        for (key, value) in map.iter() {
            let Some(fields) = crate::fields::object(value) else { continue };
            // The first occurrence of a key is the only one here, so no search for it is needed.
            self.entries.push(entry(key, &fields));
            let at = self.entries.len() - 1;
            if let Some(id) = fields.string("sessionId") {
                self.by_session.insert(id.into_owned(), at);
            }
            if let Some(file) = fields.string("sessionFile") {
                // The path may be stale, the name is not.
                let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
                self.by_file.insert(crate::names::FileName::parse(name).stem, at);
            }
        }
    }

    fn add_database(&mut self, database: &AgentDatabase) {
        for node in crate::openclaw::database::nodes(database) {
            self.add(node);
        }
        for (session_id, key) in crate::openclaw::database::windows(database) {
            let at = self.add(Entry { key, spawned_by: None, title: None });
            // A file that sessions.json names keeps its session.
            self.by_session.entry(session_id).or_insert(at);
        }
        self.migrated.extend(crate::openclaw::database::transcripts(database));
    }
}

/// An entry of `sessions.json`, or of `entry_json`.
pub(crate) fn entry(key: &str, fields: &Fields<'_>) -> Entry {
    let text =
        |name: &str| fields.string(name).map(|text| text.into_owned()).filter(|text| !text.trim().is_empty());
    let title = ["label", "displayName", "subject", "title"].into_iter().find_map(text);
    Entry { key: key.to_owned(), spawned_by: text("spawnedBy"), title }
}

/// The rank of a live file whose transcript the database goes on with: the newest of all archives.
pub(crate) const MIGRATED: SourceRank =
    SourceRank::Archive(session_search_core::Millis(session_search_core::time::MAX_MILLIS));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_json_names_keys_parents_and_titles() {
        let home = tempfile::tempdir().unwrap();
        let json = r#"{"agent:main:main":{"sessionId":"s1","sessionFile":"C:\\x\\s1.jsonl","label":"Retries"},
            "agent:main:subagent:u":{"sessionId":"s2","spawnedBy":"agent:main:main"},
            "agent:main:g:topic:5":{"sessionId":"s3","sessionFile":"/gone/s3-topic-5.jsonl"},"odd":7}"#;
        std::fs::write(home.path().join("sessions.json"), json).unwrap();
        let index = Index::new(home.path());
        assert_eq!(index.entry("s1", "s1").unwrap().title.as_deref(), Some("Retries"));
        assert_eq!(index.entry("x", "s2").unwrap().spawned_by.as_deref(), Some("agent:main:main"));
        assert_eq!(index.entry("s3-topic-5", "s3").unwrap().key, "agent:main:g:topic:5");
        assert!(index.entry("s9", "s9").is_none());
        assert_eq!(index.owner("s9.jsonl").unwrap().as_str(), "main");
        assert_eq!(index.keys().count(), 3);
    }
}

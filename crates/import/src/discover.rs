//! Finds the transcripts under paths. A file that the caller knows unchanged is not opened.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use session_search_core::AgentId;
use session_search_core::source::{SourceMark, TranscriptSource};

use crate::detect::{Detected, detect};
use crate::format::Format;
use crate::found::{Found, identity, path_name};
use crate::names::{self, FileName, NameKind};
use crate::open;
use crate::openclaw::index::Index;
use crate::openclaw::{database, place};
use crate::state::{State, is_unchanged};

/// How many files of no known format are named one by one.
const MAX_UNKNOWN_NAMED: usize = 20;

/// What to look for.
#[derive(Debug, Clone, Default)]
pub struct DiscoverOptions {
    /// The agent whose store takes everything; else each source's own.
    pub agent: Option<AgentId>,
    /// The format of everything; else told from the content.
    pub format: Option<Format>,
    /// Whether sources that are marked as deleted count.
    pub include_deleted: bool,
}

/// What was found, in the order of the paths.
#[derive(Default)]
pub struct Discovery {
    /// The sources.
    pub sources: Vec<Box<dyn TranscriptSource>>,
    /// A line for each path that is not there, cannot be read or holds no transcript; no text of any file.
    pub warnings: Vec<String>,
    /// Sources that are marked as deleted and were left out.
    pub deleted: u64,
}

impl std::fmt::Debug for Discovery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Discovery")
            .field("sources", &self.sources.iter().map(|source| source.path()).collect::<Vec<_>>())
            .field("warnings", &self.warnings)
            .field("deleted", &self.deleted)
            .finish()
    }
}

/// Walks files and directories. `known` answers the mark that a store holds for a source's name, if any: a file whose
/// size, time and inode are as in its mark is not opened, its format and agent are those of the mark.
///
/// Symbolic links are followed, each directory is walked once. Sidecars (locks, indexes, traces) are passed over.
///
/// ```
/// use session_search_import::{DiscoverOptions, discover};
/// let found = discover(&["/no/such/path".into()], &DiscoverOptions::default(), &|_| None);
/// assert!(found.sources.is_empty());
/// assert!(found.warnings[0].contains("/no/such/path"));
/// ```
#[must_use]
pub fn discover(
    paths: &[PathBuf],
    options: &DiscoverOptions,
    known: &dyn Fn(&str) -> Option<SourceMark>,
) -> Discovery {
    let mut walk = Walk {
        options,
        known,
        passed: HashSet::new(),
        indexes: HashMap::new(),
        out: Discovery::default(),
        unknown: 0,
    };
    for path in paths {
        walk.start(path);
    }
    if walk.unknown > MAX_UNKNOWN_NAMED {
        let more = walk.unknown - MAX_UNKNOWN_NAMED;
        walk.out.warnings.push(format!("{more} more files are of no known transcript format"));
    }
    walk.out
}

struct Walk<'a> {
    options: &'a DiscoverOptions,
    known: &'a dyn Fn(&str) -> Option<SourceMark>,
    /// Files and directories by their canonical paths.
    passed: HashSet<PathBuf>,
    /// One for each directory.
    indexes: HashMap<PathBuf, Arc<Index>>,
    out: Discovery,
    unknown: usize,
}

impl Walk<'_> {
    fn start(&mut self, path: &Path) {
        let canonical = match fs::canonicalize(path) {
            Ok(canonical) => canonical,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                self.warn(path, "there is no such file or directory");
                return;
            }
            Err(error) => {
                self.warn(path, &format!("cannot be read: {error}"));
                return;
            }
        };
        if canonical.is_dir() {
            let (sources, deleted, warnings) =
                (self.out.sources.len(), self.out.deleted, self.out.warnings.len());
            let fresh = !self.passed.contains(&canonical);
            self.directory(canonical);
            let nothing = self.out.sources.len() == sources && self.out.deleted == deleted;
            if fresh && nothing && self.out.warnings.len() == warnings {
                self.warn(path, "holds no transcripts of a known format");
            }
        } else {
            self.file(canonical, true);
        }
    }

    /// Depth first, each directory's entries in the order of their names; without recursion, whatever the depth.
    fn directory(&mut self, root: PathBuf) {
        let mut waiting = vec![root];
        while let Some(path) = waiting.pop() {
            let Ok(path) = fs::canonicalize(&path) else { continue };
            if !path.is_dir() {
                self.file(path, false);
                continue;
            }
            if !self.passed.insert(path.clone()) {
                continue;
            }
            match entries(&path) {
                Ok(mut entries) => {
                    entries.reverse();
                    waiting.append(&mut entries);
                }
                Err(error) => self.warn(&path, &format!("cannot be read: {error}")),
            }
        }
    }

    fn file(&mut self, path: PathBuf, named: bool) {
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let kind = names::kind(&file_name);
        let wanted = match kind {
            NameKind::Transcript | NameKind::Database => true,
            // What is named is looked into, whatever its name.
            NameKind::Sidecar | NameKind::Other => named,
        };
        if !wanted || !self.passed.insert(path.clone()) {
            return;
        }
        if named && kind == NameKind::Sidecar {
            self.warn(&path, "belongs to transcripts but is none");
            return;
        }
        let file = FileName::parse(&file_name);
        if file.deleted && !self.options.include_deleted {
            self.out.deleted += 1;
            return;
        }
        // A compressed copy beside the file itself is the same session once more.
        if path.extension().is_some_and(|extension| extension == "zst") && path.with_extension("").is_file() {
            return;
        }
        let identity = match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => match kind {
                NameKind::Database => database::identity(&path, &metadata, self.options.include_deleted),
                _ => identity(&metadata),
            },
            Ok(_) => return,
            Err(error) => {
                self.warn(&path, &format!("cannot be read: {error}"));
                return;
            }
        };
        let name = path_name(&path);
        let known = (self.known)(&name).filter(|mark| is_unchanged(&identity, mark));
        let known = known.and_then(|mark| State::read(&mark.state)).and_then(|state| {
            let agent = state.agent().clone();
            let same = self.options.agent.as_ref().is_none_or(|wanted| *wanted == agent);
            same.then_some(agent).zip(state.format())
        });
        let index = self.index(&path);
        let sorted = match known {
            Some(known) => Some(known),
            None => self.sort(&path, kind, named, &index),
        };
        if let Some((agent, format)) = sorted {
            let include_deleted = self.options.include_deleted;
            let found = Found { path, name, agent, format, identity, file, index, include_deleted };
            match open::source(found, kind == NameKind::Database) {
                Some(source) => self.out.sources.push(source),
                None => self.out.warnings.push(format!("transcripts of {format} cannot be read")),
            }
        }
    }

    fn index(&mut self, file: &Path) -> Arc<Index> {
        let directory = file.parent().unwrap_or(file).to_path_buf();
        let index =
            self.indexes.entry(directory).or_insert_with_key(|directory| Arc::new(Index::new(directory)));
        Arc::clone(index)
    }

    /// Agent and format of a file that is new or changed.
    fn sort(&mut self, path: &Path, kind: NameKind, named: bool, index: &Index) -> Option<(AgentId, Format)> {
        let detected = match (self.options.format, kind) {
            (_, NameKind::Database) => Detected::Format(Format::Openclaw),
            (Some(format), _) => Detected::Format(format),
            (None, _) => match detect(path) {
                Ok(detected) => detected,
                Err(error) => {
                    self.warn(path, &format!("cannot be read: {error}"));
                    return None;
                }
            },
        };
        let format = match detected {
            Detected::Format(format) => format,
            // Perhaps the beginning of one: it is noted, and looked at again when it has grown.
            Detected::Empty => Format::Pi,
            Detected::Unknown => {
                // Only what is named, or looks like a transcript, is worth a line.
                if named || path.extension().is_none_or(|extension| extension != "json") {
                    self.unknown += 1;
                    if self.unknown <= MAX_UNKNOWN_NAMED {
                        self.warn(path, "is of no known transcript format");
                    }
                }
                return None;
            }
        };
        let (agent, format) = match format {
            Format::Openclaw | Format::Pi => place::agent_and_format(path, format, index),
            other => (None, other),
        };
        let agent =
            self.options.agent.clone().or(agent).or_else(|| AgentId::new(format.default_agent()).ok())?;
        Some((agent, self.options.format.unwrap_or(format)))
    }

    fn warn(&mut self, path: &Path, what: &str) {
        self.out.warnings.push(format!("{}: {what}", path_name(path)));
    }
}

fn entries(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut entries =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}

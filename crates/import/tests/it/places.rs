//! Where the big corpora are, where they are.

use std::path::{Path, PathBuf};

/// The directory of shared test data; `None`, said on standard output, where it is not there.
pub(crate) fn shared() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let path =
        std::env::var_os("SESSION_SEARCH_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    if path.join("corpus").is_dir() {
        return Some(path);
    }
    println!("skipped");
    None
}

/// The fixtures of the repository.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// Every file below a directory, in order.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            found.extend(files(&entry));
        } else {
            found.push(entry);
        }
    }
    found
}

//! Where the stores are, and what the home's `config.toml` says.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::Failure;

/// The home: what was given, else the platform's data directory.
///
/// # Errors
/// [`Failure::Value`] where nothing was given and the platform has no such place.
pub(crate) fn directory(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    if let Some(given) = given {
        return if given.as_os_str().is_empty() {
            Err(Failure::Value("--home is empty; name a directory".to_owned()))
        } else {
            Ok(given)
        };
    }
    directories::ProjectDirs::from("", "", "session-search")
        .map(|dirs| dirs.data_dir().to_owned())
        .ok_or_else(|| {
            Failure::Value(
                "there is no home directory to keep stores in; name a directory with --home".to_owned(),
            )
        })
}

/// The most of a configuration that is read, in bytes.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

/// The text of the home's `config.toml`; `None` where there is none.
///
/// # Errors
/// [`Failure::System`] where it is there but cannot be read.
pub(crate) fn configuration(home: &Path) -> Result<Option<String>, Failure> {
    let path = home.join("config.toml");
    let refuse = |why: String| Failure::System(format!("cannot read {}: {why}", path.display()));
    match std::fs::metadata(&path) {
        Ok(metadata) if metadata.len() > MAX_CONFIG_BYTES => {
            return Err(refuse("it is larger than 1 MiB".to_owned()));
        }
        Ok(_) => {}
        // Where the home itself is no directory, opening the stores says so better.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(refuse(error.to_string())),
    }
    std::fs::read_to_string(&path).map(Some).map_err(|error| refuse(error.to_string()))
}

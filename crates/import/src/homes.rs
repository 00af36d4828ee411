//! Where the programs we know keep their histories.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::format::Format;

/// A directory in which a program keeps transcripts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Home {
    /// The program's format.
    pub format: Format,
    /// The directory. It is there.
    pub path: PathBuf,
}

/// The directories with histories that are there: the usual ones under the user's home directory, and those that
/// the programs' own variables name (`OPENCLAW_STATE_DIR`, `OPENCLAW_HOME`, `PI_CODING_AGENT_DIR`,
/// `CLAUDE_CONFIG_DIR`, `CODEX_HOME`). `variable` reads the environment.
///
/// ```
/// let homes = session_search_import::homes(&|name| std::env::var_os(name));
/// assert!(homes.iter().all(|home| home.path.is_dir()));
/// ```
#[must_use]
pub fn homes(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<Home> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = set("HOME").or_else(|| set("USERPROFILE"));
    let under = |path: &str| home.as_ref().map(|home| home.join(path));
    let mut found = BTreeSet::new();
    let mut add = |format: Format, path: Option<PathBuf>, below: &[&str]| {
        let Some(path) = path else { return };
        for below in below {
            let path = path.join(below);
            if path.is_dir() {
                found.insert(Home { format, path });
            }
        }
    };
    // The agents' directories hold sessions and databases; the homes themselves hold much else.
    const OPENCLAW: &[&str] = &["agents", "sessions"];
    for path in [under(".openclaw"), under(".clawdbot"), under(".moltbot"), set("OPENCLAW_STATE_DIR")] {
        add(Format::Openclaw, path, OPENCLAW);
    }
    add(Format::Openclaw, set("OPENCLAW_HOME").map(|home| home.join(".openclaw")), OPENCLAW);
    add(Format::Pi, under(".pi/agent"), &["sessions"]);
    add(Format::Pi, set("PI_CODING_AGENT_DIR"), &["sessions"]);
    for path in [under(".claude"), under(".config/claude")] {
        add(Format::Claude, path, &["projects"]);
    }
    if let Some(list) = variable("CLAUDE_CONFIG_DIR") {
        // Some programs beside Claude Code read it as a list.
        for path in list.to_string_lossy().split(',').map(str::trim).filter(|path| !path.is_empty()) {
            add(Format::Claude, Some(PathBuf::from(path)), &["projects"]);
        }
    }
    add(Format::Codex, under(".codex"), &["sessions", "archived_sessions"]);
    add(Format::Codex, set("CODEX_HOME"), &["sessions", "archived_sessions"]);
    add(Format::Gemini, under(".gemini"), &["tmp"]);
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_and_configured_places_that_are_there() {
        let home = tempfile::tempdir().unwrap();
        for path in [".openclaw/agents", ".codex/sessions", "moved/projects", ".gemini/other"] {
            std::fs::create_dir_all(home.path().join(path)).unwrap();
        }
        let found = homes(&|name| match name {
            "HOME" => Some(home.path().into()),
            "CLAUDE_CONFIG_DIR" => Some(home.path().join("moved").into()),
            _ => None,
        });
        let expected = [
            (Format::Openclaw, ".openclaw/agents"),
            (Format::Claude, "moved/projects"),
            (Format::Codex, ".codex/sessions"),
        ];
        assert_eq!(found, expected.map(|(format, path)| Home { format, path: home.path().join(path) }));
    }
}

//! The formats by name.

use std::fmt;
use std::str::FromStr;

/// A transcript format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// OpenClaw: JSONL with `sessions.json`, its archives, and the SQLite database of an agent.
    Openclaw,
    /// pi: the same JSONL, without an index beside it.
    Pi,
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] =
        [Format::Openclaw, Format::Pi, Format::Claude, Format::Codex, Format::Gemini];

    /// Its name at the command line and in the field `source` of a session.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Openclaw => "openclaw",
            Format::Pi => "pi",
            Format::Claude => "claude",
            Format::Codex => "codex",
            Format::Gemini => "gemini",
        }
    }

    /// The agent whose store takes its sessions where no directory and no option names one.
    #[must_use]
    pub fn default_agent(self) -> &'static str {
        match self {
            Format::Openclaw | Format::Pi => "pi",
            Format::Claude => "claude",
            Format::Codex => "codex",
            Format::Gemini => "gemini",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format; the formats are openclaw, pi, claude, codex and gemini")]
pub struct UnknownFormat;

impl FromStr for Format {
    type Err = UnknownFormat;

    /// Reads what [`Format::as_str`] writes.
    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.as_str() == name).ok_or(UnknownFormat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for format in Format::ALL {
            assert_eq!(format.as_str().parse(), Ok(format));
        }
        assert_eq!("Claude".parse::<Format>(), Err(UnknownFormat));
    }
}

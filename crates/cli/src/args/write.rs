//! The commands that write.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `sessions import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Transcripts, or directories to look for them in
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) options: ImportOptions,
}

/// How transcripts are imported.
#[derive(Debug, Clone, Args)]
pub(crate) struct ImportOptions {
    /// The agent that gets the sessions [default: as the files say]
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Option<String>,

    /// How to read the files
    #[arg(long, value_enum, default_value_t = FormatName::Auto)]
    pub(crate) format: FormatName,

    /// Store now, index in the background
    #[arg(long)]
    pub(crate) defer_index: bool,

    /// Read again what is unchanged, and bring back deleted sessions
    #[arg(long)]
    pub(crate) restore: bool,

    /// Also take files that the program which wrote them marked as deleted
    #[arg(long)]
    pub(crate) include_deleted: bool,

    /// Compare contents, not only size and time, to tell what changed
    #[arg(long)]
    pub(crate) rehash: bool,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            agent: None,
            format: FormatName::Auto,
            defer_index: false,
            restore: false,
            include_deleted: false,
            rehash: false,
        }
    }
}

/// A transcript format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    Auto,
    Openclaw,
    Pi,
    Claude,
    Codex,
    Gemini,
}

/// `sessions sync`.
#[derive(Debug, Args)]
pub(crate) struct SyncArgs {
    /// Keep running, and import changes as they happen
    #[arg(long)]
    pub(crate) watch: bool,
}

const APPEND_HELP: &str = "\
Each line is stored by itself: once it is durable, {\"id\":\"…\"} is printed. A
line that is refused ends the command; the lines before it stay. With --batch
all lines are stored together, or none.";

/// `sessions append`.
#[derive(Debug, Args)]
#[command(after_help = APPEND_HELP)]
pub(crate) struct AppendArgs {
    /// The session; created where it does not exist
    #[arg(value_name = "KEY")]
    pub(crate) key: String,

    /// The agent that holds it [default: as the key says]
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Option<String>,

    /// The transcript; an unknown id starts a new one (a reset) [default: the current one]
    #[arg(long, value_name = "ID")]
    pub(crate) session_id: Option<String>,

    /// The session that spawned it; fixed once the session exists
    #[arg(long, value_name = "KEY")]
    pub(crate) spawned_by: Option<String>,

    /// Its title
    #[arg(long)]
    pub(crate) title: Option<String>,

    /// Hide it from every caller and from search
    #[arg(long)]
    pub(crate) incognito: bool,

    /// Store all lines in one transaction
    #[arg(long)]
    pub(crate) batch: bool,
}

/// `sessions rewind`.
#[derive(Debug, Args)]
pub(crate) struct RewindArgs {
    /// The session
    #[arg(value_name = "KEY")]
    pub(crate) key: String,

    /// The agent that holds it
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Option<String>,

    /// The message that becomes the last one
    #[arg(long, value_name = "MESSAGE")]
    pub(crate) to: String,

    /// Delete what is then off the conversation, and erase its bytes
    #[arg(long)]
    pub(crate) purge: bool,
}

/// `sessions delete`.
#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// The session
    #[arg(value_name = "KEY")]
    pub(crate) key: String,

    /// The agent that holds it
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Option<String>,
}

/// `sessions purge`.
#[derive(Debug, Args)]
pub(crate) struct PurgeArgs {
    /// An age: 12h, 30d, 2w, 6mo, 1y, or several units together
    #[arg(long, value_name = "AGE", allow_hyphen_values = true)]
    pub(crate) older_than: String,
}

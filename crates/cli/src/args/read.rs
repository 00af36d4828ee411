//! The commands that read.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::CallerFlags;

const QUERY_HELP: &str = "\
What a query may hold:
  deploy failed        both words, anywhere in a message
  '\"roll back the\"'    side by side
  migrat*              a word that begins so
  -staging             not this (put -- before a query that begins with it)
  cats OR dogs         either

Times (--since, --until): RFC 3339, a date, or epoch milliseconds; local time
where no zone is given. A date in --until includes that day.";

/// `sessions search`.
#[derive(Debug, Args)]
#[command(after_help = QUERY_HELP)]
pub(crate) struct SearchArgs {
    /// Words, phrases and prefixes; everything after the first word is query
    #[arg(required = true, trailing_var_arg = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,

    /// At most this many hits [default: 10] [1 to 1000; to 25 with --as]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,

    /// Only this session
    #[arg(long, value_name = "KEY")]
    pub(crate) session: Option<String>,

    /// Only this agent
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Option<String>,

    /// Only sessions whose working directory contains this
    #[arg(long, value_name = "PART")]
    pub(crate) project: Option<String>,

    /// Only messages of this role
    #[arg(long, value_enum)]
    pub(crate) role: Option<RoleName>,

    /// Only messages from this time on
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) since: Option<String>,

    /// Only messages before this time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) until: Option<String>,

    /// The order of hits [default: relevance]
    #[arg(long, value_enum)]
    pub(crate) order: Option<OrderName>,

    /// At most this many hits of one session [default: 3, no cap with --session]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) per_session: Option<i64>,

    /// Leave out the calling session (with --as)
    #[arg(long)]
    pub(crate) exclude_current: bool,

    /// All words must match: return nothing rather than the messages that hold most of them
    #[arg(long)]
    pub(crate) strict: bool,

    /// First import what is new in PATH (operator only); repeatable
    #[arg(long, value_name = "PATH", conflicts_with = "as_key")]
    pub(crate) from: Vec<PathBuf>,

    /// First bring the index up to date where it is not, for at most this long
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(crate) wait: u64,

    #[command(flatten)]
    pub(crate) caller: CallerFlags,
}

/// The role of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoleName {
    User,
    Assistant,
}

/// The order of hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderName {
    Relevance,
    Recent,
}

/// `sessions history`.
#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// The session
    #[arg(value_name = "KEY")]
    pub(crate) key: String,

    /// The agent that holds it
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Option<String>,

    /// The transcript [default: the one that holds the message, else the current one]
    #[arg(long, value_name = "ID")]
    pub(crate) session_id: Option<String>,

    /// The page centred on this message [default: the newest page]
    #[arg(long, value_name = "MESSAGE", conflicts_with_all = ["before", "after"])]
    pub(crate) around: Option<String>,

    /// At most this many messages [default: 20] [1 to 100]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,

    /// The page before a cursor (the `older` of another page)
    #[arg(long, value_name = "CURSOR", conflicts_with = "after")]
    pub(crate) before: Option<String>,

    /// The page after a cursor (the `newer` of another page)
    #[arg(long, value_name = "CURSOR")]
    pub(crate) after: Option<String>,

    /// Show tool calls and results
    #[arg(long)]
    pub(crate) include_tools: bool,

    /// Read on in a long message from this character (with --around)
    #[arg(long, value_name = "CHARACTERS", requires = "around", allow_negative_numbers = true)]
    pub(crate) text_offset: Option<i64>,

    /// Show credentials as they stand in the transcript (operator only)
    #[arg(long, conflicts_with = "as_key")]
    pub(crate) show_secrets: bool,

    #[command(flatten)]
    pub(crate) caller: CallerFlags,
}

/// `sessions list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only this agent
    #[arg(long, value_name = "ID")]
    pub(crate) agent: Option<String>,

    /// At most this many sessions [default: all; 100 with --as]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,

    #[command(flatten)]
    pub(crate) caller: CallerFlags,
}

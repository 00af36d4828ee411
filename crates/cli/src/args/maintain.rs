//! The commands that look after a home, and the servers.

use clap::Args;

use super::CallerFlags;

/// `sessions reindex`.
#[derive(Debug, Args)]
pub(crate) struct ReindexArgs {
    /// Only this session
    #[arg(value_name = "KEY")]
    pub(crate) key: Option<String>,

    /// The agent that holds it
    #[arg(long, value_name = "ID", requires = "key")]
    pub(crate) agent: Option<String>,
}

/// `sessions verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Repair what differs
    #[arg(long)]
    pub(crate) repair: bool,
}

/// `sessions redact`.
#[derive(Debug, Args)]
pub(crate) struct RedactArgs {
    /// Print what was found (kind, line and column, never the value) instead of the text
    #[arg(long)]
    pub(crate) report: bool,
}

/// `sessions mcp`.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("who").required(true).args(["as_key", "operator"])))]
pub(crate) struct McpArgs {
    /// Serve the operator, who sees all
    #[arg(long)]
    pub(crate) operator: bool,

    /// Taken only to be refused: tools never show credentials.
    #[arg(long, hide = true)]
    pub(crate) show_secrets: bool,

    #[command(flatten)]
    pub(crate) caller: CallerFlags,
}

/// `sessions completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

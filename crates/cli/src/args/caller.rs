//! On whose behalf a command reads: the flags of CONTRACT 4.

use clap::{Args, ValueEnum};

/// Who calls, and how far it sees. Without `--as`: the person at the command line, who sees all.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Caller")]
pub(crate) struct CallerFlags {
    /// Read as this session would [default: as the operator, who sees all]
    #[arg(long = "as", value_name = "KEY")]
    pub(crate) as_key: Option<String>,

    /// The agent of that session, where its key does not name it
    #[arg(long, value_name = "ID", requires = "as_key")]
    pub(crate) as_agent: Option<String>,

    /// How far the session sees: itself, also what it spawned, its agent, or every agent allowed
    #[arg(long, value_name = "SCOPE", value_enum, default_value_t = Sees::Tree)]
    pub(crate) visibility: Sees,

    /// The session runs in a sandbox
    #[arg(long)]
    pub(crate) sandboxed: bool,

    /// What a sandboxed session is limited to: what it spawned, or nothing
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = SandboxSees::Spawned)]
    pub(crate) sandbox_visibility: SandboxSees,

    /// Agents may see each other's sessions
    #[arg(long)]
    pub(crate) agent_to_agent: bool,

    /// Only agents whose ids match may; `*` is any run of characters; repeatable
    #[arg(long, value_name = "PATTERN")]
    pub(crate) agent_to_agent_allow: Vec<String>,
}

impl CallerFlags {
    /// Whether any flag narrows or widens what a session sees: without `--as` it has no effect.
    pub(crate) fn has_policy(&self) -> bool {
        self.visibility != Sees::Tree
            || self.sandboxed
            || self.sandbox_visibility != SandboxSees::Spawned
            || self.agent_to_agent
            || !self.agent_to_agent_allow.is_empty()
    }
}

/// How far a session sees.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sees {
    #[value(name = "self")]
    Own,
    #[default]
    Tree,
    Agent,
    All,
}

/// What a sandboxed session is limited to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SandboxSees {
    #[default]
    Spawned,
    All,
}

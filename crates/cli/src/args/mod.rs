//! The command line as types: what clap parses, before anything is done.
//!
//! Only what cannot be read at all (an unknown flag, a number that is none) is refused here, with exit status 2.
//! Whether a value is allowed is for the use cases to say, so that it is said in the same words everywhere.

mod caller;
mod maintain;
mod read;
mod write;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub(crate) use caller::{CallerFlags, SandboxSees, Sees};
pub(crate) use maintain::{CompletionsArgs, McpArgs, RedactArgs, ReindexArgs, VerifyArgs};
pub(crate) use read::{HistoryArgs, ListArgs, OrderName, RoleName, SearchArgs};
pub(crate) use write::{
    AppendArgs, DeleteArgs, FormatName, ImportArgs, ImportOptions, PurgeArgs, RewindArgs, SyncArgs,
};

const AFTER_HELP: &str = "\
Exit status: 0 done, also without hits; 1 failed, refused or forbidden; 2 a
command line that does not parse.
Environment: SESSIONS_HOME, TZ, NO_COLOR, CLICOLOR_FORCE, COLUMNS, and
SESSIONS_LOG (SESSIONS_LOG=debug logs to standard error).";

/// Full-text recall over the past sessions of AI agents.
#[derive(Debug, Parser)]
#[command(name = "sessions", version, after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Cli {
    /// Where the stores are kept: DIR/agents/AGENT/sessions.sqlite [default: the platform's data directory]
    #[arg(long, value_name = "DIR", global = true, env = "SESSIONS_HOME", hide_env_values = true)]
    pub(crate) home: Option<PathBuf>,

    /// Print one JSON document on standard output, everything else on standard error
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find messages by their words
    Search(SearchArgs),
    /// Reopen a session, around a message or from its end
    History(HistoryArgs),
    /// List sessions, newest first
    List(ListArgs),
    /// Import transcripts that other programs wrote
    Import(ImportArgs),
    /// Import what is new in the usual places of the programs we know
    Sync(SyncArgs),
    /// Append events from standard input, one JSON object a line
    Append(AppendArgs),
    /// Move the end of a session's conversation back to a message
    Rewind(RewindArgs),
    /// Delete a session and erase its bytes
    Delete(DeleteArgs),
    /// Delete sessions whose last event is older than an age
    Purge(PurgeArgs),
    /// Show the state of each agent's index
    Status,
    /// Rebuild the index now
    Reindex(ReindexArgs),
    /// Compare every index entry with the transcripts, and check the databases
    Verify(VerifyArgs),
    /// Scrub credentials from standard input to standard output
    Redact(RedactArgs),
    /// Serve the tools of a model over standard input and output (Model Context Protocol)
    Mcp(McpArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    fn parse(line: &[&str]) -> Result<Command, ErrorKind> {
        let words = std::iter::once("sessions").chain(line.iter().copied());
        Cli::try_parse_from(words).map(|cli| cli.command).map_err(|error| error.kind())
    }

    fn query(line: &[&str]) -> Vec<String> {
        match parse(line) {
            Ok(Command::Search(args)) => args.query,
            other => panic!("{line:?} gave {other:?}"),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn what_follows_the_first_word_is_query() {
        assert_eq!(query(&["search", "a", "-b", "--limit", "3"]), ["a", "-b", "--limit", "3"]);
        assert_eq!(query(&["search", "--limit", "3", "--", "-b", "a"]), ["-b", "a"]);
        assert_eq!(query(&["search", "--limit", "-3", "a"]), ["a"]);
        assert_eq!(query(&["search", "a", "--", "b"]), ["a", "--", "b"]);
        assert_eq!(query(&["search", "--json", ""]), [""]);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for (line, kind) in [
            (&["search"][..], ErrorKind::MissingRequiredArgument),
            (&["search", "--limt", "3", "a"], ErrorKind::UnknownArgument),
            (&["search", "--limit", "x", "a"], ErrorKind::ValueValidation),
            (&["search", "--role", "tool", "a"], ErrorKind::InvalidValue),
            (&["search", "--show-secrets", "a"], ErrorKind::UnknownArgument),
            (&["search", "--as", "k", "--from", "p", "a"], ErrorKind::ArgumentConflict),
            (&["history", "--as", "k", "--show-secrets", "k"], ErrorKind::ArgumentConflict),
            (&["history", "--around", "m", "--before", "c", "k"], ErrorKind::ArgumentConflict),
            (&["history", "--text-offset", "9", "k"], ErrorKind::MissingRequiredArgument),
            (&["mcp"], ErrorKind::MissingRequiredArgument),
            (&["mcp", "--as", "k", "--operator"], ErrorKind::ArgumentConflict),
            (&["frobnicate"], ErrorKind::InvalidSubcommand),
        ] {
            assert_eq!(parse(line).err(), Some(kind), "{line:?}");
        }
    }
}

//! The commands: each turns its flags into a request, and the answer into what is printed.

mod append;
mod caller;
mod delete;
mod history;
mod import;
mod index;
mod list;
mod mcp;
mod redact;
mod search;
mod stale;
mod sync;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use session_search_api::{SessionSearch, Settings};
use session_search_redact::Redactor;

use crate::args::{Cli, Command};
use crate::error::Failure;
use crate::home;
use crate::output::Output;

/// How long a command, its answer printed, goes on to erase what a killed process left.
const ERASURE_WAIT: Duration = Duration::from_secs(10);

/// What is said of stores in a place that cannot be written.
const READ_ONLY: &str = "the stores of this home can be read only, so what waits to be indexed stays unindexed; check \
                         the rights of the files and of their directories";

/// What every command works with.
struct Work {
    /// The home.
    home: PathBuf,
    /// The home as it was given by a flag, for commands that are shown to be used again.
    home_flag: Option<String>,
    output: Output,
}

impl Work {
    /// The stores of the home. Opens none yet.
    fn sessions(&self) -> Result<SessionSearch, Failure> {
        let settings = Settings { redactor: Arc::new(self.redactor()?), ..Settings::default() };
        Ok(SessionSearch::open(&self.home, &settings))
    }

    /// The rules of redaction, with those of the home's `config.toml`.
    fn redactor(&self) -> Result<Redactor, Failure> {
        match home::configuration(&self.home)? {
            None => Ok(Redactor::built_in()),
            Some(text) => Redactor::with_config(&text).map_err(|error| Failure::Value(error.to_string())),
        }
    }

    /// Runs a use case to its end, on this thread.
    fn block_on<T>(&self, future: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.map_err(|error| Failure::System(format!("cannot start: {error}")))?.block_on(future)
    }

    /// Runs a use case over the stores, and closes them.
    fn with_sessions<T, F>(&self, run: impl FnOnce(SessionSearch) -> F) -> Result<T, Failure>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let sessions = self.sessions()?;
        self.block_on(async {
            let result = run(sessions.clone()).await;
            if result.is_ok() && sessions.any_read_only() {
                self.output.note("note", READ_ONLY);
            }
            sessions.finish_erasures(ERASURE_WAIT).await;
            sessions.close().await;
            result
        })
    }
}

/// Carries out what was asked.
///
/// # Errors
/// [`Failure`]; nothing of it is printed yet.
pub(crate) fn run(cli: Cli, output: Output) -> Result<(), (Output, Failure)> {
    let home_flag = home_flag(&cli);
    let home = match home::directory(cli.home) {
        Ok(home) => home,
        Err(failure) => return Err((output, failure)),
    };
    let work = Work { home, home_flag, output };
    let result = match cli.command {
        Command::Search(args) => search::run(&work, args),
        Command::History(args) => history::run(&work, args),
        Command::List(args) => list::run(&work, &args),
        Command::Import(args) => import::run(&work, &args),
        Command::Sync(args) => sync::run(&work, &args),
        Command::Append(args) => append::run(&work, args),
        Command::Rewind(args) => delete::rewind(&work, &args),
        Command::Delete(args) => delete::delete(&work, &args),
        Command::Purge(args) => delete::purge(&work, &args),
        Command::Status => index::status(&work),
        Command::Reindex(args) => index::reindex(&work, &args),
        Command::Verify(args) => index::verify(&work, &args),
        Command::Redact(args) => redact::run(&work, &args),
        Command::Mcp(args) => mcp::run(&work, &args),
        Command::Completions(args) => completions(&work, &args),
    };
    result.map_err(|failure| (work.output, failure))
}

/// The home, where a flag gave it and the environment does not say the same.
fn home_flag(cli: &Cli) -> Option<String> {
    let home = cli.home.as_ref()?;
    let same = std::env::var_os("SESSIONS_HOME").is_some_and(|value| value == home.as_os_str());
    if same { None } else { Some(home.to_string_lossy().into_owned()) }
}

fn completions(work: &Work, args: &crate::args::CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    let mut command = <Cli as clap::CommandFactory>::command();
    clap_complete::generate(args.shell, &mut command, "sessions", &mut script);
    work.output.bytes(&script)
}

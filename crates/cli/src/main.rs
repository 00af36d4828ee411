//! The command line of session-search.
//!
//! # What a change must keep
//!
//! - **No logic.** Flags become a request of `session-search-api`, its answer is printed. Whether a value is allowed,
//!   what is visible, what is scrubbed is decided there; here is only what concerns terminals, streams and files.
//! - **Standard output is for results.** With `--json` it is one document (`append`: one a line), also where the command
//!   fails; everything else goes to standard error.
//! - **Exit status by one exhaustive match** (`error`): 0 done, 1 failed or refused, 2 (clap's) not understood.
//! - **Nothing raw reaches a terminal.** Whatever was stored or given is escaped when it is rendered.
//! - **Fast to start.** No runtime, no store and no rule is made before a command needs it.
//!
//! | file | holds |
//! | --- | --- |
//! | `args/` | the command line as types |
//! | `commands/` | a file a command |
//! | `render/` | readable forms: hits, pages, lists, receipts; wrapping, quoting, times |
//! | `output`, `progress`, `input` | the streams |
//! | `home`, `age` | where the stores are; ages |
//! | `error` | failures and exit statuses |

mod age;
mod args;
mod commands;
mod error;
mod home;
mod input;
mod output;
mod progress;
mod render;

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

use crate::args::Cli;
use crate::error::Exit;
use crate::output::Output;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        use std::io::Write;
        // Its message may quote what was being read; where it happened is enough.
        writeln!(std::io::stderr(), "{}", crashed(panic.location())).ok();
    }));
    let cli = Cli::parse();
    log();
    let output = Output::new(cli.json);
    let exit = match commands::run(cli, output) {
        Ok(()) => Exit::Done,
        Err((output, failure)) => {
            output.failure(&failure);
            failure.exit()
        }
    };
    ExitCode::from(exit as u8)
}

/// What is said of a fault in the program itself.
fn crashed(place: Option<&std::panic::Location<'_>>) -> String {
    let place = place.map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
    format!("sessions: a fault in the program{place}; the stores are as they were after the last answer")
}

/// Logs to standard error at the level that `SESSIONS_LOG` names. Only our own crates: others may log what they carry.
fn log() {
    let level = std::env::var("SESSIONS_LOG").unwrap_or_default();
    if !["error", "warn", "info", "debug", "trace"].contains(&level.as_str()) {
        return;
    }
    let filter = EnvFilter::new(format!("off,session_search={level},sessions={level}"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).init();
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_crash_says_where_and_nothing_of_the_text() {
        let said = super::crashed(Some(std::panic::Location::caller()));
        assert!(said.contains("main.rs:"), "{said}");
        assert!(!super::crashed(None).contains(" at "));
    }
}

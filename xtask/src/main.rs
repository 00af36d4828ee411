//! Automation for session-search, run as `cargo xtask COMMAND`.
//!
//! Each command is a module. `tidy` checks what no compiler does: the layers, the sizes of files, words that have no
//! place in the repository. It reads the tree and `cargo metadata` and changes nothing.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line for developers")]

mod ci;
mod tidy;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xshell::{Shell, cmd};

const HELP: &str = "cargo xtask COMMAND

  ci           fmt, clippy, tests, doc tests, rustdoc, tidy; warnings are errors
  tidy         layers, file sizes, unsafe, names and words (reads only)
  bench        times against stock FTS5 in the same run, as ratios; `bench --help` names its options
  mrr          how well answers are ranked, against plain bm25() over the same transcripts, per language
  redact-eval  recall and false alarms of redaction over labelled lines, per source and kind; times, as ratios
";

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Outcome {
    let shell = Shell::new()?;
    shell.change_dir(root());
    let rest = arguments.get(1..).unwrap_or_default();
    match arguments.first().map(String::as_str) {
        Some("ci") => ci::run(&shell),
        Some("tidy") => tidy::run(&shell, &root()),
        Some("bench") => {
            cmd!(shell, "cargo run --quiet --release --package session-search-bench -- {rest...}")
                .quiet()
                .run()?;
            Ok(())
        }
        Some("mrr") => {
            cmd!(shell, "cargo run --quiet --package session-search-bench -- mrr {rest...}").quiet().run()?;
            Ok(())
        }
        Some("redact-eval") => {
            let package = "session-search-redact";
            cmd!(shell, "cargo run --quiet --release --package {package} --example redact-eval -- {rest...}")
                .quiet()
                .run()?;
            cmd!(shell, "cargo run --quiet --release --package {package} --example redact-speed")
                .quiet()
                .run()?;
            Ok(())
        }
        _ => {
            print!("{HELP}");
            Ok(())
        }
    }
}

/// The root of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

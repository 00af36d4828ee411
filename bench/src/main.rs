//! Measures session-search against stock FTS5 in the same run, and prints every figure as a ratio.
//!
//! Run as `cargo xtask bench`. The corpus is generated (`corpus`), the baseline is one plain FTS5 table (`stock`), ours is
//! the whole path of a request (`ours`): visibility, statistics, ranking, scrubbing, snippet, bounds. Times are medians
//! of calls in turns (`measure`). Nothing here is a test: figures depend on the machine, ratios much less.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line for developers")]

mod corpus;
mod import;
mod measure;
mod memory;
mod mrr;
mod ours;
mod rows;
mod stock;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use measure::Row;

const HELP: &str = "cargo xtask bench [--messages N] [--sessions N] [--turns N] [--seed N] [--shared DIR] [--json FILE]

  --messages N   generated messages (200000)
  --sessions N   in so many sessions (2000)
  --turns N      calls per figure, of which the median counts (9)
  --seed N       of the generator (7)
  --shared DIR   transcripts for the import rows (SESSION_SEARCH_SHARED, else ../shared; left out where absent)
  --json FILE    writes the rows as JSON too
  --only TEXT    with --keep: only the searches whose name holds this text
  --keep DIR     fills the stores there and leaves them; where they are filled already, only searches are measured

cargo xtask mrr [--missed] [--shared DIR]

  asks the questions of fixtures/questions over real transcripts, of our search and of plain bm25(), and prints the mean
  reciprocal ranks; fails where ours is not 0.15 above, or a language is below
";

/// What is measured.
struct Plan {
    messages: usize,
    sessions: usize,
    turns: usize,
    seed: u64,
    shared: PathBuf,
    json: Option<PathBuf>,
    keep: Option<PathBuf>,
    only: String,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|name| name == "mrr") {
        return match ranks(arguments.get(1..).unwrap_or_default()) {
            Ok(code) => code,
            Err(error) => {
                eprintln!("mrr: {error}");
                ExitCode::FAILURE
            }
        };
    }
    match plan().and_then(|plan| plan.map_or(Ok(()), |plan| run(&plan))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `mrr`: see [`HELP`].
fn ranks(arguments: &[String]) -> Result<ExitCode, Box<dyn Error>> {
    let (mut shared, mut missed) = (default_shared(), false);
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        match name.as_str() {
            "--missed" => missed = true,
            "--shared" => shared = arguments.next().ok_or("--shared takes a directory")?.into(),
            _ => {
                print!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
    let Some(report) = mrr::run(&shared)? else {
        println!("skipped: there are no transcripts in {}", shared.display());
        return Ok(ExitCode::SUCCESS);
    };
    mrr::print(&report, missed);
    let worse = report.languages.values().any(|means| means.ours < means.all_words);
    let met = report.all.ours >= report.all.all_words + mrr::MARGIN && !worse;
    Ok(if met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn default_shared() -> PathBuf {
    std::env::var_os("SESSION_SEARCH_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from)
}

fn plan() -> Result<Option<Plan>, Box<dyn Error>> {
    let shared = default_shared();
    let mut plan = Plan {
        messages: 200_000,
        sessions: 2_000,
        turns: 9,
        seed: 7,
        shared,
        json: None,
        keep: None,
        only: String::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        if name == "--help" {
            print!("{HELP}");
            return Ok(None);
        }
        let value =
            arguments.next().ok_or_else(|| format!("{name} takes a value; --help names the options"))?;
        match name.as_str() {
            "--messages" => plan.messages = value.parse()?,
            "--sessions" => plan.sessions = value.parse()?,
            "--turns" => plan.turns = value.parse()?,
            "--seed" => plan.seed = value.parse()?,
            "--shared" => plan.shared = value.into(),
            "--json" => plan.json = Some(value.into()),
            "--only" => plan.only = value,
            "--keep" => plan.keep = Some(value.into()),
            _ => return Err(format!("there is no option {name}; --help names them").into()),
        }
    }
    if plan.sessions < 200 || plan.messages < plan.sessions * 10 {
        return Err("at least 200 sessions and 10 messages a session are needed".into());
    }
    Ok(Some(plan))
}

fn run(plan: &Plan) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let mut rows: Vec<Row> = Vec::new();
    match &plan.keep {
        None => {
            let messages = generate(plan);
            rows::all(plan, temporary.path(), &messages, &mut rows)?;
            drop(messages);
            import::rows(plan, temporary.path(), &mut rows)?;
        }
        Some(kept) => rows::kept(plan, kept, &mut rows)?,
    }
    measure::print(&rows);
    println!("peak memory of this process, generator and corpus included: {} MiB", memory::peak_mib());
    if let Some(path) = &plan.json {
        std::fs::write(path, serde_json::to_string_pretty(&rows)?)?;
    }
    Ok(())
}

fn generate(plan: &Plan) -> Vec<corpus::Message> {
    eprintln!("generating {} messages in {} sessions", plan.messages, plan.sessions);
    corpus::generate(plan.seed, plan.messages, plan.sessions)
}

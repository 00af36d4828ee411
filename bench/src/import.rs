//! Imports of real transcripts, where there are any: against parsing every line as JSON in the same run.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use session_search_api::{ImportOptions, NoProgress, SessionSearch, Settings};
use session_search_import::{DiscoverOptions, discover};

use crate::Plan;
use crate::measure::{Row, quantile, time};

type Outcome = Result<(), Box<dyn Error>>;

/// Adds the rows of imports.
pub(crate) fn rows(plan: &Plan, directory: &Path, rows: &mut Vec<Row>) -> Outcome {
    let source = plan.shared.join("corpus").join("claude-code");
    if !source.is_dir() {
        eprintln!("imports: skipped, there are no transcripts in {}", source.display());
        return Ok(());
    }
    eprintln!("importing");
    let files = files(&source)?;
    let bytes: u64 = files.iter().filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let (mut import, mut value, mut ignored) = (Vec::new(), Vec::new(), Vec::new());
    let mut home = PathBuf::new();
    for turn in 0..3 {
        home = directory.join(format!("import-{turn}"));
        let sessions = SessionSearch::open(&home, &Settings::default());
        let (took, report) = time(|| {
            let found = discover(std::slice::from_ref(&source), &DiscoverOptions::default(), &|_| None);
            runtime.block_on(sessions.import(found.sources, &ImportOptions::default(), Arc::new(NoProgress)))
        });
        report?;
        runtime.block_on(sessions.close());
        import.push(took);
        value.push(parse::<serde_json::Value>(&files)?);
        ignored.push(parse::<serde::de::IgnoredAny>(&files)?);
    }
    let import = quantile(&mut import, 0.5).as_secs_f64() * 1e3;
    let mut row = |name: &str, times: &mut Vec<Duration>, against: &str, most| {
        let baseline = quantile(times, 0.5).as_secs_f64() * 1e3;
        rows.push(Row::part(name, import, baseline, against, "ms", Some(most)));
    };
    row("import Claude Code transcripts with indexing", &mut value, "parsing every line into Value", 3.0);
    row(
        "import Claude Code transcripts with indexing",
        &mut ignored,
        "parsing every line into IgnoredAny",
        10.0,
    );
    let database = home.join("agents").join("claude").join("sessions.sqlite").metadata()?.len();
    #[expect(clippy::cast_precision_loss, reason = "bytes of a test corpus")]
    rows.push(Row::part(
        "bytes of the database",
        database as f64,
        bytes as f64,
        "bytes of the transcripts",
        "bytes",
        Some(1.0 / 3.0),
    ));
    Ok(())
}

fn files(directory: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn parse<T: serde::de::DeserializeOwned>(files: &[PathBuf]) -> Result<Duration, std::io::Error> {
    let (took, result) = time(|| {
        for file in files {
            for line in std::fs::read(file)?.split(|byte| *byte == b'\n') {
                drop(std::hint::black_box(serde_json::from_slice::<T>(line)));
            }
        }
        Ok(())
    });
    result.map(|()| took)
}

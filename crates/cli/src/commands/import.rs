//! `sessions import`, and importing as part of other commands.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use session_search_api::core::AgentId;
use session_search_api::core::source::SourceMark;
use session_search_api::{ImportReport, SessionSearch};
use session_search_import::{DiscoverOptions, Format, discover};

use super::Work;
use crate::args::{FormatName, ImportArgs, ImportOptions};
use crate::error::Failure;
use crate::output::Output;
use crate::progress::Importing;
use crate::render::receipts;

pub(super) fn run(work: &Work, args: &ImportArgs) -> Result<(), Failure> {
    let missing: Vec<_> = args.paths.iter().filter(|path| path.symlink_metadata().is_err()).collect();
    let named = |paths: &[&PathBuf]| {
        paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    };
    if missing.len() == args.paths.len() {
        return Err(Failure::Value(format!("there is no such file or directory: {}", named(&missing))));
    }
    let report =
        work.with_sessions(|sessions| async move { paths(&sessions, &args.paths, &args.options).await })?;
    tell(&work.output, &report)?;
    // What could be imported was; what could not has its warning. Only a run that got nowhere has failed.
    let nowhere = report.files == report.failed;
    match (missing.len(), report.failed) {
        (0, failed) if nowhere && failed > 0 => Err(Failure::Reported(format!(
            "{failed} files could not be imported as a whole; see the warnings"
        ))),
        (1.., _) if nowhere => {
            Err(Failure::Reported(format!("there is no such file or directory: {}", named(&missing))))
        }
        _ => Ok(()),
    }
}

/// Prints a report, in the form that was asked for.
pub(super) fn tell(output: &Output, report: &ImportReport) -> Result<(), Failure> {
    if output.json {
        return output.document(report);
    }
    report.warnings.iter().for_each(|warning| output.note("warning", warning));
    if report.unlisted_warnings > 0 {
        output.note("warning", &format!("and {} more", report.unlisted_warnings));
    }
    output.text(&receipts::imported(report))
}

/// Imports what is new under these paths. What was found wrong is in the report.
pub(super) async fn paths(
    sessions: &SessionSearch,
    paths: &[PathBuf],
    options: &ImportOptions,
) -> Result<ImportReport, Failure> {
    let agent = options.agent.as_deref().map(AgentId::new).transpose();
    let agent = agent.map_err(|error| Failure::Value(format!("--agent: {error}")))?;
    let marks: HashMap<String, SourceMark> = sessions.source_marks().await?.into_iter().collect();
    let known = |path: &str| if options.rehash { None } else { marks.get(path).cloned() };
    let wanted =
        DiscoverOptions { agent, format: format(options.format), include_deleted: options.include_deleted };
    let found = discover(paths, &wanted, &known);
    let progress = Arc::new(Importing::start(found.sources.len()));
    let how = session_search_api::ImportOptions {
        defer_index: options.defer_index,
        restore: options.restore,
        include_deleted: options.include_deleted,
        rehash: options.rehash,
    };
    let mut report = sessions.import(found.sources, &how, progress).await?;
    report.warnings.splice(0..0, found.warnings);
    Ok(report)
}

fn format(name: FormatName) -> Option<Format> {
    match name {
        FormatName::Auto => None,
        FormatName::Openclaw => Some(Format::Openclaw),
        FormatName::Pi => Some(Format::Pi),
        FormatName::Claude => Some(Format::Claude),
        FormatName::Codex => Some(Format::Codex),
        FormatName::Gemini => Some(Format::Gemini),
    }
}

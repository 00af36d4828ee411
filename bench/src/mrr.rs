//! How well answers are ranked: the questions of `fixtures/questions` over real transcripts, asked of our search and of
//! plain FTS5 in the same run. What counts is the mean, over the questions, of one over the place of the first right
//! answer among the first ten.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use session_search_api::core::store::{HistoryAnswer, HistoryFrom, HistoryPlan};
use session_search_api::core::{AgentId, TranscriptStore, Visible};
use session_search_api::{
    Context, ImportOptions, NoProgress, ScrubbedWords, SearchRequest, SessionSearch, Settings,
};
use session_search_import::{DiscoverOptions, discover};
use session_search_redact::Redactor;
use session_search_storage::{OpenOptions, SqliteStore};

/// Hits that are looked at.
const PLACES: usize = 10;
/// What is imported. Of the small files that each break a reader only the one with many languages: several of them share
/// ids, and the first record with an id wins.
const SOURCES: [&str; 7] = [
    "claude-code",
    "codex",
    "gemini-cli",
    "growth-series",
    "openclaw-home",
    "pi",
    "adversarial/37-multilingual.jsonl",
];
/// By how much the mean of all questions must be above plain `bm25()`.
pub(crate) const MARGIN: f64 = 0.15;

/// A question with its right answers.
#[derive(Debug, Deserialize)]
struct Question {
    lang: String,
    query: String,
    answers: BTreeSet<Place>,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Place {
    session: String,
    message: String,
}

/// The means of one language, or of all.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Means {
    pub(crate) questions: usize,
    pub(crate) ours: f64,
    /// Plain `bm25()`, all words.
    pub(crate) all_words: f64,
    /// Plain `bm25()`, any word.
    pub(crate) any_word: f64,
}

impl Means {
    fn add(&mut self, ranks: [f64; 3]) {
        self.questions += 1;
        for (sum, rank) in [&mut self.ours, &mut self.all_words, &mut self.any_word].into_iter().zip(ranks) {
            *sum += rank;
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a few dozen questions")]
    fn divided(mut self) -> Means {
        let questions = self.questions.max(1) as f64;
        for sum in [&mut self.ours, &mut self.all_words, &mut self.any_word] {
            *sum /= questions;
        }
        self
    }
}

/// What a run found.
pub(crate) struct Report {
    /// By language.
    pub(crate) languages: BTreeMap<String, Means>,
    pub(crate) all: Means,
    /// The questions whose first hit is wrong: the three reciprocal ranks, and the query.
    pub(crate) missed: Vec<([f64; 3], String)>,
}

/// Asks all questions over the transcripts below `shared`; nothing where there are none.
pub(crate) fn run(shared: &Path) -> Result<Option<Report>, Box<dyn Error>> {
    let corpus = shared.join("corpus");
    if !corpus.is_dir() {
        return Ok(None);
    }
    let directory = tempfile::tempdir()?;
    let home = directory.path().join("home");
    let sources: Vec<PathBuf> = SOURCES.iter().map(|name| corpus.join(name)).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let sessions = SessionSearch::open(&home, &Settings::default());
    let found = discover(&sources, &DiscoverOptions::default(), &|_| None);
    runtime.block_on(sessions.import(found.sources, &ImportOptions::default(), Arc::new(NoProgress)))?;
    let plain = Plain::of(&home, &runtime)?;
    let mut report = Report { languages: BTreeMap::new(), all: Means::default(), missed: Vec::new() };
    for question in questions()? {
        let response = runtime
            .block_on(sessions.search(&Context::operator(), &SearchRequest::new(question.query.clone())))?;
        let ours = response
            .results
            .iter()
            .map(|hit| Place { session: hit.session_key.to_string(), message: hit.message_id.to_string() });
        let ranks = [
            question.rank(ours),
            question.rank(plain.search(&question.query, " AND ")?),
            question.rank(plain.search(&question.query, " OR ")?),
        ];
        report.languages.entry(question.lang.clone()).or_default().add(ranks);
        report.all.add(ranks);
        if ranks[0] < 1.0 {
            report.missed.push((ranks, question.query));
        }
    }
    runtime.block_on(sessions.close());
    report.all = report.all.divided();
    report.languages = report.languages.into_iter().map(|(lang, means)| (lang, means.divided())).collect();
    Ok(Some(report))
}

fn questions() -> Result<Vec<Question>, Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/questions/questions.jsonl");
    let text = std::fs::read_to_string(path)?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

impl Question {
    /// One over the place of the first right answer; 0 where there is none.
    fn rank(&self, hits: impl IntoIterator<Item = Place>) -> f64 {
        let place = hits.into_iter().take(PLACES).position(|hit| self.answers.contains(&hit));
        place.and_then(|place| u32::try_from(place + 1).ok()).map_or(0.0, |place| 1.0 / f64::from(place))
    }
}

/// OpenClaw's table over the messages that ours holds.
struct Plain {
    connection: Connection,
}

impl Plain {
    fn of(home: &Path, runtime: &tokio::runtime::Runtime) -> Result<Plain, Box<dyn Error>> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(
            "CREATE VIRTUAL TABLE plain USING fts5(text, session_id UNINDEXED, message_id UNINDEXED, role UNINDEXED,
               timestamp UNINDEXED, tokenize='unicode61 remove_diacritics 2');",
        )?;
        let mut agents: Vec<_> = std::fs::read_dir(home.join("agents"))?.collect::<Result<_, _>>()?;
        agents.sort_by_key(std::fs::DirEntry::file_name);
        for agent in agents {
            let id = AgentId::new(agent.file_name().to_string_lossy())?;
            let pipeline = Arc::new(ScrubbedWords::new(Redactor::built_in().into()));
            let file = agent.path().join("sessions.sqlite");
            let store = SqliteStore::open(&file, id, OpenOptions::default(), pipeline)?;
            runtime.block_on(copy(&store, &connection))?;
            runtime.block_on(store.close())?;
        }
        Ok(Plain { connection })
    }

    /// Each word in quotes, joined; the best first.
    fn search(&self, query: &str, joined_by: &str) -> Result<Vec<Place>, rusqlite::Error> {
        let words = query.split_whitespace().map(|word| format!("\"{}\"", word.replace('"', "\"\"")));
        let expression = words.collect::<Vec<_>>().join(joined_by);
        let mut statement = self.connection.prepare_cached(
            "SELECT session_id, message_id FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?",
        )?;
        let read = |row: &rusqlite::Row<'_>| Ok(Place { session: row.get(0)?, message: row.get(1)? });
        let limit = i64::try_from(PLACES).unwrap_or(i64::MAX);
        statement.query_map(params![expression, limit], read)?.collect()
    }
}

/// Copies every message that may be found.
async fn copy(store: &SqliteStore, to: &Connection) -> Result<(), Box<dyn Error>> {
    for session in store.list(&Visible::NotIncognito).await? {
        for session_id in &session.session_ids {
            let plan = HistoryPlan {
                key: session.key.clone(),
                session_id: Some(session_id.clone()),
                from: HistoryFrom::Newest,
                limit: 1_000_000,
                include_tools: false,
            };
            let HistoryAnswer::Page(page) = store.history(&Visible::NotIncognito, &plan).await? else {
                continue;
            };
            for message in page.messages {
                let mut statement = to.prepare_cached(
                    "INSERT INTO plain(text, session_id, message_id, role, timestamp) VALUES (?, ?, ?, ?, ?)",
                )?;
                statement.execute(params![
                    message.text,
                    session.key.as_str(),
                    message.event_id.as_str(),
                    message.role.as_str(),
                    message.timestamp.0
                ])?;
            }
        }
    }
    Ok(())
}

/// Prints the table.
pub(crate) fn print(report: &Report, with_missed: bool) {
    println!("mean reciprocal rank of the first right answer among {PLACES} hits");
    println!(
        "ours: default settings. bm25 AND, bm25 OR: every word of the query in quotes, joined by AND or OR, over"
    );
    println!("OpenClaw's table (unicode61 remove_diacritics 2) with the same messages, ORDER BY bm25()\n");
    println!("| language | questions | ours | bm25 AND | bm25 OR | ours - AND |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let all = ("all".to_owned(), report.all.clone());
    for (language, means) in report.languages.clone().into_iter().chain([all]) {
        let Means { questions, ours, all_words, any_word } = means;
        let margin = ours - all_words;
        println!("| {language} | {questions} | {ours:.3} | {all_words:.3} | {any_word:.3} | {margin:+.3} |");
    }
    if with_missed {
        println!("\nnot first (ours, AND, OR):");
        for ([ours, all, any], query) in &report.missed {
            println!("  {ours:.2} {all:.2} {any:.2}  {query}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_finds_what_is_meant_better_than_plain_bm25_and_no_language_worse() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
        let shared = std::env::var_os("SESSION_SEARCH_SHARED").map_or(root, PathBuf::from);
        let Some(report) = run(&shared).unwrap() else {
            println!("skipped: there are no transcripts in {}", shared.display());
            return;
        };
        print(&report, true);
        assert!(report.all.questions >= 60);
        assert!(report.languages.len() >= 5);
        assert!(report.all.ours >= report.all.all_words + MARGIN);
        assert!(report.all.ours >= report.all.any_word);
        for (language, means) in &report.languages {
            assert!(means.ours >= means.all_words, "{language}: {means:?}");
        }
    }

    #[test]
    fn the_place_of_the_first_right_answer_counts() {
        let place = |message: &str| Place { session: "s".into(), message: message.into() };
        let answers = [place("right"), place("also")].into();
        let question = Question { lang: "en".into(), query: "q".into(), answers };
        assert_eq!(question.rank([place("right"), place("also")]), 1.0);
        assert_eq!(question.rank([place("wrong"), place("also")]), 0.5);
        assert_eq!(question.rank(std::iter::repeat_n(place("wrong"), 10).chain([place("right")])), 0.0);
        assert_eq!(question.rank([]), 0.0);
    }
}

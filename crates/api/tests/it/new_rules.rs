//! The rules of redaction change: what they hide from now on is hidden at once, in the index that is still the old
//! one, too; then the index is built anew, and nothing of the old one stays.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use session_search_api::core::visibility::Scope;
use session_search_api::redact::Redactor;
use session_search_api::{Context, ErasureState, HistoryRequest, SearchRequest, SessionSearch, Settings};

use crate::world::{caller, search, settings};

const LONG: Duration = Duration::from_secs(60);
const KEY: &str = "agent:main:main";

/// The built-in rules, and one that hides this bird when it has a number.
fn stricter() -> Settings {
    let config = "[[redaction.rules]]\nid = 'bird'\nkeywords = ['albatross']\npattern = 'albatross[0-9]+'";
    let redactor = Arc::new(Redactor::with_config(config).unwrap());
    Settings { redactor, ..settings() }
}

/// A home with an index of the built-in rules, closed.
async fn old_home(messages: usize) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let api = SessionSearch::open(home.path(), &settings());
    for n in 0..messages {
        let text = format!("kestrel number{n} flies with albatross{n} 信天翁 over the sea");
        let event = crate::world::message(&format!("m{n}"), "user", &text, n as i64);
        api.append(&session_search_api::AppendRequest::to(KEY), vec![event]).await.unwrap();
    }
    let found = api.search(&Context::operator(), &search("albatross7")).await.unwrap();
    assert_eq!(found.results.len(), usize::from(messages > 7), "under the old rules it is a word");
    api.close().await;
    home
}

fn strict(query: &str) -> SearchRequest {
    SearchRequest { strict: true, ..search(query) }
}

/// What must hold from the first answer on, before and after the index is built anew.
async fn hidden(api: &SessionSearch, when: &str) {
    let callers = [Context::operator(), caller("main", KEY, Scope::Own), caller("main", KEY, Scope::Agent)];
    for context in callers {
        for query in
            ["albatross7", "albatross7*", "albatross*", "\"with albatross7\"", "albatross3 OR albatross4"]
        {
            let found = api.search(&context, &strict(query)).await.unwrap();
            assert!(found.results.is_empty(), "{query} {when}");
        }
        for query in
            ["number7", "number7 OR albatross7", "number7 albatross7", "信天翁 number7", "number7 -absent"]
        {
            let found = api.search(&context, &search(query)).await.unwrap();
            for hit in &found.results {
                assert!(!hit.snippet.contains("albatross7"), "{query} {when}: {}", hit.snippet);
            }
        }
        let page = api.history(&context, &HistoryRequest::newest(KEY)).await.unwrap();
        assert!(page.messages.iter().all(|m| m.text.contains("[REDACTED:custom]") && m.redacted), "{when}");
    }
}

/// The word is like one that was never said.
async fn unsaid(api: &SessionSearch, context: &Context) {
    // What an exclusion leaves out, a hint says or a number counts would tell as well as a hit.
    for (one, other) in [
        ("number7 -albatross7", "number7 -albatross99"),
        ("albatross7", "albatross99"),
        ("kestrel albatross7", "kestrel albatross99"),
        ("-albatross7 kestrel", "-albatross99 kestrel"),
        ("number7 OR albatross7", "number7 OR albatross99"),
        ("kestrel OR albatross7*", "kestrel OR albatross99*"),
        ("\"with albatross7\" OR number7", "\"with albatross99\" OR number7"),
    ] {
        let [one, other] = [one, other].map(search);
        let one = serde_json::to_value(api.search(context, &one).await.unwrap()).unwrap();
        let other = serde_json::to_value(api.search(context, &other).await.unwrap()).unwrap();
        let word = |answer: &serde_json::Value| answer.to_string().replace("albatross99", "albatross7");
        assert_eq!(word(&one), word(&other));
    }
}

fn directory_holds(directory: &Path, what: &str) -> bool {
    std::fs::read_dir(directory).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return directory_holds(&path, what);
        }
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(what.len()).any(|w| w == what.as_bytes())
    })
}

#[tokio::test]
async fn what_new_rules_hide_is_hidden_before_and_after_the_index_is_built_anew() {
    let home = old_home(40).await;
    let api = SessionSearch::open(home.path(), &stricter());
    // Another writer holds the store, so that what a search wakes cannot begin: the answers are from the old index.
    let held = rusqlite::Connection::open(home.path().join("agents/main/sessions.sqlite")).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    hidden(&api, "at once").await;
    unsaid(&api, &Context::operator()).await;
    unsaid(&api, &caller("main", KEY, Scope::Own)).await;
    let found = api.search(&Context::operator(), &search("number7")).await.unwrap();
    assert!(found.indexing && found.results.len() == 1, "searches go on");
    held.execute_batch("ROLLBACK").unwrap();
    drop(held);
    api.reindex(None, LONG).await.unwrap();
    hidden(&api, "afterwards").await;
    unsaid(&api, &Context::operator()).await;
    unsaid(&api, &caller("main", KEY, Scope::Own)).await;
    let found = api.search(&Context::operator(), &search("number7")).await.unwrap();
    assert_eq!(found.results[0].snippet, "kestrel number7 flies with [REDACTED:custom] 信天翁 over the sea");
    assert!(!found.indexing);
    let deleted = api.delete(KEY, None).await.unwrap();
    assert_eq!(deleted.erasure, ErasureState::Done);
    api.close().await;
    for word in ["albatross7", "number31", "kestrel", "信天翁"] {
        assert!(!directory_holds(home.path(), word), "{word} is left");
    }
}

const WORDS: [&str; 5] = ["kestrel", "backoff", "会议室", "over", "user_name"];

/// Asks a home whose index is still of the old rules, and held so.
async fn answers(messages: &[(usize, bool)], number: u32, queries: &[String]) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    let api = SessionSearch::open(home.path(), &settings());
    for (n, (word, bird)) in messages.iter().enumerate() {
        let bird = if *bird { format!("albatross{number}") } else { "nothing".to_owned() };
        let text = format!("{} flies with {bird} over the sea", WORDS[*word]);
        let event = crate::world::message(&format!("m{n}"), "user", &text, n as i64);
        let to = session_search_api::AppendRequest {
            session_id: Some("t".into()),
            ..session_search_api::AppendRequest::to(KEY)
        };
        api.append(&to, vec![event]).await.unwrap();
    }
    api.close().await;
    let api = SessionSearch::open(home.path(), &stricter());
    let held = rusqlite::Connection::open(home.path().join("agents/main/sessions.sqlite")).unwrap();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut answers = Vec::new();
    for query in queries {
        for context in [Context::operator(), caller("main", KEY, Scope::Agent)] {
            let answer =
                api.search(&context, &SearchRequest { limit: Some(3), ..search(query) }).await.unwrap();
            answers.push(serde_json::to_string(&answer).unwrap());
        }
    }
    held.execute_batch("ROLLBACK").unwrap();
    api.close().await;
    answers
}

#[test]
fn an_index_of_old_rules_confirms_nothing_that_new_rules_hide() {
    use proptest::prelude::*;
    let part = (0..7_usize, 0..WORDS.len(), 1..6_usize, any::<bool>());
    let queries = prop::collection::vec(prop::collection::vec(part, 1..4), 1..6);
    let told = prop::collection::vec((0..WORDS.len(), any::<bool>()), 1..8);
    let config = proptest::test_runner::Config {
        cases: 48,
        failure_persistence: None,
        ..proptest::test_runner::Config::default()
    };
    let numbers = (1_000_u32..10_000, 1_000_u32..10_000);
    proptest::test_runner::TestRunner::new(config)
        .run(&(told, numbers, queries), |(told, (one, other), queries)| {
            let typed = |(form, word, digits, mine): &(usize, usize, usize, bool)| {
                let secret = format!("albatross{}", if *mine { one } else { other });
                let (start, word) = (&secret[..9 + (*digits).min(4)], WORDS[*word]);
                match form {
                    0 => word.to_owned(),
                    1 => secret,
                    2 => format!("{start}*"),
                    3 => format!("-{start}*"),
                    4 => format!("-{secret}"),
                    5 => format!("{word} OR {secret}"),
                    _ => format!("\"with {secret}\""),
                }
            };
            let queries: Vec<String> = queries
                .iter()
                .map(|parts| parts.iter().map(typed).collect::<Vec<_>>().join(" "))
                // Exclusions alone are no query.
                .map(|query| format!("{query} OR flies"))
                .collect();
            let runtime = crate::world::runtime();
            let of = |number| runtime.block_on(answers(&told, number, &queries));
            prop_assert_eq!(of(one), of(other), "{:?}", queries);
            Ok(())
        })
        .unwrap();
}

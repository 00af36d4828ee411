//! The laws: nothing invisible is found or shows, limits hold, paging yields each message once, names tell nothing.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use session_search_api::core::Role;
use session_search_api::core::store::Order;
use session_search_api::{AppendRequest, Context, HistoryRequest, ListRequest, SearchRequest};

use crate::generated::{AGENTS, Message, Plan, Session, WORDS, plan};
use crate::oracle::{places, visible};
use crate::world::{Question, World, runtime, search};

/// Runs a law over so many generated values.
fn law<S: Strategy>(cases: u32, values: S, check: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    TestRunner::new(config).run(&values, check).unwrap();
}

#[test]
fn exactly_the_visible_matches_are_found() {
    let runtime = runtime();
    law(1_000, plan(), |plan| runtime.block_on(found_is_visible(&World::memory(), &plan)));
}

#[test]
fn exactly_the_visible_matches_are_found_in_sqlite() {
    let runtime = runtime();
    law(25, plan(), |plan| runtime.block_on(found_is_visible(&World::sqlite(), &plan)));
}

async fn found_is_visible(world: &World, plan: &Plan) -> Result<(), TestCaseError> {
    plan.fill(world).await;
    let context = plan.context();
    for word in WORDS {
        let request = SearchRequest { limit: Some(25), per_session: Some(100), strict: true, ..search(word) };
        let found = world.find(&context, request).await;
        let mut got = BTreeSet::new();
        for hit in &found.results {
            got.insert((hit.session_key.to_string(), hit.message_id.to_string()));
            got.extend(
                hit.also_in.iter().map(|place| (place.session_key.to_string(), hit.message_id.to_string())),
            );
        }
        prop_assert_eq!(&got, &places(plan, word), "{}", word);
        prop_assert!(!found.truncated && !found.indexing && found.warning.is_none());
        prop_assert!(!found.results.is_empty() || !found.hints.is_empty());
    }
    let listed: BTreeSet<_> =
        world.list(&context).await.sessions.iter().map(|s| s.session_key.to_string()).collect();
    let expected: BTreeSet<_> = visible(plan).into_iter().map(|n| plan.sessions[n].key.clone()).collect();
    prop_assert_eq!(listed, expected);
    Ok(())
}

/// A change to what the caller does not see.
#[derive(Debug, Clone)]
enum Change {
    Say(usize, usize),
    Delete(usize),
    Retitle(usize),
    Reset(usize, usize),
    Add(usize, Option<usize>, bool, usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let word = 0..WORDS.len();
    let change = prop_oneof![
        (0..7_usize, word.clone()).prop_map(|(n, word)| Change::Say(n, word)),
        (0..7_usize).prop_map(Change::Delete),
        (0..7_usize).prop_map(Change::Retitle),
        (0..7_usize, word.clone()).prop_map(|(n, word)| Change::Reset(n, word)),
        (0..AGENTS.len() + 1, prop::option::of(0..7_usize), any::<bool>(), word)
            .prop_map(|(agent, parent, incognito, word)| Change::Add(agent, parent, incognito, word)),
    ];
    prop::collection::vec(change, 1..6)
}

#[test]
fn what_is_invisible_changes_no_byte() {
    let runtime = runtime();
    law(1_000, (plan(), changes()), |(plan, changes)| {
        runtime.block_on(no_byte_changes(&World::memory(), &plan, &changes))
    });
}

#[test]
fn what_is_invisible_changes_no_byte_in_sqlite() {
    let runtime = runtime();
    law(100, (plan(), changes()), |(plan, changes)| {
        runtime.block_on(no_byte_changes(&World::sqlite(), &plan, &changes))
    });
}

async fn no_byte_changes(world: &World, plan: &Plan, changes: &[Change]) -> Result<(), TestCaseError> {
    plan.fill(world).await;
    let context = plan.context();
    let questions = questions(plan);
    let before = world.answers(&context, &questions).await;
    let mut changed = plan.clone();
    for (n, change) in changes.iter().enumerate() {
        apply(world, &mut changed, change, n).await;
    }
    let after = world.answers(&context, &questions).await;
    for ((question, before), after) in questions.iter().zip(before).zip(after) {
        prop_assert_eq!(before, after, "{:?}", question);
    }
    Ok(())
}

async fn apply(world: &World, plan: &mut Plan, change: &Change, n: usize) {
    let seen = visible(plan);
    // The caller's own existence decides what it sees, so it stays as it is.
    let may_change = |of: usize| of < plan.sessions.len() && of != plan.caller && !seen.contains(&of);
    let told = |word: usize| [(format!("new{n}"), WORDS[word], 5_000_000 + n as i64)];
    match *change {
        Change::Say(of, word) if may_change(of) && !plan.sessions[of].deleted => {
            let [(id, text, time)] = told(word);
            world.say(&plan.sessions[of].key, &[(&id, "user", text, time)]).await;
        }
        Change::Reset(of, word) if may_change(of) && !plan.sessions[of].deleted => {
            let [(id, text, time)] = told(word);
            let to = AppendRequest {
                session_id: Some(format!("reset{n}")),
                ..AppendRequest::to(&plan.sessions[of].key)
            };
            world.append(to, &[(&id, "assistant", text, time)]).await;
        }
        Change::Retitle(of) if may_change(of) && !plan.sessions[of].deleted => {
            let to = AppendRequest {
                title: Some(format!("title {n}")),
                ..AppendRequest::to(&plan.sessions[of].key)
            };
            world.append(to, &[(&format!("title{n}"), "user", "with a title", 1)]).await;
        }
        Change::Delete(of) if may_change(of) && !plan.sessions[of].deleted => {
            world.api.delete(&plan.sessions[of].key, None).await.unwrap();
            plan.sessions[of].deleted = true;
        }
        Change::Add(agent, parent, incognito, word) => {
            let agent = AGENTS.get(agent).copied().unwrap_or("zeta");
            let message = Message { id: "copy0".into(), text: WORDS[word].into(), role: "user", time: 900 };
            let parent = parent.filter(|parent| *parent < plan.sessions.len());
            let key = format!("agent:{agent}:added{n}");
            let last = plan.sessions.len();
            // Sessions that named a parent beyond the last one named none that is stored, and go on to do so.
            plan.sessions.iter_mut().for_each(|s| s.parent = s.parent.filter(|parent| *parent < last));
            let ghost = plan.caller == last;
            plan.sessions.push(Session {
                agent,
                key,
                parent,
                incognito,
                deleted: false,
                messages: vec![message],
            });
            if ghost {
                plan.caller += 1;
            }
            if visible(plan).contains(&last) {
                plan.sessions[last].incognito = true;
            }
            plan.store(world, last).await;
        }
        _ => {}
    }
}

fn questions(plan: &Plan) -> Vec<Question> {
    let queries = [
        "quokka",
        "backoff deploy",
        "quokka OR 会议",
        "deploy -backoff",
        "\"quokka backoff\"",
        "quok*",
        "which quokka is nowhere",
        "absent",
        "bakcoff",
        "depoly hiden quokka nowhere",
        "copied",
        "user name",
    ];
    let mut questions: Vec<Question> = queries.iter().map(|query| Question::Search(search(query))).collect();
    let mut searches = vec![
        SearchRequest { order: Some(Order::Recent), limit: Some(2), ..search("quokka OR backoff OR deploy") },
        SearchRequest { per_session: Some(1), limit: Some(3), ..search("quokka OR café") },
        SearchRequest { role: Some(Role::Assistant), strict: true, ..search("deploy café") },
        SearchRequest { since: Some("1970-01-01".into()), until: Some("1010".into()), ..search("deploy") },
        SearchRequest { exclude_current: true, ..search("quokka") },
    ];
    for agent in AGENTS.iter().chain(&["zeta"]) {
        searches.push(SearchRequest {
            agent_id: Some((*agent).into()),
            limit: Some(1),
            ..search("quokka OR deploy")
        });
        questions.push(Question::List(ListRequest { agent_id: Some((*agent).into()), limit: None }));
    }
    questions.extend(searches.into_iter().map(Question::Search));
    let keys = plan.sessions.iter().map(|session| session.key.clone());
    for key in keys.chain(["agent:main:added0".to_owned(), "agent:zeta:added1".to_owned()]) {
        questions
            .push(Question::Search(SearchRequest { session_key: Some(key.clone()), ..search("backoff") }));
        questions.push(Question::History(HistoryRequest { limit: Some(2), ..HistoryRequest::newest(&key) }));
        questions.push(Question::History(HistoryRequest {
            message_id: Some("copy0".into()),
            ..HistoryRequest::newest(key)
        }));
    }
    questions.push(Question::List(ListRequest::default()));
    questions.push(Question::List(ListRequest { limit: Some(1), agent_id: None }));
    questions
}

#[test]
fn a_name_that_may_not_be_seen_tells_nothing() {
    let runtime = runtime();
    law(1_000, plan(), |plan| {
        runtime.block_on(async {
            let world = World::memory();
            plan.fill(&world).await;
            let (context, seen) = (plan.context(), visible(&plan));
            let mut refusals = BTreeSet::new();
            let keys = plan
                .sessions
                .iter()
                .enumerate()
                .map(|(n, session)| (session.key.clone(), seen.contains(&n) || n == plan.caller));
            for (key, may_see) in
                keys.chain([("agent:main:none".into(), false), ("agent:none:none".into(), false)])
            {
                let request = SearchRequest { session_key: Some(key.clone()), ..search("quokka") };
                let found = world.api.search(&context, &request).await;
                let page = world.api.history(&context, &HistoryRequest::newest(&key)).await;
                prop_assert_eq!((found.is_ok(), page.is_ok()), (may_see, may_see), "{}", key);
                refusals.extend(found.err().map(|error| serde_json::to_string(&error.failure()).unwrap()));
                refusals.extend(page.err().map(|error| serde_json::to_string(&error.failure()).unwrap()));
            }
            prop_assert_eq!(refusals.len(), 1);
            Ok(())
        })
    });
}

/// Texts that are awkward to measure: long, escaped, wide, wordless.
fn awkward_text() -> impl Strategy<Value = String> {
    let unit = prop::sample::select(vec![
        "needle ",
        "\"\\ ",
        "会議室",
        "\u{1f468}\u{200d}\u{1f4bb} ",
        "é\u{301} ",
        "\n\n",
        "\u{202e}",
        "plain words ",
    ]);
    prop::collection::vec((unit, 1..400_usize), 1..6).prop_map(|parts| {
        parts.into_iter().map(|(unit, times)| unit.repeat(times)).collect::<String>() + " needle"
    })
}

#[test]
fn limits_hold() {
    let runtime = runtime();
    let texts = prop::collection::vec((0..4_usize, awkward_text()), 1..14);
    law(1_000, (texts, 1..26_i64, 1..5_i64), |(texts, limit, per_session)| {
        runtime.block_on(async {
            let world = World::memory();
            for (n, (session, text)) in texts.iter().enumerate() {
                world
                    .say(
                        &format!("agent:{}:k{session}", AGENTS[session % 3]),
                        &[(&format!("m{n}"), "user", text, n as i64)],
                    )
                    .await;
            }
            let request =
                SearchRequest { limit: Some(limit), per_session: Some(per_session), ..search("needle") };
            let found = world.find(&Context::operator(), request).await;
            prop_assert!(found.results.len() <= usize::try_from(limit).unwrap());
            prop_assert!(serde_json::to_string(&found).unwrap().len() <= 32 << 10);
            let mut counts: BTreeMap<_, i64> = BTreeMap::new();
            for hit in &found.results {
                prop_assert!(hit.snippet.chars().count() <= 304, "300 and an ellipsis at each end");
                prop_assert!(hit.highlights.iter().all(|range| hit.snippet.get(range.clone()).is_some()));
                *counts.entry((&hit.agent_id, &hit.session_key)).or_default() += 1;
            }
            prop_assert!(counts.values().all(|count| *count <= per_session));
            let shown: i64 = counts.values().sum();
            let all: BTreeMap<usize, i64> = texts.iter().fold(BTreeMap::new(), |mut all, (session, _)| {
                *all.entry(*session).or_default() += 1;
                all
            });
            let total: i64 = all.values().sum();
            prop_assert_eq!(found.truncated, shown < total);
            let page = HistoryRequest {
                limit: Some(limit),
                ..HistoryRequest::newest(format!("agent:{}:k{}", AGENTS[texts[0].0 % 3], texts[0].0))
            };
            let page = world.read(&Context::operator(), page).await;
            prop_assert!(serde_json::to_string(&page).unwrap().len() <= 80 << 10);
            for message in &page.messages {
                prop_assert!(message.text.chars().count() <= 4_000);
                prop_assert!(serde_json::to_string(message).unwrap().len() <= 16 << 10);
            }
            Ok(())
        })
    });
}

#[test]
fn paging_yields_each_message_once_while_messages_arrive() {
    let runtime = runtime();
    let values = (1..40_usize, prop::collection::vec(0..4_usize, 0..30), 1..9_i64, 0..40_usize);
    law(1_000, values, |(first, arrivals, limit, anchor)| {
        runtime.block_on(pages(first, arrivals, limit, anchor))
    });
}

async fn pages(first: usize, arrivals: Vec<usize>, limit: i64, anchor: usize) -> Result<(), TestCaseError> {
    let world = World::memory();
    let key = "agent:main:main";
    let id = |n: usize| format!("m{n:03}");
    let mut told = 0;
    let mut tell = async |count: usize| {
        for _ in 0..count {
            world.say(key, &[(&id(told), "user", "words", told as i64)]).await;
            told += 1;
        }
        told
    };
    tell(first).await;
    let mut arrivals = arrivals.into_iter();
    let page = |request: HistoryRequest| HistoryRequest { limit: Some(limit), ..request };
    let start = page(HistoryRequest { message_id: Some(id(anchor % first)), ..HistoryRequest::newest(key) });
    let middle = world.read(&Context::operator(), start).await;
    let mut seen: Vec<String> = middle.messages.iter().map(|m| m.message_id.to_string()).collect();
    let mut older = middle.older;
    while let Some(before) = older {
        tell(arrivals.next().unwrap_or(0)).await;
        let got = world
            .read(
                &Context::operator(),
                page(HistoryRequest { before: Some(before), ..HistoryRequest::newest(key) }),
            )
            .await;
        prop_assert!(!got.messages.is_empty());
        seen.splice(0..0, got.messages.iter().map(|m| m.message_id.to_string()));
        older = got.older;
    }
    let mut newer = middle.newer;
    while let Some(after) = newer {
        tell(arrivals.next().unwrap_or(0)).await;
        let got = world
            .read(
                &Context::operator(),
                page(HistoryRequest { after: Some(after), ..HistoryRequest::newest(key) }),
            )
            .await;
        prop_assert!(!got.messages.is_empty());
        seen.extend(got.messages.iter().map(|m| m.message_id.to_string()));
        newer = got.newer;
    }
    let total = tell(0).await;
    // Where the middle page was the last, what arrived since is not on it: it said that there was no more.
    let expected: Vec<String> = (0..total).map(id).take(seen.len()).collect();
    prop_assert_eq!(&seen, &expected);
    prop_assert!(seen.len() >= first);
    Ok(())
}

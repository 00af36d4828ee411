//! Queries of any kind, asked of both stores and of a naive scan over the texts: all three find the same.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use session_search_core::query::{Clause, Query};
use session_search_core::store::{Filter, Matching, Order, SearchPlan, StoreHits};
use session_search_core::words::{self, Kind, Token};
use session_search_core::{Role, TranscriptStore, Visible};
use session_search_storage::{OpenOptions, SqliteStore, Synchronous};
use session_search_testkit::MemoryStore;
use session_search_testkit::factory::agent;
use session_search_testkit::fixture::{append, assistant, key, user};
use session_search_testkit::pipeline::TestPipeline;

/// Sessions and what is said in them, the user and the assistant in turn.
pub(crate) const SAID: &[(&str, &[&str])] = &[
    (
        "k1",
        &["We chose exponential backoff for the retry policy.", "the retry policy, then; retry retry", ""],
    ),
    (
        "k2",
        &[
            "getUserName() calls get_user_name and get-user-name",
            "src/main.rs:12 uses C++ and C#, not C.",
            "v1.2.3 #1234 me@host.org",
        ],
    ),
    (
        "k3",
        &["会议记录在第三会议室,请看東京都庁的通知。", "修改youer服务端的配置", "カタカナとﾊﾝｶｸ、ひらがな"],
    ),
    ("k4", &["Straße CAFÉ café ﬁne ＡＢＣ İstanbul ΣΊΣΥΦΟΣ", "ёлка и ель", "naïve co\u{301}te don't DON’T"]),
    ("k5", &["สวัสดีครับ วันนี้อากาศดี", "हिन्दी में संदेश", "السَّلام عليكم", "한국어 문장과 형태소"]),
    (
        "k6",
        &["👩‍💻 shipped it 🚀🚀", "`let x = a.b::<C>(1_000);` -- --flag -x AND NEAR( OR", "the the the of the"],
    ),
];

thread_local! {
    static STORES: RefCell<Option<(tempfile::TempDir, SqliteStore, MemoryStore)>> = const { RefCell::new(None) };
}

fn fill(store: &dyn TranscriptStore) {
    for (session, texts) in SAID {
        let drafts: Vec<_> = texts
            .iter()
            .enumerate()
            .map(|(n, text)| {
                let id = format!("{session}-{n}");
                if n % 2 == 0 { user(&id, text) } else { assistant(&id, text) }
            })
            .collect();
        futures::executor::block_on(store.append(append(session, &drafts))).unwrap();
    }
}

/// Whether a clause occurs, by trying every place.
fn occurs(clause: &Clause, tokens: &[Token]) -> bool {
    clause.alternatives().iter().any(|sequence| {
        !sequence.is_empty()
            && tokens.windows(sequence.len()).any(|window| {
                window.iter().zip(sequence.iter()).all(|(token, element)| {
                    token.kind != Kind::Break
                        && if element.prefix {
                            token.term.starts_with(&element.term)
                        } else {
                            token.term == element.term
                        }
                })
            })
    })
}

fn found_by_scan(query: &Query, filter: &Filter, visible: &Visible) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (session, texts) in SAID {
        if !visible.admits(&key(session), false) || filter.exclude.as_ref() == Some(&key(session)) {
            continue;
        }
        for (n, text) in texts.iter().enumerate() {
            let role = if n % 2 == 0 { Role::User } else { Role::Assistant };
            let tokens = words::tokens(text, &[]);
            let met = query.groups().iter().all(|group| group.clauses().iter().any(|c| occurs(c, &tokens)));
            let excluded = query.exclusions().iter().any(|clause| occurs(clause, &tokens));
            if met && !excluded && filter.role.is_none_or(|only| only == role) {
                found.insert(format!("{session}-{n}"));
            }
        }
    }
    found
}

/// Asks what was typed; `how` picks the rest of the request.
pub(crate) fn ask(typed: &str, how: u16) {
    let Ok(query) = Query::parse(typed) else { return };
    let query = Arc::new(query);
    let bit = |n: u16| how >> n & 1 == 1;
    let visible = match how & 3 {
        0 => Visible::Everything,
        1 => Visible::Only(["k1", "k3", "k6"].into_iter().map(key).collect()),
        2 => Visible::Only(["k2", "k4"].into_iter().map(key).collect()),
        _ => Visible::NotIncognito,
    };
    let filter = Filter {
        role: bit(2).then_some(if bit(3) { Role::User } else { Role::Assistant }),
        exclude: bit(4).then(|| key("k6")),
        ..Filter::default()
    };
    let order = if bit(5) { Order::Recent } else { Order::Relevance };
    STORES.with_borrow_mut(|stores| {
        let (_, sqlite, memory) = stores.get_or_insert_with(|| {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("sessions.sqlite");
            let options = OpenOptions { synchronous: Synchronous::Normal, ..OpenOptions::default() };
            let sqlite = SqliteStore::open(&path, agent(), options, TestPipeline::plain()).unwrap();
            let memory = MemoryStore::new(agent(), TestPipeline::plain());
            fill(&sqlite);
            fill(&memory);
            (directory, sqlite, memory)
        });
        let both = |plan: &SearchPlan| -> StoreHits {
            futures::executor::block_on(async {
                let of_sqlite = sqlite.answer(&visible, &visible, plan).await.unwrap();
                let of_memory = memory.answer(&visible, &visible, plan).await.unwrap();
                assert_eq!(of_sqlite.statistics, of_memory.statistics);
                assert_eq!(of_sqlite.hits, of_memory.hits);
                assert_eq!((of_sqlite.pending, of_memory.pending), (0, 0));
                of_sqlite.hits
            })
        };
        let plan = SearchPlan {
            query: Arc::clone(&query),
            matching: Matching::All,
            filter,
            order,
            limit: 1_000,
            per_session: None,
            statistics: Arc::default(),
        };
        let all = both(&plan);
        let ids: BTreeSet<String> = all.hits.iter().map(|hit| hit.event_id.as_str().to_owned()).collect();
        assert_eq!(ids, found_by_scan(&query, &plan.filter, &visible));
        assert!(!all.left_out && ids.len() == all.hits.len());
        // Fewer are the first of these.
        let few = SearchPlan { limit: 1 + usize::from(how >> 6 & 3), ..plan.clone() };
        let first = both(&few);
        assert_eq!(first.hits, all.hits[..all.hits.len().min(few.limit)]);
        assert_eq!(first.left_out, all.hits.len() > few.limit);
        both(&SearchPlan { per_session: Some(1), ..few });
        both(&SearchPlan { matching: Matching::Most, ..plan });
    });
}

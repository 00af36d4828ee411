//! The query language over a real index: what core says matches is what is found.

use session_search_core::Visible;
use session_search_core::store::{Matching, SearchPlan};

use crate::factory::StoreFactory;
use crate::fixture::{plan, user};
use crate::kit::{Kit, names};
use crate::pipeline::{MARKER, TestPipeline};

/// A store whose session `s` holds these texts as messages `0`, `1`, …
async fn holding(factory: &dyn StoreFactory, texts: &[&str]) -> Kit {
    let kit = Kit::with(factory, TestPipeline::scrubbing()).await;
    let drafts: Vec<_> = texts.iter().enumerate().map(|(n, text)| user(&n.to_string(), text)).collect();
    kit.say("s", &drafts).await;
    kit
}

/// Asserts for each query which of the messages it finds.
async fn check(kit: &Kit, cases: &[(&str, &[usize])]) {
    for (query, expected) in cases {
        let expected: Vec<_> = expected.iter().map(|n| format!("s/{n}")).collect();
        assert_eq!(kit.found(query).await, expected, "search for {query:?}");
    }
}

/// The table of CONTRACT 2, row by row.
pub async fn words_phrases_prefixes_exclusions_and_or(factory: &dyn StoreFactory) {
    let kit = holding(
        factory,
        &[
            "The deploy to staging failed.",
            "We had to roll back the migration",
            "failed deploy: migrating the cats",
            "back the roll; dogs deploy",
            "CAFÉ Straße don't e\u{301}clair",
        ],
    )
    .await;
    check(
        &kit,
        &[
            ("deploy failed", &[0, 2]),
            ("failed deploy", &[0, 2]),
            ("\"roll back the\"", &[1]),
            ("\"back the\"", &[1, 3]),
            ("migrat*", &[1, 2]),
            ("migrat", &[]),
            ("deploy -staging", &[2, 3]),
            ("deploy -\"failed deploy\"", &[0, 3]),
            ("deploy -stag*", &[2, 3]),
            ("cats OR dogs", &[2, 3]),
            ("deploy cats OR dogs", &[2, 3]),
            ("deploy staging OR migrating -dogs", &[0, 2]),
            ("\"roll back\" OR \"failed deploy\"", &[1, 2]),
            ("cafe", &[4]),
            ("STRASSE", &[4]),
            ("don't", &[4]),
            ("eclair", &[4]),
            ("nowhere", &[]),
        ],
    )
    .await;
}

/// Any run of characters is found, also one alone, also beside Latin.
pub async fn scripts_without_spaces(factory: &dyn StoreFactory) {
    let kit = holding(
        factory,
        &["修改youer服务端", "東京都庁へ行く", "今天的会议改期了", "회의실에서 만나요", "ประชุมวันนี้"],
    )
    .await;
    check(
        &kit,
        &[
            ("会议", &[2]),
            ("议", &[2]),
            ("会议改期了", &[2]),
            ("会改", &[]),
            ("都庁", &[1]),
            ("庁", &[1]),
            ("行く", &[1]),
            ("く", &[1]),
            ("youer", &[0]),
            ("服务端", &[0]),
            ("端", &[0]),
            ("youer服务", &[0]),
            ("修改youer", &[0]),
            ("\"改期 了\"", &[]),
            ("회의실", &[3]),
            ("의실", &[3]),
            ("ประชุม", &[4]),
            ("วันนี้", &[4]),
            ("-会议 OR 都庁", &[]),
            ("都庁 -会议", &[1]),
        ],
    )
    .await;
}

/// Identifiers: whole in any case, and by their parts.
pub async fn identifiers_whole_and_by_part(factory: &dyn StoreFactory) {
    let kit = holding(
        factory,
        &[
            "call getUserName() now",
            "the snake_case way",
            "see src/main.rs v1.2.3",
            "C++ and C# differ",
            "plain C code",
        ],
    )
    .await;
    check(
        &kit,
        &[
            ("getusername", &[0]),
            ("getUserName", &[0]),
            ("\"get user name\"", &[0]),
            ("user", &[0]),
            ("snake_case", &[1]),
            ("case", &[1]),
            ("src/main.rs", &[2]),
            ("src/ma*", &[2]),
            ("v1.2.3", &[2]),
            ("c++", &[3]),
            ("C#", &[3]),
            ("c", &[3, 4]),
            // Among other words too.
            ("\"c and c\"", &[3]),
            ("\"plain c\"", &[4]),
            ("\"and c# differ\"", &[3]),
            ("\"and c++ differ\"", &[]),
            ("plain -\"and c\"", &[4]),
        ],
    )
    .await;
}

/// None of it is an operator of ours, so it is text; a piece without a word is ignored.
pub async fn syntax_of_others_is_ordinary_text(factory: &dyn StoreFactory) {
    let kit = holding(
        factory,
        &[
            "cats AND dogs near col x",
            "NEAR(cats, 3)",
            "it's \"quoted\" text --flag",
            "100% sure; DROP TABLE",
            "a^b x-request-id",
        ],
    )
    .await;
    check(
        &kit,
        &[
            ("cats AND dogs", &[0]),
            ("NEAR(cats", &[1]),
            ("col:x", &[0]),
            ("^sure", &[3]),
            ("sure * . ( -", &[3]),
            ("quoted\"", &[2]),
            ("\"quoted", &[2]),
            ("--flag", &[2]),
            ("it's", &[2]),
            ("'; DROP TABLE", &[3]),
            ("{a} : \"sure\"", &[]),
            ("x-request-id", &[4]),
            ("sure\0DROP", &[3]),
            ("NOT sure", &[]),
            ("OR", &[]),
        ],
    )
    .await;
}

/// Sixty-four words, eight prefixes, sixty exclusions, a run of thousands of characters.
pub async fn queries_at_their_bounds(factory: &dyn StoreFactory) {
    let words: Vec<_> = (0..64).map(|n| format!("term{n}x")).collect();
    let long_run = "会议室改期".repeat(800);
    let kit = holding(factory, &[&words.join(" "), &words[..63].join(" "), &long_run]).await;
    check(
        &kit,
        &[(&words.join(" "), &[0]), (&words[..63].join(" "), &[0, 1]), (&words.join(" OR "), &[0, 1])],
    )
    .await;
    let exclusions: Vec<_> = (0..60).map(|n| format!("-absent{n}")).collect();
    check(&kit, &[(&format!("term0x {}", exclusions.join(" ")), &[0, 1])]).await;
    check(&kit, &[(&format!("term0x {} -term63x", exclusions.join(" ")), &[1])]).await;
    let prefixes: Vec<_> = (0..8).map(|n| format!("term{n}*")).collect();
    check(&kit, &[(&prefixes.join(" "), &[0, 1])]).await;
    check(&kit, &[(&format!("\"{}\"", words.join(" ")), &[0]), (&long_run[..12_000], &[2])]).await;
}

/// The index is that of a store that holds only scrubbed text.
pub async fn scrubbed_words_are_not_in_the_index(factory: &dyn StoreFactory) {
    let kit = holding(factory, &["the password sesameXy77 works", "the password works"]).await;
    check(
        &kit,
        &[
            ("sesameXy77", &[]),
            ("sesame*", &[]),
            ("password -sesameXy77", &[0, 1]),
            ("password -sesame*", &[0, 1]),
            ("redacted", &[]),
            ("test", &[]),
            ("password works", &[0, 1]),
        ],
    )
    .await;
    let query = plan("sesame* password").query;
    let statistics = kit.store.statistics(&Visible::Everything, &query).await.unwrap();
    assert_eq!(statistics.frequencies, [0, 2]);
    let hits = kit.search(&Visible::Everything, &plan("password")).await.hits;
    assert!(hits.iter().any(|hit| hit.text.contains("sesameXy77")), "a store hands out text as stored");
}

/// A marker stands between the words beside it; one that was typed by hand is text.
pub async fn phrases_do_not_run_across_markers(factory: &dyn StoreFactory) {
    let kit = holding(factory, &["password sesame1 works", "password works"]).await;
    check(&kit, &[("\"password works\"", &[1])]).await;
    let typed = format!("password {MARKER} works");
    let kit = holding(factory, &[&typed]).await;
    check(&kit, &[("\"password redacted test works\"", &[0])]).await;
}

/// Of the plain words, weighted by rarity, at least half.
pub async fn relaxed_search_holds_at_least_half(factory: &dyn StoreFactory) {
    let kit = holding(
        factory,
        &[
            "how did we choose the backoff strategy",
            "we did the dishes",
            "we did it how the others did",
            "strategy",
            "the the the",
        ],
    )
    .await;
    let relaxed = |query: &str| SearchPlan { matching: Matching::Most, ..plan(query) };
    let found = async |query: &str| {
        let mut found = names(&kit.search(&Visible::Everything, &relaxed(query)).await.hits);
        found.sort();
        found
    };
    // Two words that are equally rare: one of them is half.
    assert_eq!(found("dishes backoff").await, ["s/0", "s/1"]);
    // "the" is nearly everywhere, "backoff" in one message.
    assert_eq!(found("the backoff").await, ["s/0"]);
    assert_eq!(found("backoff").await, ["s/0"]);
    assert!(kit.found("dishes backoff").await.is_empty());
    // Whatever holds all holds most.
    for query in ["we did", "the", "strategy OR dishes", "we strategy"] {
        let most = found(query).await;
        assert!(kit.found(query).await.iter().all(|name| most.contains(name)), "{query}");
    }
}

/// Relaxing gives up plain words only.
pub async fn phrases_and_exclusions_stay_binding_when_relaxed(factory: &dyn StoreFactory) {
    let kit =
        holding(factory, &["roll back apple", "back roll apple banana", "roll back banana", "roll back"])
            .await;
    let found = async |query: &str| {
        let plan = SearchPlan { matching: Matching::Most, ..plan(query) };
        let mut found = names(&kit.search(&Visible::Everything, &plan).await.hits);
        found.sort();
        found
    };
    assert_eq!(found("\"roll back\" apple banana").await, ["s/0", "s/2"]);
    assert_eq!(found("apple banana -\"back roll\"").await, ["s/0", "s/2"]);
    assert_eq!(found("\"roll back\"").await, ["s/0", "s/2", "s/3"]);
    assert_eq!(found("\"roll back\" -apple -banana").await, ["s/3"]);
}

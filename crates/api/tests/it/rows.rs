//! What can be typed, and what a word is, row by row: each row a few messages, queries, and the messages that they find,
//! through the whole search and over both stores.

use session_search_api::{Context, SearchRequest};

use crate::world::{World, search};

/// Messages, then queries with the numbers of the messages that they find.
type Row<'a> = (&'a [&'a str], &'a [(&'a str, &'a [usize])]);

async fn check(rows: &[Row<'_>]) {
    for world in World::both() {
        for (row, (texts, queries)) in rows.iter().enumerate() {
            let key = format!("agent:main:row{row}");
            let ids: Vec<String> = (0..texts.len()).map(|n| format!("{n}")).collect();
            let messages: Vec<_> =
                texts.iter().zip(&ids).map(|(text, id)| (id.as_str(), "user", *text, 1_000)).collect();
            world.say(&key, &messages).await;
            for (query, expected) in *queries {
                let request = SearchRequest {
                    session_key: Some(key.clone()),
                    strict: true,
                    limit: Some(100),
                    ..search(query)
                };
                let mut found = world.ids(request).await;
                found.sort();
                let expected: Vec<_> = expected.iter().map(|n| n.to_string()).collect();
                assert_eq!(found, expected, "{query} in {texts:?}");
            }
        }
    }
}

#[tokio::test]
async fn the_query_language() {
    let rows: &[Row<'_>] = &[
        (
            &["failed to deploy", "deploy", "it failed"],
            &[("deploy failed", &[0]), ("deploy\u{1}failed", &[0])],
        ),
        (
            &["roll back the change", "the roll is back", "5\" disk and 3\" disk", "say \"hello there\""],
            &[
                ("\"roll back the\"", &[0]),
                ("\"roll  back\nthe\"", &[0]),
                ("5\" disk", &[2]),
                ("\"hello", &[3]),
                ("-\"roll back\" roll", &[1]),
            ],
        ),
        (
            &["the migration", "migrate it", "a mig", "see src/main.rs", "会议室", "star * alone"],
            &[
                ("migrat*", &[0, 1]),
                ("src/ma*", &[3]),
                ("\"the migrat*\"", &[]),
                ("会议*", &[4]),
                ("m*", &[]),
            ],
        ),
        (
            &[
                "staging deploy",
                "deploy",
                "stagnant deploy",
                "deploy with --flag set",
                "deploy a phrase here",
            ],
            &[
                ("deploy -staging", &[1, 2, 3, 4]),
                ("deploy -stag*", &[1, 3, 4]),
                ("deploy -\"a phrase\"", &[0, 1, 2, 3]),
                ("--flag", &[3]),
                ("deploy - staging", &[0]),
            ],
        ),
        (
            &["cats run", "dogs run", "birds run", "cats or birds", "or"],
            &[
                ("cats OR dogs", &[0, 1, 3]),
                ("run cats OR dogs", &[0, 1]),
                ("cats or birds", &[3]),
                ("OR", &[3, 4]),
                ("OR cats", &[3]),
            ],
        ),
        (
            &["foo.bar", "foo and bar", "src/main.rs", "x-request-id", "don't", "me@host.org", "don t"],
            &[
                ("foo.bar", &[0]),
                ("foo bar", &[0, 1]),
                ("src/main.rs", &[2]),
                ("x-request-id", &[3]),
                ("don't", &[4, 6]),
                ("me@host.org", &[5]),
                ("host.org", &[5]),
            ],
        ),
        (
            &["this AND that", "NEAR(x y)", "col:x", "^x", "plain"],
            &[
                ("AND", &[0]),
                ("NEAR(", &[1]),
                ("col:x", &[2]),
                ("^x", &[1, 2, 3]),
                ("plain - * . (", &[4]),
                ("plain ' ; -- DROP", &[]),
            ],
        ),
    ];
    check(rows).await;
}

#[tokio::test]
async fn no_word_at_all_is_an_error_that_says_what_to_type() {
    for world in World::both() {
        for query in ["", " ", "- * . (", "-staging", "-a -\"b c\"", "()!?"] {
            let error = world.api.search(&Context::operator(), &search(query)).await.unwrap_err().to_string();
            assert!(error.contains("word"), "{query}: {error}");
        }
    }
}

#[tokio::test]
async fn words() {
    let rows: &[Row<'_>] = &[
        (
            &["Straße", "ﬁle", "ＡＢＣ", "İstanbul ıspanak", "ﾊﾝｶｸ", "e\u{301}te\u{301}"],
            &[
                ("STRASSE", &[0]),
                ("strasse", &[0]),
                ("file", &[1]),
                ("abc", &[2]),
                ("ISTANBUL", &[3]),
                ("ispanak", &[3]),
                ("ハンカク", &[4]),
                ("ÉTÉ", &[5]),
            ],
        ),
        (
            &["CAFÉ", "Ёлка", "май", "が", "مُحَمَّد", "שָׁלוֹם", "ΛΌΓΟΣ λόγος", "कि", "ก่อน"],
            &[
                ("cafe", &[0]),
                ("cafe\u{301}", &[0]),
                ("елка", &[1]),
                ("маи", &[]),
                ("か", &[]),
                ("محمد", &[4]),
                ("שלום", &[5]),
                ("λογοσ", &[6]),
                ("क", &[]),
                ("กอน", &[]),
            ],
        ),
        (
            &["call getUserName()", "snake_case here", "get the user name", "v1.2.3", "#1234", "0xDEADBEEF"],
            &[
                ("getUserName", &[0]),
                ("getusername", &[0]),
                ("user name", &[0, 2]),
                ("username", &[]),
                ("snake case", &[1]),
                ("snake_case", &[1]),
                ("1.2.3", &[]),
                ("v1.2.3", &[3]),
                ("1234", &[4]),
                ("0xdeadbeef", &[5]),
            ],
        ),
        (
            &["👍🏽 done", "👩‍👩‍👧‍👦 family", "🇯🇵 flag", "no emoji"],
            &[("👍🏽", &[0]), ("👍", &[0]), ("👩‍👩‍👧‍👦", &[1]), ("🇯🇵", &[2]), ("👎", &[])],
        ),
        (
            &["we use C++", "we use C#", "we use F#", "we use .NET", "we use C", "the net"],
            &[
                ("C++", &[0]),
                ("c#", &[1]),
                ("F#", &[2]),
                (".NET", &[3]),
                ("C", &[0, 1, 4]),
                ("net", &[3, 5]),
                ("F", &[2]),
            ],
        ),
    ];
    check(rows).await;
}

#[tokio::test]
async fn text_without_spaces() {
    let rows: &[Row<'_>] = &[
        (
            &["请预订会议室", "議事", "東京都庁舎", "修改youer服务端代码"],
            &[
                ("会议", &[0]),
                ("议", &[0]),
                ("会议室", &[0]),
                ("会室", &[]),
                ("都庁", &[2]),
                ("京都", &[2]),
                ("youer", &[3]),
                ("服务端", &[3]),
                ("youer服务", &[3]),
                ("改youer", &[3]),
                ("修改服务", &[]),
            ],
        ),
        (
            &["서울에서 만나요", "서울은 크다", "부산"],
            &[("서울", &[0, 1]), ("만나", &[0]), ("울에", &[0]), ("울은", &[1]), ("산부", &[])],
        ),
        (
            &["ค้นหาข้อความ", "ຄົ້ນຫາ", "ស្វែងរក", "ရှာဖွေ", "カタカナとひらがな"],
            &[("ข้อความ", &[0]), ("ຫາ", &[1]), ("រក", &[2]), ("ဖွေ", &[3]), ("カナとひ", &[4]), ("かな", &[])],
        ),
    ];
    check(rows).await;
}

#[tokio::test]
async fn bounds_of_a_query() {
    let world = World::memory();
    world.say("agent:main:main", &[("m", "user", "word", 1)]).await;
    let ask = async |query: String| {
        world.api.search(&Context::operator(), &search(&query)).await.map(|found| found.results.len())
    };
    assert_eq!(ask("word ".repeat(64)).await.unwrap(), 1, "repeats are one group");
    assert!(ask("word ".repeat(65)).await.unwrap_err().to_string().contains("64"));
    assert!(ask(format!("word {}", "ab* ".repeat(9))).await.unwrap_err().to_string().contains('8'));
    assert!(ask("x".repeat(4_097)).await.unwrap_err().to_string().contains("4096"));
    assert_eq!(ask("x".repeat(4_096)).await.unwrap(), 0);
    assert_eq!(ask("会".repeat(4_096)).await.unwrap(), 0, "a run counts as one word");
}

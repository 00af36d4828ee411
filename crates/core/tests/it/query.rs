//! Each row of the query language, and its meaning against a naive reading.

use proptest::prelude::*;
use session_search_core::query::{Clause, ClauseKind, Ignored, Query, QueryError, matches, parse};
use session_search_core::words::tokens;

/// A query in one line: groups by ` & `, clauses by ` | `, alternatives by ` / `, exclusions after ` - `. Without the
/// alternatives that differ by signs; [`alternatives`] has them.
fn shape(input: &str) -> String {
    shape_of(&parse(input).unwrap_or_else(|error| panic!("{input:?}: {error}")))
}

fn shape_of(query: &Query) -> String {
    let clause = |clause: &Clause| {
        let sequence = |sequence: &Vec<session_search_core::query::Element>| {
            let terms: Vec<String> =
                sequence.iter().map(|e| format!("{}{}", e.term, if e.prefix { "*" } else { "" })).collect();
            terms.join(" ")
        };
        let (first, others) = clause.alternatives().split_first().unwrap();
        let others = others.iter().map(sequence).filter(|terms| !terms.contains(['+', '#', '.']));
        let alternatives: Vec<String> = std::iter::once(sequence(first)).chain(others).collect();
        let alternatives = alternatives.join(" / ");
        if clause.kind() == ClauseKind::Phrase { format!("\"{alternatives}\"") } else { alternatives }
    };
    let join = |clauses: &[Clause], by: &str| clauses.iter().map(clause).collect::<Vec<_>>().join(by);
    let groups: Vec<String> = query.groups().iter().map(|group| join(group.clauses(), " | ")).collect();
    let mut out = groups.join(" & ");
    for exclusion in query.exclusions() {
        out.push_str(" - ");
        out.push_str(&clause(exclusion));
    }
    out
}

#[track_caller]
fn check(input: &str, expected: &str) {
    assert_eq!(shape(input), expected, "{input:?}");
}

#[track_caller]
fn finds(query: &str, texts: &[&str]) {
    let read = parse(query).unwrap();
    for text in texts {
        assert!(matches(&read, &tokens(text, &[])), "{query:?} should find {text:?}");
    }
}

#[track_caller]
fn misses(query: &str, texts: &[&str]) {
    let read = parse(query).unwrap();
    for text in texts {
        assert!(!matches(&read, &tokens(text, &[])), "{query:?} should not find {text:?}");
    }
}

#[test]
fn words_are_joined_by_and() {
    check("deploy failed", "deploy & failed");
    check(" deploy\t\0failed\u{7F}now\u{2028}ok ", "deploy & failed & now & ok");
    finds("deploy failed", &["It failed to deploy.", "DEPLOY: FAILED"]);
    misses("deploy failed", &["deploy", "deployfailed", "deployed failed"]);
}

#[test]
fn quotes_hold_words_together() {
    check(r#""roll back the""#, "\"roll back the\"");
    check("\"roll\nback\" now", "\"roll back\" & now");
    check(r#"say "roll back"#, "say & roll & back");
    check(r#"5" disk and 6" disk"#, "5 & disk & and & 6");
    check(r#"a"b c"d"#, "a b & c d");
    check(r#"("roll back")"#, "roll & back");
    check(r#""roll back"."#, "\"roll back\"");
    check(r#""roll back"s "x""y""#, "\"roll back\" & s & \"x\" & y");
    check(r#""a OR -b*""#, "\"a or b\"");
    finds(r#""roll back the""#, &["Roll back — the change", "roll-back.the"]);
    misses(r#""roll back the""#, &["back the roll", "roll it back the", "roll back", "roll back then"]);
    finds(r#""会议 室""#, &["开会议 室内"]);
    misses(r#""会议 室""#, &["会议室", "会议 大室"]);
}

#[test]
fn a_star_finds_beginnings() {
    check("migrat*", "migrat*");
    check("src/ma*", "src ma*");
    check("m*", "m");
    check("* ma**", "ma");
    check("ma*x *ma src/* (ma*)", "ma x & ma & src");
    check("\"migrat*\"", "\"migrat\"");
    check("会* src/会议* 会ma*", "会* & src 会议 & 会 ma*");
    check("ß*", "ss*");
    check("C++*", "c++*");
    check("👍* 🇯🇵*", "👍 & 🇯🇵");
    check("getUser*", "getuser* / get user*");
    check("getUserN*", "getusern*");
    finds("migrat*", &["migrate", "Migrations", "migrat"]);
    misses("migrat*", &["emigrate", "migra"]);
    finds("src/ma*", &["src/main.rs"]);
    misses("src/ma*", &["src/lib/main.rs", "main src"]);
    assert_eq!(parse("deploy m*").unwrap().ignored(), [Ignored::ShortPrefix("m*".into())]);
}

#[test]
fn a_minus_excludes() {
    check("a -staging", "a - staging");
    check("-\"a phrase\" b", "b - \"a phrase\"");
    check("a -stag*", "a - stag*");
    check("a --flag -.x - -(y) x-y", "a & flag & x & y & x y");
    check("a -5 -会", "a - 5 - 会*");
    check("a -\"open", "a & open");
    check("a -C++ -foo.bar", "a - c++ - foo bar");
    check("a -b -b -B", "a - b");
    finds("deploy -staging", &["deploy to production"]);
    misses("deploy -staging", &["deploy to staging", "Staging deploy"]);
    misses("deploy -getUserName", &["deploy getUserName", "deploy: get user name", "deploy GETUSERNAME"]);
    finds("deploy -getUserName", &["deploy get the user name"]);
}

#[test]
fn or_joins_what_stands_around_it() {
    check("cats OR dogs", "cats | dogs");
    check("big cats OR dogs OR birds now", "big & cats | dogs | birds & now");
    check("cats or dogs Or x", "cats & or & dogs & x");
    check("OR cats", "or & cats");
    check("cats OR", "cats & or");
    check("OR", "or");
    check("cats OR -dogs", "cats & or - dogs");
    check("-cats OR dogs", "or & dogs - cats");
    check("cats OR ( OR dogs", "cats | or & dogs");
    check("cats OR ... dogs", "cats | dogs");
    check("\"a b\" OR c* OR 会", "\"a b\" | c | 会*");
    check("a \"OR\" b", "a & \"or\" & b");
    check("a OR a OR A", "a");
    check("a OR b b OR a", "a | b");
    finds("cats OR dogs", &["cats", "dogs", "dogs and cats"]);
    misses("cats OR dogs now", &["cats", "now"]);
}

#[test]
fn punctuation_keeps_words_side_by_side() {
    check("foo.bar src/main.rs x-request-id", "foo bar & src main rs & x request id");
    check("don't me@host.org foo::bar src/lib.rs:42", "don t & me host org & foo bar & src lib rs 42");
    check("snake_case kebab-case v1.2.3 #1234", "snake case & kebab case & v1 2 3 & 1234");
    finds("x-request-id", &["X_Request_Id", "the x request id"]);
    misses("x-request-id", &["request x id", "x the request id", "xrequestid"]);
    finds("don't", &["I don’t know"]);
}

#[test]
fn nothing_is_syntax() {
    check("AND NEAR( col:x ^x", "and & near & col x & x");
    check("a - * . ( ) \" ' ; --", "a");
    check("a NOT b {x} [y] a+b text:\"z\"", "a & not & b & x & y & a b & text z");
    check("a UNION/**/SELECT % _ \\", "a & union select");
    let query = parse("- deploy ... \"\" -\"!\"").unwrap();
    let ignored: Vec<&str> = query.ignored().iter().map(Ignored::typed).collect();
    assert_eq!(ignored, ["-", "...", "\"\"", "\"!\""]);
}

#[test]
fn identifiers_match_whole_and_by_part() {
    check("getUserName", "getusername / get user name");
    check("x.getUserName(barBaz)", "x getusername barbaz / x get user name bar baz");
    for query in
        ["getUserName", "getusername", "GETUSERNAME", "user", "Name", "\"get user name\"", "user_name"]
    {
        finds(query, &["call getUserName() now"]);
    }
    finds("getUserName", &["get_user_name", "get user name", "GetUserName", "getusername"]);
    misses("getUserName", &["get name user", "getuser name"]);
    misses("\"call get\"", &["call getUserName"]);
    misses("\"name get\"", &["getUserName getUserName"]);
    finds("snake_case", &["a snake_case name", "snake case"]);
    finds("case", &["snake_case"]);
}

#[test]
fn signs_make_words_of_their_own() {
    finds("C++", &["I like C++.", "c++11", "Objective-C++"]);
    misses("C++", &["C", "C#", "plan c", "c +"]);
    finds("C", &["C++", "C#", "plain C"]);
    finds("C#", &["in C#, not F#"]);
    misses("C#", &["C++", "C"]);
    finds(".NET", &["use .net now"]);
    misses(".NET", &["net", "asp.net"]);
    finds("net", &[".NET", "asp.net"]);
    finds("asp.net", &["ASP.NET"]);
    finds("👍", &["ok 👍", "👍👍", "ok 👍🏽"]);
    misses("👍🏽", &["👍", "👍🏿"]);
    finds("❤", &["❤\u{FE0F}"]);
    misses("👩", &["👩\u{200D}💻"]);
}

/// The terms of each alternative of a query's first clause.
fn alternatives(input: &str) -> Vec<String> {
    let query = parse(input).unwrap();
    let (_, clause) = query.clauses().next().unwrap();
    let terms = |sequence: &Vec<session_search_core::query::Element>| {
        sequence.iter().map(|e| e.term.as_str()).collect::<Vec<_>>().join(" ")
    };
    clause.alternatives().iter().map(terms).collect()
}

#[test]
fn bare_letters_find_those_with_signs_among_other_words_too() {
    assert_eq!(alternatives("\"like C\""), ["like c", "like c++", "like c#"]);
    assert_eq!(alternatives("use.NET"), ["use net", "use .net"]);
    assert_eq!(alternatives("\"use .NET\""), ["use .net"]);
    assert_eq!(alternatives("C"), ["c"]);
    assert_eq!(alternatives("\"C++ C\""), ["c++ c", "c++ c++", "c++ c#"]);
    assert_eq!(alternatives("don't"), ["don t"]);
    assert_eq!(alternatives("\"x getC\"").last().unwrap(), "x get c");
    assert_eq!(alternatives("C会"), ["c 会", "c++ 会", "c# 会"]);
    let most = alternatives("\"a b c d e getUser\"").len();
    assert!(most <= session_search_core::query::MAX_ALTERNATIVES, "{most}");

    finds("\"like C\"", &["I like C++.", "like C#", "like c"]);
    misses("\"like C++\"", &["like C", "like C#"]);
    misses("\"like C#\"", &["like C", "like C++"]);
    finds("\"bump i now\"", &["bump i++ now", "bump i now"]);
    finds("Objective-C", &["Objective-C++", "objective c"]);
    finds("\"use net core\"", &["use .NET Core"]);
    finds("\"c to f\"", &["C++ to F#", "C# to F", "c to f"]);
    misses("\"c to f\"", &["C++ F#", "to C++ F#"]);
    misses("x -\"like C\"", &["x like C++"]);
}

#[test]
fn text_without_spaces_is_found_by_any_run() {
    check("会议", "会议");
    check("会议室", "会议 议室");
    check("议", "议*");
    check("youer服务", "youer 服务");
    check("修改youer", "修改 改 youer");
    check("a会b", "a 会 b");
    check("\"会议 室内\"", "\"会议 议 室内\"");
    check("x-会", "x 会*");
    finds("会议", &["明天会议室"]);
    for query in ["议", "会", "室", "明", "明天会议室", "天会", "议室", "会议 室"] {
        finds(query, &["明天会议室"]);
    }
    misses("议会", &["明天会议室"]);
    finds("都庁", &["東京都庁舎"]);
    for query in ["youer", "服务端", "youer服务", "修改youer服务端", "改youer", "修改", "端", "改youer服"]
    {
        finds(query, &["修改youer服务端"]);
    }
    misses("修youer", &["修改youer服务端"]);
    misses("youer务", &["修改youer服务端"]);
    misses("you服务", &["修改youer服务端"]);
    finds("인덱스", &["검색 인덱스를 다시"]);
    finds("\u{1100}\u{1165}\u{11B7}", &["검색"]);
    finds("カタカナ", &["ｶﾀｶﾅ半角"]);
    finds("หาข้อความ", &["ค้นหาข้อความภาษา"]);
    finds("العربية", &["الْعَرَبِيَّةُ"]);
    finds("индекс*", &["индексация"]);
    finds("ЁЛКА", &["елка", "ёлка"]);
    misses("иод", &["йод"]);
    finds("हिन्दी", &["हिन्दी खोज"]);
}

/// The shape of a query in which everything from `<` to `>` holds no word, and what is ignored of it.
fn skipping(input: &str) -> (String, Vec<String>) {
    let skip: Vec<_> =
        input.match_indices('<').map(|(from, _)| from..from + input[from..].find('>').unwrap() + 1).collect();
    let query = Query::parse_skipping(input, &skip).unwrap_or_else(|error| panic!("{input:?}: {error}"));
    (shape_of(&query), query.ignored().iter().map(|ignored| ignored.typed().to_owned()).collect())
}

#[test]
fn what_is_skipped_is_no_word() {
    let check = |input: &str, expected: &str, ignored: &[&str]| {
        assert_eq!(
            skipping(input),
            (expected.to_owned(), ignored.iter().map(|&i| i.into()).collect()),
            "{input:?}"
        );
    };
    check("plain <github-token>", "plain", &["<github-token>"]);
    check("<a> plain <a> <b><c>", "plain", &["<a>", "<a>", "<b><c>"]);
    check("key=<a>,next <x>*", "key & next", &["<x>*"]);
    check("\"x <a> y z\" \"<a>\" \"is <a>\"", "\"x\" & \"y z\" & \"is\"", &["\"<a>\""]);
    check("ma*<a> m*<a>", "ma* & m", &["m*<a>"]);
    check("plain -<a> -\"<a>\" -key=<a>", "plain - key", &["-<a>", "\"<a>\""]);
    check("p -\"x <a> y z\" -\"k l <b> m n\"", "p - \"y z\" - \"k l\"", &[]);
    check("\"x <a> y z\" OR k=<a> m", "\"y z\" | k & m", &[]);
    // An operator stands alone, between two that hold a word.
    check("cats OR<a> dogs", "cats & or & dogs", &[]);
    check("cats OR <a>", "cats & or", &["<a>"]);
    check("cats OR <a> dogs", "cats | dogs", &["<a>"]);
    check("é<é>ö 会<会>议", "e & o & 会* & 议*", &[]);
    assert_eq!(Query::parse_skipping("<a> <b>", &[0..3, 4..7]).unwrap_err(), QueryError::NoWord);
    assert_eq!(Query::parse_skipping("-x <b>", &[3..6]).unwrap_err(), QueryError::OnlyExclusions);
    // Ranges that are empty, overlap, pass the end or cut a letter.
    let odd = Query::parse_skipping("ab é cd", &[0..0, 0..1, 0..1, 4..5, 7..99]).unwrap();
    assert_eq!(shape_of(&odd), "b & c");
}

#[test]
fn bounds_are_counted_as_typed() {
    assert_eq!(parse("").unwrap_err(), QueryError::Empty);
    assert_eq!(parse(" \n\0").unwrap_err(), QueryError::Empty);
    assert_eq!(parse("... - *").unwrap_err(), QueryError::NoWord);
    assert_eq!(parse("\"\"").unwrap_err(), QueryError::NoWord);
    assert_eq!(parse("-a -\"b c\"").unwrap_err(), QueryError::OnlyExclusions);
    assert_eq!(parse("-a ...").unwrap_err(), QueryError::OnlyExclusions);
    assert!(parse(&"é".repeat(4_096)).is_ok());
    assert_eq!(parse(&"é".repeat(4_097)).unwrap_err(), QueryError::TooLong { characters: 4_097 });
    assert!(parse(&"a ".repeat(64)).is_ok());
    assert_eq!(parse(&"a ".repeat(65)).unwrap_err(), QueryError::TooManyWords { words: 65 });
    assert_eq!(parse(&"a.".repeat(65)).unwrap_err(), QueryError::TooManyWords { words: 65 });
    assert_eq!(
        parse(&format!("\"{}\"", "a ".repeat(65))).unwrap_err(),
        QueryError::TooManyWords { words: 65 }
    );
    assert_eq!(
        parse(&format!("a {}", "-b ".repeat(64))).unwrap_err(),
        QueryError::TooManyWords { words: 65 }
    );
    assert!(parse(&"会议室".repeat(1_000)).is_ok());
    assert!(parse(&vec!["ab"; 64].join(" OR ")).is_ok());
    assert!(parse(&"ab* ".repeat(8)).is_ok());
    assert_eq!(parse(&"ab* ".repeat(9)).unwrap_err(), QueryError::TooManyPrefixes { prefixes: 9 });
    assert_eq!(
        parse(&format!("ab {}", "-ab* ".repeat(9))).unwrap_err(),
        QueryError::TooManyPrefixes { prefixes: 9 }
    );
    for error in [parse(&"a ".repeat(65)).unwrap_err(), parse(&"é".repeat(5_000)).unwrap_err()] {
        let text = error.to_string();
        assert!(text.contains("from 1 to 64") || text.contains("from 1 to 4096"), "{text}");
    }
    check("a a b A", "a & b");
}

#[test]
fn what_relaxing_may_leave_out() {
    let query = parse("deploy \"roll back\" a OR \"b c\" fail* x OR y").unwrap();
    let plain: Vec<bool> = query.groups().iter().map(|group| group.is_plain()).collect();
    assert_eq!(plain, [true, false, false, true, true]);
    let typed: Vec<String> = query.groups().iter().map(|group| group.typed()).collect();
    assert_eq!(typed, ["deploy", "\"roll back\"", "a OR \"b c\"", "fail*", "x OR y"]);
    assert_eq!(query.groups_found(&tokens("failed: roll back, y", &[])), [false, true, false, true, true]);
}

#[test]
fn occurrences_and_counts() {
    let query = parse("getUserName 会 \"a a\"").unwrap();
    let text = "a a a getUserName, get user name; 会会";
    let tokens = tokens(text, &[]);
    // Whole, its parts, and the words that are those parts.
    assert_eq!(query.counts(&tokens), [3, 2, 2]);
    let found: Vec<(&str, usize)> =
        query.find(&tokens).into_iter().map(|m| (&text[m.span], m.clause)).collect();
    assert_eq!(
        found,
        [("a a", 2), ("a a", 2), ("getUserName", 0), ("get user name", 0), ("会会", 1), ("会", 1)]
    );
}

#[test]
fn debug_shows_nothing_of_a_query() {
    let query = parse("hunter2 -secret m*").unwrap();
    let shown = format!(
        "{query:?} {:?} {:?} {:?}",
        query.groups(),
        query.ignored(),
        query.groups()[0].clauses()[0].alternatives()
    );
    assert!(!shown.contains("hunter2") && !shown.contains("secret") && !shown.contains("m*"), "{shown}");
}

/// A run of a text or a phrase, as a reader sees it.
#[derive(Debug, Clone, PartialEq)]
enum Run {
    Word(String),
    Dense(String),
}

impl Run {
    fn text(&self) -> &str {
        match self {
            Run::Word(text) | Run::Dense(text) => text,
        }
    }
}

fn run() -> impl Strategy<Value = Run> {
    prop_oneof![
        prop::sample::select(vec!["a", "b", "ab", "aba"]).prop_map(|word| Run::Word(word.to_owned())),
        "[会议]{1,4}".prop_map(Run::Dense),
    ]
}

/// Writes runs, those of different kinds glued together where `glue` says so.
fn write(runs: &[Run], glue: &[bool], between: &str) -> String {
    let mut out = String::new();
    for (n, run) in runs.iter().enumerate() {
        let may_touch = n > 0 && std::mem::discriminant(&runs[n - 1]) != std::mem::discriminant(run);
        if n > 0 && !(may_touch && glue[n % glue.len()]) {
            out.push_str(between);
        }
        out.push_str(run.text());
    }
    out
}

/// Whether the runs of a phrase stand side by side in a text: whole words, and runs without spaces that may
/// begin earlier if first, go on if last, and must be whole in between. `star`: the last word may go on too.
fn naive(phrase: &[Run], text: &[Run], star: bool) -> bool {
    let last = phrase.len() - 1;
    text.windows(phrase.len()).any(|window| {
        window.iter().zip(phrase).enumerate().all(|(n, (there, wanted))| match (there, wanted) {
            (Run::Word(there), Run::Word(wanted)) if star && n == last => there.starts_with(wanted.as_str()),
            (Run::Word(there), Run::Word(wanted)) => there == wanted,
            (Run::Dense(there), Run::Dense(wanted)) => match (n == 0, n == last) {
                (true, true) => there.contains(wanted.as_str()),
                (true, false) => there.ends_with(wanted.as_str()),
                (false, true) => there.starts_with(wanted.as_str()),
                (false, false) => there == wanted,
            },
            _ => false,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn runs_are_found_exactly_where_they_are(
        text in prop::collection::vec(run(), 1..8),
        phrase in prop::collection::vec(run(), 1..4),
        glue in prop::collection::vec(any::<bool>(), 1..5),
        quoted in any::<bool>(),
        star in any::<bool>(),
    ) {
        let starred = star && !quoted && matches!(phrase.last(), Some(Run::Word(word)) if word.len() > 1);
        let mut typed = write(&phrase, &glue, if quoted { " " } else { "-" });
        if quoted {
            typed = format!("\"{typed}\"");
        } else if star {
            typed.push('*');
        }
        let query = parse(&typed).unwrap();
        let written = write(&text, &glue, "; ");
        let found = query.matches(&tokens(&written, &[]));
        prop_assert_eq!(found, naive(&phrase, &text, starred), "{} in {}", typed, written);
        let excluding = parse(&format!("zz -{typed}")).unwrap();
        prop_assert_eq!(excluding.matches(&tokens(&format!("zz {written}"), &[])), !found);
    }

    #[test]
    fn a_run_of_the_text_is_found(text in "[会议ab ]{1,12}", from in 0_usize..12, length in 1_usize..6) {
        let characters: Vec<char> = text.chars().collect();
        let piece: String = characters.iter().skip(from).take(length).collect();
        let piece = piece.trim();
        if piece.is_empty() || piece.contains(' ') {
            return Ok(());
        }
        // A piece that cuts a word in two is another word.
        let cuts = |n: usize| n > 0 && n < characters.len() && characters[n - 1].is_ascii_lowercase() && characters[n].is_ascii_lowercase();
        if cuts(from) || cuts((from + length).min(characters.len())) {
            return Ok(());
        }
        prop_assert!(parse(piece).unwrap().matches(&tokens(&text, &[])), "{piece} in {text}");
    }

    #[test]
    fn every_input_is_a_query_or_a_clear_error(input in "[ \"*a-c会OR.\\-👍\u{0}\u{301}é+#]{0,40}|.{0,80}") {
        match Query::parse(&input) {
            Ok(query) => {
                prop_assert!(!query.groups().is_empty());
                for (group, clause) in query.clauses() {
                    prop_assert!(group < query.groups().len());
                    prop_assert!(clause.words() >= 1);
                    for sequence in clause.alternatives() {
                        prop_assert!(!sequence.is_empty());
                        let inner = &sequence[..sequence.len() - 1];
                        prop_assert!(inner.iter().all(|element| !element.prefix));
                        prop_assert!(sequence.iter().all(|element| !element.term.is_empty()));
                    }
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn a_text_is_found_by_each_of_its_own_pieces(text in "[a-cA-C会议ไท👍é_. ]{1,30}") {
        let tokens = tokens(&text, &[]);
        for piece in text.split(' ') {
            if let Ok(query) = Query::parse(piece) {
                prop_assert!(query.matches(&tokens), "{piece:?} in {text:?}");
                let counts = query.counts(&tokens);
                prop_assert!(counts.iter().all(|&count| count > 0));
                prop_assert!(!query.find(&tokens).is_empty());
            }
        }
    }
}

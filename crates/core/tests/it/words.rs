//! What texts of many scripts become.

use session_search_core::words::{Kind, MAX_TERM_BYTES, SEPARATOR, TOKENCHARS, fold, prepare, tokens};

/// The main half, separated by spaces.
fn main_half(text: &str) -> String {
    let tokens = tokens(text, &[]);
    tokens.iter().filter(|t| t.kind.is_main()).map(|t| t.term.as_str()).collect::<Vec<_>>().join(" ")
}

/// The groups of the extra half, separated by `|`.
fn extra_half(text: &str) -> String {
    let prepared = prepare(text, &[]).terms;
    let groups: Vec<&str> = prepared.split(SEPARATOR).skip(1).map(str::trim).collect();
    groups.join("|")
}

#[track_caller]
fn check(text: &str, main: &str) {
    assert_eq!(main_half(text), main, "{text}");
}

#[track_caller]
fn check_extra(text: &str, main: &str, extra: &str) {
    check(text, main);
    assert_eq!(extra_half(text), extra, "{text}");
}

#[test]
fn words_are_runs_of_letters_marks_and_digits() {
    check("Hello, world!", "hello world");
    check("don't; me@host.org", "don t me host org");
    check("don’t", "don t");
    check("snake_case kebab-case path/to/file.rs x.y.z", "snake case kebab case path to file rs x y z");
    check("v1.2.3 #1234 0xDEADBEEF", "v1 2 3 1234 0xdeadbeef");
    check("https://host.org/a?b=c%20d&e", "https host org a b c 20d e");
    check("5e884898da28047151d0e56f8dc62927", "5e884898da28047151d0e56f8dc62927");
    check("", "");
    check(" \0\t\r\n.,;:*()[]{}\"'", "");
    check("a\0b", "a b");
    check("ናይ ትግርኛ ቋንቋ ፩፪", "ናይ ትግርኛ ቋንቋ ፩፪");
}

#[test]
fn folding_joins_what_readers_take_for_the_same() {
    for (one, other) in [
        ("Straße", "STRASSE"),
        ("ẞ", "ss"),
        ("ﬁle", "FILE"),
        ("ＡＢＣ１２３", "abc123"),
        ("İstanbul", "ISTANBUL"),
        ("ıspanak", "ISPANAK"),
        ("İI", "iı"),
        ("CAFÉ", "cafe"),
        ("CAFE\u{301}", "Café"),
        ("naïve Ångström Łódź", "naive angstrom łodz"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Σίσυφος", "σισυφοσ"),
        ("ᾠδή", "ωδη"),
        ("ёлка", "ЕЛКА"),
        ("замо\u{301}к", "замок"),
        ("ｶﾞｷﾞｸﾞ", "ガギグ"),
        ("ﾊﾟﾋﾟ", "パピ"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
        ("ﾡ", "ㄱ"),
        ("الْعَرَبِيَّةُ", "العربية"),
        ("أحمد إلى آخر", "احمد الى اخر"),
        ("مـــرحبا", "مرحبا"),
        ("ﻻ", "لا"),
        ("שָׁלוֹם", "שלום"),
        ("שׁ", "ש"),
        ("١٢٣ ۴۵۶ ४५", "123 456 45"),
        ("ﷺ", "صلى الله عليه وسلم"),
        ("①②", "12"),
        ("x²", "x2"),
        ("㎏", "kg"),
        ("𝐁𝐨𝐥𝐝", "bold"),
        ("Ǆ ǅ ǆ", "dž dž dž"),
    ] {
        assert_eq!(main_half(one), main_half(other), "{one} {other}");
        assert!(!main_half(one).is_empty(), "{one}");
        assert_eq!(fold(one), fold(&fold(other)), "{one} {other}");
    }
}

#[test]
fn marks_that_make_another_letter_stay() {
    for (one, other) in [
        ("йод", "иод"),
        ("їжак", "іжак"),
        ("ўсё", "усе"),
        ("ѓ", "г"),
        ("ќ", "к"),
        ("が", "か"),
        ("ぱ", "は"),
        ("कि", "क"),
        ("हिन्दी", "हनद"),
        ("ก่า", "กา"),
        ("কা", "ক"),
        ("தமிழ்", "தமழ"),
    ] {
        assert_ne!(main_half(one), main_half(other), "{one} {other}");
    }
    check("हिन्दी खोज परीक्षण", "हिन्दी खोज परीक्षण");
    check("தமிழ் உரை", "தமிழ் உரை");
    check("и\u{306}", "й");
}

#[test]
fn ignored_characters_split_nothing() {
    check(
        "soft\u{AD}hyphen zero\u{200B}width\u{200D}join bom\u{FEFF}inside",
        "softhyphen zerowidthjoin bominside",
    );
    check("rtl\u{202E}over\u{2066}ride", "rtloverride");
    check("क्\u{200D}ष", "क्ष");
    check("e\u{200D}\u{301}te", "ete");
    check("葛\u{E0100}", "葛");
    check("\u{200B}\u{FEFF}", "");
    let spans: Vec<_> = tokens("\u{FEFF}ab\u{200B}c\u{200B} d", &[]).into_iter().map(|t| t.span).collect();
    assert_eq!(spans, [3..9, 13..14]);
}

#[test]
fn runs_without_spaces_become_pairs_and_the_last_character() {
    check("会议", "会议 议");
    check("议", "议");
    check("修改youer服务端", "修改 改 youer 服务 务端 端");
    check("東京都庁", "東京 京都 都庁 庁");
    check("検索エンジンを作る", "検索 索エ エン ンジ ジン ンを を作 作る る");
    check("コーヒー、時々", "コー ーヒ ヒー ー 時々 々");
    check("ｺｰﾋｰ", "コー ーヒ ヒー ー");
    check("날씨 알려줘", "날씨 씨 알려 려줘 줘");
    check("ไทย2ก", "ไท ทย ย 2 ก");
    check("ລາວ", "ລາ າວ ວ");
    check("မြန်", "မြ ြန န် ်");
    check("ខ្មែរ", "ខ្ ្ម មែ ែរ រ");
    check("㈱東芝", "株 東芝 芝");
    check("全１２３角", "全 123 角");
    let spans: Vec<_> = tokens("ab会议室", &[]).into_iter().map(|t| (t.kind, t.span)).collect();
    assert_eq!(spans, [(Kind::Word, 0..2), (Kind::Pair, 2..8), (Kind::Pair, 5..11), (Kind::Last, 8..11)]);
    // A mark of Thai belongs to the bytes of its letter.
    let spans: Vec<_> = tokens("ก่า", &[]).into_iter().map(|t| t.span).collect();
    assert_eq!(spans, [0..6, 0..9, 6..9]);
}

#[test]
fn identifiers_are_found_by_part() {
    check_extra("getUserName", "getusername", "get user name");
    check_extra("getHTTPServer", "gethttpserver", "get http server");
    check_extra("HTTPServer", "httpserver", "http server");
    check_extra("userIDs and URLs", "userids and urls", "user ids");
    check_extra("utf8Decode", "utf8decode", "utf8 decode");
    check_extra("GitHub GETUSERNAME Word", "github getusername word", "git hub");
    check_extra("foo.barBaz(quxQuux)", "foo barbaz quxquux", "bar baz|qux quux");
    check_extra("größeÄndern", "grosseandern", "grosse andern");
    check_extra("ＧetＵser", "getuser", "get user");
    check_extra("getСтатус", "getстатус", "get статус");
    check_extra(&"aB".repeat(33), &"ab".repeat(33), "");
    check_extra(
        &format!("{}aB", "x".repeat(62)),
        &format!("{}ab", "x".repeat(62)),
        &format!("{}a b", "x".repeat(62)),
    );
    check_extra(&"aB".repeat(13), &"ab".repeat(13), "");
    let spans: Vec<_> =
        tokens("é.getÜserName", &[]).into_iter().filter(|t| t.kind == Kind::Part).map(|t| t.span).collect();
    assert_eq!(spans, [3..6, 6..11, 11..15]);
}

#[test]
fn a_few_words_end_or_begin_with_a_sign() {
    check_extra("C++ and C# in F#.", "c++ and c# in f#", "c|c|f");
    check_extra("Ｃ＋＋", "c++", "c");
    check_extra(
        ".NET, ASP.NET, (.net) ..net .network a.net",
        ".net asp net .net net network a net",
        "net|net",
    );
    check_extra("用C++写，学.NET吧", "用 c++ 写 学 .net 吧", "c|net");
    check_extra("i++; C+++ abc++ C#1 C## C+", "i++ c abc c 1 c c", "i");
    check_extra("C++11", "c++ 11", "c");
    check_extra("\"I like C#\"", "i like c#", "c");
    check_extra("Foo™ bar℠", "foo bar", "");
    assert!(TOKENCHARS.chars().all(|c| "+#.".contains(c)));
}

#[test]
fn emoji_sequences_are_words() {
    check("great👍👍 work", "great 👍 👍 work");
    check_extra("👍🏽", "👍🏽", "👍");
    check_extra("👩\u{200D}👩\u{200D}👧\u{200D}👦", "👩\u{200D}👩\u{200D}👧\u{200D}👦", "");
    check("🏳\u{FE0F}\u{200D}🌈", "🏳\u{200D}🌈");
    check_extra("👩🏽\u{200D}💻", "👩🏽\u{200D}💻", "👩\u{200D}💻");
    check("❤\u{FE0F} ❤", "❤ ❤");
    check("🇯🇵🇩🇪🇫", "🇯🇵 🇩🇪 🇫");
    check(
        "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}x",
        "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} x",
    );
    check_extra("1\u{FE0F}\u{20E3} #\u{FE0F}\u{20E3}", "1\u{20E3}", "1");
    check("a1\u{FE0F}\u{20E3}b", "a 1\u{20E3} b");
    check("👍\u{200D}x", "👍 x");
    check("© ® ‼", "");
    let spans: Vec<_> = tokens("x❤\u{FE0F}y", &[]).into_iter().map(|t| t.span).collect();
    assert_eq!(spans, [0..1, 1..7, 7..8]);
}

#[test]
fn skipped_ranges_are_breaks() {
    let text = "key=[REDACTED:aws] next [REDACTED:x][REDACTED:y] getUser";
    let skip = [4..18, 24..36, 36..48];
    assert_eq!(
        prepare(text, &skip).terms,
        format!("key {SEPARATOR} next {SEPARATOR} getuser {SEPARATOR} get user")
    );
    assert_eq!(prepare(text, &skip).words, 3);
    let last = tokens(text, &skip).pop().unwrap();
    assert_eq!(&text[last.span], "User");
    // At either end there is nothing to part.
    assert_eq!(prepare("[m] a [m]", &[0..3, 6..9]).terms, "a");
    assert_eq!(prepare("ab", &[1..1, 5..9]).terms, "ab");
    assert_eq!(prepare("会议", &[0..3]).terms, "议");
}

#[test]
fn hostile_texts_stay_bounded() {
    let long = "x".repeat(1 << 20);
    assert_eq!(main_half(&long).len(), MAX_TERM_BYTES);
    let wide = "é".repeat(1 << 19);
    assert_eq!(main_half(&wide).len(), MAX_TERM_BYTES);
    let marks = format!("a{}b", "\u{301}".repeat(1 << 19));
    check(&marks, "ab");
    let kept = format!("ք{}", "\u{301}\u{323}".repeat(1 << 17));
    assert!(main_half(&kept).len() <= MAX_TERM_BYTES);
    check(&"\u{200D}".repeat(1 << 18), "");
    check(&format!("a{}", "\u{200D}".repeat(1 << 18)), "a");
    assert!(main_half(&"👩\u{200D}".repeat(1 << 16)).len() <= MAX_TERM_BYTES);
    assert_eq!(prepare(&"#".repeat(1 << 20), &[]).words, 0);
    assert_eq!(prepare(&"🇯".repeat(1 << 17), &[]).words, 1 << 16);
    assert_eq!(prepare(&"C+".repeat(1 << 19), &[]).words, 1 << 19);
}

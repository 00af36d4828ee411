//! What holds for every text.

use std::fmt::Write as _;

use proptest::prelude::*;
use session_search_core::words::{Kind, TOKENCHARS, WORDS_VERSION, fold, prepare, tokens};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_public_assigned;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

/// Texts of characters that meet each other in surprising ways, and of any characters.
fn text() -> impl Strategy<Value = String> {
    let telling = prop::sample::select(
        "aAbIiCcNnEeTt1. +#-_'\"*\n\0éÉß\u{1E9E}ﬁſıİǅ㎏™℃½²①Ⅷ\u{301}\u{308}\u{306}\u{323}\u{20E3}\u{FE0F}\u{200D}\u{200B}\u{AD}\
         ΣσςΆᾳ\u{345}еёйЙгѓкќأـ\u{64B}\u{654}ﹱﱞשׁ\u{5C1}١४๓กั่ำາວ会议株㈱かがカｶﾞ\u{3099}ー々ㄱㅏ가\u{1100}\u{1161}\u{11A8}\
         हि\u{94D}\u{9BE}ក្မ်👍👩💻🏽🏴🇯❤©\u{E0067}＋＃．…＊Ａ\u{E000}"
            .chars()
            .collect::<Vec<_>>(),
    );
    let any = prop_oneof![8 => telling, 1 => any::<char>(), 1 => prop::char::range('\u{80}', '\u{33FF}')];
    prop::collection::vec(any, 0..24).prop_map(|chars| chars.into_iter().collect())
}

/// Letters that stand for nothing: Hangul fillers, the tatweel, and forms that are a mark on a tatweel.
fn is_ignored(c: char) -> bool {
    let group = GeneralCategoryGroup::Letter;
    std::iter::once(c)
        .nfkd()
        .filter(|d| d.general_category_group() == group)
        .all(|d| matches!(d, '\u{115F}' | '\u{1160}' | '\u{640}'))
        && c.general_category_group() == group
}

fn kinds_and_terms(text: &str) -> Vec<(Kind, String)> {
    tokens(text, &[]).into_iter().map(|t| (t.kind, t.term)).collect()
}

/// Normal forms join what the marks of trade, alone among letters, must not.
fn without_trade_signs(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '\u{2120}' | '\u{2122}' | '\u{1F16A}'..='\u{1F16C}')).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_letter_and_digit_is_covered(text in text()) {
        let tokens = tokens(&text, &[]);
        for (at, c) in text.char_indices() {
            let letter = matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number);
            if letter && !is_ignored(c) {
                let covered = tokens.iter().any(|t| t.kind.is_main() && t.span.start <= at && at < t.span.end);
                prop_assert!(covered, "{c:?} at {at} of {text:?}");
            }
        }
    }

    #[test]
    fn spans_lie_on_boundaries_in_order(text in text()) {
        let tokens = tokens(&text, &[]);
        let mut from = 0;
        for token in tokens.iter().filter(|t| t.kind.is_main()) {
            prop_assert!(text.get(token.span.clone()).is_some_and(|s| !s.is_empty()), "{token:?} of {text:?}");
            prop_assert!(token.span.start >= from, "{token:?} of {text:?}");
            from = token.span.start;
        }
        for token in tokens.iter().filter(|t| !t.kind.is_main()) {
            prop_assert!(text.get(token.span.clone()).is_some(), "{token:?} of {text:?}");
        }
    }

    #[test]
    fn folding_is_idempotent(text in text()) {
        let folded = fold(&text);
        prop_assert_eq!(fold(&folded), folded);
    }

    #[test]
    fn normal_forms_give_the_same_terms(text in text()) {
        // Keycaps are of ASCII digits, which normal forms make of others.
        let text = without_trade_signs(&text).replace('\u{20E3}', "");
        let expected = kinds_and_terms(&text);
        for form in [text.nfc().collect::<String>(), text.nfd().collect(), text.nfkc().collect(), text.nfkd().collect()] {
            prop_assert_eq!(&kinds_and_terms(&form), &expected, "{:?} {:?}", text, form);
        }
    }

    #[test]
    fn terms_hold_only_what_the_table_keeps(text in text()) {
        for token in tokens(&text, &[]) {
            prop_assert!(!token.term.is_empty());
            for c in token.term.chars() {
                let kept = !c.is_ascii() || c.is_ascii_lowercase() || c.is_ascii_digit() || TOKENCHARS.contains(c);
                prop_assert!(kept, "{c:?} in a term of {text:?}");
            }
        }
    }

    #[test]
    fn terms_of_words_are_folded(text in text()) {
        for token in tokens(&text, &[]) {
            if token.term.chars().all(|c| c.general_category_group() == GeneralCategoryGroup::Letter) {
                prop_assert_eq!(fold(&token.term), token.term);
            }
        }
    }

    #[test]
    fn prepared_text_is_the_tokens(text in text(), cut in 0_usize..12) {
        let skip: Vec<_> = text.char_indices().nth(cut).map(|(at, c)| at..at + c.len_utf8()).into_iter().collect();
        let tokens = tokens(&text, &skip);
        let prepared = prepare(&text, &skip);
        let terms: Vec<&str> = tokens.iter().map(|t| t.term.as_str()).collect();
        prop_assert_eq!(prepared.terms, terms.join(" "));
        prop_assert_eq!(prepared.words as usize, tokens.iter().filter(|t| t.kind.is_main()).count());
        for token in tokens.iter().filter(|t| t.kind != Kind::Break) {
            prop_assert!(skip.iter().all(|s| token.span.end <= s.start || s.end <= token.span.start));
        }
    }

    #[test]
    fn words_end_between_graphemes(text in text()) {
        // But where a grapheme holds more than a word: line ends, prepended signs, joined letters of India.
        let alone = |c: &char| format!("{c}a").graphemes(true).count() == 2;
        let simple: String = text.chars().filter(alone).filter(|c| c.is_alphabetic() && c.general_category_group() == GeneralCategoryGroup::Letter || " .\u{301}\u{308}\u{FE0F}👍👩".contains(*c)).collect();
        let starts: Vec<usize> = simple.grapheme_indices(true).map(|(at, _)| at).collect();
        for token in tokens(&simple, &[]).iter().filter(|t| t.kind == Kind::Word) {
            prop_assert!(starts.contains(&token.span.start), "{token:?} of {simple:?}");
        }
    }
}

/// Any change of any character's terms, alone or between letters, changes this hash: then raise
/// [`WORDS_VERSION`], so that indexes are built anew, and write the new hash here.
#[test]
fn golden_hash_over_all_of_unicode() {
    let mut hash = Sha256::new();
    let mut text = String::new();
    let mut line = String::new();
    for c in '\0'..=char::MAX {
        text.push(c);
        if is_public_assigned(c) {
            let _ = write!(text, " a{c}b 议{c}C");
        }
        text.push('\n');
        if u32::from(c) % 64 == 63 {
            line.clear();
            for token in tokens(&text, &[]) {
                let _ =
                    write!(line, "{} {:?} {} {} ", token.term, token.kind, token.span.start, token.span.end);
            }
            hash.update(&line);
            text.clear();
        }
    }
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        (WORDS_VERSION, hex.as_str()),
        (1, "7eec0da38212077a2619de9a647a927ab37f5e312046fdba9f5c3f9eb4715c2a")
    );
}

#[test]
fn each_character_folds_once_and_as_its_normal_form() {
    for c in ('\0'..=char::MAX).filter(|&c| is_public_assigned(c)) {
        let text = format!("a{c}");
        let folded = fold(&text);
        assert_eq!(fold(&folded), folded, "{c:?}");
        let text = without_trade_signs(&text);
        let normal: String = text.nfkc().collect();
        if normal != text {
            assert_eq!(kinds_and_terms(&normal), kinds_and_terms(&text), "{c:?}");
        }
    }
}

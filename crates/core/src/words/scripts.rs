//! Facts about characters that decide where words begin and which marks count.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};

/// Skipped before anything else: Unicode's default-ignorable characters, and the tatweel, which only stretches.
pub(super) fn is_ignored(c: char) -> bool {
    matches!(u32::from(c),
        0xAD | 0x34F | 0x61C | 0x640 | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
        | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFF8
        | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

/// Signs that a compatibility mapping would glue to the word before them as letters (`Foo™` is `foo`, not
/// `footm`).
pub(super) fn is_trade_sign(c: char) -> bool {
    matches!(c, '\u{2120}' | '\u{2122}' | '\u{1F16A}'..='\u{1F16C}')
}

/// Regional indicators, two of which are a flag.
pub(crate) fn is_flag_half(c: char) -> bool {
    matches!(c, '\u{1F1E6}'..='\u{1F1FF}')
}

/// Skin tones.
pub(super) fn is_skin_tone(c: char) -> bool {
    matches!(c, '\u{1F3FB}'..='\u{1F3FF}')
}

/// Characters that begin an emoji, but for digits, signs of trade, plain arrows (which are punctuation between
/// words), and what NFKC turns into text (`㊗`, `‼`).
pub(crate) fn is_emoji(c: char) -> bool {
    !c.is_ascii()
        && !matches!(c, '\u{A9}' | '\u{AE}' | '\u{2190}'..='\u{21FF}')
        && c.is_emoji_char()
        && unicode_normalization::is_nfkc_quick(std::iter::once(c))
            == unicode_normalization::IsNormalized::Yes
}

/// Whether a character is a mark.
pub(super) fn is_mark(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Mark
}

/// Whether a character is a letter or a number.
pub(crate) fn is_letter_or_number(c: char) -> bool {
    matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// Whether a mark belongs to no script, and so goes with whatever stands before it.
pub(super) fn is_common_mark(c: char) -> bool {
    is_mark(c) && matches!(c.script(), Script::Inherited | Script::Common)
}

/// Letters of scripts written without spaces between words (those that Unicode's line breaking calls
/// ideographic or complex), and Hangul, whose particles cling to the word.
pub(super) fn is_dense(c: char) -> bool {
    // Prolonged sound and repetition marks are common to several scripts.
    if matches!(u32::from(c), 0x3006 | 0x3031..=0x3035 | 0x303C | 0x30FC) {
        return true;
    }
    matches!(
        c.script(),
        Script::Han
            | Script::Hiragana
            | Script::Katakana
            | Script::Bopomofo
            | Script::Hangul
            | Script::Yi
            | Script::Tangut
            | Script::Nushu
            | Script::Khitan_Small_Script
            | Script::Thai
            | Script::Lao
            | Script::Khmer
            | Script::Myanmar
            | Script::Tai_Le
            | Script::New_Tai_Lue
            | Script::Tai_Tham
            | Script::Tai_Viet
            | Script::Ahom
    )
}

/// Whether a mark after this base (or after nothing) is no part of what is compared.
pub(super) fn drops_mark(base: Option<char>, mark: char) -> bool {
    // A mark without a base belongs to no word; digits of all scripts are compared as ASCII's.
    let Some(base) = base.filter(|&c| c.general_category() != GeneralCategory::DecimalNumber) else {
        return is_common_mark(mark);
    };
    let script = base.script();
    match script {
        Script::Latin | Script::Greek | Script::Arabic | Script::Hebrew | Script::Common => {
            is_common_mark(mark) || mark.script() == script
        }
        Script::Cyrillic => match mark {
            '\u{300}' | '\u{301}' => !matches!(base, 'г' | 'Г' | 'к' | 'К'),
            '\u{308}' => matches!(base, 'е' | 'Е'),
            _ => false,
        },
        _ => false,
    }
}

/// Whether there is a base after which [`drops_mark`] drops this mark.
pub(super) fn may_drop(mark: char) -> bool {
    let script = mark.script();
    is_common_mark(mark)
        || matches!(
            script,
            Script::Latin | Script::Greek | Script::Arabic | Script::Hebrew | Script::Cyrillic
        )
}

/// The value of a decimal digit of any script. Every script's digits stand in a row from zero to nine.
pub(super) fn digit_value(c: char) -> Option<u32> {
    let is_digit = |c: char| c.general_category() == GeneralCategory::DecimalNumber;
    if !is_digit(c) {
        return None;
    }
    let place = u32::from(c);
    let before = (1..10).take_while(|n| char::from_u32(place - n).is_some_and(is_digit)).count();
    u32::try_from(before).ok()
}

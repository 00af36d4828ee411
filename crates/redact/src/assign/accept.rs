//! Whether a literal behind a name is a secret.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::Sep;
use crate::chars::{at, forward, is_alnum};
use crate::keyname::{Named, Strength};
use crate::{marker, value};

pub(super) fn rejected(value: &[u8]) -> bool {
    value::is_placeholder(value)
        || value::is_reference(value)
        || value.starts_with(b"[REDACTED:")
        || starts_with_marker(value)
}

pub(super) fn starts_with_marker(value: &[u8]) -> bool {
    std::str::from_utf8(value).is_ok_and(marker::is_marker)
        || value.starts_with(marker::UNAVAILABLE.as_bytes())
}

pub(super) fn accepts(named: Named, sep: Sep, value: &[u8], in_quotes: bool) -> bool {
    // `a=b=c=…`: a list of names, each of which is looked at by itself.
    if !in_quotes && value.len() > 128 && value.iter().filter(|b| **b == b'=').count() > 8 {
        return false;
    }
    if rejected(value) || (value.starts_with(b"-") && sep == Sep::Flag) {
        return false;
    }
    let keyword = sep == Sep::Structure
        && !in_quotes
        && at(value, forward(value, 0, 32, |b| is_alnum(b) || b == b'_')) == b'=';
    if !in_quotes && is_number(value) || keyword {
        return false;
    }
    match named.strength {
        Strength::Password => password(named, sep, value, in_quotes),
        Strength::Strong => strong(named, sep, value, in_quotes),
        Strength::Medium => {
            value::is_opaque(value, 10)
                || value::is_uuid(value)
                || long_hex(value)
                || value::is_block(value, 16)
        }
        Strength::Weak => {
            (value::is_opaque(value, 16)
                && value::turns(value) >= 4
                && !value::is_uuid(value)
                && !(is_hash_length(value) && value::is_hex(value)))
                || (named.caps && long_hex(value))
        }
    }
}

/// A number of a program: `4096i32`, `0x6b657920`, `1_000`, `30s`.
pub(super) fn is_number(value: &[u8]) -> bool {
    if value.starts_with(b"0x") {
        return value.len() <= 18 && value[2..].iter().all(|b| b.is_ascii_hexdigit() || *b == b'_');
    }
    let digits = forward(value, 0, value.len(), |b| b.is_ascii_digit() || matches!(b, b'_' | b'.'));
    let suffix = &value[digits..];
    digits > 0
        && matches!(
            suffix,
            b"" | b"i8"
                | b"i16"
                | b"i32"
                | b"i64"
                | b"u8"
                | b"u16"
                | b"u32"
                | b"u64"
                | b"f32"
                | b"f64"
                | b"usize"
                | b"isize"
                | b"ms"
                | b"s"
                | b"m"
                | b"h"
                | b"d"
                | b"px"
                | b"em"
                | b"L"
                | b"UL"
        )
        && !(suffix.is_empty() && value.len() >= 8 && !value.contains(&b'.'))
}

/// Words and small numbers with dashes between: `refresh-1`.
pub(super) fn is_slug(value: &[u8]) -> bool {
    let mut parts = 0;
    value.split(|b| matches!(*b, b'-' | b'_' | b'.')).all(|part| {
        parts += 1;
        part.iter().all(u8::is_ascii_alphabetic) || (part.len() <= 4 && part.iter().all(u8::is_ascii_digit))
    }) && parts >= 2
}

pub(super) fn long_hex(value: &[u8]) -> bool {
    value.len() >= 16 && value::is_hex(value) && value::has_digit(value) && value::turns(value) >= 2
}

pub(super) fn is_hash_length(value: &[u8]) -> bool {
    matches!(value.len(), 7..=12 | 32 | 40 | 64)
}

/// Words of a sentence about passwords.
pub(super) fn speaks(value: &[u8]) -> bool {
    static AUTOMATON: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    const TALK: &[&[u8]] = &[
        b"pass",
        b"enter",
        b"your",
        b"please",
        b"must",
        b"invalid",
        b"incorrect",
        b"require",
        b"token",
        b"secret",
        b"key",
        b"login",
        b"wrong",
        b"forgot",
        b"confirm",
        b" is ",
        b" the ",
    ];
    value::contains_any(&AUTOMATON, TALK, value)
}

pub(super) fn password(named: Named, sep: Sep, value: &[u8], in_quotes: bool) -> bool {
    // What stands between two literals is no literal.
    let glue = in_quotes && matches!(at(value, 0), b'+' | b')' | b',' | b';') && value.contains(&b'(');
    if value.len() < 4 || glue {
        return false;
    }
    if in_quotes {
        if value.contains(&b' ') {
            return matches!(sep, Sep::Equals | Sep::Tight)
                && value.len() <= 64
                && !speaks(value)
                && !value.ends_with(b".");
        }
        let glued = value.len() >= 8
            && value.iter().all(u8::is_ascii_lowercase)
            && matches!(sep, Sep::Equals | Sep::Tight);
        let named_like = !glued
            && value.iter().all(|b| is_alnum(*b) || matches!(*b, b'_' | b'-' | b'.'))
            && speaks(value)
            && value::word_like(value)
            && !value::has_digit(value);
        return (value::hard(value) || value.len() >= 6) && !named_like;
    }
    let env = named.caps && sep == Sep::Tight;
    if sep == Sep::Pair {
        return !is_code(value) || value.len() >= 8;
    }
    if sep == Sep::Flag || env {
        return value.len() >= 6 && (value::hard(value) || !speaks(value)) && !is_code(value);
    }
    value::hard_or_random(value)
        && !is_code(value)
        && !(speaks(value)
            && value::word_like(value)
            && !value.iter().any(|b| matches!(*b, b'!' | b'$' | b'#')))
}

/// A path of identifiers, a generic, a slice: what follows a name in a program.
pub(super) fn is_code(value: &[u8]) -> bool {
    let ident = value.iter().all(|b| is_alnum(*b) || matches!(*b, b'_' | b'.' | b':' | b'&' | b'*'));
    (ident
        && value::word_like(value)
        && (!value::has_digit(value) || value.contains(&b':') || value.contains(&b'.')))
        || matches!(at(value, 0), b'&' | b'*' | b'(' | b'|') && !value::has_digit(value)
        || (matches!(at(value, 0), b'?' | b'!' | b'=') && value.len() < 8)
}

pub(super) fn strong(named: Named, sep: Sep, value: &[u8], in_quotes: bool) -> bool {
    if value.len() < 8 {
        return false;
    }
    if value::is_opaque(value, 8)
        || value::is_uuid(value)
        || long_hex(value)
        || value::is_block(value, 16)
        || value::is_noisy(value)
    {
        return true;
    }
    if in_quotes {
        if value.contains(&b' ') {
            return matches!(sep, Sep::Equals | Sep::Tight)
                && value.len() <= 64
                && !speaks(value)
                && !value.ends_with(b".");
        }
        let plain = value.iter().all(|b| is_alnum(*b) || matches!(*b, b'_' | b'-' | b'.' | b'/' | b':'));
        return !plain
            || (value::has_digit(value) && !speaks(value) && !is_slug(value))
            || !value::word_like(value);
    }
    let loose = (named.caps && sep == Sep::Tight) || sep == Sep::Flag;
    value::hard_or_random(value)
        && (value::has_digit(value) || value::random_case(value))
        && !is_code(value)
        && (loose || value::turns(value) >= 2 || matches!(sep, Sep::Structure | Sep::Tight | Sep::Pair))
}

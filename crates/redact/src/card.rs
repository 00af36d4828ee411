//! Payment card numbers: the right beginning, the right length, the right check digit, the right gaps.

use crate::chars::{at, is_alnum};
use crate::span::{Rank, Span};

/// A number has at least so many digits: where none of every twelfth byte is one, there is none.
const STRIDE: usize = 12;

/// Card numbers anywhere in the text.
pub(crate) fn find(text: &[u8], out: &mut Vec<Span>) {
    let mut i = STRIDE;
    while i < text.len() {
        if !text[i].is_ascii_digit() && !matches!(text[i], b' ' | b'-') || !near_digit(text, i) {
            i += STRIDE;
            continue;
        }
        let part = |at: usize| {
            text[at].is_ascii_digit()
                || (matches!(text[at], b' ' | b'-') && at > 0 && text[at - 1].is_ascii_digit())
        };
        let mut start = i;
        while start > 0 && i - start < 24 && (part(start - 1) || text[start - 1].is_ascii_digit()) {
            start -= 1;
        }
        let mut end = i;
        while end < text.len() && end - start < 48 && part(end) {
            end += 1;
        }
        while end > start && !text[end - 1].is_ascii_digit() {
            end -= 1;
        }
        let sentence_end = at(text, end) == b'.' && !is_alnum(at(text, end + 1));
        let bounded = (start == 0 || !is_part_of_word(text[start - 1]))
            && (sentence_end || !is_part_of_word(at(text, end)));
        if bounded && is_card(&text[start..end]) {
            out.push(Span::new(start..end, "payment-card", Rank::Shape));
        }
        i = end.max(i) + 1;
    }
}

fn near_digit(text: &[u8], i: usize) -> bool {
    text[i].is_ascii_digit() || (text[i - 1].is_ascii_digit() && at(text, i + 1).is_ascii_digit())
}

fn is_part_of_word(b: u8) -> bool {
    is_alnum(b) || matches!(b, b'_' | b'.' | b'/' | b'-' | b'=' | b'+' | b'#')
}

fn is_card(text: &[u8]) -> bool {
    let mut digits = [0u8; 19];
    let mut len = 0;
    let mut groups = [0u8; 8];
    let mut group = 0;
    for &b in text {
        if b.is_ascii_digit() {
            if len == digits.len() {
                return false;
            }
            digits[len] = b - b'0';
            len += 1;
            groups[group] += 1;
        } else {
            group += 1;
            if group == groups.len() {
                return false;
            }
        }
    }
    let gaps = match group {
        0 => true,
        2 => groups[..3] == [4, 6, 5] || groups[..3] == [4, 6, 4],
        3 => groups[..4] == [4, 4, 4, 4],
        4 => groups[..4] == [4, 4, 4, 4] && groups[4] == 3,
        _ => false,
    };
    gaps && issuer(&digits[..len])
        && luhn(&digits[..len])
        && digits[..len].windows(2).any(|w| w[0] != w[1] && w[0] != 0)
}

/// Whether first digits and length go together.
fn issuer(digits: &[u8]) -> bool {
    if digits.len() < 13 {
        return false;
    }
    let four = digits[..4].iter().fold(0u32, |n, d| n * 10 + u32::from(*d));
    match digits.len() {
        13 | 19 => four / 1000 == 4,
        14 => matches!(four / 10, 300..=305 | 309) || matches!(four / 100, 36 | 38 | 39),
        15 => matches!(four / 100, 34 | 37),
        16 => {
            four / 1000 == 4
                || matches!(four / 100, 51..=55 | 65)
                || matches!(four, 2221..=2720 | 6011 | 3528..=3589)
                || matches!(four / 10, 644..=649)
        }
        _ => false,
    }
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, d)| {
            let d = u32::from(*d);
            if i % 2 == 0 {
                d
            } else if d > 4 {
                d * 2 - 9
            } else {
                d * 2
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits with a check digit that makes them valid.
    fn card(prefix: &str, len: usize) -> String {
        let mut digits = prefix.to_owned();
        while digits.len() < len - 1 {
            digits.push(char::from(b'0' + (digits.len() * 7 % 10) as u8));
        }
        (0..10)
            .map(|d| format!("{digits}{d}"))
            .find(|n| luhn(&n.bytes().map(|b| b - b'0').collect::<Vec<_>>()))
            .unwrap()
    }

    fn found(text: &str) -> usize {
        let mut out = Vec::new();
        find(text.as_bytes(), &mut out);
        out.len()
    }

    #[test]
    fn valid_numbers_in_any_grouping_are_found() {
        for (prefix, len) in [("4111", 16), ("5105", 16), ("6011", 16), ("3782", 15), ("3000", 14)] {
            let number = card(prefix, len);
            assert_eq!(found(&format!("card number {number} exp 12/29")), 1, "{number}");
            assert_eq!(found(&number), 1, "{number}");
        }
        let number = card("4111", 16);
        let spaced = [&number[..4], &number[4..8], &number[8..12], &number[12..]].join(" ");
        assert_eq!(found(&format!("Card: {spaced}.")), 1);
        assert_eq!(found(&format!("Card: {spaced}")), 1);
    }

    #[test]
    fn other_numbers_are_left() {
        let number = card("4111", 16);
        let other = if number.ends_with('0') { '1' } else { '0' };
        let wrong = format!("{}{other}", &number[..15]);
        let inside = format!("id-{number}-x");
        for text in
            ["timestamp 1764500000123", "4000000000000000000000", "1234 5678 9012 3456", &wrong, &inside]
        {
            assert_eq!(found(text), 0, "{text}");
        }
    }
}

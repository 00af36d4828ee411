//! Times as epoch milliseconds, and the forms in which transcripts write them.

use serde::{Deserialize, Serialize};

/// Numbers below this are seconds, others milliseconds (CONTRACT 1): 10^11.
pub const SECONDS_BELOW: f64 = 1e11;
/// The last millisecond that is believed: the end of the year 9999.
pub const MAX_MILLIS: i64 = 253_402_300_799_999;

/// A point in time: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Millis {
    /// Reads a number: epoch milliseconds, or seconds below 10^11. `None` for nonsense (negative, not finite,
    /// beyond the year 9999).
    ///
    /// ```
    /// use session_search_core::Millis;
    /// assert_eq!(Millis::from_number(1_764_540_000_000.0), Some(Millis(1_764_540_000_000)));
    /// assert_eq!(Millis::from_number(1_764_540_000.5), Some(Millis(1_764_540_000_500)));
    /// assert_eq!(Millis::from_number(-1.0), None);
    /// ```
    #[must_use]
    pub fn from_number(number: f64) -> Option<Millis> {
        if !number.is_finite() || number < 0.0 {
            return None;
        }
        let millis = if number < SECONDS_BELOW { number * 1000.0 } else { number };
        #[expect(clippy::cast_possible_truncation, reason = "bounded on the next line; saturates beyond")]
        let millis = millis.round() as i64;
        (millis <= MAX_MILLIS).then_some(Millis(millis))
    }

    /// Reads RFC 3339 with a zone (`2026-02-28T04:44:41.856Z`, `…+01:00`; a space or `t` for the `T`; a comma
    /// for the point). `None` for anything else, and for dates that do not exist.
    ///
    /// ```
    /// use session_search_core::Millis;
    /// assert_eq!(Millis::from_rfc3339("1970-01-01T01:00:00.25+01:00"), Some(Millis(250)));
    /// assert_eq!(Millis::from_rfc3339("2026-02-30T00:00:00Z"), None);
    /// ```
    #[must_use]
    pub fn from_rfc3339(text: &str) -> Option<Millis> {
        let b = text.as_bytes();
        if b.len() < 20 || b[4] != b'-' || b[7] != b'-' || b[13] != b':' || b[16] != b':' {
            return None;
        }
        if !matches!(b[10], b'T' | b't' | b' ') {
            return None;
        }
        let (year, month, day) = (digits(&b[0..4])?, digits(&b[5..7])?, digits(&b[8..10])?);
        let (hour, minute, second) = (digits(&b[11..13])?, digits(&b[14..16])?, digits(&b[17..19])?);
        // A leap second is folded into the second before it.
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let days = days_from_civil(year, month, day)?;
        let (fraction, rest) = fraction_millis(&b[19..])?;
        let offset = offset_minutes(rest)?;
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second.min(59) - offset * 60;
        let millis = seconds * 1_000 + fraction;
        (0..=MAX_MILLIS).contains(&millis).then_some(Millis(millis))
    }
}

fn digits(bytes: &[u8]) -> Option<i64> {
    bytes.iter().try_fold(0_i64, |n, b| b.is_ascii_digit().then(|| n * 10 + i64::from(b - b'0')))
}

fn fraction_millis(bytes: &[u8]) -> Option<(i64, &[u8])> {
    if !matches!(bytes.first(), Some(b'.' | b',')) {
        return Some((0, bytes));
    }
    let count = bytes[1..].iter().take_while(|b| b.is_ascii_digit()).count();
    if count == 0 {
        return None;
    }
    let mut millis = 0;
    for place in 0..3 {
        millis = millis * 10 + if place < count { i64::from(bytes[1 + place] - b'0') } else { 0 };
    }
    Some((millis, &bytes[1 + count..]))
}

fn offset_minutes(zone: &[u8]) -> Option<i64> {
    match zone {
        b"Z" | b"z" => Some(0),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (digits(&[*h1, *h2])?, digits(&[*m1, *m2])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let total = hours * 60 + minutes;
            Some(if *sign == b'-' { -total } else { total })
        }
        _ => None,
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar (the era-based method of H. Hinnant).
fn days_from_civil(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i64::from(leap),
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_instants() {
        // Right values from `date -u -d … +%s`.
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T12:00:00Z", 951_825_600),
            ("2026-02-28T04:44:41Z", 1_772_253_881),
            ("2026-12-31T23:59:59-05:00", 1_798_779_599),
            ("2100-03-01 00:00:00z", 4_107_542_400),
        ] {
            assert_eq!(Millis::from_rfc3339(text), Some(Millis(seconds * 1_000)), "{text}");
        }
        assert_eq!(Millis::from_rfc3339("2026-02-28T04:44:41.8569Z"), Some(Millis(1_772_253_881_856)));
    }

    #[test]
    fn nonsense_is_none() {
        for text in [
            "",
            "2026",
            "2026-13-01T00:00:00Z",
            "2025-02-29T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:00",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00+1:00",
            "1969-12-31T23:59:59Z",
            "２026-01-01T00:00:00Z",
            "2026-01-01T00:00:00Zjunk",
        ] {
            assert_eq!(Millis::from_rfc3339(text), None, "{text}");
        }
        for number in [f64::NAN, f64::INFINITY, -5.0, 1e18] {
            assert_eq!(Millis::from_number(number), None);
        }
    }

    #[test]
    fn seconds_end_where_milliseconds_begin() {
        assert_eq!(Millis::from_number(99_999_999_999.0), Some(Millis(99_999_999_999_000)));
        assert_eq!(Millis::from_number(100_000_000_000.0), Some(Millis(100_000_000_000)));
    }
}

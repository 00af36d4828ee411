//! Times in requests: RFC 3339, a date, or epoch milliseconds.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use session_search_core::Millis;
use session_search_core::time::MAX_MILLIS;

use crate::error::ApiError;

/// A time as a request writes it: a number of epoch milliseconds, or text (RFC 3339, a date, or those milliseconds).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "a time is RFC 3339 text, a date such as 2026-02-28, or whole epoch milliseconds"
)]
pub enum TimeInput {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    Millis(i64),
    /// RFC 3339 (`2026-02-28T04:44:41Z`; without a zone in the zone of the [`crate::Context`]), a date
    /// (`2026-02-28`), or epoch milliseconds.
    Text(String),
}

impl From<&str> for TimeInput {
    fn from(text: &str) -> TimeInput {
        TimeInput::Text(text.to_owned())
    }
}

impl From<Millis> for TimeInput {
    fn from(time: Millis) -> TimeInput {
        TimeInput::Millis(time.0)
    }
}

/// Which end of a span of time a text stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Inclusive; a date is its first moment.
    Since,
    /// Exclusive; a date includes the whole day.
    Until,
}

impl End {
    fn name(self) -> &'static str {
        match self {
            End::Since => "since",
            End::Until => "until",
        }
    }
}

/// Reads a time.
pub(crate) fn read(input: &TimeInput, end: End, zone: &TimeZone) -> Result<Millis, ApiError> {
    let millis = match input {
        TimeInput::Millis(millis) => Some(*millis),
        TimeInput::Text(text) => read_text(text.trim(), end, zone),
    };
    let millis = millis.ok_or_else(|| {
        ApiError::Invalid(format!(
            "{} is no time; write RFC 3339 (2026-02-28T04:44:41Z), a date (2026-02-28) or epoch milliseconds",
            end.name()
        ))
    })?;
    if !(0..=MAX_MILLIS + 1).contains(&millis) {
        return Err(ApiError::Invalid(format!(
            "{} is out of range; it must be from 1970-01-01 to 9999-12-31",
            end.name()
        )));
    }
    Ok(Millis(millis))
}

fn read_text(text: &str, end: End, zone: &TimeZone) -> Option<i64> {
    if !text.is_empty() && text.strip_prefix('-').unwrap_or(text).bytes().all(|b| b.is_ascii_digit()) {
        return Some(text.parse().unwrap_or(i64::MAX));
    }
    if let Some(time) = Millis::from_rfc3339(text) {
        return Some(time.0);
    }
    if is_date(text) {
        return read_date(text.parse().ok()?, end, zone);
    }
    // With a zone, but in a form that transcripts do not use (no seconds, before 1970).
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Some(time.as_millisecond());
    }
    if has_zone(text) {
        return None;
    }
    let local: DateTime = text.parse().ok()?;
    Some(zone.to_ambiguous_zoned(local).compatible().ok()?.timestamp().as_millisecond())
}

fn read_date(date: Date, end: End, zone: &TimeZone) -> Option<i64> {
    let day = match end {
        End::Since => date,
        // The day after the last one that can be written is beyond every time.
        End::Until => match date.tomorrow() {
            Ok(day) => day,
            Err(_) => return Some(MAX_MILLIS + 1),
        },
    };
    Some(day.to_zoned(zone.clone()).ok()?.timestamp().as_millisecond())
}

fn is_date(text: &str) -> bool {
    let digit = |n: &usize| text.as_bytes()[*n].is_ascii_digit();
    text.len() == 10
        && text.is_ascii()
        && [0, 1, 2, 3, 5, 6, 8, 9].iter().all(digit)
        && text.as_bytes()[4] == b'-'
}

/// Whether something like a zone stands behind the time of day.
fn has_zone(text: &str) -> bool {
    text.get(11..).is_some_and(|rest| rest.contains(['Z', 'z', '+', '-', '[']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> TimeZone {
        TimeZone::get(name).unwrap()
    }

    fn check(text: &str, end: End, zone_name: &str, expected: &str) {
        let expected: jiff::Timestamp = expected.parse().unwrap();
        let got = read(&text.into(), end, &zone(zone_name)).unwrap();
        assert_eq!(got.0, expected.as_millisecond(), "{text} in {zone_name}");
    }

    #[test]
    fn a_date_is_a_day_of_the_zone() {
        check("2026-02-28", End::Since, "UTC", "2026-02-28T00:00:00Z");
        check("2026-02-28", End::Until, "UTC", "2026-03-01T00:00:00Z");
        check("2026-02-28", End::Since, "Asia/Tokyo", "2026-02-27T15:00:00Z");
        check("2026-02-28", End::Until, "America/New_York", "2026-03-01T05:00:00Z");
        // The clocks go forward on 2026-03-29 in Berlin: that day has 23 hours.
        check("2026-03-29", End::Since, "Europe/Berlin", "2026-03-28T23:00:00Z");
        check("2026-03-29", End::Until, "Europe/Berlin", "2026-03-29T22:00:00Z");
    }

    #[test]
    fn a_time_without_a_zone_is_local() {
        check("2026-02-28T04:44:41", End::Since, "Asia/Tokyo", "2026-02-27T19:44:41Z");
        check("2026-02-28 04:44", End::Until, "UTC", "2026-02-28T04:44:00Z");
        check("2026-02-28T04:44:41.5", End::Until, "UTC", "2026-02-28T04:44:41.5Z");
        // 02:30 does not exist on that night: one hour later.
        check("2026-03-29T02:30:00", End::Since, "Europe/Berlin", "2026-03-29T01:30:00Z");
    }

    #[test]
    fn a_zone_in_the_text_counts() {
        check("2026-02-28T04:44:41+05:30", End::Since, "Asia/Tokyo", "2026-02-27T23:14:41Z");
        check("2026-02-28T04:44Z", End::Since, "Asia/Tokyo", "2026-02-28T04:44:00Z");
        check(" 2026-02-28T04:44:41z ", End::Until, "Asia/Tokyo", "2026-02-28T04:44:41Z");
    }

    #[test]
    fn numbers_are_milliseconds_however_written() {
        for input in [TimeInput::Millis(1_764_540_000_000), "1764540000000".into()] {
            assert_eq!(read(&input, End::Until, &TimeZone::UTC).unwrap(), Millis(1_764_540_000_000));
        }
        assert_eq!(read(&TimeInput::Millis(7), End::Since, &TimeZone::UTC).unwrap(), Millis(7));
        let parsed: TimeInput = serde_json::from_str("7").unwrap();
        assert_eq!(parsed, TimeInput::Millis(7));
    }

    #[test]
    fn nonsense_and_far_times_are_errors_that_say_what_to_write() {
        let error = |input: TimeInput| read(&input, End::Since, &TimeZone::UTC).unwrap_err().to_string();
        for text in [
            "",
            "soon",
            "2026-02-30",
            "2026-13-01",
            "2026-02-28T25:00:00Z",
            "28.02.2026",
            "2026-02-28T04:44+99:00",
        ] {
            assert!(error(text.into()).contains("since is no time; write RFC 3339"), "{text}");
        }
        for input in [
            TimeInput::Millis(-1),
            TimeInput::Millis(i64::MAX),
            "-5".into(),
            "99999999999999999999".into(),
            "1969-12-31".into(),
            "1960-01-01T00:00Z".into(),
        ] {
            assert!(error(input.clone()).contains("from 1970-01-01 to 9999-12-31"), "{input:?}");
        }
        assert!(read(&"9999-12-31".into(), End::Until, &TimeZone::UTC).is_ok());
    }
}

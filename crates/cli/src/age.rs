//! Ages, as `purge` takes them.

use jiff::{Span, Zoned};

use crate::error::Failure;

/// The time before which something is older than `age`, in epoch milliseconds: `now` less the age, by the calendar
/// of the local zone (a month is a month, a day is a day also where the clock changes).
///
/// # Errors
/// [`Failure::Value`] where the text is no age, or one that lies in the future or before the calendar.
pub(crate) fn cutoff(age: &str, now: &Zoned) -> Result<i64, Failure> {
    let refuse = || {
        Failure::Value(
            "the age is not understood; give a number and a unit, as in 12h, 30d, 2w, 6mo or 1y".to_owned(),
        )
    };
    let span: Span = age.trim().parse().map_err(|_| refuse())?;
    if span.is_negative() {
        return Err(refuse());
    }
    let time = now.checked_sub(span).map_err(|_| refuse())?;
    Ok(time.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(age: &str) -> Option<String> {
        let now: Zoned = "2026-03-31T12:00:00[UTC]".parse().unwrap();
        let cut = cutoff(age, &now).ok()?;
        Some(jiff::Timestamp::from_millisecond(cut).unwrap().to_string())
    }

    #[test]
    fn ages_are_taken_off_the_calendar() {
        for (age, expected) in [
            ("12h", "2026-03-31T00:00:00Z"),
            ("30d", "2026-03-01T12:00:00Z"),
            ("2w", "2026-03-17T12:00:00Z"),
            ("1mo", "2026-02-28T12:00:00Z"),
            ("1y 2mo", "2025-01-31T12:00:00Z"),
            ("90 minutes", "2026-03-31T10:30:00Z"),
            ("0d", "2026-03-31T12:00:00Z"),
        ] {
            assert_eq!(cut(age).as_deref(), Some(expected), "{age}");
        }
        for age in ["", "30", "d", "-30d", "30 days ago", "tomorrow", "99999y", "30x"] {
            assert_eq!(cut(age), None, "{age}");
        }
    }
}

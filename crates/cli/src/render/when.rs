//! Times as people read them: local, to the minute.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// `2025-11-30 22:00` in the local zone (`TZ` counts); `-` where the number is no time.
pub(crate) fn local(millis: i64) -> String {
    in_zone(millis, TimeZone::system())
}

fn in_zone(millis: i64, zone: TimeZone) -> String {
    match Timestamp::from_millisecond(millis) {
        Ok(time) => time.to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_local_minute() {
        assert_eq!(in_zone(1_764_540_000_000, TimeZone::UTC), "2025-11-30 22:00");
        assert_eq!(in_zone(1_764_540_000_000, TimeZone::fixed(jiff::tz::offset(1))), "2025-11-30 23:00");
        assert_eq!(in_zone(i64::MAX, TimeZone::UTC), "-");
    }
}

//! Times and zones at the edges, and requests as JSON.

use jiff::tz::TimeZone;
use session_search_api::{Context, SearchRequest};

use crate::world::{World, ids, search};

#[tokio::test]
async fn a_date_is_a_day_where_the_host_says() {
    let world = World::memory();
    // 2026-02-28T23:30:00Z is the first of March in Tokyo.
    world.say("agent:main:main", &[("m", "user", "midnight", 1_772_321_400_000)]).await;
    let tokyo = Context::operator().in_zone(TimeZone::get("Asia/Tokyo").unwrap());
    let on =
        |day: &str| SearchRequest { since: Some(day.into()), until: Some(day.into()), ..search("midnight") };
    for (context, day, found) in [
        (Context::operator(), "2026-02-28", true),
        (Context::operator(), "2026-03-01", false),
        (tokyo.clone(), "2026-02-28", false),
        (tokyo, "2026-03-01", true),
    ] {
        assert_eq!(ids(&world.find(&context, on(day)).await).len(), usize::from(found), "{day}");
    }
}

#[test]
fn requests_are_read_leniently_but_not_blindly() {
    let read = |json: &str| serde_json::from_str::<SearchRequest>(json);
    let request = read(
        r#"{"query":"x","since":1764540000000,"until":"2026-01-01","role":"user","order":"recent",
        "perSession":2,"excludeCurrent":null,"strict":true,"sessionKey":null}"#,
    )
    .unwrap();
    assert!(request.strict && !request.exclude_current && request.session_key.is_none());
    assert_eq!(serde_json::to_value(&request).unwrap()["since"], 1_764_540_000_000_i64);
    for bad in [
        r#"{}"#,
        r#"{"query":"x","as":"agent:main:main"}"#,
        r#"{"query":"x","visibility":"all"}"#,
        r#"{"query":"x","role":"system"}"#,
        r#"{"query":"x","since":{}}"#,
    ] {
        assert!(read(bad).is_err(), "{bad}");
    }
    let said = read(r#"{"query":"x","since":1.5}"#).unwrap_err().to_string();
    assert!(said.contains("RFC 3339"), "{said}");
}

#[test]
fn debug_shows_no_query() {
    assert!(!format!("{:?}", search("canary")).contains("canary"));
}

//! No secret leaves, and none can be asked for. Secrets are made at run time.

use session_search_api::core::visibility::Scope;
use session_search_api::{AppendRequest, Context, HistoryRequest, SearchRequest};

use crate::world::{World, caller, raw, search};

fn token() -> String {
    ["ghp", "_", "Zq7mpm08hsE8JNpjJOQGa2rb19FlY0mG1ylv"].concat()
}

#[tokio::test]
async fn a_snippet_shows_a_marker_and_the_secret_is_no_word() {
    for world in World::both() {
        let secret = token();
        world.say("agent:main:main", &[("m", "user", &format!("push with {secret} please"), 1)]).await;
        let found = world.find(&Context::operator(), search("push")).await;
        assert_eq!(found.results[0].snippet, "push with [REDACTED:github-token] please");
        for query in [secret.clone(), format!("{}*", &secret[..10]), format!("push -{secret}")] {
            let found =
                world.find(&Context::operator(), SearchRequest { strict: true, ..search(&query) }).await;
            let holds = query.starts_with("push");
            assert_eq!(
                found.results.len(),
                usize::from(holds),
                "an exclusion of the secret excludes nothing"
            );
        }
        assert!(world.ids(search("REDACTED")).await.is_empty(), "a marker is no word");
    }
}

#[tokio::test]
async fn a_marker_in_a_query_is_no_word() {
    for world in World::both() {
        let text = format!("push with {} please", token());
        world.say("agent:main:main", &[("m", "user", &text, 1), ("n", "user", "pull with ease", 2)]).await;
        let marker = "[REDACTED:github-token]";
        for query in [
            format!("push {marker}"),
            format!("push with {marker} please"),
            format!("\"push with {marker} please\""),
            format!("push {marker} -{marker}"),
            format!("push{marker}please"),
        ] {
            let found =
                world.find(&Context::operator(), SearchRequest { strict: true, ..search(&query) }).await;
            assert_eq!(crate::world::ids(&found), ["m"], "{query}");
        }
        let found = world.find(&Context::operator(), search(&format!("push {marker}"))).await;
        assert_eq!(found.hints, [format!("Ignored, since there is no word in it: `{marker}`.")]);
        let refused = world.api.search(&Context::operator(), &search(marker)).await.unwrap_err();
        assert!(refused.to_string().contains("no word"), "{refused}");
    }
}

#[tokio::test]
async fn hints_do_not_repeat_a_secret_that_was_typed() {
    let world = World::memory();
    world.say("agent:main:main", &[("m", "user", "nothing here", 1)]).await;
    let secret = token();
    let header = ["Authorization: ", "Bearer ", "Qm7ZpX2vL9tR4wK8sN3d"].concat();
    for query in
        [secret.clone(), format!("deploy {secret} failed"), header.clone(), format!("-{secret} deploy")]
    {
        let found = world.find(&Context::operator(), search(&query)).await;
        let said = found.hints.join(" ");
        assert!(!said.contains(&secret) && !said.contains("Qm7ZpX2vL9tR4wK8sN3d"), "a hint repeats a secret");
        assert!(!said.is_empty());
    }
}

#[tokio::test]
async fn history_and_titles_are_scrubbed_and_the_operator_can_ask_for_the_secrets() {
    for world in World::both() {
        let secret = token();
        let to =
            AppendRequest { title: Some(format!("use {secret}")), ..AppendRequest::to("agent:main:main") };
        world
            .append(to, &[("m", "user", &format!("push with {secret}"), 1), ("n", "user", "plain", 2)])
            .await;
        let page = world.read(&Context::operator(), HistoryRequest::newest("agent:main:main")).await;
        assert_eq!(page.messages[0].text, "push with [REDACTED:github-token]");
        assert!(page.messages[0].redacted && !page.messages[1].redacted);
        assert_eq!(
            world.list(&Context::operator()).await.sessions[0].title.as_deref(),
            Some("use [REDACTED:github-token]")
        );

        let shown = world
            .read(&Context::operator().showing_secrets(), HistoryRequest::newest("agent:main:main"))
            .await;
        assert_eq!(
            (shown.messages[0].text.clone(), shown.messages[0].redacted),
            (format!("push with {secret}"), false)
        );
        let context = caller("main", "agent:main:main", Scope::Own).showing_secrets();
        let page = world.read(&context, HistoryRequest::newest("agent:main:main")).await;
        assert!(!page.messages[0].text.contains(&secret), "a caller never sees them");
        let found = world.find(&Context::operator().showing_secrets(), search("push")).await;
        assert!(!found.results[0].snippet.contains(&secret), "only history shows them");
    }
}

#[tokio::test]
async fn a_secret_across_the_cut_leaves_on_neither_page() {
    let world = World::memory();
    let secret = token();
    let text = format!("{}{secret} end", "word ".repeat(796));
    world.say("agent:main:main", &[("m", "user", &text, 1)]).await;
    let mut read = String::new();
    let mut offset = None;
    loop {
        let request = HistoryRequest {
            message_id: Some("m".into()),
            text_offset: offset,
            ..HistoryRequest::newest("agent:main:main")
        };
        let page = world.read(&Context::operator(), request).await;
        read.push_str(&page.messages[0].text);
        match page.messages[0].next_text_offset {
            Some(next) => offset = i64::try_from(next).ok(),
            None => break,
        }
    }
    assert_eq!(read, format!("{}[REDACTED:github-token] end", "word ".repeat(796)));
}

#[tokio::test]
async fn characters_that_hide_are_removed() {
    let world = World::memory();
    let text = "red \u{1b}[31malert\u{1b}[0m\u{202e} and\rlines \u{e0041}end";
    world.say("agent:main:main", &[("m", "user", text, 1)]).await;
    let page = world.read(&Context::operator(), HistoryRequest::newest("agent:main:main")).await;
    assert_eq!(page.messages[0].text, "red [31malert[0m and\nlines end");
    let hit = world.find(&Context::operator(), search("lines")).await.results.remove(0);
    // An excerpt takes a control character for the white space that it is in a query.
    assert_eq!(hit.snippet, "red [31malert [0m and lines end");
    assert_eq!(&hit.snippet[hit.highlights[0].clone()], "lines");
}

#[tokio::test]
async fn a_secret_that_hidden_characters_interrupt_stays_in() {
    let world = World::memory();
    let secret = token();
    let broken = format!("{}\u{202e}{}", &secret[..12], &secret[12..]);
    world.say("agent:main:main", &[("m", "user", &format!("push with {broken} please"), 1)]).await;
    let page = world.read(&Context::operator(), HistoryRequest::newest("agent:main:main")).await;
    let hit = world.find(&Context::operator(), search("push")).await.results.remove(0);
    for text in [&page.messages[0].text, &hit.snippet] {
        assert!(!text.contains(&secret[4..12]) && !text.contains(&secret[12..20]), "part of the secret left");
    }
}

#[tokio::test]
async fn tool_parts_are_scrubbed_too() {
    let world = World::memory();
    let secret = token();
    let call = raw(
        serde_json::json!({"type": "message", "id": "c", "timestamp": 1, "message": {"role": "assistant",
        "content": [{"type": "text", "text": "calling"}, {"type": "toolCall", "name": "run", "arguments": {"t": secret}}]}}),
    );
    world.api.append(&AppendRequest::to("agent:main:main"), vec![call]).await.unwrap();
    let request = HistoryRequest { include_tools: true, ..HistoryRequest::newest("agent:main:main") };
    let page = world.read(&Context::operator(), request).await;
    let tool = &page.messages[0].tools[0];
    assert!(page.messages[0].redacted && !tool.text.contains(&secret));
    assert!(serde_json::from_str::<serde_json::Value>(&tool.text).is_ok(), "valid JSON stays valid");
}

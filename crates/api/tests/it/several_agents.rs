//! One list from many stores: merged statistics, copies, caps, and the same answer as one store would give.

use session_search_api::{AppendRequest, Context, Hit, SearchRequest, SessionSearch};

use crate::world::{World, child, ids, search};

#[tokio::test]
async fn scores_of_different_agents_are_comparable() {
    for world in World::both() {
        // "rare" is rare over all agents, though not within its own.
        world.say("agent:a:x", &[("r1", "user", "rare common", 1)]).await;
        let many: Vec<String> = (0..20).map(|n| format!("c{n}")).collect();
        let many: Vec<_> = many.iter().map(|id| (id.as_str(), "user", "common words", 1)).collect();
        world.say("agent:b:x", &many).await;
        world.say("agent:b:y", &[("r2", "user", "rare common", 1)]).await;
        let found = world.find(&Context::operator(), search("rare OR common")).await;
        let scores: Vec<_> = found.results.iter().map(|hit| (hit.message_id.as_str(), hit.score)).collect();
        assert_eq!((scores[0].0, scores[1].0), ("r1", "r2"), "equal scores: by agent");
        assert_eq!(scores[0].1, scores[1].1);
        assert!(scores[2].1 < scores[1].1);
    }
}

#[tokio::test]
async fn a_copy_is_one_hit_under_the_oldest_session_and_names_up_to_five_others() {
    for world in World::both() {
        world
            .say("agent:b:first", &[("start", "user", "begin", 1_000), ("m", "user", "the quokka", 5_000)])
            .await;
        for n in 0..7 {
            let agent = if n % 2 == 0 { "a" } else { "b" };
            let key = format!("agent:{agent}:copy{n}");
            world
                .say(&key, &[("start", "user", "other", 2_000 + n), ("m", "user", "the quokka", 5_000)])
                .await;
        }
        world.say("agent:a:similar", &[("m2", "user", "the quokka", 5_000)]).await;
        let found = world.find(&Context::operator(), search("quokka")).await;
        assert_eq!(ids(&found).len(), 2, "the same text under another id is another message");
        let hit = found.results.iter().find(|hit| hit.message_id.as_str() == "m").unwrap();
        assert_eq!(hit.session_key.as_str(), "agent:b:first");
        assert_eq!(hit.also_in.len(), 5);
        assert!(hit.also_in.iter().any(|place| place.agent_id.as_str() == "a"));
        assert!(!found.truncated, "a merged copy is not left out");
    }
}

#[tokio::test]
async fn places_that_copies_took_are_filled() {
    for world in World::both() {
        // All that session a:x would show belongs to the older b:x; its own fourth message must still be found.
        let shared: Vec<String> = (0..3).map(|n| format!("s{n}")).collect();
        let shared: Vec<_> = shared.iter().map(|id| (id.as_str(), "user", "quokka quokka", 9_000)).collect();
        world.say("agent:b:x", &[("b0", "user", "start", 1_000)]).await;
        world.say("agent:b:x", &shared).await;
        world.say("agent:a:x", &[("a0", "user", "start", 2_000)]).await;
        world.say("agent:a:x", &shared).await;
        world
            .say(
                "agent:a:x",
                &[("own", "user", "a quokka among many other words that lower its score", 9_000)],
            )
            .await;
        let found = world.find(&Context::operator(), search("quokka")).await;
        assert_eq!(found.results.len(), 4);
        assert!(ids(&found).contains(&"own".to_owned()));
    }
}

#[tokio::test]
async fn many_stores_answer_as_one_would() {
    let (many, one) = (World::memory(), World::memory());
    for n in 0..40_i64 {
        let text =
            format!("alpha {} {}", ["beta", "gamma"][(n % 2) as usize], "filler ".repeat((n % 5) as usize));
        let id = format!("m{n:02}");
        let message = [(id.as_str(), "user", text.as_str(), n % 7)];
        let key = format!("k{n:02}");
        let of = |agent: String| AppendRequest { agent_id: Some(agent), ..AppendRequest::to(&key) };
        many.append(of(format!("agent{n:02}")), &message).await;
        one.append(of("one".into()), &message).await;
    }
    let shape = |hit: &Hit| {
        (hit.session_key.clone(), hit.message_id.clone(), hit.score.to_bits(), hit.snippet.clone())
    };
    for query in ["alpha", "alpha beta", "gamma OR beta", "alpha -beta", "\"alpha gamma\"", "alpha delta"] {
        for limit in [1, 7, 25] {
            let request = SearchRequest { limit: Some(limit), ..search(query) };
            let (of_many, of_one) = (
                many.find(&Context::operator(), request.clone()).await,
                one.find(&Context::operator(), request).await,
            );
            let shapes = |found: &session_search_api::SearchResponse| {
                found.results.iter().map(shape).collect::<Vec<_>>()
            };
            assert_eq!(shapes(&of_many), shapes(&of_one), "{query} {limit}");
            assert_eq!((of_many.truncated, of_many.relaxed), (of_one.truncated, of_one.relaxed));
            assert_eq!(of_many.hints, of_one.hints);
        }
    }
}

#[tokio::test]
async fn a_tree_spans_agents_and_passes_what_is_gone() {
    for world in World::both() {
        world.say("agent:main:root", &[("1", "user", "quokka", 1)]).await;
        world.append(child("agent:ops:middle", "agent:main:root"), &[("2", "user", "quokka", 2)]).await;
        world.append(child("agent:lab:leaf", "agent:ops:middle"), &[("3", "user", "quokka", 3)]).await;
        world.say("agent:lab:stranger", &[("4", "user", "quokka", 4)]).await;
        world.api.delete("agent:ops:middle", None).await.unwrap();
        let tree = crate::world::caller(
            "main",
            "agent:main:root",
            session_search_api::core::visibility::Scope::Tree,
        );
        let mut found = ids(&world.find(&tree, search("quokka")).await);
        found.sort();
        assert_eq!(found, ["1", "3"]);
    }
}

/// How many files under a directory this process has open.
#[cfg(target_os = "linux")]
fn open_files(under: &std::path::Path) -> usize {
    let links = std::fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    links.filter(|target| target.starts_with(under)).count()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bounded_number_of_files_is_open_however_many_agents_there_are() {
    let world = World::sqlite();
    let home = world.directory().canonicalize().unwrap();
    for n in 0..50 {
        world.say(&format!("agent:a{n:02}:main"), &[("m", "user", &format!("quokka {n}"), n)]).await;
        assert!(open_files(&home) < 256);
    }
    let asking = (0..4).map(|_| {
        let (api, home) = (world.api.clone(), home.clone());
        tokio::spawn(async move {
            let request = SearchRequest { limit: Some(50), ..search("quokka") };
            let found = api.search(&Context::operator(), &request).await.unwrap();
            (ids(&found).len(), found.warning, open_files(&home))
        })
    });
    for answer in asking.collect::<Vec<_>>() {
        let (found, warning, files) = answer.await.unwrap();
        assert_eq!((found, warning), (50, None));
        assert!((1..256).contains(&files), "{files}");
    }
    world.api.close().await;
    assert_eq!(open_files(&home), 0);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_agents_answer_as_one_store_with_few_files_open() {
    use session_search_api::core::visibility::{AgentToAgent, Policy, Scope};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
    let (many, one) = (World::sqlite(), World::memory());
    let home = many.directory().canonicalize().unwrap();
    for n in 0..1_000_i64 {
        let word = ["beta", "gamma", "会议"][(n % 3) as usize];
        let text = format!("alpha {word} {}", "filler ".repeat((n % 5) as usize));
        let (id, key) = (format!("m{n:04}"), format!("k{n:04}"));
        let message = [(id.as_str(), "user", text.as_str(), n % 7)];
        let of = |agent: String| AppendRequest { agent_id: Some(agent), ..AppendRequest::to(&key) };
        many.append(of(format!("agent{n:04}")), &message).await;
        one.append(of("one".into()), &message).await;
    }
    // Counted all the time, not only between requests.
    let (stop, most) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let counting = std::thread::spawn({
        let (stop, most, home) = (Arc::clone(&stop), Arc::clone(&most), home.clone());
        move || {
            while !stop.load(SeqCst) {
                most.fetch_max(open_files(&home), SeqCst);
                std::thread::yield_now();
            }
        }
    });
    let open = AgentToAgent { enabled: true, allow: vec![] };
    let everyone = Policy { scope: Scope::All, agent_to_agent: open, ..Policy::default() };
    let mut answers = Vec::new();
    for (world, agent) in [(&many, "agent0500"), (&one, "one")] {
        let caller = Context::session(crate::world::name(agent, "k0500"), everyone.clone());
        for (context, query) in [(Context::operator(), "alpha gamma"), (caller, "会议 OR beta -filler")] {
            let request = SearchRequest { limit: Some(25), ..search(query) };
            let found = world.find(&context, request).await;
            let shape = |hit: &Hit| {
                let score = hit.score.to_bits();
                format!("{} {} {score:x} {}", hit.session_key, hit.message_id, hit.snippet)
            };
            let flags = (found.truncated, found.relaxed, found.warning, found.hints);
            answers.push((found.results.iter().map(shape).collect::<Vec<_>>(), flags));
        }
    }
    stop.store(true, SeqCst);
    counting.join().unwrap();
    assert_eq!(answers[0].0.len(), 25);
    assert_eq!(answers[1].0.len(), 25);
    assert_eq!(answers[..2], answers[2..]);
    assert!((1..256).contains(&most.load(SeqCst)), "{}", most.load(SeqCst));
    many.api.close().await;
    // A store that cannot be read is named, and the others answer.
    std::fs::write(home.join("agents/agent0007/sessions.sqlite"), "no database".repeat(100)).unwrap();
    let again = SessionSearch::open(&home, &crate::world::settings());
    let found = again.search(&Context::operator(), &search("alpha gamma")).await.unwrap();
    assert!(found.warning.unwrap().contains("agent0007 (damaged)"));
    assert_eq!(found.results.len(), 10);
    again.close().await;
}

#[tokio::test]
async fn near_spellings_are_looked_for_in_a_bounded_number_of_stores() {
    let world = World::memory();
    world.say("agent:main:main", &[("m", "user", "exponential backoff", 1)]).await;
    let hint = async |world: &World| {
        world.find(&Context::operator(), search("bakcoff")).await.hints.concat().contains("`backoff` for")
    };
    // Stores without a visible message do not count.
    for n in 0..300 {
        let to = AppendRequest { incognito: true, ..AppendRequest::to(format!("agent:a{n}:main")) };
        world.append(to, &[("i", "user", "backoff", 1)]).await;
    }
    assert!(hint(&world).await);
    for n in 0..300 {
        world.say(&format!("agent:a{n}:other"), &[("o", "user", "something", 1)]).await;
    }
    assert!(!hint(&world).await);
}

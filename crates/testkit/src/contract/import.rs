//! Imports: idempotent, in any order, heeding ranks and pins.

use serde_json::json;
use session_search_core::source::{ImportChunk, SourceMark, SourceRank};
use session_search_core::store::Rewind;
use session_search_core::{Millis, SessionId, Visible};

use crate::factory::StoreFactory;
use crate::fixture::{Draft, chunk, event_id, key, leaf, session_id, user};
use crate::kit::Kit;

fn ranked(rank: SourceRank, drafts: &[Draft]) -> ImportChunk {
    ImportChunk { rank, ..chunk("a", "s", drafts) }
}

/// Again adds nothing, from the same chunk or from one that grew.
pub async fn an_import_is_idempotent(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let file = [user("m1", "walrus").at(1), user("m2", "narwhal").at(2)];
    let receipt = kit.import(chunk("a", "s", &file)).await;
    assert_eq!((receipt.transcript, receipt.messages, receipt.skipped), (session_id("s"), 2, 0));
    assert!(!receipt.tombstone && !receipt.pinned);
    let before = kit.store.dump().await.unwrap();
    let receipt = kit.import(chunk("a", "s", &file)).await;
    assert_eq!((receipt.messages, receipt.skipped), (0, 2));
    assert_eq!(kit.store.dump().await.unwrap(), before);
    let grown = [file[0].clone(), file[1].clone(), user("m3", "seal").at(3)];
    assert_eq!(kit.import(chunk("a", "s", &grown)).await.messages, 1);
    assert_eq!(kit.branch("a").await, ["m1", "m2", "m3"]);
    kit.expect("walrus OR narwhal OR seal", &["a/m1", "a/m2", "a/m3"]).await;
    kit.assert_clean().await;
}

/// Within a chunk and between chunks.
pub async fn the_first_record_of_an_id_wins(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let receipt =
        kit.import(chunk("a", "s", &[user("m1", "walrus"), user("m1", "narwhal").under("m1")])).await;
    assert_eq!((receipt.messages, receipt.skipped), (1, 1));
    let receipt = kit.import(chunk("a", "s", &[user("m1", "seal"), user("m2", "orca")])).await;
    assert_eq!((receipt.messages, receipt.skipped), (1, 1));
    kit.expect("walrus OR narwhal OR seal OR orca", &["a/m1", "a/m2"]).await;
    kit.expect("walrus", &["a/m1"]).await;
}

/// The live file, then the newest archive.
pub async fn the_highest_rank_sets_the_leaf_in_any_order(factory: &dyn StoreFactory) {
    let base = || [user("m1", "one").at(1), user("m2", "two").at(2)];
    let with = |extra: Draft| [base().to_vec(), vec![extra]].concat();
    let sources = [
        ranked(SourceRank::Archive(Millis(100)), &with(user("x", "old archive").at(3))),
        ranked(SourceRank::Live, &with(user("y", "live").at(4))),
        ranked(SourceRank::Archive(Millis(200)), &with(user("z", "new archive").at(5))),
    ];
    let mut dumps = Vec::new();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let kit = Kit::new(factory).await;
        for n in order {
            kit.import(sources[n].clone()).await;
        }
        assert_eq!(kit.branch("a").await, ["m1", "m2", "y"], "{order:?}");
        kit.expect("archive OR live", &["a/y"]).await;
        kit.assert_clean().await;
        dumps.push(kit.store.dump().await.unwrap());
        let kit = Kit::new(factory).await;
        for n in order.into_iter().filter(|n| *n != 1) {
            kit.import(sources[n].clone()).await;
        }
        assert_eq!(kit.branch("a").await, ["m1", "m2", "z"], "{order:?} without the live file");
    }
    assert!(dumps.windows(2).all(|pair| pair[0] == pair[1]), "equal in any order");
}

/// A shorter copy, and one that went another way: the later leaf decides, whatever comes first. The source that decided
/// may move the leaf anywhere, also back.
pub async fn of_equal_ranks_the_later_leaf_decides_in_any_order(factory: &dyn StoreFactory) {
    let base = || [user("m1", "one").at(1), user("m2", "two").at(2)];
    let with = |extra: &[Draft]| [&base()[..], extra].concat();
    let from = |name: &str, drafts: &[Draft]| ImportChunk {
        source: Some(name.to_owned()),
        ..ranked(SourceRank::Live, drafts)
    };
    let sources = [
        from("short", &base()),
        from("long", &with(&[user("m3", "three").at(4), user("m4", "four").at(3)])),
        from("aside", &with(&[user("x", "aside").at(2)])),
    ];
    let mut dumps = Vec::new();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let kit = Kit::new(factory).await;
        for n in order {
            kit.import(sources[n].clone()).await;
        }
        assert_eq!(kit.branch("a").await, ["m1", "m2", "m3", "m4"], "{order:?}");
        kit.assert_clean().await;
        dumps.push(kit.store.dump().await.unwrap());
        let mut back = sources[1].clone();
        back.leaf = Some(Some(event_id("m3")));
        kit.import(back).await;
        assert_eq!(kit.branch("a").await, ["m1", "m2", "m3"], "{order:?}, moved back by its own source");
    }
    assert!(dumps.windows(2).all(|pair| pair[0] == pair[1]), "equal in any order");
}

/// Later imports add events, do not move the leaf, and say so.
pub async fn a_local_append_pins_the_leaf(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(chunk("a", "s", &[user("m1", "one").at(1)])).await;
    kit.say("a", &[user("local", "mine").at(2)]).await;
    let receipt = kit.import(chunk("a", "s", &[user("m1", "one").at(1), user("m2", "two").at(3)])).await;
    assert_eq!((receipt.messages, receipt.pinned), (1, true));
    assert_eq!(kit.branch("a").await, ["m1", "local"]);
    kit.expect("two", &[]).await;
    kit.store.rewind(Rewind { key: key("a"), to: event_id("m2"), purge: false }).await.unwrap();
    assert_eq!(kit.branch("a").await, ["m1", "m2"]);
    // Where the source has the same leaf there is nothing to say.
    assert!(!kit.import(chunk("a", "s", &[user("m1", "one").at(1), user("m2", "two").at(3)])).await.pinned);
    kit.assert_clean().await;
}

/// The same for a rewind; and the pin outlives the process.
pub async fn a_local_rewind_pins_the_leaf(factory: &dyn StoreFactory) {
    let mut kit = Kit::new(factory).await;
    let file = [user("m1", "one"), user("m2", "two"), user("m3", "three")];
    assert!(!kit.import(chunk("a", "s", &file)).await.pinned);
    kit.store.rewind(Rewind { key: key("a"), to: event_id("m1"), purge: false }).await.unwrap();
    kit.reopen().await;
    assert!(kit.import(chunk("a", "s", &file)).await.pinned);
    assert_eq!(kit.branch("a").await, ["m1"]);
    let other = chunk("a", "other", &file);
    assert!(!kit.import(other).await.pinned, "a pin is of its transcript");
}

/// Parts of one id with no common root become transcripts `<id>`, `<id>#2`, …, by the time of their first event.
pub async fn parts_are_numbered_by_time_in_any_order(factory: &dyn StoreFactory) {
    let generations = [
        chunk("a", "s", &[user("x1", "first").at(10), user("x2", "first").at(11)]),
        chunk("a", "s", &[user("y1", "second").at(20), user("y2", "second").at(21)]),
        chunk("a", "s", &[user("z1", "third").at(30)]),
        // The second part, grown.
        chunk(
            "a",
            "s",
            &[user("y1", "second").at(20), user("y2", "second").at(21), user("y3", "second").at(22)],
        ),
    ];
    let mut dumps = Vec::new();
    for order in [[0, 1, 2, 3], [2, 1, 0, 3], [1, 0, 3, 2], [1, 3, 0, 2], [1, 3, 2, 0]] {
        let kit = Kit::new(factory).await;
        for n in order {
            kit.import(generations[n].clone()).await;
        }
        let listed = kit.listed("a").await.unwrap();
        assert_eq!(listed.session_ids, ["s", "s#2", "s#3"].map(session_id), "{order:?}");
        assert_eq!(kit.branch("a").await, ["z1"]);
        assert_eq!(kit.found("second").await.len(), 3);
        assert_eq!(kit.import(generations[1].clone()).await.transcript, session_id("s#2"));
        kit.assert_clean().await;
        dumps.push(kit.store.dump().await.unwrap());
    }
    assert!(dumps.windows(2).all(|pair| pair[0] == pair[1]), "equal in any order");
}

/// By what the source says, else by the first event: the current transcript does not depend on the order.
pub async fn transcripts_are_ordered_by_when_they_began_in_any_order(factory: &dyn StoreFactory) {
    let mut said = chunk("a", "said", &[user("m1", "one").at(50)]);
    said.created = Some(crate::fixture::at(5));
    let sources = [
        said,
        chunk("a", "middle", &[user("m2", "two").at(20)]),
        chunk("a", "last", &[user("m3", "three").at(30)]),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let kit = Kit::new(factory).await;
        for n in order {
            kit.import(sources[n].clone()).await;
        }
        let listed = kit.listed("a").await.unwrap();
        assert_eq!(listed.session_ids, ["said", "middle", "last"].map(session_id), "{order:?}");
        assert_eq!(kit.branch("a").await, ["m3"]);
    }
}

/// The second chunk names the transcript of the first, and hangs on its events.
pub async fn a_transcript_comes_in_several_chunks(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(chunk("a", "s", &[user("other", "another part").at(1)])).await;
    let first = kit.import(chunk("a", "s", &[user("m1", "one").at(5), user("m2", "two").at(6)])).await;
    assert_eq!(first.transcript, session_id("s#2"));
    let mut second = chunk("a", "s", &[user("m3", "three").at(7).under("m2"), user("m4", "four").at(8)]);
    second.transcript = Some(first.transcript.clone());
    let receipt = kit.import(second).await;
    assert_eq!((receipt.transcript, receipt.messages), (first.transcript, 2));
    assert_eq!(kit.branch("a").await, ["m1", "m2", "m3", "m4"]);
    let listed = kit.listed("a").await.unwrap();
    assert_eq!(listed.session_ids, ["s", "s#2"].map(session_id));
    kit.expect("one OR two OR three OR four", &["a/m1", "a/m2", "a/m3", "a/m4"]).await;
    kit.assert_clean().await;
}

/// Of the transcript and of its parts; nothing of others, or of sessions that are not there.
pub async fn known_events_are_told_over_all_parts(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(chunk("a", "s", &[user("m1", "one").at(1), leaf("l", json!("m1"))])).await;
    kit.import(chunk("a", "s", &[user("m2", "two").at(5)])).await;
    kit.import(chunk("a", "t", &[user("m3", "three")])).await;
    let ids = ["m2", "m3", "m1", "l", "m9"].map(event_id);
    let known = async |of: &str, transcript: SessionId| {
        kit.store.known_events(&key(of), &transcript, &ids).await.unwrap()
    };
    assert_eq!(known("a", session_id("s")).await, [true, false, true, true, false]);
    assert_eq!(known("a", session_id("t")).await, [false, true, false, false, false]);
    assert_eq!(known("a", session_id("u")).await, [false; 5]);
    assert_eq!(known("b", session_id("s")).await, [false; 5]);
    assert!(kit.store.known_events(&key("a"), &session_id("s"), &[]).await.unwrap().is_empty());
}

/// Noted with a chunk or alone; the last word counts; kept over a reopening.
pub async fn marks_are_kept_by_path(factory: &dyn StoreFactory) {
    let mut kit = Kit::new(factory).await;
    let mark = |size: u64| SourceMark {
        size,
        modified_ns: -7,
        inode: u64::MAX >> 1,
        offset: size / 2,
        hash: "ab".repeat(32),
        state: r#"{"line":3}"#.into(),
    };
    assert!(kit.store.source_marks().await.unwrap().is_empty());
    let mut file = chunk("a", "s", &[user("m1", "one")]);
    file.mark = Some(("/x/a.jsonl".into(), mark(10)));
    kit.import(file).await;
    kit.store.mark_source("/x/ü b.jsonl", mark(20)).await.unwrap();
    kit.store.mark_source("/x/a.jsonl", mark(30)).await.unwrap();
    kit.reopen().await;
    let mut marks = kit.store.source_marks().await.unwrap();
    marks.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(marks, [("/x/a.jsonl".to_owned(), mark(30)), ("/x/ü b.jsonl".to_owned(), mark(20))]);
}

/// The leaf stays what it was.
pub async fn a_leaf_that_is_not_there_is_ignored(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(chunk("a", "s", &[user("m1", "one"), user("m2", "two")])).await;
    let mut odd = chunk("a", "s", &[user("m1", "one"), user("m3", "three").under("m2")]);
    odd.leaf = Some(Some(event_id("nowhere")));
    kit.import(odd).await;
    assert_eq!(kit.branch("a").await, ["m1", "m2"]);
    let mut silent = chunk("a", "s", &[user("m1", "one"), user("m4", "four").under("m2")]);
    silent.leaf = None;
    kit.import(silent).await;
    assert_eq!(kit.branch("a").await, ["m1", "m2"]);
    kit.expect("three OR four", &[]).await;
}

/// Branches of a file are kept; the one that ends at the leaf is active. `leaf` events in it move nothing.
pub async fn an_imported_branch_is_the_leafs(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let mut file = chunk(
        "a",
        "s",
        &[
            user("m1", "one").root(),
            user("m2", "two"),
            leaf("l", json!("m1")),
            user("m3", "three").under("m1"),
        ],
    );
    file.source = Some("file".to_owned());
    kit.import(file.clone()).await;
    assert_eq!(kit.branch("a").await, ["m1", "m3"]);
    kit.expect("one OR two OR three", &["a/m1", "a/m3"]).await;
    file.leaf = Some(Some(event_id("m2")));
    kit.import(file.clone()).await;
    assert_eq!(kit.branch("a").await, ["m1", "m2"]);
    file.leaf = Some(None);
    kit.import(file).await;
    assert!(kit.branch("a").await.is_empty());
    kit.expect("one OR two OR three", &[]).await;
    kit.assert_clean().await;
}

/// It is listed, empty, and takes its events when they come.
pub async fn a_file_without_events_is_a_session_without_messages(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let receipt = kit.import(chunk("a", "s", &[])).await;
    assert_eq!((receipt.transcript, receipt.messages), (session_id("s"), 0));
    let listed = kit.listed("a").await.unwrap();
    assert_eq!((listed.messages, listed.first, listed.last), (0, None, None));
    assert_eq!(listed.session_ids, [session_id("s")]);
    kit.import(chunk("a", "s", &[user("m1", "one")])).await;
    let listed = kit.listed("a").await.unwrap();
    assert_eq!((listed.messages, listed.session_ids.len()), (1, 1));
    assert_eq!(kit.store.pending(&Visible::Everything).await.unwrap(), 0);
}

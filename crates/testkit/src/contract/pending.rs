//! Transcripts without an index, and the steps that build it.

use session_search_core::Visible;
use session_search_core::source::ImportChunk;
use session_search_core::store::{ReconcileStep, Rewind};

use crate::factory::StoreFactory;
use crate::fixture::{chunk, event_id, key, plan, user};
use crate::kit::Kit;
use crate::pipeline::TestPipeline;

fn deferred(of: &str, count: i64) -> ImportChunk {
    let drafts: Vec<_> =
        (0..count).map(|n| user(&format!("{of}{n:03}"), &format!("walrus number{n}")).at(n)).collect();
    ImportChunk { defer_index: true, ..chunk(of, &format!("{of}-s"), &drafts) }
}

async fn waiting(kit: &Kit) -> u64 {
    kit.store.pending(&Visible::NotIncognito).await.unwrap()
}

/// Stored but not found; then complete.
pub async fn a_deferred_import_is_pending_until_it_is_reconciled(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    assert_eq!(kit.import(deferred("a", 120)).await.messages, 120);
    kit.import(deferred("b", 3)).await;
    kit.say("c", &[user("m1", "walrus")]).await;
    assert_eq!(waiting(&kit).await, 2);
    kit.expect("walrus", &["c/m1"]).await;
    let statistics = kit.store.statistics(&Visible::NotIncognito, &plan("walrus").query).await.unwrap();
    assert_eq!((statistics.messages, statistics.frequencies), (1, vec![1]), "only what is indexed counts");
    assert_eq!(kit.store.status().await.unwrap().pending, 2);
    kit.assert_clean().await;
    kit.settle().await;
    assert_eq!(waiting(&kit).await, 0);
    assert_eq!(kit.found("walrus").await.len(), 124);
    kit.expect("number119", &["a/a119"]).await;
    let status = kit.store.status().await.unwrap();
    assert_eq!((status.pending, status.indexed), (0, 124));
    kit.assert_clean().await;
}

/// What was indexed before stays found.
pub async fn only_the_deferred_part_waits(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    let first = [user("m1", "walrus").at(1), user("m2", "walrus").at(2)];
    kit.import(chunk("a", "s", &first)).await;
    let grown = [first.to_vec(), vec![user("m3", "walrus").at(3)]].concat();
    kit.import(ImportChunk { defer_index: true, ..chunk("a", "s", &grown) }).await;
    assert_eq!(waiting(&kit).await, 1);
    kit.expect("walrus", &["a/m1", "a/m2"]).await;
    kit.settle().await;
    kit.expect("walrus", &["a/m1", "a/m2", "a/m3"]).await;
    // A deferred import of nothing new leaves nothing to do.
    kit.import(ImportChunk { defer_index: true, ..chunk("a", "s", &grown) }).await;
    assert_eq!(waiting(&kit).await, 0);
}

/// One entry a step, or all at once; each step says what it did.
pub async fn small_steps_lead_to_the_same_end(factory: &dyn StoreFactory) {
    for entries in [1, 7, 1_000] {
        let kit = Kit::new(factory).await;
        kit.import(deferred("a", 60)).await;
        let mut found = 0;
        let mut steps = 0;
        loop {
            match kit.store.reconcile_step(entries).await.unwrap() {
                ReconcileStep::Progress { .. } => steps += 1,
                ReconcileStep::Idle => break,
                ReconcileStep::Waiting => panic!("nothing holds it up"),
            }
            let now = kit.found("walrus").await.len();
            assert!(now >= found, "a step takes nothing away");
            found = now;
            assert!(steps < 1_000);
        }
        assert_eq!(kit.found("walrus").await.len(), 60, "steps of {entries}");
        assert!(entries > 7 || steps > 3, "{steps} steps of {entries} are not short");
        kit.assert_clean().await;
    }
}

/// Its own entry does not wait for the others.
pub async fn an_append_to_a_pending_transcript_is_found_at_once(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(deferred("a", 50)).await;
    kit.say("a", &[user("new", "fresh walrus").at(99)]).await;
    kit.expect("walrus", &["a/new"]).await;
    assert_eq!(waiting(&kit).await, 1);
    kit.settle_in(9).await;
    assert_eq!(kit.found("walrus").await.len(), 51);
    kit.expect("fresh", &["a/new"]).await;
    kit.assert_clean().await;
}

/// Between any two steps.
pub async fn appends_during_reconciliation_are_not_lost(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(deferred("a", 40)).await;
    for n in 0..10 {
        kit.store.reconcile_step(3).await.unwrap();
        kit.say("a", &[user(&format!("new{n}"), &format!("walrus fresh{n}")).at(100 + n)]).await;
        kit.expect(&format!("fresh{n}"), &[&format!("a/new{n}")]).await;
    }
    kit.settle_in(5).await;
    assert_eq!(kit.found("walrus").await.len(), 50);
    assert_eq!(kit.branch("a").await.len(), 50);
    kit.assert_clean().await;
}

/// It ends though there is an append for every step.
pub async fn a_steady_stream_of_appends_does_not_starve_it(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(deferred("a", 100)).await;
    let mut appended = 0;
    while waiting(&kit).await > 0 {
        kit.store.reconcile_step(10).await.unwrap();
        kit.say("a", &[user(&format!("new{appended:03}"), "walrus").at(1_000 + appended)]).await;
        appended += 1;
        assert!(appended < 200, "an append for each step of ten entries keeps it from ending");
    }
    assert_eq!(kit.found("walrus").await.len() as i64, 100 + appended);
    kit.settle().await;
    kit.assert_clean().await;
}

/// What was planned for the old branch is not published onto the new one.
pub async fn a_branch_change_during_reconciliation_is_heeded(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.import(deferred("a", 300)).await;
    for to in ["a199", "a249", "a004"] {
        kit.store.reconcile_step(40).await.unwrap();
        kit.store.rewind(Rewind { key: key("a"), to: event_id(to), purge: false }).await.unwrap();
        let last = event_id(to);
        let beyond = |name: &String| name.strip_prefix("a/").is_some_and(|id| id > last.as_str());
        assert!(!kit.found("walrus").await.iter().any(beyond), "nothing beyond {to}");
    }
    kit.settle_in(40).await;
    kit.expect("walrus", &["a/a000", "a/a001", "a/a002", "a/a003", "a/a004"]).await;
    kit.assert_clean().await;
}

/// One session, or all.
pub async fn marked_transcripts_are_built_anew(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    kit.say("a", &[user("m1", "walrus"), user("m2", "walrus")]).await;
    kit.say_in("a", "a-s2", &[user("m3", "walrus")]).await;
    kit.say("b", &[user("m4", "walrus")]).await;
    assert_eq!(kit.store.mark_pending(Some(&key("a"))).await.unwrap(), 2);
    assert_eq!(waiting(&kit).await, 2);
    kit.assert_clean().await;
    kit.settle().await;
    assert_eq!(kit.store.mark_pending(None).await.unwrap(), 3);
    assert_eq!(waiting(&kit).await, 3);
    kit.settle_in(1).await;
    assert_eq!(waiting(&kit).await, 0);
    kit.expect("walrus", &["a/m1", "a/m2", "a/m3", "b/m4"]).await;
    kit.assert_clean().await;
}

/// A store that is opened with other words or rules builds its index anew, beside its normal work.
pub async fn another_version_of_the_pipeline_is_built_anew(factory: &dyn StoreFactory) {
    let mut kit = Kit::with(factory, TestPipeline::plain()).await;
    kit.say("a", &[user("m1", "open sesame1 now"), user("m2", "walrus")]).await;
    kit.say("b", &[user("m3", "open walrus")]).await;
    kit.expect("sesame1", &["a/m1"]).await;
    let old = kit.store.status().await.unwrap().index_version;
    kit.reopen_with(TestPipeline::scrubbing()).await;
    assert_eq!(waiting(&kit).await, 2);
    kit.say("b", &[user("m4", "open")]).await;
    kit.settle().await;
    assert_ne!(kit.store.status().await.unwrap().index_version, old);
    kit.expect("sesame1", &[]).await;
    kit.expect("open", &["a/m1", "b/m3", "b/m4"]).await;
    kit.expect("walrus", &["a/m2", "b/m3"]).await;
    kit.assert_clean().await;
    kit.store.delete(&[key("a")]).await.unwrap();
    kit.expect("open", &["b/m3", "b/m4"]).await;
    kit.reopen_with(TestPipeline::scrubbing_version(2)).await;
    kit.settle().await;
    kit.expect("open", &["b/m3", "b/m4"]).await;
    kit.assert_clean().await;
    kit.reopen().await;
    assert_eq!(waiting(&kit).await, 0, "nothing waits under the same version");
}

/// Where nothing waits, a step does nothing.
pub async fn idle_is_idle(factory: &dyn StoreFactory) {
    let kit = Kit::new(factory).await;
    assert_eq!(kit.store.reconcile_step(10).await.unwrap(), ReconcileStep::Idle);
    kit.say("a", &[user("m1", "walrus")]).await;
    let before = kit.store.dump().await.unwrap();
    for _ in 0..3 {
        assert_eq!(kit.store.reconcile_step(10).await.unwrap(), ReconcileStep::Idle);
    }
    assert_eq!(kit.store.dump().await.unwrap(), before);
    assert_eq!(kit.store.mark_pending(Some(&key("unknown"))).await.unwrap_or(0), 0);
}

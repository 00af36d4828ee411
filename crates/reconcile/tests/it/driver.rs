//! When steps are taken. Time is paused: it jumps to the next timer when every task rests.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use session_search_core::store::ReconcileStep;
use session_search_core::{ErrorKind, TranscriptStore};
use session_search_reconcile::{Options, Pace, Reconciler, State, Unfinished};

use crate::scripted::{Answer, Scripted};

const PROGRESS: Answer = Answer::Step(ReconcileStep::Progress { entries: 3 });
const IDLE: Answer = Answer::Step(ReconcileStep::Idle);
const WAITING: Answer = Answer::Step(ReconcileStep::Waiting);
const BUSY: Answer = Answer::Fails(ErrorKind::Busy);

fn options(interval: Option<u64>) -> Options {
    let ms = Duration::from_millis;
    let pace = Pace { interval: interval.map(ms), first_backoff: ms(10), longest_backoff: ms(100) };
    Options { entries_per_step: 5, at_start: true, pace }
}

fn start(store: &Arc<Scripted>, options: Options) -> Reconciler {
    Reconciler::new(Arc::clone(store) as Arc<dyn TranscriptStore>, options)
}

/// Lets the background task run until it rests, now and after each of so many milliseconds of paused time.
async fn pass(millis: u64) {
    settle().await;
    for _ in 0..millis {
        tokio::time::advance(Duration::from_millis(1)).await;
        settle().await;
    }
}

async fn settle() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn works_from_the_start_until_idle_then_looks_at_every_interval() {
    let store = Scripted::new([PROGRESS, PROGRESS, IDLE]);
    let reconciler = start(&store, options(Some(1_000)));
    pass(0).await;
    assert_eq!(store.taken().await, [0, 0, 0]);
    assert_eq!(reconciler.status().borrow().state, State::Idle);
    assert_eq!((reconciler.status().borrow().steps, reconciler.status().borrow().entries), (3, 6));
    pass(999).await;
    assert_eq!(store.taken().await.len(), 3);
    pass(1).await;
    assert_eq!(store.taken().await, [0, 0, 0, 1_000]);
}

#[tokio::test(start_paused = true)]
async fn a_wake_leads_to_one_look_however_often_it_comes() {
    let store = Scripted::new([]);
    let reconciler = start(&store, options(None));
    pass(5).await;
    for _ in 0..20 {
        reconciler.wake();
    }
    pass(5).await;
    assert_eq!(store.taken().await.len(), 2);
    pass(100_000).await;
    assert_eq!(store.taken().await.len(), 2, "without an interval nothing is due by itself");
}

#[tokio::test(start_paused = true)]
async fn without_a_look_at_start_the_first_waits_for_a_wake() {
    let store = Scripted::new([]);
    let reconciler = start(&store, Options { at_start: false, ..options(None) });
    pass(10_000).await;
    assert!(store.taken().await.is_empty());
    assert_eq!(reconciler.status().borrow().state, State::New);
    reconciler.wake();
    pass(0).await;
    assert_eq!(store.taken().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_busy_store_is_tried_ever_less_often_and_wakes_do_not_hurry_it() {
    let store = Scripted::new([BUSY, BUSY, BUSY, BUSY, BUSY, IDLE]);
    let reconciler = start(&store, options(None));
    for _ in 0..400 {
        reconciler.wake();
        pass(1).await;
    }
    let taken = store.taken().await;
    assert_eq!(&taken[..6], [0, 10, 30, 70, 150, 250], "rests of 10, 20, 40, 80, 100 ms");
}

#[tokio::test(start_paused = true)]
async fn progress_elsewhere_does_not_turn_waiting_into_a_busy_loop() {
    let store = Scripted::new((0..1_000).flat_map(|_| [PROGRESS, WAITING]));
    let _reconciler = start(&store, options(None));
    for _ in 0..1_000 {
        pass(1).await;
    }
    // Rests of 10, 20, 40, 80, then 100 ms: 13 rounds of two steps in the first second.
    let rounds = store.taken().await.len() / 2;
    assert!((12..=14).contains(&rounds), "{rounds} rounds");
}

#[tokio::test(start_paused = true)]
async fn stops_when_dropped() {
    let store = Scripted::new([]);
    let reconciler = start(&store, options(Some(10)));
    pass(25).await;
    let status = reconciler.status();
    let before = store.taken().await.len();
    assert!(before >= 2);
    drop(reconciler);
    pass(1_000).await;
    assert_eq!(store.taken().await.len(), before);
    assert_eq!(status.borrow().state, State::Stopped);
}

#[tokio::test(start_paused = true)]
async fn stops_by_itself_where_there_will_never_be_work() {
    for kind in [ErrorKind::Closed, ErrorKind::ReadOnly] {
        let store = Scripted::new([Answer::Fails(kind)]);
        let reconciler = start(&store, options(Some(10)));
        pass(1_000).await;
        assert_eq!(store.taken().await.len(), 1, "{kind:?}");
        let ended = reconciler.status().borrow().state;
        assert!(matches!(ended, State::Stopped | State::Failed(ErrorKind::ReadOnly)), "{ended:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn steps_are_taken_one_at_a_time() {
    let store = Scripted::new((0..60).map(|_| PROGRESS));
    let reconciler = start(&store, options(Some(1)));
    let runs = (0..5).map(|_| reconciler.run_once());
    let (a, b, c, d) = tokio::join!(
        reconciler.run_once(),
        reconciler.run_once(),
        reconciler.finish(Duration::from_secs(5)),
        async {
            for run in runs {
                run.await.unwrap();
            }
        }
    );
    assert_eq!((a.unwrap(), b.unwrap(), d), (ReconcileStep::Idle, ReconcileStep::Idle, ()));
    c.unwrap();
    assert_eq!(store.most_at_once.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn run_once_stops_at_what_must_wait_and_reports_failures() {
    let store = Scripted::new([]);
    let reconciler = start(&store, Options { at_start: false, ..options(None) });
    for answer in [PROGRESS, WAITING, PROGRESS, BUSY] {
        store.push(answer).await;
    }
    assert_eq!(reconciler.run_once().await.unwrap(), ReconcileStep::Waiting);
    assert_eq!(reconciler.run_once().await.unwrap_err().kind(), ErrorKind::Busy);
    assert_eq!(reconciler.status().borrow().state, State::Failed(ErrorKind::Busy));
    assert_eq!(reconciler.run_once().await.unwrap(), ReconcileStep::Idle);
}

#[tokio::test(start_paused = true)]
async fn finish_waits_for_idle_or_the_end_of_its_time() {
    let store = Scripted::new([PROGRESS, BUSY, WAITING, PROGRESS]);
    let reconciler = start(&store, Options { at_start: false, ..options(None) });
    reconciler.finish(Duration::from_secs(1)).await.unwrap();
    assert_eq!(store.taken().await, [0, 0, 10, 30, 30]);

    for _ in 0..1_000 {
        store.push(WAITING).await;
    }
    let ended = reconciler.finish(Duration::from_secs(1)).await;
    assert!(matches!(ended, Err(Unfinished::TimedOut)), "{ended:?}");

    let broken = Scripted::new([Answer::Fails(ErrorKind::Corrupt)]);
    let reconciler = start(&broken, Options { at_start: false, ..options(None) });
    let ended = reconciler.finish(Duration::from_secs(1)).await;
    assert!(matches!(ended, Err(Unfinished::Store(error)) if error.kind() == ErrorKind::Corrupt));

    reconciler.stop();
    assert!(matches!(reconciler.finish(Duration::from_secs(1)).await, Err(Unfinished::Stopped)));
}

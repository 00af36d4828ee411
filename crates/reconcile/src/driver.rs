//! The driver: a task that obeys the plan.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use session_search_core::store::ReconcileStep;
use session_search_core::{ErrorKind, StoreError, TranscriptStore};
use tokio::sync::{Mutex, Notify, watch};
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::plan::{Next, Outcome, Pace, Plan};
use crate::status::{State, Status};

/// How a reconciler works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many index entries a step may write or remove, about: bounds how long the writer is held.
    pub entries_per_step: usize,
    /// Whether the first step is due at once; else it waits for the interval or a wake.
    pub at_start: bool,
    /// How long rests last.
    pub pace: Pace,
}

impl Default for Options {
    /// 200 entries a step, from the start, at the default pace.
    fn default() -> Options {
        Options { entries_per_step: 200, at_start: true, pace: Pace::default() }
    }
}

/// Why [`Reconciler::finish`] ended before the store was idle.
#[derive(Debug, thiserror::Error)]
pub enum Unfinished {
    /// The time was up. The work goes on in the background.
    #[error("the index is not complete yet; it is still being built in the background")]
    TimedOut,
    /// The reconciler was stopped, or the store was closed.
    #[error("the index is not complete; nobody builds it any more, since the store was closed")]
    Stopped,
    /// The store refuses the work for good.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the task and the handle share.
#[derive(Debug)]
struct Shared {
    store: Arc<dyn TranscriptStore>,
    options: Options,
    /// Held for one step: all steps are taken one after the other.
    one_at_a_time: Mutex<()>,
    /// A wake that no step has answered yet.
    asked: AtomicBool,
    wake: Notify,
    status: watch::Sender<Status>,
    stop: CancellationToken,
}

/// Keeps one store's index up to date in the background. Dropping it stops the work between two steps.
#[derive(Debug)]
pub struct Reconciler {
    shared: Arc<Shared>,
    _stops_on_drop: DropGuard,
}

impl Reconciler {
    /// Starts the background task. Must be called within a tokio runtime.
    #[must_use]
    pub fn new(store: Arc<dyn TranscriptStore>, options: Options) -> Reconciler {
        let stop = CancellationToken::new();
        let shared = Arc::new(Shared {
            store,
            options,
            one_at_a_time: Mutex::new(()),
            asked: AtomicBool::new(false),
            wake: Notify::new(),
            status: watch::Sender::new(Status::default()),
            stop: stop.clone(),
        });
        tokio::spawn(drive(Arc::clone(&shared)));
        Reconciler { shared, _stops_on_drop: stop.drop_guard() }
    }

    /// Asks for a look at the store. Any number of wakes before that look count as one.
    pub fn wake(&self) {
        if !self.shared.asked.swap(true, Ordering::AcqRel) {
            self.shared.wake.notify_one();
        }
    }

    /// Takes steps until nothing more can be done now: the store is idle, or what is left must wait. Idempotent;
    /// shares the store with the background task, step by step.
    ///
    /// # Errors
    /// The first failure of a step.
    pub async fn run_once(&self) -> Result<ReconcileStep, StoreError> {
        loop {
            match self.shared.step().await? {
                ReconcileStep::Progress { .. } => tokio::task::yield_now().await,
                done @ (ReconcileStep::Idle | ReconcileStep::Waiting) => return Ok(done),
            }
        }
    }

    /// Works until the store is idle.
    ///
    /// # Errors
    /// [`Unfinished`] when the time is up first, or when there is no hope.
    pub async fn finish(&self, timeout: Duration) -> Result<(), Unfinished> {
        tokio::time::timeout(timeout, self.until_idle()).await.unwrap_or(Err(Unfinished::TimedOut))
    }

    async fn until_idle(&self) -> Result<(), Unfinished> {
        let mut plan = Plan::new(self.shared.options.pace);
        loop {
            if self.shared.stop.is_cancelled() {
                return Err(Unfinished::Stopped);
            }
            let answer = self.shared.step().await;
            let outcome = Outcome::of(&answer);
            match (outcome, plan.after(outcome)) {
                (Outcome::Idle, _) => return Ok(()),
                (Outcome::Closed, _) => return Err(Unfinished::Stopped),
                (_, Next::Step) => tokio::task::yield_now().await,
                (Outcome::Busy | Outcome::Waiting, Next::Rest { at_most: Some(rest), .. }) => {
                    self.shared.pause(rest).await;
                }
                _ => return Err(answer.err().map_or(Unfinished::Stopped, Unfinished::Store)),
            }
        }
    }

    /// Takes steps as long as deleted bytes wait and can be erased now.
    ///
    /// # Errors
    /// The first failure of a step.
    pub async fn finish_erasure(&self) -> Result<(), StoreError> {
        while self.shared.store.erasing().await? {
            if let ReconcileStep::Idle | ReconcileStep::Waiting = self.shared.step().await? {
                break;
            }
        }
        Ok(())
    }

    /// What it does now, and a way to await changes.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<Status> {
        self.shared.status.subscribe()
    }

    /// Stops the background task after the step under way; steps asked for by [`Reconciler::run_once`] still work.
    pub fn stop(&self) {
        self.shared.stop.cancel();
    }
}

impl Shared {
    /// One step, one at a time, noted in the status.
    async fn step(&self) -> Result<ReconcileStep, StoreError> {
        let _turn = self.one_at_a_time.lock().await;
        self.asked.store(false, Ordering::Release);
        self.status.send_if_modified(|status| {
            std::mem::replace(&mut status.state, State::Working) != State::Working
        });
        let answer = self.store.reconcile_step(self.options.entries_per_step).await;
        self.status.send_modify(|status| {
            status.steps += 1;
            status.state = match &answer {
                Ok(ReconcileStep::Progress { entries }) => {
                    status.entries += entries;
                    State::Working
                }
                Ok(ReconcileStep::Idle) => State::Idle,
                Ok(ReconcileStep::Waiting) => State::Waiting,
                Err(error) if error.kind() == ErrorKind::Closed => State::Stopped,
                Err(error) => State::Failed(error.kind()),
            };
        });
        answer
    }

    /// Waits that long, or until stopped.
    async fn pause(&self, rest: Duration) {
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = tokio::time::sleep(rest) => {}
        }
    }

    /// Returns when there is a wake that no step has answered; one that was answered may have left its signal.
    async fn asked_for(&self) {
        while !self.asked.load(Ordering::Acquire) {
            self.wake.notified().await;
        }
    }

    /// Rests as the plan says.
    async fn rest(&self, at_least: Duration, at_most: Option<Duration>) {
        let start = Instant::now();
        if !at_least.is_zero() {
            self.pause(at_least).await;
        }
        let until_due = async {
            match at_most {
                Some(rest) => tokio::time::sleep_until(start + rest).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = self.asked_for() => {}
            () = until_due => {}
        }
    }
}

/// Obeys the plan until stopped.
async fn drive(shared: Arc<Shared>) {
    let mut plan = Plan::new(shared.options.pace);
    if !shared.options.at_start {
        shared.rest(Duration::ZERO, shared.options.pace.interval).await;
    }
    while !shared.stop.is_cancelled() {
        let answer = shared.step().await;
        if let Err(error) = &answer {
            tracing::warn!(agent = %shared.store.agent(), kind = ?error.kind(), "a step of reconciliation failed");
        }
        match plan.after(Outcome::of(&answer)) {
            Next::Step => tokio::task::yield_now().await,
            Next::Rest { at_least, at_most } => shared.rest(at_least, at_most).await,
            Next::Stop => return,
        }
    }
    shared.status.send_modify(|status| status.state = State::Stopped);
}

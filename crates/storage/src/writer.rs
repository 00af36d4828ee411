//! The writer: one thread, one connection, a bounded queue. Jobs that wait share a transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread::JoinHandle;

use session_search_core::{ErrorKind, StoreError};
use tokio::sync::{mpsc, oneshot};

use crate::error::{Result, closed, panicked};
use crate::writing::{self, Writing};

/// Jobs that may wait before callers do.
const QUEUE: usize = 64;
/// Jobs that share one transaction at most.
const SHARED: usize = 64;

type Failure = (ErrorKind, String);

/// Tells a caller how its job ended, once the transaction has.
type Answer = Box<dyn FnOnce(std::result::Result<(), Failure>) + Send>;

/// A job that runs within a transaction that others may share.
trait Part: Send {
    /// Does it; `false` where it failed.
    fn run(self: Box<Self>, writing: &mut Writing, place: Place) -> (bool, Answer);
    /// Answers without doing it.
    fn refuse(self: Box<Self>, failure: Failure);
}

/// Gets the connection, or why there is none.
type Alone = Box<dyn FnOnce(Result<&mut Writing>) + Send>;

enum Job {
    /// See [`Part`].
    Shared(Box<dyn Part>),
    /// Makes transactions of its own.
    Alone(Alone),
}

/// Where in a transaction a shared job runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// By itself: an error gives the whole transaction up.
    Only,
    /// Among others: an error gives a savepoint up.
    Among,
}

struct Body<T, F> {
    body: F,
    sender: oneshot::Sender<Result<T>>,
}

impl<T: Send + 'static, F: FnOnce(&mut Writing) -> Result<T> + Send> Part for Body<T, F> {
    fn run(self: Box<Self>, writing: &mut Writing, place: Place) -> (bool, Answer) {
        let Body { body, sender } = *self;
        let guarded = |writing: &mut Writing| guard(|| body(writing)).and_then(|outcome| outcome);
        let outcome = match place {
            Place::Only => guarded(writing),
            Place::Among => writing::savepoint(writing, guarded),
        };
        let done = outcome.is_ok();
        let answer = move |committed: std::result::Result<(), Failure>| {
            let committed = committed.map_err(|(kind, message)| StoreError::new(kind, message));
            // Nobody may be waiting any more.
            drop(sender.send(outcome.and_then(|value| committed.map(|()| value))));
        };
        (done, Box::new(answer))
    }

    fn refuse(self: Box<Self>, (kind, message): Failure) {
        drop(self.sender.send(Err(StoreError::new(kind, message))));
    }
}

type Open = Box<dyn FnOnce() -> Result<Writing> + Send>;

/// The handle of the writer thread, which starts with the first job.
pub(crate) struct Writer {
    state: Mutex<State>,
}

enum State {
    Idle(Option<Open>),
    Running(mpsc::Sender<Job>, JoinHandle<()>),
    Closed,
}

impl Writer {
    /// A writer that opens its connection when it is first needed.
    pub(crate) fn new(open: Open) -> Writer {
        Writer { state: Mutex::new(State::Idle(Some(open))) }
    }

    /// Runs `body` in a transaction that may be shared, and waits until it is durable.
    pub(crate) async fn shared<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut Writing) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = oneshot::channel();
        let job = Body { body, sender };
        self.send(Job::Shared(Box::new(job))).await?;
        receiver.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Runs `body`, which makes transactions of its own.
    pub(crate) async fn alone<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut Writing) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = oneshot::channel();
        let job = move |writing: Result<&mut Writing>| {
            let outcome = writing.and_then(|writing| {
                let outcome = guard(|| body(&mut *writing)).and_then(|outcome| outcome);
                writing::roll_back(&writing.conn);
                outcome
            });
            drop(sender.send(outcome));
        };
        self.send(Job::Alone(Box::new(job))).await?;
        receiver.await.unwrap_or_else(|_| Err(closed()))
    }

    async fn send(&self, job: Job) -> Result<()> {
        let sender = self.sender()?;
        sender.send(job).await.map_err(|_| closed())
    }

    fn sender(&self) -> Result<mpsc::Sender<Job>> {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let open = match &mut *state {
            State::Running(sender, _) => return Ok(sender.clone()),
            State::Closed => return Err(closed()),
            State::Idle(open) => open,
        };
        let Some(open) = open.take() else { return Err(closed()) };
        let (sender, receiver) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("session-writer".into())
            .spawn(move || run(open, receiver))
            .map_err(|error| {
                StoreError::new(ErrorKind::Io, "cannot start the writer thread").with_source(error)
            })?;
        *state = State::Running(sender.clone(), thread);
        Ok(sender)
    }

    /// Takes no more jobs; what it gives back ends the thread after those that wait, and waits for that.
    pub(crate) fn close(&self) -> Option<impl FnOnce() + Send + use<>> {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match std::mem::replace(&mut *state, State::Closed) {
            State::Running(sender, thread) => Some(move || {
                drop(sender);
                drop(thread.join());
            }),
            State::Idle(_) | State::Closed => None,
        }
    }
}

/// Turns a panic into an error.
pub(crate) fn guard<T>(body: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|_| panicked())
}

fn run(open: Open, mut jobs: mpsc::Receiver<Job>) {
    let mut writing = match guard(open).and_then(|outcome| outcome) {
        Ok(writing) => writing,
        Err(error) => return refuse_all(&error, jobs),
    };
    let mut held = None;
    while let Some(job) = held.take().or_else(|| jobs.blocking_recv()) {
        match job {
            Job::Alone(body) => body(Ok(&mut writing)),
            Job::Shared(first) => {
                let mut parts = vec![first];
                while parts.len() < SHARED {
                    match jobs.try_recv() {
                        Ok(Job::Shared(part)) => parts.push(part),
                        Ok(alone) => {
                            held = Some(alone);
                            break;
                        }
                        Err(_) => break,
                    }
                }
                together(&mut writing, parts);
            }
        }
    }
}

fn refuse_all(error: &StoreError, mut jobs: mpsc::Receiver<Job>) {
    while let Some(job) = jobs.blocking_recv() {
        match job {
            Job::Shared(part) => part.refuse((error.kind(), error.to_string())),
            Job::Alone(body) => body(Err(StoreError::new(error.kind(), error.to_string()))),
        }
    }
}

/// Runs jobs in one transaction and answers them when it is over.
fn together(writing: &mut Writing, parts: Vec<Box<dyn Part>>) {
    let place = if parts.len() == 1 { Place::Only } else { Place::Among };
    if let Err(error) = writing::begin(&writing.conn, writing.wait) {
        for part in parts {
            part.refuse((error.kind(), error.to_string()));
        }
        return;
    }
    let (done, answers): (Vec<bool>, Vec<Answer>) =
        parts.into_iter().map(|part| part.run(writing, place)).unzip();
    let committed = if done.contains(&true) {
        writing::commit(&writing.conn).map_err(|error| (error.kind(), error.to_string()))
    } else {
        writing::roll_back(&writing.conn);
        Ok(())
    };
    for answer in answers {
        answer(committed.clone());
    }
}

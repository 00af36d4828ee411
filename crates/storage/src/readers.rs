//! The readers: a few threads, each with a connection that only reads. A read that nobody waits for any more is
//! interrupted.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use rusqlite::{Connection, InterruptHandle};
use session_search_core::{ErrorKind, StoreError};
use tokio::sync::{mpsc, oneshot};

use crate::connection::Place;
use crate::error::{Result, closed};
use crate::search::cache::Cache;
use crate::writer::guard;
use crate::writing;

/// Reads that may wait for one thread before callers do.
const QUEUE: usize = 64;

/// What a read works with.
pub(crate) struct Reading<'a> {
    /// Within a read transaction.
    pub(crate) conn: &'a Connection,
    /// What this thread remembers between reads.
    pub(crate) cache: &'a mut Cache,
    /// Set when nobody waits any more.
    pub(crate) cancelled: &'a AtomicBool,
}

type Job = Box<dyn FnOnce(&mut Thread) + Send>;

/// A reader thread's own.
struct Thread {
    conn: Connection,
    cache: Cache,
    shared: Arc<Shared>,
}

/// What a reader thread and its callers share.
struct Shared {
    /// Jobs that wait or run.
    load: AtomicUsize,
    /// The number of the job that runs, and how to interrupt it.
    running: Mutex<(u64, Option<InterruptHandle>)>,
}

struct Slot {
    sender: mpsc::Sender<Job>,
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

/// The handles of the reader threads, which start when they are needed.
pub(crate) struct Readers {
    place: Place,
    most: usize,
    slots: Mutex<Option<Vec<Slot>>>,
    numbers: std::sync::atomic::AtomicU64,
}

/// Stops a read when dropped before its answer is there.
struct Waiting {
    number: u64,
    shared: Arc<Shared>,
    cancelled: Arc<AtomicBool>,
    done: bool,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        self.cancelled.store(true, Ordering::SeqCst);
        let running = lock(&self.shared.running);
        if running.0 == self.number
            && let Some(handle) = &running.1
        {
            handle.interrupt();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Readers {
    /// At most so many threads.
    pub(crate) fn new(place: Place, most: usize) -> Readers {
        let numbers = std::sync::atomic::AtomicU64::new(1);
        Readers { place, most: most.clamp(1, 16), slots: Mutex::new(Some(Vec::new())), numbers }
    }

    /// Runs `body` in a read transaction on the least busy thread.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut Reading<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (queue, shared) = self.least_busy()?;
        let (sender, receiver) = oneshot::channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let number = self.numbers.fetch_add(1, Ordering::SeqCst);
        let mut waiting =
            Waiting { number, shared: Arc::clone(&shared), cancelled: Arc::clone(&cancelled), done: false };
        let job = move |thread: &mut Thread| {
            lock(&thread.shared.running).0 = number;
            let outcome = if cancelled.load(Ordering::SeqCst) {
                Err(StoreError::new(ErrorKind::Cancelled, "the read was given up"))
            } else {
                thread.run(&cancelled, body)
            };
            lock(&thread.shared.running).0 = 0;
            drop(sender.send(outcome));
        };
        shared.load.fetch_add(1, Ordering::SeqCst);
        if queue.send(Box::new(job)).await.is_err() {
            return Err(closed());
        }
        let outcome = receiver.await.unwrap_or_else(|_| Err(closed()));
        waiting.done = true;
        outcome
    }

    fn least_busy(&self) -> Result<(mpsc::Sender<Job>, Arc<Shared>)> {
        let mut slots = lock(&self.slots);
        let slots = slots.as_mut().ok_or_else(closed)?;
        slots.retain(|slot| !slot.sender.is_closed());
        let load = |slot: &Slot| slot.shared.load.load(Ordering::SeqCst);
        let best = slots.iter().position(|slot| load(slot) == 0);
        let best = match best {
            Some(best) => best,
            None if slots.len() < self.most => {
                slots.push(self.start()?);
                slots.len() - 1
            }
            None => (0..slots.len()).min_by_key(|n| load(&slots[*n])).unwrap_or(0),
        };
        Ok((slots[best].sender.clone(), Arc::clone(&slots[best].shared)))
    }

    fn start(&self) -> Result<Slot> {
        let conn = self.place.reader()?;
        let handle = conn.get_interrupt_handle();
        let shared = Arc::new(Shared { load: AtomicUsize::new(0), running: Mutex::new((0, Some(handle))) });
        let mut own = Thread { conn, cache: Cache::default(), shared: Arc::clone(&shared) };
        let (sender, mut jobs) = mpsc::channel::<Job>(QUEUE);
        let thread = std::thread::Builder::new()
            .name("session-reader".into())
            .spawn(move || {
                while let Some(job) = jobs.blocking_recv() {
                    job(&mut own);
                    own.shared.load.fetch_sub(1, Ordering::SeqCst);
                }
                // The handle must not outlive the connection.
                lock(&own.shared.running).1 = None;
            })
            .map_err(|error| {
                StoreError::new(ErrorKind::Io, "cannot start a reader thread").with_source(error)
            })?;
        Ok(Slot { sender, shared, thread })
    }

    /// Takes no more reads and gives back the threads, which end after those that wait.
    pub(crate) fn close(&self) -> Vec<JoinHandle<()>> {
        let slots = lock(&self.slots).take().unwrap_or_default();
        slots.into_iter().map(|slot| slot.thread).collect()
    }
}

impl Thread {
    fn run<T>(
        &mut self,
        cancelled: &AtomicBool,
        body: impl FnOnce(&mut Reading<'_>) -> Result<T>,
    ) -> Result<T> {
        let Thread { conn, cache, .. } = self;
        let outcome = guard(|| {
            writing::snapshot(conn, |conn| body(&mut Reading { conn, cache: &mut *cache, cancelled }))
        });
        outcome.unwrap_or_else(|panic| {
            *cache = Cache::default();
            Err(panic)
        })
    }
}

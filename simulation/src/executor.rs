//! A runtime on one thread with a manual clock. Its driver decides which task is polled next, when
//! blocking work runs and when time passes.

use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use docent_core::{BoxFuture, Runtime};

/// Blocking work that waits for a thread.
type Work = Box<dyn FnOnce() + Send>;

/// The tasks of a service and of its callers, and the time.
#[derive(Clone)]
pub(crate) struct Executor {
    start: Instant,
    seed: u64,
    queues: Arc<Mutex<Queues>>,
    ready: Arc<Ready>,
}

/// The tasks that have been woken.
type Ready = Mutex<BTreeSet<u64>>;

#[derive(Default)]
struct Queues {
    now: Duration,
    /// The last number given to a task or a timer, so that their order is the same in each run.
    last: u64,
    tasks: BTreeMap<u64, BoxFuture<()>>,
    timers: BTreeMap<(Duration, u64), Waker>,
    blocking: Vec<Work>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic under a lock is a finding, and ends the run.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Executor {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            start: Instant::now(),
            seed,
            queues: Arc::default(),
            ready: Arc::default(),
        }
    }

    fn queues(&self) -> MutexGuard<'_, Queues> {
        lock(&self.queues)
    }

    /// Returns the time since the start.
    pub(crate) fn clock(&self) -> Duration {
        self.queues().now
    }

    /// Adds a task that is ready, and returns its number.
    pub(crate) fn add(&self, task: BoxFuture<()>) -> u64 {
        let mut queues = self.queues();
        queues.last += 1;
        let number = queues.last;
        queues.tasks.insert(number, task);
        lock(&self.ready).insert(number);
        number
    }

    pub(crate) fn tasks(&self) -> Vec<u64> {
        self.queues().tasks.keys().copied().collect()
    }

    pub(crate) fn ready(&self) -> Vec<u64> {
        lock(&self.ready).iter().copied().collect()
    }

    pub(crate) fn blocking(&self) -> usize {
        self.queues().blocking.len()
    }

    pub(crate) fn next_timer(&self) -> Option<Duration> {
        self.queues().timers.keys().next().map(|(due, _)| *due)
    }

    /// Polls a task. Returns whether it has ended.
    ///
    /// # Errors
    /// A panic, which must not leave the service.
    pub(crate) fn poll(&self, number: u64) -> Result<bool, String> {
        lock(&self.ready).remove(&number);
        let Some(mut task) = self.queues().tasks.remove(&number) else {
            return Ok(true);
        };
        let ready = Arc::clone(&self.ready);
        let waker = Waker::from(Arc::new(Task { number, ready }));
        let mut cx = Context::from_waker(&waker);
        unharmed(|| {
            let ended = task.as_mut().poll(&mut cx).is_ready();
            if !ended {
                self.queues().tasks.insert(number, task);
            }
            ended
        })
    }

    /// Drops a task in whatever state it is.
    pub(crate) fn cancel(&self, number: u64) -> Result<(), String> {
        lock(&self.ready).remove(&number);
        let task = self.queues().tasks.remove(&number);
        unharmed(|| drop(task))
    }

    /// Runs the blocking work at this index of the queue.
    pub(crate) fn run_blocking(&self, index: usize) -> Result<(), String> {
        let work = self.queues().blocking.remove(index);
        unharmed(work)
    }

    /// Lets time pass, and wakes the tasks that waited for it.
    pub(crate) fn pass(&self, until: Duration) {
        let mut queues = self.queues();
        let now = queues.now.max(until);
        queues.now = now;
        let later = queues.timers.split_off(&(now, u64::MAX));
        let due = std::mem::replace(&mut queues.timers, later);
        drop(queues);
        due.into_values().for_each(Waker::wake);
    }

    /// Waits until this much time has passed on the clock.
    pub(crate) fn after(&self, time: Duration) -> impl Future<Output = ()> + Send + use<> {
        let timer = Timer::new(self, time);
        poll_fn(move |cx| timer.poll(cx))
    }
}

fn unharmed<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| "a panic has left the service".to_owned())
}

struct Task {
    number: u64,
    ready: Arc<Ready>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        lock(&self.ready).insert(self.number);
    }
}

/// A moment of the clock. Dropping it ends the wait.
struct Timer {
    due: (Duration, u64),
    executor: Executor,
}

impl Timer {
    fn new(executor: &Executor, time: Duration) -> Self {
        let mut queues = executor.queues();
        queues.last += 1;
        Self {
            due: (queues.now.saturating_add(time), queues.last),
            executor: executor.clone(),
        }
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut queues = self.executor.queues();
        if queues.now >= self.due.0 {
            return Poll::Ready(());
        }
        queues.timers.insert(self.due, cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.executor.queues().timers.remove(&self.due);
    }
}

impl Runtime for Executor {
    fn spawn(&self, task: BoxFuture<()>) {
        self.add(task);
    }

    fn spawn_blocking(&self, work: Work) {
        self.queues().blocking.push(work);
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        Box::pin(self.after(duration))
    }

    fn now(&self) -> Instant {
        self.start + self.clock()
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}

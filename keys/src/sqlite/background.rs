//! The thread of a store, for work that no call should wait for.
//!
//! It ends when the last clone of the store is dropped, and with it the sender of its jobs.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::Duration;

use docent_core::{KeptOutcome, KeyRoom};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::transaction::{ConnectionPool, Writer};
use super::{Shared, keep};
use crate::error::Error;
use crate::running::{ClaimedKey, RunningCalls};

/// The pause before the thread looks for expired outcomes again.
const PAUSE: Duration = Duration::from_secs(1);

/// The pause after a batch of expired outcomes, in which calls get their turn.
const PAUSE_BETWEEN_BATCHES: Duration = Duration::from_millis(5);

/// The number of expired outcomes that one transaction deletes: few, because calls wait for it.
const BATCH_SIZE: u32 = 500;

/// An outcome that no transaction has kept, because the call has changed nothing.
pub(super) struct Job {
    pub(super) claimed: ClaimedKey,
    pub(super) outcome: KeptOutcome,
    /// Gets the result.
    pub(super) done: oneshot::Sender<Result<(), Error>>,
}

/// Starts the thread of a store with this connection.
pub(super) fn start(connection: Connection) -> Arc<Shared> {
    let (jobs, waiting) = channel();
    let shared = Arc::new(Shared {
        pool: ConnectionPool::new(connection),
        running: RunningCalls::default(),
        held: Mutex::new(KeyRoom::default()),
        jobs,
    });
    let store = Arc::downgrade(&shared);
    thread::spawn(move || run(&store, &waiting));
    shared
}

fn run(store: &Weak<Shared>, waiting: &Receiver<Job>) {
    let mut pause = PAUSE;
    loop {
        let job = match waiting.recv_timeout(pause) {
            Ok(job) => Some(job),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let Some(shared) = store.upgrade() else {
            return;
        };
        pause = match job {
            Some(job) => {
                do_job(&shared, job);
                Duration::ZERO
            }
            None => match forget(shared) {
                Ok(deleted) if deleted >= BATCH_SIZE as usize => PAUSE_BETWEEN_BATCHES,
                // The next attempt may succeed.
                Ok(_) | Err(_) => PAUSE,
            },
        };
    }
}

fn do_job(shared: &Arc<Shared>, job: Job) {
    let Job {
        claimed,
        outcome,
        done,
    } = job;
    let kept =
        Writer::take(Arc::clone(shared)).and_then(|writer| keep(&writer, &claimed.call, &outcome));
    drop(claimed);
    // The call that waited for it may be gone.
    let _ = done.send(kept.map(drop));
}

/// Deletes some outcomes that have expired, and returns how many.
fn forget(shared: Arc<Shared>) -> Result<usize, Error> {
    let writer = Writer::take(shared)?;
    let mut statement = writer.prepare_cached(
        "DELETE FROM docent_keys WHERE rowid IN (SELECT rowid FROM docent_keys \
         WHERE until <= unixepoch() ORDER BY until LIMIT ?1)",
    )?;
    Ok(statement.execute([BATCH_SIZE])?)
}

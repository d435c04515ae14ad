//! The state that all parts of a soak share.
//!
//! It says which process callers may reach, and whether they may expect an answer from it.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::ledger::Ledger;
use super::tally::{End, Tally};

/// An honest caller's pause between calls, in a soak no longer than [`MAX_PACED_TIME`].
const HONEST_PAUSE: Duration = Duration::from_millis(20);

/// The longest soak in which calls come at that pace.
const MAX_PACED_TIME: Duration = Duration::from_secs(20 * 60);

/// The number of findings that are reported in full.
const MAX_SHOWN_FINDINGS: usize = 40;

/// One process of the library, and the address where it listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LibraryProcess {
    pub(crate) incarnation: u32,
    pub(crate) process: u32,
    pub(crate) address: SocketAddr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The process does not accept connections, or is about to be killed.
    Down,
    /// The process must respond.
    Up(LibraryProcess),
    /// The process is shutting down and may refuse connections.
    ShuttingDown(LibraryProcess),
    /// The soak sends no more traffic.
    Over,
}

/// The state that all parts of a soak share.
pub(crate) struct World {
    pub(crate) seed: u64,
    /// The token that write calls require.
    pub(crate) token: String,
    /// The `Authorization` value that carries the token.
    pub(crate) credential: String,
    /// An honest caller's pause before the next call, so that the load is constant and does not
    /// depend on the machine.
    pub(crate) pause: Duration,
    state: Mutex<State>,
    changed: Condvar,
    ledger: Mutex<Ledger>,
    tally: Mutex<Tally>,
    findings: Mutex<Vec<String>>,
    found: AtomicU64,
    serial: AtomicU64,
}

impl World {
    pub(crate) fn new(seed: u64, time: Duration) -> Self {
        // Callers in a longer soak pause for longer, so that there is no more to remember and
        // compare.
        let longer = time.div_duration_f64(MAX_PACED_TIME).max(1.0);
        let token = format!("soak-{seed:016x}-token");
        Self {
            seed,
            credential: format!("Bearer {token}"),
            pause: HONEST_PAUSE.mul_f64(longer),
            token,
            state: Mutex::new(State::Down),
            changed: Condvar::new(),
            ledger: Mutex::default(),
            tally: Mutex::default(),
            findings: Mutex::default(),
            found: AtomicU64::new(0),
            serial: AtomicU64::new(0),
        }
    }

    /// Waits for a process to call. Returns `None` when the soak stops.
    pub(crate) fn current(&self) -> Option<LibraryProcess> {
        let mut state = lock(&self.state);
        loop {
            match *state {
                State::Up(at) | State::ShuttingDown(at) => return Some(at),
                State::Over => return None,
                State::Down => {}
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns the running process, if there is one.
    pub(crate) fn running(&self) -> Option<LibraryProcess> {
        match *lock(&self.state) {
            State::Up(at) | State::ShuttingDown(at) => Some(at),
            State::Down | State::Over => None,
        }
    }

    /// Returns whether a process must respond. Callers ask after a response is missing, and a
    /// process is marked as down before it is killed.
    pub(crate) fn must_answer(&self, at: LibraryProcess) -> bool {
        *lock(&self.state) == State::Up(at)
    }

    /// Waits while a process is shutting down.
    pub(crate) fn wait_for_shutdown(&self, at: LibraryProcess) {
        let mut state = lock(&self.state);
        while *state == State::ShuttingDown(at) {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        *lock(&self.state) == State::Over
    }

    pub(crate) fn up(&self, at: LibraryProcess) {
        self.set(State::Up(at));
    }

    pub(crate) fn down(&self) {
        self.set(State::Down);
    }

    pub(crate) fn shutting_down(&self, at: LibraryProcess) {
        self.set(State::ShuttingDown(at));
    }

    pub(crate) fn over(&self) {
        self.set(State::Over);
    }

    fn set(&self, state: State) {
        *lock(&self.state) = state;
        self.changed.notify_all();
    }

    /// Reports a broken promise.
    pub(crate) fn found(&self, finding: String) {
        let number = self.found.fetch_add(1, Ordering::Relaxed);
        let mut findings = lock(&self.findings);
        if findings.len() < MAX_SHOWN_FINDINGS {
            eprintln!("soak: finding {}: {finding}", number + 1);
            findings.push(finding);
        }
    }

    /// Returns how many promises were broken.
    pub(crate) fn findings(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }

    /// Returns a unique number.
    pub(crate) fn serial(&self) -> u64 {
        self.serial.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        lock(&self.ledger)
    }

    pub(crate) fn tally(&self) -> MutexGuard<'_, Tally> {
        lock(&self.tally)
    }

    pub(crate) fn count(&self, side: &'static str, kind: &'static str, end: End) {
        self.tally().request(side, kind, end);
    }
}

/// Ends the traffic when dropped, so that whatever ends a scope also ends the callers in it.
pub(crate) struct EndOnDrop<'w>(pub(crate) &'w World);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.over();
    }
}

/// Locks a mutex even if it is poisoned. A panic in another thread ends the soak by itself, and the
/// report still needs what that thread left.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

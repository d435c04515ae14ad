//! What all parts of a soak share.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::ledger::Ledger;
use super::tally::{End, Tally};

/// How long an honest caller thinks in a soak that is not longer than [`BUSY`].
const PAUSE: Duration = Duration::from_millis(20);

/// How long calls may come at that pace.
const BUSY: Duration = Duration::from_secs(20 * 60);

/// The most findings that are told in full.
const TOLD: usize = 40;

/// One process of the library, and where it listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) incarnation: u32,
    pub(crate) process: u32,
    pub(crate) address: SocketAddr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It does not accept connections, or is about to stop.
    Down,
    /// It has to answer.
    Up(At),
    /// It was told to leave and may refuse.
    Leaving(At),
    /// There is to be no more traffic.
    Over,
}

/// What all parts of a soak share.
pub(crate) struct World {
    pub(crate) seed: u64,
    /// What a caller who wants to change something has to show.
    pub(crate) token: String,
    /// How a caller shows it.
    pub(crate) credential: String,
    /// How long an honest caller thinks before the next call, so that the load is the same all the
    /// time and not whatever the machine can bear.
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
        // In a longer soak they think for longer: then there is not more to remember and to compare.
        let longer = time.div_duration_f64(BUSY).max(1.0);
        let token = format!("soak-{seed:016x}-token");
        Self {
            seed,
            credential: format!("Bearer {token}"),
            pause: PAUSE.mul_f64(longer),
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

    /// Waits for a process that can be called; none when there is to be no more traffic.
    pub(crate) fn current(&self) -> Option<At> {
        let mut state = lock(&self.state);
        loop {
            match *state {
                State::Up(at) | State::Leaving(at) => return Some(at),
                State::Over => return None,
                State::Down => {}
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The process that runs, if one does.
    pub(crate) fn running(&self) -> Option<At> {
        match *lock(&self.state) {
            State::Up(at) | State::Leaving(at) => Some(at),
            State::Down | State::Over => None,
        }
    }

    /// Whether that process has to answer. It is asked after an answer did not come, and what is
    /// about to be killed is called dead before it is.
    pub(crate) fn must_answer(&self, at: At) -> bool {
        *lock(&self.state) == State::Up(at)
    }

    /// Waits while that process is leaving.
    pub(crate) fn let_leave(&self, at: At) {
        let mut state = lock(&self.state);
        while *state == State::Leaving(at) {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        *lock(&self.state) == State::Over
    }

    pub(crate) fn up(&self, at: At) {
        self.set(State::Up(at));
    }

    pub(crate) fn down(&self) {
        self.set(State::Down);
    }

    pub(crate) fn leaving(&self, at: At) {
        self.set(State::Leaving(at));
    }

    pub(crate) fn over(&self) {
        self.set(State::Over);
    }

    fn set(&self, state: State) {
        *lock(&self.state) = state;
        self.changed.notify_all();
    }

    /// Tells that something is not as promised.
    pub(crate) fn found(&self, finding: String) {
        let number = self.found.fetch_add(1, Ordering::Relaxed);
        let mut findings = lock(&self.findings);
        if findings.len() < TOLD {
            eprintln!("soak: finding {}: {finding}", number + 1);
            findings.push(finding);
        }
    }

    /// How many things were not as promised.
    pub(crate) fn findings(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }

    /// A number that is returned only once.
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

/// A panic of another thread ends the soak by itself; what it left behind is still to be looked at.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

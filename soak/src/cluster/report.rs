//! The report of a soak of several instances.
//!
//! Counters of events show that the soak has reached what it is about: retries, replays, replaced instances.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::BoxError;
use crate::world::World;

/// The events of a soak, counted by all callers.
#[derive(Default)]
pub(super) struct ClusterReport {
    /// The number of answers with a result.
    pub(super) acknowledged: AtomicCount,
    /// The number of answers with a final error.
    pub(super) refused: AtomicCount,
    pub(super) replayed: AtomicCount,
    pub(super) failed: AtomicCount,
    pub(super) repeated: AtomicCount,
    pub(super) cut: AtomicCount,
    pub(super) killed: AtomicCount,
    pub(super) replaced: AtomicCount,
    /// The number of connections that followers have lost or cut.
    pub(super) follower_returns: AtomicCount,
    /// The number of those that they have cut themselves.
    pub(super) follower_cuts: AtomicCount,
    /// The number of times that followers came over a WebSocket.
    pub(super) follower_sockets: AtomicCount,
    /// The time from which every call must succeed.
    calm: Mutex<Option<Instant>>,
}

#[derive(Default)]
pub(super) struct AtomicCount(AtomicU64);

impl AtomicCount {
    pub(super) fn add_one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl ClusterReport {
    /// Sets the time from which every call must succeed.
    pub(super) fn calm_at(&self, moment: Instant) {
        *self.calm.lock().unwrap_or_else(PoisonError::into_inner) = Some(moment);
    }

    pub(super) fn is_calm(&self, sent: Instant) -> bool {
        let calm = *self.calm.lock().unwrap_or_else(PoisonError::into_inner);
        calm.is_some_and(|calm| sent > calm)
    }

    pub(super) fn print(&self, world: &World, records: usize, events: usize) {
        let (open, _) = world.ledger().rest();
        println!(
            "{} answers with a result, {} with an error that stays; {} replayed; {} failed, \
             {} repetitions",
            self.acknowledged.get(),
            self.refused.get(),
            self.replayed.get(),
            self.failed.get(),
            self.repeated.get(),
        );
        println!(
            "{} kills, {} connections cut, {} instances replaced",
            self.killed.get(),
            self.cut.get(),
            self.replaced.get(),
        );
        println!(
            "{events} events of loans; followers came back {} times, {} of them after a cut of their own; \
             {} came over a WebSocket",
            self.follower_returns.get(),
            self.follower_cuts.get(),
            self.follower_sockets.get(),
        );
        println!(
            "{records} records; {} writes acknowledged, {open} without a key never answered",
            world.ledger().acknowledged(),
        );
    }

    /// Returns an error if a promise was broken, or if too little happened to prove anything.
    pub(super) fn verdict(&self, world: &World, events: usize) -> Result<(), BoxError> {
        if events == 0 {
            world.found("there was no event".to_owned());
        }
        for (count, what) in [
            (&self.killed, "no instance was killed"),
            (&self.cut, "no connection was cut"),
            (&self.replayed, "no answer was replayed"),
            (&self.refused, "no call was refused"),
            (&self.replaced, "no instance was replaced"),
            (&self.follower_cuts, "no follower hung up"),
            (&self.follower_sockets, "no follower came over a WebSocket"),
        ] {
            if count.get() == 0 {
                world.found(what.to_owned());
            }
        }
        match world.findings() {
            0 => {
                println!(
                    "\nevery write took effect as it was answered, every follower was told of every \
                     event once and in order, and no replacement was noticed"
                );
                Ok(())
            }
            findings => Err(BoxError::from(format!("{findings} findings"))),
        }
    }
}

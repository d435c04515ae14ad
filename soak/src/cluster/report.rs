//! What happened in a soak of several instances.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::Failure;
use crate::world::World;

#[derive(Default)]
pub(super) struct Report {
    acknowledged: AtomicU64,
    repeated: AtomicU64,
    replays: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
    cuts: AtomicU64,
    kills: AtomicU64,
    replaced: AtomicU64,
    /// From when on no call may fail.
    calm: Mutex<Option<Instant>>,
}

fn count(number: &AtomicU64) {
    number.fetch_add(1, Ordering::Relaxed);
}

fn read(number: &AtomicU64) -> u64 {
    number.load(Ordering::Relaxed)
}

impl Report {
    pub(super) fn acknowledged(&self) {
        count(&self.acknowledged);
    }

    pub(super) fn repeated(&self) {
        count(&self.repeated);
    }

    pub(super) fn replay(&self) {
        count(&self.replays);
    }

    pub(super) fn refused(&self) {
        count(&self.refused);
    }

    pub(super) fn failed(&self) {
        count(&self.failed);
    }

    pub(super) fn cut(&self) {
        count(&self.cuts);
    }

    pub(super) fn killed(&self) {
        count(&self.kills);
    }

    pub(super) fn replaced_one(&self) {
        count(&self.replaced);
    }

    pub(super) fn replaced(&self) -> u64 {
        read(&self.replaced)
    }

    /// No call that is sent later may fail.
    pub(super) fn calm_at(&self, moment: Instant) {
        *self.calm.lock().unwrap_or_else(PoisonError::into_inner) = Some(moment);
    }

    pub(super) fn is_calm(&self, sent: Instant) -> bool {
        let calm = *self.calm.lock().unwrap_or_else(PoisonError::into_inner);
        calm.is_some_and(|calm| sent > calm)
    }

    pub(super) fn print(&self, world: &World, records: usize) {
        let (open, _) = world.ledger().rest();
        println!(
            "{} answers with a result, {} with an error that stays; {} replayed; {} failed, \
             {} repetitions",
            read(&self.acknowledged),
            read(&self.refused),
            read(&self.replays),
            read(&self.failed),
            read(&self.repeated),
        );
        println!(
            "{} kills, {} connections cut, {} instances replaced",
            read(&self.kills),
            read(&self.cuts),
            read(&self.replaced),
        );
        println!(
            "{records} records; {} writes acknowledged, {open} without a key never answered",
            world.ledger().acknowledged(),
        );
    }

    /// Returns whether every promise was kept, and whether there was anything to keep.
    pub(super) fn verdict(&self, world: &World) -> Result<(), Failure> {
        for (number, what) in [
            (&self.kills, "no instance was killed"),
            (&self.cuts, "no connection was cut"),
            (&self.replays, "no answer was replayed"),
            (&self.refused, "no call was refused"),
            (&self.replaced, "no instance was replaced"),
        ] {
            if read(number) == 0 {
                world.found(what.to_owned());
            }
        }
        match world.findings() {
            0 => {
                println!(
                    "\nevery write took effect as it was answered, and no replacement was noticed"
                );
                Ok(())
            }
            findings => Err(Failure::from(format!("{findings} findings"))),
        }
    }
}

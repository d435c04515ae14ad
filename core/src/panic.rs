//! Catches panics in user code, and drops them safely.
//!
//! Handlers, guards, observers and their values all may panic, also while they are dropped. Every
//! panic that is caught becomes a [`Panic`], so that no other file has to think about how to drop
//! it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A panic that was caught.
pub(crate) struct Panic(Box<dyn Any + Send>);

/// Runs a function and catches its panic.
#[inline]
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(Panic)
}

/// Locks a mutex whose value is whole even if a thread panicked while it had the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Panic {
    /// Wraps a panic that was caught elsewhere.
    pub(crate) fn new(value: Box<dyn Any + Send>) -> Self {
        Self(value)
    }

    /// Returns the message of the panic, and drops the panic.
    pub(crate) fn into_cause(self) -> String {
        let cause = self.cause().to_owned();
        self.let_go();
        cause
    }

    /// Resumes the panic.
    pub(crate) fn resume(self) -> ! {
        std::panic::resume_unwind(self.0)
    }

    /// Returns the message of the panic.
    pub(crate) fn cause(&self) -> &str {
        self.0
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| self.0.downcast_ref::<&str>().copied())
            .unwrap_or("a panic value that is not a string")
    }

    /// Drops a panic. Its value may panic when it is dropped, and so may the value of that panic,
    /// which is therefore never dropped.
    pub(crate) fn let_go(self) {
        if let Err(another) = caught(|| drop(self.0)) {
            std::mem::forget(another.0);
        }
    }
}

//! Panics of what is not ours: caught, told to the log, and let go of.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::incident::Incident;

/// A panic that was caught.
pub(crate) struct Panic(Box<dyn Any + Send>);

/// Runs something that may panic.
#[inline]
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(Panic)
}

impl Panic {
    /// Goes on panicking.
    pub(crate) fn resume(self) -> ! {
        std::panic::resume_unwind(self.0)
    }

    /// Tells the log what panicked and during a call of which procedure, and lets go of the panic.
    pub(crate) fn log(self, what: &str, procedure: &str) {
        let cause = self.cause();
        tracing::error!(procedure, cause, "{what} panicked");
        self.let_go();
    }

    /// Tells the log, too, under which id the caller hears of it.
    pub(crate) fn log_incident(self, what: &str, procedure: &str, incident: Incident) {
        let cause = self.cause();
        tracing::error!(procedure, %incident, cause, "{what} panicked");
        self.let_go();
    }

    fn cause(&self) -> &str {
        let text = self.0.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| self.0.downcast_ref::<&str>().copied());
        text.unwrap_or("a panic value that is not a string")
    }

    /// A panic may carry any value, and one that panics when it is dropped. What that panics with may
    /// do so again, so it is never dropped.
    fn let_go(self) {
        if let Err(another) = caught(|| drop(self.0)) {
            std::mem::forget(another.0);
        }
    }
}

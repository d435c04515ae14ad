//! Catches and logs panics in code that is not ours, and drops them safely.

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
    /// Resumes the panic.
    pub(crate) fn resume(self) -> ! {
        std::panic::resume_unwind(self.0)
    }

    /// Logs what panicked and during a call of which procedure, and drops the panic.
    pub(crate) fn log(self, what: &str, procedure: &str) {
        let cause = self.cause();
        tracing::error!(procedure, cause, "{what} panicked");
        self.let_go();
    }

    /// The same, with the incident ID that the caller gets.
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

//! The progress of a handler.

use crate::fault::Fault;
use crate::output::Output;

/// A finished handler: the buffer with its result, or its error.
pub(crate) struct Ended {
    pub(crate) output: Output,
    pub(crate) result: Result<(), Fault>,
}

impl Ended {
    pub(crate) fn failed(output: Output, fault: Fault) -> Self {
        let result = Err(fault);
        Self { output, result }
    }
}

/// The outcome of starting a handler.
pub(crate) enum Started<R> {
    /// The handler has finished.
    Ended(Ended),
    /// The handler is still running.
    Running(R),
}

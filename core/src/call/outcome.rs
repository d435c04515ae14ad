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

    /// Puts the buffer back into the output from which the call was started, and returns the
    /// result.
    pub(crate) fn written_to(self, output: &mut Output) -> Result<(), Fault> {
        *output = self.output;
        self.result
    }
}

/// The outcome of starting a handler. The result is written to an output that stays in its place:
/// moving the output with each return would take a tenth of the time of a small call.
pub(crate) enum Started<R> {
    /// The handler has finished.
    Ended(Result<(), Fault>),
    /// The handler is still running.
    Running(R),
}

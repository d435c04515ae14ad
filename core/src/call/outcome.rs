//! How far a handler has come.

use crate::fault::Fault;
use crate::output::Output;

/// A handler that has ended: the buffer with its result, or what went wrong.
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

/// What came of starting a handler.
pub(crate) enum Started<R> {
    /// It has ended already.
    Ended(Ended),
    /// It goes on.
    Running(R),
}

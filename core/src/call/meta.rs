//! What is known about a call, whatever procedure it calls.

use std::time::Instant;

use crate::wire::Protocol;

/// How a call was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meta {
    pub(crate) protocol: Protocol,
    /// Whether it wants no answer.
    pub(crate) notification: bool,
    /// The size of the parameters as they were written.
    pub(crate) request_bytes: usize,
    /// When it started, if the duration is needed.
    pub(crate) begun: Option<Instant>,
}

impl Meta {
    /// Of what carries no parameters, or none that anybody has read.
    pub(crate) fn bare(protocol: Protocol, begun: Option<Instant>) -> Self {
        Self {
            protocol,
            notification: false,
            request_bytes: 0,
            begun,
        }
    }
}

//! The properties that calls of all procedures have.

use std::time::Instant;

use crate::wire::Protocol;

/// The properties of a call that do not depend on its procedure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meta {
    pub(crate) protocol: Protocol,
    /// Set if the call is a notification.
    pub(crate) notification: bool,
    /// The size of the parameters as sent, in bytes.
    pub(crate) request_bytes: usize,
    /// The moment at which the call started, if its duration is needed.
    pub(crate) begun: Option<Instant>,
}

impl Meta {
    /// Creates the value for a request whose parameters are absent or were not read.
    pub(crate) fn bare(protocol: Protocol, begun: Option<Instant>) -> Self {
        Self {
            protocol,
            notification: false,
            request_bytes: 0,
            begun,
        }
    }
}

//! What is known about a call of any procedure.

use std::time::Instant;

use crate::wire::Protocol;

/// How a call was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meta {
    pub(crate) protocol: Protocol,
    /// Whether the call is a notification.
    pub(crate) notification: bool,
    /// The size of the parameters as sent, in bytes.
    pub(crate) request_bytes: usize,
    /// When the call started, if its duration is needed.
    pub(crate) begun: Option<Instant>,
}

impl Meta {
    /// Creates the value for a request without parameters, or with parameters that were not read.
    pub(crate) fn bare(protocol: Protocol, begun: Option<Instant>) -> Self {
        Self {
            protocol,
            notification: false,
            request_bytes: 0,
            begun,
        }
    }
}

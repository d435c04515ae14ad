//! The versions of the protocol, as far as dispatch sees them.

use std::fmt;

use super::v2_0;
use crate::fault::Fault;

/// The version of the protocol that a call speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// JSON-RPC 2.0
    V2_0,
}

impl Protocol {
    /// The version's number.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2_0 => "2.0",
        }
    }

    /// Writes what stands before a result.
    #[inline]
    pub(crate) fn begin_result(self, buffer: &mut Vec<u8>) {
        match self {
            Self::V2_0 => v2_0::begin_result(buffer),
        }
    }

    /// Writes what stands behind a result. `id` is the text of the request's `id`.
    #[inline]
    pub(crate) fn end_result(self, buffer: &mut Vec<u8>, id: Option<&str>) {
        match self {
            Self::V2_0 => v2_0::end(buffer, id),
        }
    }

    /// How many bytes [`end_result`](Self::end_result) writes.
    #[inline]
    pub(crate) fn end_length(self, id: Option<&str>) -> usize {
        match self {
            Self::V2_0 => v2_0::end_length(id),
        }
    }

    /// Writes the answer to a call that failed.
    pub(crate) fn write_fault(self, buffer: &mut Vec<u8>, id: Option<&str>, fault: &Fault) {
        match self {
            Self::V2_0 => v2_0::write_fault(buffer, id, fault),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

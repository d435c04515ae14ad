//! Writes a response in the protocol version of its call.

use super::protocol::Protocol;
use super::{v1_0, v1_1, v2_0};
use crate::fault::Fault;

impl Protocol {
    /// Writes the text before a result.
    #[inline]
    pub(crate) fn begin_result(self, buffer: &mut Vec<u8>) {
        match self {
            Self::V2_0 => v2_0::begin_result(buffer),
            Self::V1_1 => v1_1::begin_result(buffer),
            Self::V1_0 => v1_0::begin_result(buffer),
        }
    }

    /// Writes the text after a result. `id` is the text of the request's `id`.
    #[inline]
    pub(crate) fn end_result(self, buffer: &mut Vec<u8>, id: Option<&str>) {
        match self {
            Self::V2_0 => v2_0::end(buffer, id),
            Self::V1_1 => v1_1::end(buffer, id),
            Self::V1_0 => v1_0::end_result(buffer, id),
        }
    }

    /// Returns how many bytes [`end_result`](Self::end_result) writes.
    #[inline]
    pub(crate) fn end_length(self, id: Option<&str>) -> usize {
        match self {
            Self::V2_0 => v2_0::end_length(id),
            Self::V1_1 => v1_1::end_length(id),
            Self::V1_0 => v1_0::end_length(id),
        }
    }

    /// Writes the response to a call that failed.
    pub(crate) fn write_fault(self, buffer: &mut Vec<u8>, id: Option<&str>, fault: &Fault) {
        match self {
            Self::V2_0 => v2_0::write_fault(buffer, id, fault),
            Self::V1_1 => v1_1::write_fault(buffer, id, fault),
            Self::V1_0 => v1_0::write_fault(buffer, id, fault),
        }
    }
}

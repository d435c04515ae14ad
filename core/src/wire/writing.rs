//! Writes a response in the protocol version of its call.
//!
//! A result is written between a beginning and an end, so that the handler's value goes straight
//! into the response.

use serde::Serialize;

use super::protocol::Protocol;
use crate::code;
use crate::fault::Fault;

/// The text before a result of 2.0.
pub(crate) const BEFORE_RESULT: &str = "{\"jsonrpc\":\"2.0\",\"result\":";
/// The text before an error object of 2.0.
pub(crate) const BEFORE_ERROR: &str = "{\"jsonrpc\":\"2.0\",\"error\":";

impl Protocol {
    /// Writes the text before a result.
    #[inline]
    pub(crate) fn begin_result(self, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(match self {
            Self::V2_0 => BEFORE_RESULT.as_bytes(),
            Self::V1_1 => b"{\"version\":\"1.1\",\"result\":",
            Self::V1_0 => b"{\"result\":",
        });
    }

    /// Writes the text after a result. `id` is the text of the request's `id`.
    #[inline]
    pub(crate) fn end_result(self, buffer: &mut Vec<u8>, id: Option<&str>) {
        for piece in self.end(id) {
            buffer.extend_from_slice(piece.as_bytes());
        }
    }

    /// Returns how many bytes [`end_result`](Self::end_result) writes.
    #[inline]
    pub(crate) fn end_length(self, id: Option<&str>) -> usize {
        self.end(id).into_iter().map(str::len).sum()
    }

    /// Returns the text after a result, in pieces.
    #[inline]
    fn end(self, id: Option<&str>) -> [&str; 3] {
        match (self, id) {
            (Self::V2_0, id) => [",\"id\":", id.unwrap_or("null"), "}"],
            // A return has an `id` only if the call has one.
            (Self::V1_1, None) => ["", "", "}"],
            (Self::V1_1, Some(id)) => [",\"id\":", id, "}"],
            (Self::V1_0, id) => [",\"error\":null,\"id\":", id.unwrap_or("null"), "}"],
        }
    }

    /// Writes the response to a call that failed.
    pub(crate) fn write_fault(self, buffer: &mut Vec<u8>, id: Option<&str>, fault: &Fault) {
        match self {
            Self::V2_0 => {
                buffer.extend_from_slice(BEFORE_ERROR.as_bytes());
                write_error_object(buffer, fault);
                self.end_result(buffer, id);
            }
            // The error object of section 7.4. Its `error` contains that of 2.0, because a code of
            // three digits says little.
            Self::V1_1 => {
                let before = "{\"version\":\"1.1\",\"error\":{\"name\":\"JSONRPCError\",\"code\":";
                let code = code::in_v1_1(fault.code());
                buffer.extend_from_slice(format!("{before}{code},\"message\":").as_bytes());
                write_json(buffer, fault.message());
                buffer.extend_from_slice(b",\"error\":");
                write_error_object(buffer, fault);
                buffer.push(b'}');
                self.end_result(buffer, id);
            }
            // 1.0 does not define errors.
            Self::V1_0 => {
                buffer.extend_from_slice(b"{\"result\":null,\"error\":");
                write_error_object(buffer, fault);
                Self::V2_0.end_result(buffer, id);
            }
        }
    }
}

/// Writes the error object of 2.0 (section 5.1).
pub(crate) fn write_error_object(buffer: &mut Vec<u8>, fault: &Fault) {
    let data = fault.data();
    // Reserving once is cheaper than growing piece by piece.
    buffer.reserve(data.map_or(0, str::len) + fault.message().len() + 64);
    buffer.extend_from_slice(b"{\"code\":");
    write_json(buffer, &fault.code());
    buffer.extend_from_slice(b",\"message\":");
    write_json(buffer, fault.message());
    if let Some(data) = data {
        buffer.extend_from_slice(b",\"data\":");
        buffer.extend_from_slice(data.as_bytes());
    }
    buffer.push(b'}');
}

pub(crate) fn write_json<T: Serialize + ?Sized>(buffer: &mut Vec<u8>, value: &T) {
    // Writing numbers and strings into memory cannot fail.
    let _ = serde_json::to_writer(buffer, value);
}

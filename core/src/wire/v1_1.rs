//! JSON-RPC 1.1 (working draft): procedure calls (section 6.2), procedure returns (section 7.3).

use super::members::Members;
use super::message::{Invalid, Judged, Request};
use super::protocol::Protocol;
use super::v2_0::write_error_object;
use crate::code;
use crate::fault::Fault;

/// Judges an object whose `version` is `"1.1"`.
pub(super) fn judge(text: &str, members: &Members) -> Judged {
    let judged = read_call(text, members);
    judged.unwrap_or_else(|reason| {
        // An `id` may be any value and is returned unchanged, unless there are two of them.
        Judged::Invalid(Invalid {
            protocol: Protocol::V1_1,
            id: members.only_id(),
            reason: Some(reason),
        })
    })
}

fn read_call(text: &str, members: &Members) -> Result<Judged, &'static str> {
    if members.repeated.is_some() {
        return Err("version, method, params and id must not be repeated");
    }
    let method = members.method(text).ok_or("method must be a string")?;
    let params = members
        .params(text)
        .ok_or("params must be an array or an object")?;
    Ok(Judged::Request(Request {
        protocol: Protocol::V1_1,
        method,
        params,
        id: members.id.clone(),
        // Section 2 removes notifications.
        notification: false,
        key: None,
    }))
}

#[inline]
pub(super) fn begin_result(buffer: &mut Vec<u8>) {
    buffer.extend_from_slice(b"{\"version\":\"1.1\",\"result\":");
}

/// Ends a response. It has an `id` only if the call has one.
#[inline]
pub(super) fn end(buffer: &mut Vec<u8>, id: Option<&str>) {
    if let Some(id) = id {
        buffer.extend_from_slice(b",\"id\":");
        buffer.extend_from_slice(id.as_bytes());
    }
    buffer.push(b'}');
}

#[inline]
pub(super) fn end_length(id: Option<&str>) -> usize {
    id.map_or(1, |id| ",\"id\":}".len() + id.len())
}

/// Writes a procedure return with the error object of section 7.4. Its `error` contains the error
/// object of 2.0, because a code of three digits says little.
pub(super) fn write_fault(buffer: &mut Vec<u8>, id: Option<&str>, fault: &Fault) {
    buffer
        .extend_from_slice(b"{\"version\":\"1.1\",\"error\":{\"name\":\"JSONRPCError\",\"code\":");
    buffer.extend_from_slice(code::in_v1_1(fault.code()).to_string().as_bytes());
    buffer.extend_from_slice(b",\"message\":");
    // Writing a string into memory cannot fail.
    let _ = serde_json::to_writer(&mut *buffer, fault.message());
    buffer.extend_from_slice(b",\"error\":");
    write_error_object(buffer, fault);
    buffer.push(b'}');
    end(buffer, id);
}

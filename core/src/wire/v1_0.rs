//! JSON-RPC 1.0, for services that enable it.

use super::members::Members;
use super::message::{Invalid, Judged, ParamsSpan, Request};
use super::protocol::Protocol;
use super::v2_0::{end, end_length as plain_end_length, write_error_object};
use crate::fault::Fault;

/// Judges an object that has the member `method` and does not use a newer version.
pub(super) fn judge(text: &str, members: &Members) -> Judged {
    let judged = read_request(text, members);
    judged.unwrap_or_else(|reason| {
        Judged::Invalid(Invalid {
            protocol: Protocol::V1_0,
            id: members.only_id(),
            reason: Some(reason),
        })
    })
}

fn read_request(text: &str, members: &Members) -> Result<Judged, &'static str> {
    if members.repeated.is_some() {
        return Err("method, params and id must not be repeated");
    }
    let method = members.method(text).ok_or("method must be a string")?;
    let Some(params @ ParamsSpan::Array(_)) = members.params(text) else {
        return Err("params must be an array");
    };
    let Some(id) = members.id.clone() else {
        return Err("id is missing; for a notification, send null");
    };
    Ok(Judged::Request(Request {
        protocol: Protocol::V1_0,
        method,
        params,
        notification: &text[id.clone()] == "null",
        key: None,
        id: Some(id),
    }))
}

const NO_ERROR: &[u8] = b",\"error\":null";

#[inline]
pub(super) fn begin_result(buffer: &mut Vec<u8>) {
    buffer.extend_from_slice(b"{\"result\":");
}

#[inline]
pub(super) fn end_result(buffer: &mut Vec<u8>, id: Option<&str>) {
    buffer.extend_from_slice(NO_ERROR);
    end(buffer, id);
}

#[inline]
pub(super) fn end_length(id: Option<&str>) -> usize {
    NO_ERROR.len() + plain_end_length(id)
}

/// Writes a response with the error object of 2.0, because 1.0 does not define errors.
pub(super) fn write_fault(buffer: &mut Vec<u8>, id: Option<&str>, fault: &Fault) {
    buffer.extend_from_slice(b"{\"result\":null,\"error\":");
    write_error_object(buffer, fault);
    end(buffer, id);
}

//! JSON-RPC 1.1 (working draft): procedure calls (section 6.2), procedure returns (section 7.3).

use super::members::Members;
use super::v2_0::write_error_object;
use super::{Invalid, Judged, Protocol, Request};
use crate::code;
use crate::fault::Fault;

/// Judges an object whose `version` is `"1.1"`.
pub(super) fn judge(text: &str, members: &Members) -> Judged {
    let judged = read_call(text, members);
    judged.unwrap_or_else(|reason| {
        // An `id` may be any value and comes back as it is, unless there are two of them.
        Judged::Invalid(Invalid {
            protocol: Protocol::V1_1,
            id: members.only_id(),
            reason: Some(reason),
        })
    })
}

fn read_call(text: &str, members: &Members) -> Result<Judged, &'static str> {
    if members.repeated.is_some() {
        return Err("version, method, params and id may each be given once");
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
        // Section 2 removes them.
        notification: false,
    }))
}

#[inline]
pub(super) fn begin_result(buffer: &mut Vec<u8>) {
    buffer.extend_from_slice(b"{\"version\":\"1.1\",\"result\":");
}

/// An `id` is absent from the answer where it was absent from the call.
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

/// Writes a procedure return with the error object of section 7.4. What 2.0 would have answered is
/// in its `error`, since three digits say little.
pub(super) fn write_fault(buffer: &mut Vec<u8>, id: Option<&str>, fault: &Fault) {
    buffer
        .extend_from_slice(b"{\"version\":\"1.1\",\"error\":{\"name\":\"JSONRPCError\",\"code\":");
    buffer.extend_from_slice(error_code(fault.code()).to_string().as_bytes());
    buffer.extend_from_slice(b",\"message\":");
    // Writing a string into memory cannot fail.
    let _ = serde_json::to_writer(&mut *buffer, fault.message());
    buffer.extend_from_slice(b",\"error\":");
    write_error_object(buffer, fault);
    buffer.push(b'}');
    end(buffer, id);
}

/// The code that stands for one of 2.0's. The draft prints its own codes as "000" and leaves open
/// how they are to be read: as with HTTP's statuses, a call that got 4xx must not be repeated
/// unchanged, and one that got 5xx may be.
fn error_code(fault: i64) -> i64 {
    match fault {
        code::INVALID_REQUEST | code::KEY_USED_OTHERWISE => 422,
        code::METHOD_NOT_FOUND => 404,
        code::INVALID_PARAMS => 406,
        code::TIMED_OUT => 504,
        code::BUSY | code::TOO_MANY_REQUESTS | code::STILL_RUNNING => 503,
        code::RESPONSE_TOO_LARGE => 507,
        code::NOT_CALLABLE_WITH_GET => 405,
        code::REFUSED => 403,
        own @ 100..=999 => own,
        _ => 500,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contract's table: message, code, and the code that stands for it here.
    const TABLE: [(&str, i64, i64); 15] = [
        ("Parse error", -32700, 500),
        ("Invalid Request", -32600, 422),
        ("Method not found", -32601, 404),
        ("Invalid params", -32602, 406),
        ("Internal error", -32603, 500),
        ("Timed out", -32001, 504),
        ("Busy", -32002, 503),
        ("Request too large", -32003, 500),
        ("Response too large", -32004, 507),
        ("Batch too large", -32005, 500),
        ("Not callable with GET", -32006, 405),
        ("Refused", -32007, 403),
        ("Too many requests", -32008, 503),
        ("Still running", -32009, 503),
        ("Key used otherwise", -32010, 422),
    ];

    #[test]
    fn every_code_of_the_protocols_own_has_its_message_and_its_code_of_three_digits() {
        assert_eq!(code::ALL.len(), TABLE.len());
        for (message, code, here) in TABLE {
            assert!(code::ALL.contains(&code), "{code}");
            assert_eq!(code::message(code), message);
            assert_eq!(error_code(code), here, "{message}");
        }
        for (code, here) in [
            (99, 500),
            (100, 100),
            (999, 999),
            (1_000, 500),
            (-32_000, 500),
        ] {
            assert_eq!(error_code(code), here);
        }
    }
}

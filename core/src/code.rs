//! The codes that JSON-RPC 2.0 (section 5.1) and Docent define, with the messages that go with them.

/// The body is no JSON, no UTF-8, or nested too deeply.
pub const PARSE_ERROR: i64 = -32700;
/// JSON, but no valid request.
pub const INVALID_REQUEST: i64 = -32600;
/// There is no such procedure.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters do not fit the procedure.
pub const INVALID_PARAMS: i64 = -32602;
/// The service failed; the cause is logged and never sent.
pub const INTERNAL_ERROR: i64 = -32603;
/// The procedure's time is over.
pub const TIMED_OUT: i64 = -32001;
/// Too many calls at once.
pub const BUSY: i64 = -32002;
/// The body is over the limit.
pub const REQUEST_TOO_LARGE: i64 = -32003;
/// The answer would be over the limit.
pub const RESPONSE_TOO_LARGE: i64 = -32004;
/// The batch has more entries than allowed.
pub const BATCH_TOO_LARGE: i64 = -32005;
/// The procedure is not marked idempotent.
pub const NOT_CALLABLE_WITH_GET: i64 = -32006;
/// A guard turned the call away.
pub const REFUSED: i64 = -32007;
/// The caller calls too often.
pub const TOO_MANY_REQUESTS: i64 = -32008;
/// The first call with this key has not ended.
pub const STILL_RUNNING: i64 = -32009;
/// The key was used with another procedure or other parameters.
pub const KEY_USED_OTHERWISE: i64 = -32010;

/// Every code of the protocol's own.
pub const ALL: [i64; 15] = [
    PARSE_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    INVALID_PARAMS,
    INTERNAL_ERROR,
    TIMED_OUT,
    BUSY,
    REQUEST_TOO_LARGE,
    RESPONSE_TOO_LARGE,
    BATCH_TOO_LARGE,
    NOT_CALLABLE_WITH_GET,
    REFUSED,
    TOO_MANY_REQUESTS,
    STILL_RUNNING,
    KEY_USED_OTHERWISE,
];

/// The codes that the protocol keeps for itself; no procedure can declare one of them.
pub const RESERVED: std::ops::RangeInclusive<i64> = -32768..=-32000;

/// Whether a code of the [reserved](RESERVED) ones is left to servers (JSON-RPC 2.0, section 5.1)
/// and not taken by Docent: -32000 and -32099…-32032. No procedure can declare it, but guards may
/// answer it, and handlers of procedures whose codes are open.
pub fn is_left_to_servers(code: i64) -> bool {
    code == -32000 || (-32099..=-32032).contains(&code)
}

/// The message that goes with a code of the protocol's own.
pub(crate) fn message(code: i64) -> &'static str {
    match code {
        PARSE_ERROR => "Parse error",
        INVALID_REQUEST => "Invalid Request",
        METHOD_NOT_FOUND => "Method not found",
        INVALID_PARAMS => "Invalid params",
        TIMED_OUT => "Timed out",
        BUSY => "Busy",
        REQUEST_TOO_LARGE => "Request too large",
        RESPONSE_TOO_LARGE => "Response too large",
        BATCH_TOO_LARGE => "Batch too large",
        NOT_CALLABLE_WITH_GET => "Not callable with GET",
        REFUSED => "Refused",
        TOO_MANY_REQUESTS => "Too many requests",
        STILL_RUNNING => "Still running",
        KEY_USED_OTHERWISE => "Key used otherwise",
        _ => "Internal error",
    }
}

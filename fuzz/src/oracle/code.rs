//! The contract's error codes, repeated by hand.
//!
//! It must not use the constants of the service: a code that changes by mistake would change here too.

/// The body is not JSON.
pub const PARSE_ERROR: i64 = -32700;
/// The message is not a request.
pub const INVALID_REQUEST: i64 = -32600;
/// There is no such procedure.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters are invalid.
pub const INVALID_PARAMS: i64 = -32602;
/// Something went wrong inside the service.
pub const INTERNAL_ERROR: i64 = -32603;
/// The call took too long.
pub const TIMED_OUT: i64 = -32001;
/// Too many calls are running.
pub const BUSY: i64 = -32002;
/// The body is too large.
pub const REQUEST_TOO_LARGE: i64 = -32003;
/// The response is too large.
pub const RESPONSE_TOO_LARGE: i64 = -32004;
/// The batch has too many entries.
pub const BATCH_TOO_LARGE: i64 = -32005;
/// The procedure is not idempotent.
pub const NOT_CALLABLE_WITH_GET: i64 = -32006;
/// A guard rejected the call.
pub const REFUSED: i64 = -32007;
/// The first call with this key has not ended.
pub const STILL_RUNNING: i64 = -32009;

//! The error codes that JSON-RPC 2.0 (section 5.1) and Docent define: one table, with a row for each.
//!
//! Services send them, and the reference site explains them, so the table is below both.

/// An error code of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The code.
    pub code: i64,
    /// The name of the constant in this module.
    pub name: &'static str,
    /// The message of errors with this code.
    pub message: &'static str,
    /// The corresponding JSON-RPC 1.1 code; `None` if a 1.1 call cannot fail with this error.
    pub v1_1: Option<i64>,
}

/// Writes each row as a constant and as an entry of the table.
macro_rules! table {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $message:literal, $v1_1:expr;)*) => {
        $($(#[$doc])* pub const $name: i64 = $code;)*

        /// All error codes of the protocol.
        pub const TABLE: &[Row] = &[
            $(Row { code: $code, name: stringify!($name), message: $message, v1_1: $v1_1 }),*
        ];
    };
}

table! {
    /// The body is not JSON, not UTF-8, or nested too deeply.
    PARSE_ERROR = -32700, "Parse error", None;
    /// JSON, but no valid request.
    INVALID_REQUEST = -32600, "Invalid Request", Some(422);
    /// The procedure does not exist.
    METHOD_NOT_FOUND = -32601, "Method not found", Some(404);
    /// The parameters do not fit the procedure.
    INVALID_PARAMS = -32602, "Invalid params", Some(406);
    /// The service failed; the cause is logged and never sent.
    INTERNAL_ERROR = -32603, "Internal error", Some(500);
    /// The call has timed out.
    TIMED_OUT = -32001, "Timed out", Some(504);
    /// Too many calls at once.
    BUSY = -32002, "Busy", Some(503);
    /// The body is over the limit.
    REQUEST_TOO_LARGE = -32003, "Request too large", None;
    /// The answer would be over the limit.
    RESPONSE_TOO_LARGE = -32004, "Response too large", Some(507);
    /// The batch has more entries than allowed.
    BATCH_TOO_LARGE = -32005, "Batch too large", None;
    /// The procedure is not marked idempotent.
    NOT_CALLABLE_WITH_GET = -32006, "Not callable with GET", Some(405);
    /// A guard turned the call away.
    REFUSED = -32007, "Refused", Some(403);
    /// The caller calls too often.
    TOO_MANY_REQUESTS = -32008, "Too many requests", Some(503);
    /// The first call with this key has not ended.
    STILL_RUNNING = -32009, "Still running", Some(503);
    /// The key was used with another procedure or other parameters.
    KEY_USED_OTHERWISE = -32010, "Key used otherwise", Some(422);
}

/// The codes that JSON-RPC 2.0 itself defines.
pub const SPECIFIED: std::ops::RangeInclusive<i64> = -32700..=-32600;

/// The codes reserved for the protocol. Procedures cannot declare them.
pub const RESERVED: std::ops::RangeInclusive<i64> = -32768..=-32000;

/// Returns whether a [reserved](RESERVED) code is left to servers (JSON-RPC 2.0, section 5.1) and
/// not used by Docent: -32000 and -32099…-32032. Procedures cannot declare these codes, but guards
/// and procedures with open codes may return them.
///
/// ```
/// use docent_describe::code;
///
/// assert!(code::is_implementation_defined(-32000));
/// assert!(!code::is_implementation_defined(code::INVALID_PARAMS));
/// ```
pub fn is_implementation_defined(code: i64) -> bool {
    code == -32000 || (-32099..=-32032).contains(&code)
}

/// Returns the row of a code; `None` if it is not a code of the protocol.
pub fn row(code: i64) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.code == code)
}

/// Returns the message of a code of the protocol, or that of an internal error for any other code.
pub fn message(code: i64) -> &'static str {
    row(code).map_or("Internal error", |row| row.message)
}

/// Returns the JSON-RPC 1.1 code for a 2.0 code. The draft prints its own codes as "000" and does not
/// define them. As with HTTP statuses, a call that got 4xx must not be repeated unchanged, and one
/// that got 5xx may be.
pub fn in_v1_1(code: i64) -> i64 {
    match row(code) {
        Some(row) => row.v1_1.unwrap_or(500),
        None if (100..=999).contains(&code) => code,
        None => 500,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contract's table.
    const CONTRACT: [(i64, &str, i64); 15] = [
        (-32700, "Parse error", 500),
        (-32600, "Invalid Request", 422),
        (-32601, "Method not found", 404),
        (-32602, "Invalid params", 406),
        (-32603, "Internal error", 500),
        (-32001, "Timed out", 504),
        (-32002, "Busy", 503),
        (-32003, "Request too large", 500),
        (-32004, "Response too large", 507),
        (-32005, "Batch too large", 500),
        (-32006, "Not callable with GET", 405),
        (-32007, "Refused", 403),
        (-32008, "Too many requests", 503),
        (-32009, "Still running", 503),
        (-32010, "Key used otherwise", 422),
    ];

    #[test]
    fn every_code_of_the_protocols_own_has_its_message_and_its_code_of_three_digits() {
        assert_eq!(TABLE.len(), CONTRACT.len());
        for (row, (code, message, v1_1)) in TABLE.iter().zip(CONTRACT) {
            assert_eq!((row.code, row.message), (code, message));
            assert_eq!(row.name, message.to_uppercase().replace(' ', "_"));
            assert_eq!(in_v1_1(code), v1_1, "{message}");
            assert!(RESERVED.contains(&code) && !is_implementation_defined(code));
        }
    }

    #[test]
    fn any_other_code_stands_for_itself_in_1_1_where_it_has_three_digits() {
        for (code, v1_1) in [
            (99, 500),
            (100, 100),
            (999, 999),
            (1_000, 500),
            (-32_000, 500),
        ] {
            assert_eq!(in_v1_1(code), v1_1);
        }
    }
}

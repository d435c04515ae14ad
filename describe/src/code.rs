//! The errors that JSON-RPC 2.0 (section 5.1) and Docent define.
//!
//! Everything known of such an error is in its row of [`PROTOCOL_ERRORS`]. All code that sends, explains or
//! checks errors reads the row: the wire, HTTP, reference sites, clients, the command line and `docent check`.
//! `docent-core` decides when a service sends an error. The errors that a procedure declares are in its
//! [description](crate::ProcedureDescription::errors).

use crate::ProcedureDescription;
use HasRun::{No, Unknown};
use Retry::{AfterPause, AfterRetryAfter, IfSafe, Never, WithSameKey};

/// The body is not JSON, not UTF-8, or nested too deeply.
pub const PARSE_ERROR: i64 = -32700;
/// The body is JSON, but no valid request.
pub const INVALID_REQUEST: i64 = -32600;
/// The procedure does not exist.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters do not fit the procedure.
pub const INVALID_PARAMS: i64 = -32602;
/// The service failed; the cause is logged and never sent.
pub const INTERNAL_ERROR: i64 = -32603;
/// The call has timed out.
pub const TIMED_OUT: i64 = -32001;
/// Too many calls are running.
pub const BUSY: i64 = -32002;
/// The body is over the limit.
pub const REQUEST_TOO_LARGE: i64 = -32003;
/// The answer would be over the limit.
pub const RESPONSE_TOO_LARGE: i64 = -32004;
/// The batch has more entries than allowed.
pub const BATCH_TOO_LARGE: i64 = -32005;
/// The procedure is not marked idempotent.
pub const NOT_CALLABLE_WITH_GET: i64 = -32006;
/// A guard rejected the call.
pub const REFUSED: i64 = -32007;
/// The caller calls too often.
pub const TOO_MANY_REQUESTS: i64 = -32008;
/// The first call with this key has not ended.
pub const STILL_RUNNING: i64 = -32009;
/// The key was used with another procedure or other parameters.
pub const KEY_USED_OTHERWISE: i64 = -32010;
/// The procedure is a subscription, which an exchange of HTTP cannot carry.
pub const NEEDS_A_CONNECTION: i64 = -32011;
/// The connection, or the service, has too many subscriptions.
pub const TOO_MANY_SUBSCRIPTIONS: i64 = -32012;
/// The subscriber read too slowly, and items were lost.
pub const FELL_BEHIND: i64 = -32013;
/// The cursor is too old or unknown.
pub const CANNOT_RESUME: i64 = -32014;
/// The server stops.
pub const GOING_AWAY: i64 = -32015;

/// The codes that JSON-RPC 2.0 itself defines.
pub const SPECIFIED: std::ops::RangeInclusive<i64> = -32700..=-32600;

/// The codes reserved for the protocol. Procedures cannot declare them.
pub const RESERVED: std::ops::RangeInclusive<i64> = -32768..=-32000;

/// The default status of errors: Internal Server Error.
const DEFAULT_STATUS: u16 = 500;

/// An error of the protocol, as every service answers with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProtocolError {
    /// The code.
    pub code: i64,
    /// The message that is sent.
    pub message: &'static str,
    /// The reason for the error, as an English sentence for callers. Reference sites translate it.
    pub meaning: &'static str,
    /// Advice for callers besides repeating the call, as English sentences. Empty if there is none.
    pub advice: &'static str,
    /// The HTTP status of a GET that fails with this error; `None` if no GET does.
    pub get_status: Option<u16>,
    /// The HTTP status of a POST that gets this error instead of being run, unless it has a more precise one.
    /// `None` if only calls have the error: their responses have the status 200.
    pub post_status: Option<u16>,
    /// The HTTP statuses of a call over POST that fails with this error; empty if no call does. In a batch it is always
    /// 200, and a guard's refusal is 401 if it has a challenge.
    pub call_statuses: &'static [u16],
    /// The HTTP statuses of a POST that gets this error and never becomes a call; empty if none does.
    pub request_statuses: &'static [u16],
    /// The corresponding JSON-RPC 1.1 code; `None` if a 1.1 call cannot fail with this error.
    pub v1_1: Option<i64>,
    /// Says whether the call ran.
    pub ran: HasRun,
    /// Says whether repeating the call helps.
    pub retry: Retry,
}

/// Says whether a call that failed has run, and may therefore have had an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HasRun {
    /// It did not run, or it is idempotent.
    No,
    /// It may have run, or run in part.
    Unknown,
}

/// Says whether the same call can succeed if it is sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Retry {
    /// The same call fails again.
    Never,
    /// It can succeed after a pause, whose length is in `retryAfter` of the error's data if it is known.
    AfterPause,
    /// It can succeed after the seconds in `retryAfter` of the error's data.
    AfterRetryAfter,
    /// With the same key, it gets the outcome of the first call as soon as there is one.
    WithSameKey,
    /// It can succeed, but only a call that is idempotent or did not start may be repeated.
    IfSafe,
    /// Nothing is known.
    Unknown,
}

impl ProtocolError {
    /// Returns the HTTP statuses of a GET that fails with this error. A guard's challenge makes it that of a POST.
    pub fn get_statuses(&self) -> &[u16] {
        match self.code {
            REFUSED => self.call_statuses,
            _ => self.get_status.as_slice(),
        }
    }
}

impl HasRun {
    /// Returns the name, which is part of the key of its texts on reference sites.
    pub const fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

impl Retry {
    /// Returns whether any call can be repeated, because the first attempt had no effect.
    pub const fn helps(self) -> bool {
        matches!(
            self,
            Self::AfterPause | Self::AfterRetryAfter | Self::WithSameKey
        )
    }

    /// Returns the name, which is part of the key of its texts on reference sites.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::AfterPause => "after-pause",
            Self::AfterRetryAfter => "after-seconds",
            Self::WithSameKey => "same-key",
            Self::IfSafe => "if-safe",
            Self::Unknown => "unknown",
        }
    }
}

/// All errors of the protocol.
///
/// To add one, add its constant, its row here, and what sends it. Tests name what else it needs: its texts in
/// the languages of reference sites, and its row in the guide's page about errors. ARCHITECTURE.md has the steps.
pub const PROTOCOL_ERRORS: &[ProtocolError] = &[
    ProtocolError {
        code: PARSE_ERROR,
        message: "Parse error",
        meaning: "The body is not valid JSON.",
        advice: "Fix the body first.",
        get_status: None,
        post_status: None,
        call_statuses: &[],
        request_statuses: &[200],
        v1_1: None,
        ran: No,
        retry: Never,
    },
    ProtocolError {
        code: INVALID_REQUEST,
        message: "Invalid Request",
        meaning: "The body is JSON but not a valid request.",
        advice: "Fix the request first.",
        get_status: Some(400),
        post_status: Some(400),
        call_statuses: &[],
        request_statuses: &[200, 400, 403, 405, 408, 415, 421, 431],
        v1_1: Some(422),
        ran: No,
        retry: Never,
    },
    ProtocolError {
        code: METHOD_NOT_FOUND,
        message: "Method not found",
        meaning: "The service has no procedure with this name.",
        advice: "",
        get_status: Some(404),
        post_status: Some(404),
        call_statuses: &[200],
        request_statuses: &[404],
        v1_1: Some(404),
        ran: No,
        retry: Never,
    },
    ProtocolError {
        code: INVALID_PARAMS,
        message: "Invalid params",
        meaning: "A parameter is missing, unknown, or has an invalid value. The error’s data says which one and why.",
        advice: "Fix the parameters first.",
        get_status: Some(400),
        post_status: None,
        call_statuses: &[200],
        request_statuses: &[],
        v1_1: Some(406),
        ran: Unknown,
        retry: Never,
    },
    ProtocolError {
        code: INTERNAL_ERROR,
        message: "Internal error",
        meaning: "The procedure failed unexpectedly. The error’s data has an incident ID, which the service logs together with the cause.",
        advice: "",
        get_status: Some(500),
        post_status: None,
        call_statuses: &[200],
        request_statuses: &[],
        v1_1: Some(500),
        ran: Unknown,
        retry: Retry::Unknown,
    },
    ProtocolError {
        code: TIMED_OUT,
        message: "Timed out",
        meaning: "The call ran out of time.",
        advice: "If the error’s data says that “started” is false, the call never ran.",
        get_status: Some(504),
        post_status: None,
        call_statuses: &[200],
        request_statuses: &[],
        v1_1: Some(504),
        ran: Unknown,
        retry: IfSafe,
    },
    ProtocolError {
        code: BUSY,
        message: "Busy",
        meaning: "The service is handling too many calls.",
        advice: "",
        get_status: Some(503),
        post_status: Some(503),
        call_statuses: &[200, 503],
        request_statuses: &[503],
        v1_1: Some(503),
        ran: No,
        retry: AfterPause,
    },
    ProtocolError {
        code: REQUEST_TOO_LARGE,
        message: "Request too large",
        meaning: "The body is over the size limit.",
        advice: "Send a smaller request.",
        get_status: Some(414),
        post_status: Some(413),
        call_statuses: &[],
        request_statuses: &[413],
        v1_1: None,
        ran: No,
        retry: Never,
    },
    ProtocolError {
        code: RESPONSE_TOO_LARGE,
        message: "Response too large",
        meaning: "The response would be over the size limit.",
        advice: "Ask for less.",
        get_status: Some(500),
        post_status: None,
        call_statuses: &[200],
        request_statuses: &[],
        v1_1: Some(507),
        ran: Unknown,
        retry: Never,
    },
    ProtocolError {
        code: BATCH_TOO_LARGE,
        message: "Batch too large",
        meaning: "The batch has too many entries.",
        advice: "Send smaller batches.",
        get_status: None,
        post_status: None,
        call_statuses: &[],
        request_statuses: &[200],
        v1_1: None,
        ran: No,
        retry: Never,
    },
    ProtocolError {
        code: NOT_CALLABLE_WITH_GET,
        message: "Not callable with GET",
        meaning: "The procedure is not marked idempotent.",
        advice: "Use POST.",
        get_status: Some(405),
        post_status: None,
        call_statuses: &[],
        request_statuses: &[],
        v1_1: Some(405),
        ran: No,
        retry: Never,
    },
    ProtocolError {
        code: REFUSED,
        message: "Refused",
        meaning: "The caller lacks the required credentials or permissions.",
        advice: "Send the required credentials.",
        get_status: Some(403),
        post_status: Some(403),
        call_statuses: &[401, 403],
        request_statuses: &[],
        v1_1: Some(403),
        ran: No,
        retry: Never,
    },
    ProtocolError {
        code: TOO_MANY_REQUESTS,
        message: "Too many requests",
        meaning: "The caller calls too often.",
        advice: "",
        get_status: Some(429),
        post_status: None,
        call_statuses: &[200],
        request_statuses: &[],
        v1_1: Some(503),
        ran: No,
        retry: AfterRetryAfter,
    },
    ProtocolError {
        code: STILL_RUNNING,
        message: "Still running",
        meaning: "The first call with this key is still running.",
        advice: "Once the first call has ended, its result is returned.",
        get_status: None,
        post_status: None,
        call_statuses: &[200],
        request_statuses: &[],
        v1_1: Some(503),
        ran: No,
        retry: WithSameKey,
    },
    ProtocolError {
        code: KEY_USED_OTHERWISE,
        message: "Key used otherwise",
        meaning: "This key was used before, for another procedure or with other parameters.",
        advice: "Use a new key.",
        get_status: None,
        post_status: None,
        call_statuses: &[200],
        request_statuses: &[],
        v1_1: Some(422),
        ran: No,
        retry: Never,
    },
    ProtocolError {
        code: NEEDS_A_CONNECTION,
        message: "Needs a connection",
        meaning: "The procedure is a subscription, which an HTTP request alone cannot carry.",
        advice: "The error’s data lists the carriers that can.",
        get_status: Some(406),
        post_status: Some(406),
        call_statuses: &[406],
        request_statuses: &[],
        v1_1: None,
        ran: No,
        retry: Never,
    },
    ProtocolError {
        code: TOO_MANY_SUBSCRIPTIONS,
        message: "Too many subscriptions",
        meaning: "The connection or the service has too many subscriptions.",
        advice: "",
        get_status: Some(503),
        post_status: None,
        call_statuses: &[200],
        request_statuses: &[],
        v1_1: None,
        ran: No,
        retry: AfterPause,
    },
    ProtocolError {
        code: FELL_BEHIND,
        message: "Fell behind",
        meaning: "The subscriber read too slowly, so the subscription has lost items and ended. The error’s data says how many.",
        advice: "Subscribe again, after the last item if the subscription can be resumed.",
        get_status: None,
        post_status: None,
        call_statuses: &[],
        request_statuses: &[],
        v1_1: None,
        ran: No,
        retry: AfterPause,
    },
    ProtocolError {
        code: CANNOT_RESUME,
        message: "Cannot resume",
        meaning: "The subscription does not know this cursor any more.",
        advice: "Fetch the current state, and subscribe without a cursor.",
        get_status: Some(410),
        post_status: None,
        // 410 says that the subscription is over, and nothing can follow.
        call_statuses: &[200, 410],
        request_statuses: &[],
        v1_1: None,
        ran: No,
        retry: Never,
    },
    ProtocolError {
        code: GOING_AWAY,
        message: "Going away",
        meaning: "The server is shutting down.",
        advice: "Subscribe again, after the last item if the subscription can be resumed.",
        get_status: Some(503),
        post_status: None,
        call_statuses: &[200],
        request_statuses: &[],
        v1_1: None,
        ran: No,
        retry: AfterPause,
    },
];

/// Returns whether a [reserved](RESERVED) code is left to servers (JSON-RPC 2.0, section 5.1) and not used by
/// Docent: -32000 and -32099…-32032. Procedures cannot declare these codes, but guards and procedures that may
/// return unlisted errors may return them.
///
/// ```
/// use docent::describe::code;
///
/// assert!(code::is_implementation_defined(-32000));
/// assert!(!code::is_implementation_defined(code::INVALID_PARAMS));
/// ```
pub fn is_implementation_defined(code: i64) -> bool {
    code == -32000 || (-32099..=-32032).contains(&code)
}

/// Returns the error of the protocol with this code, if there is one.
///
/// ```
/// use docent::describe::code::{self, Retry};
///
/// let busy = code::find(code::BUSY).unwrap();
/// assert_eq!((busy.message, busy.retry), ("Busy", Retry::AfterPause));
/// assert!(code::find(1404).is_none());
/// ```
pub fn find(code: i64) -> Option<&'static ProtocolError> {
    PROTOCOL_ERRORS.iter().find(|error| error.code == code)
}

/// Returns the message of an error of the protocol, or that of an internal error for any other code.
pub fn message(code: i64) -> &'static str {
    find(code).map_or("Internal error", |error| error.message)
}

/// Returns the HTTP status of a GET that fails with a code: that of the protocol's error, otherwise the one
/// that the procedure declares, otherwise 500.
pub fn get_status(code: i64, procedure: Option<&ProcedureDescription>) -> u16 {
    if let Some(error) = find(code) {
        return error.get_status.unwrap_or(DEFAULT_STATUS);
    }
    procedure
        .and_then(|procedure| procedure.errors.iter().find(|error| error.code == code))
        .and_then(|declared| declared.status)
        .unwrap_or(DEFAULT_STATUS)
}

/// Returns the JSON-RPC 1.1 code for a 2.0 code. The draft prints its own codes as "000" and does not define
/// them, so the codes resemble HTTP statuses: a call that got 4xx must not be repeated unchanged, and one that
/// got 5xx may be.
pub fn in_v1_1(code: i64) -> i64 {
    match find(code) {
        Some(error) => error.v1_1.unwrap_or(500),
        None if (100..=999).contains(&code) => code,
        None => 500,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of the contract's table: code, message, statuses of GET and POST, 1.1 code, whether the call ran, and
    /// whether to repeat it.
    type ContractRow = (
        i64,
        &'static str,
        Option<u16>,
        Option<u16>,
        i64,
        &'static str,
        &'static str,
    );

    #[rustfmt::skip]
    const CONTRACT: [ContractRow; 20] = [
        (-32700, "Parse error", None, None, 500, "no", "never"),
        (-32600, "Invalid Request", Some(400), Some(400), 422, "no", "never"),
        (-32601, "Method not found", Some(404), Some(404), 404, "no", "never"),
        (-32602, "Invalid params", Some(400), None, 406, "unknown", "never"),
        (-32603, "Internal error", Some(500), None, 500, "unknown", "unknown"),
        (-32001, "Timed out", Some(504), None, 504, "unknown", "if-safe"),
        (-32002, "Busy", Some(503), Some(503), 503, "no", "after-pause"),
        (-32003, "Request too large", Some(414), Some(413), 500, "no", "never"),
        (-32004, "Response too large", Some(500), None, 507, "unknown", "never"),
        (-32005, "Batch too large", None, None, 500, "no", "never"),
        (-32006, "Not callable with GET", Some(405), None, 405, "no", "never"),
        (-32007, "Refused", Some(403), Some(403), 403, "no", "never"),
        (-32008, "Too many requests", Some(429), None, 503, "no", "after-seconds"),
        (-32009, "Still running", None, None, 503, "no", "same-key"),
        (-32010, "Key used otherwise", None, None, 422, "no", "never"),
        (-32011, "Needs a connection", Some(406), Some(406), 500, "no", "never"),
        (-32012, "Too many subscriptions", Some(503), None, 500, "no", "after-pause"),
        (-32013, "Fell behind", None, None, 500, "no", "after-pause"),
        (-32014, "Cannot resume", Some(410), None, 500, "no", "never"),
        (-32015, "Going away", Some(503), None, 500, "no", "after-pause"),
    ];

    #[test]
    fn every_error_of_the_protocol_is_as_in_the_contract() {
        let rows: Vec<ContractRow> = PROTOCOL_ERRORS
            .iter()
            .map(|error| {
                (
                    error.code,
                    error.message,
                    error.get_status,
                    error.post_status,
                    in_v1_1(error.code),
                    error.ran.name(),
                    error.retry.name(),
                )
            })
            .collect();
        let wrong_rows: Vec<_> = rows.iter().filter(|row| !CONTRACT.contains(row)).collect();
        assert!(
            wrong_rows.is_empty(),
            "`CONTRACT` has others: {wrong_rows:#?}"
        );
        assert_eq!(
            rows.len(),
            CONTRACT.len(),
            "a code of `CONTRACT` has no row"
        );
        for error in PROTOCOL_ERRORS {
            assert!(RESERVED.contains(&error.code) && !is_implementation_defined(error.code));
            assert!(
                error.meaning.ends_with('.')
                    && (error.advice.is_empty() || error.advice.ends_with('.')),
                "the texts of {} are sentences",
                error.code
            );
        }
    }

    #[test]
    fn the_statuses_of_an_error_agree_with_each_other() {
        for error in PROTOCOL_ERRORS {
            let of_request = [error.request_statuses, error.call_statuses].concat();
            let general = error.post_status.unwrap_or(200);
            assert!(
                of_request.is_empty() || of_request.contains(&general),
                "{}",
                error.message
            );
            let get = error.get_statuses();
            assert!(error.get_status.is_none_or(|status| get.contains(&status)));
        }
    }

    #[test]
    fn every_constant_of_a_code_has_a_row_with_its_name() {
        let source = include_str!("code.rs");
        let constants: Vec<String> = source
            .lines()
            .filter_map(|line| line.strip_prefix("pub const ")?.split_once(": i64 = "))
            .map(|(name, _)| name.to_owned())
            .collect();
        let rows: Vec<String> = PROTOCOL_ERRORS
            .iter()
            .map(|error| error.message.to_uppercase().replace(' ', "_"))
            .collect();
        assert_eq!(constants, rows);
    }

    #[test]
    fn only_a_call_without_effect_may_always_be_repeated() {
        for error in PROTOCOL_ERRORS {
            assert!(!error.retry.helps() || error.ran == No, "{}", error.message);
        }
    }

    #[test]
    fn the_status_of_get_is_the_protocols_or_the_declared_one() {
        let mut procedure = ProcedureDescription::default();
        for (code, status) in [(7, Some(409)), (8, None), (BUSY, Some(409))] {
            procedure.errors.push(crate::ErrorDescription {
                code,
                status,
                ..Default::default()
            });
        }
        for (code, status) in [
            (7, 409),
            (8, 500),
            (9, 500),
            (BUSY, 503),
            (PARSE_ERROR, 500),
        ] {
            assert_eq!(get_status(code, Some(&procedure)), status, "{code}");
        }
        assert_eq!(get_status(7, None), 500);
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

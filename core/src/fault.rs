//! The error that a call is answered with.

use std::borrow::Cow;
use std::fmt;

use docent_describe::json::Pointer;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::bind::BindError;
use crate::guard::Denial;

/// The codes that JSON-RPC 2.0 (section 5.1) and Docent define, with the messages that go with them.
pub mod code {
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

    /// Every code of the protocol's own.
    pub const ALL: [i64; 12] = [
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
    ];

    /// The codes that the protocol keeps for itself; no procedure can declare one of them.
    pub const RESERVED: std::ops::RangeInclusive<i64> = -32768..=-32000;
}

/// The error that a call is answered with: a code, a short message, and data.
///
/// A handler may answer with the codes that its procedure declares. Any other code becomes an
/// Internal error, so that the description stays true; the exceptions are
/// [`invalid_params`](Self::invalid_params) and [`internal`](Self::internal), which every procedure
/// may use.
#[derive(Debug)]
pub struct Fault {
    code: i64,
    message: Cow<'static, str>,
    data: Option<Box<RawValue>>,
    cause: Option<String>,
    /// Set where a guard refused the call.
    denial: Option<Box<Denial>>,
    standing: Standing,
}

/// Who answers for a fault's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// The procedure, which has to declare it.
    Procedure,
    /// The protocol: every procedure may answer it.
    Protocol,
}

impl Fault {
    /// An error of the procedure's own.
    pub fn new(code: i64, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
            cause: None,
            denial: None,
            standing: Standing::Procedure,
        }
    }

    /// The same error with `data`. Data that cannot be serialised makes it an Internal error.
    pub fn with_data<D: Serialize + ?Sized>(mut self, data: &D) -> Self {
        match serde_json::value::to_raw_value(data) {
            Ok(data) => {
                self.data = Some(data);
                self
            }
            Err(error) => Self::internal(format_args!("the error's data: {error}")),
        }
    }

    /// Invalid params (-32602): `parameter` is not acceptable, for a reason that the caller
    /// understands and that no schema could have told before.
    pub fn invalid_params(parameter: &str, reason: impl fmt::Display) -> Self {
        Self::invalid_params_at(parameter, &Pointer::root(), reason)
    }

    /// Invalid params (-32602), for something inside of `parameter`.
    pub fn invalid_params_at(
        parameter: &str,
        pointer: &Pointer,
        reason: impl fmt::Display,
    ) -> Self {
        #[derive(Serialize)]
        struct Data<'a> {
            parameter: &'a str,
            pointer: &'a str,
            reason: String,
        }
        Self::protocol(code::INVALID_PARAMS).with_data(&Data {
            parameter,
            pointer: pointer.as_str(),
            reason: reason.to_string(),
        })
    }

    /// Internal error (-32603). The cause is logged with the procedure's name and never sent.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self {
            cause: Some(cause.to_string()),
            ..Self::protocol(code::INTERNAL_ERROR)
        }
    }

    /// The code that identifies the error.
    pub fn code(&self) -> i64 {
        self.code
    }

    /// The short message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The data as JSON text.
    pub fn data(&self) -> Option<&str> {
        self.data.as_deref().map(RawValue::get)
    }

    pub(crate) fn denied(mut self, denial: Denial) -> Self {
        self.denial = Some(Box::new(denial));
        self
    }

    pub(crate) fn into_denial(mut self) -> Option<Denial> {
        self.take_denial()
    }

    pub(crate) fn take_denial(&mut self) -> Option<Denial> {
        self.denial.take().map(|denial| *denial)
    }

    /// What is logged and never sent.
    pub(crate) fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }

    /// Whether every procedure may answer with this, declared or not.
    pub(crate) fn is_protocols_own(&self) -> bool {
        self.standing == Standing::Protocol
    }

    /// An error that the protocol defines, with its message.
    pub(crate) fn protocol(code: i64) -> Self {
        let message = match code {
            code::PARSE_ERROR => "Parse error",
            code::INVALID_REQUEST => "Invalid Request",
            code::METHOD_NOT_FOUND => "Method not found",
            code::INVALID_PARAMS => "Invalid params",
            code::TIMED_OUT => "Timed out",
            code::BUSY => "Busy",
            code::REQUEST_TOO_LARGE => "Request too large",
            code::RESPONSE_TOO_LARGE => "Response too large",
            code::BATCH_TOO_LARGE => "Batch too large",
            code::NOT_CALLABLE_WITH_GET => "Not callable with GET",
            code::REFUSED => "Refused",
            _ => "Internal error",
        };
        Self {
            standing: Standing::Protocol,
            ..Self::new(code, message)
        }
    }

    /// An error that the protocol defines, with a sentence that tells the caller what was wrong.
    pub(crate) fn explained(code: i64, reason: impl fmt::Display) -> Self {
        #[derive(Serialize)]
        struct Data {
            reason: String,
        }
        Self::protocol(code).with_data(&Data {
            reason: reason.to_string(),
        })
    }
}

impl From<BindError> for Fault {
    fn from(error: BindError) -> Self {
        Self::protocol(code::INVALID_PARAMS).with_data(&error)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)?;
        match self.data() {
            Some(data) => write!(f, ": {data}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

//! The error in the response to a call.
//!
//! A fault is a value on its way to the caller. The codes that Docent itself uses, and their
//! meanings, are in [`code`](crate::code); declaring errors is the business of
//! [`errors`](crate::errors).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;

use docent_describe::error_reasons;
use docent_describe::json::Pointer;
use serde::Serialize;
use serde_json::json;

use crate::code;
use crate::finite::Finite;
use crate::incident::Incident;
use crate::rejection_kind::RejectionKind;

/// The error of a call: a code, a short message, and data.
///
/// A handler may return the codes that its procedure declares, or any unreserved code if the
/// procedure leaves its [codes open](crate::Procedure::errors_open). Any other code becomes an
/// Internal error, so that the description stays true. Every procedure may use
/// [`invalid_params`](Self::invalid_params) and [`internal`](Self::internal). No other function creates
/// their codes.
///
/// ```
/// use docent::Fault;
///
/// let fault = Fault::new(1404, "No such book").with_data(&["Moby-Dick"]);
/// assert_eq!(fault.to_string(), r#"No such book (1404): ["Moby-Dick"]"#);
/// let fault = Fault::invalid_params("due", "the date is in the past");
/// assert_eq!(fault.to_string(), "Invalid params (-32602): due: the date is in the past");
/// ```
#[derive(Debug, Clone)]
pub struct Fault(Box<FaultContents>);

/// The contents of a fault. They are boxed because every outcome of a call has room for a fault,
/// and hardly any outcome is one.
#[derive(Debug, Clone, Default)]
struct FaultContents {
    code: i64,
    message: Cow<'static, str>,
    /// The data as JSON text.
    data: Option<String>,
    cause: Option<String>,
    /// Set if a guard rejected the call.
    rejection: Option<Box<RejectionKind>>,
    /// Set if the protocol defines the code, so that every procedure may return it. Otherwise the
    /// procedure must declare the code.
    is_of_protocol: bool,
    /// The number of seconds after which the call may be repeated.
    retry_after: Option<NonZeroU32>,
}

impl Fault {
    /// Creates an error with a code that the procedure declares.
    pub fn new(code: i64, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(FaultContents {
            code,
            message: message.into(),
            ..FaultContents::default()
        }))
    }

    /// Adds `data` to the error.
    ///
    /// Returns an Internal error if the data cannot be serialised, or if this is an error of the
    /// protocol, which defines the data itself.
    pub fn with_data<D: Serialize + ?Sized>(self, data: &D) -> Self {
        if self.is_protocols_own() && self.0.cause.is_none() {
            let code = self.0.code;
            return Self::internal(format_args!(
                "the handler set data on the protocol error {code}"
            ));
        }
        self.set_data(data)
    }

    pub(crate) fn set_data<D: Serialize + ?Sized>(self, data: &D) -> Self {
        match serde_json::to_string(&Finite(data)) {
            Ok(data) => self.with_json(data),
            Err(error) => Self::internal(format_args!("the error's data: {error}")),
        }
    }

    /// Sets data that already is JSON.
    pub(crate) fn with_json(mut self, data: String) -> Self {
        self.0.data = Some(data);
        self
    }

    /// Creates an Invalid params error (-32602): the value of `parameter` is invalid for a reason
    /// that no schema can express.
    ///
    /// ```
    /// # use docent::Fault;
    /// let fault = Fault::invalid_params("due", "the date is in the past");
    /// assert_eq!(fault.code(), -32602);
    /// assert_eq!(
    ///     fault.data(),
    ///     Some(r#"{"parameter":"due","pointer":"","reason":"the date is in the past"}"#)
    /// );
    /// ```
    pub fn invalid_params(parameter: &str, reason: impl fmt::Display) -> Self {
        Self::invalid_params_at(parameter, &Pointer::root(), reason)
    }

    /// Creates an Invalid params error (-32602) for the value at `pointer` inside `parameter`.
    ///
    /// ```
    /// # use docent::Fault;
    /// use docent::describe::json::Pointer;
    ///
    /// let pointer = Pointer::root().join(0).join("due");
    /// let fault = Fault::invalid_params_at("loans", &pointer, "the date is in the past");
    /// assert_eq!(
    ///     fault.data(),
    ///     Some(r#"{"parameter":"loans","pointer":"/0/due","reason":"the date is in the past"}"#)
    /// );
    /// ```
    pub fn invalid_params_at(
        parameter: &str,
        pointer: &Pointer,
        reason: impl fmt::Display,
    ) -> Self {
        let reason = reason.to_string();
        Self::protocol(code::INVALID_PARAMS).set_data(&BTreeMap::from([
            ("parameter", parameter),
            ("pointer", pointer.as_str()),
            ("reason", &reason),
        ]))
    }

    /// Creates an Internal error (-32603). The cause is logged with the procedure and the incident
    /// ID. The caller gets only the ID.
    pub fn internal(cause: impl fmt::Display) -> Self {
        let mut fault = Self::protocol(code::INTERNAL_ERROR);
        fault.0.cause = Some(cause.to_string());
        fault
    }

    /// Creates an Internal error (-32603) from an error and its [sources](std::error::Error::source),
    /// which are logged. A `Fault` stays as it is.
    ///
    /// ```
    /// # use docent::Fault;
    /// let number = "ten".parse::<u8>().map_err(Fault::from_error);
    /// assert_eq!(number.unwrap_err().code(), -32603);
    /// ```
    pub fn from_error(error: impl std::error::Error + 'static) -> Self {
        let error: Box<dyn std::error::Error> = Box::new(error);
        match error.downcast() {
            Ok(fault) => *fault,
            Err(error) => Self::caused_by(&*error),
        }
    }

    /// Creates an Internal error with the text of an error and those of its sources, without
    /// repetitions.
    pub(crate) fn caused_by(error: &dyn std::error::Error) -> Self {
        let mut cause = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            let text = error.to_string();
            if !cause.ends_with(&text) {
                cause.push_str(": ");
                cause.push_str(&text);
            }
            source = error.source();
        }
        Self::internal(cause)
    }

    /// Creates a Busy error (-32002) for a call that has changed nothing, because something that it needs does not answer
    /// now. The caller gets the reason, and the time after which to repeat the call.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use docent::Fault;
    /// let busy = Fault::busy("the database does not answer", Duration::from_secs(1));
    /// assert_eq!(busy.code(), -32002);
    /// assert_eq!(busy.data(), Some(r#"{"reason":"the database does not answer","retryAfter":1}"#));
    /// ```
    pub fn busy(reason: &str, retry_after: std::time::Duration) -> Self {
        Self::later(code::BUSY, Some(reason), retry_after)
    }

    /// Creates a Timed out error (-32001) for a call that has not started.
    pub(crate) fn not_started() -> Self {
        Self::protocol(code::TIMED_OUT).set_data(&BTreeMap::from([("started", false)]))
    }

    /// Creates a Too many requests error (-32008) that says how long to wait.
    #[cfg(feature = "rate-limits")]
    pub(crate) fn too_many_requests(wait: std::time::Duration) -> Self {
        Self::later(code::TOO_MANY_REQUESTS, None, wait)
    }

    /// Creates an error of the protocol for a call that may be repeated after `wait`.
    pub(crate) fn later(code: i64, reason: Option<&str>, wait: std::time::Duration) -> Self {
        // Whole seconds, and never earlier than the call would be accepted.
        let rest = u64::from(wait.subsec_nanos() > 0);
        let seconds = wait.as_secs().saturating_add(rest);
        let retry_after =
            NonZeroU32::new(u32::try_from(seconds).unwrap_or(u32::MAX)).unwrap_or(NonZeroU32::MIN);
        let data = match reason {
            Some(reason) => json!({"reason": reason, "retryAfter": retry_after}),
            None => json!({"retryAfter": retry_after}),
        };
        let mut fault = Self::protocol(code).set_data(&data);
        fault.0.retry_after = Some(retry_after);
        fault
    }

    /// Creates the Internal error that the caller gets: it has only the incident ID.
    pub(crate) fn incident(incident: Incident) -> Self {
        let data = BTreeMap::from([("incident", incident.as_str())]);
        Self::protocol(code::INTERNAL_ERROR).set_data(&data)
    }

    /// Returns the error code.
    pub fn code(&self) -> i64 {
        self.0.code
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the data as JSON text.
    pub fn data(&self) -> Option<&str> {
        self.0.data.as_deref()
    }

    /// Returns the number of seconds after which the call may be repeated, if it is known.
    pub(crate) fn retry_after(&self) -> Option<NonZeroU32> {
        self.0.retry_after
    }

    /// Marks this fault as the rejection of a guard.
    pub(crate) fn rejected(mut self, kind: RejectionKind) -> Self {
        self.0.rejection = Some(Box::new(kind));
        self
    }

    /// Replaces this fault by another one. A guard's rejection stays a rejection.
    pub(crate) fn replaced(mut self, mut by: Self) -> Self {
        by.0.rejection = self.take_rejection();
        by
    }

    pub(crate) fn take_rejection(&mut self) -> Option<Box<RejectionKind>> {
        self.0.rejection.take()
    }

    /// Returns the cause, which is logged and never sent.
    pub(crate) fn cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// Returns whether this is the rejection of a guard.
    pub(crate) fn is_rejection(&self) -> bool {
        self.0.rejection.is_some()
    }

    /// Returns whether credentials were wrong or missing.
    pub(crate) fn is_unauthorized(&self) -> bool {
        let rejection = self.0.rejection.as_ref();
        rejection.is_some_and(|rejection| rejection.challenge().is_some())
    }

    /// Returns whether every procedure may return this error without declaring it.
    pub(crate) fn is_protocols_own(&self) -> bool {
        self.0.is_of_protocol
    }

    /// Creates an error that the protocol defines, with its message.
    pub(crate) fn protocol(code: i64) -> Self {
        let mut fault = Self::new(code, code::message(code));
        fault.0.is_of_protocol = true;
        fault
    }

    /// Creates an error that the protocol defines, with a reason for the caller.
    pub(crate) fn explained(code: i64, reason: impl fmt::Display) -> Self {
        let data = BTreeMap::from([("reason", reason.to_string())]);
        Self::protocol(code).set_data(&data)
    }

    /// Creates an error of the protocol for a call over a limit, with a sentence for the caller that names it.
    pub(crate) fn over_limit(code: i64, limit: usize, reason: impl fmt::Display) -> Self {
        Self::protocol(code).set_data(&json!({"limit": limit, "reason": reason.to_string()}))
    }

    /// Returns the reasons in the data of an error whose code the protocol defines.
    fn reasons(&self) -> Option<String> {
        if !code::RESERVED.contains(&self.code()) {
            return None;
        }
        error_reasons(&self.data()?.parse().ok()?)
    }

    /// Creates the error of a subscription that cannot go on after the cursor that its caller gives: -32014, Cannot
    /// resume. The items after it are not kept, or there has been no such item.
    pub fn cannot_resume() -> Self {
        Self::protocol(code::CANNOT_RESUME)
    }

    /// Creates the error of a subscription that ends because its caller has missed items.
    pub(crate) fn fell_behind(missed: u64) -> Self {
        Self::protocol(code::FELL_BEHIND).set_data(&json!({"missed": missed}))
    }

    /// Creates a Method not found error (-32601) with the most similar names.
    pub(crate) fn not_found(closest: &[&str]) -> Self {
        Self::protocol(code::METHOD_NOT_FOUND).with_closest(closest)
    }

    /// Adds the most similar names, if there are any.
    pub(crate) fn with_closest(self, closest: &[&str]) -> Self {
        match closest {
            [] => self,
            closest => self.set_data(&BTreeMap::from([("closest", closest)])),
        }
    }
}

#[cfg(feature = "keys")]
impl Fault {
    /// Restores an error that has been sent before. Its code was checked then.
    pub(crate) fn kept(code: i64, message: String, data: Option<String>) -> Self {
        let mut fault = Self::new(code, message);
        fault.0.is_of_protocol = true;
        fault.0.data = data;
        fault
    }

    /// Adds `outcome: "unknown"` to the data of an internal error: it is unknown how much of the call
    /// was done.
    pub(crate) fn with_unknown_outcome(self) -> Self {
        let members = self.data().and_then(|data| data.strip_suffix('}'));
        let data = match members {
            Some(members) => format!("{members},\"outcome\":\"unknown\"}}"),
            None => "{\"outcome\":\"unknown\"}".to_owned(),
        };
        self.with_json(data)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0.message, self.0.code)?;
        match (self.reasons(), self.data()) {
            (Some(reasons), _) => write!(f, ": {reasons}"),
            (None, Some(data)) => write!(f, ": {data}"),
            (None, None) => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

//! Calls that can be repeated with a key.
//!
//! These are the settings of one procedure. What happens to a key is decided in `service/keyed.rs`.

use std::time::Duration;

use super::Procedure;

#[cfg(feature = "keys")]
impl<S> Procedure<S> {
    /// Lets callers safely repeat a call after they have lost its response: the procedure does not run
    /// again, and they get the same result or error. For procedures that change something, which are not
    /// [idempotent](Self::idempotent).
    ///
    /// The caller gives each call a unique key: in the member `x-idempotency-key` of a 2.0
    /// request, or in the field `Idempotency-Key` (over HTTP, a header field) of a request that is
    /// not a batch. A call with the same key and the same parameters is a repetition of the first,
    /// for at least `time` after the first has ended. Until the first has ended, repetitions get
    /// -32009; a call with the same key but another procedure or other parameters gets -32010.
    /// Guards check each repetition. Outcomes are kept in the service's
    /// [store](crate::ServiceBuilder::key_store).
    ///
    /// A key belongs to its caller, so the procedure needs an
    /// [authenticator](crate::ServiceBuilder::authenticate): `build()` returns an error for a procedure
    /// that anyone may call, unless it has [`keys_without_caller`](Self::keys_without_caller).
    ///
    /// Some errors are not kept: those of calls that did not run, such as -32602 or those of
    /// guards, and those that are [declared](crate::DeclaredError::retry) with `retry = true`. A
    /// call that is repeated after such an error runs. If the handler panics, repetitions get the
    /// same -32603, with `unknown` as `data.outcome`.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// let pay = Procedure::sync("pay", |_: Cx, p: Vec<u32>| Ok::<_, Fault>(p.len()));
    /// let service = Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c30")
    ///     .procedure(pay.repeatable(Duration::from_secs(86_400)).keys_without_caller())
    ///     .build()?;
    /// assert!(service.description().procs[0].repeatable.is_some());
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn repeatable(mut self, time: Duration) -> Self {
        self.options.described.repeatable = Some(time);
        self
    }

    /// Lets unknown callers repeat calls of a [repeatable](Self::repeatable) procedure.
    ///
    /// Keys then have no owner: a caller that sends a key that another caller has used, with the same
    /// parameters, gets that caller's result. Use it only if results are not secret, or if you trust
    /// callers to make keys that cannot be guessed.
    pub fn keys_without_caller(mut self) -> Self {
        self.options.keys_without_caller = true;
        self
    }
}

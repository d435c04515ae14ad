//! Rules for the calls of a procedure: who may call it, how often and for how long, and who may
//! store its results.

use std::time::Duration;

use super::Procedure;

impl<S> Procedure<S> {
    /// Sets the timeout, in place of the service's. The caller gets -32001 after it. A procedure
    /// that is not idempotent still runs to completion, and counts as running until then.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.about.timeout = Some(timeout);
        self
    }

    /// Limits how many calls of the procedure run at the same time, in addition to the [limit of the
    /// service](crate::Limits::max_concurrent_calls). Further calls get -32002. Calls count once the
    /// guards and the authenticator have accepted them.
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// let report = Procedure::blocking("report", |_: Cx, (): ()| Ok::<_, Fault>("as expected"));
    /// let service = Service::builder("sales", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c23")
    ///     .procedure(report.max_concurrent(2))
    ///     .build()?;
    /// let limits = service.description().procs[0].limits.as_ref().unwrap();
    /// assert_eq!(limits.concurrent, Some(2));
    /// # Ok::<(), docent_core::BuildError>(())
    /// ```
    pub fn max_concurrent(mut self, calls: usize) -> Self {
        self.about.max_concurrent = Some(calls);
        self
    }

    /// Limits how often each caller may call the procedure. Further calls get -32008, with the seconds
    /// to wait in `data.retryAfter`.
    ///
    /// A caller may make all `calls` at once. After that, one more is accepted each time that the time
    /// for one call (`per` divided by `calls`) has passed. Callers are told apart by
    /// [`Identity::id`](crate::Identity::id) if the procedure knows its caller, and otherwise by the
    /// [address](crate::Extensions::client_address) that they call from: for IPv6, by its /64 network.
    /// Calls without an address count together. Calls that a guard or the authenticator rejects do not
    /// count.
    ///
    /// A service without a [runtime](crate::Runtime) has no clock and accepts every call.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// let search = Procedure::sync("search", |_: Cx, _: Vec<String>| Ok::<_, Fault>("Moby-Dick"));
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c24")
    ///     .procedure(search.rate(100, Duration::from_secs(60)))
    ///     .build()?;
    /// let limits = service.description().procs[0].limits.as_ref().unwrap();
    /// assert_eq!(limits.rate.as_ref().unwrap().calls, 100);
    /// # Ok::<(), docent_core::BuildError>(())
    /// ```
    #[cfg(feature = "rate-limits")]
    pub fn rate(mut self, calls: u32, per: Duration) -> Self {
        self.about.rate = Some((calls, per));
        self
    }

    /// Lets callers repeat a call safely if they have lost its response: the procedure does not run
    /// again, and they get the same result or error. For procedures that are not
    /// [idempotent](Self::idempotent).
    ///
    /// The caller gives the call a key of its own: in the member `x-idempotency-key` of a 2.0
    /// request, or in the field `Idempotency-Key` (over HTTP, a header field) of a request that is
    /// not a batch. A call with the same key and the same parameters is a repetition of the first,
    /// for at least `time` after the first has ended. Until the first has ended, repetitions get
    /// -32009; a call with the same key but another procedure or other parameters gets -32010.
    /// Guards check each repetition. Outcomes are kept in the service's
    /// [store](crate::ServiceBuilder::key_store).
    ///
    /// A key belongs to its caller, whom the service's
    /// [authenticator](crate::ServiceBuilder::authenticate) must know: `build()` returns an error for
    /// a procedure that anyone may call, unless it has
    /// [`keys_without_caller`](Self::keys_without_caller).
    ///
    /// Some errors are not kept: those of calls that did not run, such as -32602 or those of
    /// guards, and those that are [declared](crate::DeclaredError::retry) with `retry = true`. A
    /// call that is repeated after such an error runs. If the handler panics, repetitions get the
    /// same -32603, whose `data.outcome` is `unknown`.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// let pay = Procedure::sync("pay", |_: Cx, p: Vec<u32>| Ok::<_, Fault>(p.len()));
    /// let service = Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c30")
    ///     .procedure(pay.repeatable(Duration::from_secs(86_400)).keys_without_caller())
    ///     .build()?;
    /// assert!(service.description().procs[0].repeatable.is_some());
    /// # Ok::<(), docent_core::BuildError>(())
    /// ```
    pub fn repeatable(mut self, time: Duration) -> Self {
        self.about.repeatable = Some(time);
        self
    }

    /// Lets unknown callers repeat calls of a [repeatable](Self::repeatable) procedure.
    ///
    /// Keys then have no owner: a caller that sends a key that another caller has used, with the same
    /// parameters, gets that caller's result. Use it only if results are not secret, or if you trust
    /// callers to make keys that cannot be guessed.
    pub fn keys_without_caller(mut self) -> Self {
        self.about.keys_without_caller = true;
        self
    }

    /// Sets how long caches may use the result of a query (over HTTP, a GET) without revalidating
    /// it. Without this, caches revalidate before each use.
    pub fn cache_for(mut self, age: Duration) -> Self {
        self.about.cache_for = Some(age);
        self
    }

    /// Declares that every caller that the guards accept gets the same result, so that a shared
    /// cache may store it, whatever credentials the caller sent. Without this, only the caller's own
    /// cache stores results behind a guard.
    ///
    /// `build()` returns an error if a guard of the procedure does not declare what it
    /// [reads](crate::Guard::reads), because a cache would bypass it. The handler learns nothing
    /// about the caller: its only [extension](crate::Cx::extension) is the trace.
    pub fn shared_cache(mut self) -> Self {
        self.about.shared_cache = true;
        self
    }

    /// Requires that the caller has this scope or role ([`Identity::has_scope`]). Other callers get
    /// -32007 (over HTTP, 403). Call this several times to require several. The service needs an
    /// [authenticator](crate::ServiceBuilder::authenticate).
    ///
    /// [`Identity::has_scope`]: crate::Identity::has_scope
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.about.scopes.push(scope.into());
        self
    }
}

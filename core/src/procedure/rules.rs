//! Rules for the calls of a procedure: who may call it, how often and for how long, and who may
//! store its results.

use std::time::Duration;

use super::Procedure;

impl<S> Procedure<S> {
    /// Sets the timeout of the procedure, in place of that of the service. After it, the caller gets
    /// -32001. A procedure that is not idempotent still runs to completion, and counts as running until
    /// then.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = Some(timeout);
        self
    }

    /// Limits how many calls of the procedure run at the same time, in addition to the [limit of the
    /// service](crate::Limits::max_concurrent_calls). Further calls get -32002. Calls count once the
    /// guards and the authenticator have accepted them.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// let report = Procedure::blocking("report", |_: Cx, (): ()| Ok::<_, Fault>("as expected"));
    /// let service = Service::builder("sales", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c23")
    ///     .procedure(report.max_concurrent(2))
    ///     .build()?;
    /// let limits = service.description().procs[0].limits.as_ref().unwrap();
    /// assert_eq!(limits.concurrent, Some(2));
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn max_concurrent(mut self, calls: usize) -> Self {
        self.options.max_concurrent = Some(calls);
        self
    }

    /// Sets how long caches may use the result of a query (over HTTP, a GET) without revalidating
    /// it. Without this, caches revalidate before each use.
    pub fn cache_for(mut self, age: Duration) -> Self {
        self.options.cache_for = Some(age);
        self
    }

    /// Declares that every caller that the guards accept gets the same result, so that a shared cache may
    /// store it. Without this, only the caller's own cache stores results behind a guard.
    ///
    /// `build()` returns an error if a guard of the procedure does not declare the fields that it
    /// [reads](crate::Guard::reads), because a cache would bypass it. The handler learns nothing about
    /// the caller: it has no fields, and its only [extensions](crate::Cx::extension) are the
    /// [trace](crate::TraceParent) and the [ID of the request](crate::RequestId).
    pub fn shared_cache(mut self) -> Self {
        self.options.shared_cache = true;
        self
    }

    /// Requires a scope or role of the caller ([`Identity::has_scope`]). Other callers get -32007 (over
    /// HTTP, 403). Call this several times to require several. The service needs an
    /// [authenticator](crate::ServiceBuilder::authenticate).
    ///
    /// [`Identity::has_scope`]: crate::Identity::has_scope
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.options.scopes.push(scope.into());
        self
    }
}

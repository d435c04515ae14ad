//! The limit on how often each caller may call a procedure.
//!
//! Counting is the business of [`rates`](crate::rates); this only says how much and by whom.

use std::time::Duration;

use super::{CallRate, Procedure};

#[cfg(feature = "rate-limits")]
impl<S> Procedure<S> {
    /// Limits how often each caller may call the procedure. Further calls get -32008, with the seconds
    /// to wait in `data.retryAfter`.
    ///
    /// A caller may make all `calls` at once. After that, one more is accepted each time that
    /// `per / calls` has passed. Callers are told apart by [`Identity::id`](crate::Identity::id) if the
    /// procedure knows its caller, and otherwise by their [address](crate::Extensions::client_address):
    /// for IPv6, by its /64 network. Calls without an address count together. Calls that a guard or the
    /// authenticator rejects do not count.
    ///
    /// A service without a [runtime](crate::Runtime) has no clock and accepts every call.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// let search = Procedure::sync("search", |_: Cx, _: Vec<String>| Ok::<_, Fault>("Moby-Dick"));
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c24")
    ///     .procedure(search.rate(100, Duration::from_secs(60)))
    ///     .build()?;
    /// let limits = service.description().procs[0].limits.as_ref().unwrap();
    /// assert_eq!(limits.rate.as_ref().unwrap().calls, 100);
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn rate(mut self, calls: u32, per: Duration) -> Self {
        self.options.rate = Some(CallRate { calls, per });
        self
    }
}

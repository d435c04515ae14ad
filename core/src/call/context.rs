//! The context of a call, for its handler.
//!
//! A handler gets everything about its call from here. The state is that of the service, and all
//! calls have the same.

use std::any::TypeId;
use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use docent_describe::ProcedureDescription;

use super::running::Call;
use crate::caller::CallerArg;
use crate::extensions::Extensions;
use crate::identity::{Caller, Identity};
use crate::request_id::RequestId;
use crate::response_field::{FieldError, ResponseField};
use crate::trace::TraceParent;
use crate::wire::Protocol;

/// The context of a call: the state of the service, and information about the call.
///
/// `S` is the type of the state: the compiler accepts a handler only for a service with that state. `U`
/// selects what the handler learns about its caller; see [`CallerArg`]. A call counts as running while a
/// clone of its context exists.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use docent::{Cx, Fault, Procedure, Service};
///
/// struct Counter(AtomicU64);
///
/// fn next(cx: Cx<Counter>, (): ()) -> Result<u64, Fault> {
///     assert_eq!(cx.procedure().name, "next");
///     Ok(cx.state().0.fetch_add(1, Ordering::Relaxed))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("counter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c15")
///     .state(Counter(AtomicU64::new(7)))
///     .procedure(Procedure::sync("next", next))
///     .build()?;
/// assert_eq!(service.call::<u64>("next", &()).await?, 7);
/// # Ok(())
/// # }
/// ```
pub struct Cx<S = (), U: CallerArg = ()> {
    // These names differ from those of the methods: if the bound of a method is not met, the compiler
    // would otherwise point to the private field.
    shared: Arc<S>,
    pub(super) call: Arc<Call>,
    held: U::ContextValue,
}

impl<S, U: Identity> Cx<S, U> {
    /// Returns the caller.
    pub fn caller(&self) -> &Caller<U> {
        &self.held
    }
}

impl<S, U: Identity> Cx<S, Option<U>> {
    /// Returns the caller; `None` if the request has no credentials.
    pub fn caller(&self) -> Option<&Caller<U>> {
        self.held.as_ref()
    }
}

impl<S, U: CallerArg> Cx<S, U> {
    pub(crate) fn new(shared: Arc<S>, call: Arc<Call>, held: U::ContextValue) -> Self {
        Self { shared, call, held }
    }

    /// Creates a context for a unit test of a handler. Its call has no header fields and no
    /// runtime.
    ///
    /// ```
    /// use docent::{Cx, Extensions, Fault};
    ///
    /// struct Greeting(&'static str);
    ///
    /// fn greet(cx: Cx<Greeting>, (): ()) -> Result<String, Fault> {
    ///     let name = cx.extension::<String>().map_or("you", |name| name);
    ///     Ok(format!("{}, {name}", cx.state().0))
    /// }
    ///
    /// let greeting = greet(Cx::for_tests(Greeting("Hello")), ()).expect("a greeting");
    /// assert_eq!(greeting, "Hello, you");
    ///
    /// let mut extensions = Extensions::new();
    /// extensions.insert("Ada".to_owned());
    /// let cx = Cx::for_tests_with(Greeting("Hello"), extensions);
    /// assert_eq!(greet(cx, ()).expect("a greeting"), "Hello, Ada");
    /// ```
    ///
    /// # Panics
    /// Panics if the handler takes a caller; use [`for_tests_with`](Self::for_tests_with) then.
    #[track_caller]
    pub fn for_tests(state: impl Into<Arc<S>>) -> Self {
        Self::for_tests_with(state, Extensions::new())
    }

    /// Like [`for_tests`](Self::for_tests), with values that a transport would attach to the call,
    /// and the [caller](Extensions::set_caller) if the handler takes one.
    ///
    /// ```
    /// # use std::borrow::Cow;
    /// # use docent::{Cx, Extensions, Fault, Identity};
    /// # struct User(&'static str);
    /// # impl Identity for User { fn id(&self) -> Cow<'_, str> { Cow::from(self.0) } }
    /// fn greet(cx: Cx<(), User>, (): ()) -> Result<String, Fault> {
    ///     Ok(format!("Hello, {}", cx.caller().0))
    /// }
    ///
    /// let mut extensions = Extensions::new();
    /// extensions.set_caller(User("Ada"));
    /// let greeting = greet(Cx::for_tests_with((), extensions), ()).expect("a greeting");
    /// assert_eq!(greeting, "Hello, Ada");
    /// ```
    ///
    /// # Panics
    /// Panics if the handler takes a caller and the extensions have none of its type.
    #[track_caller]
    pub fn for_tests_with(state: impl Into<Arc<S>>, extensions: Extensions) -> Self {
        let Some(caller) = U::context_value(extensions.caller()) else {
            panic!("the handler takes a caller: set one with `Extensions::set_caller`");
        };
        Self::new(state.into(), Arc::new(Call::for_tests(extensions)), caller)
    }

    /// Returns the state of the service.
    pub fn state(&self) -> &S {
        &self.shared
    }

    /// Splits the context into the state and the rest, without the caller.
    ///
    /// ```
    /// # use docent::{Cx, Fault};
    /// async fn count(cx: Cx<Vec<u8>>, (): ()) -> Result<usize, Fault> {
    ///     let (bytes, cx) = cx.split();
    ///     Ok(if cx.is_cancelled() { 0 } else { bytes.len() })
    /// }
    /// # let _ = count;
    /// ```
    pub fn split(self) -> (Arc<S>, Cx) {
        static NO_STATE: LazyLock<Arc<()>> = LazyLock::new(Arc::default);
        let cx = Cx::new(Arc::clone(&NO_STATE), self.call, ());
        (self.shared, cx)
    }

    /// Returns the context without the caller, for a function that takes the caller separately.
    #[doc(hidden)]
    pub fn without_caller(self) -> Cx<S> {
        Cx::new(self.shared, self.call, ())
    }

    /// Returns the description of the called procedure.
    pub fn procedure(&self) -> &ProcedureDescription {
        &self.call.callee().description
    }

    /// Returns the protocol version of the call.
    pub fn protocol(&self) -> Protocol {
        self.call.meta.protocol
    }

    /// Returns whether the call is a notification, so its result is not sent.
    pub fn is_notification(&self) -> bool {
        self.call.meta.notification
    }

    /// Returns the moment at which the call times out. `None` without a runtime, or if an `Instant`
    /// cannot represent that moment.
    pub fn deadline(&self) -> Option<Instant> {
        self.call.deadline()
    }

    /// Returns whether the call has timed out or its caller has disconnected.
    ///
    /// If the procedure is idempotent, an async handler is dropped at that moment and never sees
    /// this. Blocking handlers, and handlers of other procedures, can check it to stop early.
    pub fn is_cancelled(&self) -> bool {
        self.call.is_cancelled()
    }

    pub(crate) fn call(&self) -> Arc<Call> {
        Arc::clone(&self.call)
    }

    /// Returns a value that the transport has attached to the call, such as the address of the
    /// peer.
    ///
    /// The result of a procedure with a [shared cache](crate::Procedure::shared_cache) must not
    /// depend on the caller, so its handler gets only the [trace](TraceParent) and the [ID of the
    /// request](RequestId).
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let is_for_logs = [TypeId::of::<TraceParent>(), TypeId::of::<RequestId>()];
        if self.call.callee().shared_cache && !is_for_logs.contains(&TypeId::of::<T>()) {
            return None;
        }
        self.call.extensions.as_ref()?.get()
    }

    /// Adds a field to the response: over HTTP, a header field such as `Set-Cookie` or `Retry-After`.
    ///
    /// The fields are sent with a result and with an error of the procedure's own, but not with an Internal error
    /// or after a timeout. `Set-Cookie`, `Link` and fields whose value is a list are sent as often as they are
    /// added. Any other is sent once: as the protocol sets it, or else as the first call of the batch has first
    /// added it. A response to GET with such fields is `private`. Other carriers, calls in process and the response
    /// to a repeated write (`Procedure::repeatable`) drop all fields.
    ///
    /// ```
    /// use docent::{Cx, Fault, ResultExt};
    ///
    /// fn log_in(cx: Cx, (): ()) -> Result<(), Fault> {
    ///     cx.add_field("Set-Cookie", "session=s3cr3t; Secure; HttpOnly").internal()?;
    ///     assert!(cx.add_field("Content-Length", "0").is_err());
    ///     Ok(())
    /// }
    /// # log_in(Cx::for_tests(()), ()).expect("a session");
    /// ```
    ///
    /// # Errors
    /// The protocol or the carrier decides this field, as it does for framing, caching, validators and CORS, or the
    /// name or value is not valid in HTTP.
    pub fn add_field(
        &self,
        name: impl AsRef<str>,
        value: impl Into<String>,
    ) -> Result<(), FieldError> {
        let field = ResponseField::new(name.as_ref(), value.into())?;
        self.call.add_field(field);
        Ok(())
    }

    /// Returns the values of a field of the message (over HTTP, of a header field), in the order of
    /// arrival. The name is case-insensitive. A procedure with a [shared
    /// cache](crate::Procedure::shared_cache) gets none.
    pub fn field<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        let fields = self
            .call
            .extensions
            .as_deref()
            .filter(|_| !self.call.callee().shared_cache)
            .and_then(Extensions::fields);
        (0..).map_while(move |index| fields?.value(name, index))
    }
}

impl<S, U: CallerArg> Clone for Cx<S, U> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            call: Arc::clone(&self.call),
            held: self.held.clone(),
        }
    }
}

impl<S, U: CallerArg> fmt::Debug for Cx<S, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cx")
            .field("procedure", &self.call.callee().description.name)
            .field("protocol", &self.call.meta.protocol)
            .field("notification", &self.call.meta.notification)
            .finish_non_exhaustive()
    }
}

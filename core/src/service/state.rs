//! A service: its parts, and its properties.
//!
//! Everything that a call reads is here and never changes after `build()`. The counters are the
//! only exception.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use docent_describe::render::OpenRpcVersion;
use docent_describe::{ServiceDescription, SimilarNames};

use super::callable::Callable;
#[cfg(feature = "mcp")]
use super::mcp::tools::Tools;
use super::registration::Registration;
use super::renderings::Renderings;
use super::reserved;
use super::results::Results;
use crate::call::{Callee, Gauge, RegisteredAuthenticator};
use crate::fast_map::FastMap;
use crate::fault::Fault;
use crate::incident::Incidents;
use crate::limits::Limits;
use crate::runtime::Runtime;
use crate::wire::Protocol;

/// A service that is ready to be called. Cloning it is cheap; all clones share the same service.
///
/// ```
/// use docent::{Cx, Fault, Procedure, Service};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c11")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
///
/// // A request in, a response out.
/// let response = service.handle(r#"{"jsonrpc": "2.0", "method": "hello", "id": 1}"#).await;
/// assert_eq!(response.unwrap(), br#"{"jsonrpc":"2.0","result":"hello","id":1}"#);
///
/// // A notification gets no response.
/// let response = service.handle(r#"{"jsonrpc": "2.0", "method": "hello"}"#).await;
/// assert_eq!(response, None);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Service {
    pub(super) inner: Arc<Inner>,
    pub(super) runtime: Option<Arc<dyn Runtime>>,
    pub(super) has_room: Option<HasRoom>,
}

/// A function that returns whether a transport has room for more responses.
pub(super) type HasRoom = Arc<dyn Fn() -> bool + Send + Sync>;

/// The parts of a service that stay the same after `build()`.
#[derive(Clone)]
pub(super) struct Inner {
    pub(super) renderings: Arc<Renderings>,
    /// The procedures by name. The table is filled once, with names that the author chose, so a
    /// fast hash without a random seed is safe: callers can look names up, but never add one.
    pub(super) procedures: FastMap<Box<str>, Arc<Callable>>,
    /// The names of all procedures, to suggest corrections for typos. `None` if a guard protects
    /// the description, so that names do not leak.
    pub(super) names: Option<Arc<SimilarNames>>,
    /// The stand-in for names that no procedure has, if a guard protects the description: it returns the
    /// rejections of `rpc.describe`, and does nothing else.
    unknown: Option<Arc<Callable>>,
    has_subscriptions: bool,
    #[cfg(feature = "mcp")]
    pub(super) tools: Arc<Tools>,
    pub(super) frame: Frame,
}

impl Inner {
    pub(super) fn new(
        renderings: Arc<Renderings>,
        frame: Frame,
        callables: Vec<Arc<Callable>>,
    ) -> Self {
        let procedures: FastMap<Box<str>, Arc<Callable>> = callables
            .into_iter()
            .map(|callable| (callable.callee.name().into(), callable))
            .collect();
        let unknown = procedures
            .get(reserved::WHOLE_DESCRIPTION)
            .filter(|describing| describing.callee.is_guarded())
            .map(|describing| stand_in(describing));
        let names = match unknown {
            Some(_) => None,
            None => Some(SimilarNames::new(procedures.keys().map(|name| &**name))),
        };
        let has_subscriptions = procedures
            .values()
            .any(|callable| callable.callee.is_subscription());
        Self {
            #[cfg(feature = "mcp")]
            tools: Arc::new(Tools::new(&renderings.description, |name| {
                procedures
                    .get(name)
                    .is_some_and(|callable| callable.callee.is_guarded())
            })),
            renderings,
            procedures,
            names: names.map(Arc::new),
            unknown,
            has_subscriptions,
            frame,
        }
    }
}

/// Returns the stand-in for unknown procedures, with the guards of `rpc.describe`.
fn stand_in(describing: &Callable) -> Arc<Callable> {
    let mut unknown = describing.clone();
    Arc::make_mut(&mut unknown.callee).is_unknown = true;
    Arc::new(unknown)
}

/// The parts of a service besides its procedures and their description.
#[derive(Clone)]
pub(super) struct Frame {
    /// The registrations that the service was built from, for services that extend it, too.
    pub(super) registration: Registration,
    pub(super) warnings: Vec<String>,
    pub(super) gauge: Arc<Gauge>,
    /// Counts the subscriptions of all connections.
    pub(super) subscriptions: Arc<Gauge>,
    /// Counts the WebSockets and the responses with events.
    pub(super) streams: Arc<Gauge>,
    pub(super) incidents: Arc<Incidents>,
    /// `None` if results are not checked.
    pub(super) results: Option<Arc<Results>>,
}

impl Frame {
    pub(super) fn new(registration: Registration) -> Self {
        Self {
            gauge: Arc::new(Gauge::new(registration.limits.max_concurrent_calls)),
            subscriptions: Arc::new(Gauge::new(registration.limits.max_subscriptions)),
            streams: Arc::new(Gauge::new(registration.limits.max_streams)),
            incidents: Arc::default(),
            warnings: Vec::new(),
            results: None,
            registration,
        }
    }
}

impl Service {
    /// Returns the same service with a runtime.
    pub fn with_runtime(&self, runtime: Arc<dyn Runtime>) -> Self {
        Self {
            runtime: Some(runtime),
            ..self.clone()
        }
    }

    /// Returns the same service, which starts calls only while `has_room` returns true; other calls
    /// get Busy (-32002). For transports that limit what they store for their callers.
    pub fn with_room(&self, has_room: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self {
            has_room: Some(Arc::new(has_room)),
            ..self.clone()
        }
    }

    /// Returns the description of the service.
    pub fn description(&self) -> &ServiceDescription {
        &self.inner.renderings.description
    }

    /// Returns the description as `rpc.describe` sends it. It is rendered once, on first use, and not
    /// copied.
    pub fn rendered_description(&self) -> Bytes {
        self.inner.renderings.describe().into()
    }

    /// Returns the description as `rpc.discover` sends it. Each version of OpenRPC is rendered once,
    /// on first use, and not copied. The default is the version that the service is
    /// [configured](crate::ServiceBuilder::openrpc) for.
    pub fn rendered_openrpc(&self, version: Option<OpenRpcVersion>) -> Bytes {
        self.inner.renderings.discover(version).into()
    }

    /// Returns the description as `rpc.openapi` sends it. It is rendered once, on first use, and not
    /// copied.
    pub fn rendered_openapi(&self) -> Bytes {
        self.inner.renderings.openapi().into()
    }

    /// Sets the path at which a transport serves the service, such as `/rpc`, for the addresses in
    /// OpenAPI documents. If there are several, the first one counts.
    pub fn set_mount(&self, path: &str) {
        self.inner.renderings.set_mount(path);
    }

    /// Returns the protocol version of responses to GET.
    pub fn get_protocol(&self) -> Protocol {
        self.inner.frame.registration.protocols.get
    }

    /// Returns the warnings of `build()`.
    pub fn warnings(&self) -> &[String] {
        &self.inner.frame.warnings
    }

    /// Returns the limits of the service.
    pub fn limits(&self) -> &Limits {
        &self.inner.frame.registration.limits
    }

    /// Returns how many calls are running.
    pub fn running_calls(&self) -> usize {
        self.inner.frame.gauge.running()
    }

    /// Returns the gauge of WebSockets and responses with events.
    pub(crate) fn streams(&self) -> &Arc<Gauge> {
        &self.inner.frame.streams
    }

    /// Returns how many streams are open: WebSockets, and responses with events.
    pub fn open_streams(&self) -> usize {
        self.streams().running()
    }

    /// Returns one procedure for each authenticator of the service.
    pub(super) fn authenticated(&self) -> impl Iterator<Item = &Arc<Callee>> {
        let mut known: Vec<&Arc<RegisteredAuthenticator>> = Vec::new();
        self.inner.procedures.values().filter_map(move |callable| {
            let authenticator = callable.callee.authenticator()?;
            if known.iter().any(|other| Arc::ptr_eq(other, authenticator)) {
                return None;
            }
            known.push(authenticator);
            Some(&callable.callee)
        })
    }

    /// Returns how many subscriptions are open.
    pub fn open_subscriptions(&self) -> usize {
        self.inner.frame.subscriptions.running()
    }

    /// Returns whether a procedure of the service is a subscription.
    #[inline]
    pub fn has_subscriptions(&self) -> bool {
        self.inner.has_subscriptions
    }

    /// Returns whether no call can start, because the limit of running calls is reached or the
    /// transport [has no room](Self::with_room).
    pub fn is_busy(&self) -> bool {
        self.inner.frame.gauge.is_full() || self.is_out_of_room()
    }

    /// Returns whether the transport has no room for the response to another call.
    #[inline]
    pub(super) fn is_out_of_room(&self) -> bool {
        self.has_room.as_ref().is_some_and(|has_room| !has_room())
    }

    /// Returns whether a procedure can be called with GET.
    ///
    /// This includes reserved procedures. `None` if the procedure does not exist.
    pub fn is_idempotent(&self, procedure: &str) -> Option<bool> {
        self.callable(procedure).map(Callable::is_callable_with_get)
    }

    /// Returns whether a procedure has a guard.
    pub fn is_guarded(&self, procedure: &str) -> bool {
        self.callable(procedure)
            .is_some_and(|callable| callable.callee.is_guarded())
    }

    /// Returns the fields that the guards of a procedure read
    /// ([`Guard::reads`](crate::Guard::reads)).
    pub fn fields(&self, procedure: &str) -> impl Iterator<Item = &str> {
        self.callable(procedure)
            .into_iter()
            .flat_map(|callable| callable.callee.fields())
    }

    /// Returns the current time, if there is a runtime.
    pub(super) fn now(&self) -> Option<Instant> {
        self.runtime.as_ref().map(|runtime| runtime.now())
    }

    /// Returns how many more calls may run before half of all permits are taken.
    pub(super) fn free_half(&self) -> usize {
        self.inner.frame.gauge.free_half()
    }

    /// Returns the procedure of this name.
    #[inline]
    pub(super) fn callable(&self, name: &str) -> Option<&Callable> {
        self.inner.procedures.get(name).map(|callable| &**callable)
    }

    /// Returns the stand-in for unknown procedures, if a guard protects the names.
    pub(super) fn unknown(&self) -> Option<&Callable> {
        self.inner.unknown.as_deref()
    }

    /// Returns the fault for the name of an unknown procedure.
    #[cold]
    pub(super) fn not_found(&self, name: &str) -> Fault {
        const MAX_SUGGESTIONS: usize = 3;
        match &self.inner.names {
            Some(names) => Fault::not_found(&names.closest(name, MAX_SUGGESTIONS)),
            None => Fault::not_found(&[]),
        }
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("name", &self.description().name)
            .field("procedures", &self.description().procs.len())
            .finish_non_exhaustive()
    }
}

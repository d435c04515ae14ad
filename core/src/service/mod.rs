//! A service: procedures, their description, and the way of a call through both.

mod answered;
mod answers;
mod assembly;
mod batch;
mod builder;
mod call;
mod dispatch;
mod ending;
mod entry;
mod gauge;
mod mistakes;
mod panic;
mod query;
mod reply;
mod reserved;
mod results;
mod running;
mod span;
mod start;
mod watch;

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use docent_describe::ServiceDescription;
use rustc_hash::FxHashMap;

pub use builder::ServiceBuilder;
pub use call::CallError;
pub(crate) use entry::Entry;
pub(crate) use gauge::Permit;
pub use mistakes::{BuildError, Mistake};
pub(crate) use panic::{Panic, caught};
pub use reply::{Refusal, Reply};
pub use results::CheckResults;
pub(crate) use results::Results;
pub(crate) use span::CallSpan;
pub(crate) use watch::Watched;

use crate::closest::Names;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::observer::{Ending, Observer};
use crate::runtime::Runtime;
use crate::wire::Protocol;
use answered::Answered;
use assembly::Frame;

/// A service that is ready to be called. Cloning it is cheap, and all clones are one service.
///
/// ```
/// use docent_core::{Cx, Fault, Procedure, Service};
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
    inner: Arc<Inner>,
    runtime: Option<Arc<dyn Runtime>>,
}

/// What never changes after `build()`.
pub(crate) struct Inner {
    description: ServiceDescription,
    rendered: Bytes,
    /// By name. The table is filled once and only with names that the author chose, so a hash that
    /// is fast and not keyed is safe: callers can look things up, never put something in.
    procedures: FxHashMap<Box<str>, Arc<Entry>>,
    /// The names of all procedures, for whoever has mistyped one. None where a guard stands before
    /// the description: then who asks need not know what there is.
    names: Option<Names>,
    frame: Frame,
}

impl Inner {
    /// The fault of a name that no procedure has.
    #[cold]
    fn not_found(&self, name: &str) -> Fault {
        const MOST: usize = 3;
        let closest = self.names.as_ref().map(|names| names.closest(name, MOST));
        Fault::not_found(&closest.unwrap_or_default())
    }
}

/// A body, and what the transport knows of where it came from.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Incoming {
    /// The body.
    pub body: Bytes,
    /// The only procedure that requests may name, where the address says one.
    pub only: Option<Box<str>>,
    /// What handlers can ask for by type.
    pub extensions: Option<Arc<Extensions>>,
}

impl Incoming {
    /// A body that came from nowhere in particular.
    pub fn new(body: impl Into<Bytes>) -> Self {
        Self {
            body: body.into(),
            ..Self::default()
        }
    }

    /// Allows only requests that name this procedure.
    pub fn only(mut self, procedure: impl Into<Box<str>>) -> Self {
        self.only = Some(procedure.into());
        self
    }

    /// Gives handlers something to ask for.
    pub fn extensions(mut self, extensions: Arc<Extensions>) -> Self {
        self.extensions = Some(extensions);
        self
    }
}

impl Service {
    /// Begins a service. `name` is a simple name; `id` is a URI (RFC 3986) that identifies the
    /// service globally, such as a `urn:uuid:`.
    pub fn builder(name: impl Into<String>, id: impl Into<String>) -> ServiceBuilder {
        ServiceBuilder::new(name.into(), id.into())
    }

    /// The same service with a place to run what cannot run inside a call's own future.
    pub fn with_runtime(&self, runtime: Arc<dyn Runtime>) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
            runtime: Some(runtime),
        }
    }

    /// The same service with a place where people find help: `help` for the service, and for each
    /// procedure the page that `page` gives for its name, relative to `help`.
    pub fn with_help(&self, help: &str, page: impl Fn(&str) -> Option<String>) -> Self {
        let mut description = self.inner.description.clone();
        description.help = Some(help.to_owned());
        for procedure in &mut description.procs {
            procedure.help = page(&procedure.name).map(|page| format!("{help}{page}"));
        }
        self.composed(description, self.inner.frame.clone())
    }

    /// The same service with one more observer.
    pub fn with_observer(&self, observer: impl Observer) -> Self {
        let mut frame = self.inner.frame.clone();
        let observer: Arc<dyn Observer> = Arc::new(observer);
        frame.observers = frame.observers.iter().cloned().chain([observer]).collect();
        self.composed(self.inner.description.clone(), frame)
    }

    /// The same service as tests should call it: a result, or an error's data, that is not what the
    /// description says is refused, whatever the service was [built
    /// with](ServiceBuilder::check_results).
    ///
    /// ```
    /// # use docent_core::{CheckResults, Cx, Fault, Procedure, Service};
    /// #[derive(serde::Serialize, schemars::JsonSchema)]
    /// struct Reading {
    ///     #[schemars(range(max = 10))]
    ///     volts: f64,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("sensor", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c12")
    ///     .procedure(Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(Reading { volts: 12.0 })))
    ///     .check_results(CheckResults::Off)
    ///     .build()?;
    /// let error = service.for_tests().call::<serde_json::Value>("read", &()).await.unwrap_err();
    /// assert_eq!(error.code(), Some(-32603));
    /// # Ok(())
    /// # }
    /// ```
    pub fn for_tests(&self) -> Self {
        let description = self.inner.description.clone();
        let mut frame = self.inner.frame.clone();
        frame.results = Results::new(&description, CheckResults::Refuse, &mut |_| {}).map(Arc::new);
        self.composed(description, frame)
    }

    /// The same procedures under another description or in another frame.
    fn composed(&self, description: ServiceDescription, frame: Frame) -> Self {
        let entries = self.inner.description.procs.iter();
        let entries = entries.filter_map(|procedure| self.inner.procedures.get(&*procedure.name));
        let inner = assembly::compose(description, frame, entries.cloned());
        Self {
            inner: Arc::new(inner),
            runtime: self.runtime.clone(),
        }
    }

    /// What the service says about itself.
    pub fn description(&self) -> &ServiceDescription {
        &self.inner.description
    }

    /// The description as `rpc.describe` answers it, rendered once.
    pub fn rendered_description(&self) -> Bytes {
        self.inner.rendered.clone()
    }

    /// The version of the protocol that answers to GET speak.
    pub fn protocol_of_get(&self) -> Protocol {
        self.inner.frame.protocols.get
    }

    /// What `build()` found worth a look, though it is no mistake.
    pub fn warnings(&self) -> &[String] {
        &self.inner.frame.warnings
    }

    /// The limits that the service was built with.
    pub fn limits(&self) -> &Limits {
        &self.inner.frame.limits
    }

    /// How many calls are running.
    pub fn running_calls(&self) -> usize {
        self.inner.frame.gauge.running()
    }

    /// Whether one more call would be refused as one too many.
    pub fn is_busy(&self) -> bool {
        self.inner.frame.gauge.is_full()
    }

    /// Whether the description says that the procedure may be called with GET.
    ///
    /// Reserved procedures answer for themselves. `None` where there is no such procedure.
    pub fn is_idempotent(&self, procedure: &str) -> Option<bool> {
        self.inner
            .procedures
            .get(procedure)
            .map(|entry| entry.description.idempotent)
    }

    /// Whether a guard stands before the procedure.
    pub fn is_guarded(&self, procedure: &str) -> bool {
        let entry = self.inner.procedures.get(procedure);
        entry.is_some_and(|entry| !entry.guards.is_empty())
    }

    /// The fields by which the guards before a procedure say that they decide
    /// ([`Guard::reads`](crate::Guard::reads)).
    pub fn fields(&self, procedure: &str) -> impl Iterator<Item = &str> {
        let entry = self.inner.procedures.get(procedure);
        entry.into_iter().flat_map(|entry| entry.fields())
    }

    /// The present moment, where there is a runtime to say it.
    fn now(&self) -> Option<Instant> {
        self.runtime.as_ref().map(|runtime| runtime.now())
    }

    /// How many more calls may run before half of all places are taken.
    fn free_half(&self) -> usize {
        self.inner.frame.gauge.free_half()
    }

    /// Answers a JSON-RPC body, without any transport: a request or a batch in, a response or
    /// nothing out.
    ///
    /// The future owns its input. It can be dropped at any time: a procedure that is not
    /// idempotent and has been started is then handed to the service's runtime.
    pub fn handle<B: Into<Bytes>>(
        &self,
        body: B,
    ) -> impl Future<Output = Option<Vec<u8>>> + Send + use<B> {
        let exchange = self.exchange(Incoming::new(body));
        async move { exchange.await.into_body() }
    }

    /// Answers a body, and says what came of it. For transports.
    pub fn exchange(&self, incoming: Incoming) -> impl Future<Output = Reply> + Send + use<> {
        self.clone().answer(incoming)
    }

    /// Answers an exchange that never became a call, in a version of the protocol, and tells observers
    /// of it. For transports.
    pub fn turn_away(&self, protocol: Protocol, refusal: Refusal) -> Reply {
        self.refuse_in(protocol, &refusal.into())
    }

    /// Tells observers of an exchange whose caller left before it became a call. For transports.
    pub fn abandon(&self, protocol: Protocol) {
        let nothing = Answered::unread(protocol);
        self.tell(&nothing, Ending::Cancelled, None);
    }

    /// Calls an idempotent procedure with parameters from a query string (JSON-RPC 1.1, section
    /// 6.3), the request half of HTTP's GET. Any other procedure is refused and does not run.
    pub fn query(
        &self,
        procedure: &str,
        query: &str,
        extensions: Option<Arc<Extensions>>,
    ) -> impl Future<Output = Reply> + Send + use<> {
        let service = self.clone();
        let (procedure, query) = (Box::<str>::from(procedure), Box::<str>::from(query));
        async move { service.answer_query(&procedure, &query, extensions).await }
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("name", &self.inner.description.name)
            .field("procedures", &self.inner.description.procs.len())
            .finish_non_exhaustive()
    }
}

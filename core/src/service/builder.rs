//! From procedures to a service.

use std::sync::Arc;

use docent_describe::render::OpenRpcOptions;
use docent_describe::{ServiceDescription, split_documentation};

use super::assembly::{self, Registration};
use super::mistakes::BuildError;
use super::results::CheckResults;
use super::state::Service;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::procedure::Procedure;
use crate::wire::Protocols;

/// A service in the making.
///
/// The builder is generic in the state alone: registering a procedure hands everything else to
/// code that is compiled once.
///
/// ```
/// use std::time::Duration;
///
/// use docent_core::{Cx, Fault, Procedure, Service};
///
/// let service = Service::builder("clock", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c19")
///     .version("1.2")
///     .documentation("Tells the time.\n\nIn UTC, *always*.")
///     .public_url("https://example.com/rpc")
///     .limits(|limits| limits.timeout = Duration::from_secs(5))
///     .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>("12:00")))
///     .build()?;
/// assert_eq!(service.description().summary.as_deref(), Some("Tells the time."));
/// # Ok::<(), docent_core::BuildError>(())
/// ```
#[must_use = "a builder does nothing until `build()`"]
pub struct ServiceBuilder<S = ()> {
    registration: Registration,
    state: Arc<S>,
}

impl Service {
    /// Begins a service. `name` is a simple name; `id` is a URI (RFC 3986) that identifies the
    /// service globally, such as a `urn:uuid:`.
    pub fn builder(name: impl Into<String>, id: impl Into<String>) -> ServiceBuilder {
        ServiceBuilder::new(name.into(), id.into())
    }
}

impl ServiceBuilder {
    fn new(name: String, id: String) -> Self {
        let description = ServiceDescription {
            name,
            id,
            ..ServiceDescription::default()
        };
        let registration = Registration {
            description,
            limits: Limits::default(),
            protocols: Protocols::default(),
            openrpc: OpenRpcOptions::default(),
            guards: Vec::new(),
            observers: Vec::new(),
            procedures: Vec::new(),
            check_results: CheckResults::default(),
        };
        Self {
            registration,
            state: Arc::new(()),
        }
    }
}

impl<S: Send + Sync + 'static> ServiceBuilder<S> {
    /// The state that the handlers registered after this get from their context. Those registered
    /// before keep theirs.
    pub fn state<T: Send + Sync + 'static>(self, state: T) -> ServiceBuilder<T> {
        self.shared_state(Arc::new(state))
    }

    /// Like [`state`](Self::state), for a state that others have too.
    pub fn shared_state<T: Send + Sync + 'static>(self, state: Arc<T>) -> ServiceBuilder<T> {
        ServiceBuilder {
            registration: self.registration,
            state,
        }
    }

    /// Adds a procedure.
    pub fn procedure(mut self, procedure: Procedure<S>) -> Self {
        let registered = procedure.bind(Arc::clone(&self.state));
        self.registration.procedures.push(registered);
        self
    }

    /// Adds procedures, such as all those of a module.
    pub fn procedures(self, procedures: impl IntoIterator<Item = Procedure<S>>) -> Self {
        procedures.into_iter().fold(self, Self::procedure)
    }

    /// The service's version, any text.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.registration.description.version = Some(version.into());
        self
    }

    /// What the service is, in Markdown: its first paragraph is the summary.
    pub fn documentation(mut self, markdown: &str) -> Self {
        let (summary, description) = split_documentation(markdown);
        self.registration.description.summary = summary;
        self.registration.description.description = description;
        self
    }

    /// The absolute URL to which calls are sent, as callers see it: through a proxy, it is the
    /// proxy's. It becomes the description's `address`. Without one that is left out: it is
    /// never guessed from what a request says.
    pub fn public_url(mut self, url: impl Into<String>) -> Self {
        self.registration.description.address = Some(url.into());
        self
    }

    /// The absolute URL of documentation for people.
    pub fn help(mut self, url: impl Into<String>) -> Self {
        self.registration.description.help = Some(url.into());
        self
    }

    /// How much the service takes on.
    pub fn limits(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.registration.limits);
        self
    }

    /// Which versions of the protocol the service speaks.
    pub fn protocols(mut self, change: impl FnOnce(&mut Protocols)) -> Self {
        change(&mut self.registration.protocols);
        self
    }

    /// Puts a guard before the procedures that it [covers](Guard::covers), wherever they are
    /// registered. Guards are asked in the order in which they were added.
    pub fn guard(mut self, guard: impl Guard) -> Self {
        self.registration.guards.push(Arc::new(guard));
        self
    }

    /// Adds somebody who sees every call when it has been answered.
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.registration.observers.push(Arc::new(observer));
        self
    }

    /// Which OpenRPC document `rpc.discover` answers: a version, or all that can be said about it.
    pub fn openrpc(mut self, options: impl Into<OpenRpcOptions>) -> Self {
        self.registration.openrpc = options.into();
        self
    }

    /// What becomes of a result, or an error's data, that is not what the description says. Unless
    /// this is called, it is refused in builds with debug assertions, and nobody looks in others.
    pub fn check_results(mut self, check: CheckResults) -> Self {
        self.registration.check_results = check;
        self
    }

    /// Checks everything and makes the service.
    ///
    /// # Errors
    /// Every mistake that was found, each with the procedure that has it: names that are taken,
    /// reserved or impossible, types that cannot be described, two types of one name, promises that
    /// cannot be kept, examples that do not hold.
    pub fn build(self) -> Result<Service, BuildError> {
        assembly::assemble(self.registration)
    }
}

impl<S> std::fmt::Debug for ServiceBuilder<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServiceBuilder")
            .field("name", &self.registration.description.name)
            .field("procedures", &self.registration.procedures.len())
            .finish_non_exhaustive()
    }
}

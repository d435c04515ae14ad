//! The builder of a service.
//!
//! It only collects what the author registers. All checks happen in `build()` (`assembly/`), so
//! that the order of registration does not matter and all mistakes are reported together.

use std::any::TypeId;
use std::sync::Arc;

use docent_describe::render::OpenRpcOptions;
use docent_describe::{ProcedureDescription, ServiceDescription, split_documentation};

use super::assembly;
use super::mistakes::BuildError;
use super::registration::Registration;
use super::results::CheckResults;
use super::state::Service;
use crate::call::RegisteredAuthenticator;
use crate::caller::Authenticator;
use crate::guard::{CallInfo, Guard};
use crate::identity::{Caller, Identity, SharedIdentity};
use crate::limits::Limits;
use crate::observer::Observer;
use crate::procedure::Procedure;
use crate::procedures::IntoProcedure;
use crate::rejection::Rejection;
use crate::wire::Protocols;

/// Builds a [`Service`](crate::Service). `S` is the type of the state.
///
/// ```
/// use std::time::Duration;
///
/// use docent::{Cx, Fault, Procedure, Service};
///
/// let service = Service::builder("clock", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c19")
///     .version("1.2")
///     .documentation("Tells the time.\n\nIn UTC, *always*.")
///     .public_url("https://example.com/rpc")
///     .limits(|limits| limits.timeout = Duration::from_secs(5))
///     .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>("12:00")))
///     .build()?;
/// assert_eq!(service.description().summary.as_deref(), Some("Tells the time."));
/// # Ok::<(), docent::BuildError>(())
/// ```
#[must_use = "a builder does nothing until `build()`"]
pub struct ServiceBuilder<S = ()> {
    pub(super) description: ServiceDescription,
    pub(super) registration: Registration,
    state: Arc<S>,
    /// The type of the state, until a procedure uses it.
    unused_state: Option<&'static str>,
}

impl Service {
    /// Starts building a service. `name` is a short name, such as `library`; `id` is a URI (RFC 3986) that
    /// identifies the service globally, such as a `urn:uuid:`.
    pub fn builder(name: impl Into<String>, id: impl Into<String>) -> ServiceBuilder {
        let description = ServiceDescription::new(name, id);
        ServiceBuilder {
            description,
            registration: Registration::default(),
            state: Arc::new(()),
            unused_state: None,
        }
    }

    /// Starts building another version of this service.
    ///
    /// The new service has the same name, id and documentation, the same procedures with their
    /// state, and the same guards and authenticators, observers, limits, protocols and key store.
    /// Give it a version, and [add](ServiceBuilder::procedure), [replace](ServiceBuilder::replace)
    /// and [remove](ServiceBuilder::remove) procedures. It has its own public URL, and counts its
    /// running calls separately.
    ///
    /// ```
    /// use docent::{Cx, Fault, Procedure, Service};
    ///
    /// let v1 = Service::builder("clock", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c21")
    ///     .version("1.0")
    ///     .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>("12:00")))
    ///     .procedure(Procedure::sync("zone", |_: Cx, (): ()| Ok::<_, Fault>("UTC")))
    ///     .build()?;
    /// let v2 = v1.extend()
    ///     .version("2.0")
    ///     .replace(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>("12:00:00Z")))
    ///     .remove("zone")
    ///     .build()?;
    /// assert_eq!(v2.description().procs.len(), 1);
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn extend(&self) -> ServiceBuilder {
        let described = self.description();
        let mut description = ServiceDescription::new(described.name.clone(), described.id.clone());
        description.version.clone_from(&described.version);
        description.summary.clone_from(&described.summary);
        description.description.clone_from(&described.description);
        description.help.clone_from(&described.help);
        description.extensions.clone_from(&described.extensions);
        ServiceBuilder {
            description,
            registration: Registration {
                needs_version: true,
                idle: Vec::new(),
                ..self.inner.frame.registration.clone()
            },
            state: Arc::new(()),
            unused_state: None,
        }
    }
}

impl<S: Send + Sync + 'static> ServiceBuilder<S> {
    /// Sets the state for the procedures that are registered after this call. Procedures registered
    /// before keep theirs.
    pub fn state<T: Send + Sync + 'static>(self, state: T) -> ServiceBuilder<T> {
        self.shared_state(Arc::new(state))
    }

    /// Like [`state`](Self::state), for state that is shared with other code.
    pub fn shared_state<T: Send + Sync + 'static>(mut self, state: Arc<T>) -> ServiceBuilder<T> {
        self.note_unused_state();
        ServiceBuilder {
            description: self.description,
            registration: self.registration,
            state,
            unused_state: Some(std::any::type_name::<T>()),
        }
    }

    /// Notes a state that no procedure has been registered with.
    fn note_unused_state(&mut self) {
        if let Some(state) = self.unused_state.take() {
            self.registration.idle.push(format!(
                "no procedure is registered after `state` with the type `{state}`, so nothing uses it; call \
                 `state` before the procedures that need it, or remove it"
            ));
        }
    }

    /// Adds a procedure.
    pub fn procedure(mut self, procedure: impl IntoProcedure<S>) -> Self {
        let registered = procedure.into_procedure().bind(Arc::clone(&self.state));
        self.registration.procedures.push(Arc::new(registered));
        self.unused_state = None;
        self
    }

    /// Replaces the procedure with the same name, in a service that [extends](Service::extend) another.
    /// `build()` returns an error if there is none.
    pub fn replace(mut self, procedure: impl IntoProcedure<S>) -> Self {
        let registered = procedure.into_procedure().bind(Arc::clone(&self.state));
        self.unused_state = None;
        for procedure in &mut self.registration.procedures {
            if procedure.name == registered.name {
                *procedure = Arc::new(registered);
                return self;
            }
        }
        self.registration.missing.push(registered.name);
        self
    }

    /// Removes a procedure from a service that [extends](Service::extend) another. `build()` returns
    /// an error if there is none with this name.
    pub fn remove(mut self, name: &str) -> Self {
        let procedures = &mut self.registration.procedures;
        let before = procedures.len();
        procedures.retain(|procedure| procedure.name != name);
        if procedures.len() == before {
            self.registration.missing.push(name.to_owned());
        }
        self
    }

    /// Adds several procedures, such as those of a module.
    pub fn procedures<I>(self, procedures: I) -> Self
    where
        I: IntoIterator<Item = Procedure<S>>, // of a type: `value.procedures()`; of functions: `[f::procedure()]`
    {
        let mut builder = self;
        for procedure in procedures {
            builder = builder.procedure(procedure);
        }
        builder
    }

    /// Sets the version of the service, any text.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        let version = Some(version.into());
        self.registration.needs_version &= version == self.description.version;
        self.description.version = version;
        self
    }

    /// Documents the service in Markdown. The first paragraph is the summary.
    pub fn documentation(mut self, markdown: &str) -> Self {
        let (summary, description) = split_documentation(markdown);
        if summary.is_none() && description.is_none() {
            let note =
                "`documentation` is empty, so it documents nothing; write a text, or remove it";
            self.registration.idle.push(note.to_owned());
        }
        self.description.summary = summary;
        self.description.description = description;
        self
    }

    /// Sets the absolute URL that callers use, which may be that of a proxy. It becomes the
    /// `address` of the description. Without it, `address` is omitted; it is never derived from
    /// requests.
    pub fn public_url(mut self, url: impl Into<String>) -> Self {
        self.description.address = Some(url.into());
        self
    }

    /// Sets the absolute URL of documentation for people.
    pub fn help(mut self, url: impl Into<String>) -> Self {
        self.description.help = Some(url.into());
        self
    }

    /// Changes the limits of the service.
    pub fn limits(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.registration.limits);
        self
    }

    /// Changes the protocol versions that the service accepts.
    pub fn protocols(mut self, change: impl FnOnce(&mut Protocols)) -> Self {
        change(&mut self.registration.protocols);
        self
    }

    /// Adds another name of `rpc.unsubscribe`, for clients that know it by that one, such as `eth_unsubscribe`. Like that,
    /// it is not described.
    pub fn unsubscribe_alias(mut self, name: impl Into<String>) -> Self {
        self.registration.unsubscribe_aliases.push(name.into());
        self
    }

    /// Calls [`Procedure::ignore_unknown`] for all procedures, except those that take a list.
    pub fn ignore_unknown(mut self) -> Self {
        self.registration.ignores_unknown = true;
        self
    }

    /// Adds a guard for the procedures that it [covers](Guard::covers), including those that are
    /// registered later. Guards run in the order in which they were added.
    pub fn guard(mut self, guard: impl Guard) -> Self {
        self.registration.gates.guards.push(Arc::new(guard));
        self
    }

    /// Adds an authenticator, which finds out who is calling. Handlers that take a `Cx<S, U>` with its
    /// [`Identity`] type as `U` get the caller; see [`CallerArg`](crate::CallerArg).
    pub fn authenticate(mut self, authenticator: impl Authenticator) -> Self {
        self.registration
            .gates
            .authenticators
            .push(Arc::new(RegisteredAuthenticator::new(authenticator)));
        self
    }

    /// Adds a rule about what callers may do. It runs before each call of a procedure that takes or
    /// requires a caller of this type, unless the request has no credentials. It must not block.
    ///
    /// ```
    /// # use std::borrow::Cow;
    /// # use docent::{Authentication, Authenticator, Credentials, Cx, Fault, Identity, Procedure, Rejection, Service};
    /// # struct User;
    /// # impl Identity for User { fn id(&self) -> Cow<'_, str> { Cow::from("user") } }
    /// # struct Everyone;
    /// # impl Authenticator for Everyone {
    /// #     type Identity = User;
    /// #     fn authenticate(&self, _: Credentials<'_>) -> Authentication<User> { Authentication::ready(Some(User)) }
    /// # }
    /// # let builder = Service::builder("vault", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c22")
    /// #     .procedure(Procedure::sync("open", |_: Cx<(), User>, (): ()| Ok::<_, Fault>(())));
    /// let service = builder
    ///     .authenticate(Everyone)
    ///     .authorize(|_: &User, call| match call.procedure.idempotent {
    ///         true => Ok(()),
    ///         false => Err(Rejection::forbidden()),
    ///     })
    ///     .build()?;
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn authorize<U: Identity>(
        mut self,
        rule: impl Fn(&U, &CallInfo<'_>) -> Result<(), Rejection> + Send + Sync + 'static,
    ) -> Self {
        let rule =
            move |caller: &SharedIdentity, info: &CallInfo<'_>| match Caller::<U>::downcast(caller)
            {
                Some(caller) => rule(&caller, info),
                None => Err(Rejection::forbidden()),
            };
        let caller_type = TypeId::of::<U>();
        self.registration
            .gates
            .rules
            .push((caller_type, Arc::new(rule)));
        self
    }

    /// Requires known callers for the selected procedures, even if the handlers do not take them. For
    /// example, `|procedure| !procedure.idempotent` selects all procedures that change something. If
    /// `rpc.describe` is selected, the other renderings and the reference site are protected too.
    pub fn protect(
        mut self,
        select: impl Fn(&ProcedureDescription) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.registration.gates.protected.push(Arc::new(select));
        self
    }

    /// Requires known callers for all procedures of the service. The description and the reference site
    /// stay public.
    pub fn protect_own(self) -> Self {
        self.protect(|procedure| !procedure.is_reserved())
    }

    /// Adds an observer, which is notified of every call.
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.registration.observers.push(Arc::new(observer));
        self
    }

    /// Sets the OpenRPC version, or all options, for `rpc.discover`.
    pub fn openrpc(mut self, options: impl Into<OpenRpcOptions>) -> Self {
        self.registration.openrpc = options.into();
        self
    }

    /// Sets the treatment of results and error data that do not match the description. Default:
    /// [`CheckResults::Refuse`] in builds with debug assertions, and
    /// [`CheckResults::RefuseIdempotent`] in others.
    pub fn check_results(mut self, check: CheckResults) -> Self {
        self.registration.check_results = check;
        self
    }

    /// Checks everything and creates the service.
    ///
    /// # Errors
    /// Returns all mistakes, each with its procedure: names that are taken, reserved or invalid,
    /// types that cannot be described, different types with the same name, constraints that cannot
    /// be enforced, and examples that do not match.
    pub fn build(mut self) -> Result<Service, BuildError> {
        self.note_unused_state();
        assembly::assemble(self.description, self.registration)
    }
}

impl<S> std::fmt::Debug for ServiceBuilder<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServiceBuilder")
            .field("name", &self.description.name)
            .field("procedures", &self.registration.procedures.len())
            .finish_non_exhaustive()
    }
}

//! Values that a transport passes to guards and handlers; the code in between does not know their
//! types.

use std::any::{Any, TypeId};
use std::fmt;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::identity::{Identity, SharedIdentity};
use crate::incident::Incident;
use crate::request_id::RequestId;

/// The named fields of the message that carries a call: over HTTP, its header fields.
pub trait Fields: Send + Sync + 'static {
    /// Returns a value of the field `name`, or `None` after the last. `index` counts the values of the
    /// field from 0, in the order of arrival. Names are case-insensitive.
    fn value(&self, name: &str, index: usize) -> Option<&[u8]>;
}

/// Values by type, attached to a call by the transport.
///
/// ```
/// use docent::Extensions;
///
/// let mut extensions = Extensions::new();
/// extensions.insert("a session");
/// assert_eq!(extensions.get::<&str>(), Some(&"a session"));
/// assert_eq!(extensions.get::<u32>(), None);
/// ```
#[derive(Default)]
pub struct Extensions {
    values: Vec<(TypeId, Box<dyn Any + Send + Sync>)>,
    /// Gets the transport's fields from the values.
    fields: Option<Find>,
    caller: Option<SharedIdentity>,
    client_address: Option<IpAddr>,
    is_client_local: bool,
    /// The ID of the request. In `values` it would cost an allocation, and every request over HTTP has one.
    request_id: Option<RequestId>,
    /// Set once an error has the ID of the request as its incident.
    is_incident_taken: AtomicBool,
    /// Tells whether the caller has a version of the result already.
    version_check: Option<Arc<VersionCheck>>,
    result_version: OnceLock<ResultVersion>,
}

/// A function of a transport that makes a [`ResultVersion`] of a version that a procedure has returned.
pub type VersionCheck = dyn Fn(&Extensions, &QueryVersion<'_>) -> ResultVersion + Send + Sync;

/// The version of the result of a query, from [`Procedure::etag_by`](crate::Procedure::etag_by), and what the
/// result may depend on besides.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct QueryVersion<'a> {
    /// The version.
    pub version: &'a str,
    /// Set if every caller gets the same result, because the procedure has a
    /// [shared cache](crate::Procedure::shared_cache).
    pub is_shared: bool,
    /// The fields that the guards and the authenticator of the procedure declare to read.
    pub fields: &'a [&'a str],
    /// The caller, if it is known.
    pub caller: Option<&'a dyn Identity>,
    /// The fields that only say who this caller is.
    pub caller_fields: &'a [String],
}

/// The version of the result of a query, as its transport tells it from those of other callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultVersion {
    /// A text that no other result of this query has.
    pub validator: String,
    /// Set if the caller already has this version. The handler did not run, and the result in the reply
    /// is null.
    pub is_known: bool,
}

type Find = fn(&Extensions) -> Option<&dyn Fields>;

impl Extensions {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value, replacing one of the same type.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        let mut value = Some(value);
        if let Some(id) = (&mut value as &mut dyn Any).downcast_mut::<Option<RequestId>>() {
            self.request_id = id.take();
        }
        let Some(value) = value else {
            return;
        };
        let id = TypeId::of::<T>();
        self.values.retain(|(other, _)| *other != id);
        self.values.push((id, Box::new(value)));
    }

    /// Adds the fields of the message. Guards read them with
    /// [`CallInfo::field`](crate::CallInfo::field), handlers with [`Cx::field`](crate::Cx::field). The
    /// value is also an extension.
    pub fn insert_fields<T: Fields>(&mut self, value: T) {
        self.insert(value);
        self.fields = Some(|extensions| extensions.get::<T>().map(|fields| fields as &dyn Fields));
    }

    /// Sets the caller, for tests and for transports that know it. The authenticator for this type then
    /// does not run.
    pub fn set_caller(&mut self, caller: impl Identity) {
        self.caller = Some(Arc::new(caller));
    }

    /// Sets the address that the request comes from. Rate limits tell callers without an identity apart
    /// by it.
    pub fn set_client_address(&mut self, address: IpAddr) {
        self.client_address = Some(address);
    }

    /// Marks the request as coming from a client on this machine that has no address, as over a Unix
    /// socket. A limit on [failed logins](crate::ServiceBuilder#method.failed_logins) counts all such
    /// clients together.
    pub fn set_client_local(&mut self) {
        self.is_client_local = true;
    }

    /// Returns whether the client is on this machine and has no address.
    #[cfg_attr(
        not(feature = "rate-limits"),
        expect(dead_code, reason = "only limits on failed logins ask")
    )]
    pub(crate) fn is_client_local(&self) -> bool {
        self.is_client_local
    }

    /// Returns the address that the request comes from, if the transport knows it.
    pub fn client_address(&self) -> Option<IpAddr> {
        self.client_address
    }

    /// Sets the function that returns whether the caller of a query already has a version of the result.
    pub fn set_known_versions(&mut self, check: Arc<VersionCheck>) {
        self.version_check = Some(check);
    }

    /// Returns the version of the result after a query, if the procedure has
    /// [`etag_by`](crate::Procedure::etag_by).
    pub fn result_version(&self) -> Option<&ResultVersion> {
        self.result_version.get()
    }

    /// Sets the version of the result, and returns whether the caller has it.
    pub(crate) fn check_version(&self, version: &QueryVersion<'_>) -> bool {
        let Some(check) = &self.version_check else {
            return false;
        };
        self.result_version
            .get_or_init(|| check(self, version))
            .is_known
    }

    /// Returns the ID of the request.
    pub(crate) fn request_id(&self) -> Option<&RequestId> {
        self.request_id.as_ref()
    }

    /// Returns the ID of the request as an incident, if it was generated. Only the first error of a
    /// request gets it, because every error needs an ID of its own.
    pub(crate) fn take_incident(&self) -> Option<Incident> {
        let incident = self.request_id()?.incident()?;
        let is_taken = self.is_incident_taken.swap(true, Ordering::Relaxed);
        (!is_taken).then_some(incident)
    }

    /// Returns the caller that the transport has set.
    pub(crate) fn caller(&self) -> Option<&SharedIdentity> {
        self.caller.as_ref()
    }

    /// Returns whether the transport has set fields.
    pub(crate) fn has_fields(&self) -> bool {
        self.fields.is_some()
    }

    /// Returns the fields of the message that carries the call.
    pub(crate) fn fields(&self) -> Option<&dyn Fields> {
        (self.fields?)(self)
    }

    /// Returns the value of this type, if there is one.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        let id = TypeId::of::<T>();
        if id == TypeId::of::<RequestId>() {
            let own: &dyn Any = self.request_id.as_ref()?;
            return own.downcast_ref();
        }
        let (_, value) = self.values.iter().find(|(other, _)| *other == id)?;
        value.downcast_ref()
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extensions")
            .field("values", &self.values.len())
            .finish_non_exhaustive()
    }
}

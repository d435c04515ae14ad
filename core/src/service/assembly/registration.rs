//! The registrations that a builder collects.

use std::sync::Arc;

use docent_describe::ServiceDescription;
use docent_describe::render::OpenRpcOptions;

use crate::call::Gates;
#[cfg(feature = "keys")]
use crate::keys::KeyStore;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::procedure::Registered;
use crate::service::results::CheckResults;
use crate::wire::Protocols;

/// The properties that matter of a service that another one extends.
pub(crate) struct Previous {
    pub(crate) version: Option<String>,
}

/// Everything that a builder collects, except the state.
pub(crate) struct Registration {
    pub(crate) description: ServiceDescription,
    pub(crate) limits: Limits,
    pub(crate) protocols: Protocols,
    pub(crate) openrpc: OpenRpcOptions,
    pub(crate) gates: Gates,
    pub(crate) observers: Vec<Arc<dyn Observer>>,
    /// Shared with the services that extend this one.
    pub(crate) procedures: Vec<Arc<Registered>>,
    /// The names of procedures that were to be replaced or removed but do not exist.
    pub(crate) missing: Vec<String>,
    /// The service that this one extends.
    pub(crate) previous: Option<Previous>,
    pub(crate) check_results: CheckResults,
    /// The store that the author has chosen, if any.
    #[cfg(feature = "keys")]
    pub(crate) key_store: Option<Arc<dyn KeyStore>>,
    /// Set if all idempotent procedures are tools.
    pub(crate) idempotent_tools: bool,
}

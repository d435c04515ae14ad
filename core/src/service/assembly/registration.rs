//! What a builder has collected.

use std::sync::Arc;

use docent_describe::ServiceDescription;
use docent_describe::render::OpenRpcOptions;

use crate::call::Gates;
use crate::keys::KeyStore;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::procedure::Registered;
use crate::service::results::CheckResults;
use crate::wire::Protocols;

/// What matters of the service that another one extends.
pub(crate) struct Previous {
    pub(crate) version: Option<String>,
}

/// Everything that does not depend on the state's type.
pub(crate) struct Registration {
    pub(crate) description: ServiceDescription,
    pub(crate) limits: Limits,
    pub(crate) protocols: Protocols,
    pub(crate) openrpc: OpenRpcOptions,
    pub(crate) gates: Gates,
    pub(crate) observers: Vec<Arc<dyn Observer>>,
    /// Shared with the services that extend this one.
    pub(crate) procedures: Vec<Arc<Registered>>,
    /// The names of procedures that were to be replaced or removed and do not exist.
    pub(crate) missing: Vec<String>,
    /// The service that this one extends.
    pub(crate) previous: Option<Previous>,
    pub(crate) check_results: CheckResults,
    /// `None` unless the author has chosen one.
    pub(crate) key_store: Option<Arc<dyn KeyStore>>,
    /// Whether all idempotent procedures are tools.
    pub(crate) idempotent_tools: bool,
}

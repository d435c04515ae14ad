//! What a builder has collected.

use std::sync::Arc;

use docent_describe::ServiceDescription;
use docent_describe::render::OpenRpcOptions;

use crate::call::Gates;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::procedure::Registered;
use crate::service::results::CheckResults;
use crate::wire::Protocols;

/// Everything that does not depend on the state's type.
pub(crate) struct Registration {
    pub(crate) description: ServiceDescription,
    pub(crate) limits: Limits,
    pub(crate) protocols: Protocols,
    pub(crate) openrpc: OpenRpcOptions,
    pub(crate) gates: Gates,
    pub(crate) observers: Vec<Arc<dyn Observer>>,
    pub(crate) procedures: Vec<Registered>,
    pub(crate) check_results: CheckResults,
}

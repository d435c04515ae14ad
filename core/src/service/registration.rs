//! The registrations that a builder collects.
//!
//! A service that extends another begins with a copy of them, so they hold nothing that `build()`
//! has computed.

use std::sync::Arc;

use docent_describe::render::OpenRpcOptions;

use crate::call::Gates;
#[cfg(feature = "keys")]
use crate::keys::KeyStore;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::procedure::RegisteredProcedure;
use crate::service::results::CheckResults;
use crate::wire::Protocols;

/// Everything that a builder collects, except the state and the documentation. Services that extend
/// the one that is built from it begin with a copy.
#[derive(Clone, Default)]
pub(crate) struct Registration {
    pub(crate) limits: Limits,
    pub(crate) protocols: Protocols,
    pub(crate) openrpc: OpenRpcOptions,
    pub(crate) gates: Gates,
    pub(crate) observers: Vec<Arc<dyn Observer>>,
    pub(crate) procedures: Vec<Arc<RegisteredProcedure>>,
    /// Other names of `rpc.unsubscribe`.
    pub(crate) unsubscribe_aliases: Vec<String>,
    /// The names of procedures that were to be replaced or removed but do not exist.
    pub(crate) missing: Vec<String>,
    /// Set if the service extends another and still has the version of that one.
    pub(crate) needs_version: bool,
    pub(crate) check_results: CheckResults,
    /// The store that the author has chosen, or else the default once a procedure needs one.
    #[cfg(feature = "keys")]
    pub(crate) key_store: Option<Arc<dyn KeyStore>>,
    /// Set if all idempotent procedures are tools.
    pub(crate) idempotent_tools: bool,
    /// Set if all procedures ignore unknown parameters.
    pub(crate) ignores_unknown: bool,
    /// Warnings about calls of the builder that have no effect.
    pub(crate) idle: Vec<String>,
}

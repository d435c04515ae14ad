//! The guards, authenticators and rules that decide who may call which procedure.
//!
//! They are kept as they were registered. `build()` finds out which of them each procedure has, so
//! that a call does not search.

use std::any::TypeId;
use std::sync::Arc;

use docent_describe::ProcedureDescription;
use docent_describe::json::Json;

use super::access::{RegisteredAuthenticator, Rule};
use crate::caller::{add_scheme, scheme_name};
use crate::guard::Guard;
#[cfg(feature = "rate-limits")]
use crate::rates::Attempts;

/// Selects procedures by their descriptions.
type Select = dyn Fn(&ProcedureDescription) -> bool + Send + Sync;

/// The guards, authenticators and rules of a service, as they were registered.
#[derive(Clone, Default)]
pub(crate) struct Gates {
    pub(crate) guards: Vec<Arc<dyn Guard>>,
    pub(crate) authenticators: Vec<Arc<RegisteredAuthenticator>>,
    pub(crate) rules: Vec<(TypeId, Arc<Rule>)>,
    /// Select the procedures that only known callers may call.
    pub(crate) protected: Vec<Arc<Select>>,
    /// Shared with the services that extend this one, because they accept the same credentials.
    #[cfg(feature = "rate-limits")]
    pub(crate) attempts: Option<Arc<Attempts>>,
}

impl Gates {
    /// Returns the security schemes, each with a name of its own. Guards have the names that they give.
    pub(crate) fn schemes(&self) -> Vec<(String, Json)> {
        let mut schemes: Vec<_> = self
            .guards
            .iter()
            .filter_map(|guard| guard.scheme())
            .collect();
        for authenticator in &self.authenticators {
            for (name, definition) in &authenticator.schemes {
                add_scheme(&mut schemes, name, definition.clone());
            }
        }
        schemes
    }

    /// Returns the names of the schemes of which one suffices for an authenticator.
    pub(crate) fn schemes_of(&self, authenticator: &RegisteredAuthenticator) -> Vec<String> {
        let schemes = self.schemes();
        authenticator
            .schemes
            .iter()
            .map(|(name, definition)| scheme_name(&schemes, name, definition))
            .collect()
    }

    /// Returns whether only known callers may call the procedure.
    pub(crate) fn protects(&self, procedure: &ProcedureDescription) -> bool {
        self.protected.iter().any(|select| select(procedure))
    }

    /// Returns the rules for callers of this type.
    pub(crate) fn rules_of(&self, identity: TypeId) -> Box<[Arc<Rule>]> {
        self.rules
            .iter()
            .filter(|(of, _)| *of == identity)
            .map(|(_, rule)| Arc::clone(rule))
            .collect()
    }
}

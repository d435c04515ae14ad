//! The called procedure, as far as its calls know it.

use std::sync::Arc;
use std::time::Duration;

use docent_describe::ProcedureDescription;

use super::gauge::Gauge;
use crate::code;
use crate::fault::Fault;
use crate::guard::{CallInfo, Posted};
use crate::incident::Incidents;

/// What calls of a procedure know of it. How it is called is the service's.
#[derive(Clone)]
pub(crate) struct Callee {
    pub(crate) description: ProcedureDescription,
    pub(crate) timeout: Duration,
    pub(crate) cache_for: Option<Duration>,
    pub(crate) shared_cache: bool,
    pub(crate) guards: Box<[Posted]>,
    /// These two are the whole service's. They are here so that a call need not keep them.
    pub(crate) gauge: Arc<Gauge>,
    pub(crate) incidents: Arc<Incidents>,
}

impl Callee {
    pub(crate) fn name(&self) -> &str {
        &self.description.name
    }

    /// Asks the guards that stand before the procedure, until one refuses.
    pub(crate) fn ask_guards(&self, attempt: &CallInfo<'_>) -> Result<(), Fault> {
        let mut guards = self.guards.iter();
        guards
            .try_for_each(|guard| guard.check(attempt))
            .map_err(|rejection| rejection.0)
    }

    /// The fields by which the guards have said that they decide.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &str> {
        let fields = self.guards.iter().filter_map(Posted::reads);
        fields.flatten().map(String::as_str)
    }

    /// Whether the procedure, or a guard before it, may answer with this fault: the description says
    /// so, or it holds for every procedure.
    pub(crate) fn may_answer(&self, fault: &Fault) -> bool {
        let code = fault.code();
        if fault.is_protocols_own() {
            return true;
        }
        if code::RESERVED.contains(&code) {
            let open = self.description.errors_open || fault.is_denial();
            return open && code::is_implementation_defined(code);
        }
        self.description.errors_open || self.declares(code)
    }

    fn declares(&self, code: i64) -> bool {
        let mut declared = self.description.errors.iter();
        declared.any(|error| error.code == code)
    }
}

//! A procedure as the service keeps it.

use std::sync::Arc;
use std::time::Duration;

use docent_describe::ProcedureDescription;

use crate::bind::{Adapter, Plan};
use crate::code;
use crate::fault::Fault;
use crate::guard::{Attempt, Posted};
use crate::incident::Incidents;
use crate::procedure::Invoke;

/// A procedure that can be called.
pub(crate) struct Entry {
    pub(crate) description: Arc<ProcedureDescription>,
    pub(crate) plan: Plan,
    pub(crate) adapter: Adapter,
    pub(crate) handler: Box<dyn Invoke>,
    pub(crate) timeout: Duration,
    pub(crate) cache_for: Option<Duration>,
    pub(crate) shared_cache: bool,
    pub(crate) guards: Box<[Posted]>,
    /// Those of the whole service. They are here so that a call need not keep them.
    pub(crate) incidents: Arc<Incidents>,
}

impl Entry {
    /// Whether GET may run the procedure. This is the one place that decides it.
    pub(crate) fn is_callable_with_get(&self) -> bool {
        self.description.idempotent
    }

    /// Asks the guards that stand before the procedure, until one refuses.
    pub(crate) fn ask_guards(&self, attempt: &Attempt<'_>) -> Result<(), Fault> {
        let refused = self
            .guards
            .iter()
            .find_map(|guard| guard.check(attempt).err());
        refused.map_or(Ok(()), |refused| Err(refused.0))
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
            return open && code::is_left_to_servers(code);
        }
        self.description.errors_open || self.declares(code)
    }

    fn declares(&self, code: i64) -> bool {
        let mut declared = self.description.errors.iter();
        declared.any(|error| error.code == code)
    }
}

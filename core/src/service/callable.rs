//! A procedure as the service keeps it.

use std::sync::Arc;

use crate::bind::{Adapter, Plan};
use crate::call::Callee;
use crate::procedure::Invoke;

/// A procedure that can be called: what its calls know of it, and how it is called.
#[derive(Clone)]
pub(super) struct Callable {
    pub(super) callee: Arc<Callee>,
    /// Procedures that take the same type share these two.
    pub(super) plan: Arc<Plan>,
    pub(super) adapter: Arc<Adapter>,
    pub(super) handler: Arc<dyn Invoke>,
}

impl Callable {
    /// Whether GET may run the procedure. This is the one place that decides it.
    pub(super) fn is_callable_with_get(&self) -> bool {
        self.callee.description.idempotent
    }
}

//! Procedures as the service keeps them.
//!
//! It joins what calls know of a procedure with its handler.

use std::sync::Arc;

use crate::bind::{Adapter, Plan};
use crate::call::Callee;
use crate::procedure::Invoke;

/// A procedure that can be called: the properties that its calls need, and the handler with its
/// plans.
#[derive(Clone)]
pub(super) struct Callable {
    pub(super) callee: Arc<Callee>,
    /// Procedures that take the same type share these two.
    pub(super) plan: Arc<Plan>,
    pub(super) adapter: Arc<Adapter>,
    pub(super) handler: Arc<dyn Invoke>,
}

impl Callable {
    /// Returns whether GET may run the procedure. Only this function decides it.
    pub(super) fn is_callable_with_get(&self) -> bool {
        self.callee.description.idempotent
    }
}

//! Procedures that are being assembled.

use std::sync::Arc;

use docent_describe::ProcedureDescription;

use super::shapes::{Seen, Shapes};
use crate::call::Access;
use crate::errors::ErrorList;
use crate::guard::Guard;
use crate::procedure::Registered;

/// A procedure that is being assembled: described, then planned.
pub(super) struct Draft {
    pub(super) description: ProcedureDescription,
    pub(super) guards: Vec<Arc<dyn Guard>>,
    pub(super) access: Option<Access>,
    pub(super) registered: Arc<Registered>,
    /// The errors that the procedure and its guards declare.
    pub(super) errors: ErrorList,
    pub(super) shapes: Shapes,
}

impl Draft {
    pub(super) fn new(registered: Arc<Registered>, seen: &mut Seen) -> Self {
        Self {
            description: ProcedureDescription::default(),
            guards: Vec::new(),
            access: None,
            errors: registered.types.errors.clone(),
            shapes: seen.shapes(&registered.types),
            registered,
        }
    }

    /// Returns whether the procedure is closed to some callers.
    pub(super) fn is_guarded(&self) -> bool {
        !self.guards.is_empty() || self.access.as_ref().is_some_and(|access| access.required)
    }
}

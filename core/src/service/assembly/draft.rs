//! A procedure on its way to being callable.

use std::sync::Arc;

use docent_describe::ProcedureDescription;

use super::shapes::{Seen, Shapes};
use crate::call::Access;
use crate::errors::ErrorList;
use crate::guard::Guard;
use crate::procedure::Registered;

/// A procedure on its way: described, then planned.
pub(super) struct Draft {
    pub(super) description: ProcedureDescription,
    pub(super) guards: Vec<Arc<dyn Guard>>,
    pub(super) access: Option<Access>,
    pub(super) registered: Arc<Registered>,
    /// What the procedure declares, and its guards.
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

    /// Whether not every caller may call it.
    pub(super) fn is_guarded(&self) -> bool {
        !self.guards.is_empty() || self.access.as_ref().is_some_and(|access| access.required)
    }
}

//! Schemas in a document that has the shared schemas in its own `$defs`.

use super::schemas::redirected;
use crate::json::Json;
use crate::schema::{COMPONENTS_PREFIX, component_entered};

/// Returns a schema for such a document: `#/components/schemas/Book` becomes `#/$defs/Book`.
pub(super) fn rebased(schema: &Json) -> Json {
    redirected(schema, |reference| {
        component_entered(reference)?;
        Some(format!("#/$defs/{}", &reference[COMPONENTS_PREFIX.len()..]))
    })
}

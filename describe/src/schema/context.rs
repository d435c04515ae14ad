//! The context that a schema's meaning depends on: the targets of its references, and the formats that
//! are checked.
//!
//! A schema without its context is only text. Trees, views, checks and examples are made from both.

use indexmap::IndexMap;

use crate::json::Json;
use crate::{Origin, ServiceDescription};

/// The shared schemas of a description, and the formats that are checked.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct SchemaContext<'j> {
    /// The shared schemas.
    pub components: &'j IndexMap<String, Json>,
    /// The formats that the service checks; others are annotations. `None` if it is unknown which
    /// formats are checked.
    pub enforced_formats: Option<&'j [String]>,
}

impl<'j> SchemaContext<'j> {
    /// Creates the context of schemas that refer to these shared ones.
    pub const fn new(
        components: &'j IndexMap<String, Json>,
        enforced_formats: Option<&'j [String]>,
    ) -> Self {
        Self {
            components,
            enforced_formats,
        }
    }
}

impl<'j> From<&'j ServiceDescription> for SchemaContext<'j> {
    /// Returns the context of the schemas of a description.
    ///
    /// Only a description in Docent's own format lists the formats that are checked.
    fn from(service: &'j ServiceDescription) -> Self {
        let enforced_formats = match service.origin {
            Origin::Docent => Some(service.enforced_formats.as_slice()),
            _ => None,
        };
        Self {
            components: &service.components.schemas,
            enforced_formats,
        }
    }
}

impl SchemaContext<'_> {
    /// Returns whether a format is checked; `None` if that is unknown.
    pub fn enforces(&self, format: &str) -> Option<bool> {
        let enforced = self.enforced_formats?;
        Some(enforced.iter().any(|enforced| enforced == format))
    }
}

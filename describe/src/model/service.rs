use indexmap::IndexMap;

use super::ProcedureDescription;
use crate::json::{Json, Object};

/// A service and everything that can be called on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServiceDescription {
    /// A simple name for the service.
    pub name: String,
    /// A URI (RFC 3986) that identifies the service globally, in its author's own spelling.
    pub id: String,
    /// The service's version, any text.
    pub version: Option<String>,
    /// One sentence on the purpose of the service.
    pub summary: Option<String>,
    /// Everything else worth saying, in Markdown.
    pub description: Option<String>,
    /// The URL of documentation for people.
    pub help: Option<String>,
    /// The URL to which calls are sent.
    pub address: Option<String>,
    /// The procedures, in the order in which they were registered.
    pub procs: Vec<ProcedureDescription>,
    /// What the procedures share.
    pub components: Components,
    /// What a caller may have to bring, by name.
    pub security_schemes: IndexMap<String, Json>,
    /// Members that the format does not define; their names start with `$`.
    pub extensions: Object,
}

impl ServiceDescription {
    /// The description of the procedure with this name.
    pub fn procedure(&self, name: &str) -> Option<&ProcedureDescription> {
        self.procs.iter().find(|procedure| procedure.name == name)
    }
}

/// What procedures share.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Components {
    /// JSON Schemas (2020-12) by name, referred to as `#/components/schemas/{name}`.
    pub schemas: IndexMap<String, Json>,
}

//! A service: its identity, its procedures, and the components that they share.

use indexmap::{IndexMap, IndexSet};

use super::procedure::ProcedureDescription;
use super::subscription::Carrier;
use crate::json::{Json, Object};

/// A service and its procedures.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ServiceDescription {
    /// A simple name for the service.
    pub name: String,
    /// A URI (RFC 3986) that identifies the service globally, as written by its author.
    pub id: String,
    /// The version of the service, any text.
    pub version: Option<String>,
    /// A summary of the service, one sentence.
    pub summary: Option<String>,
    /// The rest of the documentation, in Markdown.
    pub description: Option<String>,
    /// The URL of documentation for people.
    pub help: Option<String>,
    /// The URL for calls.
    pub address: Option<String>,
    /// The carriers of messages, if the service names more than its address.
    pub carriers: Vec<Carrier>,
    /// The procedures, in the order of registration.
    pub procs: Vec<ProcedureDescription>,
    /// Shared definitions.
    pub components: Components,
    /// The formats (JSON Schema's `format`) in its schemas that the service checks.
    pub enforced_formats: Vec<String>,
    /// The security schemes that procedures may require, by name.
    pub security_schemes: Object,
    /// The format in which the service describes itself. If it is not Docent's own, nothing is known about the service
    /// beside its description.
    pub origin: Origin,
    /// Extensions; their names start with `$`.
    pub extensions: Object,
}

impl ServiceDescription {
    /// Returns the header fields in which security schemes want an API key, each once.
    pub fn api_key_fields(&self) -> IndexSet<&str> {
        self.security_schemes
            .values()
            .filter_map(api_key_field)
            .collect()
    }

    /// Creates a service without procedures. The id is a URI (RFC 3986).
    pub fn new(name: impl Into<String>, id: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            id: id.into(),
            ..Self::default()
        }
    }

    /// Returns the procedure with this name. If clients call one and the service sends another, it is the one
    /// that clients call.
    pub fn procedure(&self, name: &str) -> Option<&ProcedureDescription> {
        let mut sent = None;
        for procedure in &self.procs {
            if procedure.name == name {
                if procedure.is_called_by_clients() {
                    return Some(procedure);
                }
                sent = sent.or(Some(procedure));
            }
        }
        sent
    }

    /// Returns the procedures that clients call and that give a single answer; see
    /// [`ProcedureDescription::is_a_call`].
    pub fn calls(&self) -> impl Iterator<Item = &ProcedureDescription> {
        self.procs.iter().filter(|procedure| procedure.is_a_call())
    }

    /// Returns whether clients call a procedure over HTTP. A subscription responds with events there, unless the service
    /// names its carriers without them. Nothing is known of the subscriptions of services that Docent does not serve.
    pub fn is_called_over_http(&self, procedure: &ProcedureDescription) -> bool {
        let has_events = self.origin == Origin::Docent
            && (self.carriers.is_empty()
                || self.carriers.iter().any(|carrier| carrier.name == "sse"));
        procedure.is_a_call() || procedure.is_called_by_clients() && has_events
    }
}

named_variants! {
    /// The format in which a service describes itself.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Origin {
        /// Docent's own format: the service is served by Docent.
        #[default]
        Docent = "docent",
        /// A JSON-RPC 1.1 (working draft) service description.
        JsonRpc11 = "json-rpc-1.1",
        /// An OpenRPC document.
        OpenRpc = "openrpc",
        /// The tools of a server of the Model Context Protocol.
        Mcp = "mcp",
    }
}

/// Definitions that procedures share.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Components {
    /// JSON Schemas (2020-12) by name, for references such as `#/components/schemas/{name}`.
    pub schemas: IndexMap<String, Json>,
}

/// Returns the header field that a security scheme wants an API key in.
fn api_key_field(scheme: &Json) -> Option<&str> {
    let [kind, location, name] = ["type", "in", "name"].map(|member| scheme.get_str(member));
    if kind != Some("apiKey") || location != Some("header") {
        return None;
    }
    name
}

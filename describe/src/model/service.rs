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
    /// The formats (JSON Schema's `format`) that the service checks, of those in its schemas.
    pub enforced_formats: Vec<String>,
    /// The security schemes that procedures may require, by name.
    pub security_schemes: IndexMap<String, Json>,
    /// The format in which the service describes itself. Where that is not Docent's own, nothing is
    /// known of its behaviour beyond what is said here.
    pub origin: Origin,
    /// Members that the format does not define; their names start with `$`.
    pub extensions: Object,
}

impl ServiceDescription {
    /// The description of the procedure with this name.
    pub fn procedure(&self, name: &str) -> Option<&ProcedureDescription> {
        self.procs.iter().find(|procedure| procedure.name == name)
    }
}

/// The format in which a service describes itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// Docent's own: Docent serves it, and it behaves as Docent's services do.
    #[default]
    Docent,
    /// A Service Description of the JSON-RPC 1.1 working draft.
    JsonRpc11,
    /// An OpenRPC document.
    OpenRpc,
}

impl Origin {
    /// The word that stands in a description.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Docent => "docent",
            Self::JsonRpc11 => "json-rpc-1.1",
            Self::OpenRpc => "openrpc",
        }
    }

    /// The origin that a word stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Docent, Self::JsonRpc11, Self::OpenRpc]
            .into_iter()
            .find(|origin| origin.as_str() == word)
    }
}

/// What procedures share.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Components {
    /// JSON Schemas (2020-12) by name, referred to as `#/components/schemas/{name}`.
    pub schemas: IndexMap<String, Json>,
}

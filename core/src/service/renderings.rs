//! The description of a service in every format, each rendered on first use.
//!
//! Most services are never asked for most formats, so each waits until somebody asks. A rendering
//! is then sent without a copy.

use std::collections::HashSet;
use std::sync::OnceLock;

use bytes::Bytes;
use docent_describe::ServiceDescription;
use docent_describe::render::{
    self, OpenApiOptions, OpenApiText, OpenRpcOptions, OpenRpcText, OpenRpcVersion,
};
use schemars::JsonSchema;

use super::registration::Registration;
use crate::wire::Protocol;

/// A description and its renderings. Variants of a service with the same description share them.
#[derive(Default)]
pub(crate) struct Renderings {
    pub(super) description: ServiceDescription,
    openrpc: OpenRpcOptions,
    /// Set if OpenAPI documents leave out GET, because it answers in another protocol than 2.0, or because the
    /// carrier has none.
    omit_get: bool,
    /// The path at which a transport serves the service.
    mount: OnceLock<String>,
    describe: OnceRendered,
    system: OnceRendered,
    /// The renderings of `rpc.discover`, one for each version.
    discover: [OnceRendered; 3],
    /// The renderings of `rpc.openapi`, before and after the path was known.
    openapi: [OnceRendered; 2],
}

/// A rendering, once it is needed.
type OnceRendered = OnceLock<Rendered>;

impl Renderings {
    pub(super) fn new(description: ServiceDescription, registration: &Registration) -> Self {
        Self {
            description,
            openrpc: registration.openrpc,
            omit_get: registration.protocols.get != Protocol::V2_0,
            ..Self::default()
        }
    }

    /// Creates the renderings of another description of the same service.
    pub(super) fn with_description(&self, description: ServiceDescription) -> Self {
        Self {
            description,
            openrpc: self.openrpc,
            omit_get: self.omit_get,
            mount: self.mount.clone(),
            ..Self::default()
        }
    }

    /// Leaves out GET in OpenAPI documents.
    pub(super) fn without_get(self) -> Self {
        Self {
            omit_get: true,
            ..self
        }
    }

    /// Returns the description for `rpc.describe`.
    pub(super) fn describe(&self) -> Rendered {
        self.rendered("rpc.describe", &self.describe, || {
            render::describe(&self.description).to_string()
        })
    }

    /// Returns the description for `rpc.describe`, limited to some procedures.
    ///
    /// # Errors
    /// The unknown names.
    pub(super) fn excerpt(&self, names: &[String]) -> Result<Rendered, Vec<String>> {
        let part = self.description.excerpt(names);
        let known: HashSet<&String> = part.procs.iter().map(|procedure| &procedure.name).collect();
        let unknown: Vec<String> = names
            .iter()
            .filter(|name| !known.contains(name))
            .cloned()
            .collect();
        if unknown.is_empty() {
            Ok(Rendered::new(render::describe(&part).to_string()))
        } else {
            Err(unknown)
        }
    }

    /// Returns the description for `system.describe`.
    pub(super) fn system(&self) -> Rendered {
        self.rendered("system.describe", &self.system, || {
            render::system_describe(&self.description).to_string()
        })
    }

    /// Returns the description for `rpc.discover`, in the requested version or else in the one that
    /// the service is configured for.
    pub(super) fn discover(&self, version: Option<OpenRpcVersion>) -> Rendered {
        let version = version.unwrap_or(self.openrpc.version);
        let cell = &self.discover[version as usize];
        let mut options = self.openrpc;
        options.version = version;
        self.rendered("rpc.discover", cell, || {
            let service = &self.description;
            OpenRpcText { service, options }.to_string()
        })
    }

    /// Returns the description for `rpc.openapi`.
    pub(super) fn openapi(&self) -> Rendered {
        let mount = self.mount.get();
        let mut options = OpenApiOptions::default();
        options.mount = mount.map(String::as_str);
        options.omit_get = self.omit_get;
        let cell = &self.openapi[usize::from(mount.is_some())];
        self.rendered("rpc.openapi", cell, || {
            let service = &self.description;
            OpenApiText { service, options }.to_string()
        })
    }

    /// Sets the path at which a transport serves the service. The first one counts.
    pub(super) fn set_mount(&self, path: &str) {
        self.mount.get_or_init(|| path.to_owned());
    }

    fn rendered(
        &self,
        procedure: &str,
        cell: &OnceRendered,
        text: impl FnOnce() -> String,
    ) -> Rendered {
        cell.get_or_init(|| {
            let service = &*self.description.name;
            tracing::debug!(service, procedure, "rendered the description");
            Rendered::new(text())
        })
        .clone()
    }
}

/// JSON text that is sent without being copied. Clones share the text.
#[derive(Clone, JsonSchema)]
#[schemars(inline)]
pub(super) struct Rendered(#[schemars(with = "serde_json::Value")] Bytes);

impl Rendered {
    fn new(text: String) -> Self {
        Self(text.into_boxed_str().into_boxed_bytes().into())
    }
}

impl From<Rendered> for Bytes {
    fn from(rendered: Rendered) -> Self {
        rendered.0
    }
}

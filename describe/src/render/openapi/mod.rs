//! Renders OpenAPI documents, for tools that know HTTP APIs but not JSON-RPC.
//!
//! Each procedure has an address of its own below the mount, so that it becomes a path with operations. A call by POST is
//! described with its envelope, and one by GET with its query, statuses and envelope. A subscription is such a call, and
//! responds with events.
//!
//! ```json
//! {"paths": {"/rpc/book.get": {
//!     "get":  {"parameters": [{"name": "id", "in": "query"}], "responses": {"200": {}, "404": {}}},
//!     "post": {"requestBody": {"content": {"application/json": {"schema": {"properties": {
//!                 "jsonrpc": {"const": "2.0"}, "method": {"const": "book.get"}, "params": {}, "id": {}}}}}},
//!              "responses": {"200": {}}}}},
//!  "components": {"schemas": {"Book": {}, "JsonRpcId": {}}}}
//! ```
//!
//! [`operation`] writes the request, [`responses`] the envelopes and statuses, [`subscription`] events, and [`query`]
//! decides which parameters GET can carry. The schemas are those of the description, changed for generators of clients:
//! [`names`] renames components, and [`enums`] unites documented values. The obvious way, one path for the whole
//! service with an alternative for each procedure, would be shorter, but no generator makes a function of each
//! alternative.

mod enums;
mod errors;
mod examples;
mod names;
mod operation;
mod query;
mod responses;
mod subscription;

use std::collections::HashSet;
use std::fmt::{self, Write};

use indexmap::IndexSet;
use percent_encoding::{AsciiSet, utf8_percent_encode};

use super::openrpc::{external_docs, tag};
use super::streamed::{write_begin, write_end, write_separated};
use crate::json::{Json, Name, Object};
use crate::openrpc::INFO_MEMBERS;
use crate::schema::component_names::all_but;
use crate::{Origin, ProcedureDescription, ServiceDescription};
use errors::protocol_error;
use names::{ComponentNames, PROTOCOL_ERROR};

/// The components that every document has.
const SHARED_COMPONENTS: &str = include_str!("shared.json");

/// The characters to encode in a segment of a path: all but the unreserved ones (RFC 3986, section 2.3).
const ENCODED_IN_PATHS: &AsciiSet = &all_but(b"-._~");

/// The options of an OpenAPI document, for what a description does not contain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenApiOptions<'o> {
    /// The path of the service on its server, such as `/rpc`.
    pub mount: Option<&'o str>,
    /// The URL for calls of a service whose description has none.
    pub address: Option<&'o str>,
    /// Set to leave out calls by GET, for a service that answers them in another protocol than JSON-RPC 2.0.
    pub omit_get: bool,
}

/// Renders a service that Docent serves as an OpenAPI 3.1 document, the result of `rpc.openapi`.
///
/// Only services that Docent serves have known addresses for their procedures: for a description of another
/// [origin](crate::Origin), the document has no paths. What a service sends by itself has none either. A subscription
/// responds with `text/event-stream`, and has the extension `x-subscription`.
///
/// ```
/// use docent::describe::render::{OpenApiOptions, openapi};
/// use docent::describe::{ProcedureDescription, ServiceDescription};
///
/// let mut service = ServiceDescription::new("greeter", "urn:example:greeter");
/// service.procs = vec![ProcedureDescription::new("hello")];
/// let mut options = OpenApiOptions::default();
/// options.mount = Some("/rpc");
/// let document = openapi(&service, options);
/// let paths = document.get("paths").unwrap();
/// assert!(paths.get("/rpc/hello").and_then(|path| path.get("post")).is_some());
/// ```
pub fn openapi(service: &ServiceDescription, options: OpenApiOptions<'_>) -> Json {
    let writer = Writer::new(service);
    writer
        .head(options)
        .with("paths", writer.paths(options).collect::<Object>())
        .with("components", writer.components())
        .into()
}

/// An OpenAPI document as text: the same as [`openapi`], but written path by path, so that the document of a
/// large service takes little memory.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "these are the arguments of `openapi`"
)]
pub struct OpenApiText<'s> {
    /// The service.
    pub service: &'s ServiceDescription,
    /// The options of the document.
    pub options: OpenApiOptions<'s>,
}

impl fmt::Display for OpenApiText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let writer = Writer::new(self.service);
        let paths = writer
            .paths(self.options)
            .map(|(path, methods)| format!("{}:{methods}", Json::from(path)));
        write_begin(f, writer.head(self.options), "paths")?;
        f.write_char('{')?;
        write_separated(f, paths)?;
        f.write_char('}')?;
        write_end(f, Object::new().with("components", writer.components()))
    }
}

/// Writes the parts of a document, with all that each of them needs.
struct Writer<'s> {
    service: &'s ServiceDescription,
    schemas: ComponentNames,
    security: ComponentNames,
}

impl<'s> Writer<'s> {
    fn new(service: &'s ServiceDescription) -> Self {
        Self {
            service,
            schemas: ComponentNames::new(service.components.schemas.keys().map(String::as_str)),
            security: ComponentNames::new(service.security_schemes.keys().map(Name::as_str)),
        }
    }

    /// Returns the members before the paths.
    fn head(&self, options: OpenApiOptions<'_>) -> Object {
        let service = self.service;
        let docs = external_docs(service.help.as_ref(), &service.extensions);
        let address = ServiceAddress::new(service, options);
        Object::new()
            .with("openapi", "3.1.1")
            .with("info", info(service))
            .maybe("externalDocs", docs)
            .list("servers", [Object::new().with("url", address.server)])
            .list("tags", self.tags())
    }

    /// Returns the procedures that clients call.
    fn called(&self) -> impl Iterator<Item = &'s ProcedureDescription> {
        self.service
            .procs
            .iter()
            .filter(|procedure| procedure.is_called_by_clients())
    }

    /// Returns the tags of all procedures, in the order of their first use.
    fn tags(&self) -> impl Iterator<Item = Object> {
        let names: IndexSet<&String> = self
            .called()
            .flat_map(|procedure| &procedure.tags)
            .collect();
        names.into_iter().map(|name| tag(name, self.service))
    }

    /// Returns the path of each procedure, with its methods.
    fn paths(&self, options: OpenApiOptions<'s>) -> impl Iterator<Item = (String, Json)> {
        let address = ServiceAddress::new(self.service, options);
        let mut operation_ids: HashSet<String> = self
            .service
            .procs
            .iter()
            .map(|procedure| procedure.name.clone())
            .collect();
        // The addresses of procedures of other services are unknown.
        let has_paths = self.service.origin == Origin::Docent;
        self.called()
            .filter(move |_| has_paths)
            .map(move |procedure| {
                let mut methods = Object::new();
                if !options.omit_get
                    && let Some(get) = self.get(procedure)
                {
                    let mut id = format!("{}_get", procedure.name);
                    while !operation_ids.insert(id.clone()) {
                        id.push('_');
                    }
                    let get = Object::new().with("operationId", id).with_new(get);
                    methods.insert("get", get.into());
                }
                methods.insert("post", self.post(procedure).into());
                let name = utf8_percent_encode(&procedure.name, ENCODED_IN_PATHS);
                (format!("{}/{name}", address.mount), methods.into())
            })
    }

    /// Returns the components: those of the service beside those that every document has.
    fn components(&self) -> Object {
        let mut components = match SHARED_COMPONENTS.parse() {
            Ok(Json::Object(shared)) => shared,
            _ => Object::new(),
        };
        let mut schemas = Object::new();
        for (name, schema) in &self.service.components.schemas {
            schemas.insert(self.schemas.get(name), self.schemas.schema(schema));
        }
        // A component never has the name of one that is shared.
        if let Some(Json::Object(shared)) = components.get("schemas") {
            schemas = schemas.with_new(shared);
        }
        schemas.insert(PROTOCOL_ERROR, protocol_error().into());
        components.insert("schemas", schemas.into());
        let mut security = Object::new();
        for (name, scheme) in &self.service.security_schemes {
            security.insert(self.security.get(name.as_str()), scheme.clone());
        }
        components.object("securitySchemes", security)
    }
}

/// The URL of the server, and the path of the service on it.
struct ServiceAddress<'s> {
    server: &'s str,
    mount: &'s str,
}

impl<'s> ServiceAddress<'s> {
    fn new(service: &'s ServiceDescription, options: OpenApiOptions<'s>) -> Self {
        let mount = options.mount.unwrap_or_default().trim_end_matches('/');
        let Some(url) = service.address.as_deref().or(options.address) else {
            return Self { server: "/", mount };
        };
        let address = url.trim_end_matches('/');
        match address.strip_suffix(mount) {
            Some(server) => Self { server, mount },
            // A proxy serves it at another path.
            None => Self {
                server: address,
                mount: "",
            },
        }
    }
}

fn info(service: &ServiceDescription) -> Object {
    let mut info = Object::new()
        .with("title", service.name.as_str())
        .text("summary", service.summary.as_ref())
        .text("description", service.description.as_ref())
        // A version is required. Package managers use this one for "no version".
        .with("version", service.version.as_deref().unwrap_or("0.0.0"));
    for (extension, member) in INFO_MEMBERS {
        info = info.maybe(member, service.extensions.get(extension));
    }
    info
}

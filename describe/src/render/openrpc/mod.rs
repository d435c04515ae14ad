//! Renders OpenRPC documents for the tools that read them.
//!
//! Each procedure becomes a method ([`method`]), and so do the notifications of subscriptions ([`sent`]). OpenRPC has
//! fewer members than the model, and its schemas are those of draft-07 ([`draft07`]). All that it lacks goes into
//! extensions (`x-…`), so that `docent-tools` reads the same description again:
//!
//! ```json
//! {"openrpc": "1.3.2", "info": {"title": "library", "version": "2.1"},
//!  "methods": [{"name": "book.get", "params": [{"name": "id", "required": true, "schema": {"type": "integer"}}],
//!               "result": {"name": "result", "schema": {"$ref": "#/components/schemas/Book"}},
//!               "x-idempotent": true}],
//!  "components": {"schemas": {"Book": {}}}}
//! ```
//!
//! The obvious way would be to write schemas as they are, since OpenRPC only refers to JSON Schema. But its tools compile
//! draft-07, replace references by their targets until none is left ([`cut`]), and pair examples with parameters by
//! position ([`examples`]). What they would misread is changed, and the original is in an extension beside it.

mod cut;
mod draft07;
mod examples;
mod method;
mod sent;

use std::fmt::{self, Write};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::json::{Json, Object};
use crate::openrpc::{
    EXTERNAL_DOCS, INFO_MEMBERS, LINKS, PARAM_STRUCTURE, RESULT_NAME, SERVERS, TAG_DESCRIPTIONS,
    X_CARRIERS, X_ENFORCED_FORMATS, X_ID, X_ORIGIN_FORMAT, X_SCHEMAS, X_SECURITY_SCHEMES, X_TEXTS,
    X_UNVERSIONED, to_openrpc,
};
use crate::render::streamed::{write_begin, write_end, write_separated};
use crate::render::values;
use crate::schema::has_scheme;
use crate::schema::type_code;
use crate::{ProcedureDescription, ServiceDescription, TypeCode, split_documentation};
use cut::{CutReferences, Cuts};
use draft07::Conversion;
pub use draft07::is_not_in_draft07;

named_variants! {
    /// The versions of OpenRPC that can be rendered.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
    #[schemars(inline)]
    pub enum OpenRpcVersion {
        /// 1.2.6, in which every method has a result.
        #[serde(rename = "1.2.6")]
        V1_2_6 = "1.2.6",
        /// 1.3.2.
        #[default]
        #[serde(rename = "1.3.2")]
        V1_3_2 = "1.3.2",
        /// 1.4.1.
        #[serde(rename = "1.4.1")]
        V1_4_1 = "1.4.1",
    }
}

/// The options for rendering an OpenRPC document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenRpcOptions {
    /// The version of OpenRPC.
    pub version: OpenRpcVersion,
    /// Set to keep references that form a cycle.
    ///
    /// They are allowed, but the OpenRPC JavaScript tools run out of memory on them. By default,
    /// the reference that closes a cycle becomes `{description, "x-ref"}`.
    pub keep_recursion: bool,
}

impl From<OpenRpcVersion> for OpenRpcOptions {
    fn from(version: OpenRpcVersion) -> Self {
        Self {
            version,
            ..Self::default()
        }
    }
}

/// Renders a service as an OpenRPC document, the result of `rpc.discover`.
///
/// ```
/// use docent::describe::render::{OpenRpcVersion, openrpc};
/// use docent::describe::{ProcedureDescription, ServiceDescription};
///
/// let mut service = ServiceDescription::new("greeter", "urn:example:greeter");
/// service.procs = vec![ProcedureDescription::new("hello")];
/// let document = openrpc(&service, OpenRpcVersion::V1_4_1);
/// assert_eq!(document.get("openrpc").and_then(|version| version.as_str()), Some("1.4.1"));
/// ```
pub fn openrpc(service: &ServiceDescription, options: impl Into<OpenRpcOptions>) -> Json {
    let options = options.into();
    let writer = Writer::new(service, options);
    writer
        .head()
        .list_always("methods", writer.methods())
        .with_new(writer.tail(options))
        .into()
}

/// An OpenRPC document as text: the same as [`openrpc`], but written method by method, so that the document of a large
/// service takes little memory.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "these are the arguments of `openrpc`"
)]
pub struct OpenRpcText<'s> {
    /// The service.
    pub service: &'s ServiceDescription,
    /// The options of the document.
    pub options: OpenRpcOptions,
}

impl fmt::Display for OpenRpcText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let writer = Writer::new(self.service, self.options);
        write_begin(f, writer.head(), "methods")?;
        f.write_char('[')?;
        write_separated(f, writer.methods().map(Json::from))?;
        f.write_char(']')?;
        write_end(f, writer.tail(self.options))
    }
}

/// Writes the parts of a document, with all that each of them needs.
#[derive(Clone, Copy)]
struct Writer<'d> {
    version: OpenRpcVersion,
    service: &'d ServiceDescription,
}

impl<'d> Writer<'d> {
    fn new(service: &'d ServiceDescription, options: OpenRpcOptions) -> Self {
        Self {
            version: options.version,
            service,
        }
    }

    /// Returns the members before the methods.
    fn head(self) -> Object {
        let service = self.service;
        let docs = external_docs(service.help.as_ref(), &service.extensions);
        Object::new()
            .with("openrpc", self.version.as_str())
            .with("info", info(service))
            .maybe("externalDocs", docs)
            .maybe("servers", servers(service))
    }

    /// Returns the methods: the procedures, and the notifications by the service.
    fn methods(self) -> impl Iterator<Item = Object> {
        self.service
            .procs
            .iter()
            .map(move |procedure| method::method(procedure, self))
            .chain(sent::notifications(self))
    }

    /// Returns the members behind the methods.
    fn tail(self, options: OpenRpcOptions) -> Object {
        let service = self.service;
        let schemas = schemas(options, self);
        let components = Object::new()
            .object("schemas", schemas.converted)
            .object(X_SCHEMAS, schemas.originals)
            .object(X_SECURITY_SCHEMES, service.security_schemes.clone());
        let formats = service.enforced_formats.iter().map(String::as_str);
        let tail = Object::new()
            .object("components", components)
            .list(X_CARRIERS, service.carriers.iter().map(values::carrier))
            .list(X_ENFORCED_FORMATS, formats)
            .with(X_ORIGIN_FORMAT, service.origin.as_str());
        extensions(tail, &service.extensions)
    }

    /// Returns the conversion of schemas that cuts no references.
    fn conversion(&self) -> Conversion<'d> {
        Conversion {
            cut: CutReferences::default(),
            enforced_formats: &self.service.enforced_formats,
        }
    }

    /// Returns a schema if it is another in draft-07.
    fn original<'s>(&self, schema: &'s Json) -> Option<&'s Json> {
        (!self.conversion().is_same(schema)).then_some(schema)
    }

    /// Returns the name of a type if it cannot be derived from the schema.
    fn type_name(&self, code: TypeCode, schema: &Json) -> Option<&'static str> {
        let derived = type_code(schema, &self.service.components.schemas);
        (code != derived).then(|| code.as_str())
    }
}

/// The schemas that procedures share, by name.
#[derive(Default)]
struct SharedSchemas {
    converted: Object,
    /// The originals of those that are others in draft-07.
    originals: Object,
}

/// Converts the schemas that procedures share.
fn schemas(options: OpenRpcOptions, writer: Writer<'_>) -> SharedSchemas {
    let cuts = if options.keep_recursion {
        Cuts::default()
    } else {
        Cuts::find(writer.service)
    };
    let mut shared = SharedSchemas::default();
    for (name, original) in &writer.service.components.schemas {
        let conversion = Conversion {
            cut: cuts.in_component(name),
            ..writer.conversion()
        };
        let converted = conversion.schema(original);
        if converted != *original {
            shared.originals.insert(name, original.clone());
        }
        shared.converted.insert(name, converted);
    }
    shared
}

/// Returns `info`. OpenRPC has one text there, so texts that a reader could not split again are kept in extensions.
fn info(service: &ServiceDescription) -> Object {
    let texts = [&service.summary, &service.description];
    let mut info = Object::new()
        .with("title", service.name.as_str())
        // A version is required. Package managers use this one for "no version".
        .with("version", service.version.as_deref().unwrap_or("0.0.0"))
        .paragraphs("description", &texts.map(Option::as_deref));
    for (extension, member) in INFO_MEMBERS {
        info = info.maybe(member, service.extensions.get(extension));
    }
    let text = info.get_str("description").unwrap_or_default();
    let (summary, description) = split_documentation(text);
    if texts != [&summary, &description] {
        for (member, text) in X_TEXTS.into_iter().zip(texts) {
            info = info.text(member, text.as_ref());
        }
    }
    info.flag(X_UNVERSIONED, service.version.is_none())
        .with(X_ID, service.id.as_str())
}

/// Returns a tag with its description.
pub(super) fn tag(name: &str, service: &ServiceDescription) -> Object {
    let descriptions = service.extensions.get(TAG_DESCRIPTIONS);
    Object::new()
        .with("name", name)
        .maybe("description", descriptions.and_then(|all| all.get(name)))
}

/// Returns the link to documentation elsewhere, with all members that an imported document had for it.
pub(super) fn external_docs(help: Option<&String>, extensions: &Object) -> Option<Object> {
    let imported = extensions.get(EXTERNAL_DOCS).and_then(Json::as_object);
    let url = Object::new().with("url", help?.as_str());
    Some(url.with_new(imported.into_iter().flatten()))
}

/// Returns the servers with absolute URLs. A relative one would be meaningless in a saved document.
fn servers(service: &ServiceDescription) -> Option<Vec<Json>> {
    let imported = service.extensions.get(SERVERS).and_then(Json::as_array);
    let Some(servers) = imported else {
        let address = service.address.as_deref().filter(|url| has_scheme(url))?;
        let server = Object::new()
            .with("name", server_name(service))
            .with("url", address);
        return Some(vec![server.into()]);
    };
    let mut named = Vec::new();
    for server in servers {
        if server.get_str("url").is_some_and(has_scheme) {
            named.push(with_name(service, server));
        }
    }
    (!named.is_empty()).then_some(named)
}

/// Returns a name for a server without one, because some readers require it.
fn server_name(service: &ServiceDescription) -> &str {
    match &*service.name {
        "" => "default",
        name => name,
    }
}

/// Returns a server with a name.
fn with_name(service: &ServiceDescription, server: &Json) -> Json {
    match server {
        Json::Object(members) if !members.contains_key("name") => Object::new()
            .with("name", server_name(service))
            .with_new(members.iter())
            .into(),
        server => server.clone(),
    }
}

/// Adds the extensions that have no member of OpenRPC.
fn extensions(members: Object, extensions: &Object) -> Object {
    let others = extensions
        .iter()
        .filter(|(name, _)| name.as_str().starts_with('$') && !is_member(name.as_str()))
        .map(|(name, value)| (to_openrpc(name.as_str()), value));
    members.with_new(others)
}

/// Returns whether an extension of the model is written as a member of OpenRPC.
fn is_member(extension: &str) -> bool {
    let named = [
        SERVERS,
        LINKS,
        EXTERNAL_DOCS,
        PARAM_STRUCTURE,
        RESULT_NAME,
        TAG_DESCRIPTIONS,
    ];
    named.contains(&extension) || INFO_MEMBERS.iter().any(|(name, _)| *name == extension)
}

/// Returns whether OpenRPC requires a result of a procedure, even if there is none.
fn needs_result(procedure: &ProcedureDescription, version: OpenRpcVersion) -> bool {
    // From 1.3 on, a method without a result is always a notification.
    version == OpenRpcVersion::V1_2_6 || !procedure.notification
}

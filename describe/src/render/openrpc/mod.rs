//! Renders OpenRPC documents for the tools that read them.
//!
//! OpenRPC has fewer members than the model and forbids others, so the rest goes into extensions
//! (`x-…`) wherever these are allowed. Its schemas are draft-07.

mod cut;
mod draft07;
mod method;

use std::io;

use super::members::{Members, Part};
use crate::json::{Json, Layout, Object};
use crate::openrpc::{
    ENFORCED_FORMATS, ID, INFO, LINKS, ORIGIN, PARAM_STRUCTURE, RESULT_NAME, SECURITY_SCHEMES,
    SERVERS, TAGS, to_openrpc,
};
use crate::{Origin, ProcedureDescription, ServiceDescription};
use cut::Cuts;

/// The versions of OpenRPC that can be rendered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum OpenRpcVersion {
    /// 1.2.6, in which every method has a result.
    V1_2_6,
    /// 1.3.2.
    #[default]
    V1_3_2,
    /// 1.4.1.
    V1_4_1,
}

impl OpenRpcVersion {
    /// Returns the version number.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V1_2_6 => "1.2.6",
            Self::V1_3_2 => "1.3.2",
            Self::V1_4_1 => "1.4.1",
        }
    }
}

/// How an OpenRPC document is rendered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OpenRpcOptions {
    /// The version of OpenRPC.
    pub version: OpenRpcVersion,
    /// Whether to keep references that form a cycle.
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

/// Renders a service as an OpenRPC document, as `rpc.discover` returns it.
///
/// ```
/// use docent_describe::render::{OpenRpcVersion, openrpc};
/// use docent_describe::{ProcedureDescription, ServiceDescription};
///
/// let service = ServiceDescription {
///     name: "greeter".into(),
///     procs: vec![ProcedureDescription { name: "hello".into(), ..Default::default() }],
///     ..Default::default()
/// };
/// let document = openrpc(&service, OpenRpcVersion::V1_4_1);
/// assert_eq!(document.get("openrpc").and_then(|version| version.as_str()), Some("1.4.1"));
/// ```
pub fn openrpc(service: &ServiceDescription, options: impl Into<OpenRpcOptions>) -> Json {
    document(service, options.into()).build()
}

/// Writes what [`openrpc`] returns, without building it first. The writer should be buffered.
pub fn write_openrpc(
    service: &ServiceDescription,
    options: impl Into<OpenRpcOptions>,
    out: impl io::Write,
    layout: Layout,
) -> io::Result<()> {
    document(service, options.into()).write(out, layout)
}

fn document(service: &ServiceDescription, options: OpenRpcOptions) -> Members<'_> {
    let schemas = &service.components.schemas;
    let schemas = (!schemas.is_empty()).then(|| {
        let cuts = if options.keep_recursion {
            Cuts::default()
        } else {
            Cuts::of(service)
        };
        Part::Map(Box::new(schemas.iter().map(move |(name, schema)| {
            let schema = draft07::schema(schema, &cuts.in_component(name));
            (name.as_str(), schema.into())
        })))
    });
    let security = &service.security_schemes;
    let components = Members::new()
        .maybe("schemas", schemas)
        .maybe(SECURITY_SCHEMES, (!security.is_empty()).then_some(security));
    let docs = service.help.as_deref().map(external_docs);
    let tags = service.extensions.get(TAGS).and_then(Json::as_object);
    let document = Members::new()
        .with("openrpc", options.version.as_str())
        .with("info", info(service))
        .maybe("externalDocs", docs)
        .maybe("servers", servers(service))
        .list_always(
            "methods",
            service
                .procs
                .iter()
                .map(move |procedure| method::method(procedure, options.version, tags)),
        )
        .maybe("components", (!components.is_empty()).then_some(components))
        .list(
            ENFORCED_FORMATS,
            service.enforced_formats.iter().map(String::as_str),
        )
        .maybe(
            ORIGIN.1,
            (service.origin != Origin::OpenRpc).then(|| service.origin.as_str()),
        );
    extensions(document, &service.extensions)
}

fn info(service: &ServiceDescription) -> Members<'_> {
    let texts = [service.summary.as_deref(), service.description.as_deref()];
    let description: Vec<&str> = texts.into_iter().flatten().collect();
    // A version is required. Package managers use this one for "no version".
    let version = service.version.as_deref().unwrap_or("0.0.0");
    let mut info = Members::new()
        .with("title", service.name.as_str())
        .with("version", version)
        .maybe(
            "description",
            (!description.is_empty()).then(|| description.join("\n\n")),
        );
    for (name, member) in INFO {
        info = info.maybe(member, service.extensions.get(name));
    }
    info.with(ID, service.id.as_str())
}

fn external_docs(url: &str) -> Members<'_> {
    Members::new().with("url", url)
}

/// Returns the servers with absolute URLs. A relative URL would lose its meaning in a saved
/// document.
fn servers(service: &ServiceDescription) -> Option<Part<'_>> {
    let kept = service.extensions.get(SERVERS.0).and_then(Json::as_array);
    let Some(servers) = kept else {
        let address = service.address.as_deref().filter(|url| is_absolute(url))?;
        let server = Members::new().with("url", address);
        return Some(Part::List(Box::new(std::iter::once(server.into()))));
    };
    let url = |server: &Json| {
        server
            .get("url")
            .and_then(Json::as_str)
            .is_some_and(is_absolute)
    };
    let mut absolute = servers.iter().filter(move |server| url(server)).peekable();
    absolute.peek()?;
    Some(Part::List(Box::new(absolute.map(Into::into))))
}

/// Returns whether a URL starts with a scheme (RFC 3986, section 3.1).
fn is_absolute(url: &str) -> bool {
    url.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Adds the extensions that have no member of their own.
fn extensions<'a>(members: Members<'a>, extensions: &'a Object) -> Members<'a> {
    let placed = [
        SERVERS.0,
        LINKS.0,
        PARAM_STRUCTURE.0,
        RESULT_NAME.0,
        TAGS,
        INFO[0].0,
        INFO[1].0,
        INFO[2].0,
    ];
    let others = extensions
        .iter()
        .filter(|(name, _)| name.starts_with('$') && !placed.contains(&name.as_str()))
        .map(|(name, value)| (to_openrpc(name).into(), value));
    members.with_new(others)
}

/// Returns whether a method needs a result even if it has none.
fn needs_result(procedure: &ProcedureDescription, version: OpenRpcVersion) -> bool {
    // From 1.3 on, a method without a result is always a notification.
    version == OpenRpcVersion::V1_2_6 || !procedure.notification
}

//! Reads OpenRPC documents, 1.0 to 1.4, as they occur in practice.
//!
//! A method is read as OpenRPC says, and then as its author meant it:
//!
//! ```json
//! {"name": "find", "params": [{"$ref": "#/components/schemas/Title"}], "result": {"type": "array"}, "summary": ""}
//! ```
//!
//! The parameter and the result should be content descriptors and are schemas; so the parameter is named "Title" and
//! has that schema, and the empty summary is none. A strict reader would reject most published documents.
//!
//! Three kinds of documents are told apart: those of Docent, whose extensions hold all that OpenRPC cannot express, and
//! which are read as they stand; those of other authors, which often mean something else than they say; and those
//! before 1.3, where every method has a result. Members that a document shares with Docent's own format are read in
//! `read/docent.rs`, and schemas in `read/schemas.rs`.

mod examples;
mod method;
mod refs;
mod sent;
mod servers;

use std::cell::{Cell, RefCell};

use super::docent;
use super::fields::MemberReader;
use super::schemas::Schemas;
use super::security;
use super::source::SourceDocument;
use crate::read::drafts::Dialect;
use docent_describe::json::{Json, Object};
use docent_describe::openrpc::{
    EXTERNAL_DOCS, INFO_MEMBERS, ORIGIN_FORMAT, TAG_DESCRIPTIONS, X_CARRIERS, X_ENFORCED_FORMATS,
    X_ID, X_ORIGIN_FORMAT, X_SCHEMAS, X_SECURITY_SCHEMES, X_TEXTS, X_UNVERSIONED, from_openrpc,
};
use docent_describe::{Origin, ServiceDescription, split_documentation};

/// The components that are read when a reference to them is followed.
const REFERENCED_COMPONENTS: [&str; 6] = [
    "contentDescriptors",
    "errors",
    "examples",
    "examplePairings",
    "links",
    "tags",
];

/// The state that is shared while a document is read.
pub(super) struct OpenRpcReading<'d> {
    schemas: Schemas<'d>,
    /// The number of values that references may still copy.
    budget: Cell<usize>,
    /// True if a method without a result is a notification, as in 1.3 and later.
    has_notifications: bool,
    /// True if Docent wrote the document for a service that describes itself in another format.
    /// Then extensions hold all that OpenRPC cannot express, and nothing has to be guessed.
    is_docent: bool,
    /// The descriptions of tags.
    tags: RefCell<Object>,
}

/// Reads a document. The order matters: an address may be the id, and extensions are what is left.
pub(super) fn service(
    mut fields: MemberReader<'_>,
    document: &SourceDocument<'_>,
) -> ServiceDescription {
    let origin = fields.choice(X_ORIGIN_FORMAT, Origin::from_name);
    let dialect = match origin {
        Some(_) => Dialect::Current,
        None => Dialect::Draft07,
    };
    let document = OpenRpcReading {
        is_docent: origin.is_some(),
        schemas: Schemas::new(document, fields.at.clone(), dialect),
        budget: Cell::new(refs::MAX_COPIED_VALUES),
        has_notifications: version(&mut fields),
        tags: RefCell::default(),
    };
    fields.take("$schema");
    let mut service = info(&mut fields, document.is_docent);
    service.origin = origin.unwrap_or(Origin::OpenRpc);
    service.address = servers::address(&mut fields, &mut service);
    if service.id.is_empty() {
        // If nothing else identifies a service, its address is its identifier.
        service.id = service.address.clone().unwrap_or_default();
    }
    service.help = external_docs(&mut fields, &mut service.extensions);
    service.enforced_formats = fields.texts(X_ENFORCED_FORMATS);
    service.security_schemes = components(&mut fields, &document);
    if fields.is_absent("methods") {
        fields.at.warn("`methods` is missing");
    }
    service.procs = document.procedures(&mut fields, "methods");
    document.add_sent(&mut fields, &mut service.procs);
    service.carriers = fields.each(X_CARRIERS, docent::carrier);
    extensions(fields, &mut service.extensions);
    // In a description, this name is reserved for the origin.
    service.extensions.shift_remove(ORIGIN_FORMAT);
    let tags = document.tags.into_inner();
    if !tags.is_empty() {
        service
            .extensions
            .insert(TAG_DESCRIPTIONS, Json::Object(tags));
    }
    service.components.schemas = document.schemas.into_components();
    service
}

/// Reads the version, and returns whether a method without a result is a notification.
fn version(fields: &mut MemberReader<'_>) -> bool {
    let at = fields.at.inside("openrpc");
    let Some(version) = fields.text("openrpc") else {
        at.warn("missing; read as OpenRPC 1.3");
        return true;
    };
    let mut numbers = version
        .split(['.', '-'])
        .map(|text| text.parse::<u32>().ok());
    let major = numbers.next().flatten();
    let minor = numbers.next().flatten();
    if major != Some(1) || minor.is_none_or(|minor| minor > 4) {
        at.warn(format_args!(
            "unknown version {version:?}; read as versions 1.0 to 1.4, as far as possible"
        ));
    }
    (major, minor) >= (Some(1), Some(3))
}

/// Reads the name, the version and the documentation of the service.
fn info(fields: &mut MemberReader<'_>, is_docent: bool) -> ServiceDescription {
    let at = fields.at.inside("info");
    let mut service = ServiceDescription::default();
    let Some(info) = fields.object("info") else {
        at.warn("missing; the service has no name");
        return service;
    };
    let mut info = MemberReader::new(info, &at);
    if let Some(title) = info.text("title") {
        service.name = title;
    } else {
        at.warn("`title` is missing; the service has no name");
    }
    service.version = info.text("version");
    let description = info.text("description").unwrap_or_default();
    (service.summary, service.description) = split_documentation(&description);
    if is_docent {
        if info.flag(X_UNVERSIONED) {
            service.version = None;
        }
        let texts = X_TEXTS.map(|member| info.text(member));
        if texts.iter().any(Option::is_some) {
            [service.summary, service.description] = texts;
        }
    }
    service.id = info.text(X_ID).unwrap_or_default();
    for (extension, member) in INFO_MEMBERS {
        if let Some(value) = info.present(member) {
            service.extensions.insert(extension, value);
        }
    }
    extensions(info, &mut service.extensions);
    service
}

/// Returns the URL of documentation for people. An object with further members is kept as an
/// extension.
fn external_docs(fields: &mut MemberReader<'_>, extensions: &mut Object) -> Option<String> {
    let at = fields.at.inside("externalDocs");
    let object = fields.object("externalDocs")?;
    if object.len() > 1 {
        extensions.insert(EXTERNAL_DOCS, Json::Object(object.clone()));
    }
    MemberReader::new(object, &at)
        .text("url")
        .filter(|url| !url.is_empty())
}

/// Reads the shared schemas, and returns the security schemes.
fn components(fields: &mut MemberReader<'_>, document: &OpenRpcReading<'_>) -> Object {
    let at = fields.at.inside("components");
    let components = fields.object("components").unwrap_or_default();
    let mut components = MemberReader::new(components, &at);
    let schemes = security::schemes(&mut components, X_SECURITY_SCHEMES);
    let place = at.inside("schemas");
    let mut originals = Object::new();
    if document.is_docent {
        originals = components.object(X_SCHEMAS).unwrap_or_default();
    }
    for (name, schema) in components.object("schemas").unwrap_or_default() {
        let schema = originals.shift_remove(name.as_str()).unwrap_or(schema);
        let schema = document.schemas.read(schema, &place.inside(&name));
        document.schemas.add_component(name.into(), schema);
    }
    for (kind, value) in components.rest() {
        let is_empty = value.as_object().is_some_and(Object::is_empty);
        if !is_empty
            && !kind.as_str().starts_with("x-")
            && !REFERENCED_COMPONENTS.contains(&kind.as_str())
        {
            at.inside(&kind).warn("unknown kind of component, left out");
        }
    }
    schemes
}

/// Keeps the remaining extensions, and warns of all other members.
fn extensions(fields: MemberReader<'_>, kept: &mut Object) {
    for (name, value) in fields.extensions("x-") {
        kept.insert(from_openrpc(name.as_str()), value);
    }
}

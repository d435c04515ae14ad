//! Renders the format of `rpc.describe`.
//!
//! This format has a member for all that the model has. This file writes those of a service. Those of a procedure are in
//! the table of [`procedure_members`](super::procedure_members).

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::procedure_members::PROCEDURE_MEMBERS;
use super::values::carrier;
use crate::json::{Json, Object};
use crate::openrpc::ORIGIN_FORMAT;
use crate::{Origin, ProcedureDescription, ServiceDescription};

/// Renders the result of `rpc.describe`. It is valid against
/// [`FORMAT_SCHEMA`](super::FORMAT_SCHEMA).
pub fn describe(service: &ServiceDescription) -> Json {
    described(service, &service.procs).into()
}

/// The result of `rpc.describe` as text: the same as [`describe`], but written procedure by procedure, so that the
/// description of a large service takes little memory.
///
/// ```
/// use docent::describe::ServiceDescription;
/// use docent::describe::render::{DescriptionText, describe};
///
/// let service = ServiceDescription::new("greeter", "urn:example:greeter");
/// let text = serde_json::to_string(&DescriptionText(&service))?;
/// assert_eq!(text, describe(&service).to_string());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "this is the argument of `describe`"
)]
pub struct DescriptionText<'s>(pub &'s ServiceDescription);

impl Serialize for DescriptionText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(service) = self;
        let mut members = serializer.serialize_map(None)?;
        for (name, value) in &described(service, &[]) {
            match name.as_str() {
                "procs" => members.serialize_entry("procs", &Procedures(&service.procs))?,
                name => members.serialize_entry(name, value)?,
            }
        }
        members.end()
    }
}

/// Procedures, of which each is rendered when it is written.
struct Procedures<'s>(&'s [ProcedureDescription]);

impl Serialize for Procedures<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(procedure).map(Json::from))
    }
}

/// Renders a description with these procedures.
fn described(service: &ServiceDescription, procs: &[ProcedureDescription]) -> Object {
    let mut schemas = Object::new();
    for (name, schema) in &service.components.schemas {
        schemas.insert(name, schema.clone());
    }
    let formats = service.enforced_formats.iter().map(String::as_str);
    let origin = match service.origin {
        Origin::Docent => None,
        origin => Some(origin.as_str()),
    };
    Object::new()
        .with("sdversion", "2.0")
        .with("name", service.name.as_str())
        .with("id", service.id.as_str())
        .text("version", service.version.as_ref())
        .text("summary", service.summary.as_ref())
        .text("description", service.description.as_ref())
        .text("help", service.help.as_ref())
        .text("address", service.address.as_ref())
        .list("carriers", service.carriers.iter().map(carrier))
        .list("enforcedFormats", formats)
        .object("securitySchemes", service.security_schemes.clone())
        .maybe(ORIGIN_FORMAT, origin)
        .list_always("procs", procs.iter().map(procedure))
        .object("components", Object::new().object("schemas", schemas))
        .extensions(&service.extensions)
}

fn procedure(procedure: &ProcedureDescription) -> Object {
    let mut members = Object::new();
    for member in PROCEDURE_MEMBERS {
        members = members.maybe(member.name, (member.write)(procedure));
    }
    members.extensions(&procedure.extensions)
}

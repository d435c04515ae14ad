//! Renders the format of `rpc.describe`.
//!
//! This format has a member for all that the model has, so the functions here follow the model's
//! types one to one. The other formats reuse those for what only extensions can say.

use std::time::Duration;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::json::{Json, Name, Object};
use crate::model::{END_UNTOLD, ONE_OF};
use crate::openrpc::ORIGIN_FORMAT;
use crate::{
    CachePolicy, Carrier, Credential, Deprecation, Direction, ErrorDescription, Example, LagPolicy,
    Origin, ParamAlias, ParamDescription, ProcedureDescription, ProcedureLimits, RateLimit,
    Requirement, ReturnDescription, ServiceDescription, SubscriptionDescription,
};

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
    let origin = Some(service.origin).filter(|origin| *origin != Origin::Docent);
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
        .maybe(ORIGIN_FORMAT.0, origin.map(Origin::as_str))
        .list_always("procs", procs.iter().map(procedure))
        .object("components", Object::new().object("schemas", schemas))
        .extensions(&service.extensions)
}

fn procedure(procedure: &ProcedureDescription) -> Object {
    Object::new()
        .with("name", procedure.name.as_str())
        .text("summary", procedure.summary.as_ref())
        .text("description", procedure.description.as_ref())
        .text("help", procedure.help.as_ref())
        .flag("idempotent", procedure.idempotent)
        .list("tags", procedure.tags.iter().map(String::as_str))
        .list_always("params", procedure.params.iter().map(param))
        .maybe("return", procedure.returns.as_ref().map(returns))
        .maybe(
            "subscription",
            procedure.subscription.as_ref().map(subscription),
        )
        .list("errors", procedure.errors.iter().map(error))
        .flag("errorsOpen", procedure.errors_open)
        .list("examples", procedure.examples.iter().map(example))
        .flag("guarded", procedure.guarded)
        .list("security", procedure.security.iter().map(requirement))
        .maybe("deprecated", procedure.deprecated.as_ref().map(deprecation))
        .flag("notification", procedure.notification)
        .maybe("direction", direction(procedure))
        .flag("byNameOnly", procedure.by_name_only)
        .flag("ignoresUnknown", procedure.ignores_unknown)
        .with_new(promises(procedure))
        .extensions(&procedure.extensions)
}

/// Returns what a procedure promises besides. OpenRPC has no members for it, so its documents have the same
/// ones under the names of extensions: a new member of a procedure that OpenRPC lacks belongs here.
pub(super) fn promises(procedure: &ProcedureDescription) -> Object {
    Object::new()
        .maybe("limits", procedure.limits.as_ref().map(limits))
        .maybe("cache", procedure.cache.as_ref().map(cache))
        .maybe("repeatable", procedure.repeatable.map(repeatable))
        .text("unchecked", procedure.unchecked.as_ref())
}

/// Returns a requirement: a credential, or an object with those of which one suffices. An empty object among them
/// stands for no credential.
fn requirement(requirement: &Requirement) -> Json {
    match &*requirement.one_of {
        [only] if !requirement.optional => credential(only),
        one_of => {
            let none = requirement.optional.then(|| Object::new().into());
            let alternatives = one_of.iter().map(credential).chain(none);
            Object::new().list_always(ONE_OF, alternatives).into()
        }
    }
}

/// Returns the name of a security scheme, or an object that maps its name to the scopes.
fn credential(credential: &Credential) -> Json {
    let scopes = credential.scopes.iter().map(String::as_str);
    if scopes.len() == 0 {
        return credential.scheme.as_str().into();
    }
    Object::new().list(&credential.scheme, scopes).into()
}

/// Returns the ways to get into a procedure that names credentials: objects of security schemes with the scopes that
/// are needed, under names that may be others. If all are optional, the last way is empty. Returns none if there are
/// too many.
pub(super) fn ways_in(
    procedure: &ProcedureDescription,
    name: impl Fn(&str) -> Name,
) -> Vec<Object> {
    let ways = Requirement::ways_in(&procedure.security).unwrap_or_default();
    ways.iter()
        .filter(|way| !way.is_empty() || ways.len() > 1)
        .map(|way| {
            let mut schemes = Object::new();
            for credential in way {
                let scopes = credential.scopes.iter().map(String::as_str);
                schemes = schemes.list_always(name(&credential.scheme), scopes);
            }
            schemes
        })
        .collect()
}

/// Returns the name of the side that sends what is described, unless it is the usual one.
pub(super) fn direction(procedure: &ProcedureDescription) -> Option<&'static str> {
    match procedure.direction {
        Direction::Client => None,
        Direction::Server => Some(procedure.direction.as_str()),
    }
}

pub(super) fn carrier(carrier: &Carrier) -> Object {
    Object::new()
        .with("name", carrier.name.as_str())
        .text("address", carrier.address.as_ref())
}

pub(super) fn subscription(subscription: &SubscriptionDescription) -> Object {
    Object::new()
        .with("item", returns(&subscription.item))
        .text("notification", subscription.notification.as_ref())
        .maybe("behind", subscription.behind.map(LagPolicy::as_str))
        .text("resume", subscription.resume.as_ref())
        .maybe("ends", subscription.ends_untold.then_some(END_UNTOLD))
        .extensions(&subscription.extensions)
}

pub(super) fn limits(limits: &ProcedureLimits) -> Object {
    Object::new()
        .maybe("concurrent", limits.concurrent.map(count))
        .maybe("rate", limits.rate.as_ref().map(rate))
}

pub(super) fn cache(cache: &CachePolicy) -> Object {
    Object::new()
        .with("maxAge", seconds(cache.max_age))
        .with("shared", cache.shared)
}

pub(super) fn repeatable(time: Duration) -> Object {
    Object::new().with("for", seconds(time))
}

fn rate(rate: &RateLimit) -> Object {
    Object::new()
        .with("calls", count(rate.calls))
        .with("per", seconds(rate.per))
        .with("by", rate.by.as_str())
}

fn count(count: u64) -> Json {
    Json::Number(count.to_string().into())
}

fn seconds(time: Duration) -> Json {
    let whole = time.as_secs();
    let nanoseconds = time.subsec_nanos();
    if nanoseconds == 0 {
        return count(whole);
    }
    let text = format!("{whole}.{nanoseconds:09}");
    Json::Number(text.trim_end_matches('0').into())
}

fn param(param: &ParamDescription) -> Object {
    Object::new()
        .with("name", param.name.as_str())
        .with("type", param.type_code.of_param().as_str())
        .with("required", param.required)
        .flag("variadic", param.variadic)
        .maybe("default", param.default.as_ref())
        .text("description", param.description.as_ref())
        .flag("deprecated", param.deprecated)
        .list("aliases", param.aliases.iter().map(alias))
        .with("schema", &param.schema)
        .extensions(&param.extensions)
}

pub(super) fn alias(alias: &ParamAlias) -> Object {
    Object::new()
        .with("name", alias.name.as_str())
        .flag("deprecated", alias.deprecated)
}

fn returns(returns: &ReturnDescription) -> Object {
    Object::new()
        .with("type", returns.type_code.as_str())
        .text("description", returns.description.as_ref())
        .with("schema", &returns.schema)
        .extensions(&returns.extensions)
}

pub(super) fn error(error: &ErrorDescription) -> Object {
    Object::new()
        .with("code", error.code)
        .with("message", error.message.as_str())
        .maybe("data", error.data.as_ref())
        .maybe("retry", error.retry)
        .text("$description", error.description.as_ref())
        .maybe("$status", error.status.map(i64::from))
        .extensions(&error.extensions)
}

pub(super) fn example(example: &Example) -> Object {
    Object::new()
        .text("summary", example.summary.as_ref())
        .text("description", example.description.as_ref())
        .maybe("params", example.params.as_ref())
        .maybe("result", example.result.as_ref())
        .maybe("items", example.items.clone())
        .maybe("error", example.error.as_ref())
        .extensions(&example.extensions)
}

pub(super) fn deprecation(deprecation: &Deprecation) -> Object {
    Object::new()
        .text("since", deprecation.since.as_ref())
        .text("reason", deprecation.reason.as_ref())
        .text("instead", deprecation.instead.as_ref())
}

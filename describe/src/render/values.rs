//! Writes the values of members in the format of `rpc.describe`.
//!
//! The functions here follow the model's types one to one. The other formats use them for their extensions.

use std::time::Duration;

use crate::json::{Json, Name, Object};
use crate::model::{END_UNTOLD, ONE_OF};
use crate::{
    CachePolicy, Carrier, Credential, Deprecation, ErrorDescription, Example, LagPolicy,
    ParamAlias, ParamDescription, ProcedureDescription, ProcedureLimits, RateLimit, Requirement,
    ReturnDescription, SubscriptionDescription,
};

/// Returns a requirement: a credential, or an object with those of which one suffices. An empty object among them
/// stands for no credential.
pub(super) fn requirement(requirement: &Requirement) -> Json {
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
    if credential.scopes.is_empty() {
        return credential.scheme.as_str().into();
    }
    let scopes = credential.scopes.iter().map(String::as_str);
    Object::new().list(&credential.scheme, scopes).into()
}

/// Returns the alternatives of credentials that a procedure requires. Each is an object of security schemes with the
/// scopes that are needed, under the names that `name` returns. If all are optional, the last alternative is empty.
/// Returns none if there are too many.
pub(super) fn credential_alternatives(
    procedure: &ProcedureDescription,
    name: impl Fn(&str) -> Name,
) -> Vec<Object> {
    let alternatives = Requirement::alternatives(&procedure.security).unwrap_or_default();
    let mut written = Vec::new();
    for alternative in &alternatives {
        if alternative.is_empty() && alternatives.len() == 1 {
            continue;
        }
        let mut schemes = Object::new();
        for credential in alternative {
            let scopes = credential.scopes.iter().map(String::as_str);
            schemes = schemes.list_always(name(&credential.scheme), scopes);
        }
        written.push(schemes);
    }
    written
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

pub(super) fn repeatable(time: &Duration) -> Object {
    Object::new().with("for", seconds(*time))
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
    let seconds = time.as_secs();
    let nanoseconds = time.subsec_nanos();
    if nanoseconds == 0 {
        return count(seconds);
    }
    let text = format!("{seconds}.{nanoseconds:09}");
    Json::Number(text.trim_end_matches('0').into())
}

pub(super) fn param(param: &ParamDescription) -> Object {
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

pub(super) fn returns(returns: &ReturnDescription) -> Object {
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

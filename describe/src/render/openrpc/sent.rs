//! The notifications that carry the items of subscriptions, as methods that the service calls.
//!
//! OpenRPC has no subscriptions, only methods. So a method of its own describes the messages that arrive, and an
//! extension of the subscribing method all the rest.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::{OpenRpcVersion, Writer};
use crate::json::{Json, Object};
use crate::model::{LagPolicy, ProcedureDescription, SubscriptionDescription};
use crate::openrpc::X_NOTIFICATION_OF;

/// The method of a notification, but for its name and the schema of its items.
const NOTIFICATION_METHOD: &str = include_str!("notification.json");

/// Returns a method for each notification whose name differs from every method's. Before 1.3, there is none, because
/// every method has a result there.
pub(super) fn notifications(writer: Writer<'_>) -> Vec<Object> {
    let procs = &writer.service.procs;
    if writer.version == OpenRpcVersion::V1_2_6 {
        return Vec::new();
    }
    let names: HashSet<&str> = procs.iter().map(|procedure| &*procedure.name).collect();
    let mut sources: IndexMap<&str, Vec<&ProcedureDescription>> = IndexMap::new();
    for procedure in procs {
        let name = procedure.item_notification().unwrap_or_default();
        if !name.is_empty() && !names.contains(name) {
            sources.entry(name).or_default().push(procedure);
        }
    }
    sources
        .iter()
        .map(|(name, procs)| notification(name, procs, writer))
        .collect()
}

/// Returns the method of a notification that carries the items of these procedures.
fn notification(name: &str, procs: &[&ProcedureDescription], writer: Writer<'_>) -> Object {
    let subscriptions: Vec<&SubscriptionDescription> = procs
        .iter()
        .filter_map(|procedure| procedure.subscription.as_ref())
        .collect();
    let item = item_schema(&subscriptions, writer);
    let template: Json = NOTIFICATION_METHOD.parse().unwrap_or_default();
    let mut params = Vec::new();
    for param in template
        .get("params")
        .and_then(Json::as_array)
        .unwrap_or_default()
    {
        let param_name = param.get_str("name").unwrap_or_default();
        if !has_param(param_name, &subscriptions) {
            continue;
        }
        let mut param = param.clone();
        if param_name == "result"
            && let Some(members) = param.as_object_mut()
        {
            members.insert("schema", item.clone());
        }
        params.push(param);
    }
    let sources = procs.iter().map(|procedure| procedure.name.as_str());
    Object::new()
        .with("name", name)
        .list_always("params", params)
        .with_new(template.as_object().into_iter().flatten())
        .list(X_NOTIFICATION_OF, sources)
}

/// Returns the schema of an item of any of these subscriptions.
fn item_schema(subscriptions: &[&SubscriptionDescription], writer: Writer<'_>) -> Json {
    let mut schemas: Vec<Json> = subscriptions
        .iter()
        .map(|subscription| writer.conversion().schema(&subscription.item.schema))
        .collect();
    schemas.dedup();
    match &mut *schemas {
        [only] => std::mem::take(only),
        _ => Object::new().list("anyOf", schemas).into(),
    }
}

/// Returns whether a notification of these subscriptions may have a parameter.
fn has_param(name: &str, subscriptions: &[&SubscriptionDescription]) -> bool {
    subscriptions.iter().any(|subscription| match name {
        "cursor" => subscription.resume.is_some(),
        "missed" => subscription.behind == Some(LagPolicy::Skip),
        "ended" | "error" => !subscription.ends_untold,
        _ => true,
    })
}

//! The notifications that carry the items of subscriptions, as methods that the service calls.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::cut::Cut;
use super::{OpenRpcVersion, Writing, draft07};
use crate::json::{Json, Object};
use crate::model::{Behind, ProcedureDescription};
use crate::openrpc::NOTIFICATION_OF;
use crate::render::schemas::any_of;

/// The method of a notification, but for its name and the schema of its items.
const NOTIFICATION: &str = include_str!("notification.json");

/// Returns a method for each notification whose name differs from every method's. Before 1.3, there is none, because
/// every method has a result there.
pub(super) fn notifications(writing: Writing<'_>) -> Vec<Object> {
    let procs = &writing.service.procs;
    if writing.version == OpenRpcVersion::V1_2_6 {
        return Vec::new();
    }
    let names: HashSet<&str> = procs.iter().map(|it| it.name.as_str()).collect();
    let mut sources: IndexMap<&str, Vec<&ProcedureDescription>> = IndexMap::new();
    for procedure in procs {
        let name = procedure.item_notification().unwrap_or_default();
        if !name.is_empty() && !names.contains(name) {
            sources.entry(name).or_default().push(procedure);
        }
    }
    sources
        .iter()
        .map(|(name, procs)| notification(name, procs))
        .collect()
}

/// Returns the method of a notification that carries the items of these procedures.
fn notification(name: &str, procs: &[&ProcedureDescription]) -> Object {
    let subscriptions = procs.iter().flat_map(|it| &it.subscription);
    let schemas = subscriptions.clone();
    let schemas = schemas.map(|it| draft07::schema(&it.item.schema, Cut::default()));
    let mut items: Vec<Json> = schemas.collect();
    items.dedup();
    let item = match &mut *items {
        [only] => std::mem::take(only),
        _ => any_of(items).into(),
    };
    let written: Json = NOTIFICATION.parse().unwrap_or_default();
    let params = written.get("params").and_then(Json::as_array);
    let params = params.unwrap_or_default().iter();
    let params = params.filter_map(|param| {
        let mut subscriptions = subscriptions.clone();
        let is_there = match param.get("name")?.as_str()? {
            "cursor" => subscriptions.any(|it| it.resume.is_some()),
            "missed" => subscriptions.any(|it| it.behind == Some(Behind::Skip)),
            "ended" | "error" => subscriptions.any(|it| !it.ends_untold),
            "result" => return Some(param.as_object()?.clone().with("schema", &item).into()),
            _ => true,
        };
        is_there.then(|| param.clone())
    });
    Object::new()
        .with("name", name)
        .list_always("params", params)
        .with_new(written.as_object().into_iter().flatten())
        .list(NOTIFICATION_OF, procs.iter().map(|it| it.name.as_str()))
}

//! The notifications that carry the items of subscriptions, as methods that the service calls.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::{OpenRpcVersion, Writing, method};
use crate::json::{Json, Object};
use crate::model::{Behind, Direction, ParamDescription, ProcedureDescription};
use crate::openrpc::NOTIFICATION_OF;
use crate::render::schemas::any_of;
use crate::schema::type_code;

/// Returns a method for each notification whose name differs from every method's. Before 1.3, there is none, because
/// every method has a result there.
pub(super) fn notifications(writing: Writing<'_>) -> Vec<Object> {
    let procs = &writing.service.procs;
    if writing.version == OpenRpcVersion::V1_2_6 {
        return Vec::new();
    }
    let names: HashSet<&str> = procs.iter().map(|it| it.name.as_str()).collect();
    let mut subscriptions: IndexMap<&str, Vec<&ProcedureDescription>> = IndexMap::new();
    for procedure in procs {
        if let Some(name) = procedure.item_notification()
            && !name.is_empty()
            && !names.contains(name)
        {
            subscriptions.entry(name).or_default().push(procedure);
        }
    }
    subscriptions
        .into_iter()
        .map(|(name, subscriptions)| {
            let sources = subscriptions.iter().map(|it| it.name.as_str());
            let notification = notification(name, &subscriptions, writing);
            method::method(&notification, writing).list(NOTIFICATION_OF, sources)
        })
        .collect()
}

/// Describes the notification of some subscriptions.
fn notification(
    name: &str,
    subscriptions: &[&ProcedureDescription],
    writing: Writing<'_>,
) -> ProcedureDescription {
    let described = subscriptions
        .iter()
        .filter_map(|it| it.subscription.as_ref());
    let mut items: Vec<&Json> = Vec::new();
    let mut optional: Vec<(&str, &str, Json)> = Vec::new();
    for subscription in described {
        if !items.contains(&&subscription.item.schema) {
            items.push(&subscription.item.schema);
        }
        if subscription.resume.is_some() {
            let about = "What the item is worth to who resumes the subscription after it.";
            optional.push(("cursor", about, of_type("string")));
        }
        if subscription.behind == Some(Behind::Skip) {
            let about = "The number of items before this one that were lost.";
            optional.push(("missed", about, of_type("integer")));
        }
        if !subscription.ends_untold {
            let about = "True if this is the end of the subscription. There is no item then.";
            optional.push(("ended", about, of_type("boolean")));
            let about = "The error with which the subscription ends. There is no item then.";
            optional.push(("error", about, of_type("object")));
        }
    }
    let item = match *items {
        [only] => only.clone(),
        _ => any_of(items).into(),
    };
    optional.sort_by_key(|(name, ..)| *name);
    optional.dedup_by_key(|(name, ..)| *name);
    let all = [
        (
            "subscription",
            "The id of the subscription.",
            of_type("string"),
        ),
        ("result", "An item.", item),
    ]
    .into_iter()
    .chain(optional);
    let params = all.map(|(name, description, schema)| ParamDescription {
        name: name.to_owned(),
        type_code: type_code(&schema, &writing.service.components.schemas).of_param(),
        required: name == "subscription",
        description: Some(description.to_owned()),
        schema,
        ..ParamDescription::default()
    });
    ProcedureDescription {
        name: name.to_owned(),
        summary: Some("Carries an item of a subscription, or its end.".to_owned()),
        params: params.collect(),
        by_name_only: true,
        notification: true,
        direction: Direction::Server,
        ..ProcedureDescription::default()
    }
}

fn of_type(word: &str) -> Json {
    Object::new().with("type", word).into()
}

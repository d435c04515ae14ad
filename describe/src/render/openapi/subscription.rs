//! Subscriptions: operations that respond with events instead of a result.
//!
//! OpenAPI 3.1 has no word for a stream. As is usual there, the schema of the media type `text/event-stream` is that of
//! the message in one event. The extension `x-subscription` has all that a schema cannot describe.

use super::Writer;
use super::examples::{NamedExample, messages};
use super::names::version;
use super::responses::envelope;
use crate::ProcedureDescription;
use crate::json::{Json, Object};
use crate::model::{LagPolicy, SubscriptionDescription};
use crate::render::schemas::with_annotations;
use crate::render::values;

/// The name of the header parameter for the cursor with which a caller comes back.
pub(super) const CURSOR_PARAMETER: &str = "#/components/parameters/LastEventId";

impl Writer<'_> {
    /// Returns the content of the response with the events of a subscription.
    pub(super) fn events(
        &self,
        procedure: &ProcedureDescription,
        subscription: &SubscriptionDescription,
        examples: &[NamedExample<'_>],
    ) -> Object {
        let name = &procedure.name;
        let id = envelope(format!("{name} subscribed"), "result", id_schema().into());
        let item = with_annotations(
            self.schemas.schema(&subscription.item.schema),
            subscription.item.description.as_ref(),
            None,
        );
        let params = Object::new()
            .with("type", "object")
            .list("required", ["subscription", "result"])
            .with("properties", item_members(subscription, item));
        let item_message = notification(procedure, "item", params);
        let end = (!subscription.ends_untold).then(|| self.end(procedure, subscription));
        let schema = Object::new()
            .list("oneOf", [id, item_message].into_iter().chain(end))
            .with("title", format!("{name} event"));
        let messages = messages(examples, |named| {
            let first = named.example.items.as_ref()?.first()?;
            let params = Object::new()
                .with("subscription", "s1")
                .with("result", first);
            Some(
                Object::new()
                    .with("jsonrpc", "2.0")
                    .maybe("method", procedure.item_notification())
                    .with("params", params),
            )
        });
        Object::new()
            .with("schema", schema)
            .maybe("examples", messages)
    }

    /// Returns the schema of the last message of a subscription.
    fn end(
        &self,
        procedure: &ProcedureDescription,
        subscription: &SubscriptionDescription,
    ) -> Object {
        let title = format!("{} end", procedure.name);
        let ended = Object::new().with("type", "boolean").with("const", true);
        let error = self.errors(procedure, procedure.errors.iter(), &title);
        let members = Object::new()
            .with("subscription", id_schema())
            .with("ended", ended)
            .with("error", error)
            .maybe("missed", missed_schema(subscription));
        let either = ["ended", "error"].map(|member| Object::new().list("required", [member]));
        let params = Object::new()
            .with("type", "object")
            .list("required", ["subscription"])
            .with("properties", members)
            .list("oneOf", either);
        notification(procedure, "end", params)
    }

    /// Returns the extension with the whole description of a subscription.
    pub(super) fn subscription(&self, subscription: &SubscriptionDescription) -> Object {
        let mut members = values::subscription(subscription);
        if let Some(Json::Object(item)) = members.get_mut("item") {
            item.insert("schema", self.schemas.schema(&subscription.item.schema));
        }
        members
    }
}

/// Returns the members of a message with an item.
fn item_members(subscription: &SubscriptionDescription, item: Json) -> Object {
    let cursor = subscription
        .resume
        .as_ref()
        .map(|_| Object::new().with("type", "string"));
    Object::new()
        .with("subscription", id_schema())
        .with("result", item)
        .maybe("cursor", cursor)
        .maybe("missed", missed_schema(subscription))
}

/// Returns the schema of the number of items that were lost, if any can be.
fn missed_schema(subscription: &SubscriptionDescription) -> Option<Object> {
    let loses = subscription.behind == Some(LagPolicy::Skip);
    loses.then(|| Object::new().with("type", "integer").with("minimum", 1))
}

/// Returns the schema of the id of a subscription.
fn id_schema() -> Object {
    Object::new().with("type", "string")
}

/// Returns the schema of a message of a subscription.
fn notification(procedure: &ProcedureDescription, kind: &str, params: Object) -> Object {
    let method = Object::new()
        .with("type", "string")
        .maybe("const", procedure.item_notification());
    let properties = Object::new()
        .with("jsonrpc", version())
        .with("method", method)
        .with("params", params);
    Object::new()
        .with("title", format!("{} {kind}", procedure.name))
        .with("type", "object")
        .list("required", ["jsonrpc", "method", "params"])
        .with("properties", properties)
}

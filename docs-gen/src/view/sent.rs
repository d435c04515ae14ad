//! The sentences about subscriptions, and about what the service sends, for `procedure::about`.
//!
//! Items and results have rows like those of other procedures. Here are only the sentences on how they arrive.

use docent_describe::{LagPolicy, Origin, ProcedureDescription, ServiceDescription};

use super::scope::PageText;
use crate::markup::Markup;
use crate::schema::is_answered;

/// Returns the key of the sentence that the service sends this, or `None` for what clients call.
pub(super) fn direction(procedure: &ProcedureDescription) -> Option<&'static str> {
    if procedure.is_called_by_clients() {
        None
    } else if is_answered(procedure) {
        Some("sent.request")
    } else {
        Some("sent.notification")
    }
}

/// Returns the sentences on how the items of a subscription arrive: what carries them, what happens to a caller who
/// falls behind, how to resume, and how it ends.
pub(super) fn delivery(
    page: &PageText<'_>,
    service: &ServiceDescription,
    procedure: &ProcedureDescription,
) -> Vec<Markup> {
    let (Some(subscription), Some(name)) = (&procedure.subscription, procedure.item_notification())
    else {
        return Vec::new();
    };
    let behind = match subscription.behind {
        Some(LagPolicy::End) => "subscription.behind.end",
        Some(LagPolicy::Skip) => "subscription.behind.skip",
        Some(LagPolicy::Wait) => "subscription.behind.wait",
        None => "subscription.behind.unsaid",
    };
    let resume = match &subscription.resume {
        Some(name) => page.with_markup("subscription.resume", &page.code(name)),
        None => page.escaped(page.strings.get("subscription.resume.none")),
    };
    // Whether the services of other descriptions report the end is not known.
    let end = if subscription.ends_untold {
        Some("subscription.untold")
    } else {
        (service.origin == Origin::Docent).then_some("subscription.told")
    };
    let carrier = if service.is_called_over_http(procedure) {
        "subscription.events"
    } else {
        "subscription.connection"
    };
    let mut sentences = vec![
        page.with_markup("subscription.items", &page.code(name)),
        page.escaped(page.strings.get(carrier)),
        page.escaped(page.strings.get(behind)),
        resume,
    ];
    sentences.extend(end.map(|key| page.escaped(page.strings.get(key))));
    if has_websocket(service, procedure) {
        let unsubscribe = page.code("rpc.unsubscribe");
        sentences.push(page.with_markup("subscription.websocket", &unsubscribe));
    }
    sentences
}

/// Returns whether a procedure is a subscription that a WebSocket carries, too.
pub(super) fn has_websocket(
    service: &ServiceDescription,
    procedure: &ProcedureDescription,
) -> bool {
    procedure.subscription.is_some()
        && service
            .carriers
            .iter()
            .any(|carrier| carrier.name == "websocket")
}

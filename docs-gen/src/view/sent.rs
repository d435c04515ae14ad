//! The parts of pages about subscriptions, and about what the service sends.
//!
//! Items and results have rows like those of other procedures. Here are only the sentences on how they
//! arrive.

use docent_describe::{LagPolicy, ProcedureDescription, SubscriptionDescription};
use serde_json::Value;

use super::scope::PageText;
use crate::schema::is_answered;

/// Returns the sentences about a subscription or about what the service sends. There are none about a call.
pub(super) fn sent(
    page: &PageText<'_>,
    is_foreign: bool,
    procedure: &ProcedureDescription,
) -> Vec<Value> {
    let mut sentences = Vec::new();
    if !procedure.is_called_by_clients() {
        let key = if is_answered(procedure) {
            "sent.request"
        } else {
            "sent.notification"
        };
        sentences.push(page.escaped(page.strings.get(key)));
    }
    if let (Some(subscription), Some(name)) =
        (&procedure.subscription, procedure.item_notification())
    {
        sentences.push(page.around("subscription.items", &page.code(name)));
        sentences.push(page.escaped(page.strings.get("subscription.connection")));
        let more = about(is_foreign, subscription).into_iter().flatten();
        sentences.extend(more.map(|key| page.escaped(page.strings.get(key))));
        if let Some(name) = &subscription.resume {
            sentences.push(page.around("subscription.resume", &page.code(name)));
        }
    }
    let sentences = sentences.into_iter();
    sentences.map(|text| view!({ "text": text })).collect()
}

/// Returns the keys of sentences about who falls behind, and about the end.
fn about(is_foreign: bool, subscription: &SubscriptionDescription) -> [Option<&'static str>; 2] {
    let behind = subscription.behind.map(|behind| match behind {
        LagPolicy::End => "subscription.behind.end",
        LagPolicy::Skip => "subscription.behind.skip",
        LagPolicy::Wait => "subscription.behind.wait",
    });
    // Nothing is known of the ends of others.
    let end = if subscription.ends_untold {
        Some("subscription.untold")
    } else {
        (!is_foreign).then_some("subscription.told")
    };
    [behind, end]
}

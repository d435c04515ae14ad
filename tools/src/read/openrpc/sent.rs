//! Finds what the service sends, as far as a document tells it from what clients call.
//!
//! OpenRPC has no member for it. Docent writes an extension; other authors list it apart, or let the names of methods
//! say it.

use std::collections::HashSet;

use super::OpenRpcReading;
use crate::read::fields::MemberReader;
use docent_describe::openrpc::{X_NOTIFICATION_OF, from_openrpc};
use docent_describe::{Direction, ProcedureDescription};

impl OpenRpcReading<'_> {
    /// Adds what the document lists apart from its methods, and marks the methods that the service sends.
    pub(super) fn add_sent(
        &self,
        fields: &mut MemberReader<'_>,
        procs: &mut Vec<ProcedureDescription>,
    ) {
        if !self.is_docent {
            mark_by_name(procs);
            // Some authors list notifications and requests of the service in members of their own.
            for mut procedure in self.procedures(fields, "x-notifications") {
                procedure.direction = Direction::Server;
                procedure.notification = true;
                procs.push(procedure);
            }
            for mut procedure in self.procedures(fields, "x-server-requests") {
                procedure.direction = Direction::Server;
                procedure.notification = false;
                procs.push(procedure);
            }
        }
        remove_added(procs);
    }
}

/// Marks the methods without a result that are named as notifications of subscriptions are: `a_subscriptionHeads`
/// beside a method that is named like `a_subscribeHeads`.
fn mark_by_name(procs: &mut [ProcedureDescription]) {
    let prefixes: HashSet<String> = procs
        .iter()
        .filter_map(|procedure| prefix_before(&procedure.name, "subscribe"))
        .collect();
    for procedure in procs {
        if procedure.output().is_none()
            && let Some(prefix) = prefix_before(&procedure.name, "subscription")
            && prefixes.contains(&prefix)
        {
            procedure.direction = Direction::Server;
            procedure.notification = true;
        }
    }
}

/// Returns what is before a word in a name, in lower case.
fn prefix_before(name: &str, word: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    Some(name.split_once(word)?.0.to_owned())
}

/// Removes the methods that writers add for the notifications of subscriptions.
fn remove_added(procs: &mut Vec<ProcedureDescription>) {
    let names: HashSet<String> = procs
        .iter()
        .filter_map(|procedure| procedure.item_notification().map(str::to_owned))
        .collect();
    let mark = from_openrpc(X_NOTIFICATION_OF);
    procs.retain(|procedure| {
        !procedure.extensions.contains_key(&mark) || !names.contains(&procedure.name)
    });
}

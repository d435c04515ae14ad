//! The procedures that every service has: its description, in every format.
//!
//! They are ordinary procedures: bound, checked, limited and dispatched in the same way. They do
//! not list themselves.

use std::sync::Arc;

use docent_describe::json::{Pointer, shorten_bytes};
use docent_describe::render::OpenRpcVersion;
use schemars::JsonSchema;
use serde::Deserialize;

use super::renderings::{Rendered, Renderings};
use crate::call::Cx;
use crate::fault::Fault;
use crate::procedure::Procedure;
use crate::subscription::{Subscriber, needs_connection};
use docent_describe::brief::{MAX_REASON_BYTES, quote};

/// The procedure that returns the whole description.
pub(super) const WHOLE_DESCRIPTION: &str = "rpc.describe";

/// The procedure that ends a subscription.
pub(super) const UNSUBSCRIBE: &str = "rpc.unsubscribe";

/// The parameters of `rpc.unsubscribe`.
#[derive(Deserialize, JsonSchema)]
struct Unsubscribe {
    /// The id of the subscription.
    subscription: String,
}

/// The parameters of `rpc.describe`.
#[derive(Deserialize, JsonSchema)]
struct Describe {
    /// The procedures to describe; all of them if there is no list.
    procs: Option<Vec<String>>,
}

/// The parameters of `rpc.discover`.
#[derive(Deserialize, JsonSchema)]
struct Discover {
    /// The version of OpenRPC; the one that the service is configured for where none is given.
    version: Option<OpenRpcVersion>,
}

/// Returns the reserved procedures of a service.
pub(super) fn procedures(
    renderings: &Arc<Renderings>,
    unsubscribe_aliases: &[String],
) -> Vec<Procedure> {
    let [describing, discover, openapi, system] = [(); 4].map(|()| renderings.clone());
    let mut procedures = vec![
        Procedure::rendered(WHOLE_DESCRIPTION, move |_: Cx, p: Describe| {
            describe(&describing, p)
        })
        .summary("Describes the service and its procedures.")
        .idempotent(),
        Procedure::rendered("rpc.discover", move |_: Cx, p: Discover| {
            Ok(discover.discover(p.version))
        })
        .summary("Describes the service as an OpenRPC document.")
        .idempotent(),
        Procedure::rendered("rpc.openapi", move |_: Cx, (): ()| Ok(openapi.openapi()))
            .summary("Describes the service as an OpenAPI document.")
            .idempotent(),
        Procedure::rendered("system.describe", move |_: Cx, (): ()| Ok(system.system()))
            .summary("Describes the service in the format of JSON-RPC 1.1 (section 10).")
            .idempotent(),
        constant("system.version", env!("CARGO_PKG_VERSION"))
            .summary("Returns the version of the server software."),
        constant(
            "system.about",
            concat!("Docent ", env!("CARGO_PKG_VERSION")),
        )
        .summary("Returns the name and version of the server software."),
    ];
    if renderings
        .description
        .procs
        .iter()
        .any(|procedure| procedure.subscription.is_some())
    {
        procedures.push(unsubscribe(UNSUBSCRIBE, renderings));
        for alias in unsubscribe_aliases {
            procedures.push(unsubscribe(alias, renderings));
        }
    }
    let registered = renderings
        .description
        .procs
        .iter()
        .map(|procedure| &procedure.name);
    let reserved = procedures.iter().map(|procedure| &procedure.name);
    let names: Vec<String> = registered.chain(reserved).cloned().collect();
    procedures.push(list_methods(names));
    procedures
}

/// Creates the procedure that ends a subscription of its connection, and returns whether that had not ended.
fn unsubscribe(name: &str, renderings: &Arc<Renderings>) -> Procedure {
    let renderings = Arc::clone(renderings);
    Procedure::sync(name, move |cx: Cx, p: Unsubscribe| {
        match cx.extension::<Arc<Subscriber>>() {
            Some(subscriber) if !subscriber.is_exchange() => {
                Ok(subscriber.close_named(&p.subscription))
            }
            // The response with the events is the subscription, so nothing else can end it.
            _ => Err(needs_connection(&renderings.description, &["http", "sse"])),
        }
    })
    .summary("Ends a subscription.")
}

fn describe(renderings: &Renderings, asked: Describe) -> Result<Rendered, Fault> {
    let Some(names) = asked.procs else {
        return Ok(renderings.describe());
    };
    renderings
        .excerpt(&names)
        .map_err(|unknown| no_such(&names, &unknown))
}

/// Returns the fault for names that no procedure has, with the position of the first and a list of
/// the first few.
fn no_such(asked: &[String], unknown: &[String]) -> Fault {
    const MAX_LISTED_NAMES: usize = 5;
    let first = asked
        .iter()
        .position(|name| Some(name) == unknown.first())
        .unwrap_or_default();
    let names: Vec<_> = unknown
        .iter()
        .take(MAX_LISTED_NAMES)
        .map(|name| quote(name))
        .collect();
    let mut reason = format!("no such procedure: {}", names.join(", "));
    if unknown.len() > names.len() {
        let more = unknown.len() - names.len();
        reason = format!("{reason} and {more} more");
    }
    Fault::invalid_params_at(
        "procs",
        &Pointer::root().join(first),
        shorten_bytes(&reason, MAX_REASON_BYTES),
    )
}

/// Creates the procedure `system.listMethods`. Like the servers of the time of 1.1, it lists
/// everything that can be called, itself included.
fn list_methods(mut names: Vec<String>) -> Procedure {
    const LIST_METHODS: &str = "system.listMethods";
    names.push(LIST_METHODS.to_owned());
    let names: Arc<[String]> = names.into();
    Procedure::sync(LIST_METHODS, move |_: Cx, (): ()| {
        Ok::<_, Fault>(names.to_vec())
    })
    .summary("Lists the names of all procedures.")
    .idempotent()
}

fn constant(name: &str, text: &'static str) -> Procedure {
    Procedure::sync(name, move |_: Cx, (): ()| Ok::<_, Fault>(text)).idempotent()
}

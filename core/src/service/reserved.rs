//! The procedures that every service has: its description, in every rendering.
//!
//! They are procedures like all others: bound, checked, limited and dispatched the same way. They
//! do not list themselves.

use std::borrow::Cow;
use std::sync::Arc;

use docent_describe::ServiceDescription;
use docent_describe::json::{Json, Pointer};
use docent_describe::render::{self, OpenRpcOptions, Pieces};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::bind::quote;
use crate::brief::{REASON, bytes};
use crate::call::Cx;
use crate::fault::Fault;
use crate::procedure::Procedure;

/// The procedure that answers the whole description.
pub(super) const WHOLE: &str = "rpc.describe";

/// JSON text that is written as it is.
#[derive(Clone)]
struct Rendered(Arc<RawValue>);

impl Rendered {
    fn new(text: String) -> Result<Self, Fault> {
        RawValue::from_string(text)
            .map(|raw| Self(raw.into()))
            .map_err(Fault::internal)
    }
}

impl Serialize for Rendered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl JsonSchema for Rendered {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Rendered".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

/// What `rpc.describe` can be asked.
#[derive(Deserialize, JsonSchema)]
struct Describe {
    /// The procedures to describe; all of them where there is no list.
    procs: Option<Vec<String>>,
}

/// The reserved procedures of a service, and the whole description as `rpc.describe` answers it.
pub(super) fn procedures(
    description: &ServiceDescription,
    openrpc: OpenRpcOptions,
) -> (Vec<Procedure>, String) {
    let pieces = Pieces::new(description);
    let whole = pieces.whole();
    let mut procedures = vec![
        describe(pieces, whole.clone()),
        rendered("rpc.discover", &render::openrpc(description, openrpc))
            .summary("Describes the service as an OpenRPC document."),
        rendered("system.describe", &render::system_describe(description))
            .summary("Describes the service in the format of JSON-RPC 1.1 (section 10)."),
        said("system.version", env!("CARGO_PKG_VERSION"))
            .summary("Returns the version of the server software."),
        said(
            "system.about",
            concat!("Docent ", env!("CARGO_PKG_VERSION")),
        )
        .summary("Returns the name and version of the server software."),
    ];
    let registered = description.procs.iter().map(|procedure| &procedure.name);
    let reserved = procedures.iter().map(|procedure| &procedure.name);
    let names: Vec<String> = registered.chain(reserved).cloned().collect();
    procedures.push(list_methods(names));
    (procedures, whole)
}

fn describe(pieces: Pieces, whole: String) -> Procedure {
    let whole = Rendered::new(whole).ok();
    Procedure::sync(WHOLE, move |_: Cx, p: Describe| match (p.procs, &whole) {
        (None, Some(whole)) => Ok(whole.clone()),
        (None, None) => Err(Fault::internal("the description is no JSON")),
        (Some(names), _) => match pieces.partial(&names) {
            Ok(text) => Rendered::new(text),
            Err(unknown) => Err(no_such(&names, &unknown.names)),
        },
    })
    .summary("Describes the service and its procedures.")
    .idempotent()
}

/// The refusal of names that no procedure has: the place of the first, and the names in short.
fn no_such(asked: &[String], unknown: &[String]) -> Fault {
    const SHOWN: usize = 5;
    let shown: Vec<_> = unknown.iter().take(SHOWN).map(|name| quote(name)).collect();
    let more = match unknown.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let first = asked.iter().position(|name| Some(name) == unknown.first());
    let pointer = Pointer::root().join(first.unwrap_or_default());
    Fault::invalid_params_at(
        "procs",
        &pointer,
        bytes(
            &format!("no such procedure: {}{more}", shown.join(", ")),
            REASON,
        ),
    )
}

fn rendered(name: &str, rendering: &Json) -> Procedure {
    let rendering = Rendered::new(rendering.to_string()).ok();
    Procedure::sync(name, move |_: Cx, (): ()| {
        rendering
            .clone()
            .ok_or_else(|| Fault::internal("the description is no JSON"))
    })
    .idempotent()
}

/// What servers of the time of 1.1 listed: everything that can be called, this included.
fn list_methods(mut names: Vec<String>) -> Procedure {
    const NAME: &str = "system.listMethods";
    names.push(NAME.to_owned());
    let names: Arc<[String]> = names.into();
    Procedure::sync(NAME, move |_: Cx, (): ()| Ok::<_, Fault>(names.to_vec()))
        .summary("Lists the names of all procedures.")
        .idempotent()
}

fn said(name: &str, text: &'static str) -> Procedure {
    Procedure::sync(name, move |_: Cx, (): ()| Ok::<_, Fault>(text)).idempotent()
}

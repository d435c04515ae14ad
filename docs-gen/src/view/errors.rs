//! Errors: what they mean, and whether repeating the call can help.

use docent_describe::json::shorten;
use docent_describe::{ErrorDescription, ProcedureDescription};
use serde::Serialize;

use super::Scope;
use crate::links::Ids;
use crate::markdown;
use crate::markup::Markup;
use crate::schema::{Row, Shape, Slot, Tree, shape, words};
use crate::strings::Strings;

/// The codes that any call may be answered with.
const STANDARD: [i64; 5] = [-32700, -32600, -32601, -32602, -32603];

/// The codes that Docent's server answers with beside them.
const DOCENT: [i64; 7] = [-32001, -32002, -32003, -32004, -32005, -32006, -32007];

/// One of the protocol's own errors.
#[derive(Debug, Serialize)]
pub(crate) struct Protocol {
    pub(crate) id: String,
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) when: String,
    /// Whether repeating helps, where that is known.
    pub(crate) repeat: Option<String>,
}

/// The protocol's own errors: those of the specification in its own words, or, where Docent serves
/// the service, all that it answers with and what it knows of them.
pub(crate) fn protocol_errors(
    strings: &Strings,
    foreign: bool,
    id: impl Fn(&str) -> String,
) -> Vec<Protocol> {
    let more: &[i64] = if foreign { &[] } else { &DOCENT };
    let text = |code: &i64, what: &str| strings.get(&format!("protocol.{code}.{what}")).to_owned();
    let when = if foreign { "specified" } else { "when" };
    STANDARD
        .iter()
        .chain(more)
        .map(|code| Protocol {
            id: id(&format!("code{code}")),
            code: *code,
            message: text(code, "message"),
            when: text(code, when),
            repeat: (!foreign).then(|| text(code, "repeat")),
        })
        .collect()
}

/// An error that a procedure declares.
#[derive(Debug, Serialize)]
pub(super) struct Declared {
    id: String,
    href: String,
    code: i64,
    message: String,
    text: Option<Markup>,
    repeat: Option<String>,
    status: Option<u16>,
    data: Option<Data>,
}

#[derive(Debug, Serialize)]
struct Data {
    kind: Markup,
    rows: Vec<Row>,
}

pub(super) fn declared(
    scope: &Scope<'_>,
    tree: &mut Tree<'_>,
    ids: &mut Ids,
    procedure: &ProcedureDescription,
) -> Vec<Declared> {
    let foreign = scope.is_foreign();
    let mut declared = Vec::new();
    for error in procedure.errors.iter().take(1000) {
        let id = ids.assign(&format!("error.{}", error.code));
        let data = error.data.as_ref().map(|schema| {
            let kind = words(&scope.links, scope.strings, schema);
            if !matches!(shape(schema).shape, Shape::Scalar(_) | Shape::Any) {
                let slot = Slot {
                    name: "data",
                    required: true,
                    ..Slot::default()
                };
                tree.value(ids, &format!("error.{}.data", error.code), slot, schema, 0);
            }
            Data {
                kind,
                rows: tree.take(),
            }
        });
        declared.push(Declared {
            href: scope.links.same_page(&id),
            id: scope.links.id(&id),
            code: error.code,
            message: shorten(&error.message, 300).into_owned(),
            text: error
                .description
                .as_deref()
                .map(|text| markdown::render(text, 4)),
            repeat: repeat(scope.strings, foreign, error),
            status: error.status.filter(|_| !foreign && procedure.idempotent),
            data,
        });
    }
    declared
}

/// Whether repeating the call can help, if the error's declaration says so, or if the code is one of
/// Docent's. It is never guessed, from an HTTP status or otherwise.
pub(crate) fn repeat(strings: &Strings, foreign: bool, error: &ErrorDescription) -> Option<String> {
    let text = match error.retry {
        Some(true) => strings.get("repeat.yes"),
        Some(false) => strings.get("repeat.no"),
        None if foreign => return None,
        None => strings.find(&format!("protocol.{}.repeat", error.code))?,
    };
    Some(strings.with("repeat", text))
}

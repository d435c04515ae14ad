//! Errors: what they mean, and whether repeating the call can help.

use docent_describe::json::shorten;
use docent_describe::{ErrorDescription, ProcedureDescription, code};
use serde::Serialize;

use super::row::{Row, Slot};
use super::scope::Scope;
use super::tree::Tree;
use super::words::words;
use crate::links::Ids;
use crate::markdown;
use crate::markup::Markup;
use crate::schema::{Shape, shape};
use crate::strings::Strings;

/// One of the protocol's own errors.
#[derive(Debug, Serialize)]
pub(crate) struct Protocol {
    pub(crate) id: String,
    pub(crate) code: i64,
    pub(crate) message: &'static str,
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
    let text = |code: i64, what: &str| strings.get(&format!("protocol.{code}.{what}")).to_owned();
    let when = if foreign { "specified" } else { "when" };
    let rows = code::TABLE.iter();
    rows.filter(|row| !foreign || code::SPECIFIED.contains(&row.code))
        .map(|row| Protocol {
            id: id(&format!("code{}", row.code)),
            code: row.code,
            message: row.message,
            when: text(row.code, when),
            repeat: (!foreign).then(|| text(row.code, "repeat")),
        })
        .collect()
}

/// An error that a procedure declares.
#[derive(Debug, Serialize)]
pub(super) struct Declared {
    id: String,
    pub(super) href: String,
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
                .map(|text| markdown::render(scope.form(), text, 4)),
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

//! Errors: their meaning, and whether repeating the call can help.

use std::collections::BTreeMap;

use docent_describe::json::{Json, shorten};
use docent_describe::{ErrorDescription, ProcedureDescription, code};
use serde::Serialize;

use super::overview::PageLink;
use super::row::{Row, Slot};
use super::scope::Scope;
use super::tree::Tree;
use super::words::words;
use crate::json_text;
use crate::links::Ids;
use crate::markdown;
use crate::markup::Markup;
use crate::plan::Target;
use crate::schema::{Shape, shape};
use crate::strings::Strings;
use crate::text::shown_name;

/// One of the protocol's own errors.
#[derive(Debug, Serialize)]
pub(crate) struct Protocol {
    pub(crate) id: String,
    pub(crate) code: i64,
    pub(crate) message: &'static str,
    pub(crate) when: String,
    /// The text on whether repeating helps, if that is known.
    pub(crate) repeat: Option<String>,
}

/// Returns the protocol's own errors: for a service that Docent serves, all that it returns, with
/// Docent's knowledge of them; for others, those of the specification in its own words.
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

/// The most codes that an overview lists, and the most procedures of each.
const MOST_CODES: usize = 300;
const MOST_PROCEDURES: usize = 30;

/// An error that procedures declare, with the procedures.
#[derive(Debug, Serialize)]
pub(super) struct Answered {
    id: String,
    /// The page of the code.
    href: Option<String>,
    code: i64,
    message: String,
    procedures: Vec<Answering>,
    more: Option<String>,
}

#[derive(Debug, Serialize)]
struct Answering {
    name: String,
    href: String,
}

impl Scope<'_> {
    /// Returns the page of a code, if it has one.
    fn code_page(&self, code: i64) -> Option<String> {
        let found = self.service.plan.codes.get_index_of(&code)?;
        Some(self.links.to(Target::Code(found)))
    }

    /// Returns the link to the page that lists all procedures with this error, if there are others.
    fn others(&self, code: i64) -> Option<PageLink> {
        let users = self.service.plan.codes.get(&code)?;
        let href = self.code_page(code).filter(|_| users.len() > 1)?;
        let name = self.strings.count("error.users", users.len());
        Some(PageLink { name, href })
    }

    /// Returns the errors that procedures declare, by code and message, each with the procedures.
    pub(super) fn answered(&self) -> Vec<Answered> {
        let mut all: BTreeMap<(i64, &str), Vec<usize>> = BTreeMap::new();
        for (index, procedure) in self.description().procs.iter().enumerate() {
            for error in &procedure.errors {
                let users = all.entry((error.code, &error.message)).or_default();
                if users.last() != Some(&index) {
                    users.push(index);
                }
            }
        }
        let mut ids = Ids::new();
        let rows = all.into_iter().take(MOST_CODES);
        rows.map(|((code, message), users)| Answered {
            href: self.code_page(code),
            id: self.links.id(&ids.assign(&format!("answer.{code}"))),
            code,
            message: shorten(message, 300).into_owned(),
            more: users
                .len()
                .checked_sub(MOST_PROCEDURES)
                .filter(|more| *more > 0)
                .map(|more| self.strings.count("users.more", more)),
            procedures: users
                .into_iter()
                .take(MOST_PROCEDURES)
                .map(|index| Answering {
                    name: shown_name(&self.procedure(index).name),
                    href: self
                        .links
                        .to_anchor(Target::Procedure(index), &format!("error.{code}")),
                })
                .collect(),
        })
        .collect()
    }
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
    /// The link to the list of all procedures with this error.
    others: Option<PageLink>,
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
            let mut kind = words(&scope.links, scope.strings, schema);
            if let (Shape::Any, Some([given, ..])) = (
                &shape(schema).shape,
                schema.get("examples").and_then(Json::as_array),
            ) {
                // Nothing else is known of the data than the author's example.
                kind = Markup::of_text(scope.form(), scope.strings.get("error.data.example"));
                kind.text(" ").code(&json_text::brief(given, 300));
            }
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
                .map(|text| scope.links.prose(markdown::render(scope.form(), text, 4))),
            repeat: repeat(scope.strings, foreign, error),
            others: scope.others(error.code),
            status: error.status.filter(|_| !foreign && procedure.idempotent),
            data,
        });
    }
    declared
}

/// Returns the text on whether repeating the call can help, if the error's declaration tells it, or if
/// the code is one of Docent's. It is never guessed, from an HTTP status or otherwise.
pub(crate) fn repeat(strings: &Strings, foreign: bool, error: &ErrorDescription) -> Option<String> {
    let text = match error.retry {
        Some(true) => strings.get("repeat.yes"),
        Some(false) => strings.get("repeat.no"),
        None if foreign => return None,
        None => strings.find(&format!("protocol.{}.repeat", error.code))?,
    };
    Some(strings.with("repeat", text))
}

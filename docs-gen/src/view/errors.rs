//! Errors: their meaning, whether repeating the call can help, and the page of each code.

use docent_describe::json::{Json, shorten};
use docent_describe::schema::{Kinds, View};
use docent_describe::{ErrorDescription, ProcedureDescription};
use indexmap::IndexMap;
use serde_json::Value;

use super::scope::{Content, PageScope, named_link};
use crate::json_text;
use crate::markup::Markup;
use crate::plan::{LIST_LENGTH, PageTarget};
use crate::schema::{Row, RowTree, ServiceSchemas, TypeWords};
use crate::slug::Slugs;
use crate::text::shown_name;

/// The maximum number of declared errors on a page.
const MAX_ERRORS: usize = 1000;

/// The most codes that an overview lists, and the most procedures of each.
const MOST_CODES: usize = 300;
const MOST_PROCEDURES: usize = 30;

/// The most messages of a code that are shown on its page, and the most descriptions of each.
const MOST_MESSAGES: usize = 50;
const MOST_TEXTS: usize = 5;

/// The declarations of a code with one message.
#[derive(Default)]
struct CodeMessage<'d> {
    texts: Vec<&'d str>,
    repeats: Vec<String>,
    procedures: Vec<usize>,
}

/// An error that a procedure declares.
pub(super) struct ErrorView<'a> {
    /// The anchor.
    pub(super) id: String,
    pub(super) error: &'a ErrorDescription,
    data: Option<ErrorData<'a>>,
}

/// The data of an error.
struct ErrorData<'a> {
    words: TypeWords<'a>,
    /// The author's example, if nothing else is known of the data.
    example: Option<&'a Json>,
    rows: Vec<Row<'a>>,
}

impl<'a> ErrorView<'a> {
    /// Finds what is said of the errors that a procedure declares.
    pub(super) fn of_procedure(
        tree: &mut RowTree<'a>,
        schemas: &'a ServiceSchemas<'a>,
        procedure: &'a ProcedureDescription,
    ) -> Vec<Self> {
        let errors = procedure.errors.iter().take(MAX_ERRORS);
        errors
            .map(|error| Self {
                id: tree.ids.assign(&format!("error.{}", error.code)),
                error,
                data: error
                    .data
                    .as_ref()
                    .map(|schema| ErrorData::new(tree, error.code, schemas.views.of(schema))),
            })
            .collect()
    }
}

impl<'a> ErrorData<'a> {
    fn new(tree: &mut RowTree<'a>, code: i64, view: &'a View<'a>) -> Self {
        let is_free = view.layers.iter().all(|layer| layer.node.accepts_all());
        let has_parts = Kinds::ARRAY | Kinds::OBJECT;
        if !is_free && (view.kinds.meet(has_parts) || view.listed.is_some()) {
            tree.error_data(code, view);
        }
        Self {
            words: TypeWords::of(view),
            example: view.examples().next().filter(|_| is_free),
            rows: tree.take(),
        }
    }
}

impl PageScope<'_> {
    /// Returns the protocol's own errors: for a service that Docent serves, all that it returns, with
    /// Docent's knowledge of them; for others, those of the specification in its own words.
    pub(super) fn protocol_errors(&self) -> Vec<Value> {
        let options = &self.service.options;
        let rows = options.protocol_codes().map(|row| {
            view!({
                "id": self.text.links.id(&format!("code{}", row.code)),
                "code": row.code,
                "message": row.message,
                "when": options.when_returned(row.code, self.text.strings),
                "repeat": self.protocol_repeat(row.code),
            })
        });
        rows.collect()
    }

    /// Returns whether repeating a call can help that Docent has answered with one of the protocol's codes.
    fn protocol_repeat(&self, code: i64) -> Option<&str> {
        let key = format!("protocol.{code}.repeat");
        self.text.strings.find(&key).filter(|_| !self.is_foreign())
    }

    /// Returns the page of a code, if it has one.
    fn code_page(&self, code: i64) -> Option<String> {
        Some(self.text.links.to(PageTarget::Code(
            self.service.plan.codes.get_index_of(&code)?,
        )))
    }

    /// Returns the link to the page that lists all procedures with this error, if there are others.
    fn others(&self, code: i64) -> Option<Value> {
        let users = self.service.plan.codes.get(&code)?;
        let href = self.code_page(code).filter(|_| users.len() > 1)?;
        let name = self.text.strings.count("error.users", users.len());
        Some(named_link(name, href))
    }

    /// Returns the address of an error on the page of a procedure that declares it.
    fn declaration(&self, index: usize, code: i64) -> String {
        let anchor = format!("error.{code}");
        self.text
            .links
            .to_anchor(PageTarget::Procedure(index), &anchor)
    }

    /// Returns the errors that procedures declare, by code and message, each with the procedures.
    pub(super) fn answered(&self) -> Vec<Value> {
        let all = self.service.plan.codes.iter().flat_map(|(&code, users)| {
            let mut messages = self.messages(code, users);
            messages.sort_unstable_keys();
            messages.into_iter().map(move |it| (code, it))
        });
        let mut ids = Slugs::default();
        let rows = all.take(MOST_CODES);
        rows.map(|(code, (message, it))| {
            let users = it.procedures;
            let procedures = users.iter().take(MOST_PROCEDURES).map(|&index| {
                let name = shown_name(&self.procedure(index).name);
                named_link(name, self.declaration(index, code))
            });
            view!({
                "id": self.text.links.id(&ids.assign(&format!("answer.{code}"))),
                "href": self.code_page(code),
                "code": code,
                "message": shorten(message, 300),
                "procedures": procedures.collect::<Value>(),
                "more": self.text.strings.rest("users.more", users.len(), MOST_PROCEDURES),
            })
        })
        .collect()
    }

    /// Returns an error that a procedure declares, for a template.
    pub(super) fn declared(&self, procedure: &ProcedureDescription, view: &ErrorView<'_>) -> Value {
        let error = view.error;
        let status = error.status;
        view!({
            "href": self.text.links.same_page(&view.id),
            "id": self.text.links.id(&view.id),
            "code": error.code,
            "message": shorten(&error.message, 300),
            "text": error.description.as_deref().map(|text| self.text.prose(text, 4)),
            "repeat": self.repeat(error),
            "others": self.others(error.code),
            "status": status.filter(|_| !self.is_foreign() && procedure.idempotent),
            "data": view.data.as_ref().map(|data| self.error_data(data)),
        })
    }

    fn error_data(&self, data: &ErrorData<'_>) -> Value {
        let kind = match data.example {
            Some(example) => {
                let mut kind = Markup::of_text(
                    self.text.form(),
                    self.text.strings.get("error.data.example"),
                );
                kind.text(" ").code(&json_text::brief(example, 300));
                kind
            }
            None => data.words.markup(&self.text),
        };
        view!({ "kind": kind, "rows": Row::tree(&self.text, &data.rows) })
    }

    /// Returns the text on whether repeating the call can help, if the error's declaration tells it, or
    /// if the code is one of Docent's. It is never guessed, from an HTTP status or otherwise.
    fn repeat(&self, error: &ErrorDescription) -> Option<String> {
        let text = match error.retry {
            Some(true) => self.text.strings.get("repeat.yes"),
            Some(false) => self.text.strings.get("repeat.no"),
            None => self.protocol_repeat(error.code)?,
        };
        Some(self.text.strings.with("repeat", text))
    }

    /// Returns the page of an error code: its meaning, and the procedures that return it.
    pub(super) fn code(&self, index: usize) -> Content {
        // The plan has a page for each code, so it is found.
        let (code, users) = self
            .service
            .plan
            .codes
            .get_index(index)
            .map_or((0, &[][..]), |(code, users)| (*code, &users[..]));
        let all = self.messages(code, users);
        let first = all.keys().next().copied().unwrap_or_default();
        let name = shorten(first, 300);
        let messages = all
            .iter()
            .take(MOST_MESSAGES)
            .map(|(message, it)| self.message(code, message, it, all.len()));
        let view = view!({
            "overview": self.text.links.to_anchor(PageTarget::Overview, "answered"),
            "code": code,
            "name": &*name,
            "lead": self.text.strings.count("error.users", users.len()),
            "protocol": self.protocol_error(code),
            "messages": messages.collect::<Value>(),
        });
        Content {
            title: format!("{code} {name}"),
            ..self.page("code", None, view)
        }
    }

    fn messages(&self, code: i64, users: &[usize]) -> IndexMap<&str, CodeMessage<'_>> {
        let mut all: IndexMap<&str, CodeMessage<'_>> = IndexMap::new();
        for &user in users {
            let errors = self.procedure(user).errors.iter();
            for error in errors.filter(|error| error.code == code) {
                let message = all.entry(&error.message).or_default();
                if message.procedures.last() != Some(&user) {
                    message.procedures.push(user);
                }
                let text = error.description.as_deref();
                let is_new =
                    |text: &&str| message.texts.len() < MOST_TEXTS && !message.texts.contains(text);
                message.texts.extend(text.filter(is_new));
                let repeat = self.repeat(error);
                message
                    .repeats
                    .extend(repeat.filter(|repeat: &String| !message.repeats.contains(repeat)));
            }
        }
        all
    }

    fn message(&self, code: i64, text: &str, message: &CodeMessage<'_>, messages: usize) -> Value {
        // If the procedures do not agree, only their own pages say whether repeating helps.
        let agree = message.repeats.len() == 1;
        let texts = message.texts.iter().map(|text| self.text.prose(text, 3));
        let items = message
            .procedures
            .iter()
            .take(LIST_LENGTH)
            .map(|&index| self.item_at(index, &self.declaration(index, code)));
        view!({
            "name": shorten(text, 300),
            "headed": messages > 1,
            "texts": texts.collect::<Value>(),
            "repeats": if agree { &message.repeats[..] } else { &[] },
            "items": items.collect::<Value>(),
            "more": self.text.strings.rest("users.more", message.procedures.len(), LIST_LENGTH),
        })
    }

    /// Returns the link to a code in the list of the protocol's own.
    fn protocol_error(&self, code: i64) -> Option<Value> {
        let row = self
            .service
            .options
            .protocol_codes()
            .find(|row| row.code == code)?;
        let anchor = format!("code{code}");
        Some(named_link(
            format!("{}: {}", self.text.strings.get("names.code"), row.message),
            self.text.links.to_anchor(PageTarget::Overview, &anchor),
        ))
    }
}

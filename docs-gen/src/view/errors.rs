//! Errors: their meaning, whether repeating the call can help, and the page of each code.
//!
//! The codes of the protocol itself have their messages from the table in `docent-describe`, and their
//! meanings from the texts of the interface.

use docent_describe::json::{Json, shorten};
use docent_describe::schema::{Kinds, Node, View};
use docent_describe::{ErrorDescription, ProcedureDescription, code};
use indexmap::IndexMap;
use serde_json::Value;

use super::scope::{Content, MAX_MESSAGE_BYTES, PageScope, PageText, named_link};
use crate::call;
use crate::json_text;
use crate::plan::LIST_LENGTH;
use crate::schema::{Row, RowTree, ServiceSchemas, TypeWords};
use crate::service::ServiceOptions;
use crate::slug::Slugs;
use crate::strings::Strings;

/// The maximum number of declared errors on a page.
const MAX_ERRORS: usize = 1000;

/// The maximum number of codes that an overview lists.
const MAX_CODES: usize = 300;

/// The maximum number of messages that are shown on the page of a code.
const MAX_MESSAGES: usize = 50;

/// The maximum number of different declarations that are shown with a message.
const MAX_DECLARATIONS: usize = 5;

/// The declarations of a code with one message.
#[derive(Default)]
struct CodeMessage<'d> {
    /// The different declarations.
    errors: Vec<&'d ErrorDescription>,
    /// The procedures that return the error.
    procedures: Vec<usize>,
}

impl<'d> CodeMessage<'d> {
    /// Returns the message for a template.
    fn view(
        &self,
        scope: &PageScope<'d>,
        tree: &mut RowTree<'d>,
        code: i64,
        text: &str,
        messages: usize,
    ) -> Value {
        let page = &scope.text;
        let users = self.procedures.iter().take(LIST_LENGTH);
        let mut procedures = users.map(|&index| scope.procedure(index));
        let shown =
            procedures.find_map(|user| call::shown_failure(scope.schemas, user, code, text));
        let is_made = shown.is_none();
        let user = scope.procedure(self.procedures[0]);
        let example = shown.or_else(|| call::made_failure(scope.schemas, user, self.errors[0]));
        let errors = self.errors.iter().copied();
        let schemas = distinct(errors.clone().filter_map(|error| error.data.as_ref()));
        let data = schemas.into_iter().map(|schema| {
            let view = scope.schemas.views.view_of_schema(schema);
            ErrorData::new(tree, code, view).view(page)
        });
        let repeats = distinct(
            errors
                .clone()
                .filter_map(|error| repeat(page.strings, &scope.service.options, error)),
        );
        // If the procedures may not agree, only their own pages say whether repeating helps.
        let agree = repeats.len() == 1 && self.errors.len() < MAX_DECLARATIONS;
        let texts = distinct(errors.filter_map(|error| error.description.as_deref()));
        let is_headed = messages > 1;
        let top = if is_headed { 3 } else { 2 };
        let texts = texts.into_iter().map(|text| page.prose(Some(text), top));
        let items = self
            .procedures
            .iter()
            .take(LIST_LENGTH)
            .map(|&index| scope.item_at(index, &page.links.to_error(index, code)));
        view!({
            "name": shorten(text, 300),
            "headed": is_headed,
            "texts": texts.collect::<Value>(),
            "repeats": if agree { &repeats[..] } else { &[] },
            "lead": page.strings.count("error.users", self.procedures.len()),
            "data": data.collect::<Value>(),
            "example": example.map(|example| page.json(&json_text::pretty(&example, MAX_MESSAGE_BYTES))),
            "example_made": is_made,
            "items": items.collect::<Value>(),
            "more": page.strings.rest("users.more", self.procedures.len(), LIST_LENGTH),
        })
    }
}

/// An error that a procedure declares.
pub(super) struct ErrorView<'a> {
    /// The anchor.
    pub(super) id: String,
    /// The declaration.
    pub(super) error: &'a ErrorDescription,
    /// The data that comes with the error, if there is any.
    data: Option<ErrorData<'a>>,
}

/// The data of an error.
struct ErrorData<'a> {
    /// The type in words.
    words: TypeWords<'a>,
    /// The author's example, if nothing else is known of the data.
    example: Option<&'a Json>,
    /// The values in the data, if it has any.
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
                data: error.data.as_ref().map(|schema| {
                    ErrorData::new(tree, error.code, schemas.views.view_of_schema(schema))
                }),
            })
            .collect()
    }

    /// Returns an error that a procedure declares, for a template.
    pub(super) fn view(
        &self,
        page: &PageText<'_>,
        options: &ServiceOptions,
        procedure: &ProcedureDescription,
    ) -> Value {
        let Self { id, error, data } = self;
        view!({
            "href": page.links.same_page(id),
            "id": page.links.id(id),
            "code": error.code,
            "message": shorten(&error.message, 300),
            "text": page.prose(error.description.as_deref(), 4),
            "repeat": repeat(page.strings, options, error),
            "others": other_users(page, error.code),
            "status": error.status.filter(|_| !options.is_foreign() && procedure.idempotent),
            "data": data.as_ref().map(|data| data.view(page)),
        })
    }
}

impl<'a> ErrorData<'a> {
    /// Finds what is said of the data. Its values have rows unless it is a single value, of which the
    /// type says enough.
    fn new(tree: &mut RowTree<'a>, code: i64, view: &'a View<'a>) -> Self {
        let is_free = view.nodes().all(Node::accepts_all);
        let has_parts = Kinds::ARRAY | Kinds::OBJECT;
        if !is_free && (view.kinds.meet(has_parts) || view.listed.is_some()) {
            tree.add_error_data(code, view);
        }
        Self {
            words: TypeWords::new(view),
            example: view.examples().next().filter(|_| is_free),
            rows: tree.take_rows(),
        }
    }

    /// Returns the data for a template.
    fn view(&self, page: &PageText<'_>) -> Value {
        let kind = match self.example {
            Some(example) => {
                let mut kind = page.escaped(page.strings.get("error.data.example"));
                kind.text(" ").code(&json_text::brief(example, 300));
                kind
            }
            None => self.words.markup(page),
        };
        view!({ "kind": kind, "rows": Row::tree(page, &self.rows) })
    }
}

/// Returns the protocol's own errors: for a service that Docent serves, all that it returns, with
/// Docent's knowledge of them; for others, those of the specification in its own words.
pub(super) fn protocol_errors(page: &PageText<'_>, options: &ServiceOptions) -> Vec<Value> {
    let errors = options.protocol_errors().map(|error| {
        view!({
            "id": page.links.id(&format!("code{}", error.code)),
            "code": error.code,
            "message": error.message,
            "when": options.when_returned(error.code, page.strings),
            "statuses": view!({
                "post": statuses(error.call_statuses),
                "get": statuses(error.get_statuses()),
                "request": statuses(error.request_statuses),
            }),
            "repeat": options.repeated(error.code, page.strings),
        })
    });
    errors.collect()
}

/// Returns HTTP statuses as a text, in which a dash stands for none.
fn statuses(statuses: &[u16]) -> String {
    if statuses.is_empty() {
        return "–".to_owned();
    }
    let texts: Vec<_> = statuses.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

/// Returns the HTTP status of an error with GET, if all procedures that return it over GET agree.
fn get_status(scope: &PageScope<'_>, code: i64, users: &[usize]) -> Option<u16> {
    let plan = &scope.service.plan;
    let called = users.iter().filter(|index| plan.takes_get(**index));
    let mut statuses = called.map(|&index| code::get_status(code, Some(scope.procedure(index))));
    let status = statuses.next()?;
    statuses.all(|other| other == status).then_some(status)
}

/// Returns the link to the page that lists all procedures with this error, if there are others.
fn other_users(page: &PageText<'_>, code: i64) -> Option<Value> {
    let users = page.links.plan.codes.get(&code)?;
    let href = page.links.code_page(code).filter(|_| users.len() > 1)?;
    let name = page.strings.count("error.users", users.len());
    Some(named_link(name, href))
}

/// Returns the errors that procedures declare, by code and message, each with the number of the procedures. The page of
/// the code lists them.
pub(super) fn declared_errors(page: &PageText<'_>, options: &ServiceOptions) -> Vec<Value> {
    let all = page.links.plan.codes.iter().flat_map(|(&code, users)| {
        let mut messages = messages(options, code, users);
        messages.sort_unstable_keys();
        messages
            .into_iter()
            .map(move |(text, message)| (code, text, message.procedures))
    });
    let mut ids = Slugs::default();
    let rows = all.take(MAX_CODES);
    rows.map(|(code, message, users)| {
        view!({
            "id": page.links.id(&ids.assign(&format!("answer.{code}"))),
            "href": page.links.code_page(code),
            "code": code,
            "message": shorten(message, 300),
            "users": page.strings.count("count.procedures", users.len()),
        })
    })
    .collect()
}

/// Returns the text on whether repeating the call can help, if the error's declaration tells it, or
/// if the code is one of Docent's. It is never guessed, from an HTTP status or otherwise.
fn repeat(strings: &Strings, options: &ServiceOptions, error: &ErrorDescription) -> Option<String> {
    let text = match error.retry {
        Some(true) => strings.get("repeat.yes").to_owned(),
        Some(false) => strings.get("repeat.no").to_owned(),
        None => options.repeated(error.code, strings)?,
    };
    Some(strings.with("repeat", &text))
}

/// Returns the page of an error code: its meaning, and the procedures that return it.
pub(super) fn code_page<'a>(scope: &PageScope<'a>, index: usize) -> Content {
    let page = &scope.text;
    let options = &scope.service.options;
    // The plan has a page for each code, so it is found.
    let (code, users) = page
        .links
        .plan
        .codes
        .get_index(index)
        .map_or((0, &[][..]), |(code, users)| (*code, &users[..]));
    let all = messages(options, code, users);
    let name = shorten(all.keys().next().copied().unwrap_or_default(), 300);
    let mut tree = RowTree::<'a>::new(&scope.schemas.views);
    let messages = all
        .iter()
        .take(MAX_MESSAGES)
        .map(|(text, message)| message.view(scope, &mut tree, code, text, all.len()));
    // A code of the protocol itself is explained in the list of those.
    let protocol = options
        .protocol_errors()
        .find(|error| error.code == code)
        .map(|error| {
            let name = format!(
                "{}: {}",
                page.strings.get("error.of_protocol"),
                error.message
            );
            named_link(name, page.links.to_overview(&format!("code{code}")))
        });
    let view = view!({
        "overview": page.links.to_overview("answered"),
        "code": code,
        "name": &*name,
        "lead": (all.len() > 1).then(|| page.strings.count("error.users", users.len())),
        "served": !scope.is_foreign(),
        "get_status": get_status(scope, code, users),
        "protocol": protocol,
        "messages": messages.collect::<Value>(),
    });
    Content {
        title: format!("{code} {name}"),
        ..scope.page("code", None, view)
    }
}

/// Returns the declarations of a code by their messages.
fn messages<'o>(
    options: &'o ServiceOptions,
    code: i64,
    users: &[usize],
) -> IndexMap<&'o str, CodeMessage<'o>> {
    let mut all: IndexMap<&str, CodeMessage<'_>> = IndexMap::new();
    for &user in users {
        let errors = options.description.procs[user].errors.iter();
        for error in errors.filter(|error| error.code == code) {
            let message = all.entry(&error.message).or_default();
            if message.procedures.last() != Some(&user) {
                message.procedures.push(user);
            }
            if message.errors.len() < MAX_DECLARATIONS && !message.errors.contains(&error) {
                message.errors.push(error);
            }
        }
    }
    all
}

/// Returns each value once.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for value in values {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

//! Errors: their meaning, and whether repeating the call can help. Each code has a page of its own (`code`).
//!
//! The codes of the protocol itself have their messages from the table in `docent-describe`, and their
//! meanings from the texts of the interface.

use std::borrow::Cow;

use docent_describe::json::{Json, shorten};
use docent_describe::schema::{Kinds, Node, View};
use docent_describe::{ErrorDescription, ProcedureDescription};
use serde::Serialize;

use super::code::messages;
use super::row;
use super::scope::{Link, PageText};
use crate::json_text;
use crate::markup::Markup;
use crate::schema::{Row, RowTree, ServiceSchemas, TypeWords, without_head};
use crate::service::ServiceOptions;
use crate::slug::Slugs;
use crate::strings::Strings;

/// The maximum number of declared errors on a page.
const MAX_ERRORS: usize = 1000;

/// The maximum number of codes that an overview lists.
const MAX_CODES: usize = 300;

/// An error that a procedure declares.
pub(super) struct ErrorView<'a> {
    /// The anchor.
    pub(super) id: String,
    /// The declaration.
    pub(super) error: &'a ErrorDescription,
    /// The data that comes with the error, if there is any.
    data: Option<ErrorData<'a>>,
}

/// An error that a procedure declares, for a template.
#[derive(Serialize)]
pub(super) struct DeclaredError<'a> {
    href: String,
    id: String,
    code: i64,
    message: Cow<'a, str>,
    /// The description.
    text: Option<Markup>,
    /// The text on whether repeating the call can help.
    repeat: Option<String>,
    /// The link to all procedures with this error.
    others: Option<Link>,
    /// The HTTP status with GET.
    status: Option<u16>,
    data: Option<WrittenErrorData>,
}

/// The data of an error, for a template.
#[derive(Serialize)]
pub(super) struct WrittenErrorData {
    /// The type in words, or the author's example.
    kind: Markup,
    rows: Option<Markup>,
}

/// The data of an error.
pub(super) struct ErrorData<'a> {
    /// The type in words.
    words: TypeWords<'a>,
    /// The author's example, if nothing else is known of the data.
    example: Option<&'a Json>,
    /// The row of the data itself, if the type in words says as much.
    head: Option<Row<'a>>,
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

    /// Writes the error for a template.
    pub(super) fn written(
        &self,
        page: &PageText<'_>,
        options: &ServiceOptions,
        procedure: &ProcedureDescription,
    ) -> DeclaredError<'a> {
        let Self { id, error, data } = self;
        DeclaredError {
            href: page.links.same_page(id),
            id: page.links.id(id),
            code: error.code,
            message: shorten(&error.message, 300),
            text: page.prose(error.description.as_deref(), 4),
            repeat: repeat(page.strings, options, error),
            others: other_users(page, error.code),
            status: error
                .status
                .filter(|_| !options.is_foreign() && procedure.idempotent),
            data: data.as_ref().map(|data| data.written(page)),
        }
    }
}

impl<'a> ErrorData<'a> {
    /// Finds what is said of the data. Its values have rows unless it is a single value, of which the
    /// type says enough.
    pub(super) fn new(tree: &mut RowTree<'a>, code: i64, view: &'a View<'a>) -> Self {
        let is_free = view.nodes().all(Node::accepts_all);
        let has_parts = Kinds::ARRAY | Kinds::OBJECT;
        if !is_free && (view.kinds.meet(has_parts) || view.listed.is_some()) {
            tree.add_error_data(code, view);
        }
        let (head, rows) = without_head(tree.take_rows());
        Self {
            words: TypeWords::new(view),
            example: view.examples().next().filter(|_| is_free),
            head,
            rows,
        }
    }

    /// Writes the data for a template.
    pub(super) fn written(&self, page: &PageText<'_>) -> WrittenErrorData {
        let kind = match self.example {
            Some(example) => {
                let mut kind = page.escaped(page.strings.get("error.data.example"));
                kind.text(" ").code(&json_text::brief(example, 300));
                kind
            }
            None => self.words.markup(page),
        };
        WrittenErrorData {
            kind,
            rows: row::tree(page, self.head.as_ref(), &self.rows),
        }
    }
}

/// An error of the protocol itself, for a template.
#[derive(Serialize)]
pub(super) struct ProtocolErrorRow<'a> {
    id: String,
    code: i64,
    message: &'static str,
    /// The sentence on when it is returned.
    when: &'a str,
    statuses: ErrorStatuses,
    /// The text on whether repeating the call can help.
    repeat: Option<String>,
}

/// The HTTP statuses of an error as texts: with POST, with GET, and for requests that are no calls.
#[derive(Serialize)]
struct ErrorStatuses {
    post: String,
    get: String,
    request: String,
}

/// Returns the protocol's own errors: for a service that Docent serves, all that it returns, with
/// Docent's knowledge of them; for others, those of the specification in its own words.
pub(super) fn protocol_errors<'a>(
    page: &PageText<'a>,
    options: &'a ServiceOptions,
) -> Vec<ProtocolErrorRow<'a>> {
    let errors = options.protocol_errors().map(|error| ProtocolErrorRow {
        id: page.links.id(&format!("code{}", error.code)),
        code: error.code,
        message: error.message,
        when: options.when_returned(error.code, page.strings),
        statuses: ErrorStatuses {
            post: statuses(error.call_statuses),
            get: statuses(error.get_statuses()),
            request: statuses(error.request_statuses),
        },
        repeat: options.repeated(error.code, page.strings),
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

/// Returns the link to the page that lists all procedures with this error, if there are others.
fn other_users(page: &PageText<'_>, code: i64) -> Option<Link> {
    let users = page.links.plan.codes.get(&code)?;
    let href = page.links.code_page(code).filter(|_| users.len() > 1)?;
    let name = page.strings.count("error.users", users.len());
    Some(Link::new(name, href))
}

/// A declared error in the list of the overview.
#[derive(Serialize)]
pub(super) struct ListedError<'a> {
    id: String,
    /// The address of the page of the code.
    href: Option<String>,
    code: i64,
    message: Cow<'a, str>,
    /// The number of procedures with this code and message.
    users: String,
}

/// Returns the errors that procedures declare, by code and message, each with the number of the procedures. The page of
/// the code lists them.
pub(super) fn declared_errors<'a>(
    page: &PageText<'_>,
    options: &'a ServiceOptions,
) -> Vec<ListedError<'a>> {
    let all = page.links.plan.codes.iter().flat_map(|(&code, users)| {
        let mut messages = messages(options, code, users);
        messages.sort_unstable_keys();
        messages
            .into_iter()
            .map(move |(text, message)| (code, text, message.procedures))
    });
    let mut ids = Slugs::default();
    let rows = all.take(MAX_CODES);
    rows.map(|(code, message, users)| ListedError {
        id: page.links.id(&ids.assign(&format!("answer.{code}"))),
        href: page.links.code_page(code),
        code,
        message: shorten(message, 300),
        users: page.strings.count("count.procedures", users.len()),
    })
    .collect()
}

/// Returns the text on whether repeating the call can help, if the error's declaration tells it, or
/// if the code is one of Docent's. It is never guessed, from an HTTP status or otherwise.
pub(super) fn repeat(
    strings: &Strings,
    options: &ServiceOptions,
    error: &ErrorDescription,
) -> Option<String> {
    let text = match error.retry {
        Some(true) => strings.get("repeat.yes").to_owned(),
        Some(false) => strings.get("repeat.no").to_owned(),
        None => options.repeated(error.code, strings)?,
    };
    Some(strings.with("repeat", &text))
}

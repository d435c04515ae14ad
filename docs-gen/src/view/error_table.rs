//! The table of errors, which looks the same for those of a procedure, of all procedures, and of the protocol.
//!
//! An error has a line: code, message, whether repeating the call can help, and the HTTP statuses. What takes longer to
//! say follows on a second line, with its data folded. Each code that procedures declare has a page of its own
//! (`code`), and `errors` is the page of all of them. The codes of the protocol have their messages from the table in
//! `docent-describe`, and their meanings from the texts of the interface.

use docent_describe::json::{Json, shorten};
use docent_describe::schema::{Kinds, Node, View};
use docent_describe::{ErrorDescription, ProcedureDescription, code};
use serde::Serialize;

use super::code_message::{CodeMessage, get_statuses, messages, post_status};
use super::items::Mark;
use super::row;
use super::scope::{Link, PageScope, PageText};
use crate::json_text;
use crate::markup::Markup;
use crate::plan::{LIST_LENGTH, PageTarget};
use crate::schema::{Row, RowTree, ServiceSchemas, TypePhrase, without_head};
use crate::service::ServiceOptions;
use crate::slug::Slugs;
use crate::strings::Strings;

/// The maximum number of declared errors on the page of a procedure.
const MAX_ERRORS: usize = 1000;

/// The maximum number of procedures that are named beside an error. The page of its code lists all.
const MAX_NAMED_USERS: usize = 8;

/// A table of errors, for a template.
#[derive(Serialize)]
pub(super) struct ErrorTable<'a> {
    rows: Vec<ErrorRow<'a>>,
    /// True if there is a column for whether repeating a call helps.
    repeats: bool,
    /// True if there are columns for the HTTP statuses.
    statuses: bool,
    /// True if there is a column for the HTTP statuses of requests that are no calls.
    requests: bool,
    /// The number of columns beside the one for the code.
    span: usize,
    /// The number of errors that are not listed.
    rest: Option<String>,
}

/// An error in a table.
#[derive(Default, Serialize)]
struct ErrorRow<'a> {
    id: String,
    /// The address of the error, or of the page of its code.
    href: String,
    code: i64,
    message: String,
    /// The advice on repeating the call, in a few words.
    repeat: Option<&'a str>,
    /// The advice as a sentence.
    repeat_text: Option<String>,
    /// The HTTP statuses with POST, or an empty text.
    post: String,
    /// The HTTP statuses with GET.
    get: String,
    /// The HTTP statuses of requests that are no calls.
    request: String,
    /// The description, or the sentences on what it means.
    text: Option<Markup>,
    /// The procedures that return it.
    users: Vec<Link>,
    /// The link to all procedures that return it.
    others: Option<Link>,
    data: Option<WrittenErrorData>,
    /// The mark that a version has added or changed it.
    mark: Option<Mark>,
    /// True if there is anything to say on a second line.
    more: bool,
}

/// The data of an error, for a template.
#[derive(Serialize)]
pub(super) struct WrittenErrorData {
    /// The phrase of the type, or the author's example.
    kind: Markup,
    rows: Option<Markup>,
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
pub(super) struct ErrorData<'a> {
    type_phrase: TypePhrase<'a>,
    /// The author's example, if nothing else is known of the data.
    example: Option<&'a Json>,
    /// The row of the data itself, if the phrase of the type says as much.
    head: Option<Row<'a>>,
    /// The values in the data, if it has any.
    rows: Vec<Row<'a>>,
}

impl<'a> ErrorView<'a> {
    /// Finds the errors that a procedure declares, with the rows of their data.
    pub(super) fn of_procedure(
        tree: &mut RowTree<'a>,
        schemas: &'a ServiceSchemas<'a>,
        procedure: &'a ProcedureDescription,
    ) -> Vec<Self> {
        let mut views = Vec::new();
        for error in procedure.errors.iter().take(MAX_ERRORS) {
            let id = tree.ids.assign(&format!("error.{}", error.code));
            let data = error.data.as_ref().map(|schema| {
                ErrorData::new(tree, error.code, schemas.views.view_of_schema(schema))
            });
            views.push(Self { id, error, data });
        }
        views
    }
}

impl<'a> ErrorData<'a> {
    /// Finds the type of the data and its rows. A single value has no rows, because its type says enough.
    pub(super) fn new(tree: &mut RowTree<'a>, code: i64, view: &'a View<'a>) -> Self {
        let is_free = view.nodes().all(Node::accepts_all);
        let has_parts = view.kinds.meet(Kinds::ARRAY | Kinds::OBJECT);
        if !is_free && (has_parts || view.listed.is_some()) {
            tree.add_error_data(code, view);
        }
        let (head, rows) = without_head(tree.take_rows());
        Self {
            type_phrase: TypePhrase::new(view),
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
            None => self.type_phrase.markup(page),
        };
        WrittenErrorData {
            kind,
            rows: row::tree(page, self.head.as_ref(), &self.rows),
        }
    }
}

impl<'a> ErrorTable<'a> {
    /// Returns the table of the errors that a procedure declares, if it declares any.
    pub(super) fn of_procedure(
        scope: &PageScope<'a>,
        index: usize,
        errors: &[ErrorView<'_>],
    ) -> Option<Self> {
        let rows = errors
            .iter()
            .map(|error| ErrorRow::of_procedure(scope, index, error));
        Self::new(rows.collect(), !scope.is_foreign())
    }

    /// Returns the table of the errors that procedures declare, by code and message, if there are any.
    pub(super) fn of_all_procedures(scope: &PageScope<'a>) -> Option<Self> {
        let options = &scope.service.options;
        let mut ids = Slugs::default();
        let mut rows = Vec::new();
        let mut total = 0;
        for (&code, users) in &scope.service.plan.codes {
            let mut messages = messages(options, code, users);
            messages.sort_unstable_keys();
            total += messages.len();
            for (text, message) in messages {
                if rows.len() < LIST_LENGTH {
                    let id = scope.text.links.id(&ids.assign(&format!("answer.{code}")));
                    rows.push(ErrorRow::of_message(scope, id, code, text, &message));
                }
            }
        }
        let mut table = Self::new(rows, !scope.is_foreign())?;
        table.rest = scope.text.strings.rest("users.more", total, LIST_LENGTH);
        Some(table)
    }

    /// Returns the table of the protocol's own errors. For a service that Docent serves, these are all that it returns,
    /// with what Docent knows of them; for others, those of the specification with its own texts.
    pub(super) fn of_protocol(page: &PageText<'a>, options: &'a ServiceOptions) -> Option<Self> {
        let rows = options
            .protocol_errors()
            .map(|error| ErrorRow::of_protocol(page, options, error));
        let mut table = Self::new(rows.collect(), !options.is_foreign())?;
        table.requests = table.statuses;
        table.span += usize::from(table.requests);
        Some(table)
    }

    /// Creates a table of errors, of which the HTTP statuses are known or not.
    fn new(rows: Vec<ErrorRow<'a>>, statuses: bool) -> Option<Self> {
        let repeats = rows.iter().any(|row| row.repeat.is_some());
        // The message, whether to repeat, POST and GET.
        let span = 1 + usize::from(repeats) + 2 * usize::from(statuses);
        (!rows.is_empty()).then_some(Self {
            rows,
            repeats,
            statuses,
            requests: false,
            span,
            rest: None,
        })
    }
}

impl<'a> ErrorRow<'a> {
    /// Writes an error that a procedure declares.
    fn of_procedure(scope: &PageScope<'a>, index: usize, view: &ErrorView<'_>) -> Self {
        let ErrorView { id, error, data } = view;
        let page = &scope.text;
        let options = &scope.service.options;
        Self {
            id: page.links.id(id),
            href: page.links.same_page(id),
            code: error.code,
            message: shorten(&error.message, 300).into_owned(),
            repeat: repeat_word(page.strings, options, error),
            repeat_text: repeat(page.strings, options, error),
            post: statuses(post_status(scope, &[index]).as_slice()),
            get: statuses(&get_statuses(scope, error.code, &[index])),
            text: page.prose(error.description.as_deref(), 3),
            others: other_users(page, error.code),
            data: data.as_ref().map(|data| data.written(page)),
            mark: page.mark_of_error(error),
            ..Self::default()
        }
        .completed()
    }

    /// Writes a message that procedures declare with a code.
    fn of_message(
        scope: &PageScope<'a>,
        id: String,
        code: i64,
        text: &'a str,
        message: &CodeMessage<'a>,
    ) -> Self {
        let page = &scope.text;
        let options = &scope.service.options;
        let users = &message.procedures;
        let mut named_users = Vec::new();
        for &user in users.iter().take(MAX_NAMED_USERS) {
            let name = &scope.procedure(user).name;
            named_users.push(Link::named(name, page.links.to_error(user, code)));
        }
        let code_page = page.links.code_page(code);
        let description = message
            .errors
            .iter()
            .find_map(|error| error.description.as_deref());
        Self {
            id,
            href: code_page.clone().unwrap_or_default(),
            code,
            message: shorten(text, 300).into_owned(),
            repeat: message.agreed(|error| repeat_word(page.strings, options, error)),
            post: statuses(post_status(scope, users).as_slice()),
            get: statuses(&get_statuses(scope, code, users)),
            text: page.first_sentence(description),
            users: named_users,
            others: code_page
                .filter(|_| users.len() > MAX_NAMED_USERS)
                .map(|href| Link::new(page.strings.count("error.users", users.len()), href)),
            ..Self::default()
        }
        .completed()
    }

    /// Writes an error of the protocol.
    fn of_protocol(
        page: &PageText<'a>,
        options: &'a ServiceOptions,
        error: &'static code::ProtocolError,
    ) -> Self {
        let anchor = format!("code{}", error.code);
        let mut sentences = vec![options.when_returned(error.code, page.strings)];
        sentences.extend(options.advice(error.code, page.strings));
        let mut row = Self {
            id: page.links.id(&anchor),
            href: page.links.to_anchor(PageTarget::Errors, &anchor),
            code: error.code,
            message: error.message.to_owned(),
            repeat: options
                .retry(error.code, page.strings)
                .map(|text| text.trim_end_matches('.')),
            text: Some(page.escaped(&sentences.join(" "))),
            ..Self::default()
        };
        // How other services use HTTP is not known.
        if !options.is_foreign() {
            row.post = statuses(error.call_statuses);
            row.get = statuses(error.get_statuses());
            row.request = statuses(error.request_statuses);
        }
        row.completed()
    }

    /// Completes the row by whether it has a second line.
    fn completed(mut self) -> Self {
        self.more = self.text.is_some()
            || !self.users.is_empty()
            || self.others.is_some()
            || self.data.is_some();
        self
    }
}

/// Returns HTTP statuses as a text.
fn statuses(statuses: &[u16]) -> String {
    statuses
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Returns the link to the page that lists all procedures with this error, if there are others.
fn other_users(page: &PageText<'_>, code: i64) -> Option<Link> {
    let users = page.links.plan.codes.get(&code)?;
    let href = page.links.code_page(code).filter(|_| users.len() > 1)?;
    let name = page.strings.count("error.users", users.len());
    Some(Link::new(name, href))
}

/// Returns the advice on repeating the call as a sentence, if the error's declaration has it or if the code is one of
/// Docent's. It is never guessed, from an HTTP status or otherwise.
pub(super) fn repeat(
    strings: &Strings,
    options: &ServiceOptions,
    error: &ErrorDescription,
) -> Option<String> {
    let text = match error.retry {
        Some(true) => strings.get("repeat.yes").to_owned(),
        Some(false) => strings.get("repeat.no").to_owned(),
        None => {
            let mut sentences = vec![options.retry(error.code, strings)?];
            sentences.extend(options.advice(error.code, strings));
            sentences.join(" ")
        }
    };
    Some(strings.with("repeat", &text))
}

/// Returns the advice on repeating the call in a few words.
fn repeat_word<'s>(
    strings: &'s Strings,
    options: &ServiceOptions,
    error: &ErrorDescription,
) -> Option<&'s str> {
    match error.retry {
        Some(true) => strings.find("repeat.yes.word"),
        Some(false) => strings.find("repeat.no.word"),
        None => Some(options.retry(error.code, strings)?.trim_end_matches('.')),
    }
}

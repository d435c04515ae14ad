//! The page of an error code: its meanings, and the procedures that return it.
//!
//! Procedures may declare a code with different messages. Each has a section of its own.

use std::borrow::Cow;

use docent_describe::json::shorten;
use docent_describe::{ErrorDescription, code};
use indexmap::IndexMap;
use serde::Serialize;

use super::error_table::{ErrorData, WrittenErrorData, repeat};
use super::items::ProcedureItem;
use super::scope::{Content, Link, MAX_MESSAGE_BYTES, PageScope};
use crate::call;
use crate::json_text;
use crate::markup::Markup;
use crate::plan::{LIST_LENGTH, PageTarget};
use crate::schema::RowTree;
use crate::service::ServiceOptions;
use crate::templates::TemplateData;

/// The maximum number of messages that are shown.
const MAX_MESSAGES: usize = 50;

/// The maximum number of different declarations that are shown with a message.
const MAX_DECLARATIONS: usize = 5;

/// The data of the page of a code.
#[derive(Serialize)]
struct CodePage<'a> {
    /// The address of the list of all codes.
    errors: String,
    code: i64,
    /// The first message.
    name: Cow<'a, str>,
    /// The number of procedures, if there are several messages.
    lead: Option<String>,
    /// The HTTP status with POST, if Docent serves the service.
    post_status: Option<u16>,
    /// The HTTP statuses with GET.
    get_statuses: Vec<u16>,
    /// The link to the code in the list of the protocol's own errors, if it is one of those.
    protocol: Option<Link>,
    messages: Vec<MessageSection>,
}

/// A message of a code, for a template.
#[derive(Serialize)]
struct MessageSection {
    name: String,
    /// True if the code has several messages, so that each has a heading.
    headed: bool,
    /// The descriptions.
    texts: Vec<Markup>,
    /// The text on whether repeating the call can help, if the procedures agree.
    repeat: Option<String>,
    /// The number of procedures.
    lead: String,
    data: Vec<WrittenErrorData>,
    /// The message of a response with this error.
    example: Option<Markup>,
    /// True if the example was made from the schema of the data.
    example_made: bool,
    items: Vec<ProcedureItem>,
    /// The number of procedures that are not listed.
    more: Option<String>,
}

impl TemplateData for CodePage<'_> {
    const TEMPLATE: &'static str = "code";
}

/// The declarations of a code with one message.
#[derive(Default)]
pub(super) struct CodeMessage<'d> {
    /// The different declarations.
    pub(super) errors: Vec<&'d ErrorDescription>,
    /// The procedures that return the error.
    pub(super) procedures: Vec<usize>,
}

impl<'d> CodeMessage<'d> {
    /// Returns what the declarations say of whether repeating the call can help. If they may not agree, only the pages
    /// of the procedures say it.
    pub(super) fn agreed<T: PartialEq>(
        &self,
        say: impl Fn(&'d ErrorDescription) -> Option<T>,
    ) -> Option<T> {
        let mut said = distinct(self.errors.iter().copied().filter_map(say));
        let is_agreed = said.len() == 1 && self.errors.len() < MAX_DECLARATIONS;
        said.pop().filter(|_| is_agreed)
    }

    /// Writes the message for a template. The code has several if `is_headed`.
    fn written(
        &self,
        scope: &PageScope<'d>,
        tree: &mut RowTree<'d>,
        code: i64,
        text: &str,
        is_headed: bool,
    ) -> MessageSection {
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
            ErrorData::new(tree, code, view).written(page)
        });
        let texts = distinct(errors.filter_map(|error| error.description.as_deref()));
        let top = if is_headed { 3 } else { 2 };
        let texts = texts
            .into_iter()
            .filter_map(|text| page.prose(Some(text), top));
        let items = self
            .procedures
            .iter()
            .take(LIST_LENGTH)
            .map(|&index| scope.item_at(index, page.links.to_error(index, code)));
        let example =
            example.map(|example| page.json(&json_text::pretty(&example, MAX_MESSAGE_BYTES)));
        MessageSection {
            name: shorten(text, 300).into_owned(),
            headed: is_headed,
            texts: texts.collect(),
            repeat: self.agreed(|error| repeat(page.strings, &scope.service.options, error)),
            lead: page.strings.count("error.users", self.procedures.len()),
            data: data.collect(),
            example,
            example_made: is_made,
            items: items.collect(),
            more: page
                .strings
                .rest("users.more", self.procedures.len(), LIST_LENGTH),
        }
    }
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
    let is_headed = all.len() > 1;
    let name = shorten(all.keys().next().copied().unwrap_or_default(), 300);
    let mut tree = RowTree::<'a>::new(&scope.schemas.views);
    let messages = all
        .iter()
        .take(MAX_MESSAGES)
        .map(|(text, message)| message.written(scope, &mut tree, code, text, is_headed));
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
            let anchor = format!("code{code}");
            Link::new(name, page.links.to_anchor(PageTarget::Errors, &anchor))
        });
    let data = CodePage {
        errors: page.links.to(PageTarget::Errors),
        code,
        lead: is_headed.then(|| page.strings.count("error.users", users.len())),
        post_status: post_status(scope, users),
        get_statuses: get_statuses(scope, code, users),
        protocol,
        messages: messages.collect(),
        name,
    };
    scope.page(format!("{code} {}", data.name), None, &data)
}

/// Returns the HTTP status with POST of the errors of these procedures, if Docent serves them over HTTP.
pub(super) fn post_status(scope: &PageScope<'_>, users: &[usize]) -> Option<u16> {
    let mut users = users.iter().map(|&index| scope.procedure(index));
    let is_served =
        !scope.is_foreign() && users.any(|user| scope.description.is_called_over_http(user));
    // The response has the error, so the exchange has succeeded.
    is_served.then_some(200)
}

/// Returns the HTTP statuses with GET of an error of these procedures.
pub(super) fn get_statuses(scope: &PageScope<'_>, code: i64, users: &[usize]) -> Vec<u16> {
    let plan = &scope.service.plan;
    let called = users
        .iter()
        .filter(|index| !scope.is_foreign() && plan.takes_get(**index));
    distinct(called.map(|&index| code::get_status(code, Some(scope.procedure(index)))))
}

/// Returns the declarations of a code by their messages.
pub(super) fn messages<'o>(
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

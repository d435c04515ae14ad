//! The page of an error code: its meanings, and the procedures that return it.
//!
//! Procedures may declare a code with different messages. Each message has a section of its own: `code_message` groups
//! the declarations by message, and `error_table` writes their data.

use std::borrow::Cow;

use docent_describe::json::shorten;
use serde::Serialize;

use super::code_message::{CodeMessage, distinct, get_statuses, messages, post_status};
use super::error_table::{ErrorData, WrittenErrorData, repeat};
use super::items::ProcedureItem;
use super::scope::{Link, MAX_MESSAGE_BYTES, PageContent, PageScope};
use crate::call;
use crate::json_text;
use crate::markup::Markup;
use crate::plan::{LIST_LENGTH, PageTarget};
use crate::schema::RowTree;
use crate::templates::TemplateData;

/// The maximum number of messages on the page.
const MAX_MESSAGES: usize = 50;

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

/// Returns the page of an error code: its meaning, and the procedures that return it.
pub(super) fn code_page<'a>(scope: &PageScope<'a>, index: usize) -> PageContent {
    let page = &scope.text;
    let options = &scope.service.options;
    // The plan has a page for each code, so it is found.
    let (code, users) = page
        .links
        .plan
        .codes
        .get_index(index)
        .map_or((0, &[][..]), |(code, users)| (*code, &users[..]));
    let messages = messages(options, code, users);
    let is_headed = messages.len() > 1;
    let name = shorten(messages.keys().next().copied().unwrap_or_default(), 300);
    let mut tree = RowTree::<'a>::new(&scope.schemas.views);
    let mut sections = Vec::new();
    for (text, message) in messages.iter().take(MAX_MESSAGES) {
        sections.push(section(message, scope, &mut tree, code, text, is_headed));
    }
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
        messages: sections,
        name,
    };
    scope.page(format!("{code} {}", data.name), None, &data)
}

/// Writes a message of a code for a template. The code has several if `is_headed`.
fn section<'d>(
    message: &CodeMessage<'d>,
    scope: &PageScope<'d>,
    tree: &mut RowTree<'d>,
    code: i64,
    text: &str,
    is_headed: bool,
) -> MessageSection {
    let page = &scope.text;
    let listed = &message.procedures[..message.procedures.len().min(LIST_LENGTH)];
    let authors_example = listed.iter().find_map(|&index| {
        call::authors_failure(scope.schemas, scope.procedure(index), code, text)
    });
    let is_made = authors_example.is_none();
    let first_user = scope.procedure(message.procedures[0]);
    let example = authors_example
        .or_else(|| call::made_failure(scope.schemas, first_user, message.errors[0]))
        .map(|example| page.json(&json_text::pretty(&example, MAX_MESSAGE_BYTES)));
    let mut data = Vec::new();
    for schema in distinct(
        message
            .errors
            .iter()
            .filter_map(|error| error.data.as_ref()),
    ) {
        let view = scope.schemas.views.view_of_schema(schema);
        data.push(ErrorData::new(tree, code, view).written(page));
    }
    let descriptions = message
        .errors
        .iter()
        .map(|error| error.description.as_deref());
    let heading_level = if is_headed { 3 } else { 2 };
    MessageSection {
        name: shorten(text, 300).into_owned(),
        headed: is_headed,
        texts: distinct(descriptions)
            .into_iter()
            .filter_map(|text| page.prose(text, heading_level))
            .collect(),
        repeat: message.agreed(|error| repeat(page.strings, &scope.service.options, error)),
        lead: page.strings.count("error.users", message.procedures.len()),
        data,
        example,
        example_made: is_made,
        items: listed
            .iter()
            .map(|&index| scope.item_at(index, page.links.to_error(index, code)))
            .collect(),
        more: page
            .strings
            .rest("users.more", message.procedures.len(), LIST_LENGTH),
    }
}

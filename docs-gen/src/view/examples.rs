//! Examples: calls with their responses, and the responses with declared errors that are in no example.
//!
//! `procedure` finds an [`ExampleView`] for each example of the author, or one that is made from the schemas, and
//! writes each as a [`WrittenExample`] for the template `examples`. `crate::call` makes the messages.

use std::borrow::Cow;

use docent_describe::json::shorten;
use docent_describe::{Example, Origin, ProcedureDescription, ServiceDescription};
use serde::Serialize;

use super::error_table::ErrorView;
use super::scope::{MAX_MESSAGE_BYTES, PageText};
use crate::call::{self, SampleCall};
use crate::json_text::{self, Printed};
use crate::markdown::phrase;
use crate::markup::Markup;
use crate::schema::{ServiceSchemas, is_answered, sides};
use crate::slug::Slugs;

/// The maximum number of examples on a page.
const MAX_EXAMPLES: usize = 50;

/// The maximum number of items of an example, each in a message of its own.
const MAX_ITEMS: usize = 20;

/// The maximum number of characters of an example's name on a tab.
const MAX_TAB_LABEL: usize = 32;

/// The maximum number of declared errors with a response next to the examples.
const MAX_FAILURES: usize = 12;

/// An example of a call.
pub(super) struct ExampleView<'a> {
    /// The anchor.
    id: String,
    /// The number of the example in the description, from 1 on.
    number: usize,
    /// The example, as its author gave it or as it was made.
    example: Cow<'a, Example>,
    /// The message of the request.
    request: Printed,
    /// The message of the response, if there is one.
    response: Option<Printed>,
    /// The messages with the items of a subscription.
    items: Vec<Printed>,
    /// The key of the sentence that the example was made from the schemas, if it was.
    made: Option<&'static str>,
    /// True if the example does not fit the schemas.
    is_broken: bool,
}

impl<'a> ExampleView<'a> {
    /// Returns the examples of a procedure, those that break their schemas last. Without any others, one is made from
    /// the schemas.
    pub(super) fn of_procedure(
        ids: &mut Slugs,
        schemas: &'a ServiceSchemas<'a>,
        procedure: &'a ProcedureDescription,
        call: &SampleCall,
        service: &ServiceDescription,
    ) -> Vec<Self> {
        let mut fitting = Vec::new();
        let mut broken = Vec::new();
        for (example, number) in procedure.examples.iter().take(MAX_EXAMPLES).zip(1..) {
            let mut view = Self::new(
                ids,
                schemas,
                service,
                procedure,
                Cow::Borrowed(example),
                number,
            );
            view.is_broken = schemas.is_broken(procedure, example);
            if view.is_broken {
                broken.push(view);
            } else {
                fitting.push(view);
            }
        }
        if fitting.is_empty() && service.origin != Origin::Mcp {
            fitting.extend(Self::from_schemas(ids, schemas, procedure, call, service));
        }
        fitting.extend(broken);
        fitting
    }

    /// Creates an example, with the messages of its request and its response.
    fn new(
        ids: &mut Slugs,
        schemas: &'a ServiceSchemas<'a>,
        service: &ServiceDescription,
        procedure: &'a ProcedureDescription,
        example: Cow<'a, Example>,
        number: usize,
    ) -> Self {
        let request = call::request(service, schemas, procedure, example.params.as_ref());
        let mut items = Vec::new();
        for item in example.items.iter().flatten().take(MAX_ITEMS) {
            if let Some(message) = call::item_message(procedure, item) {
                items.push(json_text::pretty(&message, MAX_MESSAGE_BYTES));
            }
        }
        Self {
            id: ids.assign(&format!("example.{number}")),
            number,
            request: json_text::pretty(&request, MAX_MESSAGE_BYTES),
            response: call::response(procedure, &example)
                .map(|message| json_text::pretty(&message, MAX_MESSAGE_BYTES)),
            items,
            example,
            made: None,
            is_broken: false,
        }
    }

    /// Makes an example from the schemas.
    fn from_schemas(
        ids: &mut Slugs,
        schemas: &'a ServiceSchemas<'a>,
        procedure: &'a ProcedureDescription,
        call: &SampleCall,
        service: &ServiceDescription,
    ) -> Option<Self> {
        if !call.is_made || call.lacks_params {
            return None;
        }
        let (_, side) = sides(procedure);
        let returns = procedure.output().filter(|_| is_answered(procedure));
        let result = match returns {
            Some(returns) => {
                let view = schemas.views.view_of_schema(&returns.schema);
                schemas.examples.value_for(view, Some(side))
            }
            None => None,
        };
        if returns.is_some() && result.is_none() {
            // Half an example would suggest that there is no response.
            return None;
        }
        let number = procedure.examples.len() + 1;
        let key = match procedure.examples.len() {
            0 => "example.made",
            _ => "example.made.instead",
        };
        let mut example = Example::default();
        example.params.clone_from(&call.params);
        if procedure.subscription.is_some() {
            example.items = result.map(|item| vec![item]);
        } else {
            example.result = result;
        }
        Some(Self {
            made: Some(key),
            ..Self::new(
                ids,
                schemas,
                service,
                procedure,
                Cow::Owned(example),
                number,
            )
        })
    }

    /// Writes the example for a template, as a call and its response.
    pub(super) fn written<'p>(
        &self,
        page: &PageText<'p>,
        procedure: &ProcedureDescription,
    ) -> WrittenExample<'p> {
        let Self {
            example,
            request,
            response,
            items,
            ..
        } = self;
        let request_key = if procedure.is_called_by_clients() {
            "example.request"
        } else {
            "example.message"
        };
        let is_silent = procedure.is_called_by_clients() && response.is_none();
        let numbered = match procedure.examples.len() {
            ..2 => page.strings.get("example").to_owned(),
            _ => page
                .strings
                .with("example.numbered", &self.number.to_string()),
        };
        let summary = example.summary.as_deref().map(phrase::plain);
        let title = match &summary {
            Some(summary) => page.strings.with("example.titled", &shorten(summary, 120)),
            None => numbered.clone(),
        };
        let summary = summary.filter(|summary| !summary.trim().is_empty());
        let (label, name) = match summary {
            Some(summary) if summary.chars().count() <= MAX_TAB_LABEL => (summary, None),
            // A name that is too long for a tab is above the example.
            summary => (numbered, summary),
        };
        let all_items = example.items.as_ref().map_or(0, Vec::len);
        let cut = response
            .as_ref()
            .is_some_and(|response| !response.is_complete);
        WrittenExample {
            href: page.links.same_page(&self.id),
            id: page.links.id(&self.id),
            label,
            name: name.map(|name| shorten(&name, 200).into_owned()),
            title,
            text: about_example(page, example),
            made: self.made.map(|key| page.strings.get(key)),
            broken: self.is_broken,
            cut: cut || !request.is_complete || all_items > MAX_ITEMS,
            request_title: page.strings.get(request_key),
            request: page.json(request),
            response: response.as_ref().map(|response| page.json(response)),
            items: items.iter().map(|item| page.json(item)).collect(),
            silent: is_silent.then(|| page.strings.get("example.silent")),
        }
    }
}

/// An example of a call, for a template.
#[derive(Serialize)]
pub(super) struct WrittenExample<'p> {
    href: String,
    id: String,
    /// The name on its tab.
    label: String,
    /// The name above it, if that is too long for a tab.
    name: Option<String>,
    /// The heading on a Markdown page.
    title: String,
    /// The description.
    text: Option<Markup>,
    /// The sentence that it was made from the schemas.
    made: Option<&'p str>,
    /// True if it does not fit the schemas.
    broken: bool,
    /// True if some of it is left out.
    cut: bool,
    request_title: &'p str,
    request: Markup,
    response: Option<Markup>,
    /// The messages with the items of a subscription.
    items: Vec<Markup>,
    /// The sentence that there is no response.
    silent: Option<&'p str>,
}

/// The response with a declared error that is in no example.
pub(super) struct FailureView {
    /// The anchor.
    id: String,
    /// The anchor of the error.
    declared: String,
    /// The code and the message of the error.
    label: String,
    /// The message of the response.
    response: Printed,
}

impl FailureView {
    /// Makes the responses with the errors that a procedure declares.
    pub(super) fn of_procedure<'a>(
        ids: &mut Slugs,
        schemas: &'a ServiceSchemas<'a>,
        procedure: &'a ProcedureDescription,
        errors: &[ErrorView<'a>],
    ) -> Vec<Self> {
        let codes_of_examples: Vec<i64> = procedure
            .examples
            .iter()
            .filter_map(call::error_code)
            .collect();
        let mut failures = Vec::new();
        for declared in errors
            .iter()
            .filter(|declared| !codes_of_examples.contains(&declared.error.code))
            .take(MAX_FAILURES)
        {
            let error = declared.error;
            let id = ids.assign(&format!("answer.{}", error.code));
            if let Some(response) = call::made_failure(schemas, procedure, error) {
                failures.push(Self {
                    id,
                    declared: declared.id.clone(),
                    label: format!("{} {}", error.code, shorten(&error.message, MAX_TAB_LABEL)),
                    response: json_text::pretty(&response, MAX_MESSAGE_BYTES),
                });
            }
        }
        failures
    }

    /// Writes the response for a template.
    pub(super) fn written(&self, page: &PageText<'_>) -> WrittenFailure {
        WrittenFailure {
            id: page.links.id(&self.id),
            href: page.links.same_page(&self.declared),
            label: self.label.clone(),
            response: page.json(&self.response),
        }
    }
}

/// The response with a declared error, for a template.
#[derive(Serialize)]
pub(super) struct WrittenFailure {
    id: String,
    /// The address of the error's declaration.
    href: String,
    /// The name on its tab.
    label: String,
    response: Markup,
}

/// Returns the details of an example besides its summary: its name in OpenRPC, and its
/// description.
fn about_example(page: &PageText<'_>, example: &Example) -> Option<Markup> {
    let mut about = page.markup();
    if let Some(name) = example.extensions.get_str("$exampleName") {
        about.raw("<p>").code(&shorten(name, 200)).raw("</p>");
    }
    if let Some(text) = &example.description {
        about.paragraph(&page.rendered(text));
    }
    (!about.is_empty()).then_some(about)
}

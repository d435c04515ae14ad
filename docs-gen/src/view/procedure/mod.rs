//! A procedure's page.
//!
//! A page is made in two steps. `ProcedureView::new` reads the description and finds the content: the rows of the
//! parameters and the result, the errors, a call for the samples, the examples. It assigns the anchors, too, so that a
//! link to `#params.due` leads to the same row wherever it stands. `ProcedureView::content` then writes the content as
//! a `ProcedurePage`, whose members are the variables of the two templates `procedure.hbs` and
//! `markdown/procedure.hbs`:
//!
//! ```text
//! description ── ProcedureView ──┬── ProcedurePage with Markup of HTML ────── procedure.hbs
//!   + schemas    (found once)    └── ProcedurePage with Markup of Markdown ── markdown/procedure.hbs
//! ```
//!
//! Finding is the expensive step (schemas are read, and examples are made from them), so it is done once for both
//! formats. Writing depends on the format: `Markup` escapes each text for HTML or for Markdown as it is added, so a
//! template adds nothing but the elements around it. The search index has its own walk over the rows, which are folded
//! there.
//!
//! Each part of the page is written where its idea is: rows of values in `row`, examples in `examples`, errors in
//! `error_table`, the form and the samples in `calls`, and the statements about the procedure in `about`.

mod about;
mod signature;

use docent_describe::{Origin, ProcedureDescription, ServiceDescription};
use serde::Serialize;

pub(crate) use about::AboutProcedure;
pub(super) use signature::listed_signature;
use signature::signature;

use super::calls::{call_form, get_sample, samples, websocket_message};
use super::error_table::{ErrorTable, ErrorView};
use super::examples::{ExampleView, FailureView, WrittenExample, WrittenFailure};
use super::items::{Mark, Neighbour};
use super::row;
use super::scope::{Link, PageContent, PageScope, PageText};
use crate::call::SampleCall;
use crate::credential::HeaderCredential;
use crate::markdown::{self, phrase};
use crate::markup::{Markup, PageFormat};
use crate::plan::PageTarget;
use crate::samples::{self, CodeSample};
use crate::schema::{Row, RowTree, ServiceSchemas, is_answered};
use crate::service::SiteService;
use crate::templates::TemplateData;
use crate::text::display_name;

/// The content of a procedure's page, before it is written.
pub(crate) struct ProcedureView<'a> {
    /// The index of the procedure in the description.
    index: usize,
    /// The values in its parameters.
    param_rows: Vec<Row<'a>>,
    /// The values in its result, or in an item.
    result_rows: Vec<Row<'a>>,
    /// The errors that it declares.
    errors: Vec<ErrorView<'a>>,
    /// The call for the samples and the form.
    call: SampleCall,
    /// The examples, those of the author or a made one.
    examples: Vec<ExampleView<'a>>,
    /// The responses with errors that no example shows.
    failures: Vec<FailureView>,
}

impl<'a> ProcedureView<'a> {
    /// Finds the content of the page of a procedure, by its index in the description.
    pub(super) fn new(
        service: &'a SiteService,
        schemas: &'a ServiceSchemas<'a>,
        index: usize,
    ) -> Self {
        let description = &service.options.description;
        let procedure = &description.procs[index];
        let mut tree = RowTree::new(&schemas.views);
        tree.add_params(procedure);
        let param_rows = tree.take_rows();
        tree.add_result(procedure);
        let result_rows = tree.take_rows();
        let errors = ErrorView::of_procedure(&mut tree, schemas, procedure);
        let call = SampleCall::choose(procedure, schemas);
        let examples =
            ExampleView::of_procedure(&mut tree.ids, schemas, procedure, &call, description);
        let failures = FailureView::of_procedure(&mut tree.ids, schemas, procedure, &errors);
        Self {
            index,
            param_rows,
            result_rows,
            errors,
            call,
            examples,
            failures,
        }
    }

    /// Writes the page.
    pub(super) fn content(&self, scope: &PageScope<'_>) -> PageContent {
        let page = &scope.text;
        let strings = page.strings;
        let description = scope.description;
        let Self { index, call, .. } = self;
        let procedure = scope.procedure(*index);
        let samples = samples(scope, procedure, call);
        let samples_note = if samples.is_some() || !description.is_called_over_http(procedure) {
            None
        } else if call.lacks_params {
            Some(strings.get("samples.unknown"))
        } else {
            Some(strings.get("samples.long"))
        };
        let data = ProcedurePage {
            name: display_name(&procedure.name),
            summary: page.prose(procedure.summary.as_deref(), 2),
            about: AboutProcedure::new(scope, *index),
            signature: signature(page, &scope.schemas.views, procedure),
            marks: scope.marks(*index),
            help: help(&page.links.plan.stem(scope.target), procedure),
            message: websocket_message(scope, procedure, call),
            params: row::tree(page, None, &self.param_rows),
            returns_title: returns_title(procedure).map(|key| strings.get(key)),
            returns: row::tree(page, None, &self.result_rows),
            errors: ErrorTable::of_procedure(scope, *index, &self.errors),
            protocol_errors: page.links.to_anchor(PageTarget::Errors, "protocol"),
            samples_note,
            address_note: scope.address_note(),
            samples,
            get: get_sample(scope, *index, call),
            answers: strings.get(examples_title(description, procedure)),
            examples: self
                .examples
                .iter()
                .map(|example| example.written(page, procedure))
                .collect(),
            html: (page.format() == PageFormat::Html).then(|| self.html_parts(scope)),
        };
        let summary = procedure.summary.as_deref().map(phrase::plain);
        scope.page(data.name.clone(), summary, &data)
    }

    /// Writes the parts that a Markdown page does not have.
    fn html_parts<'p>(&self, scope: &PageScope<'p>) -> HtmlParts<'p> {
        let page = &scope.text;
        let Self { index, call, .. } = self;
        let procedure = scope.procedure(*index);
        let name = display_name(&procedure.name);
        let group = scope.service.plan.group_of[*index];
        // A page has no session with a server of MCP.
        let is_called = scope.description.origin != Origin::Mcp
            && scope.description.is_called_over_http(procedure);
        HtmlParts {
            heading: page.written(|heading| heading.breakable(&name)),
            toc: contents(page, scope.description, procedure),
            group: page.link(scope.group_name(group), PageTarget::Group(group, 0)),
            failures: self
                .failures
                .iter()
                .map(|failure| failure.written(page))
                .collect(),
            call: is_called.then(|| CallForm {
                data: call_form(scope, *index, call),
                events: procedure.subscription.is_some(),
                many: HeaderCredential::of_procedure(scope.description, procedure).len() > 1,
                address: scope
                    .address()
                    .map(|address| samples::address(page.format(), &address)),
            }),
            around: neighbours(scope, group, *index),
        }
    }
}

/// The data of a procedure's page.
#[derive(Serialize)]
struct ProcedurePage<'a> {
    name: String,
    summary: Option<Markup>,
    #[serde(flatten)]
    about: AboutProcedure<'a>,
    signature: Markup,
    marks: Vec<Mark>,
    /// The address of the author's own page about it.
    help: Option<&'a str>,
    /// The message that begins a subscription over a WebSocket.
    message: Option<Markup>,
    /// The rows of the parameters.
    params: Option<Markup>,
    returns_title: Option<&'a str>,
    /// The rows of the result, or of an item.
    returns: Option<Markup>,
    /// The errors that it declares, if it does.
    errors: Option<ErrorTable<'a>>,
    /// The address of the protocol's own errors.
    protocol_errors: String,
    /// The sentence on why there are no samples.
    samples_note: Option<&'a str>,
    /// The sentence that the address in samples is made up.
    address_note: Option<&'a str>,
    samples: Option<Vec<CodeSample>>,
    /// The call with GET.
    get: Option<Markup>,
    /// The heading above the examples.
    answers: &'a str,
    examples: Vec<WrittenExample<'a>>,
    #[serde(flatten)]
    html: Option<HtmlParts<'a>>,
}

/// The parts of a procedure's page that its Markdown does not have.
#[derive(Serialize)]
struct HtmlParts<'a> {
    /// The name, with line breaks allowed in it.
    heading: Markup,
    /// The page's own table of contents.
    toc: Vec<Link>,
    group: Link,
    /// The responses with errors that no example shows.
    failures: Vec<WrittenFailure>,
    call: Option<CallForm>,
    /// The procedures before and after this one.
    around: Vec<Neighbour<'a>>,
}

/// The form to make a call.
#[derive(Serialize)]
struct CallForm {
    /// The data for the script, as JSON.
    data: String,
    /// True if the call begins a subscription.
    events: bool,
    /// True if it has inputs for several credentials, which need more room.
    many: bool,
    /// The address that calls are sent to.
    address: Option<Markup>,
}

impl TemplateData for ProcedurePage<'_> {
    const TEMPLATE: &'static str = "procedure";
}

/// Returns the page's own table of contents.
fn contents(
    page: &PageText<'_>,
    service: &ServiceDescription,
    procedure: &ProcedureDescription,
) -> Vec<Link> {
    let call = if service.is_called_over_http(procedure) {
        "call"
    } else {
        examples_title(service, procedure)
    };
    let returns = returns_title(procedure);
    let mut links = Vec::new();
    for (key, anchor, has_part) in [
        ("params", "params", true),
        (returns.unwrap_or_default(), "returns", returns.is_some()),
        ("delivery", "delivery", procedure.subscription.is_some()),
        ("access", "access", procedure.reads_credentials()),
        ("limits.own", "limits", procedure.limits.is_some()),
        ("repeating", "repeating", procedure.repeatable.is_some()),
        ("errors", "errors", procedure.is_called_by_clients()),
        (call, "call", true),
    ] {
        if has_part {
            links.push(Link::new(
                page.strings.get(key),
                page.links.same_page(anchor),
            ));
        }
    }
    links
}

/// Returns the author's own page about the procedure, unless that is this page.
fn help<'p>(stem: &str, procedure: &'p ProcedureDescription) -> Option<&'p str> {
    let help = procedure.help.as_deref()?;
    let here = format!("/{stem}.html");
    (markdown::is_allowed(help) && !help.ends_with(&here)).then_some(help)
}

/// Returns the key of the heading above the result, or `None` for a notification by the service.
fn returns_title(procedure: &ProcedureDescription) -> Option<&'static str> {
    match procedure.subscription {
        Some(_) => Some("items"),
        None if procedure.is_called_by_clients() => Some("returns"),
        None => is_answered(procedure).then_some("returns.of_client"),
    }
}

/// Returns the key of the heading above the examples.
fn examples_title(service: &ServiceDescription, procedure: &ProcedureDescription) -> &'static str {
    if service.is_called_over_http(procedure) {
        "answers"
    } else {
        "example"
    }
}

/// Returns links to the procedures before and after this one in its group.
fn neighbours<'a>(scope: &PageScope<'a>, group: usize, index: usize) -> Vec<Neighbour<'a>> {
    let members = &scope.service.plan.groups[group].members;
    let at = members.binary_search(&index).unwrap_or_default();
    let before = at
        .checked_sub(1)
        .map(|at| procedure_link(scope, members[at]));
    let after = members
        .get(at + 1)
        .map(|&member| procedure_link(scope, member));
    scope.text.neighbours(before, after)
}

/// Returns a link to the page of a procedure.
fn procedure_link(scope: &PageScope<'_>, index: usize) -> Link {
    let name = &scope.procedure(index).name;
    scope.text.link(name, PageTarget::Procedure(index))
}

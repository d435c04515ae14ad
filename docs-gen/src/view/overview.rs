//! The page that introduces the service and explains how to call it.
//!
//! `about` writes the facts about the service itself, and `items` the lists of procedures. `llms` says much of the same
//! to agents, and the search finds each part of the page (`crate::search`), so both use what is public here.

use docent_describe::ServiceDescription;
use indexmap::IndexMap;
use serde::Serialize;

use super::about::{AboutFact, about};
use super::calls::samples;
use super::items::{ProcedureItem, tool};
use super::scope::{Link, PageContent, PageScope, PageText};
use super::types;
use crate::call::SampleCall;
use crate::credential::HeaderCredential;
use crate::json_text::{self, text_member};
use crate::links::Medium;
use crate::markdown::phrase;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::samples::{CodeSample, header_field};
use crate::slug::Slugs;
use crate::templates::TemplateData;
use crate::text::display_name;

/// The maximum number of procedures that are listed. A service with more lists only its groups.
const MAX_LISTED_PROCEDURES: usize = 300;

/// The maximum number of procedures that are tried to find a call to show.
const MAX_TRIED_PROCEDURES: usize = 20;

/// The data of the overview.
#[derive(Serialize)]
pub(crate) struct OverviewPage<'a> {
    pub(crate) name: String,
    summary: Option<Markup>,
    pub(crate) description: Option<Markup>,
    pub(crate) about: Vec<AboutFact>,
    groups: Vec<ListedGroup>,
    /// The instructions for calling the service.
    pub(crate) calling: Markup,
    sample: Option<Markup>,
    /// The sentence that the address in the sample is made up.
    address_note: Option<&'a str>,
    pub(crate) legend: Vec<LegendRow>,
    pub(crate) conventions: Markup,
    pub(crate) limits: Vec<Limit<'a>>,
    pub(crate) schemes: Vec<SchemeRow>,
    /// True if there is an OpenAPI document.
    pub(crate) openapi: bool,
    /// The link to all errors.
    errors: Link,
    pub(crate) tools: Vec<ToolRow>,
    /// The link to all shared types.
    types: Option<Link>,
    /// True in the single file.
    single: bool,
}

/// A group with its procedures.
#[derive(Serialize)]
struct ListedGroup {
    name: String,
    href: String,
    /// The description of its tag.
    text: Option<Markup>,
    /// True if there are other groups, so that it has a heading.
    headed: bool,
    count: String,
    /// Its procedures, unless there are too many to list.
    items: Vec<ProcedureItem>,
}

/// The meaning of a mark.
#[derive(Serialize)]
pub(crate) struct LegendRow {
    pub(crate) id: String,
    class: &'static str,
    pub(crate) name: String,
    pub(crate) meaning: String,
    /// The link to more about the procedures that have it.
    more: Option<Link>,
}

/// A limit of the service.
#[derive(Serialize)]
pub(crate) struct Limit<'a> {
    name: &'a str,
    text: &'a str,
}

/// A security scheme.
#[derive(Serialize)]
pub(crate) struct SchemeRow {
    id: String,
    name: String,
    text: Option<Markup>,
    json: Markup,
    /// The sentence with the header field that carries it.
    field: Option<Markup>,
}

/// A tool for agents.
#[derive(Serialize)]
pub(crate) struct ToolRow {
    name: String,
    href: String,
    /// The name of its procedure, if that is another one.
    procedure: Option<String>,
    text: Option<Markup>,
}

impl TemplateData for OverviewPage<'_> {
    const TEMPLATE: &'static str = "overview";
}

/// Returns the overview.
pub(super) fn overview(scope: &PageScope<'_>) -> PageContent {
    let summary = scope.description.summary.as_deref();
    let page = OverviewPage::new(scope);
    scope.page(page.name.clone(), summary.map(phrase::plain), &page)
}

impl<'a> OverviewPage<'a> {
    /// Writes the parts of the overview, for its template and for the search.
    pub(crate) fn new(scope: &PageScope<'a>) -> Self {
        let page = &scope.text;
        let options = &scope.service.options;
        let description = scope.description;
        // Samples follow JSON-RPC 2.0. Further facts about calls are known only of Docent's services.
        let mut conventions = scope.text_of_kind("conventions").to_owned();
        if !scope.service.plan.idempotent.is_empty() {
            conventions.push_str("\n\n");
            conventions.push_str(page.strings.get("conventions.get"));
        }
        let limits = options
            .limits
            .iter()
            .map(|(name, text)| Limit { name, text });
        let groups = 0..scope.service.plan.groups.len();
        let has_types = !scope.service.plan.types.is_empty();
        Self {
            name: display_name(&scope.service.label),
            summary: page.prose(description.summary.as_deref(), 2),
            description: page.prose(description.description.as_deref(), 2),
            about: about(scope),
            groups: groups.map(|index| group(scope, index)).collect(),
            calling: page.rendered(scope.text_of_kind("calling")),
            sample: sample(scope),
            address_note: scope.address_note(),
            legend: legend(scope),
            conventions: page.rendered(&conventions),
            limits: limits.collect(),
            schemes: schemes(page, description),
            openapi: !scope.is_foreign(),
            errors: page.link(page.strings.get("errors.all"), PageTarget::Errors),
            tools: tools(page, description),
            types: has_types.then(|| page.link(&types::count(scope), PageTarget::Types)),
            single: page.links.medium == Medium::Single,
        }
    }
}

/// Returns a group with its procedures. If there are too many procedures, only the group is listed.
fn group(scope: &PageScope<'_>, index: usize) -> ListedGroup {
    let plan = &scope.service.plan;
    let is_listed = scope.description.procs.len() <= MAX_LISTED_PROCEDURES;
    let members = &plan.groups[index].members;
    // A procedure of several groups is listed only in its first.
    let mut items = Vec::new();
    for &member in members {
        if is_listed && plan.group_of[member] == index {
            items.push(scope.item(member));
        }
    }
    let name = if plan.groups.len() == 1 && !is_listed {
        // The heading above it has the name of the only group.
        scope.text.strings.count("nav.more", members.len())
    } else {
        display_name(scope.group_name(index))
    };
    ListedGroup {
        name,
        href: scope.text.links.to(PageTarget::Group(index, 0)),
        text: scope.tag(index),
        // The name of the only group would not help as a heading.
        headed: plan.groups.len() > 1,
        count: scope.text.strings.count("count.procedures", members.len()),
        items,
    }
}

/// The samples of a procedure.
pub(crate) struct ProcedureSamples {
    /// The index of the procedure.
    pub(crate) procedure: usize,
    pub(crate) samples: Vec<CodeSample>,
}

/// Returns the samples of a call that changes nothing, or of any other if there is none.
pub(crate) fn first_samples(scope: &PageScope<'_>) -> Option<ProcedureSamples> {
    let first = scope
        .service
        .plan
        .idempotent
        .iter()
        .take(MAX_TRIED_PROCEDURES)
        .copied();
    let any = 0..scope.description.procs.len().min(MAX_TRIED_PROCEDURES);
    for index in first.chain(any) {
        let procedure = scope.procedure(index);
        if !procedure.is_a_call() {
            continue;
        }
        let call = SampleCall::choose(procedure, scope.schemas);
        if !call.lacks_params {
            return Some(ProcedureSamples {
                procedure: index,
                samples: samples(scope, procedure, &call)?,
            });
        }
    }
    None
}

/// Returns the first of these samples.
pub(super) fn sample(scope: &PageScope<'_>) -> Option<Markup> {
    first_samples(scope)?
        .samples
        .into_iter()
        .next()
        .map(|sample| sample.code)
}

/// Returns the meanings of the marks that any procedure has.
pub(super) fn legend(scope: &PageScope<'_>) -> Vec<LegendRow> {
    let mut used = IndexMap::new();
    for index in 0..scope.description.procs.len() {
        for (class, is_held) in scope.all_marks(index) {
            *used.entry(class).or_default() |= is_held;
        }
    }
    let mut rows = Vec::new();
    for (class, is_used) in used {
        if is_used {
            rows.push(LegendRow {
                id: scope.text.links.id(&format!("mark-{class}")),
                class,
                name: scope.text.strings.get(&format!("mark.{class}")).to_owned(),
                meaning: scope.meaning(class).to_owned(),
                more: more(&scope.text, scope.description, class),
            });
        }
    }
    rows
}

/// Returns a link to more about the procedures that have a mark.
fn more(page: &PageText<'_>, description: &ServiceDescription, class: &str) -> Option<Link> {
    let (href, name) = match class {
        "get" => (page.links.to(PageTarget::Idempotent), "get.list"),
        "tool" => (page.links.same_page("tools"), "tools"),
        "restricted" if !description.security_schemes.is_empty() => {
            (page.links.same_page("access"), "access")
        }
        _ => return None,
    };
    Some(Link::new(page.strings.get(name), href))
}

/// Returns the security schemes, each with its description as text and everything else as JSON.
pub(super) fn schemes(page: &PageText<'_>, description: &ServiceDescription) -> Vec<SchemeRow> {
    let mut ids = Slugs::default();
    let mut rows = Vec::new();
    for (name, scheme) in &description.security_schemes {
        let mut rest = scheme.clone();
        if let Some(members) = rest.as_object_mut() {
            members.shift_remove("description");
        }
        let credential = HeaderCredential::of_scheme(scheme);
        rows.push(SchemeRow {
            id: page.links.id(&ids.assign(&format!("scheme.{name}"))),
            name: display_name(name.as_str()),
            text: page.prose(text_member(scheme, "description"), 3),
            json: page.json(&json_text::pretty(&rest, 4000)),
            field: credential.map(|credential| {
                page.with_markup("access.field", &page.code(&header_field(&credential)))
            }),
        });
    }
    rows
}

/// Returns the tools for agents, each with its procedure if that has another name.
fn tools(page: &PageText<'_>, description: &ServiceDescription) -> Vec<ToolRow> {
    let mut rows = Vec::new();
    for (index, procedure) in description.procs.iter().enumerate() {
        if let Some(name) = tool(procedure) {
            rows.push(ToolRow {
                name: display_name(name),
                href: page.links.to(PageTarget::Procedure(index)),
                procedure: (name != procedure.name).then(|| display_name(&procedure.name)),
                text: page.phrase(procedure.summary.as_deref()),
            });
        }
    }
    rows
}

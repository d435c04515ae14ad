//! `llms.txt`: a summary of the service for agents, with links to its Markdown pages.
//!
//! It has parts of the overview, and a line for each procedure and type: a link, and the author's text as plain text.
//! `crate::pages` publishes it, and `templates/markdown/llms.hbs` writes it.

use serde::Serialize;

use super::about::about_address;
use super::items::ProcedureItem;
use super::overview::{LegendRow, SchemeRow, legend, sample, schemes};
use super::scope::{Link, PageScope};
use super::types::{TypeRow, type_rows};
use crate::markdown::phrase;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::templates::TemplateData;
use crate::text::display_name;

/// The data of `llms.txt`.
#[derive(Serialize)]
struct LlmsText<'a> {
    name: String,
    summary: Option<String>,
    address: Option<Markup>,
    /// The address for agents.
    mcp: Option<Markup>,
    /// The instructions for calling the service.
    calling: Markup,
    sample: Option<Markup>,
    /// The sentence that the address in the sample is made up.
    address_note: Option<&'a str>,
    /// The path of the folder with the files of the service.
    folder: &'a str,
    /// The instructions for calls with GET.
    get: Option<Markup>,
    schemes: Vec<SchemeRow>,
    legend: Vec<LegendRow>,
    /// True if there is an OpenAPI document.
    openapi: bool,
    overview: String,
    changes: Option<Link>,
    errors: Link,
    guides: Vec<Link>,
    versions: Vec<VersionRow<'a>>,
    items: Vec<ProcedureItem>,
    types: Vec<TypeRow>,
}

/// The link to another version.
#[derive(Serialize)]
struct VersionRow<'a> {
    name: &'a str,
    href: String,
    /// True if there is a newer one.
    older: bool,
}

impl TemplateData for LlmsText<'_> {
    const TEMPLATE: &'static str = "llms";
}

/// Renders the file. From where it is published, `root` leads to the folder of the service.
pub(crate) fn llms(mut scope: PageScope<'_>, root: &str) -> Markup {
    root.clone_into(&mut scope.text.links.to_service);
    let scope = &scope;
    let page = &scope.text;
    let description = scope.description;
    let guides = scope
        .site
        .guides
        .iter()
        .enumerate()
        .map(|(at, guide)| page.link(&guide.title, PageTarget::Guide(at)));
    let root = page.links.to_root();
    let versions = scope.other_versions().map(|other| VersionRow {
        name: &other.version.name,
        href: format!("{root}{}llms.txt", other.plan.prefix),
        older: other.version.newest.is_some(),
    });
    let has_get = !scope.service.plan.idempotent.is_empty();
    let text = LlmsText {
        name: display_name(&scope.service.label),
        summary: description.summary.as_deref().map(phrase::plain),
        address: about_address(page, scope.service.address.as_ref()),
        mcp: about_address(page, scope.service.mcp.as_ref()),
        calling: page.rendered(scope.text_of_kind("calling")),
        sample: sample(scope),
        address_note: scope.address_note(),
        folder: &page.links.to_service,
        get: has_get.then(|| page.rendered(page.strings.get("conventions.get"))),
        schemes: schemes(page, description),
        legend: legend(scope),
        openapi: !scope.is_foreign(),
        overview: page.links.to(PageTarget::Overview),
        changes: scope
            .changes_name()
            .map(|name| page.link(&name, PageTarget::Changes)),
        errors: page.link(page.strings.get("errors"), PageTarget::Errors),
        guides: guides.collect(),
        versions: versions.collect(),
        items: (0..description.procs.len())
            .map(|at| scope.plain_item(at))
            .collect(),
        types: type_rows(scope),
    };
    scope.site.templates.render(page.format(), &text)
}

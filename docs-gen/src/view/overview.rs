//! The page that introduces the service and explains how to call it, and `llms.txt`, which does the
//! same for agents.
//!
//! Both share the functions for their parts. Facts about the service itself, beside its procedures, are written by
//! `about`.

use docent_describe::ServiceDescription;
use indexmap::IndexMap;
use serde_json::Value;

use super::about::{about, about_address};
use super::calls::samples;
use super::errors::{declared_errors, protocol_errors};
use super::scope::{Content, PageScope, PageText, named_link, tool};
use crate::call::ShownCall;
use crate::credential::HeaderCredential;
use crate::json_text::{self, text_member};
use crate::links::Medium;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::slug::Slugs;
use crate::text::{first_sentence, plain, shown_name};

/// The maximum number of procedures that are listed. A service with more lists only its groups.
const MAX_LISTED_PROCEDURES: usize = 300;

/// The maximum number of procedures that are tried to find a call to show.
const MAX_TRIED_PROCEDURES: usize = 20;

/// Returns the overview.
pub(super) fn overview(scope: &PageScope<'_>) -> Content {
    let summary = scope.description.summary.as_deref().map(plain);
    scope.page("overview", summary, overview_view(scope))
}

/// Returns all that the overview says, for its template and for the search.
pub(crate) fn overview_view(scope: &PageScope<'_>) -> Value {
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
        .map(|(name, text)| view!({ "name": &**name, "text": &**text }));
    view!({
        "name": shown_name(&scope.service.label),
        "summary": page.prose(description.summary.as_deref(), 2),
        "description": page.prose(description.description.as_deref(), 2),
        "about": about(scope),
        "groups": (0..scope.service.plan.groups.len()).map(|index| group(scope, index)).collect::<Value>(),
        "calling": page.rendered(scope.text_of_kind("calling")),
        "sample": sample(scope),
        "address_note": scope.address_note(),
        "legend": legend(scope),
        "conventions": page.rendered(&conventions),
        "limits": limits.collect::<Value>(),
        "schemes": schemes(page, description),
        "protocol_note": scope.text_of_kind("errors.protocol"),
        "repeat_known": !scope.is_foreign(),
        "openapi": !scope.is_foreign(),
        "protocol_errors": protocol_errors(page, options),
        "answered": declared_errors(page, options),
        "tools": tools(page, description),
        "types": types(page, description),
        "single": page.links.medium == Medium::Single,
    })
}

/// Renders `llms.txt`: a summary of the service, and links to its Markdown pages. From where it is published, `root`
/// leads to the folder of the service.
pub(crate) fn everything(mut scope: PageScope<'_>, root: &str) -> Markup {
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
    let versions = scope.other_versions().map(|other| {
        view!({
            "name": &*other.version.name,
            "href": format!("{root}{}llms.txt", other.plan.prefix),
            "older": other.version.newest.is_some(),
        })
    });
    let changes = scope.changes_name();
    let has_get = !scope.service.plan.idempotent.is_empty();
    let view = view!({
        "name": shown_name(&scope.service.label),
        "summary": description.summary.as_deref().map(plain),
        "address": about_address(page, scope.service.address.as_ref()),
        "mcp": about_address(page, scope.service.mcp.as_ref()),
        "calling": page.rendered(scope.text_of_kind("calling")),
        "sample": sample(scope),
        "address_note": scope.address_note(),
        "folder": &*page.links.to_service,
        "get": has_get.then(|| page.rendered(page.strings.get("conventions.get"))),
        "schemes": schemes(page, description),
        "legend": legend(scope),
        "openapi": !scope.is_foreign(),
        "overview": page.links.to(PageTarget::Overview),
        "changes": changes.map(|name| page.link(&name, PageTarget::Changes)),
        "guides": guides.collect::<Value>(),
        "versions": versions.collect::<Value>(),
        "items": (0..description.procs.len()).map(|at| scope.item(at)).collect::<Value>(),
        "types": types(page, description),
    });
    scope.site.templates.render(page.form(), "llms", view)
}

/// Returns a group with its procedures. If there are too many procedures, only the group is listed.
fn group(scope: &PageScope<'_>, index: usize) -> Value {
    let plan = &scope.service.plan;
    let is_listed = scope.description.procs.len() <= MAX_LISTED_PROCEDURES;
    let members = &plan.groups[index].members;
    // A procedure of several groups is listed only in its first.
    let own = members
        .iter()
        .filter(|member| is_listed && plan.group_of[**member] == index);
    view!({
        "name": shown_name(scope.group_name(index)),
        "href": scope.text.links.to(PageTarget::Group(index, 0)),
        "text": scope.tag(index),
        // The name of the only group would not help as a heading.
        "headed": plan.groups.len() > 1,
        "count": scope.text.strings.count("count.procedures", members.len()),
        "items": own.map(|&member| scope.item(member)).collect::<Value>(),
    })
}

/// Returns a call that changes nothing, or any other if there is none.
fn sample(scope: &PageScope<'_>) -> Option<Markup> {
    let first = scope
        .service
        .plan
        .idempotent
        .iter()
        .take(MAX_TRIED_PROCEDURES)
        .copied();
    let any = 0..scope.description.procs.len().min(MAX_TRIED_PROCEDURES);
    let procedures = first.chain(any).map(|index| scope.procedure(index));
    let mut calls = procedures
        .filter(|procedure| procedure.is_a_call())
        .map(|procedure| (procedure, ShownCall::choose(procedure, scope.schemas)));
    let (procedure, call) = calls.find(|(_, call)| !call.lacks)?;
    samples(scope, procedure, &call)?
        .into_iter()
        .next()
        .map(|sample| sample.code)
}

/// Returns the meanings of the marks that any procedure has.
fn legend(scope: &PageScope<'_>) -> Vec<Value> {
    let mut used = IndexMap::new();
    for index in 0..scope.description.procs.len() {
        for (class, is_held) in scope.all_marks(index) {
            *used.entry(class).or_default() |= is_held;
        }
    }
    used.retain(|_, is_used| *is_used);
    used.keys()
        .map(|&class| {
            view!({
                "id": scope.text.links.id(&format!("mark-{class}")),
                "class": class,
                "name": scope.text.strings.get(&format!("mark.{class}")),
                "meaning": scope.meaning(class),
                "more": more(&scope.text, scope.description, class),
            })
        })
        .collect()
}

/// Returns a link to more about the procedures that have a mark.
fn more(page: &PageText<'_>, description: &ServiceDescription, class: &str) -> Option<Value> {
    let (href, name) = match class {
        "get" => (page.links.to(PageTarget::Idempotent), "get.list"),
        "tool" => (page.links.same_page("tools"), "tools"),
        "restricted" if !description.security_schemes.is_empty() => {
            (page.links.same_page("access"), "access")
        }
        _ => return None,
    };
    Some(named_link(page.strings.get(name), href))
}

/// Returns the security schemes. All that is known of one but its description is shown as JSON.
fn schemes(page: &PageText<'_>, description: &ServiceDescription) -> Vec<Value> {
    let mut ids = Slugs::default();
    let schemes = &description.security_schemes;
    let entries = schemes.iter().map(|(name, scheme)| {
        let mut rest = scheme.clone();
        if let Some(members) = rest.as_object_mut() {
            members.shift_remove("description");
        }
        view!({
            "id": page.links.id(&ids.assign(&format!("scheme.{name}"))),
            "name": shown_name(name.as_str()),
            "text": page.prose(text_member(scheme, "description"), 3),
            "json": page.json(&json_text::pretty(&rest, 4000)),
            "field": HeaderCredential::of_scheme(scheme)
                .map(|credential| page.around("access.field", &page.code(&credential.sample()))),
        })
    });
    entries.collect()
}

/// Returns the tools for agents, each with its procedure if that has another name.
fn tools(page: &PageText<'_>, description: &ServiceDescription) -> Vec<Value> {
    let procedures = description.procs.iter().enumerate();
    let tools = procedures.filter_map(|(index, procedure)| {
        let name = tool(procedure)?;
        let other = (name != procedure.name).then(|| shown_name(&procedure.name));
        Some(view!({
            "name": shown_name(name),
            "href": page.links.to(PageTarget::Procedure(index)),
            "procedure": other,
            "text": procedure.summary.as_deref().map(plain),
        }))
    });
    tools.collect()
}

/// Returns links to the pages of shared types, in alphabetical order, each with what the type is.
fn types(page: &PageText<'_>, description: &ServiceDescription) -> Vec<Value> {
    let mut types: Vec<_> = page
        .links
        .plan
        .types
        .keys()
        .enumerate()
        .map(|(at, name)| (shown_name(name), at))
        .collect();
    types.sort_by_cached_key(|(name, _)| (name.to_lowercase(), name.clone()));
    types
        .into_iter()
        .map(|(name, at)| {
            let mut link = page.link(&name, PageTarget::Type(at));
            let schema = description.components.schemas.get_index(at);
            let text = schema.and_then(|(_, schema)| text_member(schema, "description"));
            link["text"] = text.map(first_sentence).into();
            link
        })
        .collect()
}

//! What a description tells beside its procedures: the address, the version, the people responsible,
//! and OpenRPC's servers, tags and links between calls.

use docent_describe::json::{Json, Object, shorten};
use docent_describe::{ProcedureDescription, ServiceDescription};
use serde_json::Value;

use super::scope::{MAX_VERSIONS, PageScope, PageText};
use crate::call::CallAddress;
use crate::json_text::{self, text_member};
use crate::markdown;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::samples;
use crate::text::plain;

/// The maximum number of servers, links or values that are listed. The others are only in the description.
const MAX_LISTED: usize = 50;

/// Returns the first elements of a list among the extensions.
pub(super) fn listed<'e>(extensions: &'e Object, name: &str) -> impl Iterator<Item = &'e Json> {
    extensions
        .get(name)
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .take(MAX_LISTED)
}

pub(super) fn about(scope: &PageScope<'_>) -> Vec<Value> {
    let page = &scope.text;
    let description = scope.description;
    let extension = |name: &str| description.extensions.get(name);
    let code = |text: &str| page.written(|code| code.code(&plain(text)));
    let changes = scope
        .changes_name()
        .map(|name| page.linked(&page.links.to(PageTarget::Changes), &name));
    let formats = description
        .enforced_formats
        .iter()
        .map(|format| code(format));
    let formats = Some(page.markup().joined(", ", formats)).filter(|it| !it.is_empty());
    let id = Some(&description.id).filter(|id| !id.is_empty());
    let terms = extension("$termsOfService").and_then(Json::as_str);
    let party = |name: &str| party(page, extension(name)?);
    let once = [
        (
            "about.address",
            about_address(page, scope.service.address.as_ref()),
        ),
        ("about.version", about_version(scope)),
        ("about.versions", links_to_versions(scope)),
        ("changes", changes),
        ("about.id", id.map(|id| code(id))),
        ("about.formats", formats),
        ("about.help", about_help(page, description)),
        ("about.license", party("$license")),
        ("about.contact", party("$contact")),
        (
            "about.terms",
            terms.map(|terms| outside(page, terms, terms)),
        ),
    ];
    let carriers = description.carriers.iter().take(MAX_LISTED);
    let carriers = carriers.map(|carrier| {
        let mut text = code(&carrier.name);
        if let Some(address) = &carrier.address {
            text.apart(&code(address));
        }
        ("about.carrier", Some(text))
    });
    let servers = listed(&description.extensions, "$servers")
        .map(|server| ("about.server", about_server(page, server)));
    once.into_iter()
        .chain(carriers)
        .chain(servers)
        .filter_map(|(key, text)| Some(view!({ "name": page.strings.get(key), "text": text? })))
        .collect()
}

/// Returns an address for calls or for agents, as far as it is known.
pub(super) fn about_address(page: &PageText<'_>, address: Option<&CallAddress>) -> Option<Markup> {
    Some(samples::address(page.form(), &page.completed(address?)))
}

/// Returns links to the overviews of the other versions.
fn links_to_versions(scope: &PageScope<'_>) -> Option<Markup> {
    let page = &scope.text;
    let links = scope.other_versions().take(MAX_VERSIONS).map(|other| {
        let href = page.links.across(&other.plan, PageTarget::Overview);
        page.linked(&href, &other.version.name)
    });
    let text = page.markup().joined(", ", links);
    (!text.is_empty()).then_some(text)
}

fn about_version(scope: &PageScope<'_>) -> Option<Markup> {
    let version = scope.description.version.as_ref()?;
    let mut text = scope.text.escaped(&plain(version));
    if let Some((href, newest)) = scope.newest() {
        text.text(" · ").link(&href, &newest);
    }
    Some(text)
}

fn about_help(page: &PageText<'_>, description: &ServiceDescription) -> Option<Markup> {
    let help = description
        .help
        .as_deref()
        .filter(|help| markdown::is_allowed(help))?;
    let mut text = page.inline(&format!("<{help}>"));
    let docs = description.extensions.get("$externalDocs");
    if let Some(words) = docs.and_then(|docs| text_member(docs, "description")) {
        text.apart(&page.inline(words));
    }
    Some(text)
}

/// Returns a name with an address on the web: a licence or a contact.
fn party(page: &PageText<'_>, party: &Json) -> Option<Markup> {
    let url = text_member(party, "url");
    let email = text_member(party, "email").map(|email| format!("mailto:{email}"));
    let bare = |address: &str| outside(page, address, address.trim_start_matches("mailto:"));
    let first = match (text_member(party, "name"), url.or(email.as_deref())) {
        (Some(name), Some(address)) => outside(page, address, name),
        (Some(name), None) => page.escaped(&plain(name)),
        (None, address) => bare(address?),
    };
    let second = email.filter(|_| url.is_some()).map(|email| bare(&email));
    Some(
        page.markup()
            .joined(", ", [Some(first), second].into_iter().flatten()),
    )
}

/// Returns a link out of the site, or only its text if it leads neither to the web nor to a
/// mailbox.
fn outside(page: &PageText<'_>, address: &str, name: &str) -> Markup {
    let name = plain(name);
    if markdown::is_allowed(address) {
        page.linked(address, &name)
    } else {
        page.escaped(&name)
    }
}

/// Returns a server: its name, its address, its purpose, and the variables to fill in.
fn about_server(page: &PageText<'_>, server: &Json) -> Option<Markup> {
    let url = text_member(server, "url")?;
    let mut text = page.markup();
    if let Some(name) = text_member(server, "name") {
        text.text(&plain(name)).text(": ");
    }
    text.code(&shorten(url, 300));
    add_texts(page, &mut text, server);
    let variables = server.get("variables").and_then(Json::as_object);
    for (name, variable) in variables.into_iter().flatten().take(MAX_LISTED) {
        text.text("; ").code(&shorten(name, 100));
        if let Some(default) = variable.get("default") {
            text.text(" = ").code(&json_text::brief(default, 100));
        }
        let values = variable.get("enum").and_then(Json::as_array);
        for (at, value) in values
            .unwrap_or_default()
            .iter()
            .take(MAX_LISTED)
            .enumerate()
        {
            text.text(
                page.strings
                    .get(if at == 0 { "about.one_of" } else { "about.or" }),
            );
            text.code(&json_text::brief(value, 100));
        }
        add_texts(page, &mut text, variable);
    }
    Some(text)
}

/// Adds the summary and the description of a part of a document.
fn add_texts(page: &PageText<'_>, text: &mut Markup, part: &Json) {
    for member in ["summary", "description"] {
        if let Some(words) = text_member(part, member) {
            text.text(" ").markup(&page.inline(words));
        }
    }
}

/// Returns the calls that OpenRPC links with a procedure.
pub(super) fn related(page: &PageText<'_>, procedure: &ProcedureDescription) -> Vec<Value> {
    listed(&procedure.extensions, "$links")
        .map(|link| view!({ "text": relation(page, link) }))
        .collect()
}

fn relation(page: &PageText<'_>, link: &Json) -> Markup {
    let mut text = page.markup();
    if let Some(name) = text_member(link, "name") {
        text.text(&shorten(name, 200)).text(": ");
    }
    if let Some(method) = text_member(link, "method") {
        match page.links.plan.procedure(method) {
            Some(target) => text.link(&page.links.to(target), method),
            None => text.code(&shorten(method, 200)),
        };
    }
    if let Some(params) = link.get("params") {
        text.text(page.strings.get("links.with"));
        text.code(&json_text::brief(params, 300));
    }
    let server = link
        .get("server")
        .and_then(|server| text_member(server, "url"));
    if let Some(url) = server {
        text.text(page.strings.get("links.at"))
            .code(&shorten(url, 300));
    }
    text.text(".");
    add_texts(page, &mut text, link);
    text
}

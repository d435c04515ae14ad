//! The facts about a service for its overview: the address, the version, the people responsible, and OpenRPC's servers.
//! Also OpenRPC's links between calls, which are on the pages of procedures.
//!
//! The model of descriptions has no members for most of what OpenRPC says. The reader of OpenRPC keeps it as extensions
//! whose names begin with `$`, such as `$servers`, and here they are read.

use docent_describe::json::{Json, Object, shorten};
use docent_describe::{Carrier, ProcedureDescription, ServiceDescription};
use serde::Serialize;
use url::form_urlencoded::byte_serialize;

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

/// Returns the first elements of an extension that is an array.
pub(super) fn extension_elements<'e>(
    extensions: &'e Object,
    name: &str,
) -> impl Iterator<Item = &'e Json> {
    extensions
        .get(name)
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .take(MAX_LISTED)
}

/// A fact about the service.
#[derive(Serialize)]
pub(crate) struct AboutFact {
    /// The text before the fact.
    name: String,
    text: Markup,
}

/// Returns the facts about the service, in the order of the overview.
pub(super) fn about(scope: &PageScope<'_>) -> Vec<AboutFact> {
    let page = &scope.text;
    let description = scope.description;
    let extensions = &description.extensions;
    let address = scope.service.address.as_ref();
    let mut facts = Vec::new();
    for (key, text) in [
        ("about.address", about_address(page, address)),
        ("about.version", about_version(scope)),
        ("about.versions", links_to_versions(scope)),
        ("changes", link_to_changes(scope)),
        ("about.id", about_id(page, description)),
        ("about.formats", about_formats(page, description)),
        ("about.help", about_help(page, description)),
        ("about.license", party(page, extensions.get("$license"))),
        ("about.contact", party(page, extensions.get("$contact"))),
        ("about.terms", about_terms(page, extensions)),
    ] {
        facts.extend(text.map(|text| AboutFact::new(page, key, text)));
    }
    for carrier in description.carriers.iter().take(MAX_LISTED) {
        let text = about_carrier(page, carrier);
        facts.push(AboutFact::new(page, "about.carrier", text));
    }
    for server in extension_elements(extensions, "$servers") {
        if let Some(text) = about_server(page, server) {
            facts.push(AboutFact::new(page, "about.server", text));
        }
    }
    facts
}

impl AboutFact {
    /// Creates a fact. `key` is that of the text before it.
    fn new(page: &PageText<'_>, key: &str, text: Markup) -> Self {
        Self {
            name: page.strings.get(key).to_owned(),
            text,
        }
    }
}

/// Returns the link to the changes since the previous version.
fn link_to_changes(scope: &PageScope<'_>) -> Option<Markup> {
    let name = scope.changes_name()?;
    let href = scope.text.links.to(PageTarget::Changes);
    Some(scope.text.linked(&href, &name))
}

/// Returns the service's id.
fn about_id(page: &PageText<'_>, description: &ServiceDescription) -> Option<Markup> {
    let id = &description.id;
    (!id.is_empty()).then(|| page.code(id))
}

/// Returns the formats that the service checks.
fn about_formats(page: &PageText<'_>, description: &ServiceDescription) -> Option<Markup> {
    let formats = &description.enforced_formats;
    let codes = formats.iter().map(|format| page.code(format));
    (!formats.is_empty()).then(|| page.markup().joined(", ", codes))
}

/// Returns the link to the terms of service.
fn about_terms(page: &PageText<'_>, extensions: &Object) -> Option<Markup> {
    let terms = extensions.get_str("$termsOfService")?;
    Some(outside(page, terms, terms))
}

/// Returns a carrier by its name, with its address if it has one of its own.
fn about_carrier(page: &PageText<'_>, carrier: &Carrier) -> Markup {
    let mut text = page.code(&carrier.name);
    if let Some(address) = &carrier.address {
        text.apart(&page.code(address));
    }
    text
}

/// Returns an address for calls or for agents, as far as it is known.
pub(super) fn about_address(page: &PageText<'_>, address: Option<&CallAddress>) -> Option<Markup> {
    Some(samples::address(page.format(), &page.completed(address?)))
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

/// Returns the version, with a link to the newest if this is not it.
fn about_version(scope: &PageScope<'_>) -> Option<Markup> {
    let version = scope.description.version.as_ref()?;
    let mut text = scope.text.escaped(&plain(version));
    if let Some(newest) = scope.newest() {
        text.text(" · ").link(&newest.href, &newest.text);
    }
    Some(text)
}

/// Returns the link to the author's own documentation, with its description.
fn about_help(page: &PageText<'_>, description: &ServiceDescription) -> Option<Markup> {
    let help = description
        .help
        .as_deref()
        .filter(|help| markdown::is_allowed(help))?;
    let mut text = page.inline(&format!("<{help}>"));
    if let Some(docs) = description.extensions.get("$externalDocs")
        && let Some(about_docs) = text_member(docs, "description")
    {
        text.apart(&page.inline(about_docs));
    }
    Some(text)
}

/// Returns a name with its addresses on the web and for mail: a licence or a contact.
fn party(page: &PageText<'_>, party: Option<&Json>) -> Option<Markup> {
    let party = party?;
    let url = text_member(party, "url");
    let email = text_member(party, "email").map(mailbox);
    let first = match (text_member(party, "name"), url.or(email.as_deref())) {
        (Some(name), Some(address)) => outside(page, address, name),
        (Some(name), None) => page.escaped(&plain(name)),
        (None, address) => bare_link(page, address?),
    };
    let mut links = vec![first];
    if let Some(email) = email.filter(|_| url.is_some()) {
        links.push(bare_link(page, &email));
    }
    Some(page.markup().joined(", ", links))
}

/// Returns the URL of a mailbox. What is syntax in a URL is escaped: after a `?`, it could name further recipients.
fn mailbox(email: &str) -> String {
    let escaped: String = byte_serialize(email.as_bytes()).collect();
    format!("mailto:{}", escaped.replace("%40", "@"))
}

/// Returns a link that shows its own address.
fn bare_link(page: &PageText<'_>, address: &str) -> Markup {
    outside(page, address, address.trim_start_matches("mailto:"))
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
        text.text("; ").code(&shorten(name.as_str(), 100));
        if let Some(default) = variable.get("default") {
            text.text(" = ").code(&json_text::brief(default, 100));
        }
        let values = variable.get("enum").and_then(Json::as_array);
        let mut separator = "about.one_of";
        for value in values.unwrap_or_default().iter().take(MAX_LISTED) {
            text.text(page.strings.get(separator));
            text.code(&json_text::brief(value, 100));
            separator = "about.or";
        }
        add_texts(page, &mut text, variable);
    }
    Some(text)
}

/// Adds the summary and the description of a part of a document.
fn add_texts(page: &PageText<'_>, text: &mut Markup, part: &Json) {
    for member in ["summary", "description"] {
        if let Some(source) = text_member(part, member) {
            text.text(" ").markup(&page.inline(source));
        }
    }
}

/// A call that OpenRPC links with another.
#[derive(Serialize)]
pub(super) struct LinkedCall {
    text: Markup,
}

/// Returns the calls that OpenRPC links with a procedure.
pub(super) fn related(page: &PageText<'_>, procedure: &ProcedureDescription) -> Vec<LinkedCall> {
    extension_elements(&procedure.extensions, "$links")
        .map(|link| LinkedCall {
            text: relation(page, link),
        })
        .collect()
}

/// Returns a link between calls: the other procedure, the parameters to call it with, and the server.
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
    if let Some(server) = link.get("server")
        && let Some(url) = text_member(server, "url")
    {
        text.text(page.strings.get("links.at"))
            .code(&shorten(url, 300));
    }
    text.text(".");
    add_texts(page, &mut text, link);
    text
}

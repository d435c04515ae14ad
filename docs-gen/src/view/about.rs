//! What a description tells beside its procedures: the address, the version, the people responsible,
//! and OpenRPC's servers, tags and links between calls.

use docent_describe::json::{Json, Object, shorten};
use docent_describe::{Example, ProcedureDescription};
use serde_json::Value;

use super::scope::PageScope;
use crate::call::CallAddress;
use crate::json_text::{self, text_of};
use crate::markdown;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::samples;
use crate::text::plain;

/// The most servers, links and values that are listed. The others are only in the description.
const MOST: usize = 50;

/// Returns the first elements of a list among the extensions.
pub(super) fn listed<'e>(extensions: &'e Object, name: &str) -> impl Iterator<Item = &'e Json> {
    extensions
        .get(name)
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .take(MOST)
}

impl PageScope<'_> {
    pub(super) fn about(&self) -> Vec<Value> {
        let description = self.description();
        let extension = |name: &str| description.extensions.get(name);
        let code = |text: &str| self.text.written(|code| code.code(&plain(text)));
        let to_changes = self.text.links.to(PageTarget::Changes);
        let changes = self
            .changes_name()
            .map(|name| self.text.written(|text| text.link(&to_changes, &name)));
        let formats = description
            .enforced_formats
            .iter()
            .map(|format| code(format));
        let formats = Some(self.text.markup().joined(", ", formats)).filter(|it| !it.is_empty());
        let id = Some(&description.id).filter(|id| !id.is_empty());
        let terms = extension("$termsOfService").and_then(Json::as_str);
        let party = |name: &str| extension(name).and_then(|party| self.party(party));
        let once = [
            (
                "about.address",
                self.about_address(self.service.address.as_ref()),
            ),
            ("about.version", self.about_version()),
            ("about.versions", self.links_to_versions()),
            ("changes", changes),
            ("about.id", id.map(|id| code(id))),
            ("about.formats", formats),
            ("about.help", self.about_help()),
            ("about.license", party("$license")),
            ("about.contact", party("$contact")),
            ("about.terms", terms.map(|terms| self.outside(terms, terms))),
        ];
        let servers = listed(&description.extensions, "$servers")
            .map(|server| ("about.server", self.server(server)));
        once.into_iter()
            .chain(servers)
            .filter_map(|(key, text)| {
                Some(view!({ "name": self.text.strings.get(key), "text": text? }))
            })
            .collect()
    }

    /// Returns an address for calls or for agents, as far as it is known.
    pub(super) fn about_address(&self, address: Option<&CallAddress>) -> Option<Markup> {
        Some(samples::address(
            self.text.form(),
            &self.text.completed(address?),
        ))
    }

    fn about_version(&self) -> Option<Markup> {
        let version = self.description().version.as_ref()?;
        let mut text = Markup::of_text(self.text.form(), &plain(version));
        if let Some((href, newest)) = self.newest() {
            text.text(" · ").link(&href, &newest);
        }
        Some(text)
    }

    fn about_help(&self) -> Option<Markup> {
        let description = self.description();
        let help = description
            .help
            .as_deref()
            .filter(|help| markdown::is_allowed(help))?;
        let mut text = self.text.inline(&format!("<{help}>"));
        let docs = description.extensions.get("$externalDocs");
        if let Some(words) = docs.and_then(|docs| text_of(docs, "description")) {
            text.apart(&self.text.inline(words));
        }
        Some(text)
    }

    /// Returns a name with an address on the web: a licence or a contact.
    fn party(&self, party: &Json) -> Option<Markup> {
        let url = text_of(party, "url");
        let email = text_of(party, "email").map(|email| format!("mailto:{email}"));
        let bare = |address: &str| self.outside(address, address.trim_start_matches("mailto:"));
        let first = match (text_of(party, "name"), url.or(email.as_deref())) {
            (Some(name), Some(address)) => self.outside(address, name),
            (Some(name), None) => Markup::of_text(self.text.form(), &plain(name)),
            (None, address) => bare(address?),
        };
        let second = email.filter(|_| url.is_some()).map(|email| bare(&email));
        Some(
            self.text
                .markup()
                .joined(", ", [Some(first), second].into_iter().flatten()),
        )
    }

    /// Returns a link out of the site, or only its text if it leads neither to the web nor to a
    /// mailbox.
    fn outside(&self, address: &str, name: &str) -> Markup {
        let name = plain(name);
        if markdown::is_allowed(address) {
            self.text.written(|text| text.link(address, &name))
        } else {
            Markup::of_text(self.text.form(), &name)
        }
    }

    /// Returns a server: its name, its address, its purpose, and the variables to fill in.
    fn server(&self, server: &Json) -> Option<Markup> {
        let url = text_of(server, "url")?;
        let mut text = self.text.markup();
        if let Some(name) = text_of(server, "name") {
            text.text(&plain(name)).text(": ");
        }
        text.code(&shorten(url, 300));
        self.add_texts(&mut text, server);
        let variables = server.get("variables").and_then(Json::as_object);
        for (name, variable) in variables.into_iter().flatten().take(MOST) {
            text.text("; ").code(&shorten(name, 100));
            if let Some(default) = variable.get("default") {
                text.text(" = ").code(&json_text::brief(default, 100));
            }
            let values = variable.get("enum").and_then(Json::as_array);
            for (at, value) in values.unwrap_or_default().iter().take(MOST).enumerate() {
                text.text(
                    self.text
                        .strings
                        .get(if at == 0 { "about.one_of" } else { "about.or" }),
                );
                text.code(&json_text::brief(value, 100));
            }
            self.add_texts(&mut text, variable);
        }
        Some(text)
    }

    /// Adds the summary and the description of a part of a document.
    fn add_texts(&self, text: &mut Markup, part: &Json) {
        for member in ["summary", "description"] {
            if let Some(words) = text_of(part, member) {
                text.text(" ").markup(&self.text.inline(words));
            }
        }
    }

    /// Returns the description of a group's tag.
    pub(super) fn tag(&self, group: usize) -> Option<Markup> {
        let name = self.service.plan.groups[group].name.as_deref()?;
        let tags = self.description().extensions.get("$tags")?;
        Some(markdown::render(self.text.form(), text_of(tags, name)?, 3))
    }

    /// Returns the calls that OpenRPC links with a procedure.
    pub(super) fn related(&self, procedure: &ProcedureDescription) -> Vec<Value> {
        listed(&procedure.extensions, "$links")
            .map(|link| view!({ "text": self.relation(link) }))
            .collect()
    }

    fn relation(&self, link: &Json) -> Markup {
        let mut text = self.text.markup();
        if let Some(name) = text_of(link, "name") {
            text.text(&shorten(name, 200)).text(": ");
        }
        if let Some(method) = text_of(link, "method") {
            match self.service.plan.procedure(method) {
                Some(target) => text.link(&self.text.links.to(target), method),
                None => text.code(&shorten(method, 200)),
            };
        }
        if let Some(params) = link.get("params") {
            text.text(self.text.strings.get("links.with"));
            text.code(&json_text::brief(params, 300));
        }
        let server = link.get("server").and_then(|server| text_of(server, "url"));
        if let Some(url) = server {
            text.text(self.text.strings.get("links.at"))
                .code(&shorten(url, 300));
        }
        text.text(".");
        self.add_texts(&mut text, link);
        text
    }

    /// Returns the details of an example besides its summary: its name in OpenRPC, and its
    /// description.
    pub(super) fn about_example(&self, example: &Example) -> Option<Markup> {
        let mut about = self.text.markup();
        let name = example.extensions.get("$exampleName");
        if let Some(name) = name.and_then(Json::as_str) {
            about.raw("<p>").code(&shorten(name, 200)).raw("</p>");
        }
        if let Some(text) = &example.description {
            about.paragraph(&markdown::render(self.text.form(), text, 3));
        }
        (!about.is_empty()).then_some(about)
    }
}

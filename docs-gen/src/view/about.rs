//! The facts about a service as a whole: its address, its version, and the people responsible for it.

use docent_describe::json::{Json, shorten};
use serde::Serialize;

use super::scope::Scope;
use crate::json_text;
use crate::markdown;
use crate::markup::Markup;
use crate::plan::Target;
use crate::samples;
use crate::schema::text_of;
use crate::text::plain;

/// The most servers, links and values that are listed. The others are only in the description.
const MOST: usize = 50;

#[derive(Debug, Serialize)]
pub(super) struct Entry {
    name: String,
    text: Markup,
}

impl Scope<'_> {
    pub(super) fn about(&self) -> Vec<Entry> {
        let description = self.description();
        let mut about = Vec::new();
        let mut add = |key: &str, text: Markup| {
            about.push(Entry {
                name: self.strings.get(key).to_owned(),
                text,
            });
        };
        if let Some(address) = self.about_address() {
            add("about.address", address);
        }
        if let Some(version) = &description.version {
            let mut text = Markup::of_text(self.form(), &plain(version));
            if let Some(newest) = self.newest() {
                text.text(" · ").link(&newest.href, &newest.text);
            }
            add("about.version", text);
        }
        if let Some(text) = self.other_versions() {
            add("about.versions", text);
        }
        if let Some(name) = self.changes_name() {
            let mut text = Markup::new(self.form());
            text.link(&self.links.to(Target::Changes), &name);
            add("changes", text);
        }
        if !description.id.is_empty() {
            let mut text = Markup::new(self.form());
            text.code(&plain(&description.id));
            add("about.id", text);
        }
        if !description.enforced_formats.is_empty() {
            let mut text = Markup::new(self.form());
            for (place, format) in description.enforced_formats.iter().enumerate() {
                if place > 0 {
                    text.text(", ");
                }
                text.code(&plain(format));
            }
            add("about.formats", text);
        }
        if let Some(help) = description
            .help
            .as_deref()
            .filter(|help| markdown::is_allowed(help))
        {
            let mut text = markdown::inline(self.form(), &format!("<{help}>"));
            let docs = description.extensions.get("$externalDocs");
            if let Some(words) = docs.and_then(|docs| text_of(docs, "description")) {
                text.apart(&markdown::inline(self.form(), words));
            }
            add("about.help", text);
        }
        for (member, key) in [("$license", "about.license"), ("$contact", "about.contact")] {
            let said = description.extensions.get(member);
            if let Some(text) = said.and_then(|said| self.party(said)) {
                add(key, text);
            }
        }
        if let Some(terms) = description
            .extensions
            .get("$termsOfService")
            .and_then(Json::as_str)
        {
            add("about.terms", self.outside(terms, terms));
        }
        let servers = description
            .extensions
            .get("$servers")
            .and_then(Json::as_array);
        for server in servers.unwrap_or_default().iter().take(MOST) {
            if let Some(text) = self.server(server) {
                add("about.server", text);
            }
        }
        about
    }

    /// Returns the address for calls, as far as it is known.
    pub(super) fn about_address(&self) -> Option<Markup> {
        let address = self.address()?;
        let here = self.strings.get("about.here");
        Some(samples::address(self.form(), &address, here))
    }

    /// Returns a name with an address on the web: a licence or a contact.
    fn party(&self, said: &Json) -> Option<Markup> {
        let name = text_of(said, "name");
        let email = text_of(said, "email").map(|email| format!("mailto:{email}"));
        let address = text_of(said, "url").or(email.as_deref());
        let mut text = match (name, address) {
            (Some(name), Some(address)) => self.outside(address, name),
            (Some(only), None) => Markup::of_text(self.form(), &plain(only)),
            (None, Some(only)) => self.outside(only, only.trim_start_matches("mailto:")),
            (None, None) => return None,
        };
        if let (Some(_), Some(email)) = (text_of(said, "url"), &email) {
            text.text(", ");
            text.markup(&self.outside(email, email.trim_start_matches("mailto:")));
        }
        Some(text)
    }

    /// Returns a link out of the site, or only its text if it leads neither to the web nor to a
    /// mailbox.
    fn outside(&self, address: &str, name: &str) -> Markup {
        let mut text = Markup::new(self.form());
        if markdown::is_allowed(address) {
            text.link(address, &plain(name));
        } else {
            text.text(&plain(name));
        }
        text
    }

    /// Returns a server: its name, its address, its purpose, and the variables to fill in.
    fn server(&self, server: &Json) -> Option<Markup> {
        let url = text_of(server, "url")?;
        let mut text = Markup::new(self.form());
        if let Some(name) = text_of(server, "name") {
            text.text(&plain(name)).text(": ");
        }
        text.code(&shorten(url, 300));
        for words in ["summary", "description"] {
            if let Some(words) = text_of(server, words) {
                text.text(" ").markup(&markdown::inline(self.form(), words));
            }
        }
        let variables = server.get("variables").and_then(Json::as_object);
        for (name, variable) in variables.into_iter().flatten().take(MOST) {
            text.text("; ").code(&shorten(name, 100));
            if let Some(default) = variable.get("default") {
                text.text(" = ").code(&json_text::brief(default, 100));
            }
            let values = variable.get("enum").and_then(Json::as_array);
            for (at, value) in values.unwrap_or_default().iter().take(MOST).enumerate() {
                let before = if at == 0 { "about.one_of" } else { "about.or" };
                text.text(self.strings.get(before));
                text.code(&json_text::brief(value, 100));
            }
            if let Some(words) = text_of(variable, "description") {
                text.text(" ").markup(&markdown::inline(self.form(), words));
            }
        }
        Some(text)
    }

    /// Returns the description of a group's tag.
    pub(super) fn tag(&self, group: usize) -> Option<Markup> {
        let name = self.service.plan.groups[group].name.as_deref()?;
        let tags = self.description().extensions.get("$tags")?;
        let words = text_of(tags, name)?;
        Some(markdown::render(self.form(), words, 3))
    }
}

//! OpenRPC's additions to a call: related calls, and the names of examples.

use docent_describe::json::{Json, shorten};
use docent_describe::{Example, ProcedureDescription};
use serde::Serialize;

use super::scope::Scope;
use crate::json_text;
use crate::markdown;
use crate::markup::Markup;
use crate::plan::Target;
use crate::schema::text_of;

/// The most links that are listed. The others are only in the description.
const MOST: usize = 50;

/// A related call, in one line.
#[derive(Debug, Serialize)]
pub(super) struct Related {
    text: Markup,
}

impl Scope<'_> {
    pub(super) fn related(&self, procedure: &ProcedureDescription) -> Vec<Related> {
        let links = procedure.extensions.get("$links").and_then(Json::as_array);
        let links = links.unwrap_or_default().iter().take(MOST);
        links
            .map(|link| Related {
                text: self.relation(link),
            })
            .collect()
    }

    /// Returns the details of an example besides its summary: its name in OpenRPC, and its
    /// description.
    pub(super) fn about_example(&self, example: &Example) -> Option<Markup> {
        let mut about = Markup::new(self.form());
        let name = example
            .extensions
            .get("$exampleName")
            .and_then(Json::as_str);
        if let Some(name) = name {
            about.raw("<p>").code(&shorten(name, 200)).raw("</p>");
        }
        if let Some(text) = &example.description {
            about.paragraph(&markdown::render(self.form(), text, 3));
        }
        (!about.as_str().is_empty()).then_some(about)
    }

    fn relation(&self, link: &Json) -> Markup {
        let mut text = Markup::new(self.form());
        if let Some(name) = text_of(link, "name") {
            text.text(&shorten(name, 200)).text(": ");
        }
        if let Some(method) = text_of(link, "method") {
            match self.service.plan.names.get(method) {
                Some(&index) => text.link(&self.links.to(Target::Procedure(index)), method),
                None => text.code(&shorten(method, 200)),
            };
        }
        if let Some(params) = link.get("params") {
            text.text(self.strings.get("links.with"));
            text.code(&json_text::brief(params, 300));
        }
        let server = link.get("server").and_then(|server| text_of(server, "url"));
        if let Some(url) = server {
            text.text(self.strings.get("links.at"))
                .code(&shorten(url, 300));
        }
        text.text(".");
        for words in ["summary", "description"] {
            if let Some(words) = text_of(link, words) {
                text.text(" ").markup(&markdown::inline(self.form(), words));
            }
        }
        text
    }
}

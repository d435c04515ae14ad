//! A guide's page.

use serde::Serialize;

use super::scope::{Content, Scope};
use crate::guides::Guide;
use crate::markup::{Form, Markup};
use crate::text::shown_name;

#[derive(Debug, Serialize)]
struct View {
    section: Option<String>,
    name: String,
    text: Markup,
}

impl Scope<'_> {
    pub(super) fn guide(&self, at: usize) -> Content {
        let guide = &self.site.guides[at];
        let text = match self.form() {
            Form::Html => Guide::render(&self.site.guides, at, &self.links),
            Form::Markdown => Guide::twin(&self.site.guides, at, &self.links),
        };
        let view = View {
            section: self.section(),
            name: shown_name(&guide.title),
            text,
        };
        self.page("guide", &view.name, None, &view)
    }
}

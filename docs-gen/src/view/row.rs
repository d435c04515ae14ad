//! The rows of a tree: values, with all details from their schemas.

use docent_describe::ParamAlias;
use docent_describe::json::shorten;
use serde_json::{Value, json};

use super::facts::facts;
use super::scope::PageScope;
use crate::json_text;
use crate::markdown;
use crate::markup::{Markup, PageForm};
use crate::schema::{AllowedValue, Layers, Tree, TreeEntry, text_of};

/// The most values of an enumeration that are listed. The others are counted.
const MOST_VALUES: usize = 200;

impl PageScope<'_> {
    /// Renders what was added to a tree since the last call.
    pub(super) fn rows(&self, tree: &mut Tree<'_>) -> Vec<Value> {
        let entries = tree.take().into_iter();
        entries.map(|entry| self.row(&entry)).collect()
    }

    /// Renders a line of a tree, with the details of its value.
    pub(super) fn row(&self, entry: &TreeEntry<'_>) -> Value {
        let shared = self.shared;
        let layers = Layers::of(shared, &entry.schemas);
        let with_simple = Layers::with_simple(shared, &entry.schemas);
        let default = entry.default.or_else(|| layers.first("default"));
        let mut facts = facts(self.form(), self.strings, with_simple.constraints());
        facts.extend(entry.tag.as_ref().map(|(member, value)| {
            self.written(|fact| fact.code(&format!("{}: {value}", shorten(member, 80))))
        }));
        facts.extend(entry.aliases.iter().map(|alias| self.alias(alias)));
        let values = layers.allowed().unwrap_or_default();
        let more = self.strings.rest("tree.values", values.len(), MOST_VALUES);
        json!({
            "href": self.links.same_page(&entry.id),
            "id": self.links.id(&entry.id),
            "depth": entry.depth,
            "name": shorten(&entry.name, 200),
            "label": entry.label,
            "kind": self.words(&entry.schemas),
            "required": entry.required,
            "deprecated": entry.deprecated || layers.is("deprecated"),
            "default": default.map(|value| json_text::brief(value, 120)),
            "facts": facts,
            "values": self.values(&values),
            "text": self.text(entry, &layers),
            "note": entry.note.as_ref().or(more.as_ref()),
            "fold": entry.fold,
            "open": entry.open,
            "ends": entry.ends,
        })
    }

    /// Returns all texts by authors about a value: its titles and descriptions, and those of null.
    fn text(&self, entry: &TreeEntry<'_>, layers: &Layers<'_>) -> Option<Markup> {
        let mut said: Vec<&str> = entry.text.into_iter().collect();
        let mut text = self.markup();
        let mut titles = vec![entry.name.as_str()];
        let mut descriptions = Vec::new();
        for (at, layer) in layers.schemas.iter().enumerate() {
            let description = text_of(layer, "description");
            let title = text_of(layer, "title");
            let is_new = |title: &&str| {
                let mut said = said.iter().chain(&description);
                !titles.contains(title) && !said.any(|said| said.starts_with(title))
            };
            if !entry.headed || at > 0 {
                if let Some(title) = title.filter(is_new) {
                    let words = Markup::of_text(self.form(), &shorten(title, 300));
                    text.apart(&self.line(None, &words, title));
                }
                descriptions.extend(description.filter(|text| !said.contains(text)));
            }
            titles.extend(title);
            said.extend(description);
        }
        for description in entry.text.iter().chain(&descriptions) {
            let named = |name: &str| self.links.named_elsewhere(name);
            text.apart(&markdown::in_row(self.form(), description, 4, &named));
        }
        for null in &layers.nulls {
            for member in ["title", "description"] {
                if let Some(words) = text_of(null, member).filter(|text| !said.contains(text)) {
                    text.apart(&self.line(Some("null"), &self.inline(words), words));
                }
            }
        }
        (!text.is_empty()).then_some(text)
    }

    /// Returns a line of text, perhaps about one value, which ends a sentence if others follow it on
    /// the same line.
    fn line(&self, value: Option<&str>, words: &Markup, source: &str) -> Markup {
        let mut line = self.markup();
        line.raw("<p>");
        if let Some(value) = value {
            line.code(value).text(": ");
        }
        line.markup(words).raw("</p>");
        if self.form() == PageForm::Markdown && !source.ends_with(['.', '!', '?']) {
            line.text(".");
        }
        line
    }

    fn alias(&self, alias: &ParamAlias) -> Markup {
        let mut line = Markup::of_text(self.form(), self.strings.get("alias"));
        line.text(" ").code(&shorten(&alias.name, 200));
        if alias.deprecated {
            line.text(&format!(" ({})", self.strings.get("deprecated")));
        }
        line
    }

    fn values(&self, values: &[AllowedValue<'_>]) -> Vec<Value> {
        // The only value is in the type already.
        if values.len() < 2 && values.iter().all(|value| value.about.is_none()) {
            return Vec::new();
        }
        let row = |value: &AllowedValue<'_>| {
            let about = |member| text_of(value.about?, member);
            let description = about("description");
            let is_new = |title: &&str| description.is_none_or(|text| !text.starts_with(title));
            let mut text = self.markup();
            for words in about("title").filter(is_new).into_iter().chain(description) {
                text.apart(&self.inline(words));
            }
            let text = (!text.is_empty()).then_some(text);
            json!({ "value": json_text::brief(value.value, 200), "text": text })
        };
        values.iter().take(MOST_VALUES).map(row).collect()
    }
}

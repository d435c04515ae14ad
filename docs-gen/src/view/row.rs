//! One row of a tree: a value, with all details from its own schema.

use docent_describe::ParamAlias;
use docent_describe::json::{Json, shorten};
use serde::Serialize;

use super::facts::facts;
use super::tree::Tree;
use super::words::words;
use crate::json_text;
use crate::markdown;
use crate::markup::{Form, Markup};
use crate::schema::{Layers, Shape, Value, component_name, resolve, shape, text_of};
use crate::slug::Slugs;

/// The most values of an enumeration that are listed. The others are counted.
const MOST_VALUES: usize = 200;

/// One line of a tree, with the details of its value.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what a template asks about a row, one a question"
)]
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) href: String,
    /// The number of rows that it is nested in.
    pub(crate) depth: usize,
    pub(crate) name: String,
    /// True if the name is a label, and not a key of JSON: one of ours, or that of an alternative.
    pub(crate) label: bool,
    pub(crate) kind: Markup,
    pub(crate) required: bool,
    pub(crate) deprecated: bool,
    pub(crate) default: Option<String>,
    pub(crate) facts: Vec<Markup>,
    pub(crate) values: Vec<ValueRow>,
    pub(crate) text: Option<Markup>,
    pub(crate) note: Option<String>,
    /// The label of the fold with the rows below.
    pub(crate) fold: Option<String>,
    pub(crate) open: bool,
    /// One element for each fold that ends after this row.
    pub(crate) ends: Vec<u8>,
}

/// An allowed value.
#[derive(Debug, Serialize)]
pub(crate) struct ValueRow {
    pub(crate) value: String,
    pub(crate) text: Option<Markup>,
}

/// The properties of a value that are not in its schema.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what is known of a value, one fact each"
)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slot<'a> {
    pub(crate) name: &'a str,
    pub(crate) label: bool,
    pub(crate) required: bool,
    pub(crate) deprecated: bool,
    pub(crate) default: Option<&'a Json>,
    pub(crate) aliases: &'a [ParamAlias],
    pub(crate) text: Option<&'a str>,
    /// True if the title and the description of the schema itself are already shown above the tree.
    pub(crate) headed: bool,
}

impl Tree<'_> {
    pub(super) fn row(&self, ids: &mut Slugs, path: &str, slot: Slot<'_>, schema: &Json) -> Row {
        let form = self.links.medium.form();
        let id = ids.assign(path);
        let layers = Layers::of(self.shared, schema);
        let is_true = |member: &str| {
            let mut layers = layers.schemas.iter();
            layers.any(|layer| layer.get(member).and_then(Json::as_bool) == Some(true))
        };
        let own_default = || layers.schemas.iter().find_map(|layer| layer.get("default"));
        let default = slot.default.or_else(own_default);
        let mut row = Row {
            href: self.links.same_page(&id),
            id: self.links.id(&id),
            name: shorten(slot.name, 200).into_owned(),
            label: slot.label,
            kind: words(self.links, self.strings, schema),
            required: slot.required,
            deprecated: slot.deprecated || is_true("deprecated"),
            default: default.map(|value| json_text::brief(value, 120)),
            text: self.text(slot, &layers),
            ..Row::default()
        };
        for layer in &layers.schemas {
            self.ask(&mut row, layer);
            // A reference to a simple type is shown with the constraints of that type.
            let inner = resolve(self.shared, layer);
            if !std::ptr::eq(inner, *layer) && !matches!(shape(inner).shape, Shape::Object) {
                for layer in Layers::of(self.shared, inner).schemas {
                    self.ask(&mut row, layer);
                }
            }
        }
        row.facts
            .extend(slot.aliases.iter().map(|it| self.alias(form, it)));
        if let Some(values) = self.listed(&layers) {
            self.values(&mut row, &values);
        }
        row
    }

    /// Adds the constraints of one schema, except those that another schema has already added.
    fn ask(&self, row: &mut Row, schema: &Json) {
        for fact in facts(self.links.medium.form(), self.strings, schema) {
            if !row.facts.contains(&fact) {
                row.facts.push(fact);
            }
        }
    }

    /// Returns all texts by authors about a value: its titles and descriptions, and those of null.
    fn text(&self, slot: Slot<'_>, layers: &Layers<'_>) -> Option<Markup> {
        let form = self.links.medium.form();
        let mut said: Vec<&str> = slot.text.into_iter().collect();
        let mut text = Markup::new(form);
        let mut titles = vec![slot.name];
        let mut descriptions = Vec::new();
        for (at, layer) in layers.schemas.iter().enumerate() {
            let description = text_of(layer, "description");
            let title = text_of(layer, "title");
            let is_new = |title: &&str| {
                let mut said = said.iter().chain(&description);
                !titles.contains(title) && !said.any(|said| said.starts_with(title))
            };
            if !slot.headed || at > 0 {
                if let Some(title) = title.filter(is_new) {
                    self.title(&mut text, title);
                }
                descriptions.extend(description.filter(|text| !said.contains(text)));
            }
            titles.extend(title);
            said.extend(description);
        }
        for description in slot.text.iter().chain(&descriptions) {
            let words = markdown::in_row(form, description, 4);
            text.apart(&self.links.prose(words));
        }
        for null in &layers.nulls {
            for member in ["title", "description"] {
                if let Some(words) = text_of(null, member).filter(|text| !said.contains(text)) {
                    let mut line = Markup::new(form);
                    line.raw("<p>").code("null").text(": ");
                    line.markup(&markdown::inline(form, words)).raw("</p>");
                    self.stop(&mut line, words);
                    text.apart(&line);
                }
            }
        }
        (!text.is_empty()).then_some(text)
    }

    fn title(&self, text: &mut Markup, title: &str) {
        let form = self.links.medium.form();
        let mut line = Markup::new(form);
        line.raw("<p>").text(&shorten(title, 300)).raw("</p>");
        self.stop(&mut line, title);
        text.apart(&line);
    }

    /// Ends a sentence if others follow it on the same line.
    fn stop(&self, line: &mut Markup, words: &str) {
        if self.links.medium.form() == Form::Markdown && !words.ends_with(['.', '!', '?']) {
            line.text(".");
        }
    }

    fn alias(&self, form: Form, alias: &ParamAlias) -> Markup {
        let mut line = Markup::of_text(form, self.strings.get("alias"));
        line.text(" ").code(&shorten(&alias.name, 200));
        if alias.deprecated {
            line.text(&format!(" ({})", self.strings.get("deprecated")));
        }
        line
    }

    /// Returns the values that are listed for a value, or for the elements of a list of a simple type.
    fn listed<'j>(&'j self, layers: &Layers<'j>) -> Option<Vec<Value<'j>>> {
        layers.schemas.iter().find_map(|layer| {
            let mut schema = *layer;
            for _ in 0..8 {
                schema = match shape(schema).shape {
                    Shape::Array(Some(items)) if !self.has_own_row(items) => items,
                    Shape::Map(values) if !self.has_own_row(values) => values,
                    _ => break,
                };
            }
            match shape(resolve(self.shared, schema)).shape {
                Shape::Enum(values) => Some(values),
                _ => None,
            }
        })
    }

    /// Returns whether a list's elements have more details than their type, so that they need a row.
    pub(super) fn has_own_row(&self, items: &Json) -> bool {
        let layers = Layers::of(self.shared, items);
        let form = self.links.medium.form();
        let says = |layer: &&Json| {
            let is_shared = component_name(layer).is_some();
            let has = |member: &str| layer.get(member).is_some();
            has("title")
                || has("description")
                || has("default")
                || has("deprecated")
                || !facts(form, self.strings, layer).is_empty()
                || !is_shared && matches!(shape(layer).shape, Shape::Enum(_))
        };
        let told = |null: &&Json| null.get("title").or(null.get("description")).is_some();
        layers.schemas.iter().any(says) || layers.nulls.iter().any(told)
    }

    fn values(&self, row: &mut Row, values: &[Value<'_>]) {
        if values.len() < 2 && values.iter().all(|value| value.about.is_none()) {
            return;
        }
        let form = self.links.medium.form();
        row.values = values
            .iter()
            .take(MOST_VALUES)
            .map(|value| ValueRow {
                value: json_text::brief(value.value, 200),
                text: value.about.and_then(|about| {
                    let title = text_of(about, "title");
                    let description = text_of(about, "description");
                    let mut text = Markup::new(form);
                    let said = title.filter(|title| {
                        description.is_none_or(|description| !description.starts_with(title))
                    });
                    for words in said.into_iter().chain(description) {
                        text.apart(&self.links.prose(markdown::inline(form, words)));
                    }
                    (!text.is_empty()).then_some(text)
                }),
            })
            .collect();
        if values.len() > MOST_VALUES {
            row.note = Some(
                self.strings
                    .count("tree.values", values.len() - MOST_VALUES),
            );
        }
    }
}

//! The rows of a tree: values, with all details from their schemas.

use std::borrow::Cow;

use docent_describe::ParamAlias;
use docent_describe::json::shorten;

use super::facts::facts;
use super::scope::PageScope;
use crate::json_text;
use crate::markdown;
use crate::markup::{Markup, PageForm};
use crate::schema::{AllowedValue, Layers, Tree, TreeEntry, text_of};

/// The most values of an enumeration that are listed. The others are counted.
const MOST_VALUES: usize = 200;

/// The details of a value in a row, besides its name and its type.
pub(super) struct RowDetails<'t> {
    deprecated: bool,
    default: Option<String>,
    facts: Vec<Markup>,
    /// The allowed values, each with what is said about it.
    values: Vec<(String, Markup)>,
    text: Markup,
    pub(super) note: Option<Cow<'t, str>>,
}

impl RowDetails<'_> {
    /// Returns whether a value needs a row only for its name and its type.
    pub(super) fn is_empty(&self) -> bool {
        let is_listed = !self.facts.is_empty() || !self.values.is_empty();
        self.text.is_empty() && !is_listed && self.default.is_none()
    }
}

impl PageScope<'_> {
    /// Renders what was added to a tree since the last call, if anything was.
    ///
    /// Rows are most of a site, and a template would take longer for them than for everything else.
    pub(super) fn rows(&self, tree: &mut Tree<'_>) -> Option<Markup> {
        self.tree(&tree.take())
    }

    /// Renders the entries of a tree, if there are any.
    pub(super) fn tree(&self, entries: &[TreeEntry<'_>]) -> Option<Markup> {
        let mut tree = self.markup();
        tree.raw("<ul class=\"tree\">\n");
        for entry in entries {
            let details = self.details(entry);
            match self.form() {
                PageForm::Html => self.add_tree_row(&mut tree, entry, details),
                PageForm::Markdown => self.add_item(&mut tree, entry, details),
            }
        }
        tree.raw("</ul>");
        (!entries.is_empty()).then_some(tree)
    }

    pub(super) fn details<'t>(&self, entry: &'t TreeEntry<'_>) -> RowDetails<'t> {
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
        RowDetails {
            deprecated: entry.deprecated || layers.is("deprecated"),
            default: default.map(|value| json_text::brief(value, 120)),
            facts,
            values: self.values(&values),
            text: self.text(entry, &layers),
            note: entry.note.as_deref().map(Cow::from).or(more.map(Cow::from)),
        }
    }

    /// Adds a row of HTML, with the folds that begin and end with it.
    fn add_tree_row(&self, tree: &mut Markup, entry: &TreeEntry<'_>, details: RowDetails<'_>) {
        let word = |key| self.strings.get(key);
        let label = if entry.label { " label" } else { "" };
        let (id, href) = (self.links.id(&entry.id), self.links.same_page(&entry.id));
        tree.html(
            "<li id=\"{}\"><div class=\"row\"><a class=\"name{}\" href=\"{}\">{}</a> <span class=\"kind\">",
            &[&id, label, &href, &shorten(&entry.name, 200)],
        );
        tree.markup(&self.words(&entry.schemas)).raw("</span>");
        if entry.required {
            tree.raw(" ").span("must", word("required"));
        }
        if details.deprecated {
            tree.raw(" ").span("mark old", word("deprecated"));
        }
        tree.raw("</div>\n");
        tree.wrapped("<div class=\"prose\">", &details.text, "</div>\n");
        let default = details.default.map(|default| {
            self.written(|fact| fact.html("{} <code>{}</code>", &[word("default"), &default]))
        });
        let facts = details.facts.into_iter().chain(default);
        let facts = self.markup().joined(" · ", facts);
        tree.wrapped("<p class=\"fact\">", &facts, "</p>\n");
        let mut values = self.markup();
        for (value, text) in &details.values {
            values.html("<li><code>{}</code>", &[value]);
            values.wrapped(" <div>", text, "</div>").raw("</li>");
        }
        tree.wrapped("<ul class=\"values\">", &values, "</ul>\n");
        if let Some(note) = &details.note {
            tree.html("<p class=\"note\">{}</p>\n", &[note]);
        }
        match &entry.fold {
            Some(fold) => tree
                .raw("<details")
                .raw(if entry.open { " open" } else { "" })
                .html("><summary>{}</summary><ul>\n", &[fold]),
            None => tree.raw("</li>\n"),
        };
        for _ in 0..entry.ends {
            tree.raw("</ul></details></li>\n");
        }
    }

    /// Adds an item of a list in Markdown.
    fn add_item(&self, list: &mut Markup, entry: &TreeEntry<'_>, details: RowDetails<'_>) {
        let word = |key| self.strings.get(key);
        let name = shorten(&entry.name, 200);
        list.item(entry.depth);
        if entry.label {
            list.text(&name);
        } else {
            list.code(&name);
        }
        let mut said = vec![self.words(&entry.schemas)];
        let mark = |key| Markup::of_text(self.form(), word(key));
        said.extend(entry.required.then(|| mark("required")));
        said.extend(details.deprecated.then(|| mark("deprecated")));
        said.extend(details.facts);
        list.text(": ").markup(&self.markup().joined(", ", said));
        list.text(".");
        if let Some(default) = &details.default {
            list.text(" ").text(word("default")).text(" ");
            list.code(default).text(".");
        }
        list.apart(&details.text);
        if let Some(note) = &details.note {
            list.text(" ").text(note);
        }
        for (value, text) in &details.values {
            list.item(entry.depth + 1).code(value);
            if !text.is_empty() {
                list.text(": ").markup(text);
            }
        }
    }

    /// Returns all texts by authors about a value: its titles and descriptions, and those of null.
    fn text(&self, entry: &TreeEntry<'_>, layers: &Layers<'_>) -> Markup {
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
        text
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

    fn values(&self, values: &[AllowedValue<'_>]) -> Vec<(String, Markup)> {
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
            (json_text::brief(value.value, 200), text)
        };
        values.iter().take(MOST_VALUES).map(row).collect()
    }
}

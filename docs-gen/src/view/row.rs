//! Writes rows: values, with all that is said of them.

use docent_describe::ParamAlias;
use docent_describe::json::shorten;
use docent_describe::schema::{Difference, ListedValue, UnionRule};

use super::scope::PageScope;
use crate::json_text;
use crate::markdown;
use crate::markup::{Markup, PageForm};
use crate::schema::{Cut, Row, Text, TextRole, UnionNote};

/// The maximum number of listed values that are shown. The others are counted.
const MAX_VALUES: usize = 200;

impl PageScope<'_> {
    /// Writes rows, if there are any.
    ///
    /// Rows are most of a site, and a template would take longer for them than for everything else.
    pub(super) fn rows(&self, rows: &[Row<'_>]) -> Option<Markup> {
        let mut tree = self.text.markup();
        tree.raw("<ul class=\"tree\">\n");
        for row in rows {
            match self.text.form() {
                PageForm::Html => self.add_tree_row(&mut tree, row),
                PageForm::Markdown => self.add_item(&mut tree, row),
            }
        }
        tree.raw("</ul>");
        (!rows.is_empty()).then_some(tree)
    }

    /// Adds a row of HTML, with the folds that begin and end with it.
    fn add_tree_row(&self, tree: &mut Markup, row: &Row<'_>) {
        let label = if row.name.is_label() { " label" } else { "" };
        let id = self.text.links.id(&row.id);
        let href = self.text.links.same_page(&row.id);
        let name = row.name.text(self.text.strings);
        tree.html(
            "<li id=\"{}\"><div class=\"row\"><a class=\"name{}\" href=\"{}\">{}</a> <span class=\"kind\">",
            &[&id, label, &href, &shorten(&name, 200)],
        );
        tree.markup(&self.words(&row.words)).raw("</span>");
        if row.is_required {
            tree.raw(" ")
                .span("must", self.text.strings.get("required"));
        }
        if row.is_deprecated {
            tree.raw(" ")
                .span("mark old", self.text.strings.get("deprecated"));
        }
        tree.raw("</div>\n");
        tree.wrapped("<div class=\"prose\">", &self.texts(&row.texts), "</div>\n");
        let default = row.default.map(|default| {
            let default = json_text::brief(default, 120);
            let word = self.text.strings.get("default");
            self.text
                .written(|fact| fact.html("{} <code>{}</code>", &[word, &default]))
        });
        let facts = self
            .text
            .markup()
            .joined(" · ", self.facts(row).into_iter().chain(default));
        tree.wrapped("<p class=\"fact\">", &facts, "</p>\n");
        let mut values = self.text.markup();
        for listed in row.values.iter().take(MAX_VALUES) {
            values.html(
                "<li><code>{}</code>",
                &[&json_text::brief(listed.value, 200)],
            );
            values
                .wrapped(" <div>", &self.about_value(listed), "</div>")
                .raw("</li>");
        }
        tree.wrapped("<ul class=\"values\">", &values, "</ul>\n");
        if let Some(note) = self.note(row) {
            tree.html("<p class=\"note\">{}</p>\n", &[&note]);
        }
        match &row.fold {
            Some(fold) => tree
                .raw("<details")
                .raw(if fold.is_open { " open" } else { "" })
                .html(
                    "><summary>{}</summary><ul>\n",
                    &[&fold.text(self.text.strings)],
                ),
            None => tree.raw("</li>\n"),
        };
        for _ in 0..row.ends {
            tree.raw("</ul></details></li>\n");
        }
    }

    /// Adds an item of a list in Markdown.
    fn add_item(&self, list: &mut Markup, row: &Row<'_>) {
        let name = row.name.text(self.text.strings);
        let name = shorten(&name, 200);
        list.item(row.depth);
        if row.name.is_label() {
            list.text(&name);
        } else {
            list.code(&name);
        }
        let mark = |key| Markup::of_text(self.text.form(), self.text.strings.get(key));
        let mut said = vec![self.words(&row.words)];
        said.extend(row.is_required.then(|| mark("required")));
        said.extend(row.is_deprecated.then(|| mark("deprecated")));
        said.extend(self.facts(row));
        list.text(": ")
            .markup(&self.text.markup().joined(", ", said));
        list.text(".");
        if let Some(default) = row.default {
            list.text(" ")
                .text(self.text.strings.get("default"))
                .text(" ");
            list.code(&json_text::brief(default, 120)).text(".");
        }
        let texts = self.texts(&row.texts);
        list.apart(&texts);
        if let Some(note) = self.note(row) {
            let is_open = !texts.is_empty() && !texts.as_str().ends_with(['.', '!', '?', ':']);
            list.text(if is_open { ". " } else { " " }).text(&note);
        }
        for listed in row.values.iter().take(MAX_VALUES) {
            list.item(row.depth + 1)
                .code(&json_text::brief(listed.value, 200));
            let text = self.about_value(listed);
            if !text.is_empty() {
                list.text(": ").markup(&text);
            }
        }
    }

    fn facts(&self, row: &Row<'_>) -> Vec<Markup> {
        let facts = row.facts.iter().map(|fact| self.fact(fact));
        let aliases = row.aliases.iter().map(|alias| self.alias(alias));
        facts.chain(aliases).collect()
    }

    /// Returns the sentences about a row's alternatives, and about what is left out.
    pub(super) fn note(&self, row: &Row<'_>) -> Option<String> {
        let is_only = row.unions.len() == 1;
        let unions = row
            .unions
            .iter()
            .map(|union| self.about_union(union, is_only));
        let more = self
            .text
            .strings
            .rest("tree.values", row.values.len(), MAX_VALUES);
        let cut = row.cut.map(|cut| {
            let key = match cut {
                Cut::TooMany => "tree.more",
                Cut::TooDeep => "tree.deeper",
                Cut::Above => "tree.above",
            };
            self.text.strings.get(key).to_owned()
        });
        let sentences: Vec<String> = unions.chain(more).chain(cut).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    fn about_union(&self, note: &UnionNote<'_>, is_only: bool) -> String {
        let UnionNote { union, labels } = note;
        let key = match union.rule {
            UnionRule::ExactlyOne => "tree.told.unsaid",
            UnionRule::OneOrMore => "tree.told.any",
        };
        let count = if is_only {
            self.text.strings.get(key).to_owned()
        } else {
            let labels: Vec<String> = labels
                .iter()
                .map(|label| label.text(self.text.strings))
                .collect();
            self.text
                .strings
                .with(&format!("{key}.of"), &shorten(&labels.join(", "), 200))
        };
        let key = match &union.difference {
            Difference::Kind => "tree.told.kind",
            Difference::Tag { .. } => "tree.told.by",
            Difference::Presence(_) => "tree.told.member",
            Difference::Required(_) => "tree.told.members",
            Difference::Name | Difference::Nothing => return count,
        };
        let path = match &union.difference {
            Difference::Tag { path, .. } => path.join("."),
            _ => String::new(),
        };
        let likely = if union.is_certain { "" } else { ".likely" };
        let told = self
            .text
            .strings
            .with(&format!("{key}{likely}"), &shorten(&path, 80));
        format!("{count} {told}")
    }

    /// Writes the texts by authors about a value.
    fn texts(&self, texts: &[Text<'_>]) -> Markup {
        let mut out = self.text.markup();
        for text in texts {
            let written = match text.role {
                TextRole::Title => {
                    let title = Markup::of_text(self.text.form(), &shorten(text.text, 300));
                    self.line(None, &title, text.text)
                }
                TextRole::Description => {
                    let named = |name: &str| self.text.links.named_elsewhere(name);
                    markdown::in_row(self.text.form(), text.text, 4, &named)
                }
                TextRole::Null => self.line(Some("null"), &self.text.inline(text.text), text.text),
            };
            out.apart(&written);
        }
        out
    }

    /// Returns a line of text, perhaps about one value, which ends a sentence if others follow it on
    /// the same line.
    fn line(&self, value: Option<&str>, words: &Markup, source: &str) -> Markup {
        let mut line = self.text.markup();
        line.raw("<p>");
        if let Some(value) = value {
            line.code(value).text(": ");
        }
        line.markup(words).raw("</p>");
        if self.text.form() == PageForm::Markdown && !source.ends_with(['.', '!', '?']) {
            line.text(".");
        }
        line
    }

    fn alias(&self, alias: &ParamAlias) -> Markup {
        let mut line = Markup::of_text(self.text.form(), self.text.strings.get("alias"));
        line.text(" ").code(&shorten(&alias.name, 200));
        if alias.deprecated {
            line.text(&format!(" ({})", self.text.strings.get("deprecated")));
        }
        line
    }

    /// Writes what is said of a listed value.
    fn about_value(&self, listed: &ListedValue<'_>) -> Markup {
        let mut text = self.text.markup();
        let Some(about) = listed.about.map(|node| &node.annotations) else {
            return text;
        };
        let repeats = |title: &str| {
            about
                .description
                .is_some_and(|text| text.starts_with(title))
        };
        let title = about.title.filter(|title| !repeats(title));
        for words in title.into_iter().chain(about.description) {
            text.apart(&self.text.inline(words));
        }
        text
    }
}

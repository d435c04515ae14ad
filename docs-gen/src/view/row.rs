//! Writes rows: values, with all that is said of them.
//!
//! In HTML, rows are nested lists with folds, and in Markdown they are one indented list. Both are
//! written here and not by templates, because rows are most of a site.

use docent_describe::ParamAlias;
use docent_describe::json::shorten;
use docent_describe::schema::{Difference, ListedValue, UnionRule};

use super::scope::PageText;
use crate::json_text;
use crate::markdown;
use crate::markup::{Markup, PageForm};
use crate::schema::{CutReason, Row, Text, TextRole, UnionNote};
use crate::strings::Strings;

/// The maximum number of alternatives without a list of them above.
const MAX_UNLISTED_ALTERNATIVES: usize = 4;

/// The maximum number of listed values that are shown. The others are counted.
const MAX_VALUES: usize = 200;

impl Row<'_> {
    /// Writes rows, if there are any.
    ///
    /// Rows are most of a site, and a template would take longer for them than for everything else.
    pub(crate) fn tree(page: &PageText<'_>, rows: &[Self]) -> Option<Markup> {
        let mut tree = page.markup();
        tree.raw("<ul class=\"tree\">\n");
        for (at, row) in rows.iter().enumerate() {
            match page.form() {
                PageForm::Html => row.add_to_tree(page, &rows[at + 1..], &mut tree),
                PageForm::Markdown => row.add_to_list(page, &mut tree),
            }
        }
        tree.raw("</ul>");
        (!rows.is_empty()).then_some(tree)
    }

    /// Writes links to the alternatives among the first rows at a depth, if there are too many to be seen at once.
    pub(super) fn alternatives(page: &PageText<'_>, rows: &[Self], depth: usize) -> Markup {
        let mut list = page.markup();
        let own = rows.iter().take_while(|row| row.depth >= depth);
        let own: Vec<&Self> = own
            .filter(|row| row.depth == depth && row.name.is_alternative())
            .collect();
        if page.form() == PageForm::Html && own.len() > MAX_UNLISTED_ALTERNATIVES {
            list.raw("<ul class=\"values\">");
            for row in own {
                let name = row.name.text(page.strings);
                list.raw("<li dir=\"auto\">");
                list.link(&page.links.same_page(&row.id), &shorten(&name, 80));
                list.raw("</li>");
            }
            list.raw("</ul>\n");
        }
        list
    }

    /// Adds a row of HTML, with the folds that begin and end with it. `below` are the rows after it.
    fn add_to_tree(&self, page: &PageText<'_>, below: &[Self], tree: &mut Markup) {
        let label = if self.name.is_label() { " label" } else { "" };
        let id = page.links.id(&self.id);
        let href = page.links.same_page(&self.id);
        let name = self.name.text(page.strings);
        tree.html(
            "<li id=\"{}\"><div class=\"row\"><a class=\"name{}\" dir=\"auto\" href=\"{}\">{}</a> <span class=\"kind\">",
            &[&id, label, &href, &shorten(&name, 200)],
        );
        tree.markup(&self.words.markup(page)).raw("</span>");
        if self.is_required {
            tree.raw(" ").span("must", page.strings.get("required"));
        }
        if self.is_deprecated {
            tree.raw(" ")
                .span("mark old", page.strings.get("deprecated"));
        }
        tree.raw("</div>\n");
        tree.wrapped(
            "<div class=\"prose\" dir=\"auto\">",
            &texts(page, &self.texts),
            "</div>\n",
        );
        let default = self.default.map(|default| {
            let default = json_text::brief(default, 120);
            let word = page.strings.get("default");
            page.written(|fact| fact.html("{} <code>{}</code>", &[word, &default]))
        });
        let facts = page.markup().joined(
            " · ",
            self.facts_and_aliases(page).into_iter().chain(default),
        );
        tree.wrapped("<p class=\"fact\">", &facts, "</p>\n");
        let mut values = page.markup();
        for listed in self.values.iter().take(MAX_VALUES) {
            values.html(
                "<li><code>{}</code>",
                &[&json_text::brief(listed.value, 200)],
            );
            values
                .wrapped(" <div dir=\"auto\">", &about_value(page, listed), "</div>")
                .raw("</li>");
        }
        tree.wrapped("<ul class=\"values\">", &values, "</ul>\n");
        if let Some(note) = self.note(page.strings) {
            tree.html("<p class=\"note\">{}</p>\n", &[&note]);
        }
        if !self.unions.is_empty() {
            tree.markup(&Self::alternatives(page, below, self.depth + 1));
        }
        match &self.fold {
            Some(fold) => tree
                .raw("<details")
                .raw(if fold.is_open { " open" } else { "" })
                .html("><summary>{}</summary><ul>\n", &[&fold.text(page.strings)]),
            None => tree.raw("</li>\n"),
        };
        for _ in 0..self.ends {
            tree.raw("</ul></details></li>\n");
        }
    }

    /// Adds an item of a list in Markdown.
    fn add_to_list(&self, page: &PageText<'_>, list: &mut Markup) {
        let name = self.name.text(page.strings);
        let name = shorten(&name, 200);
        list.item(self.depth);
        if self.name.is_label() {
            list.text(&name);
        } else {
            list.code(&name);
        }
        let mut facts = vec![self.words.markup(page)];
        if self.is_required {
            facts.push(page.escaped(page.strings.get("required")));
        }
        if self.is_deprecated {
            facts.push(page.escaped(page.strings.get("deprecated")));
        }
        facts.extend(self.facts_and_aliases(page));
        list.text(": ").markup(&page.markup().joined(", ", facts));
        list.text(".");
        if let Some(default) = self.default {
            list.text(" ").text(page.strings.get("default")).text(" ");
            list.code(&json_text::brief(default, 120)).text(".");
        }
        let texts = texts(page, &self.texts);
        list.apart(&texts);
        if let Some(note) = self.note(page.strings) {
            let is_open = !texts.is_empty() && !texts.as_str().ends_with(['.', '!', '?', ':']);
            list.text(if is_open { ". " } else { " " }).text(&note);
        }
        for listed in self.values.iter().take(MAX_VALUES) {
            list.item(self.depth + 1)
                .code(&json_text::brief(listed.value, 200));
            let text = about_value(page, listed);
            if !text.is_empty() {
                list.text(": ").markup(&text);
            }
        }
    }

    /// Writes what is asked of a value, and its other names.
    fn facts_and_aliases(&self, page: &PageText<'_>) -> Vec<Markup> {
        let facts = self.facts.iter().map(|fact| fact.markup(page));
        let aliases = self.aliases.iter().map(|alias| about_alias(page, alias));
        facts.chain(aliases).collect()
    }

    /// Returns the sentences about a row's alternatives, and about what is left out.
    pub(super) fn note(&self, strings: &Strings) -> Option<String> {
        let is_only = self.unions.len() == 1;
        let unions = self
            .unions
            .iter()
            .map(|union| about_union(strings, union, is_only));
        let more = strings.rest("tree.values", self.values.len(), MAX_VALUES);
        let cut = self.cut.map(|cut| {
            let key = match cut {
                CutReason::TooMany => "tree.more",
                CutReason::TooDeep => "tree.deeper",
                CutReason::Above => "tree.above",
            };
            strings.get(key).to_owned()
        });
        let sentences: Vec<String> = unions.chain(more).chain(cut).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}

/// Returns a sentence about alternatives: how many hold, and what tells them apart.
fn about_union(strings: &Strings, note: &UnionNote<'_>, is_only: bool) -> String {
    let UnionNote { union, labels } = note;
    let key = match union.rule {
        UnionRule::ExactlyOne => "tree.told.unsaid",
        UnionRule::OneOrMore => "tree.told.any",
    };
    let count = if is_only {
        strings.get(key).to_owned()
    } else {
        let labels: Vec<_> = labels.iter().map(|label| label.text(strings)).collect();
        strings.with(&format!("{key}.of"), &shorten(&labels.join(", "), 200))
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
    let told = strings.with(&format!("{key}{likely}"), &shorten(&path, 80));
    format!("{count} {told}")
}

/// Writes the texts by authors about a value.
fn texts(page: &PageText<'_>, texts: &[Text<'_>]) -> Markup {
    let mut out = page.markup();
    for text in texts {
        let written = match text.role {
            TextRole::Title => {
                let title = page.escaped(&shorten(text.text, 300));
                line(page, None, &title, text.text)
            }
            TextRole::Description => markdown::in_row(page.form(), text.text, &|name| {
                page.links.to_name_elsewhere(name)
            }),
            TextRole::Null => line(page, Some("null"), &page.inline(text.text), text.text),
        };
        out.apart(&written);
    }
    out
}

/// Returns a line of text, perhaps about one value, which ends a sentence if others follow it on
/// the same line.
fn line(page: &PageText<'_>, value: Option<&str>, words: &Markup, source: &str) -> Markup {
    let mut line = page.markup();
    line.raw("<p>");
    if let Some(value) = value {
        line.code(value).text(": ");
    }
    line.markup(words).raw("</p>");
    if page.form() == PageForm::Markdown && !source.ends_with(['.', '!', '?']) {
        line.text(".");
    }
    line
}

/// Writes another name of a parameter.
fn about_alias(page: &PageText<'_>, alias: &ParamAlias) -> Markup {
    let mut line = page.escaped(page.strings.get("alias"));
    line.text(" ").code(&shorten(&alias.name, 200));
    if alias.deprecated {
        line.text(&format!(" ({})", page.strings.get("deprecated")));
    }
    line
}

/// Writes what is said of a listed value.
fn about_value(page: &PageText<'_>, listed: &ListedValue<'_>) -> Markup {
    let mut text = page.markup();
    let Some(about) = listed.about.map(|node| &node.annotations) else {
        return text;
    };
    let description = about.description.unwrap_or_default();
    // A title that repeats the description says nothing.
    let title = about.title.filter(|title| !description.starts_with(title));
    for words in title.into_iter().chain(about.description) {
        text.apart(&page.inline(words));
    }
    text
}

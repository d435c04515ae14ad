//! Writes rows: values, with all that is said of them.
//!
//! [`Row`]s come in from `crate::schema`, and [`tree`] returns the markup that a template adds: nested lists with folds
//! in HTML, one indented list in Markdown. Both are written here and not by templates, because rows are most of a site.
//! `phrases` writes the types and the facts in them, `version_marks` the marks of what a version has changed.
//!
//! Rows become lines first (`lines`), so that small things are short. An object with two alternatives that have one
//! member each is, with its rows on the left:
//!
//! ```text
//! author          object               author  object
//!   id            integer                id  integer
//!   with known    object                 And exactly one of 2. The member that is present tells which.
//!     known       AuthorId               { known: AuthorId }  An author of the catalogue.
//!   with new      object                 { new: NewAuthor }  An author who is added.
//!     new         NewAuthor                name  string
//!       name      string
//! ```

mod lines;

use docent_describe::ParamAlias;
use docent_describe::json::shorten;
use docent_describe::schema::{Difference, ListedValue, UnionRule};

use super::scope::PageText;
use crate::json_text;
use crate::markdown;
use crate::markup::{Markup, PageFormat};
use crate::schema::{CutReason, Row, Text, TextRole};
use crate::strings::Strings;
use crate::text::adds_title;
use lines::{Below, JoiningRule, MAX_UNLISTED_ALTERNATIVES, RowLine, lines};

/// The maximum number of listed values of a row. The others are counted.
const MAX_VALUES: usize = 200;

/// Writes rows, if there are any. `head` is the row that they are below, if it is not written itself.
///
/// Rows are most of a site, and a template would take longer for them than for everything else.
pub(crate) fn tree<'t>(
    page: &PageText<'_>,
    head: Option<&Row<'t>>,
    rows: &[Row<'t>],
) -> Option<Markup> {
    if rows.is_empty() {
        return None;
    }
    let lines = lines(head, rows);
    Some(match page.format() {
        PageFormat::Html => nested_lists(page, &lines),
        PageFormat::Markdown => indented_list(page, &lines),
    })
}

/// Writes lines as nested lists of HTML.
fn nested_lists(page: &PageText<'_>, lines: &[RowLine<'_, '_>]) -> Markup {
    let mut tree = page.markup();
    tree.raw("<ul class=\"tree\">\n");
    // The ends of the lists that have begun.
    let mut open = Vec::new();
    for line in lines {
        if let Some(rule) = &line.rule_before {
            tree.raw("<li class=\"rule\">");
            rule.add_to_tree(page, &mut tree);
            tree.raw("</li>\n");
        }
        line.add_to_tree(page, &mut tree);
        match &line.below {
            Below::Nothing => _ = tree.raw("</li>\n"),
            Below::List => {
                tree.raw("<ul>\n");
                open.push("</ul></li>\n");
            }
            Below::Fold(fold) => {
                tree.raw("<details")
                    .raw(if fold.is_open { " open" } else { "" });
                tree.html("><summary>{}</summary><ul>\n", &[&fold.text(page.strings)]);
                open.push("</ul></details></li>\n");
            }
        }
        for _ in 0..line.ends {
            tree.raw(open.pop().unwrap_or_default());
        }
    }
    tree.raw("</ul>");
    tree
}

/// Writes lines as a list of Markdown.
fn indented_list(page: &PageText<'_>, lines: &[RowLine<'_, '_>]) -> Markup {
    let mut list = page.markup();
    for line in lines {
        if let Some(rule) = &line.rule_before {
            list.item(line.depth).text(&rule.text(page.strings));
        }
        line.add_to_list(page, &mut list);
    }
    list
}

impl JoiningRule<'_, '_> {
    /// Writes the rule as HTML, with links to the alternatives if they are too many to be seen at once.
    fn add_to_tree(&self, page: &PageText<'_>, tree: &mut Markup) {
        tree.html("<p class=\"note\">{}</p>\n", &[&self.text(page.strings)]);
        if self.alternatives.len() > MAX_UNLISTED_ALTERNATIVES {
            tree.raw("<ul class=\"values\">");
            for row in &self.alternatives {
                let name = row.name.text(page.strings);
                tree.raw("<li dir=\"auto\">");
                tree.link(&page.links.same_page(&row.id), &shorten(&name, 80));
                tree.raw("</li>");
            }
            tree.raw("</ul>\n");
        }
    }

    /// Returns the sentences about the alternatives: how many hold, and what tells them apart.
    fn text(&self, strings: &Strings) -> String {
        let union = self.union;
        let key = match (union.rule, self.first) {
            (UnionRule::ExactlyOne, 0) => "tree.rule.one",
            (UnionRule::ExactlyOne, _) => "tree.rule.one.further",
            (UnionRule::OneOrMore, 0) => "tree.rule.any",
            (UnionRule::OneOrMore, _) => "tree.rule.any.further",
        };
        let count = strings.with(key, &union.alternatives.len().to_string());
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
        let difference = strings.with(&format!("{key}{likely}"), &shorten(&path, 80));
        format!("{count} {difference}")
    }
}

impl RowLine<'_, '_> {
    /// Adds the line to a list of HTML, up to what is below it.
    fn add_to_tree(&self, page: &PageText<'_>, tree: &mut Markup) {
        let row = self.row;
        let facts = self.facts(page);
        if let Some(alternative) = self.alternative {
            self.add_shape(page, alternative, tree);
            tree.raw("</div>\n");
            self.add_texts(page, tree);
            tree.wrapped("<span class=\"fact\">", &facts, "</span>\n");
        } else {
            self.add_name(page, tree);
            tree.wrapped(" <span class=\"fact\">", &facts, "</span>");
            tree.raw("</div>\n");
            self.add_texts(page, tree);
        }
        let mut values = page.markup();
        for listed in row.values.iter().take(MAX_VALUES) {
            values.html(
                "<li><code>{}</code>",
                &[&json_text::brief(listed.value, 200)],
            );
            values
                .wrapped(" <div dir=\"auto\">", &about_value(page, listed), "</div>")
                .raw("</li>");
        }
        tree.wrapped("<ul class=\"values\">", &values, "</ul>\n");
        if let Some(note) = row.note(page.strings) {
            tree.html("<p class=\"note\">{}</p>\n", &[&note]);
        }
        if let Some(rule) = &self.rule_below {
            rule.add_to_tree(page, tree);
        }
    }

    /// Writes the facts of the row, its other names, and its default.
    fn facts(&self, page: &PageText<'_>) -> Markup {
        let mut facts = self.row.facts_and_aliases(page);
        if let Some(default) = self.row.default {
            let value = json_text::brief(default, 120);
            let label = page.strings.get("default");
            facts.push(page.written(|fact| fact.html("{} <code>{}</code>", &[label, &value])));
        }
        page.markup().joined(" · ", facts)
    }

    /// Adds the texts by authors to a line of HTML.
    fn add_texts(&self, page: &PageText<'_>, tree: &mut Markup) {
        tree.wrapped(
            "<div class=\"prose\" dir=\"auto\">",
            &self.texts(page),
            "</div>\n",
        );
    }

    /// Begins a line of HTML with the name and the type of its row.
    fn add_name(&self, page: &PageText<'_>, tree: &mut Markup) {
        let row = self.row;
        let label = if row.name.is_label() { " label" } else { "" };
        let id = page.links.id(&row.id);
        let href = page.links.same_page(&row.id);
        let name = row.name.text(page.strings);
        tree.html(
            "<li id=\"{}\"><div class=\"row\"><a class=\"name{}\" dir=\"auto\" href=\"{}\">{}</a>",
            &[&id, label, &href, &shorten(&name, 200)],
        );
        // Marks stand at the end of the first line, however long the facts are.
        let change = page.mark_of_row(row);
        let mark_count = usize::from(row.is_required)
            + usize::from(row.is_deprecated)
            + usize::from(change.is_some());
        let are_several = mark_count > 1;
        if are_several {
            tree.raw(" <span class=\"marks\">");
        }
        if row.is_required {
            tree.raw(" ").span("must", page.strings.get("required"));
        }
        if row.is_deprecated {
            tree.raw(" ")
                .span("mark old", page.strings.get("deprecated"));
        }
        if let Some(change) = change {
            change.add_to(tree);
        }
        if are_several {
            tree.raw("</span>");
        }
        tree.raw(" <span class=\"kind\">");
        tree.markup(&row.type_phrase.markup(page)).raw("</span>");
    }

    /// Begins a line of HTML with an alternative that is an object of one member: `{ known: AuthorId }`.
    fn add_shape(&self, page: &PageText<'_>, alternative: &Row<'_>, tree: &mut Markup) {
        let row = self.row;
        let alternative_id = page.links.id(&alternative.id);
        let alternative_href = page.links.same_page(&alternative.id);
        let id = page.links.id(&row.id);
        let name = row.name.text(page.strings);
        tree.html(
            "<li id=\"{}\" class=\"form\"><div class=\"row\"><span class=\"kind\">{ <a id=\"{}\" class=\"name\" dir=\"auto\" href=\"{}\">{}</a>: ",
            &[
                &alternative_id,
                &id,
                &alternative_href,
                &shorten(&name, 200),
            ],
        );
        tree.markup(&row.type_phrase.markup(page));
        tree.raw(self.shape_end()).raw("</span>");
        if let Some(change) = page
            .mark_of_row(row)
            .or_else(|| page.mark_of_row(alternative))
        {
            change.add_to(tree);
        }
    }

    /// Returns the end of an object of one member.
    fn shape_end(&self) -> &'static str {
        match self.alternative {
            // It is not closed, so other members are accepted.
            Some(alternative) if alternative.facts.is_empty() => ", … }",
            _ => " }",
        }
    }

    /// Adds an item of a list in Markdown.
    fn add_to_list(&self, page: &PageText<'_>, list: &mut Markup) {
        let row = self.row;
        let name = row.name.text(page.strings);
        let name = shorten(&name, 200);
        list.item(self.depth);
        let type_phrase = row.type_phrase.markup(page);
        let mut facts = Vec::new();
        if self.alternative.is_some() {
            list.text("{ ").code(&name).text(": ").markup(&type_phrase);
            list.text(self.shape_end());
        } else {
            if row.name.is_label() {
                list.text(&name);
            } else {
                list.code(&name);
            }
            list.text(": ").markup(&type_phrase);
            if row.is_required {
                facts.push(page.escaped(page.strings.get("required")));
            }
        }
        if row.is_deprecated {
            facts.push(page.escaped(page.strings.get("deprecated")));
        }
        let change = page.mark_of_row(row);
        facts.extend(change.map(|change| page.escaped(change.name())));
        facts.extend(row.facts_and_aliases(page));
        for fact in facts {
            list.text(", ").markup(&fact);
        }
        list.text(".");
        if let Some(default) = row.default {
            list.text(" ").text(page.strings.get("default")).text(" ");
            list.code(&json_text::brief(default, 120)).text(".");
        }
        let texts = self.texts(page);
        list.apart(&texts);
        let mut notes = Vec::from_iter(row.note(page.strings));
        if let Some(rule) = &self.rule_below {
            notes.push(rule.text(page.strings));
        }
        if !notes.is_empty() {
            let is_open = !texts.is_empty() && !texts.as_str().ends_with(['.', '!', '?', ':']);
            list.text(if is_open { ". " } else { " " });
            list.text(&notes.join(" "));
        }
        for listed in row.values.iter().take(MAX_VALUES) {
            list.item(self.depth + 1)
                .code(&json_text::brief(listed.value, 200));
            let text = about_value(page, listed);
            if !text.is_empty() {
                list.text(": ").markup(&text);
            }
        }
    }

    /// Writes the texts by authors about the row, after those about the object that it is the only member of.
    fn texts(&self, page: &PageText<'_>) -> Markup {
        let mut all = page.markup();
        if let Some(alternative) = self.alternative {
            all.apart(&texts(page, &alternative.texts));
        }
        all.apart(&texts(page, &self.row.texts));
        all
    }
}

impl Row<'_> {
    /// Writes the facts of a value, and its other names.
    fn facts_and_aliases(&self, page: &PageText<'_>) -> Vec<Markup> {
        let mut facts: Vec<Markup> = self.facts.iter().map(|fact| fact.markup(page)).collect();
        facts.extend(self.aliases.iter().map(|alias| about_alias(page, alias)));
        facts
    }

    /// Returns the sentences about listed values and rows that are left out.
    pub(super) fn note(&self, strings: &Strings) -> Option<String> {
        let mut sentences = Vec::new();
        sentences.extend(strings.rest("tree.values", self.values.len(), MAX_VALUES));
        if let Some(reason) = self.cut {
            let key = match reason {
                CutReason::TooMany => "tree.more",
                CutReason::TooDeep => "tree.deeper",
                CutReason::Above => "tree.above",
            };
            sentences.push(strings.get(key).to_owned());
        }
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}

/// Writes the texts by authors about a value.
fn texts(page: &PageText<'_>, texts: &[Text<'_>]) -> Markup {
    let mut out = page.markup();
    for text in texts {
        let written = match text.role {
            TextRole::Title => {
                let title = page.phrase(Some(text.text)).unwrap_or_default();
                line(page, None, &title, text.text)
            }
            TextRole::Description => markdown::in_row(page.format(), text.text, &|name| {
                page.links.to_name_elsewhere(name)
            }),
            TextRole::Null => line(page, Some("null"), &page.inline(text.text), text.text),
        };
        out.apart(&written);
    }
    out
}

/// Returns a line of `text`, which is written from `source` and may be about one value. It ends a sentence if others
/// follow it on the same line.
fn line(page: &PageText<'_>, value: Option<&str>, text: &Markup, source: &str) -> Markup {
    let mut line = page.markup();
    line.raw("<p>");
    if let Some(value) = value {
        line.code(value).text(": ");
    }
    line.markup(text).raw("</p>");
    if page.format() == PageFormat::Markdown && !source.ends_with(['.', '!', '?']) {
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

/// Writes the title and the description of a listed value.
fn about_value(page: &PageText<'_>, listed: &ListedValue<'_>) -> Markup {
    let mut text = page.markup();
    let Some(node) = listed.about else {
        return text;
    };
    let description = node.annotations.description.unwrap_or_default();
    let value = listed.value.as_str().unwrap_or_default();
    if let Some(title) = node.annotations.title
        && adds_title(title, value, [description])
        && let Some(title) = page.phrase(Some(title))
    {
        text.apart(&title);
    }
    if !description.is_empty() {
        text.apart(&page.inline(description));
    }
    text
}

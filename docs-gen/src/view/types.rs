//! A shared type's page.

use std::borrow::Cow;

use docent_describe::json::Json;
use serde_json::Value;

use super::scope::{Content, PageScope};
use crate::json_text;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::schema::{self, Tree, TreeEntry};
use crate::text::{plain, shown_name};

/// The most users of a type that are listed. The others are counted.
const MOST_USERS: usize = 200;

/// The most bytes of a schema that are shown.
const SHOWN: usize = 24_000;

impl PageScope<'_> {
    pub(super) fn type_page(&self, index: usize) -> Content {
        let shared = self.shared;
        // The plan has the types in the order of the description.
        let (name, schema) = shared
            .by_name
            .get_index(index)
            .map_or(("", &Json::Null), |(name, schema)| (name.as_str(), schema));
        let given = shared.given_example(schema);
        let example = given.cloned().or_else(|| self.shared.example(schema));
        let example = example.map(|example| json_text::pretty(&example, SHOWN));
        let shown = example.as_ref();
        let printed = json_text::pretty(schema, SHOWN);
        let users = &self.service.plan.users[index];
        let shown_users = users.iter().take(MOST_USERS).map(|user| self.user(*user));
        let (rows, note) = self.fields(name, schema);
        let view = view!({
            "types": self.links.to_anchor(PageTarget::Overview, "types"),
            "name": shown_name(name),
            "signature": self.words(&[schema]),
            "description": self.title_and_description(name, schema),
            "fields": rows,
            "note": note,
            "users": shown_users.collect::<Vec<_>>(),
            "users_more": self.strings.rest("users.more", users.len(), MOST_USERS),
            "example_cut": shown.is_some_and(|example| !example.whole),
            "example": shown.map(|example| json_text::block(self.form(), &example.text)),
            "example_made": given.is_none(),
            "schema": json_text::block(self.form(), &printed.text),
            "schema_cut": !printed.whole,
        });
        let summary = schema.get("description").and_then(Json::as_str).map(plain);
        self.page("type", &shown_name(name), summary, view)
    }

    /// Returns the title of a type, unless it repeats the name or the description, and its
    /// description.
    fn title_and_description(&self, name: &str, schema: &Json) -> Option<Markup> {
        let description = schema::text_of(schema, "description");
        let title = schema::text_of(schema, "title").filter(|title| {
            *title != name && !description.is_some_and(|text| text.starts_with(title))
        });
        let mut text = self.markup();
        if let Some(title) = title {
            text.raw("<p>").text(&plain(title)).raw("</p>");
        }
        if let Some(description) = description {
            text.paragraph(&self.prose(description, 2));
        }
        (!text.is_empty()).then_some(text)
    }

    /// Returns the rows of the type, and a note about them. The page's head is the type itself, so the
    /// tree begins one level below, unless the type itself has details to show.
    fn fields(&self, name: &str, schema: &Json) -> (Option<Markup>, Option<String>) {
        let shared = self.shared;
        let mut tree = Tree::new(shared, self.strings);
        tree.for_type(name);
        tree.value("field", TreeEntry::of_type(name, schema));
        let mut entries = tree.take();
        let details = self.details(&entries[0]);
        if !details.is_empty() {
            return (self.tree(&entries), None);
        }
        let note = details.note.map(Cow::into_owned);
        entries.remove(0);
        for entry in &mut entries {
            entry.depth -= 1;
        }
        // The fold of the removed row ended with the last row.
        if let Some(last) = entries.last_mut() {
            last.ends -= 1;
        }
        (self.tree(&entries), note)
    }

    /// Returns the link to a procedure or type that refers to a type.
    fn user(&self, target: PageTarget) -> Value {
        let word = self.strings.get("type.word");
        let types = &self.service.plan.types;
        let (name, text) = match target {
            PageTarget::Procedure(at) => (Some(&self.procedure(at).name), None),
            PageTarget::Type(at) => (types.get_index(at).map(|(name, _)| name), Some(word)),
            _ => (None, None),
        };
        let mut link = self.link(name.map_or("", String::as_str), target);
        link["text"] = Value::from(text);
        link
    }
}

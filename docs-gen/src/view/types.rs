//! A shared type's page.

use docent_describe::json::Json;
use serde::Serialize;

use super::row::{Row, Slot};
use super::scope::{Content, Rows, Scope};
use super::tree::Tree;
use super::words::words;
use crate::json_text;
use crate::links::Ids;
use crate::markdown;
use crate::markup::Markup;
use crate::plan::Target;
use crate::schema;
use crate::text::{plain, shown_name};

/// The most users of a type that are listed. The others are counted.
const MOST_USERS: usize = 200;

/// The most bytes of a schema that are shown.
const SHOWN: usize = 24_000;

#[derive(Debug, Serialize)]
struct View {
    section: Option<String>,
    prefix: String,
    types: String,
    name: String,
    signature: Markup,
    description: Option<Markup>,
    fields: Rows,
    note: Option<String>,
    users: Vec<User>,
    users_more: Option<String>,
    example: Option<Markup>,
    /// True if the example was made to fit the schema, and not given by its author.
    example_made: bool,
    example_cut: bool,
    schema: Markup,
    schema_cut: bool,
}

/// Returns the example by the author of a schema.
fn given(schema: &Json) -> Option<&Json> {
    schema.get("examples").and_then(Json::as_array)?.first()
}

#[derive(Debug, Serialize)]
struct User {
    name: String,
    href: String,
    text: Option<String>,
}

impl Scope<'_> {
    pub(super) fn type_page(&self, index: usize) -> Content {
        let shared = &self.description().components.schemas;
        // The plan has the types in the order of the description.
        let (name, schema) = shared
            .get_index(index)
            .map_or(("", &Json::Null), |(name, schema)| (name.as_str(), schema));
        let description = schema.get("description").and_then(Json::as_str);
        let printed = json_text::pretty(schema, SHOWN);
        let (example, example_made) = match given(schema) {
            Some(given) => (Some(given.clone()), false),
            None => (schema::example(shared, schema), true),
        };
        let example = example.map(|example| json_text::pretty(&example, SHOWN));
        let (users, users_more) = self.users(index);
        let (rows, note) = self.fields(name, schema);
        let view = View {
            section: self.section(),
            prefix: self.prefix(),
            types: self.links.to_anchor(Target::Overview, "types"),
            name: shown_name(name),
            signature: words(&self.links, self.strings, schema),
            description: self.said(name, schema),
            fields: Rows { rows },
            note,
            users,
            users_more,
            example_cut: example.as_ref().is_some_and(|example| !example.whole),
            example: example.map(|example| json_text::block(self.form(), &example.text)),
            example_made,
            schema: json_text::block(self.form(), &printed.text),
            schema_cut: !printed.whole,
        };
        self.page("type", &view.name, description.map(plain), &view)
    }

    /// Returns the title of a type, unless it repeats the name or the description, and its
    /// description.
    fn said(&self, name: &str, schema: &Json) -> Option<Markup> {
        let description = schema::text_of(schema, "description");
        let title = schema::text_of(schema, "title").filter(|title| {
            *title != name && !description.is_some_and(|text| text.starts_with(title))
        });
        let mut said = Markup::new(self.form());
        if let Some(title) = title {
            said.raw("<p>").text(&plain(title)).raw("</p>");
        }
        if let Some(description) = description {
            said.paragraph(
                &self
                    .links
                    .prose(markdown::render(self.form(), description, 2)),
            );
        }
        (!said.as_str().is_empty()).then_some(said)
    }

    /// Returns the rows of the type, and a note about them. The page's head is the type itself, so the
    /// tree begins one level below, unless the type itself has details to show.
    fn fields(&self, name: &str, schema: &Json) -> (Vec<Row>, Option<String>) {
        let shared = &self.description().components.schemas;
        let mut tree = Tree::new(&self.links, shared, self.strings);
        tree.for_type(name);
        let slot = Slot {
            name,
            label: true,
            headed: true,
            ..Slot::default()
        };
        tree.value(&mut Ids::new(), "field", slot, schema, 0);
        let mut rows = tree.take();
        let Some(first) = (!rows.is_empty()).then(|| rows.remove(0)) else {
            return (rows, None);
        };
        let says_more = first.text.is_some()
            || !first.facts.is_empty()
            || !first.values.is_empty()
            || first.default.is_some();
        if says_more {
            rows.insert(0, first);
            return (rows, None);
        }
        for row in &mut rows {
            row.depth = row.depth.saturating_sub(1);
        }
        // The fold of the removed row ended with the last row.
        if let Some(last) = rows.last_mut() {
            last.ends.pop();
        }
        (rows, first.note)
    }

    fn users(&self, index: usize) -> (Vec<User>, Option<String>) {
        let users = &self.service.plan.users[index];
        let procedures = users.procedures.iter().map(|&at| User {
            name: shown_name(&self.procedure(at).name),
            href: self.links.to(Target::Procedure(at)),
            text: None,
        });
        let types = users.types.iter().map(|&at| User {
            name: self
                .service
                .plan
                .types
                .get_index(at)
                .map(|(name, _)| shown_name(name))
                .unwrap_or_default(),
            href: self.links.to(Target::Type(at)),
            text: Some(self.strings.get("type.word").to_owned()),
        });
        let total = users.procedures.len() + users.types.len();
        let more = total.saturating_sub(MOST_USERS);
        let more = (more > 0).then(|| self.strings.count("users.more", more));
        (procedures.chain(types).take(MOST_USERS).collect(), more)
    }
}

//! A shared type's page.

use docent_describe::json::Json;
use docent_describe::schema::Node;
use serde_json::Value;

use super::scope::{Content, PageScope};
use crate::json_text::{self, Printed};
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::schema::{Row, RowTree, ServiceSchemas, TypeWords};
use crate::service::SiteService;
use crate::text::{plain, shown_name};

/// The maximum number of users of a type that are listed. The others are counted.
const MAX_USERS: usize = 200;

/// The maximum number of bytes of a schema that are shown.
const MAX_SHOWN: usize = 24_000;

/// The content of a shared type's page.
pub(crate) struct TypeView<'a> {
    name: &'a str,
    users: &'a [PageTarget],
    title: Option<&'a str>,
    description: Option<&'a str>,
    words: TypeWords<'a>,
    /// The row of the type itself, if the page's head says as much.
    head: Option<Row<'a>>,
    rows: Vec<Row<'a>>,
    example: Option<Printed>,
    /// True if the example was made from the schema.
    is_made: bool,
    schema: Printed,
}

impl<'a> TypeView<'a> {
    /// Finds what is said of the type at a place in the description.
    pub(super) fn new(
        service: &'a SiteService,
        schemas: &'a ServiceSchemas<'a>,
        index: usize,
    ) -> Option<Self> {
        // The plan has the types in the order of the description.
        let (name, _) = service.plan.types.get_index(index)?;
        let (name, node) = schemas.views.tree.shared(name)?;
        let view = schemas.views.view(&[node]);
        let annotations = &node.annotations;
        let (head, rows) = rows(schemas, name, node);
        let given = annotations
            .examples
            .iter()
            .find(|example| !view.refuses(example));
        let example = given.cloned().or_else(|| schemas.examples.of(view));
        Some(Self {
            name,
            users: &service.plan.users[index],
            // A title that repeats the name or the description says nothing.
            title: annotations.title.filter(|title| {
                *title != name
                    && !annotations
                        .description
                        .is_some_and(|text| text.starts_with(title))
            }),
            description: annotations.description,
            words: TypeWords::of(view),
            head,
            rows,
            example: example.map(|example: Json| json_text::pretty(&example, MAX_SHOWN)),
            is_made: given.is_none(),
            schema: json_text::pretty(node.source, MAX_SHOWN),
        })
    }
}

/// Returns the rows of a type. The page's head is the type itself, so they begin one level below and the row of the type
/// stands apart, unless it has details to show.
fn rows<'a>(
    schemas: &'a ServiceSchemas<'a>,
    name: &'a str,
    node: &'a Node<'a>,
) -> (Option<Row<'a>>, Vec<Row<'a>>) {
    let mut tree = RowTree::new(&schemas.views);
    tree.shared_type(name, node);
    let mut rows = tree.take();
    if !rows[0].is_plain() {
        return (None, rows);
    }
    let head = rows.remove(0);
    for row in &mut rows {
        row.depth -= 1;
    }
    // The fold of the removed row ended with the last row.
    if let Some(last) = rows.last_mut() {
        last.ends -= 1;
    }
    (Some(head), rows)
}

impl PageScope<'_> {
    pub(super) fn type_page(&self, view: &TypeView<'_>) -> Content {
        let users = view.users;
        let shown_users = users.iter().take(MAX_USERS).map(|user| self.user(*user));
        let example = view.example.as_ref();
        let template = view!({
            "types": self.text.links.to_anchor(PageTarget::Overview, "types"),
            "name": shown_name(view.name),
            "signature": view.words.markup(&self.text),
            "description": self.title_and_description(view),
            "fields": Row::tree(&self.text, &view.rows),
            "note": view.head.as_ref().and_then(|head| head.note(self.text.strings)),
            "users": shown_users.collect::<Value>(),
            "users_more": self.text.strings.rest("users.more", users.len(), MAX_USERS),
            "example_cut": example.is_some_and(|example| !example.whole),
            "example": example.map(|example| json_text::block(self.text.form(), &example.text)),
            "example_made": view.is_made,
            "schema": json_text::block(self.text.form(), &view.schema.text),
            "schema_cut": !view.schema.whole,
        });
        self.page("type", view.description.map(plain), template)
    }

    /// Writes the title of a type and its description.
    fn title_and_description(&self, view: &TypeView<'_>) -> Option<Markup> {
        let mut text = self.text.markup();
        if let Some(title) = view.title {
            text.raw("<p>").text(&plain(title)).raw("</p>");
        }
        if let Some(description) = view.description {
            text.paragraph(&self.text.prose(description, 2));
        }
        (!text.is_empty()).then_some(text)
    }

    /// Returns the link to a procedure or type that refers to a type.
    fn user(&self, target: PageTarget) -> Value {
        let word = self.text.strings.get("type.word");
        let types = &self.service.plan.types;
        let (name, text) = match target {
            PageTarget::Procedure(at) => (Some(&self.procedure(at).name), None),
            PageTarget::Type(at) => (types.get_index(at).map(|(name, _)| name), Some(word)),
            _ => (None, None),
        };
        let mut link = self.text.link(name.map_or("", String::as_str), target);
        link["text"] = Value::from(text);
        link
    }
}

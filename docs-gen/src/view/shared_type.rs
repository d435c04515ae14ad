//! A shared type's page.
//!
//! As for a procedure (`procedure`), `TypeView::new` finds the content once, and `TypeView::content` writes it as HTML
//! and as Markdown for the template `type`. The page itself is about the type, so its rows begin one level below it.
//! The plan knows the procedures and types that refer to the type.

use docent_describe::json::Json;
use docent_describe::schema::{Node, value_of_type};
use docent_describe::{Example, ProcedureDescription};
use serde::Serialize;

use super::items::Mark;
use super::row;
use super::scope::{Link, PageContent, PageScope, PageText};
use crate::json_text::{self, Printed};
use crate::markdown::phrase;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::schema::{Row, RowTree, ServiceSchemas, TypePhrase, without_head};
use crate::service::SiteService;
use crate::templates::TemplateData;
use crate::text::{adds_title, display_name};

/// The maximum number of users of a type that are listed. The others are counted.
const MAX_USERS: usize = 200;

/// The maximum number of examples in which a value of a type is looked for.
const MAX_TRIED_EXAMPLES: usize = 20;

/// The maximum number of bytes of the schema and of the example on the page.
const MAX_JSON_BYTES: usize = 24_000;

/// The data of a shared type's page.
#[derive(Serialize)]
struct TypePage<'a> {
    /// The address of the list of all types.
    types: String,
    name: String,
    /// The phrase of the type.
    signature: Markup,
    /// The mark that a version has added or changed it.
    mark: Option<Mark>,
    description: Option<Markup>,
    /// The rows of the values in it.
    fields: Option<Markup>,
    /// The sentence about what is left out.
    note: Option<String>,
    users: Vec<TypeUser<'a>>,
    /// The number of users that are not listed.
    users_more: Option<String>,
    example: Option<Markup>,
    /// True if the example is not all there.
    example_cut: bool,
    /// True if the example was made from the schema.
    example_made: bool,
    /// The sentence on whose example it is.
    example_of: Option<Markup>,
    schema: Markup,
    /// True if the schema is not all there.
    schema_cut: bool,
}

/// A procedure or type that refers to a type.
#[derive(Serialize)]
struct TypeUser<'a> {
    #[serde(flatten)]
    link: Link,
    /// The word for what it is, unless it is a procedure.
    text: Option<&'a str>,
}

impl TemplateData for TypePage<'_> {
    const TEMPLATE: &'static str = "type";
}

/// The content of a shared type's page.
pub(crate) struct TypeView<'a> {
    name: &'a str,
    /// The procedures and types that refer to the type.
    users: &'a [PageTarget],
    /// The title, unless it says nothing new.
    title: Option<&'a str>,
    description: Option<&'a str>,
    type_phrase: TypePhrase<'a>,
    /// The row of the type itself, if the page's head says as much.
    head: Option<Row<'a>>,
    /// The values in it.
    rows: Vec<Row<'a>>,
    /// An example of its author, or one that was made.
    example: Option<Printed>,
    /// True if the example was made from the schema.
    is_made: bool,
    /// The procedure whose example contains the example.
    example_of: Option<usize>,
    /// The schema.
    source: &'a Json,
    /// The schema as its author wrote it.
    schema: Printed,
}

impl<'a> TypeView<'a> {
    /// Finds the content of the page of a type, by its index in the description.
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
        let (head, rows) = type_rows(schemas, name, node);
        let own_example = annotations
            .examples
            .iter()
            .find(|example| !view.refuses(example));
        let used_example = match own_example {
            Some(_) => None,
            None => example_in_use(service, schemas, index, name),
        };
        let authors_example = own_example.or(used_example.as_ref().map(|used| &used.value));
        let example = authors_example
            .cloned()
            .or_else(|| schemas.examples.value_for(view, None));
        Some(Self {
            name,
            users: &service.plan.users[index],
            title: annotations
                .title
                .filter(|title| adds_title(title, name, annotations.description)),
            description: annotations.description,
            type_phrase: TypePhrase::new(view),
            head,
            rows,
            example: example.map(|example| json_text::pretty(&example, MAX_JSON_BYTES)),
            is_made: authors_example.is_none(),
            example_of: used_example.map(|used| used.procedure),
            source: node.source,
            schema: json_text::pretty(node.source, MAX_JSON_BYTES),
        })
    }

    /// Writes the page.
    pub(super) fn content(&self, scope: &PageScope<'_>) -> PageContent {
        let page = &scope.text;
        let users = self.users;
        let example = self.example.as_ref();
        let head = self.head.as_ref();
        let data = TypePage {
            types: page.links.to(PageTarget::Types),
            name: display_name(self.name),
            signature: self.type_phrase.markup(page),
            mark: page.mark_of_type(self.source),
            description: self.title_and_description(page),
            fields: row::tree(page, head, &self.rows),
            note: head.and_then(|head| head.note(page.strings)),
            users: users
                .iter()
                .take(MAX_USERS)
                .map(|target| user(scope, *target))
                .collect(),
            users_more: page.strings.rest("users.more", users.len(), MAX_USERS),
            example_cut: example.is_some_and(|example| !example.is_complete),
            example: example.map(|example| page.json(example)),
            example_made: self.is_made,
            example_of: self.example_of.map(|index| {
                let href = page.links.to(PageTarget::Procedure(index));
                let name = display_name(&scope.procedure(index).name);
                page.with_markup("type.example.of", &page.linked(&href, &name))
            }),
            schema: page.json(&self.schema),
            schema_cut: !self.schema.is_complete,
        };
        let summary = self.description.map(phrase::plain);
        scope.page(data.name.clone(), summary, &data)
    }

    /// Writes the title of a type and its description.
    fn title_and_description(&self, page: &PageText<'_>) -> Option<Markup> {
        let mut text = page.markup();
        if let Some(title) = page.phrase(self.title) {
            text.raw("<p>").markup(&title).raw("</p>");
        }
        if let Some(description) = page.prose(self.description, 2) {
            text.paragraph(&description);
        }
        (!text.is_empty()).then_some(text)
    }
}

/// Returns the rows of a type. The page's head is the type itself, so the row of the type stands apart, unless it has
/// details to show.
fn type_rows<'a>(
    schemas: &'a ServiceSchemas<'a>,
    name: &'a str,
    node: &'a Node<'a>,
) -> (Option<Row<'a>>, Vec<Row<'a>>) {
    let mut tree = RowTree::new(&schemas.views);
    tree.add_shared_type(name, node);
    without_head(tree.take_rows())
}

/// A value of a type in an example of a procedure.
struct UsedExample {
    procedure: usize,
    value: Json,
}

/// Finds a value of a type in the examples of the procedures that use it.
fn example_in_use<'a>(
    service: &'a SiteService,
    schemas: &'a ServiceSchemas<'a>,
    index: usize,
    name: &str,
) -> Option<UsedExample> {
    let mut tried = 0;
    for user in service.plan.all_users(index) {
        let PageTarget::Procedure(at) = user else {
            continue;
        };
        let procedure = &service.options.description.procs[at];
        for example in &procedure.examples {
            tried += 1;
            if tried > MAX_TRIED_EXAMPLES {
                return None;
            }
            if let Some(value) = value_in_example(schemas, procedure, example, name)
                && !schemas.is_broken(procedure, example)
            {
                return Some(UsedExample {
                    procedure: at,
                    value,
                });
            }
        }
    }
    None
}

/// Finds a value of a type in an example: in the result, the items or the parameters.
fn value_in_example<'a>(
    schemas: &'a ServiceSchemas<'a>,
    procedure: &'a ProcedureDescription,
    example: &Example,
    name: &str,
) -> Option<Json> {
    if let Some(output) = procedure.output() {
        let view = schemas.views.view_of_schema(&output.schema);
        for value in example.result.iter().chain(example.items.iter().flatten()) {
            if let Some(found) = value_of_type(view, value, name) {
                return Some(found);
            }
        }
    }
    for (position, param) in procedure.params.iter().enumerate() {
        if let Some(value) = param.value_in(position, example.params.as_ref()) {
            let view = schemas.views.view_of_schema(&param.schema);
            if let Some(found) = value_of_type(view, value, name) {
                return Some(found);
            }
        }
    }
    None
}

/// Returns the link to a procedure or type that refers to a type.
fn user<'a>(scope: &PageScope<'a>, target: PageTarget) -> TypeUser<'a> {
    let name = match target {
        PageTarget::Procedure(at) => Some(&scope.procedure(at).name),
        PageTarget::Type(at) => {
            let types = &scope.service.plan.types;
            types.get_index(at).map(|(name, _)| name)
        }
        _ => None,
    };
    let is_type = matches!(target, PageTarget::Type(_));
    TypeUser {
        link: scope.text.link(name.map_or("", String::as_str), target),
        text: is_type.then(|| scope.text.strings.get("type.word")),
    }
}

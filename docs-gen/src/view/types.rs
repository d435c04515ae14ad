//! The page of all shared types, in alphabetical order. `llms` has the same list as plain text ([`type_rows`]), and
//! `shared_type` is the page of each type.

use serde::Serialize;

use super::scope::{Link, PageContent, PageScope};
use crate::json_text::text_member;
use crate::markdown::phrase;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::schema::TypePhrase;
use crate::templates::TemplateData;
use crate::text::display_name;

/// The data of the page.
#[derive(Serialize)]
struct TypesPage {
    /// The number of types.
    lead: String,
    types: Vec<ListedType>,
}

/// A type in the list.
#[derive(Serialize)]
struct ListedType {
    #[serde(flatten)]
    row: TypeRow,
    /// The phrase of the type.
    kind: Option<Markup>,
}

/// The link to a shared type, with what its author says of it.
#[derive(Serialize)]
pub(crate) struct TypeRow {
    #[serde(flatten)]
    link: Link,
    /// The first sentence of its description.
    text: Option<Markup>,
}

impl TemplateData for TypesPage {
    const TEMPLATE: &'static str = "types";
}

/// Returns the page of all shared types.
pub(super) fn types_page(scope: &PageScope<'_>) -> PageContent {
    let mut types = Vec::new();
    for at in sorted(scope) {
        types.push(ListedType {
            row: row(scope, at),
            kind: kind(scope, at),
        });
    }
    let data = TypesPage {
        lead: count(scope),
        types,
    };
    let name = scope.text.strings.get("types").to_owned();
    scope.page(name, None, &data)
}

/// Returns links to all shared types, each with what its author says of it as plain text.
pub(super) fn type_rows(scope: &PageScope<'_>) -> Vec<TypeRow> {
    let mut rows = Vec::new();
    for at in sorted(scope) {
        let description = description(scope, at);
        rows.push(TypeRow {
            text: description.map(|text| scope.text.escaped(&phrase::plain_sentence(text))),
            ..row(scope, at)
        });
    }
    rows
}

/// Returns the number of types as a text.
pub(super) fn count(scope: &PageScope<'_>) -> String {
    let types = scope.service.plan.types.len();
    scope.text.strings.count("count.types", types)
}

/// Returns the indexes of the shared types in the alphabetical order of their names.
fn sorted(scope: &PageScope<'_>) -> Vec<usize> {
    let names = &scope.service.plan.types;
    let mut types: Vec<usize> = (0..names.len()).collect();
    types.sort_by_cached_key(|&at| {
        let name = names.get_index(at).map(|(name, _)| display_name(name));
        name.map(|name| (name.to_lowercase(), name))
    });
    types
}

/// Returns the link to a type, with what its author says of it.
fn row(scope: &PageScope<'_>, at: usize) -> TypeRow {
    let named = scope.description.components.schemas.get_index(at);
    TypeRow {
        link: scope
            .text
            .link(named.map_or("", |(name, _)| name), PageTarget::Type(at)),
        text: scope.text.first_sentence(description(scope, at)),
    }
}

/// Returns the description of a type.
fn description<'d>(scope: &PageScope<'d>, at: usize) -> Option<&'d str> {
    let (_, schema) = scope.description.components.schemas.get_index(at)?;
    text_member(schema, "description")
}

/// Returns the phrase of a type.
fn kind(scope: &PageScope<'_>, at: usize) -> Option<Markup> {
    let (name, _) = scope.service.plan.types.get_index(at)?;
    let views = &scope.schemas.views;
    let (_, node) = views.tree.shared(name)?;
    Some(TypePhrase::new(views.view(&[node])).markup(&scope.text))
}

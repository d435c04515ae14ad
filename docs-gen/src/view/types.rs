//! The page of all shared types.

use serde::Serialize;

use super::scope::{Content, Link, PageScope};
use crate::json_text::text_member;
use crate::markdown::phrase;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::schema::TypeWords;
use crate::templates::TemplateData;
use crate::text::shown_name;

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
    /// The type in words.
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
pub(super) fn types_page(scope: &PageScope<'_>) -> Content {
    let rows = sorted(scope).into_iter().map(|at| ListedType {
        row: row(scope, at),
        kind: kind(scope, at),
    });
    let data = TypesPage {
        lead: count(scope),
        types: rows.collect(),
    };
    let name = scope.text.strings.get("types").to_owned();
    scope.page(name, None, &data)
}

/// Returns links to all shared types, each with what its author says of it as plain text.
pub(super) fn type_rows(scope: &PageScope<'_>) -> Vec<TypeRow> {
    let types = sorted(scope).into_iter();
    types
        .map(|at| TypeRow {
            text: description(scope, at)
                .map(|text| scope.text.escaped(&phrase::plain_sentence(text))),
            ..row(scope, at)
        })
        .collect()
}

/// Returns the number of types as a text.
pub(super) fn count(scope: &PageScope<'_>) -> String {
    let types = scope.service.plan.types.len();
    scope.text.strings.count("count.types", types)
}

/// Returns the positions of the shared types in the alphabetical order of their names.
fn sorted(scope: &PageScope<'_>) -> Vec<usize> {
    let names = &scope.service.plan.types;
    let mut types: Vec<usize> = (0..names.len()).collect();
    types.sort_by_cached_key(|&at| {
        let name = names.get_index(at).map(|(name, _)| shown_name(name));
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

/// Returns a type in words.
fn kind(scope: &PageScope<'_>, at: usize) -> Option<Markup> {
    let (name, _) = scope.service.plan.types.get_index(at)?;
    let views = &scope.schemas.views;
    let (_, node) = views.tree.shared(name)?;
    Some(TypeWords::new(views.view(&[node])).markup(&scope.text))
}

//! The outline of a result, for models: its types, members and listed values, down to a depth.
//!
//! ```json
//! {"type": "object", "properties": {"title": {"type": "string"}, "loans": {"type": "array"}}}
//! ```
//!
//! It allows all that the schema of the result allows, and more.

use super::schemas::{of_kinds, split_types};
use crate::json::{Json, Object};
use crate::schema::{Kinds, Outline, View};

/// Returns a schema of the types, members and listed values that a value may have, down to a depth. It allows all
/// that the schemas of the value allow, and more: it has no bounds, texts, required members and references.
pub(super) fn outline_schema(view: &View<'_>, depth: usize) -> Json {
    let kinds = view.all_kinds();
    let schema = match view.outline() {
        Outline::Listed(listed) => {
            let null = kinds.meet(Kinds::NULL).then_some(&Json::Null);
            of_kinds(kinds).list("enum", listed.iter().map(|listed| listed.value).chain(null))
        }
        Outline::Unknown
        | Outline::Alternatives(_)
        | Outline::Object
        | Outline::Array
        | Outline::Mixed(_)
            if depth > 0 && kinds.meet(Kinds::OBJECT | Kinds::ARRAY) =>
        {
            outline_of_parts(view, kinds, depth - 1)
        }
        _ => of_kinds(kinds),
    };
    split_types(schema).into()
}

/// Returns a schema of the members, elements and alternatives that a value of these kinds may have, down to a depth.
fn outline_of_parts(view: &View<'_>, kinds: Kinds, depth: usize) -> Object {
    let views = view.views;
    let mut properties = Object::new();
    for (name, property) in view.properties() {
        if !property.is_refused {
            let property = views.view(&property.nodes());
            properties.insert(name, outline_schema(property, depth));
        }
    }
    let elements = view.elements();
    let positions = elements
        .prefix
        .iter()
        .map(|nodes| outline_schema(views.view(nodes), depth));
    let mut unions = view.unions.iter().map(|union| {
        // One value may fit several outlines.
        let outlines = union
            .alternatives
            .iter()
            .map(|alternative| outline_schema(alternative.view, depth))
            .chain(
                kinds
                    .meet(Kinds::NULL)
                    .then(|| of_kinds(Kinds::NULL).into()),
            );
        Object::new().list("anyOf", outlines)
    });
    let first_union = unions.next();
    let has_one_kind = kinds.type_names().count() <= 1;
    let stated_kinds = if first_union.is_none() || has_one_kind {
        kinds
    } else {
        // The alternatives state theirs.
        Kinds::ALL
    };
    let mut members = of_kinds(stated_kinds)
        .object("properties", properties)
        .list("prefixItems", positions);
    if !elements.rest.is_empty() {
        let rest = views.view(&elements.rest);
        members.insert("items", outline_schema(rest, depth));
    }
    let others = view.other_properties();
    // A reader without patterns would apply it to the members that match one, too.
    if !others.nodes.is_empty() && others.patterns.is_empty() {
        let others = views.view(&others.nodes);
        members.insert("additionalProperties", outline_schema(others, depth));
    }
    members
        .with_new(first_union.unwrap_or_default().iter())
        .list("allOf", unions)
}

//! Constraints on the fields of a type, found by generating its schemas once more.
//!
//! An attribute of a field changes the field's schema itself and, with `inner`, its `items`. So
//! these two parts of a type that is written out belong to the field, because another field with the type may have
//! other attributes. Everything else belongs into the definition of the type.

use std::collections::HashSet;

use super::layers::{layers, present_mut};
use crate::json::{Json, Object};
use crate::schema::component_names::component_name;
use crate::schema::expected::KeywordValue;
use crate::schema::keyword::{for_each_schema, holds};
use crate::schema::kinds::Kinds;
use crate::schema::limits::MAX_INLINED;
use crate::schema::type_schemas::Definitions;

/// The keywords of attributes, which the generator writes only beside a `type` that they are about.
const TYPED_KEYWORDS: [&str; 7] = [
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "pattern",
];

/// Adds the constraints that the generator has dropped to a schema and its definitions. `inlined`
/// generates the same schema with every type where it is used.
///
/// Returns false if that would be too large. Recursive types are not written out again inside
/// themselves, so constraints there are not found.
pub(in crate::schema) fn restore(
    schema: &mut Json,
    definitions: &mut Definitions,
    inlined: &dyn Fn() -> Json,
) -> bool {
    if !definitions.values().any(can_be_constrained) {
        return true;
    }
    let mut size = InlinedSize {
        definitions,
        open: Vec::new(),
        left: MAX_INLINED,
    };
    if !size.fits(schema) {
        return false;
    }
    let mut restoration = Restoration {
        definitions,
        restored: HashSet::new(),
    };
    restoration.visit(schema, &inlined(), true);
    true
}

/// Returns whether the generator applies the attributes of a field to the schema of the field's type.
fn can_be_constrained(definition: &Json) -> bool {
    definition
        .get("type")
        .and_then(Kinds::of_type)
        .is_some_and(|kinds| kinds.meet(Kinds::NUMBER | Kinds::STRING | Kinds::ARRAY))
}

/// The size that a schema has with every type where it is used.
struct InlinedSize<'d> {
    definitions: &'d Definitions,
    /// The types around the current one, which are not written out again.
    open: Vec<&'d str>,
    /// The number of schemas that may still follow.
    left: usize,
}

impl<'d> InlinedSize<'d> {
    /// Returns whether the schema is small enough.
    fn fits(&mut self, schema: &Json) -> bool {
        let mut used = Vec::new();
        let mut count = 0;
        for_each_schema(schema, &mut |schema| {
            count += 1;
            let reference = schema.get_str("$ref");
            used.extend(reference.and_then(component_name));
        });
        let Some(left) = self.left.checked_sub(count) else {
            return false;
        };
        self.left = left;
        for name in used {
            let definitions: &'d Definitions = self.definitions;
            let Some((name, definition)) = definitions.get_key_value(name.as_ref()) else {
                continue;
            };
            if self.open.contains(&name.as_str()) {
                continue;
            }
            self.open.push(name);
            let fits = self.fits(definition);
            self.open.pop();
            if !fits {
                return false;
            }
        }
        true
    }
}

/// A walk through a schema and the same schema written out.
struct Restoration<'d> {
    definitions: &'d mut Definitions,
    /// The definitions that have been compared.
    restored: HashSet<String>,
}

impl Restoration<'_> {
    /// Restores a schema and those inside it. `is_field` is false where attributes of any field with the
    /// type may have changed the schema that is written out.
    fn visit(&mut self, schema: &mut Json, inlined: &Json, is_field: bool) {
        if let Some(reference) = schema.get_str("$ref") {
            if inlined.get("$ref").is_some() {
                return;
            }
            if let Some(name) = component_name(reference) {
                let name = name.into_owned();
                self.restore_definition(name, inlined);
            }
            let dropped = if is_field {
                dropped(schema, inlined, self.definitions)
            } else {
                Object::new()
            };
            if let Json::Object(members) = schema {
                members.extend(dropped);
            }
        }
        let Json::Object(members) = schema else {
            return;
        };
        if inlined.get("anyOf").is_none()
            && let Some(present) = present_mut(members)
        {
            return self.visit(present, inlined, is_field);
        }
        for (keyword, value) in members.iter_mut() {
            let Some(other) = inlined.get(keyword.as_str()) else {
                continue;
            };
            match (holds(keyword.as_str()), value, other) {
                (
                    KeywordValue::Schema | KeywordValue::Schemas,
                    Json::Array(schemas),
                    Json::Array(others),
                ) => {
                    for (schema, inlined) in schemas.iter_mut().zip(others) {
                        self.visit(schema, inlined, true);
                    }
                }
                (KeywordValue::Schema, schema, inlined) => {
                    self.visit(schema, inlined, is_field || keyword.as_str() != "items");
                }
                (KeywordValue::Named, Json::Object(schemas), Json::Object(others)) => {
                    for (name, schema) in schemas.iter_mut() {
                        if let Some(inlined) = others.get(name.as_str()) {
                            self.visit(schema, inlined, true);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Restores the fields inside a type, the first time that it is reached.
    fn restore_definition(&mut self, name: String, inlined: &Json) {
        if self.restored.contains(&name) {
            return;
        }
        let Some(mut definition) = self.definitions.get(&name).cloned() else {
            return;
        };
        self.restored.insert(name.clone());
        self.visit(&mut definition, inlined, false);
        self.definitions.insert(name, definition);
    }
}

/// Returns the keywords that a schema has where it is written out, and not otherwise.
fn dropped(schema: &Json, inlined: &Json, definitions: &Definitions) -> Object {
    let layers = layers(schema, definitions);
    let mut dropped = Object::new();
    for keyword in TYPED_KEYWORDS {
        if let Some(value) = inlined.get(keyword)
            && layers.iter().all(|layer| layer.get(keyword) != Some(value))
        {
            dropped.insert(keyword, value.clone());
        }
    }
    if let Some(elements) = layers.iter().find_map(|layer| layer.get("items"))
        && let Some(inlined) = inlined.get("items")
    {
        let inside = self::dropped(elements, inlined, definitions);
        if !inside.is_empty() {
            dropped.insert("items", inside.into());
        }
    }
    dropped
}

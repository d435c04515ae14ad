//! The parts of a type that it needs as an alternative of a union.
//!
//! serde keeps a value of an untagged enum and reads it as the first variant that fits, whatever other variants say.

use docent_describe::schema::{ReferenceGraph, UnionRule};

use crate::client::model::{Field, Model, OtherMembers, Type, TypeDefinition};

/// An object among the alternatives of a union.
struct ObjectAlternative<'m> {
    index: usize,
    fields: &'m [Field],
    others: &'m OtherMembers,
}

/// Finds the types of values that serde keeps before it knows their types: those inside unions, and of members without
/// names of their own.
pub(super) fn buffered_types(model: &Model, edges: &ReferenceGraph) -> Vec<bool> {
    let mut buffered = Vec::new();
    for (index, named) in model.types.iter().enumerate() {
        match &named.definition {
            TypeDefinition::Union(..) => buffered.push(index),
            TypeDefinition::Object(_, OtherMembers::Kept(ty)) => {
                ty.any(&mut |ty| {
                    buffered.extend(ty.named());
                    false
                });
            }
            _ => {}
        }
    }
    let reached = edges.reach(buffered);
    (0..model.types.len())
        .map(|index| reached.contains(&index))
        .collect()
}

/// Finds the closed objects that could be read from values of another variant, because that has all members they
/// require.
pub(super) fn strict_types(model: &Model) -> Vec<bool> {
    let mut is_strict = vec![false; model.types.len()];
    for named in &model.types {
        let TypeDefinition::Union(each, _) = &named.definition else {
            continue;
        };
        let objects = object_alternatives(model, each);
        for object in &objects {
            let is_confused = objects
                .iter()
                .any(|other| other.index != object.index && has_required(other, object));
            is_strict[object.index] |= is_confused && *object.others == OtherMembers::Refused;
        }
    }
    is_strict
}

/// Returns whether an object has all members that another requires.
fn has_required(object: &ObjectAlternative<'_>, other: &ObjectAlternative<'_>) -> bool {
    other
        .fields
        .iter()
        .filter(|field| field.required)
        .all(|field| object.fields.iter().any(|known| known.wire == field.wire))
}

/// Finds the open objects whose values may be of several variants of a union at once. serde reads them as one.
pub(super) fn overlapping_types(model: &Model) -> Vec<bool> {
    let mut keeps_others = vec![false; model.types.len()];
    for named in &model.types {
        if let TypeDefinition::Union(each, UnionRule::OneOrMore) = &named.definition {
            for object in object_alternatives(model, each) {
                keeps_others[object.index] |= *object.others == OtherMembers::Unknown;
            }
        }
    }
    keeps_others
}

/// Returns the objects among the alternatives of a union.
fn object_alternatives<'m>(model: &'m Model, each: &'m [Type]) -> Vec<ObjectAlternative<'m>> {
    let mut objects = Vec::new();
    for ty in each {
        if let Some(index) = model.resolve(ty).named()
            && let TypeDefinition::Object(fields, others) = &model.types[index].definition
        {
            objects.push(ObjectAlternative {
                index,
                fields,
                others,
            });
        }
    }
    objects
}

//! The parts of a type that it needs as an alternative of a union.
//!
//! serde keeps a value of an untagged enum and reads it as the first variant that fits, whatever other variants say.

use docent_describe::schema::{ReferenceGraph, UnionRule};

use crate::client::model::{Field, Model, OtherMembers, Type, TypeDefinition};

/// An object among the alternatives of a union.
struct ObjectAlternative<'m> {
    place: usize,
    fields: &'m [Field],
    others: &'m OtherMembers,
}

/// Finds the types of values that serde keeps before it knows their types: those inside unions, and of members without
/// names of their own.
pub(super) fn buffered_types(model: &Model, edges: &ReferenceGraph) -> Vec<bool> {
    let mut buffered = Vec::new();
    for (place, named) in model.types.iter().enumerate() {
        match &named.definition {
            TypeDefinition::Union(..) => buffered.push(place),
            TypeDefinition::Object(_, OtherMembers::Kept(of)) => {
                of.any(&mut |of| {
                    buffered.extend(of.named());
                    false
                });
            }
            _ => {}
        }
    }
    let reached = edges.reach(buffered);
    (0..model.types.len())
        .map(|place| reached.contains(&place))
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
            let is_confused = objects.iter().any(|other| {
                let mut required = object.fields.iter().filter(|field| field.required);
                other.place != object.place
                    && required
                        .all(|field| other.fields.iter().any(|known| known.wire == field.wire))
            });
            is_strict[object.place] |= is_confused && *object.others == OtherMembers::Refused;
        }
    }
    is_strict
}

/// Finds the open objects whose values may be of several variants of a union at once. serde reads them as one.
pub(super) fn overlapping_types(model: &Model) -> Vec<bool> {
    let mut keeps_others = vec![false; model.types.len()];
    for named in &model.types {
        if let TypeDefinition::Union(each, UnionRule::OneOrMore) = &named.definition {
            for object in object_alternatives(model, each) {
                keeps_others[object.place] |= *object.others == OtherMembers::Unknown;
            }
        }
    }
    keeps_others
}

/// Returns the objects among the alternatives of a union.
fn object_alternatives<'m>(model: &'m Model, each: &'m [Type]) -> Vec<ObjectAlternative<'m>> {
    let mut objects = Vec::new();
    for of in each {
        if let Some(place) = model.resolve(of).named()
            && let TypeDefinition::Object(fields, others) = &model.types[place].definition
        {
            objects.push(ObjectAlternative {
                place,
                fields,
                others,
            });
        }
    }
    objects
}

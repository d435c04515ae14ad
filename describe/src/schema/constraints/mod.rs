//! Restores constraints that the generator drops.
//!
//! schemars writes `#[schemars(length(max = 3))]` of a field into the field's schema if that has
//! `"type": "string"` or `"type": "array"`, and ignores it otherwise. A field whose type has a name is
//! only a `$ref`, so its constraint would be neither published nor enforced:
//!
//! ```text
//! struct Order { #[schemars(length(max = 3))] code: Code }     Code is a newtype of String
//!
//! generated  {"$ref": "Code"}
//! restored   {"$ref": "Code", "maxLength": 3}
//! ```
//!
//! Such a constraint is found in two ways, and written beside the `$ref`:
//!
//! - `fields` generates the schemas of a type once more with every type where it is used, so that the
//!   generator does apply the attributes, and compares the two.
//! - `arguments` reads the attributes of an argument, which `#[procedure]` notes in its schema. It also finds
//!   constraints of types whose schema has no `type`, and those that can have no effect.
//!
//! Publishing all schemas with every type where it is used would need neither, but would repeat each type, and cannot
//! describe recursive ones.

mod arguments;
mod fields;
mod layers;

pub(super) use arguments::constrain_arguments;
pub(super) use fields::restore;

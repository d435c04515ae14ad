//! Runs schemars' generator, and restores what it drops.
//!
//! Only this module and `names.rs` know how the generator works. `canonical.rs` brings its schemas into one order. They
//! have its formats until they are published.

use std::borrow::Cow;

use indexmap::IndexMap;
use schemars::Schema;
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};

use super::canonical;
use super::constraints;
use super::defaults::{compare_defaults, has_default};
use super::keyword::{change_all, for_each_reference};
use super::names::TypeNames;
use super::problem::SchemaProblem;
use super::type_schemas::{Definitions, Side};

use crate::json::Json;

/// The output of one run of the generator, before it is put in order.
pub(super) struct GeneratedSchema {
    /// The requested schema.
    pub(super) schema: Json,
    /// The schemas that it refers to.
    definitions: Definitions,
    /// The types that the generator has seen.
    names: TypeNames,
    /// The names that more than one type has. Their ids distinguish the types with derived names.
    clashes: Vec<String>,
    /// True if the types are too many, each inside others, to look for constraints that the generator
    /// drops.
    pub(super) hides_constraints: bool,
}

/// Asks a generator for a schema. This is a function pointer, so that the code around it is
/// compiled once and not once for each type.
pub(super) type SchemaRequest = fn(&mut SchemaGenerator) -> Schema;

/// Generates a schema with a generator of its own.
///
/// With one generator for everything, the second of two types with the same name would get another
/// name, depending on the order in which procedures are registered.
pub(super) fn generate(request: SchemaRequest, side: Side) -> GeneratedSchema {
    let mut generated = generate_by_name(request, side);
    generated.hides_constraints =
        !constraints::restore(&mut generated.schema, &mut generated.definitions, &|| {
            run(&mut generator(side, true), request)
        });
    generated
}

/// Creates a generator, which refers to types by name or writes each where it is used.
fn generator(side: Side, inline: bool) -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = inline;
    settings.contract = match side {
        Side::Input => Contract::Deserialize,
        Side::Output => Contract::Serialize,
    };
    settings.into_generator()
}

/// Runs a generator, and returns the schema without the definitions.
fn run(generator: &mut SchemaGenerator, request: SchemaRequest) -> Json {
    let mut schema = Json::from(request(generator).to_value());
    if let Json::Object(members) = &mut schema {
        members.shift_remove("$defs");
    }
    schema
}

/// Generates a schema that refers to types by name, without the constraints that the generator drops there.
fn generate_by_name(request: SchemaRequest, side: Side) -> GeneratedSchema {
    let mut generator = generator(side, false);
    let mut schema = run(&mut generator, request);
    let definitions = generator.take_definitions(true);
    let names = if definitions.is_empty() {
        TypeNames::default()
    } else {
        TypeNames::from_generator(&generator)
    };
    let renames = names.renames();
    let mut by_new_name = Definitions::new();
    for (name, schema) in definitions {
        let mut schema = Json::from(schema);
        renames.redirect(&mut schema);
        by_new_name.insert(renames.new_name(name), schema);
    }
    renames.redirect(&mut schema);
    let mut generated = GeneratedSchema {
        schema,
        definitions: by_new_name,
        names,
        clashes: renames.clashes,
        hides_constraints: false,
    };
    if side == Side::Output {
        generated.drop_defaults();
    }
    generated
}

impl GeneratedSchema {
    /// Removes the defaults. They are the values that a decoder takes for members that are left out, and a
    /// result is not decoded by the service.
    fn drop_defaults(&mut self) {
        for schema in self.definitions.values_mut().chain([&mut self.schema]) {
            change_all(schema, &mut |members| _ = members.shift_remove("default"));
        }
    }

    /// Returns the definitions in canonical order. `root` is the name of the schema itself.
    pub(super) fn definitions(&self, root: Option<&str>) -> Definitions {
        let mut definitions: IndexMap<String, Json> = self
            .definitions
            .iter()
            .map(|(name, schema)| (name.clone(), canonical::schema(schema, root)))
            .collect();
        definitions.sort_unstable_keys();
        definitions
    }

    /// Returns the name of a type, from its id and the name that the generator gives it.
    pub(super) fn published_name(&self, id: &str, generated: Cow<'static, str>) -> String {
        self.names
            .published(id, &generated)
            .unwrap_or_else(|| generated.into_owned())
    }

    /// Returns whether one of the definitions has this name.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.definitions.contains_key(name)
    }

    /// Returns whether something refers to the schema itself, as in a recursive type.
    pub(super) fn refers_to_root(&self) -> bool {
        let mut refers = false;
        for schema in self.schemas() {
            for_each_reference(schema, &mut |reference| refers |= reference == "#");
        }
        refers
    }

    /// Returns the requested schema and those that it refers to.
    fn schemas(&self) -> impl Iterator<Item = &Json> {
        std::iter::once(&self.schema).chain(self.definitions.values())
    }

    /// Returns a problem for each name that several types have, and for each default that changes
    /// when the generator runs again.
    pub(super) fn problems(&self, request: SchemaRequest, side: Side) -> Vec<SchemaProblem> {
        let mut found: Vec<_> = self
            .clashes
            .iter()
            .map(|name| SchemaProblem::name_clash(name))
            .collect();
        if self.schemas().any(has_default) {
            let second = generate_by_name(request, side);
            compare_defaults("", &self.schema, &second.schema, &mut found);
            for (name, schema) in &self.definitions {
                if let Some(second) = second.definitions.get(name) {
                    compare_defaults(name, schema, second, &mut found);
                }
            }
        }
        found
    }
}

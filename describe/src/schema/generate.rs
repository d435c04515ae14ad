//! Runs the generator, and finds out what it does not report.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;

use indexmap::IndexMap;
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use super::names::{Names, numbered};
use super::{Definitions, ShapeProblem, Side, canonical, steady};
use crate::json::Json;

/// The output of one run of the generator, before it is put in order.
pub(super) struct Run {
    /// The requested schema.
    pub(super) schema: Value,
    /// The schemas that it refers to.
    definitions: Map<String, Value>,
    names: Names,
    clashes: Vec<String>,
    certain: HashSet<String>,
}

/// Asks a generator for a schema. This is a function pointer, so that the code around it is
/// compiled once and not once for each type.
pub(super) type Ask = fn(&mut SchemaGenerator) -> Schema;

/// Generates a schema with a generator of its own.
///
/// With one generator for everything, the second of two types with the same name would get another
/// name, depending on the order in which procedures are registered.
pub(super) fn run(ask: Ask, side: Side) -> Run {
    run_in(&mut generator(side), ask)
}

/// Generates a schema whose untagged variants have their names as titles.
pub(super) fn run_titled(ask: Ask, side: Side) -> Run {
    let mut settings = settings(side);
    settings.untagged_enum_variant_titles = true;
    run_in(&mut settings.into_generator(), ask)
}

fn generator(side: Side) -> SchemaGenerator {
    settings(side).into_generator()
}

fn settings(side: Side) -> SchemaSettings {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.contract = match side {
        Side::Input => Contract::Deserialize,
        Side::Output => Contract::Serialize,
    };
    settings
}

fn run_in(generator: &mut SchemaGenerator, ask: Ask) -> Run {
    let mut schema = ask(generator).to_value();
    if let Value::Object(members) = &mut schema {
        members.remove("$defs");
    }
    let mut definitions = generator.take_definitions(true);
    let names = if definitions.is_empty() {
        Names::default()
    } else {
        Names::of(generator)
    };
    let renames = names.renames();
    if !renames.is_empty() {
        let followed = definitions.into_iter().map(|(name, mut schema)| {
            renames.follow(&mut schema);
            (renames.name(name), schema)
        });
        definitions = followed.collect();
        renames.follow(&mut schema);
    }
    Run {
        schema,
        definitions,
        names,
        clashes: renames.clashes,
        certain: renames.certain,
    }
}

impl Run {
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
    pub(super) fn name_of(&self, id: &str, given: Cow<'static, str>) -> String {
        let published = self.names.published(id, &given);
        published.unwrap_or_else(|| given.into_owned())
    }

    /// Returns whether one of the definitions has this name.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.definitions.contains_key(name)
    }

    /// Returns whether something refers to the schema itself, as in a recursive type.
    pub(super) fn refers_to_root(&self) -> bool {
        std::iter::once(&self.schema)
            .chain(self.definitions.values())
            .any(has_root_reference)
    }

    /// Returns the defaults that change when the generator runs again.
    pub(super) fn unsteady(&self, ask: Ask, side: Side) -> Vec<ShapeProblem> {
        let mut found = Vec::new();
        let mut schemas = std::iter::once(&self.schema).chain(self.definitions.values());
        if schemas.any(steady::has_default) {
            let again = run(ask, side);
            steady::compare("", &self.schema, &again.schema, &mut found);
            for (name, schema) in &self.definitions {
                if let Some(again) = again.definitions.get(name) {
                    steady::compare(name, schema, again, &mut found);
                }
            }
        }
        found
    }

    /// Returns the names that more than one type has.
    ///
    /// Ids distinguish the types with derived names. For others, the generator silently calls the
    /// second of two types named `Address` `Address2`. But a type may really be called `Address2`.
    /// To find out, the generator runs again with that name already in use: a type that really has
    /// the name is then called `Address22`, and a second `Address` is not.
    pub(super) fn clashes(&self, ask: Ask, side: Side) -> Vec<String> {
        let mut clashes = self.clashes.clone();
        for name in self.definitions.keys() {
            let Some(base) = self.base_of(name).filter(|_| !self.certain.contains(name)) else {
                continue;
            };
            let mut generator = generator(side);
            TAKEN.set(name.clone());
            generator.subschema_for::<Taken>();
            let again = run_in(&mut generator, ask);
            let really_named_so = again
                .definitions
                .keys()
                .any(|other| numbered(other, name) && !self.definitions.contains_key(other));
            if !really_named_so && !clashes.iter().any(|clash| clash == base) {
                clashes.push(base.to_owned());
            }
        }
        clashes
    }

    /// Returns the name of another definition that `name` repeats with a number behind it.
    fn base_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        (name.len() - digits..name.len())
            .map(|end| &name[..end])
            .find(|base| numbered(name, base) && self.definitions.contains_key(*base))
    }
}

fn has_root_reference(value: &Value) -> bool {
    match value {
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| (name == "$ref" && value == "#") || has_root_reference(value)),
        Value::Array(elements) => elements.iter().any(has_root_reference),
        _ => false,
    }
}

thread_local! {
    static TAKEN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A type that only serves to occupy the name in [`TAKEN`].
struct Taken;

impl JsonSchema for Taken {
    fn schema_name() -> Cow<'static, str> {
        Cow::Owned(TAKEN.with_borrow(String::clone))
    }

    fn schema_id() -> Cow<'static, str> {
        Cow::Borrowed(concat!(module_path!(), "::Taken"))
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

//! Types from schemas.

mod combined;
mod plain;
mod words;

use std::collections::HashMap;

use docent_describe::json::{Json, Name, Object};
use docent_describe::schema::{component_name, for_each_schema, list, listed, resolve};
use docent_describe::{ProcedureDescription, ServiceDescription};
use indexmap::IndexMap;

use self::words::{SHAPING, documentation};
use super::model::{ClientShape, Named, Type};
use super::names::{self, Scope, pascal};

/// The maximum depth to which a schema is followed.
const DEEPEST: usize = 64;

/// The maximum number of members that types get from schemas that combine others. A short description can
/// combine the same long schema again and again.
const MOST_COMBINED: usize = 100_000;

/// Names that the code around types uses, in any of the languages.
const RESERVED: &[&str] = &[
    "Any", "Box", "BTreeMap", "Call", "Client", "Default", "Err", "Error", "False", "None", "Ok",
    "Option", "Result", "RpcError", "Self", "Shape", "Some", "String", "True", "Vec",
];

/// Collects the types of a description.
#[derive(Debug)]
pub(crate) struct TypeTable<'d> {
    components: &'d IndexMap<String, Json>,
    pub(super) named: Vec<Named>,
    pub(super) scope: Scope,
    /// The references into shared schemas, by the address of the part that they refer to.
    parts: HashMap<*const Json, &'d str>,
    /// The types of these parts.
    entered: HashMap<*const Json, usize>,
    /// The types of dates and times, by their formats.
    formats: HashMap<&'static str, usize>,
    depth: usize,
    /// The number of combined schemas around the current one.
    combined_depth: usize,
    /// The number of members that types may still get from schemas that combine others.
    room: usize,
}

impl<'d> TypeTable<'d> {
    /// Creates the types of the shared schemas, at the same indexes as in the description.
    pub(crate) fn new(service: &'d ServiceDescription) -> Self {
        let components = &service.components.schemas;
        let mut this = Self {
            components,
            named: Vec::new(),
            scope: Scope::new("Type", RESERVED),
            parts: parts(service),
            entered: HashMap::new(),
            formats: HashMap::new(),
            depth: 0,
            combined_depth: 0,
            room: MOST_COMBINED,
        };
        for (name, schema) in components {
            this.named.push(Named {
                name: this.scope.take(&pascal(&names::words(name))),
                docs: documentation(schema),
                shape: ClientShape::Alias(Type::Any),
            });
        }
        for (place, schema) in components.values().enumerate() {
            let hint = this.named[place].name.clone();
            this.named[place].shape = this.shape(schema, &hint);
        }
        this
    }

    /// Adds a type with a name of its own, and returns its index.
    pub(crate) fn add(&mut self, shape: ClientShape, hint: &str, docs: String) -> usize {
        let name = self.scope.take(hint);
        self.named.push(Named { name, docs, shape });
        self.named.len() - 1
    }

    /// Returns the type that a schema describes. `hint` is its name if it needs one.
    pub(crate) fn of(&mut self, schema: &Json, hint: &str) -> Type {
        if self.depth > DEEPEST {
            return Type::Any;
        }
        if let Some(reference) = self.parts.get(&std::ptr::from_ref(schema)).copied() {
            // A part that is referred to has the same type in its place as behind the reference.
            return self.part(reference, schema);
        }
        self.depth += 1;
        let shape = self.shape(schema, hint);
        self.depth -= 1;
        self.ty(shape, hint, documentation(schema))
    }

    fn ty(&mut self, shape: ClientShape, hint: &str, docs: String) -> Type {
        match shape {
            ClientShape::Alias(other) => other,
            // Every language has a plain type for null.
            ClientShape::Values(values) if values == [Json::Null] => Type::Null,
            shape => Type::Ref(self.add(shape, hint, docs)),
        }
    }

    fn shape(&mut self, schema: &Json, hint: &str) -> ClientShape {
        let Json::Object(words) = schema else {
            return ClientShape::Alias(Type::Any);
        };
        if let Some(values) = listed(words) {
            return self.values(&values, hint);
        }
        let parts = words.keys().map(Name::as_str);
        let parts: Vec<&str> = parts.filter(|keyword| SHAPING.contains(keyword)).collect();
        match parts[..] {
            ["$ref"] => ClientShape::Alias(self.reference(words)),
            [keyword @ ("anyOf" | "oneOf")]
            | ["type", keyword @ ("anyOf" | "oneOf")]
            | [keyword @ ("anyOf" | "oneOf"), "type"] => self.either(list(words, keyword), hint),
            ["allOf"] if list(words, "allOf").len() == 1 => {
                self.shape(&list(words, "allOf")[0], hint)
            }
            _ if ["$ref", "allOf", "anyOf", "oneOf"]
                .iter()
                .any(|it| parts.contains(it)) =>
            {
                self.combined(schema, hint)
            }
            _ => self.plain(words, hint),
        }
    }

    /// Returns the type that a reference leads to: a shared schema, or a part of one.
    fn reference(&mut self, words: &Object) -> Type {
        let Some(reference) = words.get("$ref").and_then(Json::as_str) else {
            return Type::Any;
        };
        if let Some(name) = component_name(reference) {
            let place = self.components.get_index_of(name.as_ref());
            return place.map_or(Type::Any, Type::Ref);
        }
        match resolve(reference, self.components) {
            Some(part) if self.depth <= DEEPEST => self.part(reference, part),
            _ => Type::Any,
        }
    }

    /// Returns the type of a part of a shared schema. It gets a name, since it may lead back to itself.
    fn part(&mut self, reference: &str, schema: &Json) -> Type {
        let address = std::ptr::from_ref(schema);
        if let Some(place) = self.entered.get(&address) {
            return Type::Ref(*place);
        }
        let hint = part_name(reference);
        let place = self.add(ClientShape::Alias(Type::Any), &hint, documentation(schema));
        self.entered.insert(address, place);
        self.depth += 1;
        let hint = self.named[place].name.clone();
        self.named[place].shape = self.shape(schema, &hint);
        self.depth -= 1;
        Type::Ref(place)
    }
}

/// Returns the references of a description that lead into shared schemas.
fn parts(service: &ServiceDescription) -> HashMap<*const Json, &str> {
    let components = &service.components.schemas;
    let own = service.procs.iter().flat_map(ProcedureDescription::schemas);
    let mut parts = HashMap::new();
    for schema in components.values().chain(own) {
        for_each_schema(schema, &mut |schema| {
            let reference = schema.get("$ref").and_then(Json::as_str);
            if let Some(reference) = reference.filter(|it| component_name(it).is_none())
                && let Some(part) = resolve(reference, components)
            {
                parts.entry(std::ptr::from_ref(part)).or_insert(reference);
            }
        });
    }
    parts
}

/// Returns the name of a part of a shared schema: the names on its path, without the keywords between
/// them.
fn part_name(reference: &str) -> String {
    let path = reference.strip_prefix("#/components/schemas/");
    let mut tokens = path.unwrap_or(reference).split('/');
    let mut name = pascal(&names::words(tokens.next().unwrap_or_default()));
    while let Some(keyword) = tokens.next() {
        let token = match keyword {
            "properties" | "$defs" | "patternProperties" => tokens.next().unwrap_or_default(),
            "items" | "prefixItems" | "additionalProperties" => "item",
            _ => continue,
        };
        name.push_str(&pascal(&names::words(token)));
    }
    name
}

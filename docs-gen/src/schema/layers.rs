//! All schemas that apply to one value, and what they say together.

use std::ptr;

use docent_describe::json::Json;
use docent_describe::schema::{self, Distinction, Evidence, SchemaContext, Validator};
use indexmap::IndexMap;

use super::constraint::{CONDITIONS, Constraint, constraints};
use super::refs::{SharedSchemas, component_name, resolve, text_of};
use super::shape::{ANY, AllowedValue, SchemaShape, in_list, is_null, list, shape};

use crate::json_text;

/// The most schemas that are considered, and the deepest nesting. No reasonable schema has more.
const MOST: usize = 64;
const DEEPEST: usize = 12;

/// The most required names of a schema that are read.
const MOST_REQUIRED: usize = 10_000;

/// The schemas of one value: the schema itself, the branches of `allOf`, the only branch besides null,
/// and the targets of references that are entered.
#[derive(Debug)]
pub(crate) struct Layers<'j> {
    shared: &'j SharedSchemas,
    roots: Vec<&'j Json>,
    /// The schemas, with the outermost first.
    pub(crate) schemas: Vec<&'j Json>,
    /// The schemas that describe the meaning of null.
    pub(crate) nulls: Vec<&'j Json>,
}

/// A member of an object.
#[derive(Debug, Default)]
pub(crate) struct ObjectProperty<'j> {
    /// The schemas that describe it, of which there is at least one.
    pub(crate) schemas: Vec<&'j Json>,
    pub(crate) required: bool,
}

/// Alternatives of a value.
#[derive(Debug)]
pub(crate) struct SchemaUnion<'j> {
    pub(crate) branches: Vec<&'j Json>,
    /// True if no value matches several of them.
    pub(crate) is_exclusive: bool,
    pub(crate) distinction: Distinction<'j>,
    /// What the author declares to tell them apart by.
    discriminator: Option<&'j Json>,
}

impl<'j> Layers<'j> {
    /// Returns the schemas of a value. References to whole shared schemas are not entered: those have
    /// pages.
    pub(crate) fn of(shared: &'j SharedSchemas, roots: &[&'j Json]) -> Self {
        Self::entering(shared, roots, &mut |_, _| false)
    }

    /// Returns the schemas of a value, with those that they refer to.
    pub(crate) fn all(shared: &'j SharedSchemas, roots: &[&'j Json]) -> Self {
        Self::entering(shared, roots, &mut |_, _| true)
    }

    /// Returns the schemas of a value, with those of shared types other than objects and unions, which
    /// are shown where they are used.
    pub(crate) fn with_simple(shared: &'j SharedSchemas, roots: &[&'j Json]) -> Self {
        let is_simple =
            |_: &str, target: &'j Json| !matches!(shape(target).shape, SchemaShape::Object);
        Self::entering(shared, roots, &mut { is_simple })
    }

    /// Returns the schemas of a value. `enter` decides, by name and target, which references to shared
    /// schemas are entered.
    pub(super) fn entering(
        shared: &'j SharedSchemas,
        roots: &[&'j Json],
        enter: &mut dyn FnMut(&str, &'j Json) -> bool,
    ) -> Self {
        let mut layers = Self {
            shared,
            roots: roots.to_vec(),
            schemas: Vec::new(),
            nulls: Vec::new(),
        };
        for root in roots {
            layers.add(root, DEEPEST, enter);
        }
        layers
    }

    fn add(
        &mut self,
        schema: &'j Json,
        left: usize,
        enter: &mut dyn FnMut(&str, &'j Json) -> bool,
    ) {
        let is_known = self.schemas.iter().any(|known| ptr::eq(*known, schema));
        if left == 0 || is_known || self.schemas.len() >= MOST {
            return;
        }
        let left = left - 1;
        self.schemas.push(schema);
        if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
            let target = match component_name(schema) {
                Some(name) => {
                    let target = self.shared.get(name.as_ref());
                    target.filter(|target| enter(&name, target))
                }
                // A reference into a shared schema.
                None => schema::resolve(reference, self.shared),
            };
            if let Some(target) = target {
                self.add(target, left, enter);
            }
        }
        for branch in list(schema, "allOf") {
            self.add(branch, left, enter);
        }
        for word in ["oneOf", "anyOf"] {
            let branches = list(schema, word);
            let mut others = branches.iter().filter(|branch| !is_null(branch));
            let (first, second) = (others.next(), others.next());
            if first.is_some() {
                let nulls = branches.iter().filter(|branch| is_null(branch));
                self.nulls.extend(nulls.take(MOST));
            }
            if let (Some(only), None) = (first, second) {
                self.add(only, left, enter);
            }
        }
    }

    /// Returns a member of each schema that has it.
    pub(super) fn each(&self, member: &str) -> impl Iterator<Item = &'j Json> {
        self.schemas
            .iter()
            .filter_map(move |layer| layer.get(member))
    }

    /// Returns a member from the first schema that has it.
    pub(crate) fn first(&self, member: &str) -> Option<&'j Json> {
        self.each(member).next()
    }

    /// Returns whether a member is true in any schema.
    pub(crate) fn is(&self, member: &str) -> bool {
        self.each(member).any(|value| value.as_bool() == Some(true))
    }

    pub(crate) fn constraints(&self) -> impl Iterator<Item = Constraint<'j>> {
        self.schemas.iter().flat_map(|layer| constraints(layer))
    }

    /// Returns the members of an object, in the order in which they are described. Those that are
    /// required but described elsewhere come last: in a schema that is not entered, or in `outside`,
    /// the schemas of the value that this is an alternative of.
    pub(crate) fn properties(&self, outside: &[&'j Json]) -> IndexMap<&'j str, ObjectProperty<'j>> {
        let mut properties: IndexMap<&'j str, ObjectProperty<'j>> = IndexMap::new();
        for (name, schema) in self.members("properties") {
            let described = &mut properties.entry(name).or_default().schemas;
            if !described.contains(&schema) {
                described.push(schema);
            }
        }
        let required = self.each("required").filter_map(Json::as_array).flatten();
        for name in required.filter_map(Json::as_str).take(MOST_REQUIRED) {
            properties.entry(name).or_default().required = true;
        }
        self.add_others(&mut properties);
        if properties.values().any(|it| it.schemas.is_empty()) {
            let elsewhere = Self::all(self.shared, &[&self.roots, outside].concat());
            let described: IndexMap<_, _> = elsewhere.members("properties").collect();
            let other = elsewhere.others().next().unwrap_or(&ANY);
            for (name, property) in &mut properties {
                if property.schemas.is_empty() {
                    property.schemas.push(described.get(name).unwrap_or(&other));
                }
            }
        }
        properties
    }

    /// Adds what each schema says of members that only other schemas describe.
    fn add_others(&self, properties: &mut IndexMap<&'j str, ObjectProperty<'j>>) {
        let validator = Validator::new(SchemaContext {
            components: self.shared,
            enforced_formats: Some(&[]),
        });
        for layer in &self.schemas {
            let others = layer.get("additionalProperties");
            let Some(others) = others.filter(|it| it.as_bool() != Some(true)) else {
                continue;
            };
            let named = |word| layer.get(word).and_then(Json::as_object);
            for (name, property) in &mut *properties {
                let is_own = named("properties").is_some_and(|own| own.contains_key(name));
                let mut patterns = named("patternProperties").into_iter().flatten();
                let is_other =
                    patterns.all(|(it, _)| validator.matches(it.as_str(), name) == Some(false));
                if !is_own && is_other {
                    // A member that a closed object does not name has no value, whatever others say.
                    if others.as_bool() == Some(false) {
                        property.schemas.clear();
                    }
                    property.schemas.push(others);
                }
            }
        }
    }

    /// Returns the members of a keyword that holds schemas by name.
    pub(super) fn members(&self, keyword: &str) -> impl Iterator<Item = (&'j str, &'j Json)> {
        let objects = self.each(keyword).filter_map(Json::as_object).flatten();
        objects.map(|(name, schema)| (name.as_str(), schema))
    }

    /// Returns the schemas of members that have no name of their own.
    pub(crate) fn others(&self) -> impl Iterator<Item = &'j Json> {
        let others = self.each("additionalProperties");
        others.filter(|others| others.as_object().is_some())
    }

    /// Returns the shape of a list's elements, from the first schema that describes them.
    pub(crate) fn elements(&self) -> Option<SchemaShape<'j>> {
        let shapes = self.schemas.iter().map(|layer| in_list(layer));
        { shapes }.find(|shape| !matches!(shape, SchemaShape::Array(None)))
    }

    /// Returns each `oneOf` and `anyOf` with several alternatives besides null, except those that only
    /// list values.
    pub(crate) fn unions(&self) -> Vec<SchemaUnion<'j>> {
        let mut unions = Vec::new();
        for layer in &self.schemas {
            for word in ["oneOf", "anyOf"] {
                let branches = list(layer, word).iter();
                let branches: Vec<_> = branches.filter(|branch| !is_null(branch)).collect();
                if branches.len() > 1 && !matches!(shape(layer).shape, SchemaShape::Enum(_)) {
                    unions.push(SchemaUnion::of(self.shared, layer, word, branches));
                }
            }
        }
        unions
    }

    /// Returns the conditions of all schemas, each with the key of its name.
    pub(super) fn conditions(
        &self,
    ) -> impl Iterator<Item = (&'static str, &'static str, &'j Json)> {
        let of_layer = |layer: &&'j Json| {
            let layer = *layer;
            let conditions = CONDITIONS.iter();
            conditions.filter_map(move |(keyword, key)| {
                let condition = layer.get(keyword).filter(|it| it.as_object().is_some())?;
                Some((*keyword, *key, condition))
            })
        };
        self.schemas.iter().flat_map(of_layer)
    }

    /// Returns the allowed values of a value, or of the elements of a list of a simple type.
    pub(crate) fn allowed(&self) -> Option<Vec<AllowedValue<'j>>> {
        self.schemas.iter().find_map(|layer| {
            let mut schema = *layer;
            for _ in 0..8 {
                schema = match shape(schema).shape {
                    SchemaShape::Array(Some(inner)) | SchemaShape::Map(inner)
                        if !needs_row(self.shared, inner) =>
                    {
                        inner
                    }
                    _ => break,
                };
            }
            match shape(resolve(self.shared, schema)).shape {
                SchemaShape::Enum(values) => Some(values),
                _ => None,
            }
        })
    }
}

/// Returns whether the elements of a list have more details than their type, so that they need a row.
pub(super) fn needs_row(shared: &SharedSchemas, schema: &Json) -> bool {
    let layers = Layers::of(shared, &[schema]);
    let is_there = |member: &&str| layers.first(member).is_some();
    let is_list_of_values = |layer: &&Json| {
        let is_shared = component_name(layer).is_some();
        !is_shared && matches!(shape(layer).shape, SchemaShape::Enum(_))
    };
    let is_explained = |null: &&Json| {
        let mut texts = ["title", "description"].iter();
        texts.any(|member| null.get(member).is_some())
    };
    let simple = Layers::with_simple(shared, &[schema]);
    ["title", "description", "default", "deprecated"]
        .iter()
        .any(is_there)
        || layers.schemas.iter().any(is_list_of_values)
        || layers.nulls.iter().any(is_explained)
        || simple.constraints().any(|it| !it.is_of_type())
}

impl<'j> SchemaUnion<'j> {
    fn of(
        shared: &'j SharedSchemas,
        schema: &'j Json,
        word: &str,
        branches: Vec<&'j Json>,
    ) -> Self {
        let discriminator = schema.get("discriminator");
        let declared = discriminator.and_then(|by| text_of(by, "propertyName"));
        let found = Distinction::of(shared, &branches, Evidence::Likely(declared));
        let is_certain = || {
            let found = Distinction::of(shared, &branches, Evidence::Certain);
            found != Distinction::Unsaid
        };
        Self {
            is_exclusive: word == "oneOf" || is_certain(),
            distinction: match (declared, found) {
                (Some(name), Distinction::Tag(tag, values)) if name == tag => {
                    Distinction::Tag(tag, values)
                }
                (Some(name), _) => Distinction::Tag(name, Vec::new()),
                (None, found) => found,
            },
            branches,
            discriminator,
        }
    }

    /// Returns the name of an alternative: its title, the name of its type, or the distinction from
    /// the others. Returns `None` if it can only be described by its type.
    pub(crate) fn label(&self, at: usize) -> Option<String> {
        let branch = self.branches[at];
        let title = text_of(branch, "title").map(str::to_owned);
        let name = || component_name(branch).map(std::borrow::Cow::into_owned);
        title.or_else(name).or_else(|| match &self.distinction {
            Distinction::Member(names) => names.get(at).map(|name| (*name).to_owned()),
            _ => self.constant(at),
        })
    }

    /// Returns the member that tells the alternatives apart, and its value if the alternative is a
    /// shared type, unless that is the label.
    pub(crate) fn tag(&self, at: usize) -> Option<(&'j str, String)> {
        let Distinction::Tag(member, _) = self.distinction else {
            return None;
        };
        let name = component_name(self.branches[at])?;
        // OpenAPI's discriminator maps values to types. Without a mapping, a type's name is its value.
        let declared = || {
            let mapping = self.discriminator?.get("mapping").and_then(Json::as_object);
            let reference = self.branches[at].get("$ref")?.as_str();
            let is_own = |target: &Json| {
                let target = target.as_str();
                target == reference || target == Some(&*name)
            };
            let mapped = mapping.into_iter().flatten().find(|(_, it)| is_own(it));
            let value = mapped.map_or(&*name, |(value, _)| value.as_str());
            Some(json_text::brief(&Json::from(value), 60))
        };
        let value = self.constant(at).or_else(declared)?;
        (self.label(at).as_ref() != Some(&value)).then_some((member, value))
    }

    fn constant(&self, at: usize) -> Option<String> {
        match &self.distinction {
            Distinction::Tag(_, values) => Some(json_text::brief(values.get(at)?.first()?, 60)),
            _ => None,
        }
    }
}

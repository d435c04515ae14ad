//! All schemas that apply to one value, and what they say together.

use std::{iter, ptr};

use docent_describe::json::Json;
use docent_describe::schema::{self, Distinction, Evidence, Kinds, SchemaContext, Validator};
use indexmap::IndexMap;

use super::constraint::{CONDITIONS, Constraint, constraints};
use super::refs::{SharedSchemas, component_name, text_of};
use super::shape::{
    ANY, AllowedValue, Outline, SchemaShape, in_list, is_listing, is_null, list, own_outline,
    shape, stated_outline,
};

use crate::json_text;

/// The most schemas that are considered, and the deepest nesting. No reasonable schema has more.
const MOST: usize = 64;
pub(super) const DEEPEST: usize = 12;

/// The most required names of a schema that are read.
const MOST_REQUIRED: usize = 10_000;

/// The schemas of one value: the schema itself, the branches of `allOf`, the only branch besides null,
/// and the targets of references that are entered.
pub(crate) struct Layers<'j> {
    shared: &'j SharedSchemas<'j>,
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
    pub(crate) fn of(shared: &'j SharedSchemas<'j>, roots: &[&'j Json]) -> Self {
        Self::entering(shared, roots, &mut |_, _| false)
    }

    /// Returns the schemas of a value, with those that they refer to.
    pub(crate) fn all(shared: &'j SharedSchemas<'j>, roots: &[&'j Json]) -> Self {
        Self::entering(shared, roots, &mut |_, _| true)
    }

    /// Returns the schemas of a value, with those of shared types other than objects and unions, which
    /// are shown where they are used.
    pub(crate) fn with_simple(shared: &'j SharedSchemas<'j>, roots: &[&'j Json]) -> Self {
        Self::entering(shared, roots, &mut |name, target| {
            let known = shared.simple.borrow().get(name).copied();
            known.unwrap_or_else(|| {
                let is_simple = !matches!(Self::shape_of(shared, target), SchemaShape::Object);
                let mut known = shared.simple.borrow_mut();
                *known.entry(name.to_owned()).or_insert(is_simple)
            })
        })
    }

    /// Returns the schemas of a value. `enter` decides, by name and target, which references to shared
    /// schemas are entered.
    pub(super) fn entering(
        shared: &'j SharedSchemas<'j>,
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
                    let target = self.shared.by_name.get(name.as_ref());
                    target.filter(|target| enter(&name, target))
                }
                // A reference into a shared schema.
                None => schema::resolve(reference, self.shared.by_name),
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

    /// Finds what a reader would call the type of a value that one schema describes.
    pub(crate) fn shape_of(shared: &'j SharedSchemas<'j>, schema: &'j Json) -> SchemaShape<'j> {
        Self::of(shared, &[schema]).outline().0.shape
    }

    /// Finds what a reader would call the type of the value, and the schema that says so: the shared
    /// types by name, or else the most specific schema.
    pub(crate) fn outline(&self) -> (Outline<'j>, &'j Json) {
        let kinds_of = |schema: &&Json| self.shared.kinds_of.schema(schema);
        let kinds = common(self.roots.iter().map(kinds_of));
        // The type is what wider alternatives have in common with it; they are listed below.
        let fits = |it: &Outline<'j>| match &it.shape {
            SchemaShape::Alternatives(all) => all.iter().all(|it| kinds_of(it).within(kinds)),
            _ => true,
        };
        let all = self.schemas.iter().map(|&layer| {
            let outline = Some(shape(layer)).filter(|it| fits(it));
            (outline.unwrap_or_else(|| own_outline(layer)), layer)
        });
        let is_named =
            |it: &Outline<'_>| matches!(it.shape, SchemaShape::Ref(_) | SchemaShape::Lost(_));
        let (named, mut others): (Vec<_>, Vec<_>) = all.partition(|(it, _)| is_named(it));
        let beside = named.iter();
        others.extend(beside.map(|(_, schema)| (stated_outline(schema), *schema)));
        let target = |it: &Json| schema::resolve(it.get("$ref")?.as_str()?, self.shared.by_name);
        let targets = named.iter().filter_map(|(_, it)| target(it));
        let targets: Vec<_> = targets.map(|it| self.target(it)).collect();
        let can_be_null = !self.nulls.is_empty()
            || others.iter().any(|(it, _)| it.nullable)
            || targets.iter().any(|(_, nullable)| *nullable);
        let listed = others.iter().filter_map(|(it, _)| it.listed());
        let common_values = listed.reduce(|common, values| &common & &values);
        let vagueness = |(it, schema): &(Outline<'j>, &'j Json)| {
            // A type that an author states is certain; "object" may be only what the members suggest.
            let (shape, is_typed) = (&it.shape, schema.get("type").is_some());
            let is_listed = matches!(shape, SchemaShape::Enum(_) | SchemaShape::Alternatives(_));
            (!is_typed && !is_listed, shape.vagueness())
        };
        let mut narrowest = { others }.into_iter().min_by_key(vagueness);
        if let Some((own, schema)) = &mut narrowest {
            own.narrow(kinds, schema);
            if let (SchemaShape::Enum(values), Some(common)) = (&mut own.shape, common_values) {
                values.retain(|it| common.contains(it.value));
            }
        }
        let named_kinds = common(targets.iter().map(|(kinds, _)| *kinds));
        let adds = |it: &Outline<'_>| match it.shape {
            SchemaShape::Enum(_) => true,
            SchemaShape::Any => named.is_empty(),
            _ => named.is_empty() || !named_kinds.within(kinds),
        };
        let narrowest = narrowest.filter(|(it, _)| adds(it));
        let all = named.into_iter().chain(narrowest);
        let mut all: Vec<_> = all.map(|(it, schema)| (it.shape, schema)).collect();
        let (shape, schema) = match all.len() {
            0 | 1 => all.pop().unwrap_or((SchemaShape::Any, &ANY)),
            _ => (SchemaShape::All(all), self.schemas[0]),
        };
        let nullable = can_be_null && kinds.meet(Kinds::NULL);
        (Outline { shape, nullable }, schema)
    }

    /// Returns the kinds that the target of a reference allows, and whether null is one by what it says:
    /// where the type is unfolded, null is not among its alternatives. Many refer to one target.
    fn target(&self, target: &'j Json) -> (Kinds, bool) {
        let key = ptr::from_ref(target);
        let known = self.shared.targets.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let unfolded = Self::of(self.shared, &[target]);
            let mut schemas = unfolded.schemas.iter();
            let nullable = !unfolded.nulls.is_empty() || schemas.any(|it| shape(it).nullable);
            let found = (self.shared.kinds_of.schema(target), nullable);
            *self.shared.targets.borrow_mut().entry(key).or_insert(found)
        })
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

    /// Adds what each schema says of members that only others describe.
    fn add_others(&self, properties: &mut IndexMap<&'j str, ObjectProperty<'j>>) {
        let validator = Validator::new(SchemaContext {
            components: self.shared.by_name,
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
                let patterns = named("patternProperties").into_iter().flatten();
                let mut matches = patterns.map(|(it, _)| validator.matches(it.as_str(), name));
                if !is_own && matches.all(|it| it == Some(false)) {
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
                if branches.len() > 1 && !is_listing(layer, word) {
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
        self.schemas.iter().flat_map(|&layer| {
            CONDITIONS.iter().filter_map(move |(keyword, key)| {
                let condition = layer.get(keyword).filter(|it| it.as_object().is_some())?;
                Some((*keyword, *key, condition))
            })
        })
    }

    /// Returns the allowed values of a value, or of the elements of a list of a simple type.
    pub(crate) fn allowed(&self) -> Option<Vec<AllowedValue<'j>>> {
        match self.innermost().0 {
            SchemaShape::Enum(values) => Some(values),
            _ => None,
        }
    }

    /// Returns the shape of the innermost elements without a row of their own, through lists of lists
    /// and shared types, and whether that is a shared type's.
    pub(super) fn innermost(&self) -> (SchemaShape<'j>, bool) {
        let (mut shape, mut is_shared) = (self.outline().0.shape, false);
        for _ in 0..8 {
            let inner = match &mut shape {
                SchemaShape::Array(Some(inner)) | SchemaShape::Map(inner) => {
                    Some(*inner).filter(|inner| !needs_row(self.shared, inner, DEEPEST))
                }
                SchemaShape::Ref(name) => {
                    is_shared = true;
                    self.shared.by_name.get(name.as_ref())
                }
                SchemaShape::All(all) => all.last().map(|(_, schema)| *schema),
                _ => None,
            };
            let Some(inner) = inner else { break };
            shape = Self::shape_of(self.shared, inner);
        }
        (shape, is_shared)
    }
}

/// Returns the kinds that all of these allow.
fn common(kinds: impl Iterator<Item = Kinds>) -> Kinds {
    kinds.fold(Kinds::ALL, |common, kinds| common & kinds)
}

/// Returns whether the elements of a list have more details than their type, so that they need a row.
pub(super) fn needs_row(shared: &SharedSchemas<'_>, schema: &Json, left: usize) -> bool {
    let Some(left) = left.checked_sub(1) else {
        return true;
    };
    let layers = Layers::of(shared, &[schema]);
    let mut details = ["title", "description", "default", "deprecated"].into_iter();
    let is_list_of_values = |layer: &&Json| {
        let is_shared = component_name(layer).is_some();
        !is_shared && matches!(shape(layer).shape, SchemaShape::Enum(_))
    };
    let is_explained = |null: &&Json| null.get("title").or(null.get("description")).is_some();
    let simple = Layers::with_simple(shared, &[schema]);
    let next = |alias: &&_| shared.by_name.get(component_name(alias)?.as_ref());
    // Aliases may form a circle. No reasonable chain is longer than this.
    let target = iter::successors(Some(schema), next).take(17).last();
    details.any(|member| layers.first(member).is_some())
        || layers.schemas.iter().any(is_list_of_values)
        || layers.nulls.iter().any(is_explained)
        || simple.constraints().any(|it| !it.is_of_type())
        || simple.conditions().next().is_some()
        || matches!(
            Layers::shape_of(shared, target.unwrap_or(schema)),
            // Rows about the elements of elements would be taken for rows about the elements.
            SchemaShape::Array(Some(inner)) | SchemaShape::Map(inner)
                if component_name(schema).is_some() || needs_row(shared, inner, left)
        )
}

impl<'j> SchemaUnion<'j> {
    fn of(
        shared: &'j SharedSchemas<'j>,
        schema: &'j Json,
        word: &str,
        branches: Vec<&'j Json>,
    ) -> Self {
        let discriminator = schema.get("discriminator");
        let declared = discriminator.and_then(|by| text_of(by, "propertyName"));
        let found = Distinction::of(shared.by_name, &branches, Evidence::Likely(declared));
        let certain = || Distinction::of(shared.by_name, &branches, Evidence::Certain);
        Self {
            is_exclusive: word == "oneOf" || certain() != Distinction::Unsaid,
            distinction: match declared {
                Some(name) if !matches!(found, Distinction::Tag(tag, _) if tag == name) => {
                    Distinction::Tag(name, Vec::new())
                }
                _ => found,
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
            let own = [reference, Some(&*name)];
            let mut mapping = mapping.into_iter().flatten();
            let mapped = mapping.find(|(_, target)| own.contains(&target.as_str()));
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

//! The published names of types.
//!
//! The generator has only one name for all uses of a generic type: the second use of `Page<T>`
//! becomes `Page2`, whichever it is. But it distinguishes types by an id that includes the
//! parameters. A name that is made from the id depends neither on the other types nor on the order:
//!
//! ```text
//! id         library::Page<library::Book>
//! generated  Page2           the name that the generator gives the type
//! published  Page_of_Book    the name that the description has
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};

use schemars::SchemaGenerator;

use super::component_names::{COMPONENTS_PREFIX, component_reference, decoded_name};
use super::keyword::redirect;
use crate::json::Json;

/// The prefix of references to the generator's definitions.
const DEFINITIONS_PREFIX: &str = "#/$defs/";

/// The ids of types without parameters that the generator never names.
const UNNAMED_TYPES: [&str; 18] = [
    "boolean", "string", "double", "float", "null", "AnyValue", "int128", "int16", "int32",
    "int64", "int8", "int", "uint128", "uint16", "uint32", "uint64", "uint8", "uint",
];

/// The types that a generator has seen: their ids, and the names that it gave them.
#[derive(Default)]
pub(super) struct TypeNames(BTreeMap<String, String>);

impl TypeNames {
    /// Reads the types from the generator, which exposes them only through `Debug`. If that
    /// changes, types keep the names that the generator gave them, and two uses of a generic type
    /// are a [clash](super::SchemaProblem::NameClash).
    pub(super) fn from_generator(generator: &SchemaGenerator) -> Self {
        Self(read_debug_output(&format!("{generator:?}")).unwrap_or_default())
    }

    /// Returns the name of the type with this id, if it can be derived from the id: a derived name
    /// is repeated there, or is a pattern such as `Page_of_{T}`. A name that was written by hand is
    /// kept.
    pub(super) fn published(&self, id: &str, generated: &str) -> Option<String> {
        let path = id.split_once('<').map_or(id, |(path, _)| path);
        let base = last_segment(path);
        let is_derived = generated == base || is_numbered(generated, base) || base.contains('{');
        let is_std = matches!(path, "Result" | "Bound" | "Range");
        if !is_derived && !is_std {
            return None;
        }
        let mut reader = IdReader {
            names: self,
            rest: &id[path.len()..],
        };
        compose(base, &reader.parameters()?)
    }

    /// Returns the new names, by those that the generator gave.
    pub(super) fn renames(&self) -> Renames {
        let mut renames = Renames::default();
        let mut taken = HashSet::new();
        for (id, generated) in &self.0 {
            let name = self
                .published(id, generated)
                .unwrap_or_else(|| generated.clone());
            if !taken.insert(name.clone()) && !renames.clashes.contains(&name) {
                renames.clashes.push(name.clone());
            }
            if name != *generated {
                renames.published.insert(generated.clone(), name);
            }
        }
        renames
    }
}

/// The new names of definitions.
#[derive(Default)]
pub(super) struct Renames {
    /// The published names, by the generated ones.
    published: HashMap<String, String>,
    /// The names that more than one type has.
    pub(super) clashes: Vec<String>,
}

impl Renames {
    /// Returns the new name of a definition.
    pub(super) fn new_name(&self, generated: String) -> String {
        self.published.get(&generated).cloned().unwrap_or(generated)
    }

    /// Turns references to the generator's definitions into references to the description's components,
    /// with the new names.
    pub(super) fn redirect(&self, schema: &mut Json) {
        redirect(schema, &|reference| {
            let encoded = reference.strip_prefix(DEFINITIONS_PREFIX)?;
            let published = self.published.get(&*decoded_name(encoded)?);
            Some(match published {
                Some(published) => component_reference(published),
                None => format!("{COMPONENTS_PREFIX}{encoded}"),
            })
        });
    }
}

/// Returns whether `name` is `base` followed by a number that the generator could have added.
fn is_numbered(name: &str, base: &str) -> bool {
    name.strip_prefix(base).is_some_and(|number| {
        !number.starts_with('0') && number != "1" && !number.is_empty() && is_number(number)
    })
}

/// Returns whether a text consists of digits.
fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the ids and names in a generator's `Debug` output.
fn read_debug_output(text: &str) -> Option<BTreeMap<String, String>> {
    let mut names = BTreeMap::new();
    let (_, mut rest) = text.split_once("schema_id_to_name: {")?;
    while !rest.starts_with('}') {
        let (id, after) = literal(rest.strip_prefix("SchemaUid(")?)?;
        let (name, after) = literal(after.split_once("): ")?.1)?;
        names.insert(id.to_owned(), name.to_owned());
        rest = after.strip_prefix(", ").unwrap_or(after);
    }
    Some(names)
}

/// Returns a string literal and the text after it, if the literal has no escapes.
fn literal(text: &str) -> Option<(&str, &str)> {
    let (inside, rest) = text.strip_prefix('"')?.split_once('"')?;
    (!inside.contains('\\')).then_some((inside, rest))
}

/// Returns a path without the modules.
fn last_segment(path: &str) -> &str {
    path.rsplit_once("::").map_or(path, |(_, last)| last)
}

/// The rest of an id that is being read.
///
/// A derived id is a path and the ids of the parameters in angle brackets, with no separator. So
/// the end of an id is known only for types that the generator has seen, and an unknown path is
/// read as far as possible. The result is unique in any case.
struct IdReader<'n> {
    /// The types whose ids may be in the rest.
    names: &'n TypeNames,
    /// The unread part of the id.
    rest: &'n str,
}

impl<'n> IdReader<'n> {
    /// Returns the names of the parameters in angle brackets, if there are any.
    fn parameters(&mut self) -> Option<Vec<String>> {
        if !self.eat("<") {
            return Some(Vec::new());
        }
        self.names_until(">")
    }

    /// Reads the ids up to an end, and returns the names of their types.
    fn names_until(&mut self, end: &str) -> Option<Vec<String>> {
        let mut names = Vec::new();
        while !self.eat(end) {
            names.push(self.name()?);
            self.eat(",");
            self.eat(" ");
        }
        Some(names)
    }

    /// Returns the name of the type whose id comes next, with the generator's names for the types
    /// of the standard library.
    fn name(&mut self) -> Option<String> {
        if self.eat("[") {
            return self.array();
        }
        if self.eat("(") {
            return Some(format!("Tuple_of_{}", self.names_until(")")?.join("_and_")));
        }
        if let Some(number) = self.number() {
            return Some(number.to_owned());
        }
        if let Some((id, generated)) = self.known_type() {
            self.rest = &self.rest[id.len()..];
            let published = self.names.published(id, generated);
            return Some(published.unwrap_or_else(|| generated.to_owned()));
        }
        if let Some(unnamed) = UNNAMED_TYPES.iter().find(|id| self.begins_with(id)) {
            self.rest = &self.rest[unnamed.len()..];
            return Some((*unnamed).to_owned());
        }
        let base = last_segment(self.take_path());
        let parameters = self.parameters()?;
        if base.is_empty() {
            return None;
        }
        compose(base, &parameters)
    }

    /// Returns a parameter that is a number. No path begins with a digit.
    fn number(&mut self) -> Option<&'n str> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        (digits > 0).then_some(number)
    }

    /// Reads the part after an opening bracket: `element]`, `length; element]`, or `]` alone.
    fn array(&mut self) -> Option<String> {
        if self.eat("]") {
            return Some("EmptyArray".to_owned());
        }
        let length = self.number();
        self.eat("; ");
        let element = self.name()?;
        if !self.eat("]") {
            return None;
        }
        Some(match length {
            Some(length) => format!("Array_size_{length}_of_{element}"),
            None => format!("Array_of_{element}"),
        })
    }

    /// Returns the longest id of a known type that the rest begins with, and the type's name.
    fn known_type(&self) -> Option<(&'n str, &'n str)> {
        self.names
            .0
            .iter()
            .filter(|(id, _)| self.rest.starts_with(&***id))
            .max_by_key(|(id, _)| id.len())
            .map(|(id, generated)| (&**id, &**generated))
    }

    /// Returns whether the rest begins with this id, and not with a longer path.
    fn begins_with(&self, id: &str) -> bool {
        self.rest
            .strip_prefix(id)
            .is_some_and(|rest| !rest.starts_with([':', '_']))
    }

    /// Reads up to the end of a path.
    fn take_path(&mut self) -> &'n str {
        let end = self.rest.find(['<', '>', ',', ';', ']', ')', ' ']);
        let (path, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        path
    }

    /// Moves past a text, if it comes next. Returns whether it does.
    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

/// Returns the name of a type with its parameters.
fn compose(base: &str, parameters: &[String]) -> Option<String> {
    Some(match (base, parameters) {
        _ if base.contains('{') => fill_placeholders(base, parameters)?,
        (base, []) => base.to_owned(),
        ("Option", [some]) => format!("Nullable_{some}"),
        ("Map", [key, value]) => format!("Map_from_{key}_to_{value}"),
        ("Result", [ok, err]) => format!("Result_of_{ok}_or_{err}"),
        (base, parameters) => format!("{base}_of_{}", parameters.join("_and_")),
    })
}

/// Fills in the placeholders of a name, if it is certain which parameter belongs where: the id has
/// the parameters in the order of their own names, and numbers first.
fn fill_placeholders(pattern: &str, parameters: &[String]) -> Option<String> {
    let mut placeholders: Vec<&str> = pattern
        .split('{')
        .skip(1)
        .filter_map(|text| Some(text.split_once('}')?.0))
        .collect();
    placeholders.sort_unstable();
    placeholders.dedup();
    let has_number = parameters.iter().any(|name| is_number(name));
    if placeholders.len() != parameters.len() || parameters.len() > 1 && has_number {
        return None;
    }
    let mut name = pattern.to_owned();
    for (placeholder, parameter) in placeholders.iter().zip(parameters) {
        name = name.replace(&format!("{{{placeholder}}}"), parameter);
    }
    Some(name)
}

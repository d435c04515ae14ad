//! Shapes say where a client has to convert a value of JSON: bytes, and in TypeScript integers that a double cannot
//! hold.
//!
//! ```text
//! type Page = { image: bytes, title: string }      shape of Page: { fields: { image: "bytes", title: null }, … }
//! ```
//!
//! A parser of JSON would leave the bytes in base64, and `JSON.parse` would round the integers before any type is
//! looked at. A client whose types have neither needs no shapes, and gets none. How a shape is spelt is the language's.

use docent_describe::json::Json;
use std::fmt::Write as _;

use super::integers::Integers;
use super::model::{Field, Model, Type, TypeDefinition};

/// The spelling of shapes in a language.
pub(super) struct ShapeSyntax {
    /// Writes a string literal.
    pub(super) quoted: fn(&str) -> String,
    /// Returns the name of the shape of a type itself, without what is inside it.
    pub(super) own: fn(&Type, Integers) -> Option<&'static str>,
    /// Stands for the shape of a value that is read as it is.
    pub(super) none: &'static str,
    /// True if the names of members are quoted.
    pub(super) quotes_members: bool,
    /// The text around two values that belong together.
    pub(super) pair: [&'static str; 2],
    /// The text around the pairs of members and their shapes.
    pub(super) fields: [&'static str; 2],
    /// The text around the shape of a named type, after its name. It is a function, since types may lead to each other.
    pub(super) function: [&'static str; 3],
    /// The text before the name of a function in other shapes.
    pub(super) scope: &'static str,
}

/// The shapes of all types.
pub(super) struct Shapes<'m> {
    model: &'m Model,
    syntax: &'static ShapeSyntax,
    /// True if any type has such values. Without them, a client needs no shapes.
    pub(super) is_needed: bool,
}

impl<'m> Shapes<'m> {
    pub(super) fn new(model: &'m Model, syntax: &'static ShapeSyntax) -> Self {
        let named = model
            .types
            .iter()
            .flat_map(|named| named.definition.parts());
        let outputs = model.procedures.iter().map(|procedure| &procedure.output);
        let data = model.errors.iter().filter_map(|error| error.data.as_ref());
        let is_needed = named
            .chain(outputs)
            .chain(data)
            .any(|ty| ty.any(&mut |ty| (syntax.own)(ty, model.integers).is_some()));
        Self {
            model,
            syntax,
            is_needed,
        }
    }

    /// Writes the shape of a type, or returns `None` if it cannot have such values.
    pub(super) fn write_used(&self, ty: &Type) -> Option<String> {
        self.is_needed.then(|| self.write(ty, "shapes."))?
    }

    /// Writes a shape. `within` is put before the names of named types.
    fn write(&self, ty: &Type, within: &str) -> Option<String> {
        Some(match ty {
            Type::List(ty) => format!("{{ {}: {} }}", self.key("list"), self.write(ty, within)?),
            Type::Map(ty) => format!("{{ {}: {} }}", self.key("map"), self.write(ty, within)?),
            Type::Nullable(ty) => self.write(ty, within)?,
            Type::Tuple(each, rest) => {
                let items: Vec<String> = each.iter().map(|ty| self.part(ty, within)).collect();
                let rest = self.rest(rest.as_deref(), within);
                format!("{{ {}: [{}]{rest} }}", self.key("items"), items.join(", "))
            }
            Type::Ref(at) => format!("{within}{}", self.model.types[*at].name),
            ty => (self.syntax.quoted)((self.syntax.own)(ty, self.model.integers)?),
        })
    }

    /// Writes the name of a member of a shape.
    fn key(&self, name: &str) -> String {
        if self.syntax.quotes_members {
            (self.syntax.quoted)(name)
        } else {
            name.to_owned()
        }
    }

    /// Writes a name and what belongs to it.
    fn pair(&self, name: &str, value: &str) -> String {
        let [open, close] = self.syntax.pair;
        format!("{open}{}, {value}{close}", (self.syntax.quoted)(name))
    }

    /// Writes the shape of a part, if only to say that it has none.
    fn part(&self, ty: &Type, within: &str) -> String {
        self.write(ty, within)
            .unwrap_or_else(|| self.syntax.none.to_owned())
    }

    /// Writes the shape of the parts that have no place or name of their own.
    fn rest(&self, ty: Option<&Type>, within: &str) -> String {
        match ty.and_then(|ty| self.write(ty, within)) {
            Some(shape) => format!(", {}: {shape}", self.key("rest")),
            None => String::new(),
        }
    }

    /// Writes the shapes of the named types.
    pub(super) fn named(&self) -> String {
        let [before, open, close] = self.syntax.function;
        let mut out = String::new();
        for named in &self.model.types {
            let body = match &named.definition {
                TypeDefinition::Object(fields, others) => self.members(fields, others.kept_type()),
                definition => {
                    let mut shapes = Vec::new();
                    for ty in definition.parts() {
                        shapes.extend(self.write(ty, self.syntax.scope));
                    }
                    format!("{}: [{}]", self.key("either"), shapes.join(", "))
                }
            };
            let _ = write!(out, "{before}{}{open}{body}{close}", named.name);
        }
        out
    }

    /// Writes the shapes of members, and which of them tell alternatives apart.
    fn members(&self, fields: &[Field], rest: Option<&Type>) -> String {
        let mut members = Vec::new();
        // Members with one value only tell the alternatives of a union apart.
        let mut constants = Vec::new();
        for field in fields {
            members.push(self.pair(&field.wire, &self.part(&field.ty, self.syntax.scope)));
            if field.required
                && let Ok(TypeDefinition::Values(values)) = self.model.definition(&field.ty)
                && let [Json::String(only)] = &values[..]
            {
                constants.push(self.pair(&field.wire, &(self.syntax.quoted)(only)));
            }
        }
        let [open, close] = self.syntax.fields;
        format!(
            "{}: {open}{}{close}{}, {}: [{}]",
            self.key("fields"),
            members.join(", "),
            self.rest(rest, self.syntax.scope),
            self.key("is"),
            constants.join(", ")
        )
    }
}

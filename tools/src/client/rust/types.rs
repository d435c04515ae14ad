//! Types in Rust, with what serde needs to read and write them.
//!
//! Two things are decided here that other languages do not need: which types are boxed because they contain themselves,
//! and in which order the variants of an enum are tried, because serde takes the first that fits.

use std::cmp::Reverse;
use std::fmt::Write as _;

use docent_describe::json::Json;
use docent_describe::schema::{IntegerRange, ReferenceGraph};

use super::source::{RESERVED_NAMES, docs, quoted};
use super::unions::{buffered_types, overlapping_types, strict_types};
use crate::client::integers::Integers;
use crate::client::model::{Field, Model, NamedType, Type, TypeDefinition};
use crate::client::names::{IdentifierScope, pascal, snake_fields, words};

/// The maximum length of a tuple for which the standard library implements all traits that are needed.
const MAX_TUPLE_LENGTH: usize = 12;

/// The attribute of types that derive what every type has.
const DERIVE_ATTRIBUTE: &str =
    "#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]\n";

/// The looseness of objects, above that of all other types but any.
const OBJECT_LOOSENESS: usize = 1 << 20;

/// Prints types.
pub(super) struct Printer<'m> {
    pub(super) model: &'m Model,
    /// The types that may contain values of their own type.
    is_recursive: Vec<bool>,
    /// The types that have to refuse members they do not have, since nothing else tells their values from those of
    /// another variant.
    is_strict: Vec<bool>,
    /// The types that have to keep members they do not have, since a value may be of another variant at once.
    keeps_others: Vec<bool>,
    /// The types inside unions. serde keeps their values before it knows their types, and keeps no integers of more
    /// than 64 bits.
    is_buffered: Vec<bool>,
}

/// The context that a type is written in.
#[derive(Clone, Copy, Default)]
struct TypeContext {
    /// The named type of which it is a field, a variant or an element of a tuple.
    owner: Option<usize>,
    /// True if serde keeps the value before it knows its type.
    is_buffered: bool,
}

impl<'m> Printer<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let edges: ReferenceGraph = model
            .types
            .iter()
            .map(|named| {
                let mut edges = Vec::new();
                for ty in named.definition.parts() {
                    ty.any(&mut |ty| {
                        edges.extend(ty.named());
                        false
                    });
                }
                edges
            })
            .collect();
        Self {
            model,
            is_recursive: edges.circular(),
            is_buffered: buffered_types(model, &edges),
            is_strict: strict_types(model),
            keeps_others: overlapping_types(model),
        }
    }

    /// Returns the file with all types.
    pub(super) fn file(&self) -> String {
        let mut out = String::from("//! The types of parameters, results and errors.\n");
        for (index, named) in self.model.types.iter().enumerate() {
            out.push('\n');
            docs(&mut out, "", &named.docs);
            self.write_named(&mut out, index, named);
        }
        out
    }

    /// Writes a type: a struct, an enum, or another name.
    fn write_named(&self, out: &mut String, index: usize, named: &'m NamedType) {
        let name = &named.name;
        match &named.definition {
            TypeDefinition::Object(fields, others) => {
                let overlapping = self.keeps_others[index].then_some(&Type::Any);
                self.write_object(out, index, fields, others.kept_type().or(overlapping));
            }
            TypeDefinition::Values(values) => values_type(out, name, values),
            TypeDefinition::Union(each, _) => {
                out.push_str(DERIVE_ATTRIBUTE);
                let _ = writeln!(out, "#[serde(untagged)]\npub enum {name} {{");
                let mut scope = IdentifierScope::new("Variant", &["Self"]);
                // serde takes the first variant that fits.
                let mut each: Vec<&Type> = each.iter().collect();
                each.sort_by_key(|ty| (self.looseness(ty), Reverse(self.count_closed(ty))));
                for ty in each {
                    let variant = scope.take(self.variant_name(ty));
                    let ty = self.inner(ty, "", self.context(index));
                    let _ = writeln!(out, "    {variant}({ty}),");
                }
                out.push_str("}\n");
            }
            // An alias cannot lead back to itself.
            TypeDefinition::Alias(ty) if self.is_recursive[index] => {
                out.push_str(DERIVE_ATTRIBUTE);
                let ty = self.inner(ty, "", self.context(index));
                let _ = writeln!(out, "#[serde(transparent)]\npub struct {name}(pub {ty});");
            }
            TypeDefinition::Alias(ty) => {
                let context = TypeContext {
                    owner: None,
                    ..self.context(index)
                };
                let ty = self.inner(ty, "", context);
                let _ = writeln!(out, "pub type {name} = {ty};");
            }
        }
    }

    /// Writes a struct, with a constructor if some of its members are optional.
    fn write_object(
        &self,
        out: &mut String,
        index: usize,
        fields: &'m [Field],
        rest: Option<&Type>,
    ) {
        let type_name = &self.model.types[index].name;
        let is_optional = fields.iter().all(|field| !field.required);
        let default = if is_optional { " Default," } else { "" };
        let _ = writeln!(
            out,
            "#[derive(Debug, Clone,{default} PartialEq, serde::Serialize, serde::Deserialize)]"
        );
        if self.is_strict[index] {
            out.push_str("#[serde(deny_unknown_fields)]\n");
        }
        let _ = writeln!(out, "pub struct {type_name} {{");
        let fields = snake_fields(fields, RESERVED_NAMES);
        for (name, field) in &fields {
            docs(out, "    ", &field.docs);
            let mut attributes: Vec<String> = Vec::new();
            if *name != field.wire {
                attributes.push(format!("rename = {}", quoted(&field.wire)));
            }
            if !field.required {
                attributes.push("default, skip_serializing_if = \"Option::is_none\"".to_owned());
                if self.model.takes_null(&field.ty) {
                    // A missing member is `None`, and null is `Some(None)`.
                    attributes.push("deserialize_with = \"docent_client::present\"".to_owned());
                }
            }
            if !attributes.is_empty() {
                let _ = writeln!(out, "    #[serde({})]", attributes.join(", "));
            }
            let _ = writeln!(
                out,
                "    pub {name}: {},",
                self.field(field, self.context(index))
            );
        }
        let mut rest_name = None;
        if let Some(ty) = rest {
            let context = TypeContext {
                owner: None,
                is_buffered: true,
            };
            let ty = self.inner(ty, "", context);
            // A member of the service may have this name too.
            let mut name = "further_members".to_owned();
            while fields.iter().any(|(known, _)| *known == name) {
                name.push('_');
            }
            let _ = writeln!(
                out,
                "    /// Members with other names.\n    #[serde(flatten)]\n    pub {name}: std::collections::BTreeMap<String, {ty}>,"
            );
            rest_name = Some(name);
        }
        out.push_str("}\n");
        // Without required members there is `Default`, and without optional ones a literal says as much.
        let has_optional = rest.is_some() || fields.iter().any(|(_, field)| !field.required);
        if !is_optional && has_optional {
            self.constructor(out, index, &fields, rest_name.as_deref());
        }
    }

    /// Writes a function that takes only the required members.
    fn constructor(
        &self,
        out: &mut String,
        index: usize,
        fields: &[(String, &Field)],
        rest: Option<&str>,
    ) {
        let name = &self.model.types[index].name;
        let mut declared = Vec::new();
        for (name, field) in fields.iter().filter(|(_, field)| field.required) {
            let mut context = self.context(index);
            if self.is_boxed(&field.ty, context) {
                // The constructor puts it into its box.
                context.owner = None;
            }
            declared.push(format!("{name}: {}", self.inner(&field.ty, "", context)));
        }
        let _ = writeln!(
            out,
            "\nimpl {name} {{\n    /// Creates a value with the required members.\n    #[must_use]\n    pub fn new({}) -> Self {{\n        Self {{",
            declared.join(", ")
        );
        for (name, field) in fields {
            let value = if !field.required {
                format!("{name}: None")
            } else if self.is_boxed(&field.ty, self.context(index)) {
                format!("{name}: Box::new({name})")
            } else {
                name.clone()
            };
            let _ = writeln!(out, "            {value},");
        }
        if let Some(rest) = rest {
            let _ = writeln!(
                out,
                "            {rest}: std::collections::BTreeMap::new(),"
            );
        }
        out.push_str("        }\n    }\n}\n");
    }

    /// Writes the type of a field, which is an option if the member may be missing.
    fn field(&self, field: &Field, context: TypeContext) -> String {
        let ty = self.inner(&field.ty, "", context);
        if field.required {
            ty
        } else {
            format!("Option<{ty}>")
        }
    }

    /// Writes a type. `path` is put before the names of named types.
    pub(super) fn write(&self, ty: &Type, path: &str) -> String {
        self.inner(ty, path, TypeContext::default())
    }

    /// Returns the context of the parts of a named type.
    fn context(&self, index: usize) -> TypeContext {
        TypeContext {
            owner: Some(index),
            is_buffered: self.is_buffered[index],
        }
    }

    /// Returns whether a field of this type has to be boxed, because its values may contain values of
    /// the type around it.
    fn is_boxed(&self, ty: &Type, context: TypeContext) -> bool {
        match (ty.named(), context.owner) {
            (Some(part), Some(owner)) => self.is_recursive[part] && self.is_recursive[owner],
            _ => false,
        }
    }

    /// Writes a type inside another. Only a field of a recursive type is boxed: lists and maps hold their values apart.
    fn inner(&self, ty: &Type, path: &str, context: TypeContext) -> String {
        let apart = TypeContext {
            owner: None,
            ..context
        };
        match ty {
            Type::Any => ANY_TYPE.to_owned(),
            Type::Null => "()".to_owned(),
            Type::Boolean => "bool".to_owned(),
            Type::Integer(range) => self.integer(*range, context.is_buffered).to_owned(),
            Type::Number => "f64".to_owned(),
            Type::Text => "String".to_owned(),
            Type::Bytes => "docent_client::Bytes".to_owned(),
            Type::List(ty) => format!("Vec<{}>", self.inner(ty, path, apart)),
            Type::Tuple(each, None) if (1..=MAX_TUPLE_LENGTH).contains(&each.len()) => {
                let comma = if each.len() == 1 { "," } else { "" };
                let mut elements = Vec::new();
                for ty in each {
                    elements.push(self.inner(ty, path, context));
                }
                format!("({}{comma})", elements.join(", "))
            }
            Type::Tuple(..) => "Vec<serde_json::Value>".to_owned(),
            Type::Map(ty) => {
                let value = self.inner(ty, path, apart);
                format!("std::collections::BTreeMap<String, {value}>")
            }
            Type::Nullable(ty) => format!("Option<{}>", self.inner(ty, path, context)),
            Type::Ref(index) => {
                let name = format!("{path}{}", self.model.types[*index].name);
                if self.is_boxed(ty, context) {
                    format!("Box<{name}>")
                } else {
                    name
                }
            }
        }
    }

    /// Returns how loose a type is: the looser, the more values match. serde reads an array as a struct, and an object
    /// with one member as a listed text.
    fn looseness(&self, ty: &Type) -> usize {
        match self.model.definition(ty) {
            Ok(TypeDefinition::Values(values)) => match written_as(values) {
                ANY_TYPE => self.looseness(&Type::Any),
                "String" => OBJECT_LOOSENESS + 2,
                _ => 1,
            },
            Ok(TypeDefinition::Object(fields, _)) => {
                let required = fields.iter().filter(|field| field.required).count();
                OBJECT_LOOSENESS.saturating_sub(required)
            }
            Ok(TypeDefinition::Union(each, _)) => {
                each.iter().map(|ty| self.looseness(ty)).max().unwrap_or(0)
            }
            Err(Type::Tuple(..)) => 0,
            Err(Type::List(_)) => 1,
            Err(Type::Integer(_)) => 2,
            Err(Type::Number) => 3,
            Err(Type::Map(_)) => OBJECT_LOOSENESS + 1,
            Err(Type::Bytes) => OBJECT_LOOSENESS + 3,
            Err(Type::Any) => OBJECT_LOOSENESS + 5,
            _ => OBJECT_LOOSENESS + 4,
        }
    }

    /// Returns how many members or elements of a type have listed values only, less those whose values are of several
    /// kinds, which any value fits. Of two objects that require as many members, the one with more of these is tried
    /// first: a text of a list fits an open text, too.
    fn count_closed(&self, ty: &Type) -> i32 {
        let parts = match self.model.definition(ty) {
            Ok(TypeDefinition::Object(fields, _)) => fields.iter().map(|field| &field.ty).collect(),
            Err(Type::List(ty) | Type::Map(ty)) => vec![&**ty],
            Err(Type::Tuple(each, _)) => each.iter().collect(),
            _ => Vec::new(),
        };
        let mut count = 0;
        for part in parts {
            count += match self.model.definition(part) {
                Ok(TypeDefinition::Values(values)) if written_as(values) == ANY_TYPE => -1,
                Ok(TypeDefinition::Values(_)) => 1,
                _ => 0,
            };
        }
        count
    }

    /// Returns the smallest common integer type that holds every value, as far as serde can keep it.
    fn integer(&self, range: IntegerRange, is_buffered: bool) -> &'static str {
        let is_wide = self.model.integers == Integers::I128 && !is_buffered;
        let [widest_least, widest_most] = match range.least {
            _ if is_wide => [i128::MIN, i128::MAX],
            Some(0..) => [0, u64::MAX.into()],
            _ => [i64::MIN.into(), i64::MAX.into()],
        };
        let least = range.least.unwrap_or(widest_least);
        let greatest = range.greatest.unwrap_or(widest_most.unsigned_abs());
        let mut name = "i128";
        for (fitting, from, to) in INTEGER_TYPES {
            if from <= least && greatest <= to {
                name = fitting;
                break;
            }
        }
        match name {
            "u128" if is_buffered => "u64",
            "i128" if is_buffered => "i64",
            name => name,
        }
    }

    /// Returns the name of a variant that holds this type.
    fn variant_name(&self, ty: &'m Type) -> &'m str {
        match ty {
            Type::Any => "Any",
            Type::Null => "Null",
            Type::Boolean => "Boolean",
            Type::Integer(_) => "Integer",
            Type::Number => "Number",
            Type::Text => "Text",
            Type::Bytes => "Bytes",
            Type::List(_) => "List",
            Type::Tuple(..) => "Tuple",
            Type::Map(_) => "Map",
            Type::Nullable(ty) => self.variant_name(ty),
            Type::Ref(index) => &self.model.types[*index].name,
        }
    }
}

/// The type of values of any kind.
const ANY_TYPE: &str = "serde_json::Value";

/// Returns the type as which listed values are read and written.
fn written_as(values: &[Json]) -> &'static str {
    if values.iter().all(|value| value.as_str().is_some()) {
        "String"
    } else if values.iter().all(|value| value.as_i64().is_some()) {
        "i64"
    } else if values.iter().all(|value| value.as_bool().is_some()) {
        "bool"
    } else {
        ANY_TYPE
    }
}

/// Writes the type of values that are listed: an enum, unless they are of several kinds.
fn values_type(out: &mut String, name: &str, values: &[Json]) {
    let ty = written_as(values);
    if ty == ANY_TYPE || ty == "bool" && values.len() == 2 {
        let _ = writeln!(out, "pub type {name} = {ty};");
        return;
    }
    out.push_str("#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]\n");
    if ty != "String" {
        let _ = writeln!(out, "#[serde(try_from = \"{ty}\", into = \"{ty}\")]");
    }
    let _ = writeln!(out, "pub enum {name} {{");
    let mut scope = IdentifierScope::new("Value", &["Self"]);
    let mut read = String::new();
    let mut written = String::new();
    for value in values {
        let text = match value {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        let variant = scope.take(&pascal(&words(&text)));
        docs(out, "    ", &format!("`{text}`"));
        if ty == "String" && variant != text {
            let _ = writeln!(out, "    #[serde(rename = {})]", quoted(&text));
        }
        let _ = writeln!(out, "    {variant},");
        let literal = value.as_i64().map_or(text, |number| number.to_string());
        let _ = writeln!(read, "            {literal} => Ok(Self::{variant}),");
        let _ = writeln!(written, "            {name}::{variant} => {literal},");
    }
    out.push_str("}\n");
    if ty != "String" {
        let _ = write!(
            out,
            "
impl std::convert::TryFrom<{ty}> for {name} {{
    type Error = String;

    fn try_from(value: {ty}) -> Result<Self, String> {{
        match value {{
{read}            _ => Err(format!(\"{{value}} is not one of the values\")),
        }}
    }}
}}

impl std::convert::From<{name}> for {ty} {{
    fn from(value: {name}) -> Self {{
        match value {{
{written}        }}
    }}
}}
"
        );
    }
}

/// The integer types, each with its bounds.
const INTEGER_TYPES: [(&str, i128, u128); 7] = [
    ("u8", 0, u8::MAX as u128),
    ("u32", 0, u32::MAX as u128),
    ("u64", 0, u64::MAX as u128),
    ("i32", i32::MIN as i128, i32::MAX as u128),
    ("i64", i64::MIN as i128, i64::MAX as u128),
    ("u128", 0, u128::MAX),
    ("i128", i128::MIN, i128::MAX as u128),
];

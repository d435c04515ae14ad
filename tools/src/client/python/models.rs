//! Types in Python, for type checkers: values are the dictionaries and lists of `json`, and nothing but bytes is
//! converted.

use docent_describe::json::Json;
use indexmap::IndexSet;
use std::fmt::Write as _;

use super::source::{RESERVED_NAMES, comment, docstring, quoted};
use crate::client::model::{Field, Model, NamedType, Type, TypeDefinition};

/// The maximum number of digits of an integer that becomes a literal. A longer one is any value.
const MAX_INTEGER_DIGITS: usize = 40;

/// Returns the file with all types.
pub(super) fn models(model: &Model) -> String {
    let mut out = String::from(
        "\"\"\"The types of parameters, results and errors.\"\"\"

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    import typing_extensions
",
    );
    for named in &model.types {
        out.push_str("\n\n");
        named_type(&mut out, model, named);
    }
    out
}

/// Writes a type: a class for an object, and an alias for anything else.
fn named_type(out: &mut String, model: &Model, named: &NamedType) {
    let name = &named.name;
    let alias = match &named.definition {
        TypeDefinition::Object(fields, _) => return object(out, model, named, fields),
        TypeDefinition::Values(values) => {
            match values.iter().map(literal).collect::<Option<Vec<_>>>() {
                Some(values) => format!("typing.Literal[{}]", values.join(", ")),
                None => "\"typing.Any\"".to_owned(),
            }
        }
        TypeDefinition::Union(each, _) => {
            let types: Vec<_> = each.iter().map(|ty| write_type(model, ty, "")).collect();
            format!("\"{}\"", types.join(" | "))
        }
        TypeDefinition::Alias(ty) => format!("\"{}\"", write_type(model, ty, "")),
    };
    comment(out, "", &named.docs);
    let _ = writeln!(out, "{name}: typing.TypeAlias = {alias}");
}

/// Writes an object. Names that no attribute can have need the other form of a `TypedDict`.
fn object(out: &mut String, model: &Model, named: &NamedType, fields: &[Field]) {
    let name = &named.name;
    if fields.iter().all(|field| is_attribute(&field.wire)) {
        let _ = writeln!(out, "class {name}(typing.TypedDict):");
        docstring(out, "    ", &named.docs);
        for field in fields {
            comment(out, "    ", &field.docs);
            let _ = writeln!(out, "    {}: {}", field.wire, member(model, field));
        }
        return;
    }
    comment(out, "", &named.docs);
    let _ = write!(out, "{name} = typing.TypedDict(\n    \"{name}\",\n    {{\n");
    for field in fields {
        comment(out, "        ", &field.docs);
        let wire = quoted(&field.wire);
        let ty = quoted(&member(model, field));
        let _ = writeln!(out, "        {wire}: {ty},");
    }
    out.push_str("    },\n)\n");
}

/// Returns whether a name can be an attribute of a class.
fn is_attribute(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !RESERVED_NAMES.contains(&name)
}

/// Writes the type of a member.
fn member(model: &Model, field: &Field) -> String {
    let ty = write_type(model, &field.ty, "");
    if field.required {
        ty
    } else {
        format!("typing_extensions.NotRequired[{ty}]")
    }
}

/// Returns a literal, unless Python has none for the value.
fn literal(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(quoted(text)),
        Json::Bool(value) => Some(if *value { "True" } else { "False" }.to_owned()),
        Json::Number(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            if digits.len() > MAX_INTEGER_DIGITS
                || !digits.bytes().all(|byte| byte.is_ascii_digit())
            {
                return None;
            }
            Some(text.to_string())
        }
        _ => None,
    }
}

/// Writes a type. `within` is put before the names of named types.
pub(super) fn write_type(model: &Model, ty: &Type, within: &str) -> String {
    match ty {
        Type::Any => "typing.Any".to_owned(),
        Type::Null => "None".to_owned(),
        Type::Boolean => "bool".to_owned(),
        Type::Integer(_) => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Text => "str".to_owned(),
        Type::Bytes => "bytes".to_owned(),
        Type::List(ty) => format!("list[{}]", write_type(model, ty, within)),
        // JSON gives a list, and a list has one type of elements.
        Type::Tuple(each, rest) => {
            let mut types = IndexSet::new();
            for ty in each.iter().chain(rest.as_deref()) {
                types.insert(write_type(model, ty, within));
            }
            format!(
                "list[{}]",
                types.into_iter().collect::<Vec<_>>().join(" | ")
            )
        }
        Type::Map(ty) => format!("dict[str, {}]", write_type(model, ty, within)),
        Type::Nullable(ty) => format!("{} | None", write_type(model, ty, within)),
        Type::Ref(index) => format!("{within}{}", model.types[*index].name),
    }
}

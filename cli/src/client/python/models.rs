//! Types in Python.

use std::fmt::Write as _;

use docent_describe::json::Json;

use super::source::{RESERVED, comment, docstring, quoted};
use crate::client::model::{Field, Model, Named, Shape, Type};
use crate::client::text;

pub(super) fn models(model: &Model) -> String {
    let mut types = String::new();
    for named in &model.types {
        types.push('\n');
        named_type(&mut types, model, named);
    }
    let mut out = String::from("from __future__ import annotations\n\n");
    let code = text::without_comments(&types, &['#']);
    let uses: Vec<&str> = ["Any", "Literal", "TypeAlias", "TypedDict"]
        .into_iter()
        .filter(|name| {
            code.contains(name)
                || types.contains(&format!("{name}["))
                || *name == "Any" && types.contains("Any")
        })
        .collect();
    let needed = types.contains("NotRequired[");
    let mut typing = uses;
    if needed {
        typing.insert(0, "TYPE_CHECKING");
    }
    if !typing.is_empty() {
        let _ = writeln!(out, "from typing import {}", typing.join(", "));
    }
    if needed {
        out.push_str("\nif TYPE_CHECKING:\n    from typing_extensions import NotRequired\n");
    }
    while types.contains("\n\n\n\n") {
        types = types.replace("\n\n\n\n", "\n\n\n");
    }
    out + types.trim_end()
}

fn named_type(out: &mut String, model: &Model, named: &Named) {
    let name = &named.name;
    match &named.shape {
        Shape::Object(fields, _) if fields.iter().all(|field| is_attribute(&field.wire)) => {
            let _ = writeln!(out, "\nclass {name}(TypedDict):");
            docstring(out, "    ", &named.docs);
            if !named.docs.is_empty() {
                out.push('\n');
            }
            for field in fields {
                comment(out, "    ", &field.docs);
                let _ = writeln!(out, "    {}: {}", field.wire, member(model, field));
            }
            out.push('\n');
        }
        Shape::Object(fields, _) => {
            comment(out, "", &named.docs);
            let _ = writeln!(out, "{name} = TypedDict(\n    \"{name}\",\n    {{");
            for field in fields {
                comment(out, "        ", &field.docs);
                let of = quoted(&member(model, field));
                let _ = writeln!(out, "        {}: {of},", quoted(&field.wire));
            }
            out.push_str("    },\n)\n");
        }
        Shape::Values(values) => {
            comment(out, "", &named.docs);
            let is_literal = |value: &Json| match value {
                Json::Number(text) => is_plain_integer(text),
                _ => true,
            };
            if values.iter().all(is_literal) {
                let values: Vec<String> = values.iter().map(literal).collect();
                let _ = writeln!(out, "{name}: TypeAlias = Literal[{}]", values.join(", "));
            } else {
                let _ = writeln!(out, "{name}: TypeAlias = \"Any\"");
            }
        }
        Shape::Union(each) => {
            comment(out, "", &named.docs);
            let each: Vec<String> = each.iter().map(|of| write_type(model, of, "")).collect();
            let _ = writeln!(out, "{name}: TypeAlias = \"{}\"", each.join(" | "));
        }
        Shape::Alias(of) => {
            comment(out, "", &named.docs);
            let _ = writeln!(out, "{name}: TypeAlias = \"{}\"", write_type(model, of, ""));
        }
    }
}

/// Returns whether a name can be an attribute of a class.
fn is_attribute(name: &str) -> bool {
    let begins = name
        .bytes()
        .next()
        .is_some_and(|it| it.is_ascii_alphabetic());
    let is_keyword = RESERVED.contains(&name) || ["None", "True", "False"].contains(&name);
    begins && !is_keyword && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
        // These would hide types that annotate other members.
        && !["Any", "Literal", "TypedDict", "NotRequired", "TypeAlias"].contains(&name)
        && name.bytes().next().is_some_and(|it| it.is_ascii_lowercase())
}

fn member(model: &Model, field: &Field) -> String {
    let of = write_type(model, &field.of, "");
    if field.required {
        of
    } else {
        format!("NotRequired[{of}]")
    }
}

fn is_plain_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.bytes().all(|it| it.is_ascii_digit()) && digits.len() <= 40
}

pub(super) fn literal(value: &Json) -> String {
    match value {
        Json::String(text) => quoted(text),
        Json::Bool(true) => "True".to_owned(),
        Json::Bool(false) => "False".to_owned(),
        other => other.to_string(),
    }
}

pub(super) fn write_type(model: &Model, of: &Type, within: &str) -> String {
    let inner = |of: &Type| write_type(model, of, within);
    match of {
        Type::Any => "Any".to_owned(),
        Type::Null => "None".to_owned(),
        Type::Boolean => "bool".to_owned(),
        Type::Integer(_) => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Text => "str".to_owned(),
        Type::List(of) => format!("list[{}]", inner(of)),
        // JSON gives a list, and a list has one type of elements.
        Type::Tuple(each, rest) => {
            let mut of: Vec<String> = Vec::new();
            for each in each.iter().chain(rest.as_deref()).map(inner) {
                if !of.contains(&each) {
                    of.push(each);
                }
            }
            format!("list[{}]", of.join(" | "))
        }
        Type::Map(of) => format!("dict[str, {}]", inner(of)),
        Type::Nullable(of) => format!("{} | None", inner(of)),
        Type::Ref(place) => format!("{within}{}", model.named(*place).name),
    }
}

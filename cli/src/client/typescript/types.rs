//! Types in TypeScript.

use std::fmt::Write as _;

use docent_describe::json::Json;

use super::source::{docs, quoted};
use crate::client::model::{Field, Model, Named, Shape, Type};

pub(super) fn named_type(out: &mut String, model: &Model, named: &Named) {
    docs(out, "", &named.docs);
    let name = &named.name;
    match &named.shape {
        Shape::Object(fields, rest) => {
            let _ = writeln!(out, "export interface {name} {{");
            for field in fields {
                member(out, model, field);
            }
            if rest.is_some() {
                out.push_str("  [name: string]: unknown;\n");
            }
            out.push_str("}\n");
        }
        Shape::Values(values) => {
            let values: Vec<String> = values.iter().map(literal).collect();
            let _ = writeln!(out, "export type {name} = {};", values.join(" | "));
        }
        Shape::Union(each) => {
            let each: Vec<String> = each.iter().map(|of| write_type(model, of, "")).collect();
            let _ = writeln!(out, "export type {name} = {};", each.join(" | "));
        }
        Shape::Alias(of) => {
            let _ = writeln!(out, "export type {name} = {};", write_type(model, of, ""));
        }
    }
    out.push('\n');
}

fn member(out: &mut String, model: &Model, field: &Field) {
    docs(out, "  ", &field.docs);
    let optional = if field.required { "" } else { "?" };
    let of = write_type(model, &field.of, "");
    let _ = writeln!(out, "  {}{optional}: {of};", key(&field.wire));
}

/// Writes the name of a member.
fn key(name: &str) -> String {
    let mut bytes = name.bytes();
    let begins = bytes
        .next()
        .is_some_and(|it| it.is_ascii_alphabetic() || it == b'_' || it == b'$');
    if begins && bytes.all(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b'$') {
        name.to_owned()
    } else {
        quoted(name)
    }
}

fn literal(value: &Json) -> String {
    match value {
        Json::String(text) => quoted(text),
        Json::Bool(value) => value.to_string(),
        // A double cannot hold longer literals, which would become other numbers.
        Json::Number(text) if text.len() <= 15 => text.to_string(),
        _ => "number".to_owned(),
    }
}

/// Writes a type. `within` is put before the names of named types.
pub(super) fn write_type(model: &Model, of: &Type, within: &str) -> String {
    let inner = |of: &Type| write_type(model, of, within);
    match of {
        Type::Any => "unknown".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Integer(range) if range.is_big() => "bigint".to_owned(),
        Type::Integer(_) | Type::Number => "number".to_owned(),
        Type::Text => "string".to_owned(),
        Type::List(of) => match **of {
            Type::Nullable(_) => format!("({})[]", inner(of)),
            _ => format!("{}[]", inner(of)),
        },
        Type::Tuple(each, rest) => {
            let each = each.iter().map(inner);
            let rest = rest.iter().map(|of| format!("...({})[]", inner(of)));
            format!("[{}]", each.chain(rest).collect::<Vec<_>>().join(", "))
        }
        Type::Map(of) => format!("{{ [name: string]: {} }}", inner(of)),
        Type::Nullable(of) => format!("{} | null", inner(of)),
        Type::Ref(place) => format!("{within}{}", model.named(*place).name),
    }
}

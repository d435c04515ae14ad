//! Types in TypeScript.

use docent_describe::json::Json;
use std::fmt::Write as _;

use super::source::{docs, quoted};
use crate::client::model::{ClientShape, Model, Type};

pub(super) fn types(model: &Model) -> String {
    // Without an export, the file would not be a module.
    let mut out = String::from("export {};\n");
    for named in &model.types {
        out.push('\n');
        docs(&mut out, "", &named.docs);
        let name = &named.name;
        let each: Vec<String> = match &named.shape {
            ClientShape::Object(fields, others) => {
                let _ = writeln!(out, "export interface {name} {{");
                for field in fields {
                    docs(&mut out, "  ", &field.docs);
                    let optional = if field.required { "" } else { "?" };
                    let of = write_type(model, &field.of, "");
                    let _ = writeln!(out, "  {}{optional}: {of};", key(&field.wire));
                }
                if others.kept().is_some() {
                    out.push_str("  [name: string]: unknown;\n");
                }
                out.push_str("}\n");
                continue;
            }
            ClientShape::Values(values) => values.iter().map(literal).collect(),
            shape => shape
                .parts()
                .into_iter()
                .map(|of| write_type(model, of, ""))
                .collect(),
        };
        let _ = writeln!(out, "export type {name} = {};", each.join(" | "));
    }
    out
}

/// Writes the name of a member.
fn key(name: &str) -> String {
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it == b'$';
    let begins = name.starts_with(|it: char| !it.is_ascii_digit());
    if begins && name.bytes().all(is_plain) {
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
        Type::Integer(bounds) if bounds.is_bigint(model.integers) => "bigint".to_owned(),
        Type::Integer(_) | Type::Number => "number".to_owned(),
        Type::Text | Type::Bytes => "string".to_owned(),
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
        Type::Ref(place) => format!("{within}{}", model.types[*place].name),
    }
}

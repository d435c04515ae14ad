//! Types in TypeScript. They describe values as the client reads them; nothing is checked when a program runs.

use docent_describe::json::Json;
use std::fmt::Write as _;

use super::source::{docs, quoted};
use crate::client::model::{Model, Type, TypeDefinition};

/// Writes all types.
pub(super) fn types(out: &mut String, model: &Model) {
    for named in &model.types {
        out.push('\n');
        docs(out, "", &named.docs);
        let name = &named.name;
        let each: Vec<String> = match &named.definition {
            TypeDefinition::Object(fields, others) => {
                let _ = writeln!(out, "export interface {name} {{");
                for field in fields {
                    docs(out, "  ", &field.docs);
                    let optional = if field.required { "" } else { "?" };
                    let ty = write_type(model, &field.ty);
                    let _ = writeln!(out, "  {}{optional}: {ty};", key(&field.wire));
                }
                if others.kept_type().is_some() {
                    out.push_str("  [name: string]: unknown;\n");
                }
                out.push_str("}\n");
                continue;
            }
            TypeDefinition::Values(values) => values.iter().map(literal).collect(),
            definition => definition
                .parts()
                .into_iter()
                .map(|ty| write_type(model, ty))
                .collect(),
        };
        let _ = writeln!(out, "export type {name} = {};", each.join(" | "));
    }
}

/// Writes the name of a member.
fn key(name: &str) -> String {
    let is_plain = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'));
    if is_plain && name.starts_with(|first: char| !first.is_ascii_digit()) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// Writes a listed value.
fn literal(value: &Json) -> String {
    match value {
        Json::String(text) => quoted(text),
        Json::Bool(value) => value.to_string(),
        // A double cannot hold longer literals, which would become other numbers.
        Json::Number(text) if text.len() <= 15 => text.to_string(),
        _ => "number".to_owned(),
    }
}

/// Writes a type.
pub(super) fn write_type(model: &Model, ty: &Type) -> String {
    match ty {
        Type::Any => "unknown".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Integer(range) if model.integers.are_bigint(*range) => "bigint".to_owned(),
        Type::Integer(_) | Type::Number => "number".to_owned(),
        Type::Text => "string".to_owned(),
        Type::Bytes => "Uint8Array".to_owned(),
        Type::List(ty) => {
            let element = write_type(model, ty);
            match **ty {
                Type::Nullable(_) => format!("({element})[]"),
                _ => format!("{element}[]"),
            }
        }
        Type::Tuple(each, rest) => {
            let mut elements = Vec::new();
            for ty in each {
                elements.push(write_type(model, ty));
            }
            if let Some(ty) = rest {
                elements.push(format!("...({})[]", write_type(model, ty)));
            }
            format!("[{}]", elements.join(", "))
        }
        Type::Map(ty) => format!("{{ [name: string]: {} }}", write_type(model, ty)),
        Type::Nullable(ty) => format!("{} | null", write_type(model, ty)),
        Type::Ref(index) => model.types[*index].name.clone(),
    }
}

//! Shapes tell the reader of JSON where values may have integers that a double cannot hold, and bytes.
//!
//! `JSON.parse` would round the integers before any type is looked at, and leave the bytes in base64. A client whose
//! types have neither needs no shapes, and gets none.

use docent_describe::json::Json;
use std::fmt::Write as _;

use super::source::quoted;
use crate::client::integers::Integers;
use crate::client::model::{ClientShape, Field, Model, Type};

/// The shapes of all types.
pub(super) struct TypeScriptShapes<'m> {
    model: &'m Model,
    /// True if any type has such values. Without them, a client needs no shapes.
    pub(super) is_needed: bool,
}

impl<'m> TypeScriptShapes<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let named = model.types.iter().flat_map(|named| named.shape.parts());
        let returned = model.procedures.iter().map(|procedure| &procedure.returns);
        let data = model.errors.iter().filter_map(|error| error.data.as_ref());
        let mut types = named.chain(returned).chain(data);
        let is_needed = types.any(|of| of.any(&mut |of| own_shape(of, model.integers).is_some()));
        Self { model, is_needed }
    }

    /// Writes the shape of a type, or returns `None` if it cannot have such values.
    pub(super) fn write_used(&self, of: &Type) -> Option<String> {
        self.is_needed.then(|| self.write(of, "shapes."))?
    }

    /// Writes a shape. `within` is put before the names of named types.
    fn write(&self, of: &Type, within: &str) -> Option<String> {
        Some(match of {
            Type::List(of) => format!("{{ list: {} }}", self.write(of, within)?),
            Type::Map(of) => format!("{{ map: {} }}", self.write(of, within)?),
            Type::Nullable(of) => self.write(of, within)?,
            Type::Tuple(each, rest) => {
                let items: Vec<String> = each.iter().map(|of| self.part(of, within)).collect();
                let rest = self.rest(rest.as_deref(), within);
                format!("{{ items: [{}]{rest} }}", items.join(", "))
            }
            Type::Ref(at) => format!("{within}{}", self.model.types[*at].name),
            of => quoted(own_shape(of, self.model.integers)?),
        })
    }

    /// Writes the shape of a part, if only to say that it has none.
    fn part(&self, of: &Type, within: &str) -> String {
        self.write(of, within).unwrap_or("undefined".to_owned())
    }

    /// Writes the shape of the parts that have no place or name of their own.
    fn rest(&self, of: Option<&Type>, within: &str) -> String {
        match of.and_then(|of| self.write(of, within)) {
            Some(shape) => format!(", rest: {shape}"),
            None => String::new(),
        }
    }

    /// Writes the shapes of the named types. Each is a function, since types may lead to each other.
    pub(super) fn file(&self) -> String {
        let mut out =
            String::from("import type { Shape } from \"./json.ts\";\nexport type { Shape };\n");
        for named in &self.model.types {
            let body = match &named.shape {
                ClientShape::Object(fields, others) => self.members(fields, others.kept()),
                shape => {
                    let each = shape
                        .parts()
                        .into_iter()
                        .filter_map(|of| self.write(of, ""));
                    format!("either: [{}]", each.collect::<Vec<_>>().join(", "))
                }
            };
            let _ = write!(
                out,
                "\nexport const {} = (): Shape => ({{ {body} }});\n",
                named.name
            );
        }
        out
    }

    /// Writes the shapes of members, and which of them tell alternatives apart.
    fn members(&self, fields: &[Field], rest: Option<&Type>) -> String {
        let mut members = Vec::new();
        // Members with one value only tell the alternatives of a union apart.
        let mut constants = Vec::new();
        for field in fields {
            let wire = quoted(&field.wire);
            members.push(format!("[{wire}, {}]", self.part(&field.of, "")));
            if field.required
                && let Ok(ClientShape::Values(values)) = self.model.shape(&field.of)
                && let [Json::String(only)] = &values[..]
            {
                constants.push(format!("[{wire}, {}]", quoted(only)));
            }
        }
        let members = members.join(", ");
        let constants = constants.join(", ");
        let rest = self.rest(rest, "");
        format!("fields: new Map<string, Shape | undefined>([{members}]){rest}, is: [{constants}]")
    }
}

/// Returns the shape of values of a type itself, without those inside them.
fn own_shape(of: &Type, integers: Integers) -> Option<&'static str> {
    match of {
        Type::Integer(bounds) if bounds.is_bigint(integers) => Some("big"),
        Type::Bytes => Some("bytes"),
        _ => None,
    }
}

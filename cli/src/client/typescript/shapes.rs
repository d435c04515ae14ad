//! Finds the parts of values that may have integers that a double cannot hold.

use std::fmt::Write as _;

use docent_describe::json::Json;

use super::source::quoted;
use crate::client::model::{Field, Model, Shape, Type};

/// The named types with such integers, and whether any type has them.
#[derive(Debug)]
pub(super) struct Shapes(Vec<bool>, bool);

impl Shapes {
    pub(super) fn new(model: &Model) -> Self {
        let mut this = Self(vec![false; model.types.len()], false);
        loop {
            let marked = |at: usize| match &model.types[at].shape {
                Shape::Object(fields, rest) => {
                    let fields = fields.iter().map(|field| &field.of);
                    fields.chain(rest).any(|of| this.has(of))
                }
                Shape::Union(each) => each.iter().any(|of| this.has(of)),
                Shape::Alias(of) => this.has(of),
                Shape::Values(_) => false,
            };
            let now: Vec<bool> = (0..model.types.len()).map(marked).collect();
            if now == this.0 {
                break;
            }
            this.0 = now;
        }
        let all = model.procedures.iter().flat_map(|it| {
            let params = it.params.iter().map(|param| &param.of);
            params.chain([&it.returns])
        });
        let data = model.errors.iter().filter_map(|it| it.data.as_ref());
        this.1 = this.0.contains(&true) || all.chain(data).any(|of| this.has(of));
        this
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.1
    }

    fn has(&self, of: &Type) -> bool {
        match of {
            Type::Integer(range) => range.is_big(),
            Type::List(of) | Type::Map(of) | Type::Nullable(of) => self.has(of),
            Type::Tuple(each, rest) => {
                each.iter().any(|of| self.has(of)) || rest.as_ref().is_some_and(|of| self.has(of))
            }
            Type::Ref(place) => self.0[*place],
            _ => false,
        }
    }

    /// Writes the shape of a type, or returns `None` if it has no such integers.
    pub(super) fn of(&self, model: &Model, of: Option<&Type>) -> Option<String> {
        Some(self.write(model, of?, "shapes.")).filter(|_| of.is_some_and(|of| self.has(of)))
    }

    fn write(&self, model: &Model, of: &Type, within: &str) -> String {
        if !self.has(of) {
            return "undefined".to_owned();
        }
        let inner = |of: &Type| self.write(model, of, within);
        match of {
            Type::List(of) => format!("{{ list: {} }}", inner(of)),
            Type::Map(of) => format!("{{ map: {} }}", inner(of)),
            Type::Nullable(of) => inner(of),
            Type::Tuple(each, rest) => {
                let each: Vec<String> = each.iter().map(inner).collect();
                let rest = rest.as_ref().filter(|of| self.has(of));
                let rest = rest.map(|of| format!(", rest: {}", inner(of)));
                let rest = rest.unwrap_or_default();
                format!("{{ items: [{}]{rest} }}", each.join(", "))
            }
            Type::Ref(place) => format!("{within}{}", model.named(*place).name),
            _ => "\"big\"".to_owned(),
        }
    }

    /// Writes the shapes of the named types. Each is a function, since types may lead to each other.
    pub(super) fn file(&self, model: &Model) -> String {
        if !self.0.contains(&true) {
            return "export {};\n".to_owned();
        }
        let mut out = String::from("import type { Shape } from \"./json.js\";\n");
        for (named, _) in model.types.iter().zip(&self.0).filter(|(_, has)| **has) {
            let body = match &named.shape {
                Shape::Object(fields, rest) => self.members(model, fields, rest.as_ref()),
                Shape::Union(each) => {
                    let each = each.iter().filter(|of| self.has(of));
                    let each: Vec<String> = each.map(|of| self.write(model, of, "")).collect();
                    format!("({{ either: [{}] }})", each.join(", "))
                }
                Shape::Alias(of) => format!("({})", self.write(model, of, "")),
                Shape::Values(_) => continue,
            };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "\nexport const {} = (): Shape => {body};", named.name);
        }
        out
    }
    fn members(&self, model: &Model, fields: &[Field], rest: Option<&Type>) -> String {
        let rest = rest.filter(|of| self.has(of));
        // If the other members have such integers, list the members without them too.
        let listed = fields
            .iter()
            .filter(|it| rest.is_some() || self.has(&it.of));
        let listed: Vec<String> = listed
            .map(|it| format!("[{}, {}]", quoted(&it.wire), self.write(model, &it.of, "")))
            .collect();
        let rest = rest.map(|of| format!(", rest: {}", self.write(model, of, "")));
        let told = fields.iter().filter_map(|it| match model.shape(&it.of) {
            Ok(Shape::Values(values)) if it.required => match &values[..] {
                [Json::String(only)] => Some(format!("[{}, {}]", quoted(&it.wire), quoted(only))),
                _ => None,
            },
            _ => None,
        });
        let told: Vec<String> = told.collect();
        let is = if told.is_empty() {
            String::new()
        } else {
            format!(", is: [{}]", told.join(", "))
        };
        format!(
            "({{ fields: new Map<string, Shape | undefined>([{}]){}{is} }})",
            listed.join(", "),
            rest.unwrap_or_default()
        )
    }
}

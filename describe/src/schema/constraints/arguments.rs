//! Constraints on the arguments of a function, as `#[procedure]` notes them.
//!
//! The note is a member of the argument's schema, with the keywords of each attribute:
//! `{"length": {"maxLength": 3, "maxItems": 3}, "inner": {"range": {"minimum": 1}}}`.

use super::layers::{layers, present_mut};
use crate::json::{Json, Object};
use crate::schema::accepted::accepted;
use crate::schema::canonical::sort_keywords;
use crate::schema::keyword::kinds_about;
use crate::schema::kinds::Kinds;
use crate::schema::problem::SchemaProblem;
use crate::schema::type_schemas::Definitions;

/// The member with the attributes of an argument. `docent-macros` writes it.
const NOTED_ATTRIBUTES: &str = "x-docent-attributes";

/// Adds the noted constraints to the schemas of arguments, unless the generator has done so, and removes
/// the notes.
///
/// Returns a problem for each attribute that is about none of the values that its argument takes.
pub(in crate::schema) fn constrain_arguments(
    root: &mut Json,
    definitions: &Definitions,
) -> Vec<SchemaProblem> {
    let mut problems = Vec::new();
    let Some(Json::Object(arguments)) = root
        .as_object_mut()
        .and_then(|members| members.get_mut("properties"))
    else {
        return problems;
    };
    for (name, schema) in arguments.iter_mut() {
        let Json::Object(members) = schema else {
            continue;
        };
        let Some(Json::Object(attributes)) = members.shift_remove(NOTED_ATTRIBUTES) else {
            continue;
        };
        ArgumentSchema {
            subject: format!("the parameter `{name}`"),
            schema,
            definitions,
            problems: &mut problems,
        }
        .constrain(&attributes);
    }
    problems
}

/// The schema of an argument or of its elements.
struct ArgumentSchema<'a> {
    /// The values, as a problem names them.
    subject: String,
    schema: &'a mut Json,
    definitions: &'a Definitions,
    problems: &'a mut Vec<SchemaProblem>,
}

impl ArgumentSchema<'_> {
    /// Adds the keywords of all attributes.
    fn constrain(&mut self, attributes: &Object) {
        let kinds = accepted(self.schema, self.definitions).some;
        for (attribute, keywords) in attributes {
            let Json::Object(keywords) = keywords else {
                continue;
            };
            if attribute.as_str() == "inner" {
                self.constrain_elements(keywords);
                continue;
            }
            let mut fitting = keywords.clone();
            fitting.retain(|keyword, _| kinds_about(keyword.as_str()).meet(kinds));
            if attribute.as_str() == "contains"
                && let Some(Json::String(text)) = fitting.get_mut("pattern")
            {
                *text = regex_syntax::escape(text);
            }
            if fitting.is_empty() {
                let about =
                    Kinds::any(keywords.keys().map(|keyword| kinds_about(keyword.as_str())));
                self.reject(attribute.as_str(), about);
            } else if !self.has_any(&fitting) {
                self.add(fitting);
            }
        }
    }

    /// Adds the keywords of the attributes inside `inner`.
    fn constrain_elements(&mut self, attributes: &Object) {
        let mut elements = None;
        for layer in layers(self.schema, self.definitions) {
            if let Some(items) = layer.get("items") {
                let elements = elements.get_or_insert_with(Object::new);
                elements.extend(items.as_object().cloned().unwrap_or_default());
            }
        }
        let Some(elements) = elements else {
            return self.reject("inner", Kinds::ARRAY);
        };
        let mut constrained = Json::Object(elements.clone());
        ArgumentSchema {
            subject: format!("an element of {}", self.subject),
            schema: &mut constrained,
            definitions: self.definitions,
            problems: self.problems,
        }
        .constrain(attributes);
        if constrained != Json::Object(elements) {
            self.add(Object::new().with("items", constrained));
        }
    }

    /// Returns whether the schema has one of these keywords already: then the generator has known its type.
    fn has_any(&self, keywords: &Object) -> bool {
        // The generator writes a format into every schema.
        keywords.contains_key("format")
            || layers(self.schema, self.definitions).iter().any(|layer| {
                keywords
                    .iter()
                    .any(|(keyword, value)| layer.get(keyword.as_str()) == Some(value))
            })
    }

    /// Adds keywords, in an `Option` to the branch that is not null.
    fn add(&mut self, keywords: Object) {
        let Json::Object(members) = &mut *self.schema else {
            return;
        };
        let constrained = match present_mut(members) {
            Some(Json::Object(present)) => present,
            _ => members,
        };
        for (keyword, value) in keywords {
            // A bound that is there is tighter: it is the bound of the type.
            if keyword.as_str() == "items" || !constrained.contains_key(keyword.as_str()) {
                constrained.insert(keyword, value);
            }
        }
        sort_keywords(constrained);
    }

    /// Adds the problem of an attribute that is about other values.
    fn reject(&mut self, attribute: &str, about: Kinds) {
        let names: Vec<_> = about.type_names().map(with_article).collect();
        self.problems.push(SchemaProblem::new(format!(
            "{} is never {}, so `{attribute}` has no effect on it; remove the attribute",
            self.subject,
            names.join(" or ")
        )));
    }
}

/// Returns the name of a type with its article.
fn with_article(name: &str) -> String {
    let article = if name == "array" { "an" } else { "a" };
    format!("{article} {name}")
}

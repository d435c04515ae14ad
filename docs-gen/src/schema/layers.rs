//! All schemas that apply to one value: the schema itself, the branches of `allOf`, the only branch
//! besides null, and the target of a reference that leads into a shared schema.

use docent_describe::json::Json;
use docent_describe::schema;

use super::refs::{Shared, component_name};

/// The most schemas that are considered, and the deepest nesting. No reasonable schema has more.
const MOST: usize = 64;
const DEEPEST: usize = 12;

/// The schemas of one value. References to whole shared schemas are not followed: those have pages.
#[derive(Debug, Default)]
pub(crate) struct Layers<'j> {
    /// The schemas, with the outermost first.
    pub(crate) schemas: Vec<&'j Json>,
    /// The schemas that describe the meaning of null.
    pub(crate) nulls: Vec<&'j Json>,
}

impl<'j> Layers<'j> {
    pub(crate) fn of(shared: &'j Shared, schema: &'j Json) -> Self {
        let mut layers = Self::default();
        layers.add(shared, schema, DEEPEST);
        layers
    }

    fn add(&mut self, shared: &'j Shared, schema: &'j Json, left: usize) {
        let Some(left) = left.checked_sub(1).filter(|_| self.schemas.len() < MOST) else {
            return;
        };
        self.schemas.push(schema);
        if let Some(target) = entered(shared, schema) {
            self.add(shared, target, left);
        }
        for branch in list(schema, "allOf") {
            self.add(shared, branch, left);
        }
        for word in ["oneOf", "anyOf"] {
            let branches = list(schema, word);
            let mut others = branches.iter().filter(|branch| !is_null(branch));
            let (first, second) = (others.next(), others.next());
            if first.is_some() {
                let nulls = branches.iter().filter(|branch| is_null(branch));
                self.nulls.extend(nulls.take(MOST));
            }
            if let (Some(only), None) = (first, second) {
                self.add(shared, only, left);
            }
        }
    }

    /// Returns the alternatives of each `oneOf` and `anyOf` that has several besides null.
    pub(crate) fn unions(schema: &'j Json) -> impl Iterator<Item = (&'static str, Vec<&'j Json>)> {
        ["oneOf", "anyOf"].into_iter().filter_map(move |word| {
            let branches = list(schema, word).iter();
            let others: Vec<_> = branches.filter(|branch| !is_null(branch)).collect();
            (others.len() > 1).then_some((word, others))
        })
    }
}

/// Returns the target of a reference that leads into a shared schema.
fn entered<'j>(shared: &'j Shared, schema: &Json) -> Option<&'j Json> {
    let reference = schema.get("$ref")?.as_str()?;
    match component_name(schema) {
        Some(_) => None,
        None => schema::resolve(reference, shared),
    }
}

/// Returns the elements of a keyword that holds a list of schemas.
pub(crate) fn list<'j>(schema: &'j Json, keyword: &str) -> &'j [Json] {
    let list = schema.get(keyword).and_then(Json::as_array);
    list.unwrap_or_default()
}

/// Returns whether a schema accepts only null.
pub(crate) fn is_null(schema: &Json) -> bool {
    schema.get("type").and_then(Json::as_str) == Some("null")
        || matches!(schema.get("const"), Some(Json::Null))
}

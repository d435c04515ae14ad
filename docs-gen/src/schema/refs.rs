//! The schemas that a service shares, and references to them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use docent_describe::ServiceDescription;
use docent_describe::json::Json;
use docent_describe::schema::{self, Examples, for_each_reference};
use indexmap::IndexMap;

/// The schemas that a service shares, by name.
pub(crate) type SharedSchemas = IndexMap<String, Json>;

/// The number of schemas that may be visited for an example on every page of a service.
const MOST_VISITED: usize = 20_000_000;
/// The number of schemas that may be visited for an example, however many pages there are.
const LEAST_VISITED: usize = 1_000;

/// Creates a value that satisfies a schema. Returns `None` if none is found.
pub(crate) type MakeExample<'a> = dyn Fn(&Json) -> Option<Json> + 'a;

/// Returns a maker of examples for the pages of a service. Every example may take the same, so the
/// pages do not depend on their order.
pub(crate) fn examples(service: &ServiceDescription) -> Box<MakeExample<'_>> {
    let share = MOST_VISITED / service.procs.len().max(1);
    let examples = Examples::new(&service.components.schemas).at_most(share.max(LEAST_VISITED));
    Box::new(move |schema| examples.of(schema))
}

/// Returns a member of a schema if it is a string that is not blank.
pub(crate) fn text_of<'j>(schema: &'j Json, member: &str) -> Option<&'j str> {
    let text = schema.get(member).and_then(Json::as_str);
    text.filter(|text| !text.trim().is_empty())
}

/// Returns the schema itself or the target of its reference, through references to references.
pub(crate) fn resolve<'j>(shared: &'j SharedSchemas, mut schema: &'j Json) -> &'j Json {
    // References may form a circle. No reasonable chain is longer than this.
    for _ in 0..16 {
        match component_name(schema).and_then(|name| shared.get(name.as_ref())) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// Returns the name of the shared schema that this schema refers to.
pub(super) fn component_name(schema: &Json) -> Option<Cow<'_, str>> {
    schema::component_name(schema.get("$ref")?.as_str()?)
}

/// Collects the names of the shared schemas that a schema refers to directly.
pub(crate) fn collect_refs(schema: &Json, names: &mut BTreeSet<String>) {
    for_each_reference(schema, &mut |reference| {
        names.extend(schema::component_name(reference).map(Cow::into_owned));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_hexadecimal_digits_after_a_percent_sign_are_a_byte() {
        for (reference, name) in [
            ("#/components/schemas/a%2Bf", "a+f"),
            ("#/components/schemas/a%+f", "a%+f"),
            ("#/components/schemas/a~1b%7E0", "a/b~"),
        ] {
            let schema = Json::from(&serde_json::json!({ "$ref": reference }));
            assert_eq!(component_name(&schema).as_deref(), Some(name));
        }
    }
}

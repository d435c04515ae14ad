//! The schemas that a service shares, and references to them.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use docent_describe::json::Json;
use docent_describe::schema::{
    self, Examples, Kinds, KindsOf, SchemaContext, Validator, for_each_reference,
};
use docent_describe::{Example, ProcedureDescription};
use indexmap::IndexMap;

/// The number of schemas that may be visited for an example on every page of a service.
const MOST_VISITED: usize = 20_000_000;
/// The number of schemas that may be visited for an example, however many pages there are.
const LEAST_VISITED: usize = 1_000;

type MakeExample<'j> = dyn Fn(&Json) -> Option<Json> + 'j;

/// The schemas that a service shares, and what is known of them so far.
pub(crate) struct SharedSchemas<'j> {
    /// The schemas by name.
    pub(crate) by_name: &'j IndexMap<String, Json>,
    pub(super) kinds_of: KindsOf<'j>,
    /// Whether a schema, by name, describes other values than objects.
    pub(super) simple: RefCell<HashMap<String, bool>>,
    /// The kinds that the targets of references allow, and whether null is one by what they say.
    pub(super) targets: RefCell<HashMap<*const Json, (Kinds, bool)>>,
    make_example: Box<MakeExample<'j>>,
    judge: Box<dyn JudgeExamples + 'j>,
}

/// Decides which examples break their schemas. A validator by itself would not let a page borrow schemas for less time
/// than the service.
trait JudgeExamples {
    fn is_broken(&self, procedure: &ProcedureDescription, example: &Example) -> bool;
    fn refuses(&self, schema: &Json, value: &Json) -> bool;
}

impl JudgeExamples for Validator<'_> {
    fn is_broken(&self, procedure: &ProcedureDescription, example: &Example) -> bool {
        Validator::is_broken(self, procedure, example)
    }

    fn refuses(&self, schema: &Json, value: &Json) -> bool {
        Validator::refuses(self, schema, value)
    }
}

impl<'j> SharedSchemas<'j> {
    /// Prepares the schemas of a service for this number of pages. The example on every page may take
    /// the same time, so the pages do not depend on their order.
    pub(crate) fn new(by_name: &'j IndexMap<String, Json>, pages: usize) -> Self {
        let share = MOST_VISITED / pages.max(1);
        let examples = Examples::new(by_name).at_most(share.max(LEAST_VISITED));
        Self {
            by_name,
            kinds_of: KindsOf::new(by_name),
            simple: RefCell::default(),
            targets: RefCell::default(),
            make_example: Box::new(move |schema| examples.of(schema)),
            judge: Box::new(Validator::new(SchemaContext {
                components: by_name,
                enforced_formats: None,
            })),
        }
    }

    /// Sets the context of the schemas, which says which formats are checked.
    pub(crate) fn in_context(self, context: SchemaContext<'j>) -> Self {
        Self {
            judge: Box::new(Validator::new(context)),
            ..self
        }
    }

    /// Returns whether an example of a procedure breaks its schemas.
    pub(crate) fn is_broken(&self, procedure: &ProcedureDescription, example: &Example) -> bool {
        self.judge.is_broken(procedure, example)
    }

    /// Returns the first of the examples in a schema that does not break it.
    pub(crate) fn given_example<'s>(&self, schema: &'s Json) -> Option<&'s Json> {
        let mut examples = schema::list(schema.as_object()?, "examples").iter();
        examples.find(|example| !self.judge.refuses(schema, example))
    }

    /// Creates a value that satisfies a schema. Returns `None` if none is found.
    pub(crate) fn example(&self, schema: &Json) -> Option<Json> {
        (self.make_example)(schema)
    }
}

/// Returns a member of a schema if it is a string that is not blank.
pub(crate) fn text_of<'j>(schema: &'j Json, member: &str) -> Option<&'j str> {
    let text = schema.get(member).and_then(Json::as_str);
    text.filter(|text| !text.trim().is_empty())
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

//! The members of Docent's format, each with an example of the specification that has it.
//!
//! Tests hold what renders, compares and shows descriptions to these samples, so that a new member is forgotten
//! nowhere. It is not a test itself; other crates include this file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use docent_describe::json::{Json, Pointer};
use docent_describe::render::FORMAT_SCHEMA;

/// A member that an example has.
pub(crate) struct MemberSample {
    /// The object and the member, such as `parameter.default`.
    pub(crate) name: String,
    /// The pointer to the member in the description.
    pub(crate) pointer: Pointer,
    /// The description that has the member.
    pub(crate) with: Json,
}

impl MemberSample {
    /// Returns the description without the member.
    pub(crate) fn without(&self) -> Json {
        let mut tokens: Vec<String> = self.pointer.tokens().collect();
        let member = tokens.pop().expect("a member");
        let mut description = self.with.clone();
        let mut object = &mut description;
        for token in tokens {
            object = match object {
                Json::Array(values) => &mut values[token.parse::<usize>().expect("an index")],
                Json::Object(members) => members.get_mut(token.as_str()).expect("a member"),
                _ => panic!("{} leads nowhere", self.pointer),
            };
        }
        let members = object.as_object_mut().expect("an object");
        members.shift_remove(member.as_str());
        description
    }
}

/// Returns a sample for each member in each example of the specification.
pub(crate) fn member_samples() -> Vec<MemberSample> {
    let format: Json = FORMAT_SCHEMA.parse().expect("JSON");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/examples");
    let mut samples = Vec::new();
    for file in fs::read_dir(folder).expect("examples") {
        let text = fs::read_to_string(file.expect("a file").path()).expect("text");
        let example: Json = text.parse().expect("JSON");
        let mut found = Vec::new();
        find_members(
            &format,
            &format,
            "service",
            &example,
            &Pointer::root(),
            &mut found,
        );
        for member in found {
            samples.push(MemberSample {
                name: member.name,
                pointer: member.pointer,
                with: example.clone(),
            });
        }
    }
    samples
}

/// A member in an example.
struct FoundMember {
    /// The object and the member.
    name: String,
    pointer: Pointer,
}

/// Adds the members of `value` and of the objects inside it that `schema` defines. `object` names the object.
fn find_members(
    format: &Json,
    schema: &Json,
    object: &str,
    value: &Json,
    pointer: &Pointer,
    found: &mut Vec<FoundMember>,
) {
    let reference = schema.get("$ref").and_then(Json::as_str);
    if let Some(path) = reference.and_then(|reference| reference.strip_prefix('#')) {
        let target = Pointer::resolve(path, format).expect("a definition");
        let name = path.trim_start_matches("/$defs/");
        find_members(format, target, name, value, pointer, found);
    }
    for alternative in schema
        .get("anyOf")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
    {
        find_members(format, alternative, object, value, pointer, found);
    }
    match value {
        Json::Object(members) => {
            for (name, value) in members {
                let Some(schema) = schema
                    .get("properties")
                    .and_then(|all| all.get(name.as_str()))
                else {
                    continue;
                };
                let inner = format!("{object}.{name}");
                let pointer = pointer.join(name);
                found.push(FoundMember {
                    name: inner.clone(),
                    pointer: pointer.clone(),
                });
                find_members(format, schema, &inner, value, &pointer, found);
            }
        }
        Json::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                if let Some(schema) = schema.get("items") {
                    find_members(format, schema, object, value, &pointer.join(index), found);
                }
            }
        }
        _ => {}
    }
}

/// Checks that the members that a place lacks are those that it leaves out: members, and objects with all their members.
#[track_caller]
pub(crate) fn assert_left_out<'m>(
    place: &str,
    lacking: impl Iterator<Item = &'m str>,
    left_out: &[&'m str],
) {
    let lacking: BTreeSet<&str> = lacking
        .map(|member| {
            let listed = left_out.iter().find(|listed| {
                let rest = member.strip_prefix(**listed);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            });
            listed.copied().unwrap_or(member)
        })
        .collect();
    let expected: BTreeSet<&str> = left_out.iter().copied().collect();
    let forgotten: Vec<_> = lacking.difference(&expected).collect();
    assert!(
        forgotten.is_empty(),
        "{place} lacks {forgotten:?}: add them there, or to the members that the test lists as left out"
    );
    let present: Vec<_> = expected.difference(&lacking).collect();
    assert!(
        present.is_empty(),
        "{place} has {present:?}, which the test lists as left out"
    );
}

//! Samples, examples and forms of awkward and of random schemas: what a page writes down fits the published schemas.

#[path = "../../../describe/tests/it/views/schemas.rs"]
mod schemas;
#[expect(dead_code, reason = "other tests use more of it")]
#[path = "../../../describe/tests/it/views/subjects.rs"]
mod subjects;

use std::collections::BTreeSet;

use docent_describe::json::Json;
use docent_docs_gen::Site;
use docent_tools::read::read;
use serde_json::{Value, json};

use self::subjects::Subject;
use crate::html::{self, between};
use crate::pages::{site, text};

/// The number of random schemas.
const RANDOM: usize = 60;

/// The pages of schemas, and what the schemas accept.
struct Pages {
    subjects: Vec<Subject>,
    site: Site,
}

impl Pages {
    fn new() -> Self {
        let mut subjects = subjects::awkward();
        subjects.extend(subjects::random(RANDOM, |_| {}));
        let document = subjects::openrpc(&subjects).to_string();
        let read = read(document.as_bytes()).expect("a description");
        Self {
            subjects,
            site: site(read.description),
        }
    }
}

#[track_caller]
fn assert_fits(validator: &jsonschema::Validator, value: &Json, page: &str) {
    let parsed: Value = value.to_string().parse().expect("JSON");
    assert!(validator.is_valid(&parsed), "{page}: {value} does not fit");
}

/// Returns the parameter of a request on a page.
fn sent(request: &Json) -> Option<&Json> {
    match request.get("params")? {
        Json::Array(values) => values.first(),
        params => params.get("value"),
    }
}

#[test]
fn each_sample_and_example_fits_the_published_schema() {
    let pages = Pages::new();
    let mut found = 0;
    for subject in &pages.subjects {
        let name = &subject.name;
        let validator = subjects::validator(&pages.subjects, name);
        let page = text(&pages.site, &format!("{name}.html"));
        let requests = between(
            &page,
            "<pre class=\"request\" tabindex=\"0\"><code>",
            "</code>",
        );
        let curl = between(&page, "--data-raw &#39;", "&#39;");
        for request in requests.iter().chain(&curl) {
            let value = sent(request).expect("a parameter");
            assert_fits(&validator, value, name);
            found += 1;
        }
        for response in between(
            &page,
            "<pre class=\"response\" tabindex=\"0\"><code>",
            "</code>",
        ) {
            let result = response.get("result").expect("a result");
            assert_fits(&validator, result, name);
        }
        let page = text(&pages.site, &format!("types/{name}.html"));
        if let Some((_, example)) = page.split_once("id=\"example\"") {
            for value in between(example, "<pre tabindex=\"0\"><code>", "</code>")
                .iter()
                .take(1)
            {
                assert_fits(&validator, value, name);
            }
        }
    }
    assert!(found > pages.subjects.len(), "{found}");
}

/// Returns the names of the members that a schema requires, whatever its alternatives are.
fn required<'s>(subjects: &'s [Subject], schema: &'s Value, left: usize) -> BTreeSet<&'s str> {
    let mut names = BTreeSet::new();
    if left == 0 {
        return names;
    }
    let list = |keyword: &str| schema[keyword].as_array().into_iter().flatten();
    names.extend(list("required").filter_map(Value::as_str));
    for part in list("allOf") {
        names.extend(required(subjects, part, left - 1));
    }
    let target = schema["$ref"]
        .as_str()
        .and_then(|reference| reference.rsplit('/').next());
    if let Some(target) = subjects
        .iter()
        .find(|subject| Some(&*subject.name) == target)
    {
        names.extend(required(subjects, &target.schema, left - 1));
    }
    names
}

/// Returns the forms of objects that a kind of the form offers, and those of values that are typed as JSON.
fn object_forms<'k>(types: &'k Value, kind: &'k Value, left: usize) -> Vec<&'k Value> {
    match (kind["r"].as_u64(), kind["t"].as_str()) {
        _ if left == 0 => Vec::new(),
        (Some(number), _) => {
            let number = usize::try_from(number).expect("a number of a kind");
            object_forms(types, &types[number], left - 1)
        }
        (_, Some("object" | "any")) => vec![kind],
        (_, Some("union")) => kind["a"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|alternative| object_forms(types, &alternative[1], left - 1))
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn each_required_member_has_a_field_in_the_form() {
    let pages = Pages::new();
    let mut found = 0;
    let mut typed_as_json = Vec::new();
    for subject in &pages.subjects {
        let name = &subject.name;
        let page = text(&pages.site, &format!("{name}.html"));
        let form = html::form(&page);
        assert_eq!(form["params"][0][0], json!("value"), "{name}");
        assert_eq!(form["params"][0][2], json!(1), "{name}");
        let names = required(&pages.subjects, &subject.schema, 20);
        for object in object_forms(&form["types"], &form["params"][0][1], 20) {
            let Some(fields) = object["f"].as_array() else {
                typed_as_json.extend(names.first().map(|_| name.as_str()));
                continue;
            };
            let is_field = |name: &str| {
                fields
                    .iter()
                    .any(|field| field[0] == json!(name) && field[2] == json!(1))
            };
            for member in &names {
                assert!(
                    is_field(member),
                    "{name}: {member} in {object}\n{}",
                    subject.schema
                );
                found += 1;
            }
        }
    }
    assert!(found > 60, "{found}");
    assert_eq!(
        typed_as_json,
        ["R5Leaf", "R8", "R11", "R12Leaf", "R35Leaf", "R36"]
    );
}

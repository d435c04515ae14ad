//! The specification of the format in `spec/`, held to the schema and the reader.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use docent_describe::Carrier;
use docent_describe::json::{Json, Pointer};
use docent_describe::render::{FORMAT_SCHEMA, MemberForm, PROCEDURE_MEMBERS};
use docent_tools::read::{Format, read};

use crate::faults::faults;
use crate::member_samples::member_samples;

const TEXT: &str = include_str!("../../../spec/description.md");

/// The objects of the format: the heading in the text, and the place in the schema.
const OBJECTS: &[(&str, &str)] = &[
    ("Service", ""),
    ("Carrier", "/$defs/carrier"),
    ("Procedure", "/$defs/procedure"),
    ("Parameter", "/$defs/parameter"),
    ("Alias", "/$defs/alias"),
    ("Result", "/$defs/return"),
    ("Subscription", "/$defs/subscription"),
    ("Error", "/$defs/error"),
    ("Example", "/$defs/example"),
    ("Error of an example", "/$defs/example/properties/error"),
    ("Alternatives", "/$defs/alternatives"),
    ("Deprecation", "/$defs/deprecation"),
    ("Limits", "/$defs/limits"),
    ("Rate", "/$defs/limits/properties/rate"),
    ("Cache", "/$defs/procedure/properties/cache"),
    ("Repeatable", "/$defs/procedure/properties/repeatable"),
    ("Components", "/$defs/components"),
];

fn schema() -> Json {
    FORMAT_SCHEMA.parse().unwrap()
}

/// Checks a description as strictly as the specification asks of writers, and reads it.
#[track_caller]
fn check(name: &str, text: &str) {
    let document: Json = text.parse().unwrap();
    assert_eq!(faults(FORMAT_SCHEMA, &document), [""; 0], "{name}");
    let reading = read(text.as_bytes()).unwrap();
    assert_eq!(reading.format, Format::Docent, "{name}");
    assert_eq!(reading.warnings, [], "{name}");
    let rendered = docent_describe::render::describe(&reading.description);
    assert_eq!(rendered, document, "{name} is written again as it was");
}

/// Returns the members in the table below a heading, and whether each is required.
fn members(heading: &str) -> BTreeMap<String, bool> {
    let start = format!("\n### {heading}\n");
    let (_, section) = TEXT.split_once(&start).unwrap_or_else(|| panic!("{start}"));
    let mut members = BTreeMap::new();
    for line in section.lines().take_while(|line| !line.starts_with('#')) {
        if let Some(row) = line.strip_prefix("| `") {
            let (name, rest) = row.split_once("` |").unwrap();
            members.insert(name.to_owned(), rest.starts_with(" R |"));
        }
    }
    members
}

#[test]
fn the_published_schema_is_that_of_the_crate() {
    assert_eq!(include_str!("../../../spec/schema.json"), FORMAT_SCHEMA);
    let id = schema()
        .get("$id")
        .and_then(Json::as_str)
        .map(str::to_owned);
    let readme = include_str!("../../../spec/README.md");
    assert!(readme.contains(&format!("<{}>", id.unwrap())));
}

#[test]
fn every_example_is_valid_and_read_without_a_warning() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/examples");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let files: BTreeSet<_> = files.collect();
    assert!(files.len() > 5);
    for file in files {
        check(
            &file.display().to_string(),
            &fs::read_to_string(&file).unwrap(),
        );
    }
}

#[test]
fn every_description_in_the_text_is_valid_and_read_without_a_warning() {
    let blocks = TEXT.split("```json\n").skip(1);
    let mut whole = 0;
    for block in blocks.map(|block| block.split("```").next().unwrap()) {
        let value: Json = block.parse().unwrap();
        if value.get("sdversion").is_some() {
            whole += 1;
            check(block, block);
        }
    }
    assert!(whole > 1);
}

#[test]
fn text_and_schema_have_the_same_members() {
    let schema = schema();
    for (heading, place) in OBJECTS {
        let object = Pointer::resolve(place, &schema).unwrap();
        let properties = object.get("properties").and_then(Json::as_object).unwrap();
        let required = object.get("required").and_then(Json::as_array);
        let required = required.unwrap_or_default();
        let expected = properties.keys().map(|name| {
            let is_required = required
                .iter()
                .any(|required| required.as_str() == Some(name.as_str()));
            (name.to_string(), is_required)
        });
        assert_eq!(members(heading), expected.collect(), "{heading}");
    }
}

#[test]
fn the_text_names_each_member_of_a_procedure_that_another_format_has_as_an_extension() {
    let section = |heading: &str| {
        let (_, section) = TEXT.split_once(heading).unwrap();
        section.split("\n### ").next().unwrap()
    };
    for member in PROCEDURE_MEMBERS {
        for (form, heading) in [
            (member.openrpc, "### 6.2 OpenRPC"),
            (member.openapi, "### 6.3 OpenAPI"),
        ] {
            let name = member.openrpc_name;
            assert!(
                form != MemberForm::Extension || section(heading).contains(&format!("`{name}`")),
                "spec/description.md lacks `{name}` below {heading}"
            );
        }
    }
}

#[test]
fn text_and_schema_name_the_carriers_of_the_model() {
    let schema = schema();
    let names = Pointer::resolve("/$defs/carrier/properties/name/enum", &schema).unwrap();
    assert_eq!(
        *names,
        Carrier::NAMES.into_iter().collect::<Json>(),
        "spec/schema.json"
    );
    let (_, section) = TEXT.split_once("\n### Carrier\n").unwrap();
    let row = section
        .lines()
        .find(|line| line.starts_with("| `name`"))
        .unwrap();
    for name in Carrier::NAMES {
        assert!(
            row.contains(&format!("`{name}`")),
            "the row of a carrier's name in spec/description.md lacks `{name}`"
        );
    }
}

#[test]
fn every_object_of_the_schema_is_in_the_text() {
    fn count(value: &Json) -> usize {
        let inner = match value {
            Json::Object(members) => members.values().map(count).sum(),
            Json::Array(values) => values.iter().map(count).sum(),
            _ => 0,
        };
        inner
            + usize::from(
                value
                    .get("properties")
                    .is_some_and(|value| value.as_object().is_some()),
            )
    }
    assert_eq!(count(&schema()), OBJECTS.len());
}

#[test]
fn an_example_has_each_member() {
    let samples = member_samples();
    let used: BTreeSet<&str> = samples.iter().map(|sample| &*sample.name).collect();
    let schema = schema();
    for (heading, place) in OBJECTS {
        let known = Pointer::resolve(&format!("{place}/properties"), &schema).unwrap();
        let object = match place.strip_prefix("/$defs/") {
            Some(name) => name.replace("/properties/", "."),
            None => "service".to_owned(),
        };
        for name in known.as_object().unwrap().keys() {
            assert!(
                used.contains(&*format!("{object}.{name}")),
                "no description in spec/examples has the member `{name}` of {heading}"
            );
        }
    }
}

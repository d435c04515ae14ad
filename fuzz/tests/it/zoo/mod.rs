//! Many small types, one for each case. The service accepts exactly the values that the type's
//! published schema accepts, with members in any order, or `build()` reports a mistake.
//!
//! An independent validator checks the values. They are samples of the schema, and variants of them
//! with one change: another value, one member more or less, or another order.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod containers;
mod enums;
mod mixed;
mod nested;
mod scalars;
mod structs;

use std::panic::{AssertUnwindSafe, catch_unwind};

use docent_core::testing::assert_description_holds;
use docent_core::{Cx, Fault, Procedure, Service};
use docent_describe::json::{Json, Object};
use docent_describe::schema::{Examples, SchemaContext, SchemaViews};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The id of the service in every case.
pub(crate) const ID: &str = "urn:example:tested";

/// The approximate number of values to try for one type.
const MOST: usize = 600;

#[derive(Deserialize, JsonSchema)]
struct Case<T> {
    #[expect(dead_code, reason = "the types are only decoded")]
    v: T,
}

pub(crate) fn service<T: DeserializeOwned + JsonSchema + 'static>() -> Result<Service, String> {
    let procedure = Procedure::sync("p", |_: Cx, _: Case<T>| Ok::<_, Fault>(true));
    let built = Service::builder("zoo", ID).procedure(procedure).build();
    built.map_err(|error| error.to_string())
}

/// Checks that a type builds, and that its schema and the service agree on these values, on samples
/// of the schema, and on variants of the samples.
#[track_caller]
pub(crate) fn agrees_on<T: DeserializeOwned + JsonSchema + 'static>(values: &[&str]) {
    let service = match service::<T>() {
        Ok(service) => service,
        Err(error) => panic!("{}: {error}", std::any::type_name::<T>()),
    };
    let description = service.description();
    let schema = &description.procs[0].params[0].schema;
    let schemas = &description.components.schemas;
    let mut document: Object = schema.as_object().cloned().unwrap_or_default();
    let mut components = Object::new();
    let definitions: Object = schemas
        .iter()
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
    components.insert("schemas".to_owned(), Json::Object(definitions));
    document.insert("components".to_owned(), Json::Object(components));
    let document: serde_json::Value =
        serde_json::from_str(&Json::Object(document).to_string()).unwrap();
    let validator = jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .build(&document)
        .unwrap();
    let views = SchemaViews::new(SchemaContext::new(schemas, Some(&[])));
    let found = Examples::new(schemas).of_each_form(views.view_of_schema(schema));
    assert!(!found.is_empty(), "{document} has no sample");
    let mut texts: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
    for sample in &found {
        texts.push(sample.to_string());
        changes(sample, &mut |changed| texts.push(changed.to_string()));
    }
    texts.sort_unstable();
    texts.dedup();
    // If there are very many, a part of them shows as much.
    let stride = texts.len() / MOST + 1;
    let mut at = 0;
    texts.retain(|text| {
        at += 1;
        at % stride == 0 || values.contains(&text.as_str())
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let (mut taken, mut wrong) = (0, Vec::new());
    for text in &texts {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let allowed = validator.is_valid(&value);
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"p","params":{{"v":{text}}}}}"#);
        let response = runtime.block_on(service.handle(body)).unwrap();
        let response = String::from_utf8_lossy(&response).into_owned();
        let accepted = response.contains("\"result\":true");
        assert!(
            accepted || response.contains("-32602"),
            "{text}: {response}"
        );
        taken += usize::from(accepted);
        if accepted != allowed {
            wrong.push(format!(
                "{text}: schema allows it: {allowed}, response: {response}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n{document}\n{} of {}: {:#?}",
        std::any::type_name::<T>(),
        wrong.len(),
        texts.len(),
        &wrong[..wrong.len().min(8)]
    );
    assert!(
        taken > 0,
        "{}: the service accepts no value",
        std::any::type_name::<T>()
    );
}

/// Checks that a type builds and agrees with its schema.
#[track_caller]
pub(crate) fn agrees<T: DeserializeOwned + JsonSchema + 'static>() {
    agrees_on::<T>(&[]);
}

/// Checks that a type does not build, and that the error contains these words.
#[track_caller]
pub(crate) fn refused<T: DeserializeOwned + JsonSchema + 'static>(words: &[&str]) {
    let Err(error) = service::<T>() else {
        panic!("{} builds", std::any::type_name::<T>());
    };
    for word in words.iter().chain(&["procedure \"p\"", "parameter `v`"]) {
        assert!(error.contains(word), "{word:?} is not in: {error}");
    }
}

/// Checks that a type builds, and that `assert_description_holds` finds a value that its schema allows and it refuses.
#[track_caller]
pub(crate) fn untrue<T: DeserializeOwned + JsonSchema + 'static>(words: &[&str]) {
    let service = service::<T>().unwrap_or_else(|error| panic!("{error}"));
    let outcome = catch_unwind(AssertUnwindSafe(|| assert_description_holds(&service)));
    let panic = outcome.expect_err("a refused value");
    let message = panic.downcast_ref::<String>().expect("a message");
    for word in words.iter().chain(&["procedure \"p\"", "parameter `v`"]) {
        assert!(message.contains(word), "{word:?} is not in: {message}");
    }
}

/// Visits every variant of a sample that differs in one place.
pub(crate) fn changes(value: &Json, visit: &mut dyn FnMut(&Json)) {
    const OTHERS: [&str; 18] = [
        "null",
        "true",
        "0",
        "1",
        "-1",
        "255",
        "256",
        "0.5",
        "2.0",
        "1e39",
        "\"\"",
        "\"a\"",
        "\"ab\"",
        "[]",
        "[1]",
        "[1,\"a\"]",
        "{}",
        r#"{"a":1}"#,
    ];
    for other in OTHERS {
        visit(&other.parse().unwrap());
    }
    match value {
        Json::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                changes(element, &mut |changed| {
                    let mut elements = elements.clone();
                    elements[index] = changed.clone();
                    visit(&Json::Array(elements));
                });
            }
            let mut shorter = elements.clone();
            shorter.pop();
            visit(&Json::Array(shorter));
            let mut longer = elements.clone();
            longer.push(elements.last().cloned().unwrap_or(Json::Null));
            visit(&Json::Array(longer));
        }
        Json::Object(members) => {
            for (name, member) in members {
                changes(member, &mut |changed| {
                    let mut members = members.clone();
                    members.insert(name.clone(), changed.clone());
                    visit(&Json::Object(members));
                });
                let mut fewer = members.clone();
                fewer.shift_remove(name.as_str());
                visit(&Json::Object(fewer.clone()));
                let mut first = Object::new();
                first.insert(name.clone(), member.clone());
                first.extend(fewer.clone());
                visit(&Json::Object(first));
                for key in ["", "a", "ab", "01", "300", "-1", "true", "ä"] {
                    let mut renamed = fewer.clone();
                    renamed.insert(key.to_owned(), member.clone());
                    visit(&Json::Object(renamed));
                }
            }
            for extra in ["null", "1", "\"x\"", "[]", "{}"] {
                for key in ["extra", "c", "t", "b", "alias"] {
                    if !members.contains_key(key) {
                        let mut more = members.clone();
                        more.insert(key.to_owned(), extra.parse().unwrap());
                        visit(&Json::Object(more));
                    }
                }
            }
            let values: Vec<Json> = members.values().cloned().collect();
            visit(&Json::Array(values));
        }
        _ => {}
    }
}

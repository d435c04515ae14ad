//! The samples of pages that call a generated client, against that client.

use std::collections::BTreeMap;
use std::path::Path;

use docent_describe::ServiceDescription;
use docent_docs_gen::Site;
use docent_tools::client::{Integers, typescript};
use docent_tools::read::read;

const LIBRARY: &[u8] = include_bytes!("../../../docs-gen/tests/it/library.json");

/// Returns the description of a service with procedures of these names.
fn named(names: &[&str]) -> ServiceDescription {
    let methods: Vec<_> = names
        .iter()
        .map(|name| serde_json::json!({"name": name, "params": [], "result": {"name": "r", "schema": {}}}))
        .collect();
    let document = serde_json::json!({"openrpc": "1.3.2", "info": {"title": "Awkward", "version": "1"}, "methods": methods});
    description(document.to_string().as_bytes())
}

fn description(document: &[u8]) -> ServiceDescription {
    read(document).expect("a description").description
}

/// Returns the method of each procedure as the client declares it.
fn declared(service: &ServiceDescription) -> BTreeMap<String, String> {
    let files = typescript(service, None, Integers::default());
    let (_, client) = files
        .iter()
        .find(|(path, _)| *path == "index.ts")
        .expect("there");
    let mut methods = BTreeMap::new();
    let lines: Vec<&str> = client.lines().collect();
    for pair in lines.windows(2) {
        if let Some(call) = pair[1].trim().strip_prefix("return { method: ") {
            let mut wire = serde_json::Deserializer::from_str(call).into_iter::<String>();
            let wire = wire.next().expect("a name").expect("a literal");
            let (method, _) = pair[0].trim().split_once('(').expect("a function");
            methods.insert(wire, method.to_owned());
        }
    }
    methods
}

fn is_html(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|extension| extension == "html")
}

/// Returns the method that the page of each procedure calls.
fn shown(service: ServiceDescription) -> BTreeMap<String, String> {
    let site = Site::builder(service).build().expect("a site");
    let mut methods = BTreeMap::new();
    for path in site.paths().filter(|path| is_html(path)) {
        let page = site.page(path).expect("there").bytes;
        let page = String::from_utf8(page).expect("UTF-8");
        let Some((_, form)) = page.split_once("data-form=\"") else {
            continue;
        };
        let (form, _) = form.split_once('"').expect("its end");
        let form = form
            .replace("&quot;", "\"")
            .replace("&amp;", "&")
            .replace("&#x27;", "'");
        let form: serde_json::Value = serde_json::from_str(&form).expect("JSON");
        let Some(method) = form["client"].as_str() else {
            assert!(!page.contains("language-client"), "{path}");
            continue;
        };
        assert!(
            page.contains(&format!("</b> client.{method}("))
                || page.contains(&format!(" client.{method}(")),
            "{path}"
        );
        methods.insert(
            form["method"].as_str().expect("a name").to_owned(),
            method.to_owned(),
        );
    }
    methods
}

#[test]
fn samples_call_the_methods_that_the_client_has() {
    let awkward = [
        "send",
        "book.find",
        "book_find",
        "Book.Find",
        "then",
        "2d",
        "a1",
        "a",
        "A",
        "книга",
        "*/ x",
    ];
    let awkward = named(&awkward);
    assert_eq!(shown(awkward.clone()), declared(&awkward));

    let library = description(LIBRARY);
    let mut declared = declared(&library);
    let shown = shown(library);
    assert!(shown.len() > 3, "{shown:?}");
    declared.retain(|wire, _| shown.contains_key(wire));
    assert_eq!(shown, declared);
}

#[test]
fn no_sample_calls_the_client_with_what_json_cannot_write() {
    let service = |schema: &str| {
        let document = r#"{"openrpc": "1.3.2", "info": {"title": "Exact", "version": "1"}, "methods": [{"name": "end",
            "params": [{"name": "loan", "required": true, "schema": SCHEMA}], "result": {"name": "r", "schema": {}}}]}"#;
        description(document.replace("SCHEMA", schema).as_bytes())
    };
    for (schema, is_wide) in [
        (r#"{"type": "integer", "maximum": 9007199254740991}"#, false),
        (r#"{"type": "integer", "maximum": 9007199254740992}"#, true),
        (
            r#"{"type": "integer", "exclusiveMaximum": 9007199254740992}"#,
            false,
        ),
        (
            r#"{"type": "integer", "exclusiveMaximum": 9007199254740993}"#,
            true,
        ),
        (
            r#"{"type": "integer", "exclusiveMinimum": -9007199254740992}"#,
            false,
        ),
        (
            r#"{"type": "integer", "maximum": 18446744073709551615}"#,
            true,
        ),
        (r#"{"type": "integer", "maximum": 1e40}"#, true),
        (r#"{"enum": [1, 2]}"#, false),
        (r#"{"enum": [1, 9007199254740993]}"#, true),
        (r#"{"type": "number"}"#, false),
    ] {
        let service = service(schema);
        let files = typescript(&service, None, Integers::default());
        let is_bigint = files.iter().any(|(_, text)| text.contains("loan: bigint"));
        assert_eq!(is_bigint, is_wide, "the client: {schema}");
        assert_eq!(shown(service).is_empty(), is_wide, "the page: {schema}");
    }
}

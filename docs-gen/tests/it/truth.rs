//! What pages say is what the document says: nothing of it is lost, and nothing made up breaks it.

use docent_describe::read::read;
use docent_docs_gen::Site;

use crate::site::{check, site, text};

/// The site of an OpenRPC document with these methods and schemas.
fn site_of(methods: &str, schemas: &str) -> Site {
    let document = format!(
        r#"{{"openrpc": "1.3.2", "info": {{"title": "Shapes", "version": "1"}},
            "methods": [{methods}], "components": {{"schemas": {schemas}}}}}"#
    );
    let read = read(document.as_bytes()).expect("a description");
    let site = site(read.description);
    check(&site);
    site
}

#[test]
fn a_made_example_says_so_on_the_page_of_a_type_too() {
    let site = site_of(
        "",
        r#"{"Made": {"type": "string", "pattern": "^[0-9]{4}$"},
            "Given": {"type": "string", "examples": ["Moby-Dick"]},
            "None": {"type": "string", "pattern": "a$b"}}"#,
    );
    let made = text(&site, "types/Made.html");
    assert!(made.contains("0000") && made.contains("Generated from the schema"));
    let given = text(&site, "types/Given.html");
    assert!(given.contains("Moby-Dick") && !given.contains("Generated from the schema"));
    let none = text(&site, "types/None.html");
    assert!(!none.contains("Generated from the schema") && !none.contains("id=\"example\""));
}

#[test]
fn a_call_is_only_made_up_where_every_required_parameter_has_a_value() {
    let site = site_of(
        r#"{"name": "lost", "params": [{"name": "a", "required": true,
            "schema": {"type": "integer", "minimum": 2, "maximum": 1}}],
            "result": {"name": "r", "schema": {"type": "string"}}},
           {"name": "found", "params": [{"name": "a", "required": true,
            "schema": {"type": "integer", "exclusiveMinimum": 41, "maximum": 42}}],
            "result": {"name": "r", "schema": {"type": "string", "pattern": "^z{3}$"}}}"#,
        "{}",
    );
    let lost = text(&site, "lost.html");
    assert!(lost.contains("No sample is shown"), "{lost}");
    let found = text(&site, "found.html");
    assert!(found.contains("42") && found.contains("zzz"));
}

#[test]
fn where_nothing_is_required_a_sample_shows_the_first_parameters() {
    let site = site_of(
        r#"{"name": "find", "params": [
            {"name": "words", "schema": {"type": "string", "minLength": 6}},
            {"name": "limit", "schema": {"type": "integer", "minimum": 7}}],
            "result": {"name": "r", "schema": {"type": "string"}}}"#,
        "{}",
    );
    let page = text(&site, "find.html");
    assert!(
        page.contains("texttext") || page.contains("textte"),
        "{page}"
    );
}

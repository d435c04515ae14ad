//! Pages say what the document says: nothing of it is lost, and no text in it breaks a page.

use docent_describe::schema::{
    KeywordRole, KeywordValue, Kinds, all_keywords, holds, kinds_about, role,
};
use docent_docs_gen::Site;
use docent_tools::read::read;
use serde_json::json;

use crate::html;
use crate::pages::{check, site, text};

/// The site of an OpenRPC document with these methods and schemas.
pub(crate) fn site_of(methods: &str, schemas: &str) -> Site {
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
fn the_page_of_a_type_shows_it_as_an_example_of_a_procedure_does() {
    let site = site_of(
        r##"{"name": "find", "params": [], "result": {"name": "r", "schema":
                {"type": "object", "properties": {"books": {"type": "array", "items": {"$ref": "#/components/schemas/Book"}}}}},
            "examples": [
                {"name": "broken", "params": [], "result": {"name": "r", "value": {"books": [{"title": 7}]}}},
                {"name": "good", "params": [], "result": {"name": "r", "value": {"books": [{"title": "Emma", "by": {"title": "Jane"}}]}}}]}"##,
        r##"{"Book": {"type": "object", "properties": {"title": {"type": "string"},
                "by": {"anyOf": [{"$ref": "#/components/schemas/Person"}, {"type": "null"}]},
                "lent": {"$ref": "#/components/schemas/Loan"}}},
            "Person": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}},
            "Loan": {"type": "object", "properties": {"email": {"type": "string"}}}}"##,
    );
    for (name, value) in [
        ("Book", r#"{"title": "Emma", "by": {"title": "Jane"}}"#),
        ("Person", r#"{"title": "Jane"}"#),
    ] {
        let page = text(&site, &format!("types/{name}.md"));
        assert!(
            page.contains("From an example of [find](../find.md).") && page.contains(value),
            "{page}"
        );
    }
    // No example has one.
    let made = text(&site, "types/Loan.md");
    assert!(
        made.contains("Generated from the schema") && made.contains("ada@example.com"),
        "{made}"
    );
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
fn neither_samples_nor_the_form_begin_with_what_the_schema_refuses() {
    let schema = r#"{"type": "object", "required": ["b"], "properties": {"b": {"type": "string", "pattern": "a$b"}}, "default": "x"}"#;
    let site = site_of(
        &format!(
            r#"{{"name": "lost", "params": [{{"name": "a", "required": true, "schema": {schema}}}],
            "result": {{"name": "r", "schema": {{}}}},
            "examples": [{{"params": [{{"value": "x"}}], "result": {{"value": 1}}}}]}}"#
        ),
        "{}",
    );
    let page = text(&site, "lost.html");
    assert!(page.contains("This example does not fit"), "{page}");
    assert!(!page.contains("--data-raw"), "{page}");
    let form = html::form(&page);
    assert_eq!(form["lacks"], json!(true));
    assert_eq!(form["params"][0].as_array().expect("a field").len(), 3);
    let message = form["message"].as_str().expect("a message");
    assert!(!message.contains("params"), "{message}");
}

#[test]
fn a_sample_by_position_has_all_that_is_required_and_makes_up_nothing_that_an_author_left_out() {
    // A parameter that is left out is a default, or else null, or else a value that fits if the sample is made. An
    // example of an author is by name if nothing stands for what it leaves out, unless names are refused.
    for (structure, first, example, params) in [
        (
            "by-position",
            r#"{"type": "integer", "default": 7}"#,
            "",
            "[7,3]",
        ),
        (
            "by-position",
            r#"{"type": ["integer", "null"]}"#,
            "",
            "[null,3]",
        ),
        (
            "by-position",
            r#"{"type": "integer", "minimum": 4}"#,
            "",
            "[4,3]",
        ),
        (
            "either",
            r#"{"type": "integer", "default": 7}"#,
            r#"{"name": "second", "value": 5}"#,
            "[7,5]",
        ),
        (
            "either",
            r#"{"type": "integer", "minimum": 4}"#,
            r#"{"name": "second", "value": 5}"#,
            r#"{"second":5}"#,
        ),
        (
            "by-position",
            r#"{"type": "integer", "minimum": 4}"#,
            r#"{"name": "second", "value": 5}"#,
            "[4,3]",
        ),
    ] {
        let examples = if example.is_empty() {
            String::new()
        } else {
            format!(r#""examples": [{{"params": [{example}], "result": {{"value": 1}}}}],"#)
        };
        let site = site_of(
            &format!(
                r#"{{"name": "take", "paramStructure": "{structure}", {examples}
                "params": [{{"name": "first", "schema": {first}}},
                    {{"name": "second", "required": true, "schema": {{"type": "integer", "minimum": 3}}}}],
                "result": {{"name": "r", "schema": {{}}}}}}"#
            ),
            "{}",
        );
        let page = text(&site, "take.html");
        let curl = html::between(&page, "--data-raw &#39;", "&#39;");
        let sent = curl[0].get("params").expect("parameters").to_string();
        assert_eq!(sent, params, "{structure} {first} {example}");
    }
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

/// Schemas in which every title and description is numbered, in each place where authors put them.
const NUMBERED: &str = r##"{
    "All": {"allOf": [{"type": "string", "title": "Title 1."}, {"enum": ["x", "yy"], "description": "Said 1."},
        {"minLength": 1, "maxLength": 7, "description": "Said 2."}]},
    "Nullable": {"title": "Title 2.", "description": "Said 3.", "anyOf": [
        {"type": "string", "pattern": "^n+$", "maxLength": 9, "title": "Title 3.", "description": "Said 4."},
        {"type": "null", "title": "Title 4.", "description": "Said 5."}]},
    "Several": {"oneOf": [{"type": "null", "title": "Title 5."}, {"type": "integer", "title": "Title 6."},
        {"type": "boolean", "description": "Said 6."}]},
    "Items": {"type": "array", "items": {"type": "array", "title": "Title 7.",
        "items": {"type": "integer", "minimum": 3, "maximum": 33, "description": "Said 7."}}},
    "Map": {"type": "object", "additionalProperties": {"type": "string", "minLength": 5,
        "title": "Title 8.", "description": "Said 8."}},
    "Object": {"type": "object", "properties": {
        "plain": {"type": "string", "title": "Title 9.", "description": "Said 9."},
        "shared": {"$ref": "#/components/schemas/Map", "title": "Title 10.", "description": "Said 10."},
        "inside": {"$ref": "#/components/schemas/Object/properties/plain"},
        "mixed": {"type": "object", "properties": {"a": {"description": "Said 11."}},
            "oneOf": [{"properties": {"b": {"description": "Said 12."}}}, {"title": "Title 11."}],
            "anyOf": [{"description": "Said 13."}, {"description": "Said 14."}]},
        "listed": {"oneOf": [{"const": 1, "title": "Title 12.", "description": "Said 15."}, {"const": 2}]}},
        "patternProperties": {"^x": {"description": "Said 16."}},
        "additionalProperties": {"title": "Title 13."}},
    "Parts": {"allOf": [{"$ref": "#/components/schemas/Map"},
        {"type": "object", "description": "Said 17.", "properties": {"c": {"title": "Title 14."}}}]},
    "Tuple": {"prefixItems": [{"description": "Said 18."}], "items": {"title": "Title 15."}},
    "When": {"type": "object", "if": {"description": "Said 19."}, "then": {"title": "Title 16."},
        "not": {"required": ["gone"], "description": "Said 20."}, "propertyNames": {"description": "Said 21."},
        "contains": {"description": "Said 22."}}
}"##;

#[test]
fn every_title_and_description_of_a_schema_is_on_its_page_and_in_its_markdown_page() {
    let site = site_of("", NUMBERED);
    for form in ["html", "md"] {
        let pages: String = [
            "All", "Nullable", "Several", "Items", "Map", "Object", "Parts", "Tuple", "When",
        ]
        .iter()
        .map(|name| {
            let page = text(&site, &format!("types/{name}.{form}"));
            let schema = page.find("JSON Schema").unwrap_or(page.len());
            page[..schema].to_owned()
        })
        .collect();
        let numbered = (1..=16)
            .map(|number| format!("Title {number}."))
            .chain((1..=22).map(|number| format!("Said {number}.")));
        for said in numbered {
            assert!(pages.contains(&said), "{form}: {said}");
        }
    }
}

#[test]
fn constraints_are_shown_wherever_a_schema_has_them() {
    let site = site_of("", NUMBERED);
    let markdown = |name: &str| text(&site, &format!("types/{name}.md"));
    let all = markdown("All");
    assert!(all.contains("\n\nstring enum\n"), "{all}");
    assert!(
        all.contains("1 to 7 characters") && all.contains("`\"yy\"`"),
        "{all}"
    );
    let nullable = markdown("Nullable");
    assert!(
        nullable.contains("string or null") && nullable.contains("`^n+$`"),
        "{nullable}"
    );
    assert!(nullable.contains("at most 9 characters"), "{nullable}");
    let items = markdown("Items");
    assert!(items.contains("3 to 33"), "{items}");
    assert!(markdown("Map").contains("at least 5 characters"));
    // A reference into another type leads there, and says what is there.
    let object = markdown("Object");
    assert!(
        object.contains("[Object.plain](../types/Object.md)"),
        "{object}"
    );
}

/// Schemas inside a schema become rows, and types are said first: these keywords are said by facts, or by
/// the values that are listed.
#[test]
fn each_keyword_that_is_enforced_is_said_on_a_page() {
    let page = |schema: &str| {
        let site = site_of("", &format!(r#"{{"A": {schema}}}"#));
        let page = text(&site, "types/A.md");
        page[..page.find("## JSON Schema").expect("a schema")].to_owned()
    };
    let types = [
        (Kinds::NUMBER, r#"{"type": "number""#),
        (Kinds::STRING, r#"{"type": "string""#),
        (Kinds::ARRAY, r#"{"type": "array""#),
        (Kinds::OBJECT, r#"{"type": "object""#),
    ];
    for keyword in all_keywords().filter(|word| role(word).is_some_and(KeywordRole::is_enforced)) {
        let value = match holds(keyword) {
            KeywordValue::Flag => "true",
            KeywordValue::Number
            | KeywordValue::Step
            | KeywordValue::Count
            | KeywordValue::Value => "2",
            KeywordValue::Text => r#""a""#,
            KeywordValue::Values => "[2]",
            _ => continue,
        };
        // The type alone would already be said, of a keyword that is about one.
        let named_type = types
            .iter()
            .find(|(kinds, _)| *kinds == kinds_about(keyword));
        let schema = named_type.map_or(r#"{"title": "A""#, |(_, start)| start);
        assert!(
            page(&format!(r#"{schema}, "{keyword}": {value}}}"#)) != page(&format!("{schema}}}")),
            "no page says `{keyword}`: add its fact in docs-gen/src/schema/facts.rs"
        );
    }
}

#[test]
fn bounds_are_left_out_only_where_the_words_name_the_type_that_has_both() {
    for (least, most, words) in [
        ("-2147483648", "2147483647", "integer, 32 bits"),
        ("0", "4294967295", "integer, 32 bits, unsigned"),
        ("0", "2147483647", "integer, 0 to 2147483647"),
        ("1", "4294967295", "integer, 1 to 4294967295"),
        ("", "4294967295", "integer, at most 4294967295"),
        ("-2147483648", "", "integer, at least -2147483648"),
        (
            "-9223372036854775808",
            "9223372036854775807",
            "integer, 64 bits",
        ),
        (
            "0",
            "9223372036854775807",
            "integer, 0 to 9223372036854775807",
        ),
        ("0", "18446744073709551615", "integer, 64 bits, unsigned"),
        (
            "1",
            "18446744073709551615",
            "integer, 1 to 18446744073709551615",
        ),
        (
            "0",
            "340282366920938463463374607431768211455",
            "integer, 128 bits, unsigned",
        ),
        ("0", "255", "integer, 8 bits, unsigned, 0 to 255"),
        ("1", "100", "integer, 1 to 100"),
    ] {
        let bounds = [("minimum", least), ("maximum", most)].map(|(keyword, bound)| match bound {
            "" => String::new(),
            _ => format!(r#","{keyword}":{bound}"#),
        });
        let schema = format!(r#"{{"type":"integer"{}}}"#, bounds.concat());
        let site = site_of(
            "",
            &format!(
                r##"{{"Own": {{"type": "object", "properties": {{"a": {schema}, "b": {{"$ref": "#/components/schemas/Named"}}}}}},
                    "Named": {schema}}}"##
            ),
        );
        let page = text(&site, "types/Own.md");
        assert!(page.contains(&format!("`a`: {words}.")), "{words}: {page}");
        // The name of a type says nothing of its range.
        if !most.is_empty() && !least.is_empty() {
            let named = format!("`b`: [Named](../types/Named.md), {least} to {most}.");
            assert!(page.contains(&named), "{named}: {page}");
        }
    }
}

#[test]
fn the_range_of_a_float_is_named_and_that_of_a_double_is_left_out() {
    let site = site_of(
        "",
        r#"{"Single": {"type": "number", "minimum": -3.4028235e38, "maximum": 3.4028235e38},
            "Double": {"type": "number", "minimum": -1.7976931348623157e308, "maximum": 1.7976931348623157e308},
            "Half": {"type": "number", "minimum": 0, "maximum": 3.4028235e38}}"#,
    );
    for (name, words) in [
        ("Single", "\nnumber, 32 bits\n"),
        ("Double", "\nnumber\n"),
        ("Half", "0 to 3.4028235e38"),
    ] {
        let page = text(&site, &format!("types/{name}.md"));
        assert!(page.contains(words), "{page}");
    }
}

#[test]
fn alternatives_are_told_apart_by_what_they_extend() {
    let site = site_of(
        "",
        r##"{"Base": {"type": "object", "properties": {"id": {"type": "string"}}},
            "Cat": {"allOf": [{"$ref": "#/components/schemas/Base"},
                {"allOf": [{"properties": {"kind": {"const": "cat"}}}]}]},
            "Dog": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"kind": {"const": "dog"}}}]},
            "Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]}}"##,
    );
    let pet = text(&site, "types/Pet.html");
    assert!(
        pet.contains("And exactly one of 2. The value of “kind” usually tells which."),
        "{pet}"
    );
}

#[test]
fn a_page_offers_get_only_where_a_query_can_carry_what_is_required() {
    let tuple = r#"{"type": "array", "prefixItems": [{"type": "object"}], "maxItems": 1}"#;
    for (schema, required, can) in [
        (r#"{"type": "string"}"#, true, true),
        (r#"{"type": "object"}"#, true, false),
        (r#"{"type": "object"}"#, false, true),
        (tuple, true, false),
    ] {
        let document = format!(
            r#"{{"sdversion": "2.0", "name": "s", "id": "urn:s", "procs": [{{"name": "p", "idempotent": true,
            "params": [{{"name": "a", "required": {required}, "type": "any", "schema": {schema}}}]}}]}}"#
        );
        let read = read(document.as_bytes()).expect("a description");
        let site = site(read.description);
        check(&site);
        let page = text(&site, "p.html");
        assert_eq!(page.contains("call it with GET"), can, "{schema}");
        assert_eq!(page.contains("<b>GET</b>"), can, "{schema}");
        assert_eq!(html::form(&page)["get"] == json!(true), can, "{schema}");
        assert_eq!(site.page("get.html").is_some(), can, "{schema}");
        assert_eq!(page.contains(">idempotent</"), !can, "{schema}");
    }
}

#[test]
fn members_of_the_other_side_are_left_out() {
    let schema = r##"{"$ref": "#/components/schemas/User"}"##;
    let site = site_of(
        &format!(
            r#"{{"name": "put", "params": [{{"name": "user", "schema": {schema}}}],
            "result": {{"name": "r", "schema": {{"type": "null"}}}}}},
            {{"name": "show", "params": [], "result": {{"name": "r", "schema": {schema}}}}}"#
        ),
        r#"{"User": {"type": "object", "properties": {"made": {"type": "string", "readOnly": true},
            "password": {"type": "string", "writeOnly": true}}}}"#,
    );
    let put = text(&site, "put.html");
    assert!(put.contains("id=\"param.user.password\"") && !put.contains("user.made"));
    let get = text(&site, "show.html");
    assert!(get.contains("id=\"return.made\"") && !get.contains("password"));
    assert!(text(&site, "types/User.html").contains("field.made"));
}

#[test]
fn a_type_with_members_of_one_side_is_shown_under_parameters_and_under_the_result() {
    let site = site_of(
        r##"{"name": "copy", "params": [{"name": "order", "schema": {"$ref": "#/components/schemas/Order"}}],
            "result": {"name": "r", "schema": {"$ref": "#/components/schemas/Order"}}}"##,
        r##"{"Order": {"type": "object", "properties": {"buyer": {"$ref": "#/components/schemas/User"},
                "place": {"$ref": "#/components/schemas/Place"}}},
            "Place": {"type": "object", "properties": {"street": {"type": "string"}}},
            "User": {"type": "object", "properties": {"made": {"type": "string", "readOnly": true},
                "name": {"type": "string"}}}}"##,
    );
    let page = text(&site, "copy.html");
    for (anchor, is_shown) in [
        ("param.order.buyer.name", true),
        ("param.order.buyer.made", false),
        ("param.order.place.street", true),
        ("return.buyer.name", true),
        ("return.buyer.made", true),
        // It is the same on both sides.
        ("return.place.street", false),
    ] {
        assert_eq!(
            page.contains(&format!("id=\"{anchor}\"")),
            is_shown,
            "{anchor}"
        );
    }
}

#[test]
fn the_search_finds_no_members_of_the_other_side_and_no_result_of_a_notification() {
    let schema = r#"{"type": "object", "properties": {"made": {"type": "string", "readOnly": true},
        "password": {"type": "string", "writeOnly": true}}}"#;
    let document = format!(
        r#"{{"sdversion": "2.0", "name": "s", "id": "urn:s", "procs": [
        {{"name": "put", "params": [{{"name": "user", "schema": {schema}}}], "return": {{"schema": {schema}}}}},
        {{"name": "tell", "notification": true, "return": {{"schema": {{"type": "object", "properties": {{"told": {{}}}}}}}}}}]}}"#
    );
    let read = read(document.as_bytes()).expect("a description");
    let index = text(&site(read.description), "assets/index.js");
    for (anchor, is_there) in [
        ("param.user.password", true),
        ("param.user.made", false),
        ("return.made", true),
        ("return.password", false),
        ("return.told", false),
    ] {
        assert_eq!(index.contains(anchor), is_there, "{anchor}: {index}");
    }
}

#[test]
fn a_made_call_has_every_required_parameter() {
    let params = (0..150).map(|at| {
        format!(r#"{{"name": "p{at}", "required": true, "schema": {{"type": "integer"}}}}"#)
    });
    let params = params.collect::<Vec<_>>().join(", ");
    let site = site_of(
        &format!(
            r#"{{"name": "wide", "paramStructure": "by-name", "params": [{params}],
            "result": {{"name": "r", "schema": {{"type": "null"}}}}}}"#
        ),
        "{}",
    );
    assert!(text(&site, "wide.md").contains("\"p149\": "));
}

/// Facts of OpenRPC that have no place in the model, each to be found on a page and in its Markdown page.
const FACT_TEXTS: &str = r##"{
    "openrpc": "1.3.2",
    "info": {"title": "Facts", "version": "1", "termsOfService": "https://example.org/terms",
        "contact": {"name": "Ada Contact", "url": "https://example.org/ada", "email": "ada@example.org"},
        "license": {"name": "Free Licence", "url": "https://example.org/free"}},
    "externalDocs": {"url": "https://example.org/book", "description": "The whole book."},
    "servers": [
        {"name": "main", "url": "https://{zone}.example.org:{port}", "description": "The real one.",
            "variables": {"zone": {"default": "eu", "enum": ["eu", "us"], "description": "Where."},
                "port": {"default": "443"}}},
        {"name": "spare", "url": "https://spare.example.org", "summary": "For bad days."}],
    "methods": [
        {"name": "first.find", "params": [{"name": "key", "schema": {"type": "string"}}],
            "tags": [{"name": "reading", "description": "Changes nothing."}, {"name": "common"}],
            "result": {"$ref": "#/components/schemas/Found"},
            "errors": [{"code": 7, "message": "Too late", "data": {"since": 5, "type": "clock"}},
                {"code": 7, "message": "Too early"}],
            "links": [{"name": "details", "method": "second.show", "description": "More of it.",
                "params": {"id": "$result.id"}}],
            "examples": [{"name": "byKey", "summary": "Finds `it` by key", "description": "With more words.",
                "params": [{"name": "key", "value": "k1"}], "result": {"name": "r", "value": {"id": 1}}}]},
        {"name": "second.show", "params": [{"name": "id", "$ref": "#/components/schemas/Id"}],
            "result": {"type": "integer", "minimum": 77}, "tags": [{"name": "common"}],
            "errors": [{"code": 7, "message": "Too late"}]}
    ],
    "components": {"schemas": {
        "Found": {"type": "object", "properties": {"id": {"$ref": "#/components/schemas/Id"}}},
        "Id": {"type": "integer", "minimum": 1}
    }}
}"##;

fn site_of_facts() -> Site {
    site(
        read(FACT_TEXTS.as_bytes())
            .expect("a description")
            .description,
    )
}

#[test]
fn every_fact_of_an_openrpc_document_is_on_a_page_and_in_its_markdown_page() {
    let site = site_of_facts();
    check(&site);
    for form in ["html", "md"] {
        let page = |name: &str| text(&site, &format!("{name}.{form}"));
        for (name, facts) in [
            (
                "index",
                &[
                    "Ada Contact",
                    "https://example.org/ada",
                    "ada@example.org",
                    "Free Licence",
                    "https://example.org/free",
                    "https://example.org/terms",
                    "The whole book.",
                    "https://{zone}.example.org:{port}",
                    "The real one.",
                    "\u{22}us",
                    "Where.",
                    "443",
                    "spare",
                    "For bad days.",
                    "Changes nothing.",
                ][..],
            ),
            ("errors", &["Too late", "Too early"][..]),
            (
                "first.find",
                &[
                    "details",
                    "More of it.",
                    "$result.id",
                    "second.show",
                    "common",
                    "byKey",
                    "Finds it by key",
                    "With more words.",
                    "clock",
                    "Found",
                    "Too early",
                ][..],
            ),
            ("second.show", &["Id", "at least 77"][..]),
            ("groups/reading", &["Changes nothing."][..]),
        ] {
            let page = page(name).replace("&quot;", "\"");
            for fact in facts {
                assert!(page.contains(fact), "{name}.{form}: {fact}\n{page}");
            }
        }
    }
    let markdown = text(&site, "errors.md");
    assert!(
        markdown.contains("[`7`](errors/7.md) Too late: [first.find](first.find.md), [second.show](second.show.md)"),
        "{markdown}"
    );
}

#[test]
fn a_markdown_page_says_what_is_the_request_and_what_the_response() {
    let site = site_of_facts();
    let markdown = text(&site, "first.find.md");
    let place = |words: &str| {
        markdown
            .find(words)
            .unwrap_or_else(|| panic!("{words}: {markdown}"))
    };
    let example = place("## Example: Finds it by key");
    assert!(example < place("With more words."));
    assert!(place("With more words.") < place("### Request"));
    assert!(place("### Request") < place("### Response"));
}

#[test]
fn services_of_one_name_are_told_apart_in_a_catalogue() {
    let service = |address: &str| {
        let text = FACT_TEXTS.replace("https://{zone}.example.org:{port}", address);
        read(text.as_bytes()).expect("a description").description
    };
    let names = ["https://a.example.org", "https://b.example.org"];
    let site = Site::builder(service(names[0]))
        .and(service(names[1]))
        .build()
        .expect("a site");
    for page in ["index.html", "index.md"] {
        let page = text(&site, page);
        assert!(names.iter().all(|name| page.contains(name)), "{page}");
    }
}

#[test]
fn examples_of_openrpc_are_lists_in_their_order_unless_names_are_asked_for() {
    let method = |name: &str, structure: &str, given: &str| {
        format!(
            r#"{{"name": "{name}", {structure} "params": [
                {{"name": "a", "schema": {{"type": "string"}}}},
                {{"name": "b", "schema": {{"type": "string"}}}}],
                "result": {{"name": "r", "schema": {{"type": "string"}}}},
                "examples": [{{"name": "e", "params": [{given}], "result": {{"name": "r", "value": "x"}}}}]}}"#
        )
    };
    let (first, second) = (
        r#"{"name": "a", "value": "one"}"#,
        r#"{"name": "b", "value": "two"}"#,
    );
    let site = site_of(
        &[
            method("either", "", &format!("{first}, {second}")),
            method("turned", "", &format!("{second}, {first}")),
            method("gap", "", second),
            method(
                "named",
                r#""paramStructure": "by-name","#,
                &format!("{first}, {second}"),
            ),
        ]
        .join(","),
        "{}",
    );
    for (name, params) in [
        ("either", r#""params": ["one", "two"]"#),
        ("turned", r#""params": ["one", "two"]"#),
        ("gap", r#""params": {"b": "two"}"#),
        ("named", r#""params": {"a": "one", "b": "two"}"#),
    ] {
        let markdown = text(&site, &format!("{name}.md"));
        assert!(markdown.contains(params), "{name}: {markdown}");
    }
}

#[test]
fn names_of_examples_show_no_backticks() {
    let site = site_of_facts();
    let page = text(&site, "first.find.html");
    assert!(
        page.contains("Finds it by key") && !page.contains("`it`"),
        "{page}"
    );
    let markdown = text(&site, "first.find.md");
    assert!(
        markdown.contains("## Example: Finds it by key"),
        "{markdown}"
    );
}

/// A description with a text of its author in each place that has one. Each begins with `§`.
const AUTHORED: &str = r##"{
    "openrpc": "1.3.2",
    "info": {"title": "§Service", "version": "1", "description": "§About it.",
        "contact": {"name": "§Ada"}, "license": {"name": "§Free"}},
    "externalDocs": {"url": "https://example.org/book", "description": "§Book"},
    "servers": [{"name": "§main", "url": "https://example.org", "summary": "§Short", "description": "§Long"}],
    "methods": [{"name": "find", "summary": "§Finds.", "description": "§Finds more.\n\n- §a list",
        "tags": [{"name": "§reading", "description": "§Reads."}, {"name": "§common"}],
        "params": [{"name": "key", "description": "§A key.", "schema": {"title": "§Key",
            "oneOf": [{"const": "a", "title": "§First", "description": "§The first."}, {"const": "b", "description": "§The second."}]}},
            {"name": "shape", "schema": {"$ref": "#/components/schemas/Shape"}}],
        "result": {"name": "r", "description": "§A result.", "schema": {"anyOf": [{"type": "integer"}, {"type": "null", "description": "§Gone."}]}},
        "errors": [{"code": 7, "message": "§Too late", "data": {"type": "object", "properties": {"at": {"description": "§When."}}}},
            {"code": 7, "message": "§Too early"}],
        "links": [{"name": "more", "method": "find", "summary": "§Again", "description": "§And again."}],
        "examples": [{"name": "§Sample", "summary": "§Sampled", "description": "§With words.",
            "params": [{"name": "key", "value": "a"}], "result": {"name": "r", "value": 1}}]}],
    "components": {"schemas": {"Shape": {"title": "§Shape", "description": "§A shape.", "oneOf": [
        {"title": "§Round", "description": "§No corners.", "type": "object", "properties": {"r": {"type": "array", "items": {"title": "§Size", "type": "object"}}}},
        {"title": "§Square", "type": "object", "properties": {"a": {"description": "§A side."}}}]}}}
}"##;

#[test]
fn every_text_of_an_author_has_a_direction_of_its_own() {
    let read = read(AUTHORED.as_bytes()).expect("a description");
    let site = site(read.description);
    check(&site);
    let mut found = 0;
    let mut without = Vec::new();
    for path in [
        "index.html",
        "find.html",
        "types/Shape.html",
        "errors/7.html",
    ] {
        let page = text(&site, path);
        for (at, _) in page.match_indices('§') {
            found += 1;
            if !html::has_direction(&page, at) {
                let start: String = page[at..].chars().take(40).collect();
                without.push(format!("{path}: {start}"));
            }
        }
    }
    assert!(without.is_empty(), "{without:#?}");
    assert!(found > 80, "{found}");
}

//! Publishes the formats that the generator writes.

use docent_describe::json::Json;
use docent_describe::schema::{
    Format, IntegerRange, SchemaContext, SchemaViews, is_numeric_format, params_of, publish,
    return_of,
};
use std::net::IpAddr;

fn json(text: &str) -> Json {
    text.parse().unwrap()
}

fn published(text: &str) -> String {
    let mut schema = json(text);
    publish(&mut schema);
    schema.to_string()
}

#[test]
fn a_numeric_type_is_said_by_its_bounds() {
    for (schema, expected) in [
        (
            r#"{"type":"integer","format":"int64","minimum":-9223372036854775808,"maximum":9223372036854775807}"#,
            r#"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#,
        ),
        (
            r#"{"type":"array","items":{"type":"number","format":"double"}}"#,
            r#"{"type":"array","items":{"type":"number"}}"#,
        ),
        (
            r#"{"properties":{"format":{"type":"integer","format":"uint8"}}}"#,
            r#"{"properties":{"format":{"type":"integer"}}}"#,
        ),
    ] {
        assert_eq!(published(schema), expected);
    }
}

#[test]
fn a_format_of_ones_own_is_kept_under_another_name() {
    assert_eq!(
        published(
            r#"{"type":"string","format":"isbn","minLength":10,"default":{"format":"isbn"}}"#
        ),
        r#"{"type":"string","minLength":10,"default":{"format":"isbn"},"x-format":"isbn"}"#
    );
    for format in ["date-time", "email", "uri-template", "regex"] {
        let schema = format!(r#"{{"type":"string","format":"{format}"}}"#);
        assert!(Format::find(format).is_some() && !is_numeric_format(format));
        assert_eq!(published(&schema), schema);
    }
    assert!(Format::find("iri").is_none() && is_numeric_format("uint128"));
}

#[test]
fn forms_that_json_schema_has_no_name_for_are_spelled_out() {
    let returned = return_of::<Option<IpAddr>>().unwrap().returns;
    assert_eq!(
        returned.schema.to_string(),
        r#"{"type":["string","null"],"anyOf":[{"format":"ipv4"},{"format":"ipv6"}]}"#
    );
    assert_eq!(returned.type_code.as_str(), "str");
}

#[test]
fn a_width_is_read_from_bounds() {
    for (schema, expected) in [
        (
            r#"{"type":"integer","minimum":0,"maximum":255}"#,
            Some("uint8"),
        ),
        (
            r#"{"type":"integer","minimum":-0,"maximum":2.55e2}"#,
            Some("uint8"),
        ),
        (
            r#"{"type":["integer","null"],"minimum":-128,"maximum":127}"#,
            Some("int8"),
        ),
        (
            r#"{"type":"integer","minimum":0,"maximum":18446744073709551615}"#,
            Some("uint64"),
        ),
        (
            r#"{"type":"integer","minimum":0.0,"maximum":65535e0}"#,
            Some("uint16"),
        ),
        (
            r#"{"type":"integer","minimum":0.0,"maximum":65535.0}"#,
            Some("uint16"),
        ),
        (
            r#"{"type":"number","minimum":-340282350000000000000000000000000000000,"maximum":3.4028235e38}"#,
            Some("float"),
        ),
        (
            r#"{"type":"number","minimum":-3.4028235e38,"maximum":3.4028235e38}"#,
            Some("float"),
        ),
        (
            r#"{"type":"number","minimum":-1.7976931348623157e308,"maximum":1.7976931348623157e+308}"#,
            Some("double"),
        ),
        (r#"{"type":"number","minimum":0,"maximum":255}"#, None),
        (r#"{"type":"integer","minimum":1,"maximum":255}"#, None),
        (r#"{"type":"integer","minimum":0,"maximum":256}"#, None),
        (r#"{"type":"integer","minimum":0}"#, None),
        (r#"{"type":"integer","maximum":255}"#, None),
        ("true", None),
    ] {
        let components = indexmap::IndexMap::new();
        let schema = json(schema);
        let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
        assert_eq!(views.view_of_schema(&schema).width(), expected, "{schema}");
    }
}

#[test]
fn an_integer_type_is_said_by_its_bounds_or_by_a_format() {
    for (schema, width, least, greatest) in [
        (
            r#"{"type": "integer", "format": "int64"}"#,
            Some("int64"),
            Some(i64::MIN.into()),
            Some(i64::MAX.unsigned_abs().into()),
        ),
        (
            r#"{"type": ["integer", "null"], "format": "uint8"}"#,
            Some("uint8"),
            Some(0),
            Some(255),
        ),
        (
            r#"{"type": "integer", "minimum": 0, "maximum": 255}"#,
            Some("uint8"),
            Some(0),
            Some(255),
        ),
        (
            r#"{"type": "integer", "format": "uint64", "minimum": -5, "maximum": 100}"#,
            Some("uint64"),
            Some(0),
            Some(100),
        ),
        (
            r#"{"type": "integer", "format": "int64", "allOf": [{"format": "int32"}]}"#,
            Some("int64"),
            Some(i32::MIN.into()),
            Some(i32::MAX.unsigned_abs().into()),
        ),
        (r#"{"type": "number", "format": "int64"}"#, None, None, None),
        (r#"{"type": "string", "format": "int64"}"#, None, None, None),
        // It is as wide as the service likes.
        (r#"{"type": "integer", "format": "int"}"#, None, None, None),
        (
            r#"{"type": "integer", "format": "uint65"}"#,
            None,
            None,
            None,
        ),
    ] {
        let components = indexmap::IndexMap::new();
        let schema = json(schema);
        let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
        let view = views.view_of_schema(&schema);
        assert_eq!(view.integer_width(), width, "{schema}");
        assert_eq!(
            view.integers(),
            IntegerRange { least, greatest },
            "{schema}"
        );
    }
}

#[test]
fn a_number_has_the_bounds_of_its_type() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Numbers {
        #[schemars(range(min = 0.5))]
        _single: f32,
        _double: Option<f64>,
    }
    let params = params_of::<Numbers>().unwrap().params;
    assert_eq!(
        params[0].schema.to_string(),
        r#"{"type":"number","format":"float","minimum":0.5,"maximum":3.4028235e38}"#
    );
    assert_eq!(
        params[1].schema.to_string(),
        r#"{"type":["number","null"],"format":"double","minimum":-1.7976931348623157e308,"maximum":1.7976931348623157e308}"#
    );
}

#[test]
fn a_format_is_named_in_the_table_alone() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = [
        "describe/src",
        "core/src",
        "tools/src",
        "docs-gen/src",
        "docs-gen/assets",
    ];
    let mut left: Vec<_> = folders
        .into_iter()
        .map(|folder| root.join(folder))
        .collect();
    let names = || {
        Format::all()
            .map(|format| format.name)
            .filter(|name| name.contains('-'))
    };
    assert!(names().count() > 3);
    while let Some(path) = left.pop() {
        if path.ends_with("schema/format") || path.ends_with("tests") || path.ends_with("tests.rs")
        {
            continue;
        }
        if path.is_dir() {
            left.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for name in names() {
                let path = path.display();
                assert!(
                    !code.contains(&format!("\"{name}\"")),
                    "{path} names {name}"
                );
            }
        }
    }
}

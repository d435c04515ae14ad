//! Formats: those that are enforced, and those that a description omits.

use std::net::IpAddr;

use docent_core::{Bytes, Cx, Fault, Procedure, Service};
use docent_describe::json::Json;
use docent_describe::schema::{Format, KeywordRole, KeywordValue, all_keywords, holds, role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{assert_one, builder, taking};

#[derive(Deserialize, JsonSchema)]
struct Reader {
    #[schemars(email)]
    _mail: String,
    #[serde(default)]
    _homes: Vec<Home>,
    #[serde(default)]
    #[schemars(extend("additionalProperties" = {"type": "string", "format": "date"}))]
    _days: std::collections::BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Home {
    #[schemars(url)]
    _page: Option<String>,
    #[serde(default)]
    _address: Option<IpAddr>,
}

fn service() -> Service {
    let service = builder()
        .procedure(taking::<Reader>("read"))
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(service.warnings().is_empty(), "{:?}", service.warnings());
    service
}

#[tokio::test]
async fn formats_are_enforced_wherever_they_stand() {
    let service = service();
    for params in [
        json!({"_mail": "a@b.c"}),
        json!({"_mail": "a@b.c", "_homes": [{"_page": "https://a/"}, {"_page": null, "_address": "::1"}]}),
        json!({"_mail": "a@b.c", "_homes": [{"_address": "192.0.2.1"}], "_days": {"a": "2024-02-29"}}),
    ] {
        let taken = service.call::<Value>("read", &params).await;
        assert!(taken.is_ok(), "{params}: {taken:?}");
    }
    for (params, words) in [
        (
            json!({"_mail": "no mail"}),
            &[
                "\"_mail\"",
                r#"expected an e-mail address, found \"no mail\""#,
            ][..],
        ),
        (
            json!({"_mail": "a@b", "_homes": [{"_page": "no page"}]}),
            &["/0/_page", "expected a URI with a scheme, found"],
        ),
        (
            json!({"_mail": "a@b", "_homes": [{"_address": "256.0.0.1"}]}),
            &[
                "/0/_address",
                "expected an IPv4 address, found",
                "or expected an IPv6 address",
            ],
        ),
        (
            json!({"_mail": "a@b", "_days": {"a": "2025-02-29"}}),
            &["/a", "a date such as 2026-01-31"],
        ),
    ] {
        let refused = service
            .call::<Value>("read", &params)
            .await
            .expect_err("a format that does not fit");
        assert_eq!(refused.code(), Some(-32602), "{refused}");
        for word in words {
            assert!(
                refused.to_string().contains(word),
                "{word} is not in: {refused}"
            );
        }
    }
}

#[test]
fn a_description_lists_the_formats_that_are_enforced() {
    assert_eq!(
        service().description().enforced_formats,
        ["date", "email", "ipv4", "ipv6", "uri"]
    );
    let rendered: Value = rendered(&service());
    assert_eq!(
        rendered["enforcedFormats"],
        json!(["date", "email", "ipv4", "ipv6", "uri"])
    );
    let plain = builder().procedure(crate::plain("plain")).build();
    assert!(self::rendered(&plain.expect("a service"))["enforcedFormats"].is_null());
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Cover {
    #[schemars(extend("contentEncoding" = "base64"), length(max = 8))]
    image: String,
    #[schemars(extend("contentEncoding" = "base16"))]
    checksum: Option<String>,
}

#[tokio::test]
async fn bytes_are_canonical_base64_in_parameters_and_results() {
    let echo = Procedure::sync("echo", |_: Cx, p: Cover| Ok::<_, Fault>(p.image));
    let broken = Procedure::sync("broken", |_: Cx, (): ()| {
        Ok::<_, Fault>(Cover {
            image: "aGk".to_owned(),
            checksum: None,
        })
    });
    let service = builder()
        .procedure(echo)
        .procedure(broken.idempotent())
        .build();
    let service = service.expect("a service");
    assert_eq!(service.description().enforced_formats, ["base64"]);
    let warnings = service.warnings();
    assert!(
        warnings
            .iter()
            .any(|warning| warning.contains("`base16` is published but not checked")),
        "{warnings:?}"
    );
    let image = |text: &str| json!({"image": text});
    for text in ["", "aGk=", "AAEC/w=="] {
        let taken = service.call::<Value>("echo", &image(text)).await;
        assert_eq!(taken.expect(text), text);
    }
    for (text, reason) in [
        ("aGk", "expected bytes in canonical base64"),
        ("aGl=", "expected bytes in canonical base64"),
        ("YW\nJj", "expected bytes in canonical base64"),
        ("AAEC/wAAAAA=", "expected at most 8 characters, found 12"),
    ] {
        let refused = service
            .call::<Value>("echo", &image(text))
            .await
            .expect_err(text)
            .to_string();
        assert!(refused.contains(reason), "{text}: {refused}");
    }
    let broken = service.call::<Value>("broken", &json!({})).await;
    assert_eq!(broken.expect_err("no bytes").code(), Some(-32603));
}

fn rendered(service: &Service) -> Value {
    serde_json::from_slice(&service.rendered_description()).expect("JSON")
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Widths {
    a: i8,
    b: u64,
    c: f32,
    d: usize,
    e: Vec<i64>,
    #[schemars(range(min = 1))]
    f: u16,
    g: Option<f64>,
}

#[test]
fn the_width_of_an_integer_is_described_by_its_bounds_alone() {
    let echo = Procedure::sync("echo", |_: Cx, p: Widths| Ok::<_, Fault>(p));
    let service = builder().procedure(echo).build().expect("a service");
    let text = String::from_utf8(service.rendered_description().to_vec()).expect("UTF-8");
    assert!(!text.contains("format"), "{text}");
    let procedure = service
        .description()
        .procedure("echo")
        .expect("it is there");
    let schemas: Vec<String> = procedure
        .params
        .iter()
        .map(|param| param.schema.to_string())
        .collect();
    assert_eq!(
        schemas,
        [
            r#"{"type":"integer","minimum":-128,"maximum":127}"#,
            r#"{"type":"integer","minimum":0,"maximum":18446744073709551615}"#,
            r#"{"type":"number","minimum":-3.4028235e38,"maximum":3.4028235e38}"#,
            r#"{"type":"integer","minimum":0,"maximum":18446744073709551615}"#,
            r#"{"type":"array","items":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}}"#,
            r#"{"type":"integer","minimum":1,"maximum":65535}"#,
            r#"{"type":["number","null"],"minimum":-1.7976931348623157e308,"maximum":1.7976931348623157e308}"#,
        ]
        .map(str::to_owned)
    );
    let returns = service.description().components.schemas["Widths"].to_string();
    assert!(
        returns.contains(r#""a":{"type":"integer","minimum":-128,"maximum":127}"#),
        "{returns}"
    );
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Own {
    #[schemars(extend("format" = "isbn"))]
    isbn: String,
    #[schemars(extend("format" = "uri-template"))]
    template: String,
    #[schemars(extend("format" = "idn-email"))]
    mail: Option<String>,
    #[schemars(extend("format" = "partial-time"))]
    time: Option<String>,
}

#[tokio::test]
async fn formats_that_are_not_checked_draw_a_warning_and_no_validator_gets_unknown_ones() {
    let echo = Procedure::sync("echo", |_: Cx, p: Own| Ok::<_, Fault>(p));
    let service = builder().procedure(echo).build().expect("a service");
    let about = |word: &str| -> Vec<&String> {
        service
            .warnings()
            .iter()
            .filter(|warning| warning.contains(word))
            .collect()
    };
    assert_eq!(about("format `isbn`").len(), 2, "{:?}", service.warnings());
    assert!(
        about("format `isbn`")[0].contains("parameter `isbn`"),
        "{:?}",
        service.warnings()
    );
    assert!(
        about("format `isbn`")[0].contains("`x-format`"),
        "{:?}",
        service.warnings()
    );
    assert!(about("`uri-template`")[0].contains("not checked"));
    assert!(about("`idn-email`")[0].contains("`x-format`"));
    assert!(about("partial").is_empty());
    let schemas: Vec<&Json> = {
        let procedure = service
            .description()
            .procedure("echo")
            .expect("it is there");
        procedure.params.iter().map(|param| &param.schema).collect()
    };
    let texts: Vec<String> = schemas.iter().map(ToString::to_string).collect();
    assert_eq!(texts[0], r#"{"type":"string","x-format":"isbn"}"#);
    assert_eq!(texts[1], r#"{"type":"string","format":"uri-template"}"#);
    assert_eq!(
        texts[2],
        r#"{"type":["string","null"],"x-format":"idn-email"}"#
    );
    assert!(
        texts[3].starts_with(r#"{"type":["string","null"],"pattern":"^(?:["#),
        "{}",
        texts[3]
    );
    let call = async |time: &str| {
        let params = json!({"isbn": "", "template": "", "time": time});
        service.call::<Value>("echo", &params).await
    };
    assert!(call("12:00:00.5").await.is_ok());
    assert!(call("24:00:00").await.is_err());
}

#[test]
fn examples_and_defaults_have_their_formats() {
    #[derive(Deserialize, JsonSchema)]
    struct Since {
        #[schemars(extend("format" = "date"))]
        #[serde(default = "never")]
        _since: String,
    }
    fn never() -> String {
        "never".to_owned()
    }
    #[derive(Serialize, JsonSchema)]
    struct Day {
        #[schemars(extend("format" = "date"))]
        day: String,
    }
    let day = |_: Cx, (): ()| Ok::<_, Fault>(Day { day: String::new() });
    assert_one(
        builder().procedure(Procedure::sync("day", day).example((), json!({"day": "31.1.2026"}))),
        Some("day"),
        &["example 1: the result", "/day", "a date such as"],
    );
    assert_one(
        builder().procedure(taking::<Since>("since")),
        Some("since"),
        &["the default of `_since`", "a date such as"],
    );
}

#[test]
fn the_guide_lists_each_format_that_is_enforced() {
    let guide = include_str!("../../../server/guide/parameters.md");
    for format in Format::all().filter(|format| format.is_enforced()) {
        let name = format!("`{}`", format.name);
        assert!(
            guide
                .lines()
                .any(|line| line.starts_with("| `") && line.contains(&name)),
            "the table of formats in server/guide/parameters.md lacks {name}"
        );
    }
}

#[tokio::test]
async fn bytes_are_base64_in_parameters_and_results_and_the_description_says_that_it_is_checked() {
    let echo = Procedure::sync("echo", |_: Cx, p: Vec<Bytes>| Ok::<_, Fault>(p));
    let service = builder().procedure(echo).build().expect("a service");
    let described = service.description();
    assert_eq!(described.enforced_formats, ["base64"]);
    let sent = [Bytes(vec![]), Bytes(vec![0, 1, 2, 255])];
    let found: Vec<Bytes> = service.call("echo", &sent).await.expect("bytes");
    assert_eq!(found, sent);
    for text in ["AAEC/w=", "AAEC_w==", "AAEC/x==", "AAEC/w==\n", "A A="] {
        let refused = service.call::<Vec<Bytes>>("echo", &[text]).await;
        assert_eq!(refused.expect_err(text).code(), Some(-32602), "{text}");
    }
}

/// The shape of a type says the other keywords: those that hold schemas, types or names.
#[test]
fn the_guide_lists_each_keyword_that_is_enforced() {
    let guide = include_str!("../../../server/guide/parameters.md");
    for keyword in all_keywords() {
        let is_of_values = matches!(
            holds(keyword),
            KeywordValue::Flag
                | KeywordValue::Number
                | KeywordValue::Step
                | KeywordValue::Count
                | KeywordValue::Text
                | KeywordValue::Value
                | KeywordValue::Values
        );
        if !role(keyword).is_some_and(KeywordRole::is_enforced) || !is_of_values {
            continue;
        }
        let names = [format!("`{keyword}`"), format!("\"{keyword}\" =")];
        assert!(
            guide
                .lines()
                .any(|line| line.starts_with("| `") && names.iter().any(|name| line.contains(name))),
            "server/guide/parameters.md lacks `{keyword}`"
        );
    }
}

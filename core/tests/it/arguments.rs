//! Calls that tools put together from a description.

use docent_core::{Argument, Arguments};
use docent_describe::json::Json;
use docent_describe::{
    Origin, ParamAlias, ParamDescription, ProcedureDescription, ServiceDescription,
};

/// A procedure with these parameters, written as in a description.
fn procedure(params: &str) -> ProcedureDescription {
    let params: Json = format!("[{params}]").parse().expect("JSON");
    let params = params.as_array().expect("an array");
    let mut procedure = ProcedureDescription::new("p");
    procedure.params = params.iter().map(param).collect();
    procedure
}

fn param(described: &Json) -> ParamDescription {
    let text = |name| described.get(name).and_then(Json::as_str);
    let flag = |name| described.get(name).and_then(Json::as_bool) == Some(true);
    let schema = described.get("schema").expect("a schema");
    let mut param = ParamDescription::new(text("name").expect("a name"), schema.clone());
    param.required = flag("required");
    param.variadic = flag("variadic");
    param.aliases = text("alias").map(alias).into_iter().collect();
    param
}

fn alias(name: &str) -> ParamAlias {
    let mut alias = ParamAlias::new(name);
    alias.deprecated = true;
    alias
}

const PARAMS: &str = r##"
    {"name": "words", "required": true, "schema": {"type": "array", "items": {"type": "string"}},
     "alias": "terms"},
    {"name": "limit", "required": false, "schema": {"type": "integer", "minimum": 1, "maximum": 100}},
    {"name": "at", "required": false, "schema": {"$ref": "#/components/schemas/Point"}},
    {"name": "id", "required": false, "schema": {"anyOf": [{"type": "integer"}, {"type": "string"}]}},
    {"name": "sort", "required": false, "schema": {"enum": ["up", "down"]}}
"##;
const LIST: &str = r#"{"name": "values", "required": false, "variadic": true,
    "schema": {"type": "array", "items": {"type": "number"}}}"#;

fn arguments(procedure: &ProcedureDescription) -> Arguments {
    let point =
        r#"{"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}"#;
    let mut service = ServiceDescription::default();
    service.components.schemas = [("Point".to_owned(), point.parse().expect("JSON"))].into();
    Arguments::new(procedure, &service)
}

#[test]
fn only_formats_that_the_service_enforces_are_checked() {
    let procedure = procedure(
        r#"{"name": "day", "required": false, "schema": {"type": "string", "format": "date"}},
        {"name": "post", "required": false, "schema": {"type": "string", "format": "email"}},
        {"name": "both", "required": false, "schema": {"type": "object", "properties": {
          "day": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}}}}"#,
    );
    let all = ["date", "email"];
    for (origin, enforced, refused) in [
        (Origin::Docent, &all[..0], ""),
        (Origin::Docent, &all[..1], "day both"),
        (Origin::Docent, &all[1..], "post"),
        (Origin::Docent, &all, "day post both"),
        // Others do not say what they enforce.
        (Origin::OpenRpc, &all[..0], ""),
        (Origin::JsonRpc11, &all[..0], ""),
    ] {
        let mut service = ServiceDescription::default();
        service.enforced_formats = enforced.iter().map(|&format| format.to_owned()).collect();
        service.origin = origin;
        let arguments = Arguments::new(&procedure, &service);
        for (name, params) in [
            ("day", r#"{"day": "soon"}"#),
            ("post", r#"{"post": "nobody"}"#),
            ("both", r#"{"both": {"day": "soon"}}"#),
        ] {
            let is_refused = arguments.check(params).is_err();
            assert_eq!(is_refused, refused.contains(name), "{enforced:?}: {params}");
        }
    }
}

/// `name=text` and `name:=json`, as in the command.
fn given<'a>(texts: &[&'a str]) -> Vec<(&'a str, Argument<'a>)> {
    let split = |text: &'a str| {
        if let Some((name, json)) = text.split_once(":=") {
            return (name, Argument::Json(json));
        }
        let (name, text) = text.split_once('=').expect("name=text");
        (name, Argument::Text(text))
    };
    texts.iter().map(|text| split(text)).collect()
}

#[test]
fn text_is_converted_as_in_a_query_and_json_stays_as_written() {
    let procedure = procedure(PARAMS);
    for (texts, expected) in [
        (&["words=a", "limit=5"][..], r#"{"words":["a"],"limit":5}"#),
        (&["words=1", "words=2"], r#"{"words":["1","2"]}"#),
        (&["terms=a"], r#"{"words":["a"]}"#),
        (&["words=a", "limit="], r#"{"words":["a"]}"#),
        (&["words=a", "id=7"], r#"{"words":["a"],"id":7}"#),
        (&["words=a", "id=x7"], r#"{"words":["a"],"id":"x7"}"#),
        (&["words:=[]", "id:=1e400"], r#"{"words":[],"id":1e400}"#),
        (
            &["at:={\"x\": 1.0}", "words=a"],
            r#"{"words":["a"],"at":{"x": 1.0}}"#,
        ),
        (&["0=a", "1=5"], r#"{"words":["a"],"limit":5}"#),
        (&["0:=[\"a\"]", "limit=5"], r#"{"words":["a"],"limit":5}"#),
    ] {
        let params = arguments(&procedure).params(given(texts));
        assert_eq!(
            params.as_deref().ok(),
            Some(expected),
            "{texts:?}: {params:?}"
        );
    }
}

#[test]
fn a_list_is_put_together_from_positions_or_given_by_its_name() {
    let procedure = procedure(LIST);
    for (texts, expected) in [
        (&["0=1", "1=2.50"][..], "[1,2.50]"),
        (&["values=1", "values=2"], "[1,2]"),
        (&["0=1", "1:=2e0"], "[1,2e0]"),
        (&["values:=[1,2]"], r#"{"values":[1,2]}"#),
        (&[], "[]"),
    ] {
        let arguments = arguments(&procedure);
        let params = arguments.params(given(texts)).expect("params");
        assert_eq!(params, expected, "{texts:?}");
        assert!(arguments.check(&params).is_ok(), "{texts:?}");
    }
}

#[test]
fn arguments_are_rejected_with_the_error_of_the_service() {
    let procedure = procedure(PARAMS);
    for (texts, said) in [
        (&["word=a"][..], r#"did you mean \"words\"?"#),
        (&["limit=5"], "this required parameter is missing"),
        (&["words=a", "limit=500"], "found 500"),
        (&["words=a", "limit=x"], r#"found \"x\""#),
        (&["words=a", "sort=left"], r#"\"up\""#),
        (&["words=a", "at=1"], "give JSON"),
        (&["words=a", "at:={}"], r#"the member \"x\" is missing"#),
        (&["words=a", "at:={\"x\": \"y\"}"], r#""pointer":"/x""#),
        (&["words=a", "at:={"], "not well-formed JSON"),
        (&["words=a", "limit=1", "limit:=2"], "given twice"),
        (&["words=a", "limit:=1", "limit:=2"], "given twice"),
        (&["words=a", "9=1"], "too many parameters"),
        (&["words=a", "9:=1"], "too many parameters"),
    ] {
        let arguments = arguments(&procedure);
        let refused = arguments
            .params(given(texts))
            .and_then(|params| arguments.check(&params))
            .expect_err("an error");
        assert_eq!(refused.code(), -32602);
        let data = refused.data().expect("data");
        assert!(data.contains(said), "{texts:?}: {data}");
    }
}

#[test]
fn params_as_a_whole_are_checked() {
    let named = procedure(PARAMS);
    let mut by_name = named.clone();
    by_name.by_name_only = true;
    for (procedure, params, is_accepted) in [
        (&named, r#"[["a"], 5]"#, true),
        (&named, r#" {"words": ["a"]} "#, true),
        (&by_name, r#"[["a"], 5]"#, false),
        (&named, "5", false),
        (&named, "[", false),
        (&named, "null", false),
        (&named, r#"{"words": [1]}"#, false),
    ] {
        let outcome = arguments(procedure).check(params);
        assert_eq!(outcome.is_ok(), is_accepted, "{params}: {outcome:?}");
    }
}

#[test]
fn unknown_names_are_ignored_where_the_description_says_so() {
    let mut tolerant = procedure(PARAMS);
    tolerant.ignores_unknown = true;
    for (params, is_accepted) in [
        (r#"{"more": {"a": [1]}, "words": ["a"], "limit": 5}"#, true),
        (r#"{"words": ["a"], "more": 1, "more": 2}"#, true),
        (r#"{"more": 1}"#, false),
        (r#"{"words": ["a"], "terms": ["a"], "more": 1}"#, false),
        (r#"{"words": [1], "more": 1}"#, false),
        (
            r#"{"words": ["a"], "$serde_json::private::RawValue": "1"}"#,
            false,
        ),
        (
            r#"{"words": ["a"], "more": {"$serde_json::private::RawValue": "1"}}"#,
            false,
        ),
        (r#"[["a"], 5, {"x": 1}, 1, "up", 6]"#, false),
    ] {
        let outcome = arguments(&tolerant).check(params);
        assert_eq!(outcome.is_ok(), is_accepted, "{params}: {outcome:?}");
    }
    let arguments = arguments(&tolerant);
    let put_together = arguments.params(given(&["words=a", "more=1"]));
    assert_eq!(put_together.ok().as_deref(), Some(r#"{"words":["a"]}"#));
}

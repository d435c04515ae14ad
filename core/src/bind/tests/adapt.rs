//! Parameters from query strings and from 1.1 calls.

#![expect(
    clippy::needless_pass_by_value,
    reason = "values are written where they are passed"
)]

use docent_describe::json::Json;
use docent_describe::schema::check::Compiler;
use docent_describe::{Components, ParamDescription};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::{Adapted, Adapter, BindError, Plan, invalid_params};

/// A procedure as GET sees it.
struct Procedure {
    plan: Plan,
    adapter: Adapter,
}

impl Procedure {
    fn new(parameters: &Value, by_name_only: bool) -> Self {
        let components = components();
        let parameters: Vec<_> = parameters
            .as_array()
            .unwrap()
            .iter()
            .map(|parameter| {
                let mut param = ParamDescription::new(
                    parameter["name"].as_str().unwrap().to_owned(),
                    Json::from(&parameter["schema"]),
                );
                param.required = parameter["required"] == true;
                param.variadic = parameter["variadic"] == true;
                param
            })
            .collect();
        let plan = Plan::new(
            parameters
                .iter()
                .map(|parameter| (parameter, crate::bind::ParamCheck::default())),
            by_name_only,
        );
        let adapter = Adapter::new(&parameters, &mut Compiler::new(&components.schemas));
        Self { plan, adapter }
    }

    /// Returns a procedure with one parameter `p`.
    fn of(schema: Value, required: bool) -> Self {
        Self::new(
            &json!([{"name": "p", "required": required, "schema": schema}]),
            false,
        )
    }

    fn list(items: Value) -> Self {
        let schema = json!({"type": "array", "items": items});
        Self::new(
            &json!([{"name": "values", "variadic": true, "schema": schema}]),
            false,
        )
    }

    /// Returns the text of `params` for a valid query.
    #[track_caller]
    fn text(&self, query: &str) -> String {
        let adapted = self.adapter.adapt_query(&self.plan, query).unwrap();
        assert!(adapted.problems.is_empty(), "{query}: {adapted:?}");
        adapted.params
    }

    #[track_caller]
    fn gives(&self, query: &str, expected: &str) {
        assert_eq!(self.text(query), expected, "{query}");
    }

    #[track_caller]
    fn refuses(&self, query: &str, expected: Value) {
        let error = match self.adapter.adapt_query(&self.plan, query) {
            Err(error) => error,
            Ok(Adapted { params, problems }) => {
                assert!(!problems.is_empty(), "{query} is taken");
                invalid_params(&self.plan, Some(&params), problems)
            }
        };
        assert_eq!(serde_json::to_value(&error).unwrap(), expected, "{query}");
    }
}

fn components() -> Components {
    let schemas = json!({
        "Level": {"type": "string", "enum": ["low", "high"]},
        "Level ~/": {"type": "integer"},
        "Book": {"type": "object", "properties": {}},
        "Tree": {"anyOf": [{"$ref": "#/components/schemas/Tree"}, {"type": "integer"}]},
        "Forest": {"type": "array", "items": {"$ref": "#/components/schemas/Forest"}},
        "Loop": {"$ref": "#/components/schemas/Loop"},
    });
    let mut components = Components::default();
    components.schemas = schemas
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, schema)| (name.clone(), Json::from(schema)))
        .collect();
    components
}

#[test]
fn values_are_what_the_schema_takes() {
    let cases = [
        (json!({"type": "integer"}), "p=5", r#"{"p":5}"#),
        (json!({"type": "integer"}), "p=-0", r#"{"p":-0}"#),
        (json!({"type": "integer"}), "p=5.0", r#"{"p":5.0}"#),
        (json!({"type": "integer"}), "p=5e1", r#"{"p":5e1}"#),
        (
            json!({"type": "integer"}),
            "p=123456789012345678901234567890",
            r#"{"p":123456789012345678901234567890}"#,
        ),
        (json!({"type": "number"}), "p=1.5", r#"{"p":1.5}"#),
        (json!({"type": "number"}), "p=1e400", r#"{"p":1e400}"#),
        (json!({"type": "boolean"}), "p=true", r#"{"p":true}"#),
        (json!({"type": "boolean"}), "p=false", r#"{"p":false}"#),
        (json!({"type": "string"}), "p=true", r#"{"p":"true"}"#),
        (json!({"type": "string"}), "p=5", r#"{"p":"5"}"#),
        (json!({"type": "string"}), "p=", r#"{"p":""}"#),
        (json!({"type": "string"}), "p", r#"{"p":""}"#),
        (json!({"type": "string"}), "p=a=b", r#"{"p":"a=b"}"#),
        (json!({"type": ["integer", "null"]}), "p=5", r#"{"p":5}"#),
        (json!({"type": ["string", "integer"]}), "p=5", r#"{"p":5}"#),
        (
            json!({"type": ["string", "integer"]}),
            "p=5.5",
            r#"{"p":"5.5"}"#,
        ),
        (
            json!({"type": ["string", "number"]}),
            "p=5.5",
            r#"{"p":5.5}"#,
        ),
        (
            json!({"type": ["string", "number"]}),
            "p=%2B5",
            r#"{"p":"+5"}"#,
        ),
        (
            json!({"type": ["string", "boolean"]}),
            "p=true",
            r#"{"p":true}"#,
        ),
        (json!({}), "p=5", r#"{"p":5}"#),
        (json!(true), "p=x", r#"{"p":"x"}"#),
        (json!({}), "p=null", r#"{"p":"null"}"#),
        (json!({}), "p=", r#"{"p":""}"#),
        (json!({}), "p=1&p=x", r#"{"p":[1,"x"]}"#),
        (
            json!({"anyOf": [{"type": "object"}, {"type": "integer"}]}),
            "p=5",
            r#"{"p":5}"#,
        ),
        (
            json!({"oneOf": [{"type": "boolean"}, {"type": "string"}]}),
            "p=5",
            r#"{"p":"5"}"#,
        ),
        (
            json!({"allOf": [{"type": ["integer", "string"]}, {"type": ["number", "null"]}]}),
            "p=5",
            r#"{"p":5}"#,
        ),
        (
            json!({"$ref": "#/components/schemas/Level", "description": "x"}),
            "p=low",
            r#"{"p":"low"}"#,
        ),
        (
            json!({"$ref": "#/components/schemas/Level%20~0~1"}),
            "p=5",
            r#"{"p":5}"#,
        ),
        (
            json!({"$ref": "#/components/schemas/Tree"}),
            "p=5",
            r#"{"p":5}"#,
        ),
    ];
    for (schema, query, expected) in cases {
        Procedure::of(schema, true).gives(query, expected);
    }
}

#[test]
fn enumerations_are_matched_by_value() {
    let cases = [
        (json!({"enum": [1, 2.5]}), "p=1", r#"{"p":1}"#),
        (json!({"enum": [1, 2.5]}), "p=1.0", r#"{"p":1.0}"#),
        (json!({"enum": [1, 2.5]}), "p=25e-1", r#"{"p":25e-1}"#),
        (json!({"enum": ["1", "2"]}), "p=1", r#"{"p":"1"}"#),
        (json!({"enum": ["1", 2]}), "p=1", r#"{"p":"1"}"#),
        (json!({"enum": ["1", 2]}), "p=2", r#"{"p":2}"#),
        (json!({"enum": [true, "true"]}), "p=true", r#"{"p":true}"#),
        (json!({"enum": ["true"]}), "p=true", r#"{"p":"true"}"#),
        (json!({"const": 7}), "p=7", r#"{"p":7}"#),
        (json!({"const": "7"}), "p=7", r#"{"p":"7"}"#),
        (json!({"enum": ["auto", null]}), "p=auto", r#"{"p":"auto"}"#),
        (
            json!({"anyOf": [{"enum": ["auto", "7"]}, {"type": "integer"}]}),
            "p=auto",
            r#"{"p":"auto"}"#,
        ),
        (
            json!({"anyOf": [{"const": "a"}, {"const": "5"}]}),
            "p=5",
            r#"{"p":"5"}"#,
        ),
        (
            json!({"type": "integer", "enum": [1, "x"]}),
            "p=1",
            r#"{"p":1}"#,
        ),
        // A value that fits no type is left for binding to reject, in a form for which it can give
        // the reason.
        (json!({"enum": ["1", "2"]}), "p=3", r#"{"p":"3"}"#),
        (json!({"enum": [1, 2]}), "p=3", r#"{"p":3}"#),
        (json!({"enum": [1, 2]}), "p=x", r#"{"p":"x"}"#),
    ];
    for (schema, query, expected) in cases {
        Procedure::of(schema, true).gives(query, expected);
    }
}

#[test]
fn empty_text_is_nothing_where_it_cannot_be_a_string() {
    let nothing = "{}";
    let cases = [
        (json!({"type": "integer"}), false, nothing),
        (json!({"type": ["integer", "null"]}), true, nothing),
        (json!({"type": "boolean"}), false, nothing),
        (
            json!({"type": "array", "items": {"type": "string"}}),
            false,
            nothing,
        ),
        (json!({"type": ["string", "null"]}), false, r#"{"p":""}"#),
        (json!({"type": "string"}), false, r#"{"p":""}"#),
        (json!({"type": "integer"}), true, r#"{"p":""}"#),
        (json!({"enum": [1, 2]}), false, nothing),
        (json!({"enum": ["a"]}), false, nothing),
        (json!({"type": "string", "enum": ["a"]}), false, nothing),
        (json!({"enum": ["a"]}), true, r#"{"p":""}"#),
        (json!({"enum": ["a", ""]}), false, r#"{"p":""}"#),
        (json!({"$ref": "#/components/schemas/Book"}), false, nothing),
    ];
    for (schema, required, expected) in cases {
        let procedure = Procedure::of(schema, required);
        procedure.gives("p=", expected);
        procedure.gives("p", expected);
        if !required {
            procedure.gives("", nothing);
        }
    }
}

#[test]
fn repetition_is_an_array() {
    let numbers = Procedure::of(json!({"type": "array", "items": {"type": "integer"}}), true);
    numbers.gives("p=1", r#"{"p":[1]}"#);
    numbers.gives("p=2&p=1", r#"{"p":[2,1]}"#);
    numbers.gives("0=2&0=1", r#"{"p":[2,1]}"#);
    numbers.gives("p=x&p=", r#"{"p":["x",""]}"#);
    let pair = json!({"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]});
    Procedure::of(pair, true).gives("p=1&p=2&p=3", r#"{"p":[1,"2",3]}"#);
    let either =
        json!({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]});
    let either = Procedure::of(either, true);
    either.gives("p=1", r#"{"p":1}"#);
    either.gives("p=1&p=2", r#"{"p":[1,2]}"#);
    Procedure::of(json!({"type": "integer"}), true).refuses(
        "p=1&p=1",
        json!({"parameter": "p", "pointer": "", "reason": "expected one value, found 2"}),
    );
}

fn sum() -> Procedure {
    Procedure::new(
        &json!([
            {"name": "a", "required": true, "schema": {"type": "number"}},
            {"name": "b c", "required": true, "schema": {"type": "string"}},
            {"name": "d", "schema": {"type": "integer"}},
        ]),
        false,
    )
}

#[test]
fn names_and_positions_lead_to_parameters() {
    let sum = sum();
    for query in [
        "a=1&b+c=x",
        "b%20c=x&a=1",
        "0=1&1=x",
        "1=x&0=1",
        "%30=1&b%20c=x",
        "00=1&01=x",
        "&a=1&&b+c=x&",
        "a=1&b+c=x&d=",
        "a=%31&%62%20%63=%78",
    ] {
        sum.gives(query, r#"{"a":1,"b c":"x"}"#);
    }
    sum.gives("2=7&a=1", r#"{"a":1,"d":7}"#);
    sum.gives("1=%22%5C%0A%F0%9F%98%80", "{\"b c\":\"\\\"\\\\\\n😀\"}");
    sum.gives("", "{}");
}

#[test]
fn what_names_no_parameter_is_refused() {
    let sum = sum();
    let given = json!({"parameter": "a", "pointer": "", "reason":
        "this parameter is given both by name and by position"});
    sum.refuses("a=1&0=1&0=2&b+c=x", given.clone());
    sum.refuses("0=1&b+c=x&a=1", given);
    sum.refuses(
        "a=1&dd=1&b+c=x&dd=2",
        json!({"parameter": "dd", "pointer": "", "reason":
            "unknown parameter: expected \"a\", \"b c\" or \"d\""}),
    );
    sum.refuses(
        "3=1&0=1&1=x",
        json!({"position": 3, "reason": "too many parameters: expected at most 3 parameters"}),
    );
    sum.refuses(
        "99999999999999999999999999=1&0=1&1=x",
        json!({"parameter": "99999999999999999999999999", "pointer": "", "reason":
            "unknown parameter: expected \"a\", \"b c\" or \"d\""}),
    );
    let by_name_only = Procedure::new(&json!([{"name": "a", "schema": {}}]), true);
    by_name_only.gives("a=1", r#"{"a":1}"#);
    by_name_only.refuses(
        "0=1",
        json!({"position": 0, "reason":
            "this procedure takes its parameters by name only"}),
    );
    let none = Procedure::new(&json!([]), false);
    none.gives("", "{}");
    none.refuses(
        "x=1",
        json!({"parameter": "x", "pointer": "", "reason":
            "unknown parameter: the procedure takes none"}),
    );
}

#[test]
fn what_is_not_encoded_text_is_refused() {
    let sum = sum();
    let value = |reason: &str| json!({"parameter": "a", "pointer": "", "reason": reason});
    sum.refuses("a=%ff", value("the value is not UTF-8"));
    sum.refuses("a=%C3", value("the value is not UTF-8"));
    sum.refuses("a=%ED%A0%80", value("the value is not UTF-8"));
    for stray in ["a=%", "a=%4", "a=5%", "a=%zz", "a=%+1"] {
        sum.refuses(
            stray,
            value("the value has a % that is not followed by two hexadecimal digits"),
        );
    }
    sum.refuses(
        "%ff=1",
        json!({"reason": "a name in the query is not UTF-8"}),
    );
    sum.refuses(
        "%=1",
        json!({"reason": "a name in the query has a % that is not followed by two hexadecimal \
                          digits"}),
    );
}

#[test]
fn an_object_cannot_be_sent() {
    let post = json!({"parameter": "p", "pointer": "", "reason":
        "an object cannot be sent by GET: call the procedure with POST"});
    for schema in [
        json!({"$ref": "#/components/schemas/Book"}),
        json!({"type": ["object", "null"]}),
        json!({"anyOf": [{"$ref": "#/components/schemas/Book"}, {"type": "null"}]}),
        json!({"type": "array", "items": {"$ref": "#/components/schemas/Book"}}),
        json!({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}),
        json!({"type": "array", "prefixItems": [{"type": "object"}, {"type": "object"}],
            "minItems": 2, "maxItems": 2}),
        json!({"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "object"},
            "minItems": 2}),
        json!({"enum": [[1], {"a": 1}]}),
        json!({"$ref": "#/components/schemas/Forest"}),
        json!({"$ref": "#/components/schemas/Loop"}),
        json!({"$ref": "#/components/schemas/Missing"}),
    ] {
        let optional = Procedure::of(schema.clone(), false);
        optional.refuses("p=x", post.clone());
        optional.gives("", "{}");
        // No caller could ever supply it, so reporting it as missing would not help.
        Procedure::of(schema, true).refuses("", post.clone());
    }
}

#[test]
fn a_list_comes_by_positions_without_gaps_or_by_its_name() {
    let list = Procedure::list(json!({"type": "integer"}));
    for query in ["0=5&1=7", "1=7&0=5", "values=5&values=7"] {
        list.gives(query, "[5,7]");
    }
    list.gives("", "[]");
    list.gives("values=", "[]");
    list.gives("values=5", "[5]");
    list.gives("0=x", "[\"x\"]");
    let gap = |position: usize| {
        json!({"parameter": "values", "position": position, "pointer": "", "reason":
            "no value at this position: positions must not have gaps"})
    };
    list.refuses("1=5", gap(0));
    list.refuses("0=5&2=7", gap(1));
    list.refuses(
        "99999999999999999999999=7",
        json!({"parameter": "99999999999999999999999", "pointer": "", "reason":
            "unknown parameter: expected \"values\""}),
    );
    list.refuses(
        "0=5&values=7",
        json!({"parameter": "values", "pointer": "", "reason":
            "this parameter is given both by name and by position"}),
    );
    list.refuses(
        "0=5&0=7",
        json!({"parameter": "values", "position": 0, "pointer": "", "reason":
            "expected one value, found 2"}),
    );
    list.refuses(
        "value=1&values=2",
        json!({"parameter": "value", "pointer": "", "reason":
            "unknown parameter: expected \"values\"; did you mean \"values\"?"}),
    );
    let lists = Procedure::list(json!({"type": "array", "items": {"type": "integer"}}));
    lists.gives("1=3&0=1&0=2", "[[1,2],[3]]");
    let strings = Procedure::list(json!({"type": "string"}));
    strings.gives("values=&values=a", r#"["","a"]"#);
    strings.gives("0=", r#"[""]"#);
    let objects = Procedure::list(json!({"type": "object"}));
    objects.gives("", "[]");
    assert!(objects.adapter.adapt_query(&objects.plan, "0=x").is_err());
}

#[test]
fn what_a_query_gives_is_bound_like_any_other_call() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Sum {
        a: f64,
        #[serde(rename = "b c")]
        b: String,
        d: Option<u8>,
    }

    let sum = sum();
    let bind = |query: &str| -> Result<Sum, BindError> {
        super::super::bind(&sum.plan, Some(&sum.text(query)))
    };
    let expected = Sum {
        a: 1.5,
        b: "5".to_owned(),
        d: None,
    };
    assert_eq!(bind("a=1.5&1=5"), Ok(expected));
    for (query, parameter, reason) in [
        ("a=1", "b c", "this required parameter is missing"),
        ("a=&1=x", "a", "expected a number, found the string \"\""),
        (
            "a=NaN&1=x",
            "a",
            "expected a number, found the string \"NaN\"",
        ),
        (
            "a=%2B1&1=x",
            "a",
            "expected a number, found the string \"+1\"",
        ),
        (
            "a=0x1F&1=x",
            "a",
            "expected a number, found the string \"0x1F\"",
        ),
        ("a=true&1=x", "a", "expected a number, found true"),
        ("a=1&1=x&d=1.5", "d", "expected an integer, found 1.5"),
        (
            "a=1&1=x&d=256",
            "d",
            "expected an integer within the range of its type, found 256",
        ),
        (
            "a=1e400&1=x",
            "a",
            "expected a number within ±1.7976931348623157e308, found 1e400",
        ),
    ] {
        let error = bind(query).unwrap_err();
        assert_eq!(error.parameter(), Some(parameter), "{query}");
        assert_eq!(error.reason(), reason, "{query}");
    }
}

#[test]
fn a_hundred_thousand_repetitions_are_read_in_passing() {
    let numbers = json!({"type": "array", "items": {"type": "integer"}});
    let query = "p=1&".repeat(100_000);
    let params = Procedure::of(numbers, true);
    let text = params.text(&query);
    assert_eq!(text.len(), "{\"p\":[]}".len() + 2 * 100_000 - 1);
    let list = Procedure::list(json!({"type": "integer"}));
    let positions: String = (0..100_000)
        .rev()
        .flat_map(|position| [position.to_string(), "=1&".to_owned()])
        .collect();
    let text = list.text(&positions);
    assert_eq!(text.len(), 2 * 100_000 + 1);
    assert!(
        list.adapter
            .adapt_query(&list.plan, &"0=1&".repeat(100_000))
            .is_err()
    );
}

#[test]
fn of_a_union_the_first_kind_counts_that_a_value_fits() {
    let byte = json!({"type": "integer", "minimum": 0, "maximum": 255});
    let either = Procedure::of(json!({"anyOf": [byte, {"type": "string"}]}), true);
    for (query, params) in [
        ("p=255", r#"{"p":255}"#),
        ("p=0", r#"{"p":0}"#),
        ("p=2e2", r#"{"p":2e2}"#),
        ("p=256", r#"{"p":"256"}"#),
        ("p=-1", r#"{"p":"-1"}"#),
        ("p=1.5", r#"{"p":"1.5"}"#),
        ("p=007", r#"{"p":"007"}"#),
        ("p=true", r#"{"p":"true"}"#),
    ] {
        either.gives(query, params);
    }
    // Bounds beside the alternatives apply to all of them, and arrays hold what their elements
    // allow.
    let beside = json!({"type": ["number", "boolean", "string"], "exclusiveMaximum": 1});
    Procedure::of(beside.clone(), true).gives("p=1", r#"{"p":"1"}"#);
    Procedure::of(beside.clone(), true).gives("p=0.5", r#"{"p":0.5}"#);
    Procedure::of(beside.clone(), true).gives("p=true", r#"{"p":true}"#);
    let list = json!({"type": "array", "items": {"allOf": [beside, {"multipleOf": 0.25}]}});
    Procedure::of(list, true).gives("p=0.25&p=0.3&p=1", r#"{"p":[0.25,"0.3","1"]}"#);
    let two = json!({"anyOf": [{"type": "integer", "maximum": 9}, {"type": "number", "minimum": 90},
        {"type": "string", "maxLength": 9}]});
    let two = Procedure::of(two, true);
    two.gives("p=5", r#"{"p":5}"#);
    two.gives("p=90.5", r#"{"p":90.5}"#);
    two.gives("p=50", r#"{"p":"50"}"#);
    let named = json!({"anyOf": [byte, {"const": "all"}]});
    let named = Procedure::of(named, true);
    named.gives("p=all", r#"{"p":"all"}"#);
    named.gives("p=7", r#"{"p":7}"#);
    // If there is no other interpretation, binding reports the violated constraint.
    Procedure::of(byte, true).gives("p=256", r#"{"p":256}"#);
}

#[test]
fn a_call_of_1_1_keeps_a_boolean_that_is_listed() {
    let listed = json!({"anyOf": [{"const": true}, {"type": "string"}]});
    let either = Procedure::of(listed, true);
    for (given, adapted) in [
        (r#"{"p":true}"#, r#"{"p":true}"#),
        (r#"{"p":false}"#, r#"{"p":"false"}"#),
    ] {
        let params = Some(given);
        let call = either.adapter.adapt_call(&either.plan, params).unwrap();
        assert_eq!(call.params, adapted, "{given}");
    }
}

#[test]
fn a_call_of_1_1_keeps_a_number_that_fits_and_spells_one_that_does_not() {
    let byte = json!({"type": "integer", "minimum": 0, "maximum": 255});
    let either = Procedure::of(json!({"anyOf": [byte, {"type": "string"}]}), true);
    for (params, adapted) in [
        (r#"{"p":255}"#, r#"{"p":255}"#),
        (r#"{"p":256}"#, r#"{"p":"256"}"#),
        (r#"{"p":1.5}"#, r#"{"p":"1.5"}"#),
        (r#"{"p":"1"}"#, r#"{"p":"1"}"#),
    ] {
        let params = Some(params);
        let found = either.adapter.adapt_call(&either.plan, params).unwrap();
        assert_eq!(found.params, adapted);
    }
}

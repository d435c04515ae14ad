//! A service whose calls are awkward to write down and to fill in: for the example that writes its
//! site, where a browser fills in the form and compares its samples with the generator's.

use std::time::Duration;

use docent_describe::{
    Credential, ErrorDescription, Example, LagPolicy, ParamDescription, ProcedureDescription,
    Requirement, ReturnDescription, ServiceDescription, SubscriptionDescription,
};

use crate::library::json;

/// Values that a language, a shell or a double would change.
pub(crate) const VALUES: &[&str] = &[
    r#""""#,
    r#""it's 'quoted' \"twice\" \\ \\\" `id` $(id) ${HOME} !! %s""#,
    r#""a\nb\r\nc\td""#,
    r#""\u0000\u001b\u007f\u202e\u2028\u2029\ufeff""#,
    r#""ünïcödé — 日本語 🎉 👩‍🚀""#,
    r###""\"# \"## r#\" #\"""###,
    r#""<script>alert(1)</script> <<url>> <<body|shell>> &amp;""#,
    r#""true false null \" true""#,
    r#""{{name}} {0} %(x)s""#,
    "[true, false, null, \"null\"]",
    "[0, -0, 0.0, 1.0, 1e2, 1E+2, 1e-7, 0.1]",
    "[9007199254740991, 9007199254740993, 18446744073709551615, -9223372036854775808]",
    "[1e400, 0.1000000000000000055, 123456789012345678901234567890.5]",
    r#"{"__proto__": 1, "constructor": {"__proto__": []}}"#,
    r#"{"": {"": ""}, "'": "'", "a b": [], "é\n": {}}"#,
    r#"{"one": 1, "two": {"three": [1, 2, 3], "four": {"five": "a text that is longer than one line can hold"}}}"#,
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    r#"[{"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": ["0123456789", "0123456789"]}}}}}}}}]"#,
    r#"["0123456789012345678901234567890123456789", "01234567890123456789012345678901234567890123"]"#,
    r#"["éééééééééééééééééééééé", "🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉"]"#,
];

/// One parameter of each kind.
const KINDS: &[(&str, bool, &str)] = &[
    (
        "note",
        true,
        r#"{"type": ["string", "null"], "maxLength": 5}"#,
    ),
    (
        "big",
        true,
        r#"{"type": "integer", "minimum": 0, "maximum": 18446744073709551615}"#,
    ),
    (
        "ratio",
        false,
        r#"{"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}"#,
    ),
    ("day", true, r#"{"type": "string", "format": "date"}"#),
    ("order", true, r#"{"enum": ["title", "year", null]}"#),
    ("flag", false, r#"{"type": "boolean", "default": true}"#),
    (
        "cover",
        false,
        r#"{"type": "string", "contentEncoding": "base64"}"#,
    ),
    (
        "isbn",
        false,
        r#"{"type": "string", "pattern": "^97[89][0-9]{10}$"}"#,
    ),
    ("slow", false, r#"{"type": "string", "pattern": "^(a+)+$"}"#),
    (
        "person",
        false,
        r#"{"type": "object", "required": ["name"], "additionalProperties": false, "properties": {"name": {"type": "string", "minLength": 1}, "home": {"type": "object", "properties": {"street": {"type": "string"}, "number": {"type": "integer", "minimum": 1}}}}}"#,
    ),
    (
        "shape",
        true,
        r#"{"oneOf": [{"title": "Circle", "type": "object", "required": ["kind", "radius"], "properties": {"kind": {"const": "circle"}, "radius": {"type": "number", "minimum": 0}, "label": {"type": "string"}}}, {"title": "Square", "type": "object", "required": ["kind", "side"], "properties": {"kind": {"const": "square"}, "side": {"type": "integer"}, "label": {"type": "string"}}}, {"type": "string"}]}"#,
    ),
    (
        "tags",
        false,
        r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": true, "maxItems": 2}"#,
    ),
    (
        "point",
        false,
        r#"{"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]}"#,
    ),
    (
        "prices",
        false,
        r#"{"type": "object", "additionalProperties": {"type": "number"}}"#,
    ),
    ("anything", false, "{}"),
    ("tree", false, r##"{"$ref": "#/components/schemas/Tree"}"##),
    (
        "untitled",
        false,
        r#"{"oneOf": [{"type": "object", "required": ["op"], "properties": {"op": {"const": "sum"}}}, {"type": "object", "required": ["op"], "properties": {"op": {"const": "neg"}}}, {"type": "object", "properties": {"a": {}, "b": {}, "c": {}, "d": {}, "e": {}}}, {"type": "boolean"}]}"#,
    ),
];

fn procedure(name: String, params: &str) -> ProcedureDescription {
    let mut procedure = ProcedureDescription::new(name);
    procedure.idempotent = true;
    procedure.returns = Some(ReturnDescription::new(json("{}")));
    let mut example = Example::default();
    example.params = Some(json(params));
    example.result = Some(json("null"));
    procedure.examples = vec![example];
    procedure
}

/// The service.
pub(crate) fn corpus() -> ServiceDescription {
    let mut service = ServiceDescription::new("Corpus", "");
    for (at, value) in VALUES.iter().enumerate() {
        let mut one = procedure(format!("value.n{at}"), &format!(r#"{{"value": {value}}}"#));
        one.params = vec![param("value", true, "{}")];
        service.procs.push(one);
    }
    let mut kinds = procedure(
        "kinds".to_owned(),
        r#"{"note": "a", "big": 9223372036854775809, "day": "2026-01-31", "order": "year", "shape": {"kind": "square", "side": 2}}"#,
    );
    kinds.params = KINDS
        .iter()
        .map(|(name, required, schema)| param(name, *required, schema))
        .collect();
    let mut example = Example::default();
    example.summary = Some("Everything".to_owned());
    example.params = Some(json(
        r#"{"note": null, "big": 1, "ratio": 2.5, "day": "2026-02-28", "order": null, "flag": false, "isbn": "9780142437247", "slow": "aaa", "person": {"name": "Ada", "home": {"street": "Main", "number": 7}}, "shape": "none", "tags": ["x", "y"], "point": [1, 2], "prices": {"EUR": 1.50}, "anything": {"deep": [1e400]}, "tree": {"name": "root", "below": [{"name": "leaf", "below": []}]}}"#,
    ));
    example.result = Some(json("true"));
    kinds.examples.push(example);
    service.procs.push(kinds);
    let mut pay = procedure("pay".to_owned(), r#"{"amount": 1}"#);
    pay.idempotent = false;
    pay.repeatable = Some(Duration::from_secs(60));
    pay.params = vec![param("amount", true, r#"{"type": "integer"}"#)];
    service.procs.push(pay);
    service
        .procs
        .extend([gaps(), values(), secrets(), placed(), watch()]);
    let mut locked = procedure("locked".to_owned(), "{}");
    locked.security = vec![
        Requirement::new(["bearer", "key", "basic"].map(Credential::new).to_vec()),
        Credential::new("pin").into(),
    ];
    service.procs.push(locked);
    for (name, scheme) in [
        ("bearer", r#"{"type": "http", "scheme": "bearer"}"#),
        ("basic", r#"{"type": "http", "scheme": "basic"}"#),
        (
            "key",
            r#"{"type": "apiKey", "in": "header", "name": "X-Key"}"#,
        ),
        (
            "pin",
            r#"{"type": "apiKey", "in": "header", "name": "X-Pin"}"#,
        ),
    ] {
        service
            .security_schemes
            .insert(name.to_owned(), json(scheme));
    }
    service.enforced_formats = vec!["base64".to_owned()];
    service.components.schemas.insert(
        "Tree".to_owned(),
        json(r##"{"type": "object", "required": ["name", "below"], "properties": {"name": {"type": "string"}, "below": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}}"##),
    );
    service
}

/// Parameters that leave gaps by position.
fn gaps() -> ProcedureDescription {
    let mut gaps = procedure("gaps".to_owned(), r#"{"words": "whale"}"#);
    gaps.params = vec![
        param("words", true, r#"{"type": "string"}"#),
        param(
            "order",
            false,
            r#"{"enum": ["title", "year"], "default": "year"}"#,
        ),
        param("near", false, r#"{"type": ["integer", "null"]}"#),
        param("anything", false, "{}"),
        param("shelf", false, r#"{"type": "string"}"#),
        param("limit", false, r#"{"type": "integer"}"#),
    ];
    gaps
}

/// Values of every kind that are listed, and schemas that a form does not check.
fn values() -> ProcedureDescription {
    let mut values = procedure(
        "values".to_owned(),
        r#"{"fixed": {"a": [1, null]}, "listed": {"b": 1.0, "a": 2}, "nothing": null, "conditional": 1}"#,
    );
    let many: Vec<String> = (0..400).map(|number| number.to_string()).collect();
    values.params = vec![
        param("fixed", true, r#"{"const": {"a": [1, null]}}"#),
        param(
            "listed",
            true,
            r#"{"enum": [{"b": 1.0, "a": 2}, [1, 2], null, "x", 1.0]}"#,
        ),
        param("nothing", true, r#"{"const": null}"#),
        param("sure", false, r#"{"type": ["boolean", "null"]}"#),
        param(
            "open",
            false,
            r#"{"properties": {"a": {"type": "integer"}}}"#,
        ),
        param(
            "conditional",
            false,
            r#"{"type": "integer", "not": {"const": 2}}"#,
        ),
        param("slow", false, r#"{"type": "string", "pattern": "^(a+)+$"}"#),
        param(
            "many",
            false,
            &format!(r#"{{"enum": [{}]}}"#, many.join(", ")),
        ),
    ];
    values
}

/// A procedure with secrets, which a page must not store, beside a note, which it stores.
fn secrets() -> ProcedureDescription {
    let mut secrets = procedure(
        "secrets".to_owned(),
        r#"{"login": {"name": "ada", "pin": "1234"}, "phrase": "open", "note": "a"}"#,
    );
    secrets.params = vec![
        param("note", true, r#"{"type": "string"}"#),
        param(
            "login",
            true,
            r#"{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "pin": {"type": "string", "writeOnly": true}}}"#,
        ),
        param(
            "phrase",
            true,
            r#"{"type": "string", "format": "password"}"#,
        ),
        param("photo", false, r#"{"type": "string", "format": "byte"}"#),
    ];
    secrets
}

/// A subscription that resumes after a number.
fn watch() -> ProcedureDescription {
    let mut watch = ProcedureDescription::new("watch");
    watch.idempotent = true;
    watch.summary = Some("Tells of each loan.".to_owned());
    watch.params = vec![param("after", false, r#"{"type": ["integer", "null"]}"#)];
    let item = json(
        r#"{"type": "object", "required": ["loan"], "properties": {"loan": {"type": "integer"}}}"#,
    );
    let mut subscription = SubscriptionDescription::new(ReturnDescription::new(item));
    subscription.behind = Some(LagPolicy::Skip);
    subscription.resume = Some("after".to_owned());
    watch.subscription = Some(subscription);
    watch.errors = vec![ErrorDescription::new(1410, "Closed for the holidays")];
    watch
}

/// Parameters by position only, of which an optional one comes before the required one.
fn placed() -> ProcedureDescription {
    let mut placed = ProcedureDescription::new("placed");
    placed.params = vec![
        param("from", false, r#"{"type": "integer", "default": 7}"#),
        param("shelf", false, r#"{"type": "string", "minLength": 1}"#),
        param("book", true, r#"{"type": "integer", "minimum": 3}"#),
        param("note", false, r#"{"type": "string"}"#),
    ];
    placed
        .extensions
        .insert("$paramStructure".to_owned(), json("\"by-position\""));
    placed
}

fn param(name: &str, required: bool, schema: &str) -> ParamDescription {
    let schema = json(schema);
    let default = schema.get("default").cloned();
    let mut param = ParamDescription::new(name, schema);
    param.required = required;
    param.default = default;
    param
}

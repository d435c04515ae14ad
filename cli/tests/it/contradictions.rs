//! Findings of `docent check` in schemas that contradict themselves.

use crate::support::run_with_input;

/// A description whose procedure takes this schema.
fn document(schema: &str) -> String {
    format!(
        r#"{{"sdversion": "2.0", "name": "desk", "id": "urn:desk", "procs": [{{"name": "find",
          "summary": "Finds.", "idempotent": true,
          "params": [{{"name": "at", "type": "any", "required": true, "description": "Where.",
            "schema": {schema}}}],
          "return": {{"type": "nil", "schema": {{"type": "null"}}}}}}],
          "components": {{"schemas": {{
            "Low": {{"type": "integer", "maximum": 3}}, "High": {{"type": "integer", "minimum": 4}},
            "Named": {{"type": "object", "required": ["name"], "properties": {{"name": {{"type": "string"}}}}}}
          }}}}}}"#
    )
}

/// Returns the findings about a schema, without the file and the advice.
fn findings(schema: &str) -> Vec<String> {
    let ran = run_with_input(&["check", "-"], document(schema).as_bytes());
    let found: Vec<String> = ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("standard input: "))
        .filter(|line| line.contains("procedure `find`: "))
        .map(|line| line.split("; ").next().expect("a part").to_owned())
        .collect();
    assert_eq!(
        ran.code,
        i32::from(!found.is_empty()),
        "{schema}: {}",
        ran.stdout
    );
    found
}

fn assert_finding(schema: &str, rule: &str, message: &str) {
    let expected = format!("{rule}: procedure `find`: parameter `at`{message}");
    assert_eq!(findings(schema), [expected], "{schema}");
}

#[test]
fn schemas_that_agree_with_themselves_pass() {
    for schema in [
        r#"{"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "pattern": "^(?=a).+$"}},
           "additionalProperties": false, "examples": [{"a": "a1"}], "default": {"a": "a"}}"#,
        r#"{"type": ["integer", "null"], "minimum": 1, "maximum": 1, "enum": [1, null]}"#,
        // Names that others describe, or that may be any.
        r##"{"allOf": [{"$ref": "#/components/schemas/Named"}, {"type": "object", "required": ["name"], "properties": {"b": true}}]}"##,
        r#"{"type": "object", "required": ["z"], "properties": {"b": true}, "additionalProperties": {"type": "integer"}}"#,
        r#"{"type": "object", "required": ["z"]}"#,
        r##"{"anyOf": [{"$ref": "#/components/schemas/Low"}, {"$ref": "#/components/schemas/High"}]}"##,
        r#"{"not": {}}"#,
        r#"{"type": "array", "items": false, "prefixItems": [{"const": "a"}]}"#,
        r#"{"properties": {"a": true}, "minLength": 3}"#,
    ] {
        assert_eq!(findings(schema), [""; 0], "{schema}");
    }
}

#[test]
fn keywords_that_the_type_excludes_are_found() {
    assert_finding(
        r#"{"type": "object", "items": {"type": "string"}}"#,
        "keyword-without-effect",
        ": `items` applies to arrays, but the type is object",
    );
    assert_finding(
        r#"{"type": "integer", "contentEncoding": "base64", "contentMediaType": "image/png"}"#,
        "keyword-without-effect",
        ": `contentEncoding` applies to strings, but the type is integer",
    );
    assert_finding(
        r#"{"type": "array", "items": {"type": ["string", "null"], "minimum": 1, "maximum": 2}}"#,
        "keyword-without-effect",
        ", at /items: `minimum`, `maximum` apply to numbers, but the type is string or null",
    );
}

#[test]
fn bounds_that_leave_nothing_are_found() {
    for (words, said) in [
        (
            r#""minimum": 5, "maximum": 3"#,
            "`minimum` 5 and `maximum` 3",
        ),
        (
            r#""exclusiveMinimum": 3, "maximum": 3"#,
            "`exclusiveMinimum` 3 and `maximum` 3",
        ),
        (
            r#""type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 4"#,
            "`exclusiveMinimum` 3 and `exclusiveMaximum` 4",
        ),
        (
            r#""minimum": 1e400, "maximum": 10"#,
            "`minimum` 1e400 and `maximum` 10",
        ),
        (
            r#""minLength": 2, "maxLength": 1"#,
            "`minLength` 2 and `maxLength` 1",
        ),
        (
            r#""minItems": 2, "maxItems": 0"#,
            "`minItems` 2 and `maxItems` 0",
        ),
    ] {
        let message = format!(": {said} leave no value");
        assert_finding(&format!("{{{words}}}"), "empty-range", &message);
    }
}

#[test]
fn required_names_without_a_property_are_found() {
    assert_finding(
        r#"{"type": "object", "required": ["nmae", "b"], "properties": {"name": true, "b": true}}"#,
        "required-without-property",
        ": `nmae` is required, but no property has that name",
    );
    assert_finding(
        r##"{"$ref": "#/components/schemas/Named", "required": ["nmae"]}"##,
        "required-without-property",
        ": `nmae` is required, but no property has that name",
    );
}

#[test]
fn listed_values_that_the_schema_excludes_are_found() {
    assert_finding(
        r#"{"type": "string", "enum": ["a", 1]}"#,
        "listed-value",
        ": `enum` lists 1, which the rest of the schema does not allow",
    );
    assert_finding(
        r#"{"maximum": 3, "const": 4}"#,
        "listed-value",
        ": `const` is 4, which the rest of the schema does not allow",
    );
    assert_finding(
        r#"{"enum": ["a", "b", "a"]}"#,
        "listed-value",
        ": \"a\" is listed twice",
    );
}

#[test]
fn examples_and_defaults_that_break_their_schema_are_found() {
    assert_finding(
        r#"{"type": "object", "properties": {"a": {"type": "integer", "examples": [1, "x"]}}}"#,
        "broken-example",
        ", at /properties/a: the example \"x\" breaks the schema: expected an integer, found \"x\"",
    );
    assert_finding(
        r#"{"type": "object", "properties": {"a": {"type": "integer", "default": 0.5}}}"#,
        "broken-default",
        ", at /properties/a: the default 0.5 breaks the schema: expected an integer, found 0.5",
    );
}

#[test]
fn patterns_that_are_not_regular_expressions_are_found() {
    assert_finding(
        r#"{"type": "string", "pattern": "(a"}"#,
        "broken-pattern",
        ": the pattern \"(a\" is not a regular expression",
    );
    assert_finding(
        r#"{"patternProperties": {"[z-a]": true}}"#,
        "broken-pattern",
        ": the pattern \"[z-a]\" is not a regular expression",
    );
}

#[test]
fn schemas_that_nothing_satisfies_are_found() {
    for schema in [
        r##"{"allOf": [{"$ref": "#/components/schemas/Low"}, {"$ref": "#/components/schemas/High"}]}"##,
        r#"{"allOf": [{"type": "string"}, {"type": "integer"}]}"#,
        r#"{"allOf": [{"enum": ["a", "b"]}, {"enum": ["c"]}]}"#,
        r##"{"$ref": "#/components/schemas/Named", "type": "array"}"##,
        r#"{"type": "object", "required": ["a"], "properties": {"a": false}}"#,
    ] {
        assert_finding(schema, "nothing-fits", ": no value satisfies the schema");
    }
    for schema in [
        r#"{"allOf": [{"type": "object", "properties": {"a": true}, "additionalProperties": false},
            {"properties": {"b": {"type": "string"}}, "required": ["b"]}]}"#,
        r##"{"$ref": "#/components/schemas/Named", "properties": {"b": true}, "required": ["b"],
            "propertyNames": {"maxLength": 0}}"##,
    ] {
        let found = findings(schema);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("nothing-fits: "), "{found:?}");
        assert!(
            found[0].ends_with("required, but never accepted"),
            "{found:?}"
        );
    }
    // It is told there, and not everywhere around it.
    assert_finding(
        r#"{"type": "object", "required": ["a"], "properties": {"a": {"minimum": 2, "maximum": 1}}}"#,
        "empty-range",
        ", at /properties/a: `minimum` 2 and `maximum` 1 leave no value",
    );
}

#[test]
fn alternatives_that_can_never_occur_are_found() {
    for (schema, reason) in [
        (
            r##"{"type": "object", "oneOf": [{"$ref": "#/components/schemas/Low"}, {"required": ["a"]}, {"required": ["b"]}]}"##,
            ", at /oneOf/0: this alternative can never occur, because its type is integer, and that of the schema around it is object",
        ),
        (
            r#"{"type": "object", "anyOf": [{"properties": {"a": {}}}, {"type": "null"}]}"#,
            ", at /anyOf/1: this alternative can never occur, because its type is null, and that of the schema around it is object",
        ),
        (
            r#"{"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}},
                "oneOf": [{"properties": {"a": {"type": "integer"}}}, {"required": ["b"]}, {"required": ["c"]}]}"#,
            ", at /oneOf/0: this alternative can never occur, because no `a` satisfies both it and the schema around it",
        ),
    ] {
        assert_finding(schema, "dead-alternative", reason);
    }
    // A type may choose among the alternatives of another one.
    let found = findings(
        r#"{"type": "object", "anyOf": [{"properties": {"a": {"const": 1}}}, {"properties": {"b": {}}}]}"#,
    );
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn names_that_a_condition_requires_of_a_closed_object_are_found() {
    for condition in [
        r#""if": {"properties": {"t": {"const": 1}}}, "then": {"required": ["x"]}"#,
        r#""dependentSchemas": {"t": {"properties": {"x": {}}, "required": ["x"]}}"#,
        r#""dependentRequired": {"t": ["x"]}"#,
    ] {
        let closed = r#"{"type": "object", "properties": {"t": {}}, "additionalProperties": false"#;
        assert_finding(
            &format!("{closed}, {condition}}}"),
            "nothing-fits",
            ": `x` is required under a condition, but never accepted",
        );
    }
}

#[test]
fn a_schema_that_is_defined_by_itself_is_said_to_be_so() {
    let own = document(r##"{"$ref": "#/components/schemas/Low"}"##);
    let own = own.replace(
        r#""maximum": 3"#,
        r##""allOf": [{"$ref": "#/components/schemas/Low"}]"##,
    );
    let ran = run_with_input(&["check", "-"], own.as_bytes());
    assert!(
        ran.stdout
            .contains("type `Low`: the schema is defined by itself"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_shared_schema_is_named_once() {
    let document = document(r##"{"$ref": "#/components/schemas/Low"}"##)
        .replace(r#""maximum": 3"#, r#""maximum": 3, "minimum": 9"#);
    let ran = run_with_input(&["check", "-"], document.as_bytes());
    let expected = "empty-range: type `Low`: `minimum` 9 and `maximum` 3 leave no value";
    assert_eq!(
        ran.stdout.matches("empty-range").count(),
        1,
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    assert_eq!(ran.code, 1);
}

#[test]
fn references_to_nothing_are_found() {
    let ran = run_with_input(
        &["check", "-"],
        document(r##"{"$ref": "#/components/schemas/Gone"}"##).as_bytes(),
    );
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .contains("`#/components/schemas/Gone` points to nothing"),
        "{}",
        ran.stdout
    );
}

#[test]
fn names_that_are_there_twice_are_found() {
    let twice = document("true").replace(
        r#""procs": ["#,
        r#""procs": [{"name": "find", "summary": "Other.", "idempotent": false, "params": [
          {"name": "a", "type": "any", "required": true, "description": "a", "schema": true},
          {"name": "a", "type": "any", "required": true, "description": "a", "schema": true}]},"#,
    );
    let ran = run_with_input(&["check", "-"], twice.as_bytes());
    assert_eq!(ran.code, 1);
    for part in [
        "procedure-twice: procedure `find`: there are two procedures with this name",
        "param-twice: procedure `find`: two parameters are called `a`",
    ] {
        assert!(ran.stdout.contains(part), "{}", ran.stdout);
    }
}

#[test]
fn what_is_too_large_to_judge_is_said_to_be_so() {
    let alternatives: Vec<_> = (0..4_000)
        .map(|at| format!(r#"{{"minLength": {}}}"#, at + 10))
        .collect();
    let examples: Vec<_> = (0..3_000).map(|at| format!(r#""x{at}""#)).collect();
    let schema = format!(
        r#"{{"anyOf": [{}], "examples": [{}]}}"#,
        alternatives.join(","),
        examples.join(",")
    );
    let ran = run_with_input(&["check", "-"], document(&schema).as_bytes());
    assert_eq!(ran.code, 1);
    let expected = "standard input: too-large: the schemas are too large";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
}

/// Returns the findings about `find`, which has these members.
fn of_members(members: &str) -> Vec<String> {
    let document = format!(
        r#"{{"sdversion": "2.0", "name": "desk", "id": "urn:desk",
          "securitySchemes": {{"card": {{"type": "mutualTLS"}}}},
          "procs": [{{"name": "find", "summary": "Finds.", {members}}}]}}"#
    );
    let ran = run_with_input(&["check", "-"], document.as_bytes());
    ran.stdout
        .lines()
        .filter_map(|line| line.strip_prefix("standard input: "))
        .filter_map(|line| line.split_once(": procedure `find`: "))
        .map(|(rule, message)| format!("{rule}: {}", message.split("; ").next().expect("a part")))
        .collect()
}

#[test]
fn what_a_subscription_and_what_a_service_sends_cannot_have_is_found() {
    const AFTER: &str = r#""params": [{"name": "after", "type": "str", "required": false, "description": "a", "schema": {"type": "string"}}]"#;
    let item = r#""subscription": {"item": {"type": "nil", "schema": {"type": "null"}}"#;
    for (members, expected) in [
        (
            format!(
                r#"{AFTER}, {item}, "resume": "after"}}, "examples": [{{"items": [null, null]}}]"#
            ),
            "",
        ),
        (
            format!(r#""params": [], {item}, "resume": "after"}}"#),
            "resume-without-parameter: `after`, which resumes it, is no optional parameter for text or numbers",
        ),
        (
            format!(
                r#"{}, {item}, "resume": "after"}}"#,
                AFTER.replace("false", "true")
            ),
            "resume-without-parameter: `after`, which resumes it, is no optional parameter for text or numbers",
        ),
        (
            format!(
                r#"{}, {item}, "resume": "after"}}"#,
                AFTER.replace(r#""string""#, r#""boolean""#)
            ),
            "resume-without-parameter: `after`, which resumes it, is no optional parameter for text or numbers",
        ),
        (
            format!(
                r#""params": [], {item}}}, "return": {{"type": "nil", "schema": {{"type": "null"}}}}"#
            ),
            "no-call: it is a subscription, and has a result",
        ),
        (
            format!(r#""params": [], {item}}}, "notification": true"#),
            "no-call: it is a subscription, and has `notification`",
        ),
        (
            format!(r#""params": [], {item}}}, "repeatable": {{"for": 1}}"#),
            "no-call: it is a subscription, and has `repeatable`",
        ),
        (
            format!(r#""params": [], {item}}}, "cache": {{"maxAge": 1}}"#),
            "no-call: it is a subscription, and has `cache`",
        ),
        (
            r#""params": [], "notification": true, "direction": "server", "limits": {"concurrent": 1}"#
                .to_owned(),
            "no-call: the service sends it, and has `limits`",
        ),
        (
            format!(r#""params": [], {item}}}, "examples": [{{"items": [null, 1]}}]"#),
            "broken-example: example 1: an item breaks its schema: expected null, found 1",
        ),
        (
            format!(r#""params": [], {item}}}, "examples": [{{"result": null}}]"#),
            "broken-example: example 1: a subscription has items, and only others have a result",
        ),
        (
            r#""params": [], "notification": true, "examples": [{"items": []}]"#.to_owned(),
            "broken-example: example 1: a subscription has items, and only others have a result",
        ),
        (
            r#""params": [], "notification": true, "direction": "server""#.to_owned(),
            "",
        ),
        (
            r#""params": [], "notification": true, "direction": "server", "idempotent": true"#
                .to_owned(),
            "no-call: the service sends it, and has `idempotent`",
        ),
        (
            r#""params": [], "notification": true, "direction": "server", "guarded": true"#
                .to_owned(),
            "no-call: the service sends it, and has credentials",
        ),
        (
            r#""params": [], "notification": true, "security": [{"oneOf": ["card", "pin"]}]"#
                .to_owned(),
            "undeclared-scheme: the security scheme `pin` is not declared",
        ),
    ] {
        let expected: Vec<&str> = expected
            .split('\n')
            .filter(|line| !line.is_empty())
            .collect();
        assert_eq!(of_members(&members), expected, "{members}");
    }
}

#[test]
fn unknown_names_in_an_example_are_no_fault_where_they_are_ignored() {
    let members = r#""params": [], "notification": true, "examples": [{"params": {"more": 1}}]"#;
    assert_eq!(of_members(members).len(), 1);
    let tolerant = format!(r#"{members}, "ignoresUnknown": true"#);
    assert_eq!(of_members(&tolerant), [""; 0]);
}

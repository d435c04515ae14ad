//! Comparisons of documents that take more than a pair of members.

use std::collections::HashSet;

use docent_describe::ServiceDescription;
use docent_describe::json::{Json, Pointer};
use docent_tools::compare::{Change, Rule, Verdict, compare, merged, openrpc_pointer};

use super::{param, procedure, returns, service};

#[test]
fn what_stands_beside_a_reference_is_compared_too() {
    let beside = |words: &str| {
        let node = format!(r##"{{"$ref": "#/components/schemas/Node"{words}}}"##);
        procedure(&param(&format!(
            r#"{{"type": "object", "properties": {{"n": {node}}}}}"#
        )))
    };
    for (words, rule) in [
        (r#", "default": {"v": 1}"#, Rule::DefaultChanged),
        (r#", "deprecated": true"#, Rule::Deprecated),
        (r#", "description": "A node.""#, Rule::WordsChanged),
    ] {
        let changes = compare(&beside(""), &beside(words));
        let rules: Vec<Rule> = changes.iter().map(|change| change.rule).collect();
        assert_eq!(rules, [rule]);
        assert_eq!(
            changes[0].pointer.as_str(),
            "/procs/0/params/0/schema/properties/n"
        );
    }
}

#[test]
fn the_default_of_a_shared_type_is_told_with_the_type() {
    let version = |default: &str| {
        service(&format!(
            r##""procs": [{{"name": "p", "params": [{{"name": "n", "schema": {{"$ref": "#/components/schemas/N"}}}}]}}],
            "components": {{"schemas": {{"N": {{"type": "integer", "default": {default}}}}}}}"##
        ))
    };
    let changes = compare(&version("1"), &version("2"));
    let told: Vec<_> = changes
        .iter()
        .map(|change| (change.rule, change.pointer.as_str()))
        .collect();
    assert_eq!(told, [(Rule::DefaultChanged, "/components/schemas/N")]);
}

#[test]
fn changes_of_a_shared_type_are_found_where_they_are_and_in_both_directions() {
    let node = |bound: &str| {
        service(&format!(
            r##""procs": [{{"name": "p",
                "params": [{{"name": "n", "required": true, "schema": {{"$ref": "#/components/schemas/Node"}}}}],
                "return": {{"schema": {{"type": "array", "items": {{"$ref": "#/components/schemas/Node"}}}}}}}}],
            "components": {{"schemas": {{"Node": {{"type": "object", "required": ["v"], "properties": {{
                "v": {{"type": "integer"{bound}}},
                "next": {{"anyOf": [{{"$ref": "#/components/schemas/Node"}}, {{"type": "null"}}]}}}}}}}}}}"##
        ))
    };
    let changes = compare(&node(r#", "maximum": 9"#), &node(r#", "maximum": 8"#));
    let told: Vec<String> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "param-narrowed: p: The type `Node`, `v`: `maximum` is `8`, was `9`; `9` was accepted and is rejected now.",
            "return-narrowed: p: The type `Node`, `v`: `maximum` is `8`, was `9`.",
        ]
    );
    let place = "/components/schemas/Node/properties/v";
    assert!(
        changes
            .iter()
            .all(|change| change.pointer.as_str() == place)
    );
}

#[test]
fn a_change_of_a_shared_type_is_shown_once_with_who_uses_it() {
    let users = |kind: &str| {
        let node = r##"{"$ref": "#/components/schemas/T"}"##;
        service(&format!(
            r#""procs": [
                {{"name": "p", "params": [{{"name": "a", "schema": {node}}}, {{"name": "b", "schema": {node}}}]}},
                {{"name": "q", "params": [{{"name": "c", "schema": {{"anyOf": [{node}, {{"type": "null"}}]}}}}]}},
                {{"name": "r", "params": [{{"name": "d", "schema": {{"type": "array", "items": {node}}}}}]}}],
            "components": {{"schemas": {{"T": {{"type": "object", "properties": {{"m": {{"type": "{kind}"}}}}}}}}}}"#
        ))
    };
    let changes = compare(&users("number"), &users("integer"));
    let shown = merged(&changes, |change| (change, ()));
    let shown: Vec<_> = shown
        .iter()
        .map(|(change, users)| (change.message.as_str(), &users[..]))
        .collect();
    assert_eq!(
        shown,
        [(
            "The type `T`, `m`: `type` is `integer`, was `number`; `0.5` was accepted and is rejected now.",
            &["p", "q", "r"][..]
        )]
    );
}

#[test]
fn members_are_compared_and_not_where_they_are_written() {
    let written = |schema: &str| {
        service(&format!(
            r#""procs": [{{"name": "p", {}}}], "components": {{"schemas": {{
                "T": {{"type": "object", "properties": {{"x": {{"type": "string"}}, "y": {{"type": "integer"}}}}}},
                "U": {{"type": "object", "properties": {{"y": {{"type": "integer"}}}}}}}}}}"#,
            param(schema)
        ))
    };
    let told = |old: &str, new: &str| -> Vec<String> {
        let changes = compare(&written(old), &written(new));
        changes.iter().map(ToString::to_string).collect()
    };
    let plain = r##"{"$ref": "#/components/schemas/T"}"##;
    let required = [
        r##"{"$ref": "#/components/schemas/T", "required": ["x"]}"##,
        r##"{"allOf": [{"$ref": "#/components/schemas/T"}, {"required": ["x"]}]}"##,
    ];
    for required in required {
        let lost = told(plain, required);
        assert_eq!(lost.len(), 1, "{lost:?}");
        assert!(
            lost[0]
                .starts_with("param-narrowed: p: The parameter `a`: the member `x` is required; "),
            "{lost:?}"
        );
        let won = told(required, plain);
        assert_eq!(won.len(), 1, "{won:?}");
        assert_eq!(
            won[0],
            "param-widened: p: The parameter `a`: the member `x` may be missing."
        );
    }
    let moved = r##"{"$ref": "#/components/schemas/U", "properties": {"x": {"type": "string"}}}"##;
    assert_eq!(
        told(plain, moved),
        ["schema-rewritten: p: The parameter `a`: the schema is written in another way."]
    );
    // A member of another kind is told by its name, wherever it is.
    let other = r##"{"$ref": "#/components/schemas/U", "properties": {"x": {"type": "boolean"}}}"##;
    let changes = told(plain, other);
    assert!(
        changes[0].starts_with(
            "param-narrowed: p: The parameter `a`, `x`: `type` is `boolean`, was `string`; "
        ),
        "{changes:?}"
    );
}

#[test]
fn what_no_check_enforces_is_told_by_name_wherever_it_is() {
    let keywords = [
        (
            r#""contentEncoding": "base64""#,
            r#""contentEncoding": "base16""#,
        ),
        (
            r#""contentMediaType": "image/png""#,
            r#""contentMediaType": "image/gif""#,
        ),
        (
            r#""contentSchema": {"type": "string"}"#,
            r#""contentSchema": {"type": "object"}"#,
        ),
        (
            r##""contentSchema": {"$ref": "#/components/schemas/Node"}"##,
            r#""contentSchema": {}"#,
        ),
        (r#""x-unit": "m""#, r#""x-unit": "km""#),
    ];
    let places: [fn(&str) -> String; 5] = [
        |schema| format!(r#"{{"type": "string", {schema}}}"#),
        |schema| format!(r#"{{"allOf": [{{"type": "string", {schema}}}]}}"#),
        |schema| format!(r#"{{"type": "array", "items": {{"type": "string", {schema}}}}}"#),
        |schema| format!(r#"{{"anyOf": [{{"type": "string", {schema}}}, {{"type": "null"}}]}}"#),
        |schema| format!(r#"{{"oneOf": [{{"type": "string", {schema}}}, {{"type": "integer"}}]}}"#),
    ];
    for (old, new) in keywords {
        for place in places {
            for (old, new) in [
                (old, new),
                (new, old),
                (old, r#""title": "T""#),
                (r#""title": "T""#, new),
            ] {
                for wrap in [param, returns] {
                    let [before, after] = [old, new].map(|schema| procedure(&wrap(&place(schema))));
                    let changes = compare(&before, &after);
                    let keyword = old.split('"').chain(new.split('"')).find(|keyword| {
                        keyword.starts_with("content") || keyword.starts_with("x-")
                    });
                    let told = changes
                        .iter()
                        .find(|change| change.rule == Rule::KeywordChanged);
                    let told = told.unwrap_or_else(|| panic!("{before:?} {after:?} {changes:#?}"));
                    assert!(told.message.contains(keyword.unwrap()), "{told}");
                    assert!(
                        changes
                            .iter()
                            .all(|change| change.verdict() <= Verdict::Risky),
                        "{changes:#?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_pattern_of_names_that_refuses_what_was_accepted_breaks_callers() {
    let by_pattern = |rest: &str| format!(r#"{{"type": "object"{rest}}}"#);
    for (old, new) in [
        ("", r#", "patternProperties": {"^x-": {"type": "string"}}"#),
        (
            r#", "properties": {"a": {"type": "integer"}}"#,
            r#", "properties": {"a": {"type": "integer"}}, "patternProperties": {"^x-": {"type": "string"}}"#,
        ),
        (
            r#", "additionalProperties": {"type": ["integer", "string"]}"#,
            r#", "patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": {"type": ["integer", "string"]}"#,
        ),
        (
            r#", "patternProperties": {"^x-": {"type": "string"}}"#,
            r#", "patternProperties": {"^x-": {"type": "string", "maxLength": 3}}"#,
        ),
    ] {
        let lost = compare(
            &procedure(&param(&by_pattern(old))),
            &procedure(&param(&by_pattern(new))),
        );
        let rules: Vec<Rule> = lost.iter().map(|change| change.rule).collect();
        assert_eq!(rules, [Rule::ParamNarrowed], "{lost:#?}");
        assert!(
            lost[0].message.contains("was accepted and is rejected now"),
            "{lost:#?}"
        );
        let gained = compare(
            &procedure(&returns(&by_pattern(new))),
            &procedure(&returns(&by_pattern(old))),
        );
        let worst = gained.iter().map(Change::verdict).max();
        assert_eq!(worst, Some(Verdict::Breaking), "{gained:#?}");
    }
}

#[test]
fn a_format_that_is_checked_from_now_on_breaks_callers_who_use_it() {
    let dated = |formats: &str| {
        service(&format!(
            r#""enforcedFormats": [{formats}], "procs": [{{"name": "p", {}}}]"#,
            param(r#"{"type": "string", "format": "date"}"#)
        ))
    };
    let changes = compare(&dated(""), &dated(r#""date""#));
    let rules: Vec<Rule> = changes.iter().map(|change| change.rule).collect();
    assert_eq!(rules, [Rule::FormatEnforced, Rule::ParamNarrowed]);
}

#[test]
fn recursive_types_that_differ_come_to_an_end() {
    let recursive = |inner: &str| {
        service(&format!(
            r##""procs": [{{"name": "p", "return": {{"schema": {{"$ref": "#/components/schemas/A"}}}}}}],
            "components": {{"schemas": {{
                "A": {{"type": "object", "properties": {{"b": {{"$ref": "#/components/schemas/B"}}}}}},
                "B": {{"anyOf": [{{"$ref": "#/components/schemas/A"}}, {inner}]}},
                "Loop": {{"$ref": "#/components/schemas/Loop"}}}}}}"##
        ))
    };
    let changes = compare(
        &recursive(r#"{"type": "string"}"#),
        &recursive(r#"{"type": "null"}"#),
    );
    assert!(!changes.is_empty(), "{changes:?}");
    let looped = recursive(r##"{"$ref": "#/components/schemas/Loop"}"##);
    let changes = compare(&recursive(r#"{"type": "string"}"#), &looped);
    let worst = changes.iter().map(Change::verdict).max();
    assert!(worst >= Some(Verdict::Risky), "{changes:#?}");
}

#[test]
fn a_document_that_says_the_same_with_other_names_is_safe() {
    let named = |name: &str| {
        service(&format!(
            r##""procs": [{{"name": "p", "params": [{{"name": "n", "required": true,
                "schema": {{"$ref": "#/components/schemas/{name}"}}}}]}}],
            "components": {{"schemas": {{"{name}": {{"type": "array",
                "items": {{"$ref": "#/components/schemas/{name}"}}}}}}}}"##
        ))
    };
    let changes = compare(&named("A"), &named("B"));
    assert!(
        changes
            .iter()
            .all(|change| change.verdict() == Verdict::Safe),
        "{changes:#?}"
    );
    assert_eq!(changes.len(), 2, "{changes:#?}");
}

#[test]
fn numbers_are_compared_without_loss() {
    let most = |bound: &str| {
        procedure(&param(&format!(
            r#"{{"type": "integer", "maximum": {bound}}}"#
        )))
    };
    let changes = compare(&most("18446744073709551615"), &most("18446744073709551614"));
    assert_eq!(changes[0].rule, Rule::ParamNarrowed);
    assert!(
        changes[0]
            .message
            .contains("`18446744073709551615` was accepted"),
        "{changes:?}"
    );
    assert_eq!(compare(&most("1e3"), &most("1000.0")), []);
    let huge = compare(&most("1e400"), &most("1e401"));
    assert_eq!(huge[0].rule, Rule::ParamWidened);
    let json: Json = "1".parse().unwrap();
    assert_eq!(json, Json::from(1));
}

/// Returns a document with a chain of types, each of which leads to the next; the last has this type.
fn chain(length: usize, link: impl Fn(String) -> String, last: &str) -> ServiceDescription {
    let reference = |to: usize| format!(r##"{{"$ref": "#/components/schemas/T{to}"}}"##);
    let links = (0..length).map(|at| format!(r#""T{at}": {}"#, link(reference(at + 1))));
    let links: Vec<String> = links.collect();
    service(&format!(
        r#""procs": [{{"name": "p", {}, "return": {{"schema": {}}}}}],
        "components": {{"schemas": {{{}, "T{length}": {{"type": "{last}"}}}}}}"#,
        param(&reference(0)),
        reference(0),
        links.join(", ")
    ))
}

#[test]
fn a_change_behind_thousands_of_references_is_told_once() {
    let links: [fn(String) -> String; 5] = [
        |next| format!(r#"{{"type": "object", "properties": {{"n": {next}}}, "required": ["n"]}}"#),
        |next| format!(r#"{{"type": "array", "items": {next}}}"#),
        |next| format!(r#"{{"type": "object", "additionalProperties": {next}}}"#),
        |next| format!(r#"{{"anyOf": [{next}, {{"type": "integer"}}]}}"#),
        |next| next,
    ];
    for link in links {
        let (old, new) = (chain(3_000, link, "string"), chain(3_000, link, "boolean"));
        let changes = compare(&old, &new);
        let rules: Vec<Rule> = changes.iter().map(|change| change.rule).collect();
        assert_eq!(
            rules,
            [Rule::ParamNarrowed, Rule::ReturnWidened],
            "{changes:#?}"
        );
        for change in changes {
            assert_eq!(change.pointer.as_str(), "/components/schemas/T3000");
            assert!(change.message.len() < 400, "{change}");
        }
    }
}

#[test]
fn what_is_too_deep_is_not_taken_for_harmless() {
    // More values for one alternative are fewer for exactly one of several.
    let link = |next| {
        format!(
            r#"{{"oneOf": [{{"type": "object", "required": ["n"], "properties": {{"n": {next}}}}},
            {{"type": "object", "required": ["m"]}}]}}"#
        )
    };
    let changes = compare(&chain(200, link, "integer"), &chain(200, link, "number"));
    let worst = changes
        .iter()
        .filter(|change| change.rule.as_str().starts_with("param-"))
        .map(Change::verdict)
        .max();
    assert!(worst >= Some(Verdict::Risky), "{changes:#?}");
}

#[test]
fn a_change_of_one_of_hundreds_of_alternatives_is_told_once() {
    /// Returns a parameter of 400 alternatives, of which the last accepts only numbers from `least` on.
    fn alternatives(least: u32, alternative: fn(usize, u32) -> String) -> ServiceDescription {
        let all: Vec<String> = (0..400)
            .map(|number| alternative(number, if number == 399 { least } else { 0 }))
            .collect();
        procedure(&param(&format!(r#"{{"anyOf": [{}]}}"#, all.join(", "))))
    }
    let tagged = |number: usize, least: u32| {
        format!(
            r#"{{"type": "object", "required": ["is", "v"], "properties": {{
                "is": {{"const": "k{number}"}}, "v": {{"type": "integer", "minimum": {least}}}}}}}"#
        )
    };
    let named = |number: usize, least: u32| {
        format!(
            r#"{{"type": "object", "required": ["m{number}"], "properties": {{
                "m{number}": {{"type": "integer", "minimum": {least}}}}}}}"#
        )
    };
    for alternative in [tagged, named] as [fn(usize, u32) -> String; 2] {
        let changes = compare(&alternatives(0, alternative), &alternatives(5, alternative));
        let [change] = &changes[..] else {
            panic!("{} changes", changes.len());
        };
        assert_eq!(change.rule, Rule::ParamNarrowed);
        let place = "/procs/0/params/0/schema/anyOf/399";
        assert!(
            change.pointer.as_str().starts_with(place),
            "{}",
            change.pointer
        );
    }
}

#[test]
fn a_change_of_a_base_of_hundreds_of_alternatives_is_told_once() {
    /// Returns a parameter of 200 types that extend one.
    fn animals(least: u32) -> ServiceDescription {
        let names: Vec<String> = (0..200).map(|number| format!("Animal{number}")).collect();
        let alternatives = names
            .iter()
            .map(|name| format!(r##"{{"$ref": "#/components/schemas/{name}"}}"##));
        let types = names.iter().map(|name| {
            format!(
                r##""{name}": {{"allOf": [{{"$ref": "#/components/schemas/Animal"}},
                    {{"properties": {{"kind": {{"const": "{name}"}}}}}}]}}"##
            )
        });
        let base = format!(
            r#""Animal": {{"type": "object", "required": ["age", "kind"], "properties": {{
                "age": {{"type": "integer", "minimum": {least}}}, "kind": {{"type": "string"}}}}}}"#
        );
        let alternatives: Vec<String> = alternatives.collect();
        let types: Vec<String> = types.chain([base]).collect();
        let schema = format!(r#"{{"oneOf": [{}]}}"#, alternatives.join(", "));
        let procedures = format!(r#"{{"name": "p", {}}}"#, param(&schema));
        service(&format!(
            r#""procs": [{procedures}], "components": {{"schemas": {{{}}}}}"#,
            types.join(", ")
        ))
    }
    let changes = compare(&animals(0), &animals(5));
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(
        changes[0].pointer.as_str(),
        "/components/schemas/Animal/properties/age"
    );
}

#[test]
fn changes_of_a_type_that_many_procedures_share_are_few_enough() {
    const SIZE: usize = 300;
    let wide = |kind: &str| {
        let shared = r##"{"$ref": "#/components/schemas/T"}"##;
        let procedures = (0..SIZE).map(|at| format!(r#"{{"name": "p{at}", {}}}"#, param(shared)));
        let members = (0..SIZE).map(|at| format!(r#""m{at}": {{"type": "{kind}"}}"#));
        service(&format!(
            r#""procs": [{}], "components": {{"schemas": {{"T":
                {{"type": "object", "properties": {{{}}}}}}}}}"#,
            procedures.collect::<Vec<_>>().join(", "),
            members.collect::<Vec<_>>().join(", ")
        ))
    };
    let changes = compare(&wide("string"), &wide("boolean"));
    assert!(changes.len() < 25_000, "{}", changes.len());
    // Each member is named, and each procedure.
    let pointers: HashSet<&str> = changes
        .iter()
        .map(|change| change.pointer.as_str())
        .collect();
    assert_eq!(pointers.len(), SIZE);
    let procedures: HashSet<_> = changes
        .iter()
        .filter(|change| change.rule == Rule::ParamNarrowed)
        .map(|change| change.procedure.as_deref())
        .collect();
    assert_eq!(procedures.len(), SIZE);
}

#[test]
fn bytes_that_are_checked_from_now_on_break_callers_who_send_others() {
    let version = |formats: &str, encoding: &str| {
        service(&format!(
            r#""enforcedFormats": [{formats}], "procs": [{{"name": "p", {}}}]"#,
            param(&format!(r#"{{"type": "string"{encoding}}}"#))
        ))
    };
    let base64 = r#", "contentEncoding": "base64""#;
    let checked = version(r#""base64""#, base64);
    let rules = |old: &ServiceDescription, new: &ServiceDescription| {
        compare(old, new)
            .into_iter()
            .map(|change| (change.rule, change.message))
            .collect::<Vec<_>>()
    };
    let begun = rules(&version("", base64), &checked);
    assert!(
        matches!(
            &begun[..],
            [(Rule::FormatEnforced, _), (Rule::ParamNarrowed, _)]
        ),
        "{begun:?}"
    );
    let ended = rules(&checked, &version("", base64));
    assert!(
        matches!(
            &ended[..],
            [(Rule::FormatNotEnforced, _), (Rule::ParamWidened, _)]
        ),
        "{ended:?}"
    );
    let added = rules(&version(r#""base64""#, ""), &checked);
    assert!(
        added
            .iter()
            .any(|(rule, message)| *rule == Rule::ParamNarrowed
                && message.contains("`contentEncoding` is `\"base64\"`, was")),
        "{added:?}"
    );
    // Texts that were bytes for readers are none any more.
    let removed = rules(&checked, &version(r#""base64""#, ""));
    assert!(
        removed
            .iter()
            .any(|(rule, _)| *rule == Rule::KeywordChanged),
        "{removed:?}"
    );
}

#[test]
fn members_of_a_procedure_are_shown_where_an_openrpc_document_has_them() {
    for (members, written) in [
        (
            &[
                "name",
                "summary",
                "description",
                "tags",
                "params",
                "errors",
                "examples",
                "deprecated",
            ][..],
            "",
        ),
        (
            &[
                "idempotent",
                "notification",
                "direction",
                "subscription",
                "security",
                "guarded",
                "limits",
                "cache",
                "repeatable",
                "unchecked",
                "$tool",
            ],
            "x-",
        ),
    ] {
        for member in members {
            let place = Pointer::root().join("procs").join(3).join(member);
            let expected = format!("/methods/3/{written}{member}");
            assert_eq!(openrpc_pointer(&place).as_str(), expected);
        }
    }
    for (member, expected) in [
        ("return", "result"),
        ("help", "externalDocs"),
        ("byNameOnly", "paramStructure"),
        ("$paramStructure", "paramStructure"),
        ("errorsOpen", "x-errors-open"),
        ("ignoresUnknown", "x-ignores-unknown"),
        ("params/0/aliases", "params/0/x-aliases"),
        ("params/0/variadic", "params/0/x-variadic"),
        (
            "params/0/schema/properties/aliases",
            "params/0/schema/properties/aliases",
        ),
    ] {
        let mut pointer = Pointer::root().join("procs").join(3);
        for token in member.split('/') {
            pointer.push(token);
        }
        assert_eq!(
            openrpc_pointer(&pointer).as_str(),
            format!("/methods/3/{expected}")
        );
    }
}

/// Each line has the members of a procedure before and after, and the rules of all changes.
const PARAMETERS: &[(&str, &str, &[&str])] = &[
    // Without names, a parameter is known by its position, and by nothing else.
    (
        r#""$paramStructure": "by-position", "params": [{"name": "a", "schema": {"type": "integer"}}, {"name": "b", "schema": {"type": "string"}}]"#,
        r#""$paramStructure": "by-position", "params": [{"name": "c", "schema": {"type": "integer"}}, {"name": "d", "schema": {"type": "string"}}]"#,
        &["param-renamed", "param-renamed"],
    ),
    (
        r#""$paramStructure": "by-position", "params": [{"name": "a", "schema": {"type": "integer"}}]"#,
        r#""$paramStructure": "by-position", "params": [{"name": "c", "schema": {"type": "integer"}}, {"name": "d", "schema": {"type": "string"}}]"#,
        &["param-renamed", "param-added"],
    ),
    // With names, a name counts.
    (
        r#""params": [{"name": "a", "schema": {"type": "integer"}}]"#,
        r#""params": [{"name": "c", "schema": {"type": "integer"}}]"#,
        &["param-removed", "param-added"],
    ),
    // The order matters to positions only.
    (
        r#""params": [{"name": "a", "schema": true}, {"name": "b", "schema": true}]"#,
        r#""params": [{"name": "b", "schema": true}, {"name": "a", "schema": true}]"#,
        &["param-moved", "param-moved"],
    ),
    (
        r#""byNameOnly": true, "params": [{"name": "a", "schema": true}, {"name": "b", "schema": true}]"#,
        r#""byNameOnly": true, "params": [{"name": "b", "schema": true}, {"name": "a", "schema": true}]"#,
        &[],
    ),
    (
        r#""params": [{"name": "a", "schema": true}, {"name": "b", "schema": true}]"#,
        r#""byNameOnly": true, "params": [{"name": "b", "schema": true}, {"name": "a", "schema": true}]"#,
        &["by-name-only"],
    ),
    // A new parameter moves those behind it.
    (
        r#""params": [{"name": "a", "schema": true}]"#,
        r#""params": [{"name": "a", "schema": true}, {"name": "n", "schema": true}]"#,
        &["param-added"],
    ),
    (
        r#""params": [{"name": "a", "schema": true}]"#,
        r#""params": [{"name": "n", "schema": true}, {"name": "a", "schema": true}]"#,
        &["param-inserted"],
    ),
    (
        r#""byNameOnly": true, "params": [{"name": "a", "schema": true}]"#,
        r#""byNameOnly": true, "params": [{"name": "n", "schema": true}, {"name": "a", "schema": true}]"#,
        &["param-added"],
    ),
    (
        r#""params": []"#,
        r#""params": [{"name": "n", "schema": true}]"#,
        &["param-added"],
    ),
    (
        r#""params": [{"name": "a", "schema": true}]"#,
        r#""params": [{"name": "n", "required": true, "schema": true}, {"name": "a", "schema": true}]"#,
        &["required-param-added"],
    ),
    // A default counts where both may leave the parameter out.
    (
        r#""params": [{"name": "a", "default": 1, "schema": {"type": "integer"}}]"#,
        r#""params": [{"name": "a", "default": 2, "schema": {"type": "integer"}}]"#,
        &["default-changed"],
    ),
    (
        r#""params": [{"name": "a", "required": true, "default": 1, "schema": {"type": "integer"}}]"#,
        r#""params": [{"name": "a", "default": 2, "schema": {"type": "integer"}}]"#,
        &["param-optional"],
    ),
    (
        r#""params": [{"name": "a", "default": 1, "schema": {"type": "integer"}}]"#,
        r#""params": [{"name": "a", "required": true, "default": 2, "schema": {"type": "integer"}}]"#,
        &["param-required"],
    ),
    // A word for the type is told where the schema says nothing new.
    (
        r#""params": [{"name": "a", "type": "num", "schema": true}], "return": {"type": "num", "schema": true}"#,
        r#""params": [{"name": "a", "type": "str", "schema": true}], "return": {"type": "str", "schema": true}"#,
        &["type-word-changed", "type-word-changed"],
    ),
    (
        r#""params": [{"name": "a", "type": "num", "schema": {"type": "integer"}}]"#,
        r#""params": [{"name": "a", "type": "any", "schema": true}]"#,
        &["param-widened", "param-widened"],
    ),
    (
        r#""params": [], "return": {"type": "any", "schema": true}"#,
        r#""params": [], "return": {"type": "num", "schema": {"type": "integer"}}"#,
        &["return-narrowed", "return-narrowed"],
    ),
    // Words.
    (
        r#""params": [{"name": "a", "description": "One.", "schema": true}], "return": {"description": "One.", "schema": true}"#,
        r#""params": [{"name": "a", "description": "Two.", "schema": true}], "return": {"description": "Two.", "schema": true}"#,
        &["words-changed", "words-changed"],
    ),
    (
        r#""params": [{"name": "a", "$unit": "m", "schema": true}], "return": {"$unit": "m", "schema": true}"#,
        r#""params": [{"name": "a", "$unit": "km", "schema": true}], "return": {"$unit": "km", "schema": true}"#,
        &["words-changed", "words-changed"],
    ),
    // Aliases.
    (
        r#""params": [{"name": "a", "aliases": [{"name": "b"}], "schema": true}]"#,
        r#""params": [{"name": "b", "aliases": [{"name": "a"}], "schema": true}]"#,
        &["param-renamed"],
    ),
    (
        r#""params": [{"name": "a", "aliases": [{"name": "b"}], "schema": true}]"#,
        r#""params": [{"name": "a", "aliases": [{"name": "b", "deprecated": true}], "schema": true}]"#,
        &["deprecated"],
    ),
    (
        r#""params": [{"name": "a", "aliases": [{"name": "b", "deprecated": true}], "schema": true}]"#,
        r#""params": [{"name": "a", "aliases": [{"name": "b", "deprecated": true}, {"name": "c", "deprecated": true}], "schema": true}]"#,
        &["param-alias-added"],
    ),
    (
        r#""params": [{"name": "a", "aliases": [{"name": "b"}], "schema": true}]"#,
        r#""params": [{"name": "a", "aliases": [{"name": "b"}, {"name": "c", "deprecated": true}], "schema": true}]"#,
        &["param-alias-added"],
    ),
];

#[test]
fn parameters_that_change_in_one_way_are_told_in_one_way() {
    let mut wrong = Vec::new();
    for (old, new, expected) in PARAMETERS {
        let changes = compare(&procedure(old), &procedure(new));
        let rules: Vec<&str> = changes.iter().map(|change| change.rule.as_str()).collect();
        if rules != *expected {
            wrong.push(format!("{old}\n{new}\n{changes:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Each keyword, with values that it accepts and values that it rejects.

use super::{Compiler, check, full, none};
use crate::json::{Json, Object};
use crate::schema::expected::KeywordValue;
use crate::schema::keyword::{KeywordRole, all_keywords, holds, role};
use crate::schema::kinds::Kinds;
use crate::schema::tree::SchemaTree;

/// Returns a value of a keyword that rejects some values, if the keyword asserts anything.
fn sample(keyword: &str) -> Json {
    let text = match (keyword, holds(keyword)) {
        ("$ref", _) => r##""#/components/schemas/A""##,
        ("format", _) => r#""date""#,
        ("contentEncoding", _) => r#""base64""#,
        ("not" | "if", _) | (_, KeywordValue::Flag) => "true",
        (_, KeywordValue::Schema) => "false",
        (_, KeywordValue::Schemas) => "[false]",
        (_, KeywordValue::Named) => r#"{"a":false}"#,
        (_, KeywordValue::NameLists) => r#"{"a":["b"]}"#,
        (_, KeywordValue::Reference | KeywordValue::Text) => r#""a""#,
        (
            _,
            KeywordValue::Number | KeywordValue::Step | KeywordValue::Count | KeywordValue::Value,
        ) => "2",
        (_, KeywordValue::Values) => "[2]",
        (_, KeywordValue::Types) => r#""null""#,
        (_, KeywordValue::Names) => r#"["a"]"#,
    };
    text.parse().unwrap()
}

#[test]
fn each_keyword_of_the_table_is_read_into_a_node() {
    for keyword in all_keywords() {
        let schema = Json::from(Object::new().with(keyword, sample(keyword)));
        let components = none();
        let tree = SchemaTree::with_components(&components);
        let extensions = &tree.read(&schema).extensions;
        // `additionalItems` and `dependencies` belong to older drafts, and `$schema` to documents.
        let is_old = ["additionalItems", "dependencies"].contains(&keyword);
        assert!(
            is_old || extensions.is_empty(),
            "describe/src/schema/tree/read.rs does not read `{keyword}` into a field of the node: add an arm"
        );
    }
}

#[test]
fn each_keyword_that_is_read_is_in_the_table() {
    let source = include_str!("../../tree/read.rs");
    let arms = source
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with(['"', '|']))
        .map(|line| line.split("=>").next().unwrap_or(line));
    let read: Vec<&str> = arms
        .flat_map(|arm| arm.split('"').skip(1).step_by(2))
        .collect();
    assert!(read.contains(&"maximum") && read.contains(&"minContains"));
    for keyword in read {
        assert!(
            role(keyword).is_some(),
            "describe/src/schema/keyword.rs has no row for `{keyword}`"
        );
    }
}

/// In 2020-12, `additionalItems` is unknown and `contentSchema` is an annotation.
#[test]
fn keywords_without_effect_constrain_no_values() {
    let ineffective: Vec<&str> = all_keywords()
        .filter(|keyword| role(keyword) == Some(KeywordRole::Ineffective))
        .collect();
    assert_eq!(ineffective, ["contentSchema", "additionalItems"]);
    let components = none();
    for keyword in ineffective {
        let schema = Json::from(Object::new().with(keyword, false));
        let tree = SchemaTree::with_components(&components);
        let node = tree.read(&schema);
        assert!(node.accepts_all(), "{keyword}");
        for kinds in [Kinds::STRING, Kinds::ARRAY] {
            assert_eq!(node.keywords_about(kinds).next(), None, "{keyword}");
        }
        let check = Compiler::new(&components)
            .for_tools(Some(&[]))
            .compile_leniently(&schema);
        for value in [r#""a""#, "[1]", "{}"] {
            assert_eq!(check.check(value), Ok(()), "{keyword} {value}");
        }
    }
}

#[test]
fn keywords_that_others_give_their_effect_constrain_nothing_alone() {
    let components = none();
    for keyword in ["then", "else", "minContains", "maxContains"] {
        let schema = Json::from(Object::new().with(keyword, sample(keyword)));
        let tree = SchemaTree::with_components(&components);
        assert!(tree.read(&schema).accepts_all(), "{keyword}");
    }
}

#[test]
fn each_keyword_that_asserts_is_enforced() {
    let components = super::components(r#"{"A":false}"#);
    let values = [
        "true",
        "1",
        "3",
        r#""a\nb""#,
        r#"" A""#,
        r#""""#,
        "[1,1,1]",
        "[]",
        "{}",
        r#"{"a":1}"#,
        r#"{"b":1}"#,
    ];
    let mut unenforced = Vec::new();
    for keyword in
        all_keywords().filter(|keyword| role(keyword).is_some_and(KeywordRole::is_enforced))
    {
        let schema = Json::from(Object::new().with(keyword, sample(keyword)));
        let check = Compiler::new(&components).compile(&schema).unwrap();
        if values.iter().all(|value| check.check(value).is_ok()) {
            unenforced.push(keyword);
        }
    }
    assert_eq!(
        unenforced, [""; 0],
        "give each a rule in describe/src/schema/check/compile/ that is checked in check/containers.rs, or a \
         value that breaks it here"
    );
}

/// Checks values that a schema accepts, and values that it rejects.
#[track_caller]
fn table(schema: &str, fitting: &[&str], others: &[&str]) {
    for check in [check(schema), full(schema)] {
        for value in fitting {
            assert_eq!(check.check(value), Ok(()), "{schema} {value}");
        }
        for value in others {
            assert!(check.check(value).is_err(), "{schema} {value}");
        }
    }
}

#[test]
fn the_names_of_members_are_held_to_their_schema() {
    table(
        r#"{"type":"object","propertyNames":{"enum":["true","false"]},"additionalProperties":{"maximum":3}}"#,
        &["{}", r#"{"true":1,"false":"x"}"#, r#"{"\u0074rue":1}"#],
        &[r#"{"True":1}"#, r#"{"true":4}"#, r#"{"true":1,"":1}"#],
    );
    table(
        r#"{"propertyNames":{"minLength":1,"maxLength":2}}"#,
        &["1", r#"{"ab":{},"ä":[]}"#],
        &[r#"{"":1}"#, r#"{"abc":1}"#],
    );
}

#[test]
fn bounds_are_compared_by_value_without_loss() {
    table(
        r#"{"type":"integer","minimum":1,"maximum":10}"#,
        &["1", "10", "1.0", "1e1", "0.1e1", "100e-1", " 5 "],
        &[
            "0",
            "11",
            "-1",
            "0.9999999999999999999999",
            "10.5",
            "1e400",
            "-1e400",
            "\"5\"",
            "null",
        ],
    );
    table(
        r#"{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}"#,
        &["0.5", "1e-400", "0.99999999999999999999999999"],
        &["0", "-0", "-0.0", "0e5", "1", "1.0", "10e-1"],
    );
    table(
        r#"{"minimum":12345678901234567890,"maximum":1e400}"#,
        &[
            "12345678901234567890",
            "12345678901234567891",
            "1e400",
            "9e399",
            "\"not a number\"",
        ],
        &["12345678901234567889", "0", "1.0000001e400", "1e401"],
    );
    table(
        r#"{"type":"integer","format":"int64","minimum":-9223372036854775808,"maximum":9223372036854775806}"#,
        &[
            "-9223372036854775808",
            "9223372036854775806",
            "999999999999999999",
        ],
        &["9223372036854775807", "-9223372036854775809"],
    );
    table(
        r#"{"minimum":0.5,"maximum":1.5}"#,
        &["0.5", "1", "1.5", "1.50"],
        &["0", "2", "0.49"],
    );
    table(
        r#"{"minimum":1,"exclusiveMinimum":1}"#,
        &["2", "1.1"],
        &["1"],
    );
    table(r#"{"minimum":2,"exclusiveMinimum":1}"#, &["2"], &["1.9"]);
    table(r#"{"maximum":1,"exclusiveMaximum":1}"#, &["0"], &["1"]);
}

#[test]
fn steps_are_exact() {
    table(
        r#"{"multipleOf":0.1}"#,
        &[
            "0.1",
            "0.3",
            "1",
            "0",
            "-0",
            "-0.7",
            "1e400",
            "123456789012345678901234567890.1",
        ],
        &[
            "0.01",
            "0.15",
            "1e-400",
            "123456789012345678901234567890.11",
        ],
    );
    table(
        r#"{"multipleOf":0.01}"#,
        &["0.1", "0.01", "19.99"],
        &["0.001", "19.999"],
    );
    table(
        r#"{"multipleOf":5}"#,
        &["0", "5", "-10", "1e3", "5.0"],
        &["1", "5.5", "-3"],
    );
    table(
        r#"{"multipleOf":3}"#,
        &["111111111111111111111"],
        &["111111111111111111112"],
    );
    table(r#"{"multipleOf":2.5}"#, &["5", "2.5", "-7.5"], &["2", "4"]);
    table(r#"{"multipleOf":1e2}"#, &["100", "1000"], &["10", "150"]);
}

#[test]
fn lengths_count_code_points() {
    table(
        r#"{"type":"string","minLength":2,"maxLength":3}"#,
        &[
            "\"ab\"",
            "\"abc\"",
            "\"äöü\"",
            "\"😀😀\"",
            "\"\\ud83d\\ude00\\ud83d\\ude00\"",
            "\"\\n\\\\\\\"\"",
        ],
        &[
            "\"\\ud800a\"",
            "\"\"",
            "\"a\"",
            "\"abcd\"",
            "\"😀\"",
            "\"\\ud83d\\ude00\"",
            "12",
            "[1,2]",
        ],
    );
    table(r#"{"minLength":1e0}"#, &["\"a\"", "0", "[]"], &["\"\""]);
    table(
        r#"{"maxLength":1e40, "minLength":1}"#,
        &["\"a\""],
        &["\"\""],
    );
}

#[test]
fn patterns_are_searched_for_in_the_characters_that_are_meant() {
    table(
        r#"{"type":"string","pattern":"^[A-Za-z]{2,5}$"}"#,
        &["\"ab\"", "\"\\u0061b\"", "\"abcde\""],
        &["\"a\"", "\"x1\"", "\"abcdef\"", "\"ab\\n\"", "5"],
    );
    table(r#"{"pattern":"b"}"#, &["\"abc\"", "17"], &["\"ac\""]);
    table(r#"{"pattern":"\\\\"}"#, &["\"\\\\\""], &["\"\\n\""]);
}

#[test]
fn lists_of_values_are_compared_by_value() {
    table(
        r#"{"enum":["a",1,null,[1,{"x":2,"y":[]}],true]}"#,
        &[
            "\"a\"",
            "\"\\u0061\"",
            "1",
            "1.0",
            "null",
            "[1.0,{\"y\":[],\"x\":2e0}]",
            "true",
        ],
        &["\"b\"", "2", "false", "[]", "{}", "[1,{\"x\":2}]", "\"1\""],
    );
    table(
        r#"{"const":0}"#,
        &["0", "-0", "0.0", "0e9"],
        &["1", "false", "null"],
    );
    table(
        r#"{"const":12345678901234567890}"#,
        &["12345678901234567890", "1234567890123456789e1"],
        &["12345678901234567891"],
    );
    table(r#"{"enum":["a","b"],"const":"b"}"#, &["\"b\""], &["\"a\""]);
    table(
        r#"{"type":["string","null"],"enum":["a",null]}"#,
        &["\"a\"", "null"],
        &["\"b\"", "0"],
    );
}

#[test]
fn elements_are_counted_and_compared() {
    table(
        r#"{"type":"array","minItems":1,"maxItems":2}"#,
        &["[1]", "[[],[]]", "[1 , 2]"],
        &["[]", "[ ]", "[1,2,3]", "{}", "\"ab\""],
    );
    table(
        r#"{"uniqueItems":true}"#,
        &[
            "[]",
            "[1]",
            "[1,2]",
            "[[1],[2]]",
            "[\"1\",1]",
            "[{\"a\":1},{\"a\":2}]",
            "{}",
        ],
        &[
            "[1,1]",
            "[1,2,1.0]",
            "[\"a\",\"\\u0061\"]",
            "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]",
            "[[],[]]",
            "[null,null]",
        ],
    );
    table(
        r#"{"prefixItems":[{"minimum":1},{"type":"string","minLength":1}],"items":{"maximum":3}}"#,
        &["[]", "[1]", "[1,\"a\"]", "[1,\"a\",3,\"b\"]"],
        &["[0]", "[1,\"\"]", "[1,\"a\",4]", "[1,2]"],
    );
    table(
        r#"{"prefixItems":[{"minimum":1}],"items":false}"#,
        &["[]", "[1]"],
        &["[1,2]", "[0]"],
    );
}

#[test]
fn members_are_checked_wherever_they_are_described() {
    table(
        r#"{"type":"object","properties":{"a":{"minimum":1}},"patternProperties":{"^b":{"maxLength":1}},"additionalProperties":{"type":"integer","multipleOf":2}}"#,
        &[
            "{}",
            "{\"a\":1}",
            "{\"\\u0061\":1}",
            "{\"b\":\"x\",\"bb\":\"\"}",
            "{\"c\":2}",
        ],
        &[
            "{\"a\":0}",
            "{\"\\u0061\":0}",
            "{\"b\":\"xx\"}",
            "{\"c\":1}",
            "{\"c\":\"x\"}",
            "[]",
        ],
    );
    table(
        r#"{"type":"object","properties":{"a":{"minimum":1},"b":true},"additionalProperties":false}"#,
        &["{}", "{\"a\":1,\"b\":[]}"],
        &["{\"c\":1}", "{\"a\":1,\"c\":null}"],
    );
    table(
        r#"{"properties":{"a":false}}"#,
        &["{}", "{\"b\":1}"],
        &["{\"a\":1}"],
    );
}

#[test]
fn of_a_member_that_is_there_twice_each_has_to_fit() {
    table(
        r#"{"properties":{"a":{"minimum":1}}}"#,
        &["{\"a\":1,\"a\":2}"],
        &[
            "{\"a\":0,\"a\":1}",
            "{\"a\":1,\"a\":0}",
            "{\"a\":1,\"\\u0061\":0}",
        ],
    );
}

#[test]
fn all_and_any_and_exactly_one() {
    table(
        r#"{"allOf":[{"minimum":1},{"maximum":2}],"multipleOf":1}"#,
        &["1", "2", "\"x\""],
        &["0", "3", "1.5"],
    );
    table(
        r#"{"anyOf":[{"type":"integer","maximum":1},{"type":"integer","minimum":3},{"type":"string","minLength":1}]}"#,
        &["0", "3", "\"a\""],
        &["2", "\"\"", "null", "1.5"],
    );
    table(
        r#"{"oneOf":[{"type":"integer","maximum":2},{"type":"integer","minimum":2}]}"#,
        &["1", "3"],
        &["2", "2.0", "null"],
    );
    table(
        r#"{"oneOf":[{"const":"a","description":"A"},{"enum":["b","c"],"type":"string"}]}"#,
        &["\"a\"", "\"b\"", "\"c\""],
        &["\"d\"", "null"],
    );
    table(
        r#"{"oneOf":[{"const":"a"},{"enum":["a","b"]}]}"#,
        &["\"b\""],
        &["\"a\"", "\"c\""],
    );
}

#[test]
fn integers_that_are_not_zero() {
    table(
        r#"{"type":"integer","format":"int32","not":{"const":0}}"#,
        &["1", "-1"],
        &["0", "0.0", "-0"],
    );
}

//! Parameters that are accepted, and the values that the handler receives.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::{bind, check, error_data, list, list_with, plan, plan_by_name_only, plan_with_checks};

#[derive(Debug, PartialEq, Deserialize)]
struct Sum {
    a: f64,
    b: f64,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Find {
    words: String,
    limit: Option<u8>,
    #[serde(default = "ten")]
    page: u32,
}

fn ten() -> u32 {
    10
}

#[test]
fn by_position_and_by_name_give_the_same() {
    let plan = plan(&["a", "b"]);
    let expected = Sum { a: 1.0, b: 2.5 };
    for text in [
        "[1,2.5]",
        " [ 1 , 2.5 ] ",
        r#"{"a":1,"b":2.5}"#,
        r#"{"b": 2.5, "a": 1}"#,
        r#"{ "\u0061" : 1e0 , "b" : 25e-1 }"#,
    ] {
        assert_eq!(bind::<Sum>(&plan, text), Ok(Sum { ..expected }), "{text}");
    }
}

#[test]
fn trailing_optional_parameters_may_be_left_out_by_position() {
    let plan = plan(&["words", "limit?", "page?"]);
    let find = |words: &str, limit, page| Find {
        words: words.to_owned(),
        limit,
        page,
    };
    for (text, expected) in [
        (r#"["x"]"#, find("x", None, 10)),
        (r#"["x", 5]"#, find("x", Some(5), 10)),
        (r#"["x", null, 3]"#, find("x", None, 3)),
        (r#"{"words": "x", "page": 3}"#, find("x", None, 3)),
        (r#"{"words": "x", "limit": null}"#, find("x", None, 10)),
    ] {
        assert_eq!(bind::<Find>(&plan, text), Ok(expected), "{text}");
    }
}

#[test]
fn null_is_a_value() {
    let plan = plan(&["words", "limit?", "page?"]);
    assert!(bind::<Find>(&plan, r#"["x", 1, null]"#).is_err());
}

#[test]
fn a_procedure_without_parameters_takes_nothing_in_every_form() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Unit;
    #[derive(Debug, PartialEq, Deserialize)]
    struct Empty {}

    let plan = plan::<&str>(&[]);
    for text in ["", "[]", "{}", " [ ] ", " { } "] {
        assert_eq!(bind::<()>(&plan, text), Ok(()), "{text:?}");
        assert_eq!(bind::<Unit>(&plan, text), Ok(Unit), "{text:?}");
        assert_eq!(bind::<Empty>(&plan, text), Ok(Empty {}), "{text:?}");
    }
    for text in ["[1]", r#"{"a": 1}"#, "[null]"] {
        assert!(bind::<()>(&plan, text).is_err(), "{text}");
        assert!(bind::<Empty>(&plan, text).is_err(), "{text}");
    }
}

#[test]
fn absent_parameters_are_no_parameters() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Options {
        depth: Option<u8>,
    }

    let optional = plan(&["depth?"]);
    assert_eq!(bind(&optional, ""), Ok(Options { depth: None }));
    assert!(bind::<Sum>(&plan(&["a", "b"]), "").is_err());
}

#[test]
fn a_list_takes_any_number_of_values() {
    let list = list();
    assert_eq!(bind::<Vec<i32>>(&list, "[1, 2, 3]"), Ok(vec![1, 2, 3]));
    for nothing in ["", "[]", "{}", "{ }"] {
        assert_eq!(bind::<Vec<i32>>(&list, nothing), Ok(vec![]), "{nothing:?}");
    }
    for text in [
        r#"{"values": [1, 2]}"#,
        r#" { "v\u0061lues" : [ 1 , 2.0 ] } "#,
    ] {
        assert_eq!(bind::<Vec<i32>>(&list, text), Ok(vec![1, 2]), "{text}");
    }
    assert_eq!(bind::<Vec<i32>>(&list, r#"{"values": []}"#), Ok(vec![]));
    for text in [
        r#"{"values": null}"#,
        r#"{"values": 1}"#,
        r#"{"values": {}}"#,
        r#"{"value": [1]}"#,
        r#"{"values": [1], "values": [1]}"#,
        r#"{"values": [1], "x": [1]}"#,
        r#"{"x": [1], "values": [1]}"#,
        r#"{"0": 1}"#,
    ] {
        assert!(bind::<Vec<i32>>(&list, text).is_err(), "{text}");
    }
}

#[test]
fn a_flattened_struct_is_bound_by_name_and_its_names_are_held_against_the_plan() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        offset: u32,
        limit: Option<u32>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Query {
        words: String,
        #[serde(flatten)]
        page: Page,
    }

    let plan = plan_by_name_only(&["words", "offset", "limit?"]);
    let text = r#"{"offset": 40.0, "words": "x"}"#;
    let expected = Query {
        words: "x".to_owned(),
        page: Page {
            offset: 40,
            limit: None,
        },
    };
    assert_eq!(bind::<Query>(&plan, text), Ok(expected));
    let data = error_data::<Query>(&plan, r#"{"words": "x", "offset": 1, "ofset": 2}"#);
    assert_eq!(data["parameter"], "ofset");
    let data = error_data::<Query>(&plan, r#"{"words": "x", "offset": 1, "offset": 2}"#);
    assert_eq!(data["parameter"], "offset");
    let data = error_data::<Query>(&plan, r#"["x", 1]"#);
    assert_eq!(data["position"], 0);
}

#[test]
fn parameters_of_other_shapes_come_as_objects_too() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Wrapped(Sum);
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Sum(Sum),
        Other { a: String, b: bool },
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum Tagged {
        One(u8),
    }

    let ab = plan(&["a", "b"]);
    let sum = || Sum { a: 1.0, b: 2.0 };
    assert_eq!(bind(&ab, "[1, 2]"), Ok(Wrapped(sum())));
    assert_eq!(bind(&ab, "[1, 2]"), Ok(Some(sum())));
    assert_eq!(bind(&ab, "[1, 2]"), Ok(Either::Sum(sum())));
    let other = Either::Other {
        a: "x".to_owned(),
        b: true,
    };
    assert_eq!(bind(&ab, r#"{"b": true, "a": "x"}"#), Ok(other));
    assert_eq!(bind(&plan(&["One"]), r#"{"One": 1}"#), Ok(Tagged::One(1)));
    let map = bind::<BTreeMap<String, u8>>(&ab, "[1, 2]").unwrap();
    assert_eq!(
        map.into_iter().collect::<Vec<_>>(),
        [("a".into(), 1), ("b".into(), 2)]
    );
}

#[test]
fn an_alias_is_no_name_of_a_parameter() {
    #[derive(Debug, Deserialize)]
    struct Aliased {
        #[serde(alias = "old")]
        _new: u8,
    }

    let plan = plan(&["_new"]);
    assert!(bind::<Aliased>(&plan, r#"{"_new": 1}"#).is_ok());
    assert!(bind::<Aliased>(&plan, "[1]").is_ok());
    assert!(bind::<Aliased>(&plan, r#"{"old": 1}"#).is_err());
}

#[test]
fn strings_and_raw_values_borrow_from_the_text() {
    #[derive(Debug, Deserialize)]
    struct Borrowed<'a> {
        name: &'a str,
        #[serde(borrow)]
        rest: &'a RawValue,
    }

    let text = r#"["plain", {"x": [1e400, "\ud800"]} ]"#;
    let plan = plan(&["name", "rest"]);
    let borrowed: Borrowed<'_> = super::super::bind(&plan, super::params(text)).unwrap();
    assert_eq!(borrowed.name, "plain");
    assert_eq!(borrowed.rest.get(), r#"{"x": [1e400, "\ud800"]}"#);
}

#[test]
fn a_type_that_does_not_look_at_its_values_still_passes_them() {
    #[derive(Debug, PartialEq)]
    struct Indifferent;
    impl<'de> Deserialize<'de> for Indifferent {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Ok(Self)
        }
    }

    let three = vec![Indifferent, Indifferent, Indifferent];
    assert_eq!(bind::<Vec<Indifferent>>(&list(), "[1, {}, [2]]"), Ok(three));
    let ab = plan(&["a", "b"]);
    assert_eq!(bind::<Indifferent>(&ab, "[1, 2]"), Ok(Indifferent));
    assert!(bind::<Indifferent>(&ab, "[1, 2, 3]").is_err());
    assert!(bind::<Indifferent>(&ab, r#"{"a": 1}"#).is_err());
    let map =
        bind::<HashMap<String, (Indifferent, u8)>>(&ab, r#"{"a": ["]", 1], "b": [{"a": "}"}, 2]}"#)
            .unwrap();
    assert_eq!(map.len(), 2);
}

type Map = BTreeMap<String, u16>;

#[test]
fn more_than_sixty_four_parameters_are_kept_apart() {
    let names: Vec<String> = (0..200).map(|n| format!("p{n}")).collect();
    let plan = plan(&names);
    let by_name = |skip: usize, twice: usize| {
        let mut members: Vec<String> = (0..200).map(|n| format!("\"p{n}\": {n}")).collect();
        members.push(format!("\"p{twice}\": 1"));
        members.remove(skip);
        format!("{{{}}}", members.join(","))
    };
    assert_eq!(bind::<Map>(&plan, &by_name(3, 3)).unwrap().len(), 200);
    assert_eq!(bind::<Map>(&plan, &by_name(199, 199)).unwrap()["p199"], 1);
    assert_eq!(
        error_data::<Map>(&plan, &by_name(3, 130))["parameter"],
        "p130"
    );
    assert_eq!(
        error_data::<Map>(&plan, &by_name(130, 200))["parameter"],
        "p200"
    );
}

#[test]
fn checks_see_the_text_of_each_value_before_the_handler_does() {
    let plan = plan_with_checks(vec![
        ("a", Some(check(r#"{"maximum": 10}"#))),
        ("b?", Some(check(r#"{"maximum": 20}"#))),
    ]);
    assert!(bind::<BTreeMap<String, f64>>(&plan, "[10, 20]").is_ok());
    let data = error_data::<BTreeMap<String, f64>>(&plan, r#"{"b": 21 , "a": 11}"#);
    assert_eq!(
        data,
        json!({
            "parameter": "a",
            "pointer": "",
            "reason": "expected a number of at most 10, found 11",
            "others": [{
                "parameter": "b",
                "pointer": "",
                "reason": "expected a number of at most 20, found 21",
            }],
        })
    );
    let data = error_data::<BTreeMap<String, f64>>(&plan, "[ 11 , 21 ]");
    assert_eq!(data["parameter"], "a");
}

#[test]
fn the_check_of_a_list_sees_the_whole_list_even_where_it_is_absent() {
    let plan = list_with(Some(check(r#"{"minItems": 1}"#)));
    assert_eq!(bind::<Vec<u8>>(&plan, "[1]"), Ok(vec![1]));
    let data = error_data::<Vec<u8>>(&plan, "");
    assert_eq!(data["parameter"], "values");
    assert_eq!(data["reason"], "expected at least 1 element, found 0");
}

#[test]
fn whole_numbers_are_integers_in_untagged_and_flattened_types_too() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Size {
        Number(u32),
        Name(String),
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(tag = "kind")]
    enum Shape {
        Square { side: i64 },
        Scaled { by: f64, side: i64 },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Resize {
        size: Size,
    }

    let size = plan(&["size"]);
    for (text, expected) in [
        ("[42.0]", Size::Number(42)),
        ("[4.2e1]", Size::Number(42)),
        ("[-0]", Size::Number(0)),
        ("[\"42.0\"]", Size::Name("42.0".to_owned())),
    ] {
        assert_eq!(bind(&size, text), Ok(Resize { size: expected }), "{text}");
    }
    let text = r#"[{"kind": "Square", "side": 2.0}, {"side": 3.0, "by": 4.0, "kind": "Scaled"}]"#;
    let expected = vec![
        Shape::Square { side: 2 },
        Shape::Scaled { by: 4.0, side: 3 },
    ];
    assert_eq!(bind(&list(), text), Ok(expected));
    // There is no second try if the first was good enough.
    assert_eq!(bind(&list(), "[1.0, 2]"), Ok(vec![json!(1.0), json!(2)]));
}

//! Binding agrees with `serde_json` on all values.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{bind, list, plan};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Parameters {
    flag: bool,
    small: i8,
    large: u64,
    wide: i128,
    real: f64,
    single: f32,
    letter: char,
    name: String,
    list: Vec<Option<i32>>,
    map: BTreeMap<String, (u8, String)>,
    numbered: BTreeMap<i16, bool>,
    choice: Choice,
    any: Value,
    maybe: Option<Box<Parameters>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Choice {
    Nothing,
    One(String),
    Two(u8, f64),
    Named { x: i64, y: Option<String> },
}

const NAMES: &[&str] = &[
    "flag", "small", "large", "wide", "real", "single", "letter", "name", "list", "map",
    "numbered", "choice", "any", "maybe",
];

fn finite() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("finite", |value| value.is_finite())
}

fn choice() -> impl Strategy<Value = Choice> {
    prop_oneof![
        Just(Choice::Nothing),
        any::<String>().prop_map(Choice::One),
        (any::<u8>(), finite()).prop_map(|(a, b)| Choice::Two(a, b)),
        (any::<i64>(), any::<Option<String>>()).prop_map(|(x, y)| Choice::Named { x, y }),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn parameters() -> impl Strategy<Value = Parameters> {
    let scalars = (
        any::<(bool, i8, u64, i128, char, String)>(),
        finite(),
        any::<f32>().prop_filter("finite", |value| value.is_finite()),
    );
    let containers = (
        any::<Vec<Option<i32>>>(),
        prop::collection::btree_map(any::<String>(), any::<(u8, String)>(), 0..4),
        prop::collection::btree_map(any::<i16>(), any::<bool>(), 0..4),
        choice(),
        value(),
    );
    (scalars, containers, any::<bool>()).prop_map(|(scalars, containers, again)| {
        let ((flag, small, large, wide, letter, name), real, single) = scalars;
        let (list, map, numbered, choice, any) = containers;
        let mut parameters = Parameters {
            flag,
            small,
            large,
            wide,
            real,
            single,
            letter,
            name,
            list,
            map,
            numbered,
            choice,
            any,
            maybe: None,
        };
        if again {
            parameters.maybe = Some(Box::new(parameters.clone()));
        }
        parameters
    })
}

proptest! {
    #[test]
    fn what_serde_json_writes_is_bound_by_name_and_by_position(parameters in parameters()) {
        let plan = plan(NAMES);
        let by_name = serde_json::to_string_pretty(&parameters).unwrap();
        prop_assert_eq!(bind::<Parameters>(&plan, &by_name).unwrap(), parameters.clone());
        let members: BTreeMap<String, Box<serde_json::value::RawValue>> =
            serde_json::from_str(&by_name).unwrap();
        let in_order: Vec<_> = NAMES.iter().map(|name| &members[*name]).collect();
        let by_position = serde_json::to_string(&in_order).unwrap();
        prop_assert_eq!(bind::<Parameters>(&plan, &by_position).unwrap(), parameters);
    }

    #[test]
    fn a_value_comes_back(value in value()) {
        let text = serde_json::to_string(&[&value]).unwrap();
        prop_assert_eq!(bind::<Vec<Value>>(&list(), &text).unwrap(), vec![value]);
    }

    /// Binding expects well-formed text. If that is ever violated, a call may fail, but the service
    /// must survive.
    #[test]
    fn no_text_makes_binding_panic(text in r#"[\[{]([\[\]{}:,"\\ué0-9a-f.+eE -]|"a"|null|\\u00e9|\\ud800){0,40}"#) {
        let plan = plan(&["a", "b?"]);
        let _ = bind::<BTreeMap<String, Value>>(&plan, &text);
        let _ = bind::<BTreeMap<String, Choice>>(&plan, &text);
        let _ = bind::<Vec<(u8, String)>>(&list(), &text);
        let _ = bind::<Vec<BTreeMap<i8, Option<f32>>>>(&list(), &text);
        let _ = bind::<Parameters>(&plan, &text);
    }
}

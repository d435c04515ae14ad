//! Names of procedures and parameters.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{assert_fine, assert_one, builder, plain, taking};

#[test]
fn a_name_that_is_taken_is_a_mistake() {
    let twice = builder()
        .procedure(plain("sum"))
        .procedure(plain("other"))
        .procedure(plain("sum"));
    assert_one(twice, Some("sum"), &["another procedure", "rename"]);
}

#[test]
fn names_that_differ_in_case_are_different() {
    assert_fine(
        builder()
            .procedure(plain("sum"))
            .procedure(plain("Sum"))
            .procedure(plain("SUM")),
    );
}

#[test]
fn names_that_the_protocol_keeps_for_itself_are_a_mistake() {
    for name in [
        "rpc.",
        "rpc.describe",
        "rpc.mine",
        "rpc.a.b",
        "system.",
        "system.describe",
        "system.mine",
    ] {
        assert_one(builder().procedure(plain(name)), Some(name), &["reserved"]);
    }
    for name in [
        "rpc",
        "system",
        "rpcs.a",
        "systems.a",
        "my.rpc.a",
        "RPC.a",
        "System.a",
        "rpc-a",
        "rpc_a",
    ] {
        assert_fine(builder().procedure(plain(name)));
    }
}

#[test]
fn names_that_cannot_be_a_segment_of_an_address_are_a_mistake() {
    for name in [
        "", ".", "..", "/", "a/b", "/a", "a/", "\0", "a\n", "a\u{7f}", "a\u{85}b", "\t",
    ] {
        assert_one(builder().procedure(plain(name)), Some(name), &["name"]);
    }
}

#[test]
fn names_that_some_clients_cannot_write_draw_a_warning_that_names_them() {
    for name in [
        "über", "a b", "a:b", "a%2Fb", "💥", "a?b", "a#b", "...", "a\\b", "\"a\"",
    ] {
        let service = builder().procedure(plain(name)).build().expect("allowed");
        let warnings = service.warnings();
        if name == "..." {
            assert!(warnings.is_empty(), "{warnings:?}");
        } else {
            assert_eq!(warnings.len(), 1, "{name}: {warnings:?}");
            assert!(warnings[0].contains(&format!("{name:?}")), "{warnings:?}");
        }
    }
    let plain_ones = builder()
        .procedure(plain("Az09-_."))
        .build()
        .expect("allowed");
    assert!(plain_ones.warnings().is_empty());
}

#[derive(Deserialize, JsonSchema)]
struct Digits {
    #[serde(rename = "12")]
    _digits: i32,
}

#[derive(Deserialize, JsonSchema)]
struct Nameless {
    #[serde(rename = "")]
    _nameless: i32,
}

#[derive(Deserialize, JsonSchema)]
struct NearlyDigits {
    #[serde(rename = "1a")]
    _a: i32,
    #[serde(rename = "-1")]
    _b: i32,
    #[serde(rename = "1.0")]
    _c: i32,
}

#[test]
fn a_parameters_name_must_not_be_digits_alone_or_empty() {
    assert_one(
        builder().procedure(taking::<Digits>("digits")),
        Some("digits"),
        &["`12`", "position"],
    );
    assert_one(
        builder().procedure(taking::<Nameless>("nameless")),
        Some("nameless"),
        &["empty"],
    );
    assert_fine(builder().procedure(taking::<NearlyDigits>("nearly")));
}

#[test]
fn a_list_can_have_a_name_and_only_a_list_can() {
    assert_fine(builder().procedure(taking::<Vec<i32>>("sum").list_name("addends")));
    assert_one(
        builder().procedure(plain("none").list_name("x")),
        Some("none"),
        &["list_name"],
    );
    assert_one(
        builder().procedure(taking::<NearlyDigits>("some").list_name("x")),
        Some("some"),
        &["list_name"],
    );
    for name in ["", "0", "12"] {
        assert_one(
            builder().procedure(taking::<Vec<i32>>("sum").list_name(name)),
            Some("sum"),
            &["name"],
        );
    }
}

#[test]
fn a_list_is_called_values_unless_it_has_a_name() {
    let service = builder()
        .procedure(taking::<Vec<i32>>("one"))
        .procedure(taking::<Vec<i32>>("two").list_name("addends"))
        .build()
        .expect("a service");
    let names: Vec<_> = service
        .description()
        .procs
        .iter()
        .map(|procedure| &*procedure.params[0].name)
        .collect();
    assert_eq!(names, ["values", "addends"]);
}

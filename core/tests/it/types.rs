//! Types that cannot be described truthfully, and types that share a name.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use docent_core::{Cx, ErrorList, Fault, Procedure, RpcError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{assert_fine, assert_one, assert_untrue, builder, mistakes, taking};

#[derive(Deserialize, JsonSchema)]
struct RequiredLast {
    _first: Option<i32>,
    _second: i32,
}

#[test]
fn a_required_parameter_after_an_optional_one_is_a_mistake() {
    assert_one(
        builder().procedure(taking::<RequiredLast>("late")),
        Some("late"),
        &["`_second`", "`_first`", "optional"],
    );
}

#[derive(Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    _x: i32,
    _y: i32,
}

#[derive(Deserialize, JsonSchema)]
struct Holding<T> {
    _value: T,
}

#[test]
fn a_map_with_keys_that_are_no_strings_is_found_by_a_test() {
    let words = ["parameter `_value`", "in the member's name", "with = "];
    for procedure in [
        taking::<Holding<BTreeMap<Place, u8>>>("p"),
        taking::<Holding<Vec<BTreeMap<(i32, i32), u8>>>>("p"),
        taking::<Holding<BTreeMap<Vec<u8>, u8>>>("p"),
        taking::<Holding<BTreeMap<(), u8>>>("p"),
    ] {
        assert_untrue(builder().procedure(procedure), &words);
    }
    let text = taking::<Holding<std::ffi::OsString>>("p");
    assert_untrue(builder().procedure(text), &["`_value`", "OS string"]);
    assert_fine(builder().procedure(taking::<Holding<HashMap<IpAddr, u8>>>("p")));
    assert_fine(builder().procedure(taking::<Holding<HashMap<SocketAddr, PathBuf>>>("p")));
}

#[test]
fn a_type_that_is_no_set_of_parameters_is_a_mistake() {
    for procedure in [
        taking::<i32>("p"),
        taking::<String>("p"),
        taking::<bool>("p"),
        taking::<Option<i32>>("p"),
        taking::<(i32, i32)>("p"),
        taking::<HashMap<String, i32>>("p"),
        taking::<serde_json::Value>("p"),
    ] {
        let name = format!("{procedure:?}");
        let found = mistakes(builder().procedure(procedure));
        assert_eq!(found.len(), 1, "{name}: {found:#?}");
        assert_eq!(found[0].procedure(), Some("p"));
    }
}

#[derive(Deserialize, JsonSchema)]
struct Hidden {
    _a: i32,
    #[schemars(skip)]
    _b: Option<i32>,
}

#[test]
fn a_name_that_can_be_called_and_is_not_described_is_a_mistake() {
    assert_one(
        builder().procedure(taking::<Hidden>("hidden")),
        Some("hidden"),
        &["`_b`"],
    );
}

mod one {
    #[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub(crate) struct Address {
        pub(crate) street: String,
    }
}

mod two {
    #[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub(crate) struct Address {
        pub(crate) host: String,
        pub(crate) port: u16,
    }
}

#[derive(Deserialize, JsonSchema)]
struct Send {
    _to: one::Address,
}

#[derive(Deserialize, JsonSchema)]
struct Connect {
    _to: two::Address,
}

#[derive(Deserialize, JsonSchema)]
struct Both {
    _a: one::Address,
    _b: two::Address,
}

#[test]
fn two_types_of_one_name_are_a_mistake_that_names_both_procedures_and_the_cure() {
    let clash = builder()
        .procedure(taking::<Send>("send"))
        .procedure(taking::<Connect>("connect"));
    assert_one(clash, Some("connect"), &["Address", "send", "rename"]);
    assert_one(
        builder().procedure(taking::<Both>("both")),
        Some("both"),
        &["Address", "rename"],
    );
}

#[test]
fn a_result_can_clash_with_a_parameter() {
    let lookup = Procedure::sync("lookup", |_: Cx, (): ()| {
        Ok::<_, Fault>(two::Address {
            host: String::new(),
            port: 1,
        })
    });
    assert_one(
        builder()
            .procedure(taking::<Send>("send"))
            .procedure(lookup),
        Some("lookup"),
        &["Address", "send"],
    );
}

#[test]
fn one_type_may_be_used_everywhere() {
    let lookup = Procedure::sync("lookup", |_: Cx, _: Send| {
        Ok::<_, Fault>(one::Address {
            street: String::new(),
        })
    });
    assert_fine(
        builder()
            .procedure(taking::<Send>("send"))
            .procedure(lookup),
    );
}

#[derive(Debug, Serialize, JsonSchema)]
struct Details {
    address: Option<u8>,
}

#[test]
fn error_codes_that_the_protocol_keeps_for_itself_are_a_mistake() {
    for code in [-32768, -32700, -32603, -32600, -32099, -32001, -32000] {
        let procedure = taking::<()>("fails").error(code, "Mine");
        assert_one(
            builder().procedure(procedure),
            Some("fails"),
            &[&code.to_string()],
        );
    }
    for code in [-32769, -31999, -1, 0, 1, 404, i64::MAX, i64::MIN] {
        assert_fine(builder().procedure(taking::<()>("fails").error(code, "Mine")));
    }
}

#[test]
fn an_error_code_declared_twice_is_a_mistake() {
    let procedure = taking::<()>("fails")
        .error(7, "One")
        .error_with_data::<Details>(7, "Two");
    assert_one(
        builder().procedure(procedure),
        Some("fails"),
        &["7", "twice"],
    );
}

#[derive(Debug)]
struct Odd;

impl RpcError for Odd {
    fn declare(errors: &mut ErrorList) {
        let _ = errors.add(1, "Fine").status(404);
        let _ = errors.add(2, "No error").status(200);
    }

    fn into_fault(self) -> Fault {
        Fault::new(1, "Fine")
    }
}

#[test]
fn a_status_that_is_no_errors_is_a_mistake() {
    let procedure = Procedure::sync("odd", |_: Cx, (): ()| Err::<(), _>(Odd));
    assert_one(builder().procedure(procedure), Some("odd"), &["200", "2"]);
}

fn ours() -> i64 {
    -32002
}

#[derive(Debug, RpcError)]
enum Reserved {
    #[rpc(code = ours())]
    Busy,
}

#[test]
fn the_codes_that_the_compiler_does_not_know_are_looked_at_too() {
    let procedure = Procedure::sync("busy", |_: Cx, (): ()| Err::<(), _>(Reserved::Busy));
    assert_one(builder().procedure(procedure), Some("busy"), &["-32002"]);
}

#[derive(Deserialize, JsonSchema)]
struct Priced {
    /// A decimal number as schemars describes it.
    #[schemars(extend("type" = ["string", "number"], "minimum" = 0))]
    _price: serde_json::Value,
    #[schemars(extend("type" = ["number", "null"], "minimum" = 0))]
    _discount: serde_json::Value,
}

#[test]
fn bounds_of_a_number_that_may_also_be_a_text_draw_a_warning() {
    let service = builder().procedure(taking::<Priced>("price"));
    let service = service.build().expect("a service");
    let [warning] = service.warnings() else {
        panic!("{:?}", service.warnings());
    };
    for words in ["`_price`", "`minimum`", "does not apply to strings"] {
        assert!(warning.contains(words), "{warning}");
    }
}

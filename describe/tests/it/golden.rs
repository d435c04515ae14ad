//! Golden files of descriptions as they are served.
//!
//! A change of these files changes the response of every user's services. To accept one, run the
//! tests with `DOCENT_UPDATE=1` in the environment and review the diff.

use docent_describe::json::Json;
use docent_describe::render::{self, OpenApiOptions, OpenRpcVersion};
use golden::assert_golden;

#[track_caller]
fn check(name: &str, rendered: &Json) {
    assert_golden(format!("tests/golden/{name}"), &format!("{rendered:#}\n"));
}

#[test]
fn the_library_is_described_as_in_the_file() {
    check(
        "library.describe.json",
        &render::describe(&crate::library::service()),
    );
}

#[test]
fn the_library_is_described_to_1_1_as_in_the_file() {
    check(
        "library.system.json",
        &render::system_describe(&crate::library::service()),
    );
}

#[test]
fn the_library_is_described_to_openrpc_as_in_the_files() {
    for version in [
        OpenRpcVersion::V1_2_6,
        OpenRpcVersion::V1_3_2,
        OpenRpcVersion::V1_4_1,
    ] {
        let name = format!("library.openrpc-{}.json", version.as_str());
        check(&name, &render::openrpc(&crate::library::service(), version));
    }
}

#[test]
fn the_library_is_described_to_open_api_as_in_the_file() {
    let mut options = OpenApiOptions::default();
    options.mount = Some("/rpc");
    check(
        "library.openapi.json",
        &render::openapi(&crate::library::service(), options),
    );
}

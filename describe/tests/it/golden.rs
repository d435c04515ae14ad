//! Golden files of descriptions as they are served.
//!
//! A change of these files changes the response of every user's services. To accept one, run the
//! tests with `UPDATE_GOLDEN=1` in the environment and review the diff.

use std::path::Path;

use docent_describe::json::Json;
use docent_describe::render::{self, OpenApiOptions, OpenRpcVersion};

#[track_caller]
fn check(name: &str, rendered: &Json) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    let text = format!("{rendered:#}\n");
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{name} differs; UPDATE_GOLDEN=1 accepts");
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
    let options = OpenApiOptions {
        mount: Some("/rpc"),
        ..OpenApiOptions::default()
    };
    check(
        "library.openapi.json",
        &render::openapi(&crate::library::service(), options),
    );
}

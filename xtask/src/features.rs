//! Checks that every crate builds without features and with each feature alone.
//!
//! In a build of the workspace, features that other crates ask for hide what is missing.

use serde_json::Value;

use crate::command::{self, BoxError, cargo, output};

pub(crate) fn run() -> Result<(), BoxError> {
    let mut checked = 0;
    for package in packages()? {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(features) = package["features"].as_object() else {
            continue;
        };
        if features.is_empty() {
            continue;
        }
        check(name, &[])?;
        for feature in features.keys().filter(|feature| *feature != "default") {
            check(name, &["--features", feature])?;
        }
        checked += 1;
    }
    if checked == 0 {
        return Err("no crate of the workspace has a feature".into());
    }
    Ok(())
}

/// Returns every package of the workspace, as cargo describes it.
pub(crate) fn packages() -> Result<Vec<Value>, BoxError> {
    let words = ["metadata", "--no-deps", "--format-version", "1", "--locked"];
    let mut metadata: Value = serde_json::from_str(&output(cargo().args(words))?)?;
    match metadata["packages"].take() {
        Value::Array(packages) if !packages.is_empty() => Ok(packages),
        _ => Err("the workspace has no packages".into()),
    }
}

/// Checks a crate with one feature, or with none.
///
/// Clippy's `incompatible_msrv` finds uses of the standard library that are newer than the workspace's
/// `rust-version`, so a current compiler can check that promise.
fn check(package: &str, feature: &[&str]) -> Result<(), BoxError> {
    let mut clippy = cargo();
    clippy.args([
        "clippy",
        "--locked",
        "--no-default-features",
        "--package",
        package,
    ]);
    clippy.args(feature);
    command::run(clippy.args(["--", "-D", "warnings", "-D", "clippy::incompatible_msrv"]))
}

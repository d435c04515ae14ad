//! Builds the tests of every crate alone.
//!
//! In a build of the whole workspace, each crate has the features that any other asks for. A contributor who works on
//! one crate builds that alone, with the features that its own manifest names.

use crate::command::{self, BoxError, cargo};
use crate::features::packages;

pub(crate) fn run() -> Result<(), BoxError> {
    let mut broken = Vec::new();
    for package in packages()? {
        let name = package["name"].as_str().unwrap_or_default();
        let words = ["test", "--no-run", "--locked", "--package", name];
        if command::run(cargo().args(words)).is_err() {
            broken.push(name.to_owned());
        }
    }
    if broken.is_empty() {
        Ok(())
    } else {
        let names = broken.join(", ");
        Err(format!("`cargo test --package NAME` does not build for: {names}").into())
    }
}

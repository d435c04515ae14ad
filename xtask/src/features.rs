//! Every crate builds without its features, and with each of them alone.

use serde::Deserialize;

use crate::command::{self, Failure, cargo, output};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    features: std::collections::BTreeMap<String, Vec<String>>,
}

pub(crate) fn run() -> Result<(), Failure> {
    let text =
        output(cargo().args(["metadata", "--no-deps", "--format-version", "1", "--locked"]))?;
    let metadata: Metadata = serde_json::from_str(&text).map_err(Failure::new)?;
    let mut checked = 0;
    for package in &metadata.packages {
        let features = package.features.keys().filter(|name| *name != "default");
        let alone: Vec<_> = features.collect();
        if alone.is_empty() {
            continue;
        }
        check(&package.name, None)?;
        for feature in alone {
            check(&package.name, Some(feature))?;
        }
        checked += 1;
    }
    if checked == 0 {
        return Err(Failure::new("no crate of the workspace has a feature"));
    }
    Ok(())
}

/// Checks a crate with one feature, or with none.
///
/// Clippy also looks for what the oldest compiler that the workspace names does not have
/// (`incompatible_msrv`), so a newer one can check that promise.
fn check(package: &str, feature: Option<&str>) -> Result<(), Failure> {
    let mut clippy = cargo();
    clippy.args(["clippy", "--locked", "--no-default-features"]);
    clippy.args(["--package", package]);
    if let Some(feature) = feature {
        clippy.args(["--features", feature]);
    }
    command::run(clippy.args(["--", "-D", "warnings", "-D", "clippy::incompatible_msrv"]))
}

//! Every crate that is published packages, and builds from its package.

use crate::command::{self, Failure, cargo};

/// The crates that are published, in the order in which they depend on each other.
pub(crate) const PUBLISHED: &[&str] = &[
    "docent-describe",
    "docent-core",
    "docent-docs-gen",
    "docent-server",
    "docent-cli",
];

pub(crate) fn run() -> Result<(), Failure> {
    let mut package = cargo();
    package.args(["package", "--locked"]);
    for name in PUBLISHED {
        package.args(["--package", name]);
    }
    command::run(&mut package)
}

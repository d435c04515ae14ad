//! Checks that dependencies point one way and that the dependency trees of services do not grow unnoticed.
//!
//! Cargo itself forbids only cycles. Imports within a crate are checked by the tests of `core`, and
//! licences by `cargo xtask deny`.

use std::collections::BTreeSet;

use crate::command::{BoxError, cargo, output};

/// Each crate with the crates that it must not depend on, directly or indirectly.
const FORBIDDEN_DEPENDENCIES: &[(&str, &[&str])] = &[
    (
        "docent-describe",
        &[
            "tokio",
            "actix-web",
            "actix-rt",
            "docent-core",
            "docent-tools",
            "docent",
        ],
    ),
    (
        "docent-tools",
        &["docent-core", "docent-docs-gen", "reqwest"],
    ),
    ("docent-docs-gen", &["docent-core", "docent-tools"]),
    ("docent-macros", &["docent-describe", "docent-core"]),
    (
        "docent-core",
        &["tokio", "actix-web", "actix-rt", "docent-http", "docent"],
    ),
    (
        "docent-http",
        &["actix-web", "actix-http", "actix-rt", "axum", "docent"],
    ),
    (
        "docent-tower",
        &[
            "actix-web",
            "actix-http",
            "actix-rt",
            "docent",
            "docent-tools",
        ],
    ),
    (
        "docent-jsonrpsee",
        &["actix-web", "actix-rt", "docent", "docent-tools"],
    ),
    ("docent-keys", &["actix-web", "docent-http", "docent"]),
    ("docent-client", &["actix-web", "docent"]),
    (
        "docent-jwt",
        &[
            "actix-web",
            "actix-rt",
            "docent-http",
            "docent",
            "aws-lc-rs",
        ],
    ),
    ("docent", &["docent-tools"]),
];

/// The trees of services: the crate that they depend on, the choice of features, and the maximum number of crates,
/// counted by name and version. Users compile and trust each of them, so raise a number only for a crate that is
/// worth it.
const MAX_CRATES: &[(&str, &[&str], usize)] = &[
    ("docent", &[], 155),
    ("docent", &["--no-default-features"], 133),
    ("docent-tower", &[], 131),
    ("docent-tower", &["--no-default-features"], 90),
];

pub(crate) fn run() -> Result<(), BoxError> {
    let mut wrong = Vec::new();
    for (package, forbidden) in FORBIDDEN_DEPENDENCIES {
        let tree = tree(package, &["--edges", "normal,build", "--all-features"])?;
        for name in *forbidden {
            if tree.iter().any(|(dependency, _)| dependency == name) {
                wrong.push(format!("{package} depends on {name}"));
            }
        }
    }
    for (package, features, max) in MAX_CRATES {
        let choice = [&["--edges", "normal"], *features].concat();
        let crates = tree(package, &choice)?.len();
        let subject = [&[*package], *features].concat().join(" ");
        println!("{subject} has {crates} crates in its tree");
        if crates > *max {
            wrong.push(format!(
                "{subject} has {crates} crates in its tree, at most {max}"
            ));
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("; ").into())
    }
}

/// Returns every crate that a package depends on, by name and version.
fn tree(package: &str, choice: &[&str]) -> Result<BTreeSet<(String, String)>, BoxError> {
    let arguments = ["tree", "--locked", "--prefix", "none", "--package", package];
    let text = output(cargo().args(arguments).args(choice))?;
    let crates: BTreeSet<_> = text
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ').map(str::to_owned);
            words.next().zip(words.next())
        })
        .collect();
    // An empty tree would pass every check.
    if crates.iter().any(|(name, _)| name == package) {
        Ok(crates)
    } else {
        Err(format!("`cargo tree` does not show {package}").into())
    }
}

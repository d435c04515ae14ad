//! Arrows point one way: what a crate must not know is not in its tree.

use crate::command::{Failure, cargo, output};

/// Crates, and what none of their dependencies may be.
const FORBIDDEN: &[(&str, &[&str])] = &[
    (
        "docent-describe",
        &[
            "tokio",
            "actix-web",
            "actix-rt",
            "docent-core",
            "docent-server",
        ],
    ),
    (
        "docent-core",
        &["tokio", "actix-web", "actix-rt", "docent-server"],
    ),
];

pub(crate) fn run() -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for (package, forbidden) in FORBIDDEN {
        let tree = tree(package)?;
        for name in *forbidden {
            if tree.iter().any(|dependency| dependency == name) {
                wrong.push(format!("{package} depends on {name}"));
            }
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(wrong.join("; ")))
    }
}

/// The names of everything that a package is built with, whatever features are chosen.
fn tree(package: &str) -> Result<Vec<String>, Failure> {
    let arguments = [
        "tree",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ];
    let text =
        output(
            cargo()
                .args(arguments)
                .args(["--all-features", "--locked", "--package", package]),
        )?;
    let names: Vec<_> = text
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect();
    // An empty tree would pass every check.
    if names.iter().any(|name| name == package) {
        Ok(names)
    } else {
        Err(Failure::new(format_args!(
            "`cargo tree` does not show {package}"
        )))
    }
}

//! The README shows this example.

use std::collections::BTreeSet;
use std::process::Command;

const README: &str = include_str!("../../../README.md");
const MANIFEST: &str = include_str!("../Cargo.toml");
const CODE: &str = include_str!("../src/main.rs");

/// The beginning and the end of what only the example has: its address and its help.
const OF_EXAMPLE: (&str, &str) = ("    let address = ", "    Ok(Server");

/// Returns the code blocks in this language.
fn blocks(language: &str) -> Vec<&'static str> {
    README
        .split("\n```")
        .filter_map(|block| block.split_once('\n'))
        .filter(|(first, _)| *first == language)
        .map(|(_, text)| text)
        .collect()
}

/// Returns the names in a manifest's table of dependencies.
fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let (_, table) = manifest.split_once("[dependencies]\n").expect("a table");
    table
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split(['=', '.', ' ']).next())
        .collect()
}

#[test]
fn the_code_of_the_readme_is_the_example_but_for_the_address() {
    let (_, code) = CODE.split_once("\n\n").expect("a header");
    let (code, _) = code.split_once("\n#[cfg(test)]").expect("tests");
    let (start, end) = OF_EXAMPLE;
    let (before, rest) = code.split_once(start).expect("the address");
    let (_, after) = rest.split_once(end).expect("the server");
    let after = after.replace(".bind(address)", ".bind(\"127.0.0.1:8080\")");
    let expected = format!("{before}{end}{after}");
    assert_eq!(blocks("rust").join("\n\n"), expected.trim_end());
}

#[test]
fn the_dependencies_of_the_readme_are_those_of_the_example() {
    let manifests = blocks("toml");
    assert_eq!(manifests.len(), 1);
    assert_eq!(dependencies(manifests[0]), dependencies(MANIFEST));
}

#[test]
fn help_starts_no_server() {
    let help = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .arg("--help")
        .env("LISTEN", "no address to listen on")
        .output()
        .expect("the example");
    assert!(help.status.success(), "{help:?}");
    assert!(
        String::from_utf8_lossy(&help.stdout).contains("LISTEN"),
        "{help:?}"
    );
}

//! The README shows this example.

use std::collections::BTreeSet;

const README: &str = include_str!("../../../README.md");
const MANIFEST: &str = include_str!("../Cargo.toml");
const CODE: &str = include_str!("../src/main.rs");

/// The address of the README's service, and how the example is told another one.
const ADDRESSES: (&str, &str) = (
    ".bind(\"127.0.0.1:8080\")",
    "    let address = std::env::var(\"LISTEN\").unwrap_or_else(|_| \"127.0.0.1:8080\".to_owned());\n",
);

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
    let (of_readme, of_example) = ADDRESSES;
    let expected = code
        .replace(of_example, "")
        .replace(".bind(address)", of_readme);
    assert_eq!(blocks("rust").join("\n\n"), expected.trim_end());
}

#[test]
fn the_dependencies_of_the_readme_are_those_of_the_example() {
    let manifests = blocks("toml");
    assert_eq!(manifests.len(), 1);
    assert_eq!(dependencies(manifests[0]), dependencies(MANIFEST));
}

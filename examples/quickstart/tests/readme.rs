//! The README shows this example unchanged.

use std::collections::BTreeSet;

const README: &str = include_str!("../../../README.md");
const MANIFEST: &str = include_str!("../Cargo.toml");
const CODE: &str = include_str!("../src/main.rs");

/// Returns the only code block in this language.
fn block(language: &str) -> &'static str {
    let mut blocks = README.split("\n```").filter_map(|block| {
        let (first, text) = block.split_once('\n')?;
        (first == language).then_some(text)
    });
    let only = blocks.next().expect("a block in this language");
    assert!(blocks.next().is_none(), "one block in {language}");
    only
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
fn the_code_of_the_readme_is_the_example_word_for_word() {
    assert_eq!(block("rust"), CODE.trim_end());
}

#[test]
fn the_dependencies_of_the_readme_are_those_of_the_example() {
    assert_eq!(dependencies(block("toml")), dependencies(MANIFEST));
}

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
fn the_facts_of_the_readme_are_those_of_the_repository() {
    let workspace = include_str!("../../../Cargo.toml");
    let (_, version) = workspace
        .split_once("rust-version = \"")
        .expect("a version");
    let (version, _) = version.split_once('"').expect("its end");
    assert!(README.contains(&format!("Rust {version} or later")));

    let trees = include_str!("../../../xtask/src/arrows.rs");
    let (_, crates) = trees.split_once("(\"docent\", &[], ").expect("a tree");
    let (crates, _) = crates.split_once(')').expect("its end");
    assert!(README.contains(&format!("compiles {crates} crates")));

    let (_, seconds) = README.split_once("crates, in [").expect("a time");
    let (seconds, _) = seconds.split_once(" on two cores").expect("its end");
    let row = "its reference site, as this repository builds it | ";
    let figures = include_str!("../../../PERFORMANCE.md");
    assert!(figures.contains(&format!("{row}{seconds} |")), "{seconds}");
}

#[test]
fn the_readme_counts_the_patterns_of_the_test() {
    let test = include_str!("../../../describe/tests/it/javascript.rs");
    let (_, cases) = test.split_once("CASES: usize = ").expect("a number");
    let (cases, _) = cases.split_once(';').expect("its end");
    let (thousands, rest) = cases.split_at(cases.len() - 3);
    assert!(README.contains(&format!("{thousands},{rest} cases beside one, 0 wrong")));
}

#[test]
fn every_example_of_the_readme_is_a_package() {
    let (_, table) = README.split_once("| example |").expect("the table");
    let (table, _) = table.split_once("\n\n").expect("its end");
    let mut examples = 0;
    for row in table.lines().skip(2) {
        let (_, folder) = row.split_once("](").expect("a link");
        let (folder, rest) = folder.split_once(')').expect("its end");
        let (_, package) = rest.rsplit_once(" -p ").expect("a command");
        let (package, _) = package.split_once('`').expect("its end");
        let manifest = format!("{}/../../{folder}/Cargo.toml", env!("CARGO_MANIFEST_DIR"));
        let manifest = std::fs::read_to_string(manifest).expect("a package");
        assert!(
            manifest.contains(&format!("name = \"{package}\"\n")),
            "{row}"
        );
        examples += 1;
    }
    assert!(examples >= 4, "{examples}");
}

#[test]
fn the_readme_is_short() {
    let words = README.split_whitespace().count();
    assert!(words <= 950, "{words} words");
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

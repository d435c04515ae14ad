//! The guide shows the code of the examples.

const PROCEDURES: &str = include_str!("../../../server/guide/procedures.md");
const PARAMETERS: &str = include_str!("../../../server/guide/parameters.md");
const MAIN: &str = "#[docent::main]";

const CALLS: &str = include_str!("../../../server/guide/calls.md");
const DEPLOYMENT: &str = include_str!("../../../server/guide/deployment.md");

/// Returns the block of code after a heading, with the address that the examples have.
fn block(page: &str, heading: &str) -> String {
    let (_, rest) = page.split_once(heading).expect("the heading");
    let (_, rest) = rest.split_once("```rust").expect("a block");
    let (block, _) = rest.split_once("\n```").expect("its end");
    let (_, code) = block.split_once('\n').expect("code");
    code.replace("\"127.0.0.1:8080\"", "std::env::var(\"LISTEN\")?")
}

/// Returns code without what rustfmt decides: lines in the guide are longer.
fn tokens(code: &str) -> String {
    code.split([' ', '\n', ',']).collect()
}

#[test]
fn the_procedures_page_shows_the_example() {
    let code = include_str!("../examples/attributes.rs");
    let (_, code) = code.split_once("\n\n").expect("a head");
    let shown = block(PROCEDURES, "## Methods of a type");
    assert_eq!(tokens(&shown), tokens(code));
}

#[test]
fn the_section_about_pages_shows_the_parts_of_the_example() {
    let code = tokens(include_str!("../examples/pages.rs"));
    let shown = block(PARAMETERS, "| by cursor:");
    let (head, main) = shown.split_once(MAIN).expect("a main");
    for part in head.split("\n\n").filter(|part| !part.starts_with("use ")) {
        assert!(code.contains(&tokens(part)), "{part}");
    }
    let (_, registered) = main.split_once("let service").expect("a service");
    let (registered, _) = registered.split_once(';').expect("its end");
    assert!(code.contains(&tokens(registered)), "{registered}");
}

#[test]
fn the_deployment_page_shows_the_example() {
    let code = include_str!("../examples/running.rs");
    let (_, code) = code.split_once("\n\n").expect("a head");
    let (_, shown) = DEPLOYMENT.split_once("```rust,ignore\n").expect("a block");
    let (shown, _) = shown.split_once("```").expect("its end");
    assert_eq!(tokens(shown), tokens(code));
}

#[test]
fn the_section_about_keys_shows_the_store_of_the_example_in_60_lines() {
    let code = include_str!("../../../keys/examples/sqlx.rs").replace("pub(crate) ", "");
    let (_, shown) = CALLS
        .split_once("/// Keeps outcomes in this table")
        .expect("the code");
    let (shown, _) = shown.split_once("```").expect("its end");
    assert!(tokens(&code).contains(&tokens(shown)), "{shown}");
    assert!(shown.lines().count() <= 60);
}

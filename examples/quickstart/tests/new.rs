//! The service that `docent new` writes, as its templates are.

#[path = "../../../cli/template/service.rs"]
mod service;

use docent::testing::assert_matches_golden;

#[test]
fn a_new_service_has_the_description_that_comes_with_it() {
    let service = service::service("s3cret").expect("its description has no mistakes");
    assert_matches_golden(&service, "../../cli/template/description.json");
}

#[test]
fn the_guide_shows_the_procedure_of_a_new_service() {
    let page = include_str!("../../../server/guide/index.md");
    let (_, block) = page.split_once("```rust,ignore\n").expect("a block");
    let (procedure, _) = block.split_once("```").expect("its end");
    let template = include_str!("../../../cli/template/service.rs");
    assert!(template.contains(procedure), "{procedure}");
}

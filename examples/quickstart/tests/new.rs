//! The services that `docent new` writes, as their templates are.

#[expect(dead_code, reason = "no database is there for its table")]
#[path = "../../../cli/template/keys/postgres/service.rs"]
mod on_postgres;
#[path = "../../../cli/template/keys/sqlite/service.rs"]
mod on_sqlite;
#[path = "../../../cli/template/service.rs"]
mod service;

use docent::testing::assert_matches_golden;
use tokio_postgres::Config;

#[test]
fn a_new_service_has_the_description_that_comes_with_it() {
    let service = service::service("s3cret").expect("its description has no mistakes");
    assert_matches_golden(&service, "../../cli/template/description.json");
}

#[test]
fn new_services_that_write_exactly_once_have_one_description_on_every_database() {
    let golden = "../../cli/template/keys/description.json";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cards.db");
    let service = on_sqlite::service(&path, "s3cret").expect("it has no mistakes");
    assert_matches_golden(&service, golden);
    // It is not connected to.
    let pool = on_postgres::pool(Config::new());
    let service = on_postgres::service(pool, "s3cret").expect("it has no mistakes");
    assert_matches_golden(&service, golden);
}

#[test]
fn the_guide_shows_the_procedure_of_a_new_service() {
    let page = include_str!("../../../server/guide/index.md");
    let (_, block) = page.split_once("```rust,ignore\n").expect("a block");
    let (procedure, _) = block.split_once("```").expect("its end");
    let template = include_str!("../../../cli/template/service.rs");
    assert!(template.contains(procedure), "{procedure}");
}

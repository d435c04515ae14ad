//! Calls the service in process, and compares its description with `description.json`.

use docent::CallError;
use docent::testing::assert_matches_golden;

use crate::service::service;

/// Calls `greet` with a name.
async fn greet(name: &str) -> Result<String, CallError> {
    let service = service().expect("the description has no mistakes");
    service.call("greet", &[name]).await
}

#[docent::test]
async fn a_person_is_greeted() {
    assert_eq!(greet("Ada").await.unwrap(), "Hello, Ada!");
}

#[docent::test]
async fn an_empty_name_is_rejected() {
    assert_eq!(greet("").await.unwrap_err().code(), Some(-32602));
}

/// After a change that you want, update the file with `DOCENT_UPDATE=1 cargo test`.
#[test]
fn the_description_has_not_changed() {
    assert_matches_golden(&service().unwrap(), "description.json");
}

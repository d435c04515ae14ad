//! Calls the service in process, and compares its description with `description.json`.

use docent::Service;
use docent::testing::assert_matches_golden;

fn service() -> Service {
    crate::service::service("s3cret").expect("the description has no mistakes")
}

#[docent::test]
async fn a_person_is_greeted() {
    let greeting: String = service().call("greet", &["Ada"]).await.unwrap();
    assert_eq!(greeting, "Hello, Ada!");
}

#[docent::test]
async fn a_language_without_a_greeting_is_an_error() {
    let greeted = service().call::<String>("greet", &["Ada", "is"]).await;
    assert_eq!(greeted.unwrap_err().code(), Some(1404));
}

#[docent::test]
async fn a_language_that_is_no_code_is_rejected() {
    let greeted = service().call::<String>("greet", &["Ada", "English"]).await;
    assert_eq!(greeted.unwrap_err().code(), Some(-32602));
}

#[docent::test]
async fn only_callers_with_the_token_set_a_greeting() {
    let service = service();
    let rejected = service.call::<()>("greeting.set", &["is", "Halló"]).await;
    assert_eq!(rejected.unwrap_err().code(), Some(-32007));

    let request = service.request("greeting.set", &["is", "Halló"]);
    let request = request.field("Authorization", "Bearer s3cret");
    request.call::<()>().await.unwrap();
    let greeting: String = service.call("greet", &["Ada", "is"]).await.unwrap();
    assert_eq!(greeting, "Halló, Ada!");
}

/// After a change that you want, update the file with `DOCENT_UPDATE=1 cargo test`.
#[test]
fn the_description_has_not_changed() {
    assert_matches_golden(&service(), "description.json");
}

//! Calls the service in process, and compares its description with `description.json`.

use docent::Service;
use docent::testing::assert_matches_golden;
use tempfile::TempDir;

/// Returns the service on a database in a folder, as after a start.
fn start(folder: &TempDir) -> Service {
    crate::service::service(&folder.path().join("cards.db"), "s3cret").unwrap()
}

/// Orders a card for Ada, and returns the number of the order.
async fn order(service: &Service, key: &str) -> i64 {
    let request = service
        .request("card.order", &["Ada", "Hello"])
        .field("Authorization", "Bearer s3cret")
        .field("Idempotency-Key", key);
    request.call().await.unwrap()
}

#[docent::test]
async fn a_repeated_order_is_one_card_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let service = start(&folder);
    let number = order(&service, "k1").await;
    assert_eq!(order(&service, "k1").await, number);
    drop(service);

    let service = start(&folder);
    assert_eq!(order(&service, "k1").await, number);
    let cards: i64 = service.call("card.count", &["Ada"]).await.unwrap();
    assert_eq!(cards, 1);
}

/// After a change that you want, update the file with `DOCENT_UPDATE=1 cargo test`.
#[test]
fn the_description_has_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    assert_matches_golden(&start(&folder), "description.json");
}

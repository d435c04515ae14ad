//! Calls the service in process, and compares its description with `description.json`.

use std::env;
use std::time::SystemTime;

use docent::Service;
use docent::testing::assert_matches_golden;
use tokio_postgres::Config;

/// Returns the service on the database for tests, as after a start.
async fn start() -> Service {
    let database = env::var("TEST_DATABASE").expect(
        "set TEST_DATABASE to a database for tests, such as postgres://postgres@localhost/test",
    );
    let pool = crate::service::pool(database.parse().unwrap());
    crate::service::create_table(&pool).await.unwrap();
    crate::service::service(pool, "s3cret").unwrap()
}

/// Orders a card, and returns the number of the order.
async fn order(service: &Service, name: &str, key: &str) -> i64 {
    let request = service
        .request("card.order", &[name, "Hello"])
        .field("Authorization", "Bearer s3cret")
        .field("Idempotency-Key", key);
    request.call().await.unwrap()
}

#[docent::test]
async fn a_repeated_order_is_one_card_also_after_a_restart() {
    // Each run has a key and a name of its own, because the database keeps the cards of all.
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos();
    let key = format!("test-{now}");
    let name = format!("Ada {now}");
    let service = start().await;
    let number = order(&service, &name, &key).await;
    assert_eq!(order(&service, &name, &key).await, number);
    drop(service);

    let service = start().await;
    assert_eq!(order(&service, &name, &key).await, number);
    let cards: i64 = service.call("card.count", &[&name]).await.unwrap();
    assert_eq!(cards, 1);
}

/// After a change that you want, update the file with `DOCENT_UPDATE=1 cargo test`.
#[test]
fn the_description_has_not_changed() {
    // It is not connected to.
    let pool = crate::service::pool(Config::new());
    let service = crate::service::service(pool, "s3cret").unwrap();
    assert_matches_golden(&service, "description.json");
}

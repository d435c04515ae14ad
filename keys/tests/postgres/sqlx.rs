//! The store that the guide shows for another database.

use docent_core::Service;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::database::Database;

#[path = "../../examples/sqlx.rs"]
mod example;

const TABLES: &str = "
    DROP TABLE payments;
    CREATE TABLE payments (id bigserial PRIMARY KEY, invoices bigint[] NOT NULL);
    CREATE TABLE outcomes (caller text, key text, fingerprint text NOT NULL, json text NOT NULL,
        is_error boolean NOT NULL, until timestamptz NOT NULL, PRIMARY KEY (caller, key))";

async fn pay(service: &Service, invoice: i64) -> Value {
    let request = json!({
        "jsonrpc": "2.0", "method": "pay", "params": [invoice], "id": 1, "x-idempotency-key": "k"
    });
    let response = service.handle(request.to_string()).await.unwrap();
    serde_json::from_slice(&response).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_of_the_guide_pays_once_also_after_a_restart() {
    let database = Database::new().await;
    database.execute(TABLES).await;
    let open = async || {
        let pool = PgPool::connect(&database.url()).await.unwrap();
        example::service(example::Outcomes(pool)).unwrap()
    };
    for instance in [open().await, open().await] {
        for _ in 0..2 {
            assert_eq!(pay(&instance, 7).await["result"], 1);
        }
        assert_eq!(pay(&instance, 8).await["error"]["code"], -32010);
    }
    assert_eq!(database.payments().await, 1);
}

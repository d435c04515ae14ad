//! The shop in process, its webhook over HTTP, and its description.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::net::TcpStream;
use std::sync::Arc;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use docent::testing::{TestServer, assert_description_holds, assert_matches_golden};
use docent::{CallError, Items, Service, json};
use futures_util::StreamExt;
use hmac_sha256::HMAC;
use printshop::Shop;
use raw_http::{Request, Response};
use serde_json::Value;

const GUIDE: &str = include_str!("../../../server/guide/real-service.md");

/// The files whose parts the guide shows.
const FILES: [&str; 8] = [
    include_str!("../src/access.rs"),
    include_str!("../src/lib.rs"),
    include_str!("../src/main.rs"),
    include_str!("../src/orders.rs"),
    include_str!("../src/payments.rs"),
    include_str!("../src/shop.rs"),
    include_str!("../Containerfile"),
    include_str!("printshop.rs"),
];

const TOKEN: &str = "counter";
const PDF: &str = "JVBERi0xLjcK";

/// A shop with a customer who has sent a file.
struct Opened {
    shop: Arc<Shop>,
    service: Service,
    key: String,
}

async fn open() -> Opened {
    let shop = Arc::new(Shop::open(":memory:").unwrap());
    let service = printshop::service(&shop, TOKEN).unwrap().for_tests();
    let mut opened = Opened {
        shop,
        service,
        key: String::new(),
    };
    opened.key = opened.add_customer().await;
    assert_eq!(opened.customer("file.add", json!([PDF])).await.unwrap(), 1);
    opened
}

impl Opened {
    /// Adds a customer, and returns the key.
    async fn add_customer(&self) -> String {
        let key = self.staff("customer.add", json!(["Tove Berg"])).await;
        key.unwrap().as_str().unwrap().to_owned()
    }

    async fn staff(&self, procedure: &str, params: Value) -> Result<Value, CallError> {
        let call = self.service.request(procedure, &params);
        call.field("Authorization", format!("Bearer {TOKEN}"))
            .call()
            .await
    }

    async fn customer(&self, procedure: &str, params: Value) -> Result<Value, CallError> {
        let call = self.service.request(procedure, &params);
        call.field("X-Api-Key", self.key.as_str()).call().await
    }

    /// Watches as the caller who sends this header field.
    async fn watch(
        &self,
        field: &'static str,
        value: &str,
        params: Value,
    ) -> Result<Items<Value>, CallError> {
        let call = self.service.request("job.watch", &params);
        call.field(field, value.to_owned()).subscribe().await
    }

    /// Sends what the payment provider sends, and returns the status.
    fn pay(&self, payment: &Value, key: &str) -> u16 {
        let server = printshop::server(&self.shop, TOKEN, "webhook").unwrap();
        let server = TestServer::run(server).unwrap();
        let mut connection = TcpStream::connect(server.address()).unwrap();
        let body = payment.to_string();
        let signature = BASE64_STANDARD.encode(HMAC::mac(&body, key));
        let request = Request::post("/hooks/payment", body.as_bytes());
        let request = request.header("X-Signature", &signature);
        Response::exchange(&mut connection, &request).status
    }
}

#[docent::test]
async fn an_order_is_placed_paid_and_printed() {
    let shop = open().await;
    let order = shop.customer("order.place", json!([1, 2])).await.unwrap();
    assert_eq!(
        order,
        json!({"id": 1, "copies": 2, "printed": 0, "cents": 70, "paid": false})
    );
    shop.shop.print_copy().unwrap();

    assert_eq!(shop.pay(&json!({"order": 1, "cents": 70}), "webhook"), 204);
    shop.shop.print_copy().unwrap();
    for order in [
        shop.customer("order.get", json!([1])).await.unwrap(),
        shop.staff("order.get", json!([1])).await.unwrap(),
    ] {
        assert_eq!(order["paid"], true);
        assert_eq!(
            order["printed"], 1,
            "no copy was printed before the payment"
        );
    }
}

#[docent::test]
async fn customers_see_and_use_only_what_is_theirs() {
    let mut shop = open().await;
    shop.customer("order.place", json!([1, 2])).await.unwrap();
    shop.key = shop.add_customer().await;
    for (procedure, params, code) in [
        ("order.get", json!([1]), 1405),
        ("order.place", json!([1, 2]), 1404),
        ("customer.add", json!(["Otto"]), -32007),
        ("file.add", json!(["aGk="]), -32602),
    ] {
        let error = shop.customer(procedure, params).await.unwrap_err();
        assert_eq!(error.code(), Some(code), "{procedure}");
    }
}

#[docent::test]
async fn customers_watch_their_own_copies_and_come_back_after_the_last_one() {
    let mut shop = open().await;
    for _ in 0..2 {
        shop.customer("order.place", json!([1, 1])).await.unwrap();
    }
    let first = shop.key.clone();
    shop.key = shop.add_customer().await;
    shop.customer("file.add", json!([PDF])).await.unwrap();
    shop.customer("order.place", json!([2, 1])).await.unwrap();
    let mut all = shop
        .watch("Authorization", &format!("Bearer {TOKEN}"), json!({}))
        .await
        .unwrap();
    let mut own = shop.watch("X-Api-Key", &first, json!({})).await.unwrap();
    for order in [1, 3, 2] {
        assert_eq!(
            shop.pay(&json!({"order": order, "cents": 35}), "webhook"),
            204
        );
        shop.shop.print_copy().unwrap();
    }
    assert_eq!(orders(&mut all, 3).await, [1, 3, 2]);
    assert_eq!(orders(&mut own, 2).await, [1, 2]);

    let mut resumed = shop
        .watch("X-Api-Key", &first, json!({"after": 1}))
        .await
        .unwrap();
    assert_eq!(orders(&mut resumed, 1).await, [2]);
    let unknown = shop.watch("X-Api-Key", &first, json!({"after": 9})).await;
    assert_eq!(unknown.unwrap_err().code(), Some(-32014));
    let stranger = shop.watch("X-Api-Key", "guessed", json!({})).await;
    assert_eq!(stranger.unwrap_err().code(), Some(-32007));
}

/// Returns the orders of the next copies.
async fn orders(copies: &mut Items<Value>, count: usize) -> Vec<Value> {
    let copies = copies
        .take(count)
        .map(|copy| copy.unwrap().value["order"].take());
    copies.collect().await
}

#[docent::test]
async fn a_repeated_order_is_placed_once() {
    let shop = open().await;
    for _ in 0..2 {
        let call = shop.service.request("order.place", &[1, 2]);
        let call = call.field("X-Api-Key", shop.key.as_str());
        let order: Value = call.field("Idempotency-Key", "a1").call().await.unwrap();
        assert_eq!(order["id"], 1);
    }
}

#[docent::test]
async fn a_payment_needs_the_signature_and_the_price() {
    let shop = open().await;
    shop.customer("order.place", json!([1, 2])).await.unwrap();
    assert_eq!(shop.pay(&json!({"order": 1, "cents": 70}), "guessed"), 401);
    assert_eq!(shop.pay(&json!({"order": 1, "cents": 1}), "webhook"), 404);
    assert_eq!(shop.pay(&json!({"order": 1}), "webhook"), 400);
}

#[docent::test]
async fn the_description_is_the_reviewed_one_and_true() {
    let shop = open().await;
    assert_matches_golden(&shop.service, "tests/golden/printshop.json");
    assert_description_holds(&shop.service);
    assert_eq!(shop.service.warnings(), [""; 0]);
}

/// Returns text without its layout, because the guide indents code less.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_guide_shows_parts_of_these_files() {
    let files = FILES.map(words);
    let blocks = GUIDE.split("\n```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|block| block.split_once('\n'));
    let code = blocks.filter(|(info, _)| ["rust,ignore", "text"].contains(info));
    let parts: Vec<_> = code.flat_map(|(_, code)| code.split("\n\n")).collect();
    assert!(parts.len() > 10);
    for part in parts {
        assert!(
            files.iter().any(|file| file.contains(&words(part))),
            "{part}"
        );
    }
}

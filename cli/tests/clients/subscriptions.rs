//! Follows a subscription with a generated client: subscriptions COUNT. COUNT counts to 1,000, behind a proxy that breaks
//! off. Streams that break off in other ways are in the tests of `docent-client`.

use futures_util::StreamExt;
use odd_values_client::{Client, types};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let url = std::env::args().nth(1).expect("an address");
    let params = types::CountParams { after: None };
    let items = Client::new(url).count(&params).await;
    let mut items = items.expect("it subscribes");
    for expected in 1..=1_000 {
        let item = items.next().await.expect("an item").expect("no error");
        assert_eq!(item.value.number, expected);
        assert_eq!(item.value.digits.0, expected.to_string().into_bytes());
        assert_eq!(item.cursor, Some(expected.to_string()));
    }
    assert!(items.next().await.is_none());
}

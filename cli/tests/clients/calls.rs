//! Calls the library with its generated client: calls URL TOKEN.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use library_client::{
    Batch, Client, Error, Request, Response, Transport, TransportError, calls, errors, types,
};

/// Loses the first request and answers the others.
#[derive(Default)]
struct Lossy(AtomicU32);

impl Transport for &Lossy {
    async fn send(&self, _: Request) -> Result<Response, String> {
        if self.0.fetch_add(1, Ordering::SeqCst) == 0 {
            return Err("lost".to_owned());
        }
        Ok(Response {
            status: 200,
            retry_after: None,
            body: br#"{"jsonrpc":"2.0","id":1,"error":{"code":1503,"message":"Database busy","data":{"retry_after":1}}}"#
                .to_vec(),
        })
    }

    async fn pause(&self, _: Duration) {}
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (url, token) = (arguments.next().unwrap_or_default(), arguments.next());
    let client = Client::new(url.as_str())?;
    let query = types::BookFindParams {
        words: Some("whale".to_owned()),
        limit: Some(1),
        ..Default::default()
    };
    let page = client.book_find(&query).await?;
    assert_eq!(page.books[0].title, "Moby-Dick; or, The Whale");
    let lost = types::BookGetParams { book: 999_999 };
    let Err(Error::Declared(errors::BookGetError::NoSuchBook(data))) = client.book_get(&lost).await
    else {
        panic!("there is such a book");
    };
    assert_eq!(data.book, 999_999);

    let mut batch = Batch::new();
    let stats = batch.add(&calls::stats(&types::StatsParams::default()));
    let lost = batch.add(&calls::book_get(&lost));
    let answers = client.batch(batch).await?;
    assert!(answers.get(&stats)?.books > 0);
    assert!(matches!(answers.get(&lost), Err(Error::Declared(_))));

    client
        .notify(calls::stats(&types::StatsParams::default()))
        .await?;
    let ann = types::MemberAddParams::new("Ann Example".to_owned());
    assert!(
        matches!(client.member_add(&ann).await, Err(Error::Rpc(error)) if error.code == -32007)
    );
    let writer = Client::new(url)?.token(move || token.clone());
    assert!(writer.member_add(&ann).await?.card.starts_with('L'));

    // Only what may run twice is sent twice.
    let lossy = Lossy::default();
    let client = Client::with_transport("http://library.example/rpc", &lossy).repeats(1);
    assert!(client.stats(&types::StatsParams::default()).await.is_err());
    assert!(lossy.0.swap(0, Ordering::SeqCst) > 1);
    let once = client.member_add(&ann).await;
    assert!(matches!(
        once,
        Err(Error::Transport(TransportError { status: None, .. }))
    ));
    assert_eq!(lossy.0.load(Ordering::SeqCst), 1);
    // An error can say that repeating helps: the second request gets one, and so do all repeats of it.
    let once_more = client.repeats(2).member_add(&ann).await;
    assert!(matches!(once_more, Err(Error::Declared(_))));
    assert_eq!(lossy.0.load(Ordering::SeqCst), 4);
    Ok(())
}

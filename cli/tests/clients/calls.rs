//! Calls the library with its generated client: calls URL TOKEN.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use library_client::docent_client::{
    self, BoxFuture, ClientError, Fault, Received, Transport, TransportError,
};
use library_client::{Client, Http, errors, types};

const TIME: Duration = Duration::from_secs(30);

fn lost() -> TransportError {
    TransportError::Interrupted("lost".into())
}

/// Loses the first request and answers the others.
struct Lossy(Arc<AtomicU32>);

impl Transport for Lossy {
    fn send(&self, request: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        let is_first = self.0.fetch_add(1, Ordering::SeqCst) == 0;
        Box::pin(async move {
            if is_first {
                return Err(lost());
            }
            let request: serde_json::Value = serde_json::from_slice(&request).unwrap_or_default();
            Ok(Received::new(format!(
                r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":1503,"message":"Database busy","data":{{"retry_after":1}}}}}}"#,
                request["id"]
            )))
        })
    }
}

/// Sends every request, and loses the response to the first write.
struct Deaf {
    http: Http,
    bodies: Arc<Mutex<Vec<String>>>,
}

impl Transport for Deaf {
    fn send(&self, request: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        let body = String::from_utf8_lossy(&request).into_owned();
        let sent = self.http.send(request);
        let bodies = Arc::clone(&self.bodies);
        Box::pin(async move {
            let response = sent.await?;
            if let Ok(mut bodies) = bodies.lock()
                && body.contains("member.add")
            {
                bodies.push(body);
                if bodies.len() == 1 {
                    return Err(lost());
                }
            }
            Ok(response)
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (url, token) = (arguments.next().unwrap_or_default(), arguments.next());
    let token = token.unwrap_or_default();
    let client = Client::new(&*url);
    let query = types::BookFindParams {
        words: Some(Some("whale".to_owned())),
        limit: Some(1),
        ..Default::default()
    };
    let page = client.book_find(&query).await?;
    assert_eq!(page.books[0].title, "Moby-Dick; or, The Whale");
    let missing = types::BookGetParams { book: 999_999 };
    let Err(ClientError::Declared(errors::BookGetError::NoSuchBook(data))) =
        client.book_get(&missing).await
    else {
        panic!("there is such a book");
    };
    assert_eq!(data.book, 999_999);

    let everything = types::StatsParams::default();
    let (stats, none) = client
        .0
        .batch(async |client: Client| {
            tokio::join!(client.stats(&everything), client.book_get(&missing))
        })
        .await;
    assert!(stats?.books > 0);
    assert!(matches!(none, Err(ClientError::Declared(_))));

    let notifying = client.0.notifying();
    notifying.call::<(), Fault>("stats", &everything).await?;
    let ann = types::MemberAddParams {
        name: "Ann Example".to_owned(),
    };
    assert!(
        matches!(client.member_add(&ann).await, Err(ClientError::Fault(error)) if error.code() == -32007)
    );
    let writer = Client::new(Http::new(&*url).bearer(&*token));
    assert!(writer.member_add(&ann).await?.card.starts_with('L'));

    // Header fields and keys can be your own.
    let bearer = format!("Bearer {token}");
    let fields = Client::new(Http::new(&*url).header("Authorization", &bearer));
    let keyed = Client(fields.0.with_key("dora-rust"));
    let dora = keyed.member_add(&ann).await?;
    assert_eq!(keyed.member_add(&ann).await?.card, dora.card);

    // Only what may run twice is sent twice.
    let sent = Arc::new(AtomicU32::new(0));
    let lossy = docent_client::Client::new(Lossy(Arc::clone(&sent)));
    let client = Client(lossy.clone().repeats(1, TIME));
    assert!(client.stats(&everything).await.is_err());
    assert!(sent.swap(0, Ordering::SeqCst) > 1);
    let once = client.0.call::<types::Member, Fault>("member.add", &ann);
    assert!(matches!(once.await, Err(ClientError::Transport(_))));
    assert_eq!(sent.load(Ordering::SeqCst), 1);
    // An error can say that repeating helps: the second request gets one, and so do all repeats of it.
    let once_more = Client(lossy.repeats(2, TIME)).member_add(&ann).await;
    assert!(matches!(once_more, Err(ClientError::Declared(_))));
    assert_eq!(sent.load(Ordering::SeqCst), 4);

    // A write has a key: if its response is lost, it is sent again and done once.
    let bodies = Arc::default();
    let deaf = docent_client::Client::new(Deaf {
        http: Http::new(url).bearer(token),
        bodies: Arc::clone(&bodies),
    });
    let client = Client(deaf.repeats(2, TIME));
    let before = client.stats(&everything).await?.members;
    assert!(client.member_add(&ann).await?.card.starts_with('L'));
    let bodies = bodies.lock().map_err(|_| "a panic")?.clone();
    assert_eq!(bodies.len(), 2);
    assert!(bodies[0] == bodies[1] && bodies[0].contains("\"x-idempotency-key\""));
    assert_eq!(client.stats(&everything).await?.members, before + 1);
    Ok(())
}

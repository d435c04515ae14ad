//! Calls the library with its generated client: calls URL TOKEN.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use library_client::{
    Batch, Call, Client, Error, Http, NoErrors, Request, Response, Transport, TransportError,
    calls, errors, types,
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

/// Sends every request, and loses the answer to the first write.
struct Deaf {
    http: Http,
    bodies: Mutex<Vec<String>>,
}

impl Transport for &Deaf {
    async fn send(&self, request: Request) -> Result<Response, String> {
        let body = request.body.clone().filter(|it| it.contains("member.add"));
        let answer = self.http.send(request).await?;
        if let (Some(body), Ok(mut bodies)) = (body, self.bodies.lock()) {
            bodies.push(body);
            if bodies.len() == 1 {
                return Err("lost".to_owned());
            }
        }
        Ok(answer)
    }

    async fn pause(&self, duration: Duration) {
        self.http.pause(duration).await;
    }
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
    let writer_url = url.clone();
    let writer = Client::new(url)?.token(move || token.clone());
    assert!(writer.member_add(&ann).await?.card.starts_with('L'));

    // Only what may run twice is sent twice.
    let lossy = Lossy::default();
    let client = Client::with_transport("http://library.example/rpc", &lossy).repeats(1);
    assert!(client.stats(&types::StatsParams::default()).await.is_err());
    assert!(lossy.0.swap(0, Ordering::SeqCst) > 1);
    let once = client
        .send(Call::<types::Member, NoErrors>::new("member.add").params(&ann))
        .await;
    assert!(matches!(
        once,
        Err(Error::Transport(TransportError { status: None, .. }))
    ));
    assert_eq!(lossy.0.load(Ordering::SeqCst), 1);
    // An error can say that repeating helps: the second request gets one, and so do all repeats of it.
    let once_more = client.repeats(2).member_add(&ann).await;
    assert!(matches!(once_more, Err(Error::Declared(_))));
    assert_eq!(lossy.0.load(Ordering::SeqCst), 4);

    // A write has a key: if its answer is lost, it is sent again and done once.
    let token = std::env::args().nth(2);
    let deaf = Deaf {
        http: Http(reqwest::Client::new()),
        bodies: Mutex::default(),
    };
    let client = Client::with_transport(writer_url, &deaf).token(move || token.clone());
    let everything = types::StatsParams::default();
    let before = client.stats(&everything).await?.members;
    assert!(client.member_add(&ann).await?.card.starts_with('L'));
    let bodies = deaf.bodies.lock().map_err(|_| "a panic")?.clone();
    assert_eq!(bodies.len(), 2);
    assert!(bodies[0] == bodies[1] && bodies[0].contains("\"x-idempotency-key\""));
    assert_eq!(client.stats(&everything).await?.members, before + 1);
    Ok(())
}

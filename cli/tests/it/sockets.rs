//! `docent call` with the URL of a WebSocket: the same commands as over HTTP, on a connection.

use std::borrow::Cow;
use std::time::Duration;

use docent::testing::TestServer;
use docent::{Bearer, Caller, Fault, Identity, Routes, Service, procedure, subscription};
use futures_util::{Stream, stream};

use crate::support::{Folder, Ran, run};

/// Counts.
#[subscription(name = "count", resume_by("after", |number| *number))]
fn count(
    /// The last number that you know.
    after: Option<u32>,
) -> Result<impl Stream<Item = Result<u32, Fault>> + use<>, Fault> {
    let first = after.map_or(1, |after| after + 1);
    Ok(stream::iter((first..=3).map(Ok)))
}

struct Reader;

impl Identity for Reader {
    fn id(&self) -> Cow<'_, str> {
        "reader".into()
    }
}

/// Returns the id of the caller, if there is one.
#[procedure(idempotent)]
fn plain(reader: Option<Caller<Reader>>) -> Result<String, Fault> {
    Ok(reader.map_or("plain".to_owned(), |reader| reader.id().into_owned()))
}

/// Returns a number, later than others return theirs.
#[procedure(idempotent)]
async fn slow() -> Result<u32, Fault> {
    tokio::time::sleep(Duration::from_millis(5)).await;
    Ok(5)
}

/// A service for callers with the token `right`, and the URL of its WebSocket.
fn serve() -> (TestServer, String) {
    let service = Service::builder("told", "urn:uuid:41544946-415a-495a-5645-454441534656")
        .authenticate(Bearer::sync("told", |token| {
            (token == "right").then_some(Reader)
        }))
        .procedure(plain::procedure())
        .procedure(slow::procedure())
        .procedure(count::procedure())
        .build()
        .expect("a service");
    let server = TestServer::start(Routes::new(service).websocket()).expect("a server");
    let url = format!("ws://{}/rpc", server.address());
    (server, url)
}

fn call(url: &str, arguments: &[&str]) -> Ran {
    run(["call", url].into_iter().chain(arguments.iter().copied()))
}

#[test]
fn calls_and_items_come_over_a_websocket() {
    let (_server, url) = serve();
    let folder = Folder::new();
    let calls = "{\"method\":\"plain\"}\n{\"method\":\"plain\"}\n";
    let file = folder.write("calls", calls);
    for (arguments, expected) in [
        (&["plain"][..], "\"plain\"\n"),
        (&["plain", "--token", "right"], "\"reader\"\n"),
        (&["plain", "--notify"], ""),
        (&["--batch", &file], "\"plain\"\n\"plain\"\n"),
        (&["count"], "1\n2\n3\n"),
        (&["count", "after=1", "--items", "1"], "2\n"),
    ] {
        let ran = call(&url, arguments);
        assert_eq!(
            (ran.code, &*ran.stdout),
            (0, expected),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn a_service_is_checked_over_a_websocket() {
    let (_server, url) = serve();
    let ran = run([
        "check",
        &url,
        "--max-calls",
        "100",
        "--rate",
        "1000",
        "--allow",
        "undocumented",
    ]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(" 0 not tried"), "{}", ran.stdout);
}

#[test]
fn what_a_websocket_cannot_do_is_told() {
    let (server, url) = serve();
    for (arguments, code, expected) in [
        (&["plain", "--get"][..], 2, "a WebSocket has no GET"),
        (&["plain", "--dry-run"], 2, "needs a connection"),
        (&["plain", "--token", "wrong"], 4, "-32007 Refused"),
    ] {
        let ran = call(&url, arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    drop(server);
    let ran = call(&url, &["plain"]);
    assert!(ran.stderr.contains("cannot connect"), "{}", ran.stderr);
}

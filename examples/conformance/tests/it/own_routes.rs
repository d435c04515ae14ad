//! Routes of one's own over every carrier.

use std::io::{Read as _, Write as _};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use actix_web::web::{self, Bytes, Data};
use actix_web::{Error, HttpRequest, HttpResponse, Responder};
use futures_util::{StreamExt as _, stream};
use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::carrier::{Carrier, Connection, Everywhere};
use crate::client::{Request, Response};
use crate::service;

/// The size of a download that is more than the system takes at once for a client that receives little.
const DOWNLOAD: usize = 1 << 20;

async fn urls(request: HttpRequest) -> actix_web::Result<String> {
    let url = request.url_for("book", ["7"])?;
    let info = request.connection_info();
    Ok(format!("{url} {} {}", info.scheme(), info.host()))
}

#[test]
fn a_route_learns_the_scheme_and_the_host_that_its_caller_used() {
    let server = docent::Server::new(service()).configure(|routes| {
        let book = web::resource("/books/{id}").name("book");
        routes
            .service(book.route(web::get().to(urls)))
            .route("/", web::get().to(urls));
    });
    let server = Everywhere::serving(server);
    for (carrier, head, expected) in [
        (
            Carrier::Tcp,
            "GET /books/1?a=b HTTP/1.1\r\nHost: localhost:4711",
            "http://localhost:4711/books/7 http localhost:4711",
        ),
        (
            Carrier::Tls,
            "GET /books/1?a=b HTTP/1.1\r\nHost: localhost:4711",
            "https://localhost:4711/books/7 https localhost:4711",
        ),
        (
            Carrier::Tls,
            "GET / HTTP/1.1\r\nHost: [::1]",
            "https://[::1]/books/7 https [::1]",
        ),
        (
            Carrier::Tls,
            "GET /books/1 HTTP/1.0",
            "https://localhost/books/7 https localhost",
        ),
        (
            Carrier::Tls,
            "GET /books/1 HTTP/1.1\r\nHost:",
            "https://localhost/books/7 https localhost",
        ),
        (
            Carrier::Tcp,
            "GET /books/1 HTTP/1.1\r\nHost: :80",
            "http://localhost:8080/books/7 http localhost:8080",
        ),
    ] {
        let mut connection = server.connect(carrier);
        let request = format!("{head}\r\n\r\n");
        connection
            .write_all(request.as_bytes())
            .expect("it is sent");
        let response = Response::read(&mut connection, false);
        assert_eq!(response.text(), expected, "{carrier:?} {head}");
    }
}

async fn endless() -> impl Responder {
    let ticks = stream::repeat(()).then(|()| async {
        sleep(Duration::from_millis(5)).await;
        Ok::<_, Error>(Bytes::from_static(b"tick"))
    });
    HttpResponse::Ok().streaming(ticks)
}

/// The state that handlers share with the test: they say when they have begun, and writes wait until they may end.
#[derive(Clone)]
struct Signals {
    begun: Sender<()>,
    may_end: Arc<Semaphore>,
}

async fn download(signals: Data<Signals>) -> Vec<u8> {
    signals.begun.send(()).expect("the test listens");
    vec![b'x'; DOWNLOAD]
}

async fn write(signals: Data<Signals>) -> &'static str {
    signals.begun.send(()).expect("the test listens");
    signals
        .may_end
        .acquire()
        .await
        .expect("it is open")
        .forget();
    "written"
}

/// Sends a request over each carrier.
fn on_every_carrier(server: &Everywhere, request: &Request<'_>) -> Vec<Connection> {
    let connections = Carrier::ALL.iter().map(|carrier| {
        let mut connection = server.connect(*carrier);
        connection.receive_little();
        connection.write_all(&request.bytes()).expect("it is sent");
        connection
    });
    connections.collect()
}

#[test]
fn a_stop_ends_what_is_endless_and_waits_for_downloads_and_writes_on_every_carrier() {
    let (begun, begins) = channel();
    let signals = Signals {
        begun,
        may_end: Arc::new(Semaphore::new(0)),
    };
    let may_end = Arc::clone(&signals.may_end);
    let server = docent::Server::new(service()).configure(move |routes| {
        routes
            .app_data(Data::new(signals.clone()))
            .route("/endless", web::get().to(endless))
            .route("/write", web::post().to(write))
            .route("/download", web::get().to(download));
    });
    let mut server = Everywhere::serving(server);
    let mut endless = on_every_carrier(&server, &Request::new("GET", "/endless"));
    let mut downloads = on_every_carrier(&server, &Request::new("GET", "/download"));
    let mut writes = on_every_carrier(&server, &Request::post("/write", b"{}"));
    for connection in &mut endless {
        connection.read_exact(&mut [0; 9]).expect("it has begun");
    }
    for _ in downloads.iter().chain(&writes) {
        let begun = begins.recv_timeout(Duration::from_secs(60));
        begun.expect("it has begun");
    }
    server.handle.shutdown();
    for connection in &mut endless {
        let received = connection.rest();
        assert!(received.ends_with(b"tick\r\n"), "it has no last chunk");
    }
    may_end.add_permits(writes.len());
    for connection in &mut writes {
        assert_eq!(Response::read(connection, false).text(), "written");
    }
    for connection in &mut downloads {
        assert_eq!(Response::read(connection, false).body.len(), DOWNLOAD);
    }
    server.stop().expect("everything has finished");
}

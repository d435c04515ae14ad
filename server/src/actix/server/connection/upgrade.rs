//! A connection that is left to another protocol, after a response with status 101.
//!
//! A handler adds an [`Upgrade`] to its response. After the head has been sent, the connection's loop ends and the protocol
//! takes its place, so that the connection counts for as long as the protocol runs. The protocol gets:
//!
//! - the stream, which it has to close, and the bytes that have arrived behind the request;
//! - the [`Pace`] at which the peer has to read. How long it may be silent is up to the protocol;
//! - its [`Exchange`], with which it takes room for the bytes that it stores ([`Exchange::take_room`]). A shutdown waits
//!   for it;
//! - a future that ends when the server begins to shut down, which the protocol should do, too.

use bytes::BytesMut;
use docent_http::{ConnectionState, Exchange};
use futures_util::future::LocalBoxFuture;

use super::pace::Pace;
use super::receiving::HttpConnection;
use super::sending::ResponseStream;
use super::stream::Stream;
use super::worker::Worker;

/// The use of a connection after an exchange.
pub(super) enum Next {
    /// It goes on, or closes.
    Http(ConnectionState),
    /// A response follows that goes on. It is sent when all else of its exchange is dropped, which takes some KiB.
    Stream(Box<ResponseStream>),
    /// It is left to another protocol, with an exchange of its own.
    Upgrade(Upgrade, Exchange),
}

/// Starts the protocol that follows a response, of which this is an extension.
pub(super) struct Upgrade(Box<StartProtocol>);

type StartProtocol = dyn FnOnce(
    Box<dyn Stream>,
    BytesMut,
    Pace,
    Exchange,
    LocalBoxFuture<'static, ()>,
) -> LocalBoxFuture<'static, ()>;

impl Upgrade {
    /// Runs the protocol until it ends.
    pub(super) async fn run(self, connection: HttpConnection, exchange: Exchange, worker: &Worker) {
        let (stream, arrived) = connection.into_parts();
        let pace = Pace::new(worker.time_to_read());
        (self.0)(stream, arrived, pace, exchange, Box::pin(worker.stops())).await;
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::{self, ErrorKind, Read as _, Write as _};
    use std::net::{Shutdown, SocketAddr, TcpStream};
    use std::pin::Pin;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::task::Poll;
    use std::thread;
    use std::time::Duration;

    use actix_web::{HttpRequest, HttpResponse, web};
    use docent_core::{Cx, Fault, Procedure, Service};
    use docent_http::Routes;
    use raw_http::{Answer, Request};
    use tokio::io::{AsyncReadExt as _, AsyncWrite as _, AsyncWriteExt as _};

    use super::*;
    use crate::Server;
    use crate::testing::TestServer;

    const CALL: &[u8] = br#"{"jsonrpc":"2.0","method":"hello","id":1}"#;

    /// The time after which a test fails.
    const DEADLINE: Duration = Duration::from_secs(20);

    /// The arguments of a protocol.
    struct Upgraded {
        stream: Box<dyn Stream>,
        arrived: BytesMut,
        pace: Pace,
        exchange: Exchange,
        stops: LocalBoxFuture<'static, ()>,
    }

    /// Returns a server that accepts offers at an address. Requests there without an offer get a plain response.
    fn server<F: Future<Output = ()> + 'static>(
        protocol: impl Fn(Upgraded) -> F + Clone + Send + Sync + 'static,
    ) -> Server {
        server_of(service(), protocol)
    }

    fn service() -> Service {
        let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
        let service = Service::builder("upgraded", "urn:example:upgraded").procedure(hello);
        service.build().expect("a service")
    }

    fn server_of<F: Future<Output = ()> + 'static>(
        settings: impl Into<Routes>,
        protocol: impl Fn(Upgraded) -> F + Clone + Send + Sync + 'static,
    ) -> Server {
        Server::new(settings).configure(move |routes| {
            let protocol = protocol.clone();
            let talk = move |request: HttpRequest| {
                let protocol = protocol.clone();
                async move {
                    if !request.head().upgrade() {
                        return HttpResponse::Ok().body("plain");
                    }
                    let mut response = HttpResponse::SwitchingProtocols().upgrade("shout").finish();
                    let start: Box<StartProtocol> =
                        Box::new(move |stream, arrived, pace, exchange, stops| {
                            Box::pin(protocol(Upgraded {
                                stream,
                                arrived,
                                pace,
                                exchange,
                                stops,
                            }))
                        });
                    response.extensions_mut().insert(Upgrade(start));
                    response
                }
            };
            routes
                .route("/talk", web::to(talk))
                .route("/deaf", web::get().to(async || "deaf"));
        })
    }

    /// Repeats all that it reads in capitals. Says goodbye when its peer sends no more, or the server stops.
    async fn shout(mut upgraded: Upgraded) {
        let stream = &mut upgraded.stream;
        let mut piece = upgraded.arrived;
        loop {
            piece.make_ascii_uppercase();
            stream.write_all(&piece).await.expect("it is read");
            piece.clear();
            tokio::select! {
                read = stream.read_buf(&mut piece) => { read.expect("bytes or the end"); }
                () = &mut upgraded.stops => {}
            }
            if piece.is_empty() {
                break;
            }
        }
        stream.write_all(b"bye").await.expect("it is read");
    }

    fn connect(address: SocketAddr) -> TcpStream {
        let connection = TcpStream::connect(address).expect("a connection");
        connection
            .set_read_timeout(Some(DEADLINE))
            .expect("a timeout");
        connection
    }

    fn offer(target: &str) -> Request<'_> {
        Request::new("GET", target)
            .header("Connection", "Upgrade")
            .header("Upgrade", "shout")
    }

    /// Returns a connection whose offer has been accepted.
    fn upgraded(address: SocketAddr) -> TcpStream {
        let mut connection = connect(address);
        let answer = Answer::exchange(&mut connection, &offer("/talk"));
        assert_eq!(answer.status, 101);
        connection
    }

    fn expect(connection: &mut TcpStream, text: &str) {
        let mut read = vec![0; text.len()];
        connection.read_exact(&mut read).expect("bytes");
        assert_eq!(String::from_utf8_lossy(&read), text);
    }

    fn expect_end(connection: &mut TcpStream, text: &str) {
        let mut rest = String::new();
        connection.read_to_string(&mut rest).expect("an end");
        assert_eq!(rest, text);
    }

    /// Runs a server in a thread of its own. Returns its address, its handle, and how it ends.
    fn run(
        server: Server,
    ) -> (
        SocketAddr,
        crate::ServerHandle,
        thread::JoinHandle<io::Result<()>>,
    ) {
        let bound = server.bind("127.0.0.1:0").expect("an address");
        let address = bound.addresses()[0];
        let handle = bound.handle();
        let running = thread::spawn(move || actix_web::rt::System::new().block_on(bound.run()));
        (address, handle, running)
    }

    #[test]
    fn a_protocol_gets_what_arrived_behind_the_offer_and_then_what_follows() {
        let server = TestServer::run(server(shout)).expect("a server");
        let mut connection = connect(server.address());
        let pipeline = [
            Request::post("/rpc", CALL).bytes(),
            Request::new("GET", "/talk").bytes(),
            offer("/talk").bytes(),
            b"one, ".to_vec(),
        ];
        connection
            .write_all(&pipeline.concat())
            .expect("they are sent");
        let answer = Answer::read(&mut connection, false);
        assert_eq!(answer.json()["result"], "hello");
        assert_eq!(Answer::read(&mut connection, false).text(), "plain");
        let answer = Answer::read(&mut connection, false);
        assert_eq!(answer.status, 101);
        assert_eq!(answer.only("upgrade"), Some("shout"));
        assert_eq!(answer.only("connection"), Some("upgrade"));
        assert_eq!(answer.header("content-length"), None);
        expect(&mut connection, "ONE, ");
        connection.write_all(b"two").expect("it is sent");
        expect(&mut connection, "TWO");
        connection.shutdown(Shutdown::Write).expect("it is closed");
        expect_end(&mut connection, "bye");
    }

    #[test]
    fn an_offer_that_nobody_accepts_is_ignored() {
        let server = TestServer::run(server(shout)).expect("a server");
        let mut connection = connect(server.address());
        for (target, status) in [
            ("/deaf", 200),
            ("/rpc", 303),
            ("/elsewhere", 404),
            ("/deaf", 200),
        ] {
            let browser = offer(target).header("Accept", "text/html");
            let answer = Answer::exchange(&mut connection, &browser);
            assert_eq!(answer.status, status, "{target}");
            assert_eq!(answer.header("connection"), None, "{target}");
            assert_eq!(answer.header("upgrade"), None, "{target}");
        }
    }

    #[test]
    fn no_protocol_follows_a_body_that_was_not_read_nor_a_request_of_http_1_0() {
        let server = TestServer::run(server(shout)).expect("a server");
        let with_body = offer("/talk").header("Content-Length", "5").bytes();
        let old = b"GET /talk HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: shout\r\n\r\n";
        for request in [with_body.as_slice(), old] {
            let mut connection = connect(server.address());
            connection.write_all(request).expect("it is sent");
            let answer = Answer::read(&mut connection, false);
            assert_eq!(answer.status, 500);
            assert_eq!(answer.header("connection"), Some("close"));
        }
    }

    #[test]
    fn a_stop_tells_the_protocol_and_waits_for_its_end() {
        let (address, handle, running) = run(server(shout));
        let mut connection = upgraded(address);
        handle.shutdown();
        expect_end(&mut connection, "bye");
        running.join().expect("no panic").expect("it has finished");
    }

    #[test]
    fn a_protocol_that_does_not_end_delays_a_stop_to_its_deadline() {
        async fn stay(_upgraded: Upgraded) {
            std::future::pending::<()>().await;
        }
        let deadline = Duration::from_millis(200);
        let (address, handle, running) = run(server(stay).shutdown_deadline(deadline));
        let mut connection = upgraded(address);
        handle.shutdown();
        let error = running
            .join()
            .expect("no panic")
            .expect_err("it was cut off");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        expect_end(&mut connection, "");
    }

    /// Returns a server whose protocol takes all room and reads to the end, and what it tells.
    fn greedy() -> (Server, Receiver<&'static str>) {
        async fn take_all(mut upgraded: Upgraded, telling: Sender<&str>) {
            let _room = upgraded.exchange.take_room(usize::MAX).await;
            telling.send("has all room").expect("the test listens");
            let read = upgraded.stream.read(&mut [0]).await;
            assert!(!matches!(read, Ok(1..)));
            telling.send("was left").expect("the test listens");
        }
        let (telling, told) = channel();
        let server = server(move |upgraded| take_all(upgraded, telling.clone()));
        (server, told)
    }

    #[test]
    fn a_protocol_takes_room_from_all_callers_until_it_ends_with_its_peer() {
        let (server, told) = greedy();
        let server = TestServer::run(server).expect("a server");
        let connection = upgraded(server.address());
        assert_eq!(told.recv_timeout(DEADLINE), Ok("has all room"));
        let answer = Answer::exchange(&mut connect(server.address()), &Request::post("/rpc", CALL));
        assert_eq!(answer.status, 503);
        socket2::SockRef::from(&connection)
            .set_linger(Some(Duration::ZERO))
            .expect("an option");
        drop(connection);
        assert_eq!(told.recv_timeout(DEADLINE), Ok("was left"));
        // The next one waits until the room was given back.
        let _connection = upgraded(server.address());
        assert_eq!(told.recv_timeout(DEADLINE), Ok("has all room"));
    }

    #[test]
    fn a_protocol_knows_when_its_peer_reads_too_slowly() {
        async fn flood(mut upgraded: Upgraded, telling: Sender<&str>) {
            poll_fn(|cx| {
                let bytes = [b'x'; 1 << 12];
                while let Poll::Ready(written) =
                    Pin::new(&mut upgraded.stream).poll_write(cx, &bytes)
                {
                    upgraded.pace.advance(written.expect("the peer is there"));
                }
                upgraded.pace.poll_over(cx)
            })
            .await;
            telling.send("is too slow").expect("the test listens");
        }
        let (telling, told) = channel();
        let settings = Routes::new(service())
            .options(|options| options.write_timeout = Duration::from_millis(50));
        let server = server_of(settings, move |upgraded| flood(upgraded, telling.clone()));
        let server = TestServer::run(server).expect("a server");
        let _connection = upgraded(server.address());
        assert_eq!(told.recv_timeout(DEADLINE), Ok("is too slow"));
    }
}

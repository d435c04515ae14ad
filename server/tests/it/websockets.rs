//! WebSockets of a server, over its sockets: what belongs to HTTP ends with the handshake, and nothing is lost there.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use actix_web::App;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use docent::testing::TestServer;
use docent::{
    AppRoutes, Cx, Fault, Metrics, Procedure, Routes, Server, ServerHandle, Service, Subscription,
};
use futures_util::{StreamExt as _, stream};
use raw_http::{Request, Response};
use rustls::pki_types::{PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, StreamOwned};
use serde_json::{Value, json};

use crate::exposition::Exposition;

const CALL: &str = r#"{"jsonrpc":"2.0","method":"hello","id":1}"#;

/// The time after which a test fails.
const DEADLINE: Duration = Duration::from_secs(20);

fn routes() -> Routes {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let watch = Subscription::new("watch", async |_: Cx, (): ()| {
        Ok::<_, Fault>(stream::iter([Ok::<_, Fault>(1)]).chain(stream::pending()))
    });
    let service = Service::builder("told", "urn:uuid:41544946-415a-495a-5645-454441534650")
        .procedure(hello.idempotent())
        .procedure(watch)
        .build()
        .expect("a service");
    Routes::new(service).websocket()
}

fn start(routes: Routes) -> TestServer {
    TestServer::start(routes).expect("a server")
}

fn connect(address: SocketAddr) -> TcpStream {
    let connection = TcpStream::connect(address).expect("a connection");
    connection
        .set_read_timeout(Some(DEADLINE))
        .expect("a timeout");
    connection
}

fn handshake(target: &str) -> Request<'_> {
    Request::new("GET", target)
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
}

/// Makes a WebSocket of a connection.
fn upgrade(connection: &mut (impl Read + Write)) {
    let answer = Response::exchange(connection, &handshake("/rpc"));
    assert_eq!(answer.status, 101);
}

/// Returns a text as a client sends it, with a mask of zeros.
fn frame(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).expect("a short text");
    let head = [0x81, 0x80 | length, 0, 0, 0, 0];
    [&head, text.as_bytes()].concat()
}

/// Returns the first byte of the next frame, and its short payload.
fn read_frame(connection: &mut impl Read) -> io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    connection.read_exact(&mut head)?;
    assert!(head[1] < 126, "a long frame");
    let mut payload = vec![0; head[1].into()];
    connection.read_exact(&mut payload)?;
    Ok((head[0], payload))
}

fn read_message(connection: &mut impl Read) -> Value {
    let (kind, payload) = read_frame(connection).expect("a frame");
    assert_eq!(kind, 0x81);
    serde_json::from_slice(&payload).expect("JSON")
}

fn call(connection: &mut (impl Read + Write)) -> Value {
    connection.write_all(&frame(CALL)).expect("it is sent");
    read_message(connection)
}

fn hello() -> Value {
    json!({"jsonrpc": "2.0", "result": "hello", "id": 1})
}

#[test]
fn messages_that_arrive_with_the_handshake_are_answered_after_what_came_before() {
    let server = start(routes());
    let mut connection = connect(server.address());
    let pipeline = [
        Request::post("/rpc", CALL.as_bytes()).bytes(),
        handshake("/rpc").bytes(),
        frame(CALL),
    ];
    connection
        .write_all(&pipeline.concat())
        .expect("they are sent");
    let answer = Response::read(&mut connection, false);
    assert_eq!(answer.json(), hello());
    let answer = Response::read(&mut connection, false);
    assert_eq!(answer.status, 101);
    assert_eq!(answer.only("upgrade"), Some("websocket"));
    assert_eq!(answer.only("connection"), Some("upgrade"));
    assert_eq!(answer.header("content-length"), None);
    assert_eq!(read_message(&mut connection), hello());
    assert_eq!(call(&mut connection), hello());
}

#[test]
fn the_clocks_of_http_end_with_the_handshake() {
    let brief = Duration::from_millis(100);
    let server = Server::new(routes()).keep_alive(brief).head_timeout(brief);
    let server = TestServer::run(server).expect("a server");
    let mut connection = connect(server.address());
    upgrade(&mut connection);
    thread::sleep(5 * brief);
    assert_eq!(call(&mut connection), hello());
}

#[test]
fn an_offer_that_nobody_accepts_is_ignored() {
    let without = {
        let service = Service::builder("mute", "urn:uuid:41544946-415a-495a-5645-454441534651");
        start(Routes::new(service.build().expect("a service")))
    };
    let with = start(routes());
    for (server, target, protocol, status) in [
        (&without, "/rpc", "websocket", 200),
        (&with, "/rpc", "h2c", 200),
        (&with, "/rpc/hello", "websocket", 200),
        (&with, "/docs/", "websocket", 200),
        (&with, "/elsewhere", "websocket", 404),
    ] {
        let mut connection = connect(server.address());
        let offer = handshake(target).header("Upgrade", protocol);
        // The connection goes on.
        for _ in 0..2 {
            let answer = Response::exchange(&mut connection, &offer);
            assert_eq!(answer.status, status, "{target} {protocol}");
            assert_eq!(answer.header("upgrade"), None);
        }
    }
}

#[test]
fn no_websocket_follows_a_body_or_a_request_of_http_1_0() {
    let server = start(routes());
    let with_body = handshake("/rpc").header("Content-Length", "2").bytes();
    let modern = handshake("/rpc").bytes();
    let old = String::from_utf8(modern)
        .expect("text")
        .replace("HTTP/1.1", "HTTP/1.0");
    for request in [[&with_body[..], b"{}"].concat(), old.into_bytes()] {
        let mut connection = connect(server.address());
        connection.write_all(&request).expect("it is sent");
        assert_eq!(Response::read(&mut connection, false).status, 200);
    }
}

/// Runs a server in a thread of its own.
struct Running {
    address: SocketAddr,
    handle: ServerHandle,
    thread: JoinHandle<io::Result<()>>,
}

fn run(bound: docent::BoundServer) -> Running {
    Running {
        address: bound.addresses()[0],
        handle: bound.handle(),
        thread: thread::spawn(move || actix_web::rt::System::new().block_on(bound.run())),
    }
}

#[test]
fn a_shutdown_notifies_every_peer_and_then_ends() {
    let server = Server::new(routes()).workers(2).bind("127.0.0.1:0");
    let running = run(server.expect("an address"));
    let mut connections: Vec<_> = (0..8).map(|_| connect(running.address)).collect();
    for connection in &mut connections {
        upgrade(connection);
        let watch = r#"{"jsonrpc":"2.0","method":"watch","id":1}"#;
        connection.write_all(&frame(watch)).expect("it is sent");
        assert_eq!(read_message(connection)["result"], "s1");
        assert_eq!(read_message(connection)["params"]["result"], 1);
    }
    running.handle.shutdown();
    for connection in &mut connections {
        let end = read_message(connection);
        assert_eq!(end["params"]["error"]["code"], -32015);
        let (kind, payload) = read_frame(connection).expect("the end");
        assert_eq!((kind, &payload[..2]), (0x88, &1001_u16.to_be_bytes()[..]));
    }
    drop(connections);
    let ended = running.thread.join().expect("no panic");
    ended.expect("it has finished");
}

#[cfg(unix)]
#[test]
fn unix_sockets_and_tls_carry_websockets_too() {
    use std::os::unix::net::UnixStream;

    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
    let provider = || Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .expect("settings");
    let folder = std::env::temp_dir().join(format!("docent-websocket-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("socket");
    let bound = Server::new(routes())
        .workers(1)
        .bind_tls("127.0.0.1:0", config)
        .expect("an address")
        .bind_unix(&file)
        .expect("a socket");
    let running = run(bound);

    let mut over_unix = UnixStream::connect(&file).expect("a connection");
    upgrade(&mut over_unix);
    assert_eq!(call(&mut over_unix), hello());

    let mut authorities = RootCertStore::empty();
    authorities
        .add(made.cert.der().clone())
        .expect("a certificate");
    let config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(authorities)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("a name");
    let client = ClientConnection::new(Arc::new(config), name).expect("a client");
    let mut over_tls = StreamOwned::new(client, connect(running.address));
    upgrade(&mut over_tls);
    assert_eq!(call(&mut over_tls), hello());

    drop((over_unix, over_tls));
    running.handle.shutdown();
    let ended = running.thread.join().expect("no panic");
    ended.expect("it has finished");
    std::fs::remove_dir_all(&folder).expect("it is empty");
}

#[test]
fn metrics_count_the_streams_that_are_open() {
    let metrics = Metrics::new();
    let server = start(routes().count_in(&metrics));
    let open = || Exposition::read(&metrics.text()).get("docent_streams", &[("mount", "/rpc")]);
    assert_eq!(open(), Some(0.0));
    let mut connection = connect(server.address());
    upgrade(&mut connection);
    assert_eq!(open(), Some(1.0));
}

#[test]
fn a_description_names_the_address_of_websockets() {
    let service = Service::builder("told", "urn:uuid:41544946-415a-495a-5645-454441534652")
        .public_url("https://example.com/rpc")
        .build()
        .expect("a service");
    let server = start(Routes::new(service).websocket());
    let request = Request::new("GET", "/rpc/rpc.describe");
    let answer = Response::exchange(&mut connect(server.address()), &request);
    assert_eq!(
        answer.json()["result"]["carriers"],
        json!([{"name": "http"}, {"name": "websocket", "address": "wss://example.com/rpc"}])
    );
}

#[actix_web::test]
async fn an_app_has_no_websockets() {
    let app = AppRoutes::new(routes()).expect("routes");
    let app = init_service(App::new().service(app)).await;
    let request = TestRequest::get()
        .uri("/rpc")
        .insert_header(("connection", "upgrade"))
        .insert_header(("upgrade", "websocket"));
    let response = call_service(&app, request.to_request()).await;
    assert_eq!(response.status(), 200);
    let description: Value = serde_json::from_slice(&read_body(response).await).expect("JSON");
    let carriers = &description["carriers"];
    assert_eq!(*carriers, json!([{"name": "http"}, {"name": "sse"}]));
}

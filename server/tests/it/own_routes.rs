//! Routes of one's own beside a service.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::web::{self, Bytes, Payload, ServiceConfig};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, Responder, guard};
use docent::testing::TestServer;
use docent::{AccessLog, Cx, Fault, Procedure, RequestId, Routes, Server, Service, ServiceBuilder};
use futures_util::{StreamExt as _, stream};
use raw_http::{Request, Response};
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::access_log::Paper;

const CALL: &[u8] = br#"{"jsonrpc":"2.0","method":"hello","id":1}"#;

/// The size of an upload that is larger than any buffer.
const LARGE: usize = 50 << 20;

/// The time after which a test fails.
const DEADLINE: Duration = Duration::from_secs(20);

fn builder() -> ServiceBuilder {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    Service::builder("routed", "urn:uuid:6f1b5a3c-2d4e-4f60-8a7b-9c0d1e2f3a4d")
        .procedure(hello.idempotent())
}

fn server(routes: impl Fn(&mut ServiceConfig) + Send + Sync + 'static) -> Server {
    Server::new(builder().build().expect("a service")).configure(routes)
}

fn start(server: Server) -> TestServer {
    TestServer::run(server).expect("a server")
}

fn connect(server: &TestServer) -> TcpStream {
    connect_to(server.address())
}

fn connect_to(address: SocketAddr) -> TcpStream {
    let connection = TcpStream::connect(address).expect("a connection");
    connection
        .set_read_timeout(Some(DEADLINE))
        .expect("a timeout");
    connection
}

fn ask(server: &TestServer, request: &Request<'_>) -> Response {
    Response::exchange(&mut connect(server), request)
}

fn get(server: &TestServer, target: &str) -> Response {
    ask(server, &Request::new("GET", target))
}

/// Sends a request without its body.
fn begin(connection: &mut TcpStream, target: &str, length: usize) {
    let head =
        format!("POST {target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n");
    connection.write_all(head.as_bytes()).expect("it is sent");
}

fn read(connection: &mut TcpStream) -> Response {
    Response::read(connection, false)
}

fn is_closed(connection: &mut TcpStream) -> bool {
    let read = connection.read(&mut [0]);
    read.map_or_else(
        |error| error.kind() == ErrorKind::ConnectionReset,
        |read| read == 0,
    )
}

/// Waits until something is so.
fn wait_for(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < DEADLINE, "it never was so");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A webhook: tells the signature, the peer and the length of the body.
async fn hook(request: HttpRequest, body: Bytes) -> impl Responder {
    let signature = request
        .headers()
        .get("x-signature")
        .and_then(|value| value.to_str().ok());
    let peer = request.peer_addr().map(|peer| peer.ip().to_string());
    let scheme = request.connection_info().scheme().to_owned();
    let id = request
        .extensions()
        .get::<RequestId>()
        .map(ToString::to_string);
    format!("{signature:?} {peer:?} {scheme} {id:?} {}", body.len())
}

/// Counts the bytes of an upload.
async fn count(mut upload: Payload) -> actix_web::Result<String> {
    let mut length = 0;
    while let Some(piece) = upload.next().await {
        length += piece?.len();
    }
    Ok(length.to_string())
}

async fn echo(body: Payload) -> impl Responder {
    HttpResponse::Ok().streaming(body)
}

async fn page() -> impl Responder {
    web::Html::new("<h1>The library</h1>")
}

async fn ticks() -> impl Responder {
    let ticks = stream::iter(0..3).then(|tick| async move {
        sleep(Duration::from_millis(10)).await;
        Ok::<_, actix_web::Error>(Bytes::from(format!("tick {tick}\n")))
    });
    HttpResponse::Ok()
        .content_type("text/plain")
        .streaming(ticks)
}

fn routes(routes: &mut ServiceConfig) {
    let asked_for = guard::Header("x-asked-for", "it");
    routes
        .route("/guarded", web::get().guard(asked_for).to(page))
        .route("/hook", web::post().to(hook))
        .route("/", web::get().to(page))
        .route("/rpc/hello", web::get().to(page))
        .route("/upload", web::post().to(count))
        .route("/echo", web::post().to(echo))
        .service(
            web::resource("/ticks")
                .route(web::get().to(ticks))
                .route(web::head().to(ticks)),
        )
        .service(web::scope("/files").route("/{name}", web::get().to(file)));
}

async fn file(name: web::Path<String>) -> actix_web::Result<HttpResponse> {
    if *name != "books.csv" {
        return Err(actix_web::error::ErrorNotFound("no such file"));
    }
    let books = HttpResponse::Ok()
        .content_type("text/csv")
        .body("title\nMoby-Dick\n");
    Ok(books)
}

#[test]
fn routes_are_served_beside_a_service_whose_addresses_take_precedence() {
    let server = start(server(routes));
    let page = get(&server, "/");
    assert_eq!((page.status, page.text()), (200, "<h1>The library</h1>"));
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert!(page.header("x-request-id").is_some() && page.header("date").is_some());
    assert_eq!(
        get(&server, "/files/books.csv").text(),
        "title\nMoby-Dick\n"
    );
    let missing = get(&server, "/files/other");
    assert_eq!((missing.status, missing.text()), (404, "no such file"));
    let result = r#"{"jsonrpc":"2.0","result":"hello","id":null}"#;
    assert_eq!(get(&server, "/rpc/hello").text(), result);
    assert_eq!(get(&server, "/health").status, 200);
    assert_eq!(get(&server, "/llms.txt").status, 200);
    for target in ["/nothing", "/files", "/files/a/b"] {
        let nowhere = get(&server, target);
        assert_eq!(nowhere.status, 404);
        assert!(
            nowhere.text().starts_with("There is no service"),
            "{target}"
        );
    }
}

#[test]
fn a_method_that_a_path_does_not_list_is_refused_with_those_that_it_lists() {
    let server = start(server(routes));
    for (method, target, allowed) in [
        ("POST", "/", "GET"),
        ("DELETE", "/hook", "POST"),
        ("PUT", "/ticks", "GET, HEAD"),
        ("DELETE", "/guarded", "GET"),
    ] {
        let refused = ask(&server, &Request::new(method, target));
        assert_eq!(refused.status, 405, "{method} {target}");
        assert_eq!(refused.header("allow"), Some(allowed), "{method} {target}");
    }
    // In a scope, actix-web knows no methods, and another guard than that of the method may refuse.
    for (method, target) in [("DELETE", "/files/books.csv"), ("GET", "/guarded")] {
        let missing = ask(&server, &Request::new(method, target));
        assert_eq!(missing.status, 404, "{method} {target}");
    }
}

#[test]
fn a_default_service_decides_wherever_no_route_does() {
    let server = start(server(|configured| {
        routes(configured);
        configured.default_service(web::to(async || HttpResponse::Gone().body("all gone")));
    }));
    for (method, target) in [("GET", "/nothing"), ("POST", "/"), ("GET", "/files/a/b")] {
        let gone = ask(&server, &Request::new(method, target));
        assert_eq!((gone.status, gone.text()), (410, "all gone"), "{target}");
    }
    assert_eq!(get(&server, "/rpc/hello").status, 200);
}

#[test]
fn a_webhook_gets_the_body_the_fields_and_the_peer_and_a_pipelined_call_follows() {
    let server = start(server(routes));
    let request = Request::post("/hook", b"{\"paid\":true}")
        .header("X-Signature", "s3cret")
        .header("X-Request-Id", "event-1");
    let mut connection = connect(&server);
    let requests = [
        request.bytes(),
        Request::post("/rpc", CALL).bytes(),
        request.chunked(3),
        Request::post("/nothing", CALL).bytes(),
        Request::post("/rpc", CALL).bytes(),
    ];
    connection
        .write_all(&requests.concat())
        .expect("they are sent");
    let expected = r#"Some("s3cret") Some("127.0.0.1") http Some("event-1") 13"#;
    let hooked = read(&mut connection);
    assert_eq!((hooked.status, hooked.text()), (200, expected));
    assert_eq!(hooked.only("x-request-id"), Some("event-1"));
    assert_eq!(read(&mut connection).json()["result"], "hello");
    assert_eq!(read(&mut connection).text(), expected);
    assert_eq!(read(&mut connection).status, 404);
    assert_eq!(read(&mut connection).json()["result"], "hello");
}

#[test]
fn a_response_of_unknown_length_is_chunked_and_head_has_no_body() {
    let server = start(server(routes));
    let mut connection = connect(&server);
    let request = Request::new("GET", "/ticks");
    let response = Response::exchange(&mut connection, &request);
    assert_eq!(response.header("transfer-encoding"), Some("chunked"));
    assert_eq!(response.text(), "tick 0\ntick 1\ntick 2\n");
    let head = Response::exchange(&mut connection, &Request::new("HEAD", "/ticks"));
    assert_eq!((head.status, head.text()), (200, ""));
    assert_eq!(Response::exchange(&mut connection, &request).status, 200);
    // HTTP/1.0 has no chunks.
    let old = b"GET /ticks HTTP/1.0\r\n\r\n";
    connection.write_all(old).expect("it is sent");
    let mut text = String::new();
    connection.read_to_string(&mut text).expect("a response");
    assert!(text.ends_with("\r\n\r\ntick 0\ntick 1\ntick 2\n"), "{text}");
    assert!(text.contains("connection: close\r\n"), "{text}");
}

#[test]
fn a_large_upload_arrives_as_fast_as_the_handler_reads_it() {
    let may_read = Arc::new(Notify::new());
    let gate = Arc::clone(&may_read);
    let server = start(server(move |routes| {
        let gate = Arc::clone(&gate);
        let waits = move |upload: Payload| {
            let gate = Arc::clone(&gate);
            async move {
                gate.notified().await;
                count(upload).await
            }
        };
        routes.route("/upload", web::post().to(waits));
    }));
    let mut connection = connect(&server);
    begin(&mut connection, "/upload", LARGE);
    connection
        .set_write_timeout(Some(Duration::from_millis(300)))
        .expect("a timeout");
    let piece = vec![b'x'; 1 << 20];
    let mut sent = 0;
    // The bytes that the system takes for both sides.
    while let Ok(taken) = connection.write(&piece) {
        sent += taken;
        assert!(sent < LARGE / 2, "the server takes all of it");
    }
    may_read.notify_one();
    connection.set_write_timeout(None).expect("no timeout");
    while sent < LARGE {
        let rest = piece.len().min(LARGE - sent);
        sent += connection.write(&piece[..rest]).expect("it is taken");
    }
    assert_eq!(read(&mut connection).text(), LARGE.to_string());
    // The connection goes on.
    assert_eq!(
        Response::exchange(&mut connection, &Request::post("/rpc", CALL)).status,
        200
    );
}

#[test]
fn permission_to_send_a_body_is_given_to_who_waits_for_it() {
    let server = start(server(routes));
    let mut connection = connect(&server);
    let head = "POST /upload HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\
                Content-Length: 5\r\n\r\n";
    connection.write_all(head.as_bytes()).expect("it is sent");
    assert_eq!(read(&mut connection).status, 100);
    connection.write_all(b"hello").expect("it is sent");
    assert_eq!(read(&mut connection).text(), "5");
    // A response that is made of the body comes after the permission.
    let echo = head.replace("/upload", "/echo");
    connection.write_all(echo.as_bytes()).expect("it is sent");
    assert_eq!(read(&mut connection).status, 100);
    connection.write_all(b"hello").expect("it is sent");
    assert_eq!(read(&mut connection).text(), "hello");
}

#[test]
fn an_upload_that_stalls_ends_with_an_error_and_one_that_progresses_does_not() {
    let settings = Routes::new(builder().build().expect("a service"))
        .options(|options| options.body_timeout = Duration::from_millis(400));
    let server = start(Server::new(settings).configure(routes));
    let mut stalled = connect(&server);
    begin(&mut stalled, "/upload", 100);
    stalled.write_all(b"some").expect("it is sent");
    let response = read(&mut stalled);
    assert_eq!(response.status, 408);
    assert_eq!(response.header("connection"), Some("close"));
    assert!(is_closed(&mut stalled));

    let mut steady = connect(&server);
    let piece = vec![b'x'; 256 << 10];
    begin(&mut steady, "/upload", 4 * piece.len());
    for _ in 0..4 {
        thread::sleep(Duration::from_millis(250));
        steady.write_all(&piece).expect("it is sent");
    }
    assert_eq!(read(&mut steady).text(), (1 << 20).to_string());
}

#[test]
fn an_upload_that_is_refused_unread_is_answered_and_its_connection_closes() {
    let server = start(server(|routes| {
        let refuse = async || HttpResponse::PayloadTooLarge().body("too large");
        routes.route("/upload", web::post().to(refuse));
    }));
    let mut connection = connect(&server);
    begin(&mut connection, "/upload", 1 << 20);
    connection.write_all(&vec![0; 1 << 20]).expect("it is sent");
    let response = read(&mut connection);
    assert_eq!((response.status, response.text()), (413, "too large"));
    assert_eq!(response.header("connection"), Some("close"));
    // A small one that has arrived is skipped.
    let mut connection = connect(&server);
    let small = Request::post("/upload", b"small");
    assert_eq!(Response::exchange(&mut connection, &small).status, 413);
    assert_eq!(Response::exchange(&mut connection, &small).status, 413);
}

/// Sets a flag when it is dropped.
struct Flag(Arc<AtomicBool>);

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// The state of a handler that waits.
#[derive(Clone, Default)]
struct Waiting {
    begun: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
    dropped: Arc<AtomicBool>,
    may_end: Arc<Notify>,
}

impl Waiting {
    fn server(&self) -> Server {
        let state = self.clone();
        server(move |routes| {
            let state = web::Data::new(state.clone());
            routes
                .app_data(state)
                .route("/wait", web::get().to(wait))
                .route("/wait", web::post().to(wait));
        })
    }
}

async fn wait(waiting: web::Data<Waiting>) -> &'static str {
    let _flag = Flag(Arc::clone(&waiting.dropped));
    waiting.begun.store(true, Ordering::SeqCst);
    waiting.may_end.notified().await;
    waiting.ended.store(true, Ordering::SeqCst);
    "waited"
}

fn is_set(flag: &AtomicBool) -> bool {
    flag.load(Ordering::SeqCst)
}

#[test]
fn the_handler_of_a_get_is_dropped_with_its_caller_and_any_other_runs_to_its_end() {
    let waiting = Waiting::default();
    let server = start(waiting.server());
    let mut caller = connect(&server);
    let get = Request::new("GET", "/wait").bytes();
    caller.write_all(&get).expect("it is sent");
    wait_for(|| is_set(&waiting.begun));
    drop(caller);
    wait_for(|| is_set(&waiting.dropped));
    assert!(!is_set(&waiting.ended));

    for resets in [true, false] {
        let waiting = Waiting::default();
        let server = start(waiting.server());
        let mut caller = connect(&server);
        let post = Request::post("/wait", b"").bytes();
        caller.write_all(&post).expect("it is sent");
        wait_for(|| is_set(&waiting.begun));
        if resets {
            socket2::SockRef::from(&caller)
                .set_linger(Some(Duration::ZERO))
                .expect("an option");
        }
        drop(caller);
        thread::sleep(Duration::from_millis(50));
        assert!(!is_set(&waiting.dropped));
        waiting.may_end.notify_one();
        wait_for(|| is_set(&waiting.ended) && is_set(&waiting.dropped));
    }
}

#[test]
fn a_caller_who_closes_only_its_side_after_an_upload_gets_the_response() {
    let server = start(server(routes));
    let mut caller = connect(&server);
    begin(&mut caller, "/upload", 5);
    caller.write_all(b"hello").expect("it is sent");
    caller.shutdown(Shutdown::Write).expect("it is closed");
    assert_eq!(read(&mut caller).text(), "5");
    // An upload that is cut short is an error of its handler.
    let mut caller = connect(&server);
    begin(&mut caller, "/upload", 6);
    caller.write_all(b"hello").expect("it is sent");
    caller.shutdown(Shutdown::Write).expect("it is closed");
    assert_eq!(read(&mut caller).status, 400);
    assert!(is_closed(&mut caller));
}

#[test]
fn a_body_that_another_task_reads_ends_with_its_connection() {
    let failed = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&failed);
    let server = start(server(move |routes| {
        let failed = Arc::clone(&failed);
        let accept = move |upload: Payload| {
            let failed = Arc::clone(&failed);
            async move {
                actix_web::rt::spawn(async move {
                    failed.store(count(upload).await.is_err(), Ordering::SeqCst);
                });
                HttpResponse::Accepted().finish()
            }
        };
        routes.route("/upload", web::post().to(accept));
        let pass_on = async |upload: Payload| {
            let counting = actix_web::rt::spawn(count(upload));
            counting.await.expect("no panic")
        };
        routes.route("/pass-on", web::post().to(pass_on));
    }));
    let mut caller = connect(&server);
    begin(&mut caller, "/upload", 100);
    assert_eq!(read(&mut caller).status, 202);
    caller.write_all(&[0; 100]).expect("it is sent");
    assert!(is_closed(&mut caller));
    wait_for(|| is_set(&seen));

    let mut caller = connect(&server);
    begin(&mut caller, "/pass-on", 100);
    for _ in 0..2 {
        thread::sleep(Duration::from_millis(50));
        caller.write_all(&[0; 50]).expect("it is sent");
    }
    assert_eq!(read(&mut caller).text(), "100");
}

#[test]
fn a_handler_that_fails_harms_no_one_else() {
    async fn cut_short() -> impl Responder {
        let pieces = [
            Ok(Bytes::from("some")),
            Err(actix_web::error::ErrorGone("no more")),
        ];
        HttpResponse::Ok().streaming(stream::iter(pieces))
    }
    async fn panic() -> &'static str {
        panic!("as the test wants it")
    }
    let server = start(server(|routes| {
        routes
            .route("/panic", web::get().to(panic))
            .route("/cut", web::get().to(cut_short))
            .route("/teapot", web::get().to(async || HttpResponse::ImATeapot()))
            .route(
                "/switch",
                web::get().to(async || HttpResponse::SwitchingProtocols()),
            );
    }));
    let mut connection = connect(&server);
    for (target, status) in [
        ("/panic", 500),
        ("/teapot", 418),
        ("/switch", 500),
        ("/panic", 500),
    ] {
        let response = Response::exchange(&mut connection, &Request::new("GET", target));
        assert_eq!(response.status, status, "{target}");
    }
    let cut = Request::new("GET", "/cut").bytes();
    connection.write_all(&cut).expect("it is sent");
    let cut = Response::try_read(&mut connection, false).expect_err("no end");
    assert_eq!(cut.kind(), ErrorKind::UnexpectedEof);
    assert_eq!(get(&server, "/rpc/hello").status, 200);
}

#[test]
fn a_handler_that_panics_half_way_ends_its_exchange_and_is_reported() {
    async fn half_read(mut upload: Payload) -> &'static str {
        upload.next().await.expect("a piece").expect("no error");
        panic!("as the test wants it")
    }
    async fn half_sent() -> impl Responder {
        let pieces = stream::iter(0..2).map(|at| match at {
            0 => Ok::<_, actix_web::Error>(Bytes::from("some")),
            _ => panic!("as the test wants it"),
        });
        HttpResponse::Ok().streaming(pieces)
    }
    let paper = Paper::default();
    let service = builder().observer(AccessLog::text(paper.clone()));
    let server = Server::new(service.build().expect("a service")).configure(|routes| {
        routes
            .route("/read", web::post().to(half_read))
            .route("/sent", web::get().to(half_sent));
    });
    let server = start(server);
    let mut caller = connect(&server);
    begin(&mut caller, "/read", 100);
    caller.write_all(b"some").expect("it is sent");
    let response = read(&mut caller);
    assert_eq!(response.status, 500);
    assert_eq!(response.header("connection"), Some("close"));
    let mut caller = connect(&server);
    caller
        .write_all(&Request::new("GET", "/sent").bytes())
        .expect("it is sent");
    let cut = Response::try_read(&mut caller, false).expect_err("no end");
    assert_eq!(cut.kind(), ErrorKind::UnexpectedEof);
    paper.wait_for(2);
    let text = paper.text();
    assert!(text.contains("code=500 ending=answered"), "{text}");
    assert!(
        text.contains("procedure=\"/sent\" version=- code=- ending=unanswered"),
        "{text}"
    );
}

#[test]
fn a_caller_who_leaves_ends_a_response_without_end() {
    async fn endless(waiting: web::Data<Waiting>) -> impl Responder {
        let flag = Flag(Arc::clone(&waiting.dropped));
        let pieces = stream::repeat_with(move || {
            let _ = &flag;
            Ok::<_, actix_web::Error>(Bytes::from_static(&[0; 1 << 10]))
        });
        HttpResponse::Ok().streaming(pieces)
    }
    for method in ["GET", "POST"] {
        let waiting = Waiting::default();
        let server = waiting.server().configure(|routes| {
            routes.route("/endless", web::to(endless));
        });
        let server = start(server);
        let mut caller = connect(&server);
        caller
            .write_all(&Request::new(method, "/endless").bytes())
            .expect("it is sent");
        caller.read_exact(&mut [0]).expect("it has begun");
        assert!(!is_set(&waiting.dropped));
        drop(caller);
        wait_for(|| is_set(&waiting.dropped));
    }
}

#[test]
fn a_body_without_end_is_read_no_further_than_its_refusal_needs() {
    let settings = Routes::new(builder().build().expect("a service"))
        .options(|options| options.max_drain_bytes = 1 << 20);
    let server = start(Server::new(settings).configure(|routes| {
        let refuse = async || HttpResponse::PayloadTooLarge().body("too large");
        routes.route("/upload", web::post().to(refuse));
    }));
    let mut caller = connect(&server);
    let head = "POST /upload HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    caller.write_all(head.as_bytes()).expect("it is sent");
    let chunk = [b"10000\r\n", &*vec![b'x'; 1 << 16], b"\r\n"].concat();
    caller.write_all(&chunk).expect("it is sent");
    assert_eq!(read(&mut caller).status, 413);
    let mut sent = 0;
    while caller.write_all(&chunk).is_ok() {
        sent += chunk.len();
        assert!(sent < LARGE, "the server reads on");
    }
}

#[test]
fn pipelines_of_calls_routes_and_offers_to_upgrade_are_answered_in_order() {
    let server = start(server(routes));
    let offering = |request: Request<'static>| {
        let request = request.header("Connection", "Upgrade");
        request.header("Upgrade", "websocket")
    };
    let call = Request::post("/rpc", CALL);
    let hook = Request::post("/hook", b"{}");
    let mut requests = Vec::new();
    for _ in 0..20 {
        requests.push((offering(call.clone()).bytes(), "hello"));
        requests.push((offering(hook.clone()).chunked(1), "http"));
        requests.push((call.bytes(), "hello"));
        requests.push((offering(Request::new("GET", "/")).bytes(), "library"));
        requests.push((hook.bytes(), "http"));
        requests.push((
            offering(Request::new("GET", "/nothing")).bytes(),
            "no service",
        ));
    }
    let bytes: Vec<u8> = requests
        .iter()
        .flat_map(|(bytes, _)| bytes.clone())
        .collect();
    for size in [50, 1_000, bytes.len()] {
        let mut connection = connect(&server);
        for piece in bytes.chunks(size) {
            connection.write_all(piece).expect("it is sent");
        }
        for (at, (_, content)) in requests.iter().enumerate() {
            let response = read(&mut connection);
            assert!(
                response.text().contains(content),
                "{at}: {}",
                response.text()
            );
            assert_eq!(response.header("connection"), None, "{at}");
        }
    }
}

#[test]
fn a_caller_who_does_not_read_loses_the_response() {
    async fn endless() -> impl Responder {
        let pieces =
            stream::repeat_with(|| Ok::<_, actix_web::Error>(Bytes::from(vec![0; 1 << 16])));
        HttpResponse::Ok().streaming(pieces)
    }
    let paper = Paper::default();
    let service = builder().observer(AccessLog::text(paper.clone()));
    let settings = Routes::new(service.build().expect("a service"))
        .options(|options| options.write_timeout = Duration::from_millis(100));
    let server = Server::new(settings).configure(|routes| {
        routes.route("/endless", web::get().to(endless));
    });
    let server = start(server);
    let mut caller = connect(&server);
    caller
        .write_all(&Request::new("GET", "/endless").bytes())
        .expect("it is sent");
    paper.wait_for(1);
    assert!(
        paper.text().contains("ending=unanswered"),
        "{}",
        paper.text()
    );
}

#[test]
fn requests_above_the_limit_are_rejected_and_calls_go_on() {
    let waiting = Waiting::default();
    let service = builder().limits(|limits| limits.max_concurrent_calls = 1);
    let state = waiting.clone();
    let server = Server::new(service.build().expect("a service")).configure(move |routes| {
        let state = web::Data::new(state.clone());
        routes.app_data(state).route("/wait", web::post().to(wait));
    });
    let server = start(server);
    let post = Request::post("/wait", b"{}");
    let mut first = connect(&server);
    first.write_all(&post.bytes()).expect("it is sent");
    wait_for(|| is_set(&waiting.begun));
    let busy = ask(&server, &post);
    assert_eq!(
        (busy.status, busy.json()["error"]["code"].as_i64()),
        (503, Some(-32002))
    );
    assert!(busy.header("retry-after").is_some());
    assert_eq!(ask(&server, &Request::post("/rpc", CALL)).status, 200);
    waiting.may_end.notify_one();
    assert_eq!(read(&mut first).text(), "waited");
    waiting.may_end.notify_one();
    assert_eq!(ask(&server, &post).status, 200);
}

#[test]
fn a_graceful_stop_waits_for_a_handler_and_rejects_new_requests() {
    let waiting = Waiting::default();
    let bound = waiting.server().bind("127.0.0.1:0").expect("an address");
    let address = bound.addresses()[0];
    let handle = bound.handle();
    let running = thread::spawn(move || actix_web::rt::System::new().block_on(bound.run()));
    let post = Request::post("/wait", b"{}");
    let mut caller = connect_to(address);
    caller.write_all(&post.bytes()).expect("it is sent");
    wait_for(|| is_set(&waiting.begun));
    handle.shutdown();
    let is_leaving = || {
        let health = Request::new("GET", "/health");
        Response::exchange(&mut connect_to(address), &health).status == 503
    };
    wait_for(is_leaving);
    assert_eq!(
        Response::exchange(&mut connect_to(address), &post).status,
        503
    );
    assert!(!running.is_finished());
    waiting.may_end.notify_one();
    let response = read(&mut caller);
    assert_eq!((response.status, response.text()), (200, "waited"));
    assert_eq!(response.header("connection"), Some("close"));
    running.join().expect("no panic").expect("it has finished");
}

async fn endless_ticks() -> impl Responder {
    let ticks = stream::repeat(()).then(|()| async {
        sleep(Duration::from_millis(5)).await;
        Ok::<_, actix_web::Error>(Bytes::from_static(b"tick"))
    });
    HttpResponse::Ok().streaming(ticks)
}

#[test]
fn a_response_without_end_makes_no_stop_fail_however_short_its_deadline_is() {
    let server = server(|routes| {
        routes.route("/endless", web::get().to(endless_ticks));
    })
    .shutdown_deadline(Duration::from_millis(200));
    let bound = server.bind("127.0.0.1:0").expect("an address");
    let mut caller = connect_to(bound.addresses()[0]);
    let handle = bound.handle();
    let running = thread::spawn(move || actix_web::rt::System::new().block_on(bound.run()));
    caller
        .write_all(&Request::new("GET", "/endless").bytes())
        .expect("it is sent");
    caller.read_exact(&mut [0]).expect("it has begun");
    handle.shutdown();
    running.join().expect("no panic").expect("it has finished");
}

#[test]
fn a_host_that_is_not_served_reaches_no_route() {
    let server = start(server(routes));
    let mut connection = connect(&server);
    let request = b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    connection.write_all(request).expect("it is sent");
    assert_eq!(read(&mut connection).status, 421);
}

#[test]
fn routes_are_in_the_access_log_and_the_metrics_with_their_pattern() {
    let paper = Paper::default();
    let service = builder().observer(AccessLog::text(paper.clone()));
    let settings = Routes::new(service.build().expect("a service")).metrics();
    let server = Server::new(settings).configure(routes);
    let server = start(server);
    let request = Request::post("/hook", b"{}").header("X-Request-Id", "event-2");
    assert_eq!(ask(&server, &request).status, 200);
    assert_eq!(get(&server, "/files/nothing").status, 404);
    assert_eq!(get(&server, "/nothing").status, 404);
    paper.wait_for(2);
    let text = paper.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    for part in [
        " id=event-2 id_from=caller peer=127.0.0.1:",
        " client=127.0.0.1 ",
        " procedure=\"/hook\" version=- code=- ending=answered seconds=0.",
        " request_bytes=2 response_bytes=",
    ] {
        assert!(lines[0].contains(part), "{text}");
    }
    let missing = " procedure=\"/files/{name}\" version=- code=404 ending=answered ";
    assert!(lines[1].contains(missing), "{text}");
    let metrics = get(&server, "/metrics");
    for (route, code) in [("/hook", "ok"), ("/files/{name}", "other")] {
        let series = format!("procedure=\"{route}\",protocol=\"2.0\",code=\"{code}\"}} 1\n");
        assert!(metrics.text().contains(&series), "{}", metrics.text());
    }
}

#[test]
fn routes_that_no_request_could_reach_are_an_error_and_several_functions_add_up() {
    let service = builder().build().expect("a service");
    let error = TestServer::run(Server::new(Routes::at("", service.clone())).configure(routes))
        .expect_err("a mount that covers all")
        .to_string();
    assert!(error.contains("`Server::configure`"), "{error}");
    let more = server(routes).configure(|routes| {
        routes.route("/more", web::get().to(async || "more"));
    });
    let server = start(more);
    assert_eq!(get(&server, "/more").text(), "more");
    assert_eq!(get(&server, "/").status, 200);
}

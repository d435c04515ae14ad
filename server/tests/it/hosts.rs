//! The hosts that a server accepts requests for.

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};

use docent::testing::TestServer;
use docent::{BoundServer, Cx, Fault, Procedure, Routes, Server, Service};
use raw_http::Response;

use crate::{ask_with, get};

fn service(public_url: Option<&str>) -> Service {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let service = Service::builder("hosts", "urn:uuid:6f1b5a3c-2d4e-4f60-8a7b-9c0d1e2f3a4c")
        .procedure(hello.idempotent().tool());
    let service = match public_url {
        Some(url) => service.public_url(url),
        None => service,
    };
    service.build().expect("a service")
}

/// Sends a GET with these header fields.
fn read(server: SocketAddr, target: &str, fields: &str) -> Response {
    let mut connection = TcpStream::connect(server).expect("a server");
    let request = format!("GET {target} HTTP/1.1\r\n{fields}\r\n");
    connection
        .write_all(request.as_bytes())
        .expect("it is sent");
    Response::read(&mut connection, false)
}

/// Returns the status of a request for a host of the Internet.
fn status_elsewhere(bound: BoundServer) -> u16 {
    let port = bound.addresses()[0].port();
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let handle = bound.handle();
    let running = std::thread::spawn(move || {
        let served = actix_web::rt::System::new().block_on(bound.run());
        served.expect("it stops");
    });
    let response = read(address, "/rpc/hello", "Host: api.example\r\n");
    handle.shutdown();
    running.join().expect("no panic");
    response.status
}

#[test]
fn an_address_that_only_this_machine_reaches_serves_only_local_hosts() {
    let routes = Routes::new(service(None)).metrics();
    let server = TestServer::start(routes).expect("a server");
    let read = |target: &str, fields: &str| read(server.address(), target, fields);
    for host in [
        "localhost",
        "LocalHost:1",
        "127.0.0.1:8080",
        "127.0.0.1",
        "[::1]:80",
        "[::1]",
        "",
    ] {
        let response = read("/rpc/hello", &format!("Host: {host}\r\n"));
        assert_eq!(response.status, 200, "{host:?}");
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:80",
        "127.0.0.2",
    ] {
        for target in [
            "/rpc",
            "/rpc/hello",
            "/mcp",
            "/docs/",
            "/metrics",
            "/",
            "/nothing",
            "/.well-known/api-catalog",
        ] {
            let response = read(target, &format!("Host: {host}\r\n"));
            assert_eq!(response.status, 421, "{host} {target}");
            let body = String::from_utf8_lossy(&response.body);
            assert!(body.contains("`HttpOptions::allowed_hosts`"), "{body}");
        }
        assert_eq!(read("/health", &format!("Host: {host}\r\n")).status, 200);
    }
    // Browsers always name a host.
    let mut connection = TcpStream::connect(server.address()).expect("a server");
    let old = b"GET /rpc/hello HTTP/1.0\r\n\r\n";
    connection.write_all(old).expect("it is sent");
    assert_eq!(Response::read(&mut connection, false).status, 200);
    // The target takes precedence over the field.
    for (host, status) in [("evil.example", 421), ("LOCALHOST:1", 200)] {
        let response = read(&format!("http://{host}/rpc/hello"), "Host: localhost\r\n");
        assert_eq!(response.status, status, "{host}");
    }
}

#[test]
fn a_server_that_says_how_it_is_reached_serves_more_than_local_hosts() {
    let server = || Server::new(service(None));
    let plain = server().bind("127.0.0.1:0").expect("a server");
    assert_eq!(status_elsewhere(plain), 421);
    let both = server()
        .bind("127.0.0.1:0")
        .expect("a server")
        .bind("127.0.0.1:0")
        .expect("a server");
    assert_eq!(status_elsewhere(both), 421);

    let routes = || Routes::new(service(None));
    let named = routes()
        .without_mcp()
        .mount("/other", service(Some("https://api.example/other")));
    let listed = routes().options(|options| {
        options.allowed_hosts = Some(vec!["api.example".to_owned()]);
    });
    let behind = routes().options(|options| {
        options.trusted_proxies = vec!["127.0.0.1".parse().expect("an address")];
    });
    for routes in [named, listed, behind] {
        let bound = Server::new(routes).bind("127.0.0.1:0").expect("a server");
        assert_eq!(status_elsewhere(bound), 200);
    }
    let everywhere = server().bind("0.0.0.0:0").expect("a server");
    assert_eq!(status_elsewhere(everywhere), 200);
    // Other listeners make no difference.
    let beside = server()
        .bind("127.0.0.1:0")
        .expect("a server")
        .bind("0.0.0.0:0")
        .expect("a server");
    assert_eq!(status_elsewhere(beside), 421);
    #[cfg(unix)]
    {
        let path = std::env::temp_dir().join(format!("docent-hosts-{}", std::process::id()));
        let file = server()
            .bind("127.0.0.1:0")
            .expect("a server")
            .bind_unix(path)
            .expect("a server");
        assert_eq!(status_elsewhere(file), 421);
    }
}

/// Returns the statuses of all routes for a host, at an address that only this machine reaches.
fn statuses(server: SocketAddr, host: &str) -> Vec<u16> {
    let targets = [
        "/rpc",
        "/rpc/hello",
        "/other/hello",
        "/mcp",
        "/docs/",
        "/metrics",
        "/own",
        "/nothing",
        "/.well-known/api-catalog",
    ];
    let host = format!("Host: {host}\r\n");
    targets
        .iter()
        .map(|target| read(server, target, &host).status)
        .collect()
}

#[test]
fn the_host_of_a_public_url_is_a_host_of_every_route_and_ends_no_check() {
    let routes = Routes::new(service(None))
        .mount("/other", service(Some("https://Api.Example:8443/other")))
        .mcp_at("/mcp", "/rpc")
        .mcp_at("/other-mcp", "/other")
        .metrics();
    let server = Server::new(routes).configure(|config| {
        config.route("/own", actix_web::web::get().to(|| async { "own" }));
    });
    let server = TestServer::run(server).expect("a server");
    let local = statuses(server.address(), "localhost");
    assert!(!local.contains(&421), "{local:?}");
    for host in ["api.example", "API.example:80", "127.0.0.1:1"] {
        assert_eq!(statuses(server.address(), host), local, "{host}");
    }
    for host in ["evil.example", "api.example.evil.example", "other"] {
        let elsewhere = statuses(server.address(), host);
        assert!(elsewhere.iter().all(|status| *status == 421), "{host}");
        let health = read(server.address(), "/health", &format!("Host: {host}\r\n"));
        assert_eq!(health.status, 200);
    }
}

#[actix_web::test]
async fn a_request_for_a_host_that_is_not_served_is_misdirected() {
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let service = Service::builder("hosts", "urn:uuid:6f1b5a3c-2d4e-4f60-8a7b-9c0d1e2f3a4b")
        .procedure(hello.idempotent())
        .build()
        .expect("a service");
    let hosts = vec!["api.example".to_owned(), "[::1]".to_owned()];
    let routes = Routes::new(service).options(|options| options.allowed_hosts = Some(hosts));
    for (host, status) in [
        ("api.example", 200),
        ("API.example:8080", 200),
        ("[::1]:8080", 200),
        ("[::1]", 200),
        ("evil.example", 421),
        ("api.example.evil", 421),
        ("", 421),
    ] {
        let request = get("/rpc/hello").insert_header(("host", host));
        let response = ask_with(routes.clone(), request).await;
        assert_eq!(response.status, status, "{host:?}");
    }
}

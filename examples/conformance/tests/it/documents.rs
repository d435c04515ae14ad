//! Documents about the services, as pages of other origins get them.

use docent::Routes;

use crate::client::{Request, Response};
use crate::{Server, service};

/// The origin of a viewer that is listed.
const VIEWER: &str = "https://viewer.example";
const STRANGER: &str = "https://evil.example";

/// The documents that viewers and agents read.
const DOCUMENTS: [&str; 8] = [
    "/openapi.json",
    "/llms.txt",
    "/.well-known/api-catalog",
    "/docs/openapi.json",
    "/docs/openrpc.json",
    "/docs/description.json",
    "/docs/llms.txt",
    "/docs/subtract.md",
];

fn open() -> Server {
    Server::start(Routes::new(service()).cors([VIEWER]))
}

fn read(server: &Server, target: &str, origin: &str) -> Response {
    server.send(&Request::new("GET", target).header("Origin", origin))
}

/// Sends what a browser asks before a page reads with credentials.
fn ask(server: &Server, target: &str, origin: &str) -> Response {
    let request = Request::new("OPTIONS", target)
        .header("Origin", origin)
        .header("Access-Control-Request-Method", "GET")
        .header("Access-Control-Request-Headers", "authorization");
    server.send(&request)
}

fn has_cors_fields(response: &Response) -> bool {
    let mut names = response.headers.iter().map(|(name, _)| name);
    names.any(|name| name.starts_with("access-control-"))
}

#[test]
fn a_page_of_a_listed_origin_may_read_every_document() {
    let server = open();
    for target in DOCUMENTS {
        let document = read(&server, target, VIEWER);
        assert_eq!(document.status, 200, "{target}");
        let origin = document.header("access-control-allow-origin");
        assert_eq!(origin, Some(VIEWER), "{target}");
        let exposed = document.header("access-control-expose-headers");
        assert!(exposed.is_some_and(|names| names.contains("etag")));
        let permission = ask(&server, target, VIEWER);
        assert_eq!(permission.status, 204, "{target}");
        for (name, value) in [
            ("access-control-allow-origin", VIEWER),
            ("access-control-allow-methods", "GET, HEAD"),
            ("access-control-allow-headers", "authorization"),
        ] {
            assert_eq!(permission.header(name), Some(value), "{target}");
        }
    }
    assert!(!has_cors_fields(&read(&server, "/health", VIEWER)));
}

#[test]
fn a_page_of_another_origin_may_read_no_document() {
    for (server, origin) in [(Server::start(service()), VIEWER), (open(), STRANGER)] {
        for target in DOCUMENTS {
            let document = read(&server, target, origin);
            assert_eq!(document.status, 200, "{target}");
            let permission = ask(&server, target, origin);
            assert_eq!(permission.status, 405, "{target}");
            assert!(!has_cors_fields(&document), "{target}");
            assert!(!has_cors_fields(&permission), "{target}");
        }
    }
}

#[test]
fn caches_tell_apart_what_a_listed_page_may_read() {
    let server = open();
    for target in DOCUMENTS {
        for response in [
            server.get(target),
            read(&server, target, VIEWER),
            read(&server, target, STRANGER),
        ] {
            let vary = response.header("vary");
            assert!(
                vary.is_some_and(|names| names.ends_with("Origin")),
                "{target}"
            );
        }
    }
}

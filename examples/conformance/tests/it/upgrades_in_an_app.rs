//! Offers to upgrade in an `App`, where actix-web and not the server treats them.

use std::io::Write;

use crate::carrier::Connection;
use crate::client::{Request, Response};
use crate::http_bodies::padded;
use crate::{Server, service_with};

#[test]
fn an_answer_to_an_offer_to_upgrade_says_that_its_connection_closes() {
    let server = Server::in_an_app(service_with(|limits| limits.max_body_bytes = 1_000));
    let body = padded(60);
    for upgrade in ["websocket", "WebSocket", "h2c"] {
        let offering = |request: Request<'static>| {
            let request = request.header("Connection", "Upgrade");
            request.header("Upgrade", upgrade)
        };
        for target in ["/rpc/get_data", "/rpc", "/health", "/docs/"] {
            let mut connection = server.connect();
            let request = offering(Request::new("GET", target));
            let response = Response::exchange(&mut connection, &request);
            assert_eq!(response.header("connection"), Some("close"), "{target}");
            assert!(Connection::Tcp(connection).is_closed());
        }
        let request =
            offering(Request::new("POST", "/rpc").header("Content-Type", "application/json"));
        for bytes in [
            Request {
                body: Some(&body),
                ..request.clone()
            }
            .bytes(),
            Request {
                body: Some(&body),
                ..request.clone()
            }
            .chunked(7),
        ] {
            let mut connection = server.connect();
            connection
                .write_all(&bytes)
                .expect("the connection is open");
            let response = Response::read(&mut connection, false);
            assert_eq!((response.status, &*response.brief()), (200, "3 #1"));
            assert_eq!(response.header("connection"), Some("close"));
            assert!(Connection::Tcp(connection).is_closed());
        }
        let large = padded(1_001);
        let request = Request {
            body: Some(&large),
            ..request
        };
        server
            .send(&request)
            .assert_request_error(413, "one byte more");
    }
}

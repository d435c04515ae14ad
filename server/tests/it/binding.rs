//! Mistakes that `bind()` finds.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};

use docent::{Server, Service};

fn server() -> Server {
    let service = Service::builder("bound", "urn:uuid:5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c2d");
    Server::new(service.build().expect("a service"))
}

/// Returns the kind and the text of the error.
fn mistake(server: Server, addresses: &[SocketAddr]) -> (ErrorKind, String) {
    let error = server.bind(addresses).expect_err("a mistake");
    (error.kind(), error.to_string())
}

fn any() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

#[test]
fn an_address_that_is_taken_is_named_with_the_reason() {
    let taken = [(); 2].map(|()| TcpListener::bind(any()).expect("a free port"));
    let addresses = taken
        .each_ref()
        .map(|listener| listener.local_addr().expect("bound"));
    let (kind, text) = mistake(server(), &addresses);
    assert_eq!(kind, ErrorKind::AddrInUse);
    for address in addresses {
        assert!(
            text.contains(&format!("cannot listen on {address}: ")),
            "{text}"
        );
    }
    assert!(!text.contains('\n'), "{text}");
    // One of several addresses is enough.
    let bound = server()
        .bind(&[addresses[0], any()][..])
        .expect("a free port");
    assert_eq!(bound.addresses().len(), 1);
}

#[test]
fn a_server_without_workers_or_connections_is_a_mistake_that_names_the_method() {
    for (server, method) in [
        (server().workers(0), "`Server::workers(0)`"),
        (server().connections(0), "`Server::connections(0)`"),
    ] {
        let (kind, text) = mistake(server, &[any()]);
        assert_eq!(kind, ErrorKind::InvalidInput);
        assert!(text.starts_with(method), "{text}");
    }
}

#[test]
fn the_error_for_a_text_that_is_no_address_shows_one() {
    for text in ["localhost", "http://127.0.0.1:8080", "127.0.0.1:99999", ""] {
        let error = server().bind(text).expect_err("no address");
        let said = error.to_string();
        assert!(
            said.contains("a host and a port, such as \"127.0.0.1:8080\""),
            "{said}"
        );
    }
}

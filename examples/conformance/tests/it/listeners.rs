//! Attacks on connections, over each kind of listener, and on the handshake of TLS.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::dev::ConnectionInfo;
use actix_web::web;
use docent::rustls::{AlertDescription, ClientConnection, Error};
use docent::{Cx, Fault, HttpOptions, Procedure, Routes, Server, Service};

use crate::carrier::{Carrier, Connection, Everywhere};
use crate::client::{Request, Response};
use crate::trust::TRUST;
use crate::{call_with, service};

const SHORT: Duration = Duration::from_millis(400);
const LONG: Duration = Duration::from_secs(3_600);

fn start(service: &Service, change: impl FnOnce(&mut HttpOptions)) -> Everywhere {
    Everywhere::serving(Server::new(Routes::from(service).options(change)))
}

fn count(id: usize) -> Vec<u8> {
    let body = format!(r#"{{"jsonrpc":"2.0","method":"count","id":{id}}}"#);
    Request::post("/rpc", body.as_bytes()).bytes()
}

#[test]
fn a_large_response_arrives_whole_and_one_that_nobody_reads_ends() {
    const SIZE: usize = 6_000_000;
    for carrier in Carrier::ALL {
        let server = start(&service(), |options| options.write_timeout = SHORT);
        let body = call_with("large", &format!("[{SIZE}]"));
        let request = Request::post("/rpc", body.as_bytes());
        let mut connection = server.connect(*carrier);
        let response = Response::exchange(&mut connection, &request);
        assert!(response.body.len() > SIZE, "{carrier:?}");
        if cfg!(target_os = "linux") || !matches!(carrier, Carrier::Tcp | Carrier::Tls) {
            let mut connection = server.connect(*carrier);
            connection.receive_little();
            connection.write_all(&request.bytes()).expect("it is sent");
            std::thread::sleep(10 * SHORT);
            let mut rest = Vec::new();
            // The system has buffered some of it.
            let _ = connection.read_to_end(&mut rest);
            assert!(rest.len() < SIZE, "{carrier:?}: {}", rest.len());
        }
    }
}

#[test]
fn a_page_names_the_scheme_of_the_listener_that_was_asked() {
    let server = start(&service(), |_| {});
    for carrier in Carrier::ALL {
        let expected = match carrier {
            Carrier::Tcp => "- Address: `http://localhost/rpc`",
            Carrier::Tls => "- Address: `https://localhost/rpc`",
            #[cfg(unix)]
            Carrier::Unix => "- Address: `/rpc`",
        };
        let request = Request::new("GET", "/docs/llms.txt");
        let response = Response::exchange(&mut server.connect(*carrier), &request);
        assert!(
            response.text().contains(expected),
            "{carrier:?}: {}",
            response.text()
        );
    }
}

#[test]
fn a_route_of_ones_own_has_every_listener_and_learns_its_scheme() {
    async fn scheme(connection: ConnectionInfo) -> String {
        connection.scheme().to_owned()
    }
    let server = Server::new(service()).configure(|routes| {
        routes
            .app_data(web::PayloadConfig::new(8 << 20))
            .route("/scheme", web::get().to(scheme))
            .route("/back", web::post().to(async |body: web::Bytes| body));
    });
    let server = Everywhere::serving(server);
    let upload = vec![b'x'; 6_000_000];
    for carrier in Carrier::ALL {
        let mut connection = server.connect(*carrier);
        let back = Response::exchange(&mut connection, &Request::post("/back", &upload));
        assert!(back.body == upload, "{carrier:?}");
        let response = Response::exchange(&mut connection, &Request::new("GET", "/scheme"));
        let is_secure = *carrier == Carrier::Tls;
        let expected = if is_secure { "https" } else { "http" };
        assert_eq!(response.text(), expected, "{carrier:?}");
    }
}

#[test]
fn a_handle_stops_all_listeners_after_their_running_calls() {
    let mut server = start(&service(), |_| {});
    let body = call_with("slow_count", "[600]");
    let bytes = Request::post("/rpc", body.as_bytes()).bytes();
    let mut connections: Vec<_> = Carrier::ALL
        .iter()
        .map(|carrier| server.connect(*carrier))
        .collect();
    for connection in &mut connections {
        connection.write_all(&bytes).expect("the call is sent");
    }
    std::thread::sleep(Duration::from_millis(200));
    let stopped = server.stop();
    assert!(stopped.is_ok(), "{stopped:?}");
    for connection in &mut connections {
        assert_eq!(Response::read(connection, false).status, 200);
    }
    assert!(TcpStream::connect(server.plain).is_err());
    assert!(TcpStream::connect(server.secure).is_err());
    assert!(!server.folder.path().join("socket").exists());
}

/// Returns everything that a server sends until it closes the connection, and how long that takes.
fn attack(server: &Everywhere, bytes: &[u8]) -> (Vec<u8>, Duration) {
    let begun = Instant::now();
    let mut connection = Connection::tcp(server.secure);
    connection.write_all(bytes).expect("it is sent");
    let said = connection.rest();
    (said, begun.elapsed())
}

/// Returns a client that offers these protocols, and its first message.
fn hello(protocols: &[&[u8]]) -> (ClientConnection, Vec<u8>) {
    let mut config = (*TRUST.client).clone();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    let name = "localhost".try_into().expect("a name");
    let mut session = ClientConnection::new(Arc::new(config), name).expect("a session");
    let mut bytes = Vec::new();
    session.write_tls(&mut bytes).expect("it writes to memory");
    (session, bytes)
}

#[test]
fn a_handshake_that_does_not_end_is_cut_off_and_others_are_served() {
    let server = Server::new(service());
    let server = Everywhere::serving(server.handshake_timeout(SHORT).head_timeout(LONG));
    let (_, hello) = hello(&[]);
    for sent in [&[][..], &hello[..1], &hello[..hello.len() / 2], &hello] {
        let (_, time) = attack(&server, sent);
        assert!(time > SHORT / 2, "{time:?}");
    }
    let mut connection = server.connect(Carrier::Tls);
    connection.write_all(&count(1)).expect("it is sent");
    assert_eq!(Response::read(&mut connection, false).json()["result"], 1);
}

#[test]
fn what_is_no_handshake_is_answered_at_once() {
    let server = Everywhere::serving(Server::new(service()).handshake_timeout(LONG));
    // Plain HTTP gets a response that a person understands.
    let request = Request::new("GET", "/rpc/get_data").bytes();
    let (said, _) = attack(&server, &request);
    let response = Response::read(&mut &said[..], false);
    assert_eq!(response.status, 400);
    assert!(response.text().contains("https://"), "{}", response.text());
    // Anything else gets an alert of TLS.
    for sent in [
        &b"\x16\x03\x01\xff\xff"[..],
        &[0x80, 0x2e, 1],
        &[0; 100],
        &[255; 9_000],
    ] {
        let (said, _) = attack(&server, sent);
        assert!(said.is_empty() || said[0] == 21, "{said:?}");
    }
}

#[test]
fn a_client_of_http_2_alone_is_told_that_there_is_none() {
    let server = Everywhere::serving(Server::new(service()).handshake_timeout(LONG));
    let (mut session, hello) = hello(&[b"h2"]);
    let (said, _) = attack(&server, &hello);
    session.read_tls(&mut &*said).expect("it reads from memory");
    let alert = AlertDescription::NoApplicationProtocol;
    let told = session.process_new_packets().err();
    assert_eq!(told, Some(Error::AlertReceived(alert)));
}

#[test]
fn large_bodies_that_all_callers_share_arrive_whole_also_at_callers_that_read_late() {
    let text = "eight b ".repeat(1_000_000);
    let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
    let service = Service::builder("large", "urn:uuid:0b7a52d4-3c66-4f0e-8f1c-5d2a9e3b7c03")
        .procedure(hello.description(text))
        .build()
        .expect("no mistakes");
    let description = service.rendered_description().to_vec();
    let description = String::from_utf8(description).expect("UTF-8");
    let expected = format!(r#"{{"jsonrpc":"2.0","result":{description},"id":null}}"#);
    let request = Request::new("GET", "/rpc/rpc.describe").bytes();
    let server = start(&service, |_| {});
    for carrier in Carrier::ALL {
        let mut connection = server.connect(*carrier);
        let requests = request.repeat(2);
        connection.write_all(&requests).expect("they are sent");
        std::thread::sleep(Duration::from_millis(300));
        for _ in 0..2 {
            let response = Response::read(&mut connection, false);
            assert!(response.text() == expected, "{carrier:?}");
        }
    }
}

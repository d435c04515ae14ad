//! Clients over TLS.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use docent::client::{Client, ClientError, Http, TransportError};
use docent::{Cx, Fault, Procedure, Routes, Server, Service};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Returns the settings of a server at `localhost`, and its certificate.
fn encryption() -> (ServerConfig, String) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
    let config =
        ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .expect("settings");
    (config, made.cert.pem())
}

/// A server at `https://localhost` that answers each request with 7, and its certificate.
fn server() -> (String, String) {
    let (config, certificate) = encryption();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for socket in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).expect("a connection");
            let mut stream = StreamOwned::new(connection, socket.expect("a socket"));
            let mut request = Vec::new();
            let mut chunk = [0; 4096];
            while !request.ends_with(b"}") {
                match stream.read(&mut chunk) {
                    Ok(0) | Err(_) => break,
                    Ok(read) => request.extend_from_slice(&chunk[..read]),
                }
            }
            let body = r#"{"jsonrpc":"2.0","result":7,"id":1}"#;
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    (format!("https://localhost:{port}/rpc"), certificate)
}

async fn call(http: Http) -> Result<u8, ClientError<Fault>> {
    Client::from(http).call("count", &()).await
}

#[actix_web::test]
async fn a_server_is_trusted_if_an_authority_vouches_for_it() {
    let (url, certificate) = server();
    let called = call(Http::new(&url).authorities(&certificate)).await;
    assert_eq!(called.expect("a result"), 7);

    for http in [
        Http::new(&url),
        // The certificate is for another name.
        Http::new(url.replace("localhost", "127.0.0.1")).authorities(&certificate),
    ] {
        let error = call(http).await.expect_err("an unknown server");
        assert!(
            matches!(error, ClientError::Transport(TransportError::Connect(_))),
            "{error:?}"
        );
        assert!(error.to_string().contains("certificate"), "{error}");
    }

    let error = call(Http::new(&url).authorities("no certificate")).await;
    let text = error.expect_err("no authority").to_string();
    assert_eq!(
        text,
        "no response: the authorities: no certificate in PEM format"
    );
}

#[actix_web::test]
async fn a_websocket_trusts_the_same_authorities() {
    let (config, certificate) = encryption();
    let count = Procedure::sync("count", |_: Cx, (): ()| Ok::<u8, Fault>(7));
    let service = Service::builder("told", "urn:uuid:41544946-415a-495a-5645-454441534650")
        .procedure(count)
        .build()
        .expect("a service");
    let bound = Server::new(Routes::new(service).websocket())
        .workers(1)
        .bind_tls("127.0.0.1:0", config)
        .expect("a free port");
    let url = format!("wss://localhost:{}/rpc", bound.addresses()[0].port());
    actix_web::rt::spawn(bound.run());
    let called = call(Http::new(&url).authorities(&certificate)).await;
    assert_eq!(called.expect("a result"), 7);
    let error = call(Http::new(&url)).await.expect_err("an unknown server");
    assert!(error.to_string().contains("certificate"), "{error}");
}

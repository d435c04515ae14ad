//! Clients of servers that send anything but the responses of a service.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::Duration;

use docent::Fault;
use docent::client::{Client, ClientError, Http, MalformedResponse, TransportError};

type Error = ClientError<Fault>;

/// A server that answers each request with these bytes, after what its ID and the request are has been
/// put in. It keeps the last request.
fn server(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.expect("a connection");
            let mut request = Vec::new();
            let mut part = [0; 4096];
            // Requests here are short and end with the body.
            while !request.ends_with(b"}") {
                match connection.read(&mut part) {
                    Ok(0) | Err(_) => break,
                    Ok(read) => request.extend_from_slice(&part[..read]),
                }
            }
            let _ = connection.write_all(&answer(&String::from_utf8_lossy(&request)));
        }
    });
    address
}

/// A response with this body.
fn http(status: &str, fields: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{fields}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

async fn call(address: SocketAddr) -> Result<u64, Error> {
    let client = Client::http(format!("http://{address}/rpc"));
    client.call("count", &()).await
}

/// The error of a client that gets this response.
async fn malformed(answer: Vec<u8>) -> (MalformedResponse, String) {
    let address = server(move |_| answer.clone());
    let error = call(address).await.expect_err("a malformed response");
    let text = error.to_string();
    match error {
        ClientError::Malformed(response) => (response, text),
        other => panic!("{other:?}"),
    }
}

#[actix_web::test]
async fn the_page_of_a_proxy_is_named_with_its_status_and_when_to_retry() {
    let fields = "Content-Type: text/html\r\nRetry-After: 7\r\n";
    let page = "<html>Service Unavailable</html>";
    let (response, text) = malformed(http("503 Service Unavailable", fields, page)).await;
    assert_eq!(
        text,
        "this is not the response to the call: HTTP 503, retry after 7s, this is not JSON \
         (text/html): \"<html>Service Unavailable</html>\""
    );
    let received = &response.received;
    assert_eq!(received.status, Some(503));
    assert_eq!(received.retry_after, Some(Duration::from_secs(7)));
    assert_eq!(received.body, page.as_bytes());
}

#[actix_web::test]
async fn what_is_not_the_response_to_the_call_says_why() {
    for (body, why) in [
        ("", "there is no body"),
        ("[]", "this is not a response of JSON-RPC 2.0"),
        ("7", "this is not a response of JSON-RPC 2.0"),
        (
            r#"{"result":7,"id":1}"#,
            "this is not a response of JSON-RPC 2.0",
        ),
        (
            r#"{"jsonrpc":"1.0","result":7,"id":1}"#,
            "not a response of JSON-RPC 2.0",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1}"#,
            "it has neither a result nor an error",
        ),
        (
            r#"{"jsonrpc":"2.0","result":7,"error":{"code":1,"message":"m"},"id":1}"#,
            "it has a result and an error",
        ),
        (
            r#"{"jsonrpc":"2.0","result":7,"id":2}"#,
            "it has the ID 2, but the request had 1",
        ),
        (
            r#"{"jsonrpc":"2.0","result":7,"id":"1"}"#,
            r#"it has the ID "1", but the"#,
        ),
        (
            r#"{"jsonrpc":"2.0","result":7,"id":null}"#,
            "it has the ID null",
        ),
        (r#"{"jsonrpc":"2.0","result":7}"#, "it has no ID"),
        (
            r#"{"jsonrpc":"2.0","error":{"code":1,"message":"m"},"id":9}"#,
            "it has the ID 9",
        ),
        (
            r#"{"jsonrpc":"2.0","error":{"code":"1","message":"m"},"id":1}"#,
            "not a response",
        ),
        (
            r#"{"jsonrpc":"2.0","error":{"code":1.5,"message":"m"},"id":1}"#,
            "not a response",
        ),
        (
            r#"{"jsonrpc":"2.0","result":[{"\u0024serde_json::private::RawValue":"7"}],"id":1}"#,
            "it has a member whose name begins with $serde_json::private::",
        ),
        (
            r#"{"jsonrpc":"2.0","error":{"code":1,"message":"m","data":{"$serde_json::private::Number":"7"}},"id":1}"#,
            "it has a member whose name begins with $serde_json::private::",
        ),
        (
            r#"{"jsonrpc":"2.0","error":{"code":1},"id":1}"#,
            "not a response of JSON-RPC 2.0",
        ),
        (
            r#"{"jsonrpc":"2.0","result":7,"result":8,"id":1}"#,
            "not a response of JSON-RPC 2.0",
        ),
        (
            r#"{"jsonrpc":"2.0","result":7,"id":1}{}"#,
            "this is not JSON",
        ),
        (r#"{"jsonrpc":"2.0","result":7,"#, "this is not JSON"),
        ("\u{1b}[2Jcleared", r#""\u{1b}[2Jcleared""#),
    ] {
        let (_, text) = malformed(http("200 OK", "", body)).await;
        assert!(text.contains(why), "{body}: {text}");
    }
}

#[actix_web::test]
async fn members_that_are_null_or_unknown_do_no_harm() {
    for (body, result) in [
        (
            r#"{"jsonrpc":"2.0","result":7,"error":null,"id":1,"more":[]}"#,
            Some(7),
        ),
        (r#"{"id": 1, "result": null, "jsonrpc": "2.0"}"#, None),
    ] {
        let answer = http("200 OK", "", body);
        let address = server(move |_| answer.clone());
        let client = Client::http(format!("http://{address}/rpc"));
        let called: Result<Option<u64>, Error> = client.call("count", &()).await;
        assert_eq!(called.expect("a result"), result);
    }
}

#[actix_web::test]
async fn an_error_without_an_id_is_that_of_a_server_that_has_not_read_the_request() {
    let body = r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"Busy"},"id":null}"#;
    let answer = http("503 Service Unavailable", "Retry-After: 1\r\n", body);
    let address = server(move |_| answer.clone());
    let error = call(address).await.expect_err("busy");
    assert_eq!(error.fault().expect("a fault").code(), -32002);
}

#[actix_web::test]
async fn a_result_of_another_type_is_an_error_of_its_own() {
    let body = r#"{"jsonrpc":"2.0","result":-7,"id":1}"#;
    let answer = http("200 OK", "", body);
    let address = server(move |_| answer.clone());
    let error = call(address).await.expect_err("a negative number");
    assert!(matches!(error, ClientError::Result(_)), "{error:?}");
}

#[actix_web::test]
async fn a_redirect_is_not_followed_and_brings_no_token_anywhere() {
    let thief = TcpListener::bind("127.0.0.1:0").expect("a free port");
    thief.set_nonblocking(true).expect("a listener");
    let elsewhere = format!("http://{}/", thief.local_addr().expect("an address"));
    for status in [
        "301 Moved Permanently",
        "302 Found",
        "307 Temporary Redirect",
        "308 x",
    ] {
        let answer = http(status, &format!("Location: {elsewhere}\r\n"), "");
        let address = server(move |_| answer.clone());
        let client = Http::new(format!("http://{address}/rpc")).bearer("s3cret");
        let called: Result<u64, Error> = Client::from(client).call("count", &()).await;
        let Err(ClientError::Malformed(response)) = called else {
            panic!("{called:?}");
        };
        assert_eq!(response.received.location.as_ref(), Some(&elsewhere));
        assert!(
            response.to_string().contains("which is not followed"),
            "{response}"
        );
    }
    assert!(thief.accept().is_err(), "somebody has come");
}

#[actix_web::test]
async fn a_response_that_is_too_large_is_not_read_to_its_end() {
    let announced = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".to_vec();
    let mut chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for _ in 0..64 {
        chunked.extend_from_slice(b"400\r\n");
        chunked.extend_from_slice(&[b' '; 1024]);
        chunked.extend_from_slice(b"\r\n");
    }
    let mut until_closed = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec();
    until_closed.resize(64 * 1024, b' ');
    for answer in [announced, chunked, until_closed] {
        let address = server(move |_| answer.clone());
        let http = Http::new(format!("http://{address}/rpc")).max_response_bytes(10_000);
        let called: Result<u64, Error> = Client::from(http).call("count", &()).await;
        assert!(
            matches!(
                called,
                Err(ClientError::Transport(TransportError::TooLarge(10_000)))
            ),
            "{called:?}"
        );
    }
}

#[actix_web::test]
async fn a_server_that_stops_half_way_is_an_interrupted_or_a_late_one() {
    let half = b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"jsonrpc\"".to_vec();
    for answer in [
        half,
        b"HTTP/1.1 20".to_vec(),
        b"SSH-2.0-x\r\n\r\n".to_vec(),
        Vec::new(),
    ] {
        let address = server(move |_| answer.clone());
        let error = call(address).await.expect_err("half a response");
        let ClientError::Transport(TransportError::Interrupted(_)) = error else {
            panic!("{error:?}");
        };
    }
    let address = server(|_| {
        thread::sleep(Duration::from_secs(3_600));
        Vec::new()
    });
    let limit = Duration::from_millis(100);
    let http = Http::new(format!("http://{address}/rpc")).timeout(limit);
    let called: Result<u64, Error> = Client::from(http).call("count", &()).await;
    assert!(
        matches!(
            called,
            Err(ClientError::Transport(TransportError::TimedOut(_)))
        ),
        "{called:?}"
    );
}

#[actix_web::test]
async fn a_server_that_is_not_there_is_not_connected_to() {
    let gone = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = gone.local_addr().expect("an address");
    drop(gone);
    let error = call(address).await.expect_err("nobody");
    assert!(
        matches!(error, ClientError::Transport(TransportError::Connect(_))),
        "{error:?}"
    );
    let text = error.to_string();
    assert!(text.starts_with("no response: cannot connect: "), "{text}");
    assert!(text.contains("refused"), "{text}");
}

#[actix_web::test]
async fn a_client_that_is_set_up_wrongly_says_so_and_keeps_its_secrets() {
    let http = || Http::new("http://localhost:1/rpc");
    for (http, why) in [
        (Http::new("localhost/rpc"), "the URL of the service"),
        (Http::new(""), "the URL of the service"),
        (
            Http::new("ftp://me:s3cret@localhost/"),
            "\"ftp\" is not supported",
        ),
        (Http::new("http://me:s3cret@[::1"), "the URL of the service"),
        (
            http().header("a b", "s3cret"),
            "the header field \"a b\" is invalid",
        ),
        (
            http().header("x-key", "s3cret\r\nx: y"),
            "the header field \"x-key\" is invalid",
        ),
        (http().bearer("s3cret\n"), "the token"),
    ] {
        let error: Error = Client::from(http)
            .call::<u64, _>("count", &())
            .await
            .expect_err("nothing to call");
        let text = format!("{error} {error:?}");
        assert!(text.contains(why), "{text}");
        assert!(!text.contains("s3cret"), "{text}");
        assert!(
            matches!(error, ClientError::Transport(TransportError::Setup(_))),
            "{error:?}"
        );
    }
}

#[actix_web::test]
async fn a_password_in_the_url_is_sent_and_a_token_takes_its_place() {
    // The request comes back as the message of an error.
    let address = server(|request| {
        let fields: Vec<_> = request
            .lines()
            .filter(|line| line.to_ascii_lowercase().starts_with("authorization"))
            .collect();
        let message = fields.join("|").to_ascii_lowercase();
        let body =
            format!(r#"{{"jsonrpc":"2.0","error":{{"code":1,"message":"{message}"}},"id":null}}"#);
        http("200 OK", "", &body)
    });
    let with_password = || Http::new(format!("http://me:p%40ss@{address}/rpc"));
    for (http, expected) in [
        (with_password(), "authorization: basic bwu6cebzcw=="),
        (
            with_password().bearer("t0ken"),
            "authorization: bearer t0ken",
        ),
    ] {
        let called: Result<u64, Error> = Client::from(http).call("count", &()).await;
        let error = called.expect_err("an error");
        assert_eq!(error.fault().expect("a fault").message(), expected);
    }
}

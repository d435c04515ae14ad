//! Large bodies that all callers share, over sockets: they are sent from where they are stored.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use docent::{Cx, Fault, Procedure, Server, Service};
use raw_http::{Request, Response};

/// More than a socket takes at once.
const PROCEDURES: usize = 1_000;
const WORDS: usize = 1_000;

const DESCRIBE: &str = "/rpc/rpc.describe";
const CALL: &str = r#"{"jsonrpc":"2.0","method":"rpc.describe","id":"7"}"#;
const HELLO: &str = r#"{"jsonrpc":"2.0","result":"hello","id":null}"#;

/// A server, and its description.
struct Served {
    address: SocketAddr,
    description: String,
}

impl Served {
    fn connect(&self) -> TcpStream {
        let connection = TcpStream::connect(self.address).expect("a server");
        let patience = Some(Duration::from_secs(30));
        connection.set_read_timeout(patience).expect("a time");
        connection
    }

    /// Returns the body of the response to a request with this ID.
    fn described(&self, id: &str) -> String {
        let description = &self.description;
        format!(r#"{{"jsonrpc":"2.0","result":{description},"id":{id}}}"#)
    }

    #[track_caller]
    fn assert_described(&self, response: &Response, id: &str) {
        // The bodies are too large to be printed.
        let expected = self.described(id);
        assert_eq!(response.status, 200);
        assert_eq!(
            response.only("content-length"),
            Some(&*expected.len().to_string())
        );
        assert_eq!(response.header("transfer-encoding"), None);
        assert!(response.text() == expected, "another body");
    }
}

fn served() -> &'static Served {
    static SERVED: OnceLock<Served> = OnceLock::new();
    SERVED.get_or_init(|| {
        let text = "eight b ".repeat(WORDS);
        let hello = || Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
        let more = (0..PROCEDURES).map(|n| {
            let greets = |_: Cx, (): ()| Ok::<_, Fault>("hello");
            Procedure::sync(format!("hello{n}"), greets).description(&*text)
        });
        let service = Service::builder("greeter", "urn:uuid:0b7a52d4-3c66-4f0e-8f1c-5d2a9e3b7c02")
            .procedure(hello().idempotent())
            .procedures(more)
            .build()
            .expect("no mistakes");
        let description = service.rendered_description().to_vec();
        let (sender, receiver) = std::sync::mpsc::channel();
        thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = Server::new(service)
                    .workers(1)
                    .bind("127.0.0.1:0")
                    .expect("a free port");
                sender.send(server.addresses()[0]).expect("a test");
                server.run().await
            })
        });
        Served {
            address: receiver.recv().expect("a server"),
            description: String::from_utf8(description).expect("UTF-8"),
        }
    })
}

#[test]
fn a_large_description_arrives_whole_and_its_connection_stays_open() {
    let served = served();
    let mut connection = served.connect();
    let mut ask = |request: &Request<'_>| Response::exchange(&mut connection, request);
    let first = ask(&Request::new("GET", DESCRIBE));
    served.assert_described(&first, "null");
    served.assert_described(&ask(&Request::post("/rpc", CALL.as_bytes())), r#""7""#);
    let head = ask(&Request::new("HEAD", DESCRIBE));
    assert_eq!(head.only("content-length"), first.only("content-length"));
    let tag = first.header("etag").expect("a validator");
    assert_eq!(
        ask(&Request::new("GET", DESCRIBE).header("If-None-Match", tag)).status,
        304
    );
    assert_eq!(ask(&Request::new("GET", "/rpc/hello")).text(), HELLO);
    let last = Request::new("GET", DESCRIBE).header("Connection", "close");
    served.assert_described(&ask(&last), "null");
    assert_eq!(connection.read(&mut [0]).expect("the end"), 0);
}

#[test]
fn responses_before_and_after_a_large_description_keep_their_order() {
    let served = served();
    let hello = Request::new("GET", "/rpc/hello").bytes();
    let get = Request::new("GET", DESCRIBE).bytes();
    let post = Request::post("/rpc", CALL.as_bytes()).bytes();
    let mut connection = served.connect();
    let requests = [&*hello, &get, &hello, &post, &get, &hello].concat();
    connection.write_all(&requests).expect("a server");
    for id in [None, Some("null"), None, Some(r#""7""#), Some("null"), None] {
        let response = Response::read(&mut connection, false);
        match id {
            Some(id) => served.assert_described(&response, id),
            None => assert_eq!(response.text(), HELLO),
        }
    }
}

#[test]
fn callers_that_read_late_get_the_whole_description_and_others_do_not_wait_for_them() {
    let served = served();
    let get = Request::new("GET", DESCRIBE).bytes();
    let mut late: Vec<_> = (0..8).map(|_| served.connect()).collect();
    for connection in &mut late {
        connection.write_all(&get).expect("a server");
        connection.read_exact(&mut [0; 4]).expect("it has begun");
    }
    // One of them leaves in the middle.
    drop(late.pop());
    let prompt = Response::exchange(&mut served.connect(), &Request::new("GET", DESCRIBE));
    served.assert_described(&prompt, "null");
    for connection in &mut late {
        let begun = &mut b"HTTP".as_slice();
        let response = Response::read(&mut begun.chain(connection), false);
        served.assert_described(&response, "null");
    }
}

#[test]
fn http_1_0_gets_a_large_description_until_the_connection_closes() {
    let served = served();
    let mut connection = served.connect();
    let request = format!("GET {DESCRIBE} HTTP/1.0\r\n\r\n");
    connection.write_all(request.as_bytes()).expect("a server");
    let mut response = String::new();
    connection.read_to_string(&mut response).expect("UTF-8");
    let (head, body) = response.split_once("\r\n\r\n").expect("a head");
    let body_is_whole = body == served.described("null");
    assert!(body_is_whole, "{head}: {} bytes", body.len());
}

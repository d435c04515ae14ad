//! An HTTP client that sends exactly what it is told to, and a server to send it to.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use docent_server::{HttpOptions, Service};

/// A server on a free port of this machine. It ends with the process.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) fn start(service: Service) -> Self {
        Self::with_options(service, |_| {})
    }

    pub(crate) fn with_options(service: Service, change: impl FnOnce(&mut HttpOptions)) -> Self {
        Self::serving(docent_server::Server::new(service).options(change))
    }

    pub(crate) fn serving(server: docent_server::Server) -> Self {
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = server.workers(2).bind("127.0.0.1:0").expect("a free port");
                sender
                    .send(server.addresses()[0])
                    .expect("the test waits for it");
                server.run().await
            })
        });
        Self {
            address: receiver.recv().expect("the server starts"),
        }
    }

    /// The service in an `App` of its own, with `/health` and `/docs` beside it.
    pub(crate) fn in_an_app(service: Service) -> Self {
        use actix_web::{App, HttpServer};
        use docent_server::{Docs, Health, Mount};
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let docs = Docs::builder("/docs", "/rpc", &service);
                let docs = docs.build().expect("a site");
                let server = HttpServer::new(move || {
                    let mount = Mount::new("/rpc", &service);
                    App::new()
                        .service(Health::new())
                        .service(docs.clone())
                        .service(mount)
                });
                let server = server.h1_allow_half_closed(false).workers(1);
                let server = server.bind("127.0.0.1:0").expect("a free port");
                sender.send(server.addrs()[0]).expect("the test waits");
                server.run().await
            })
        });
        Self {
            address: receiver.recv().expect("the server starts"),
        }
    }

    /// Sends a request on a connection of its own.
    pub(crate) fn send(&self, request: &Request<'_>) -> Answer {
        Answer::exchange(&mut self.connect(), request)
    }

    pub(crate) fn post(&self, body: impl AsRef<[u8]>) -> Answer {
        self.send(&Request::post("/rpc", body.as_ref()))
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        self.send(&Request::new("GET", target))
    }

    /// Runs a call without parameters under the id 1.
    pub(crate) fn call(&self, procedure: &str) -> String {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":1}}"#);
        self.post(body).brief()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let connection = TcpStream::connect(self.address).expect("the server listens");
        let patience = Some(Duration::from_secs(60));
        connection
            .set_read_timeout(patience)
            .expect("a timeout can be set");
        connection
    }
}

/// A request, header field by header field.
#[derive(Clone)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) target: &'a str,
    pub(crate) headers: Vec<(&'a str, &'a str)>,
    pub(crate) body: Option<&'a [u8]>,
}

impl<'a> Request<'a> {
    pub(crate) fn new(method: &'a str, target: &'a str) -> Self {
        Self {
            method,
            target,
            headers: Vec::new(),
            body: None,
        }
    }

    pub(crate) fn post(target: &'a str, body: &'a [u8]) -> Self {
        let headers = vec![("Content-Type", "application/json")];
        Self {
            method: "POST",
            target,
            headers,
            body: Some(body),
        }
    }

    pub(crate) fn header(mut self, name: &'a str, value: &'a str) -> Self {
        self.headers
            .retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.headers.push((name, value));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers
            .retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self
    }

    /// The request with its body in chunks of this size.
    pub(crate) fn chunked(&self, size: usize) -> Vec<u8> {
        let bodiless = Request {
            body: None,
            ..self.clone().header("Transfer-Encoding", "chunked")
        };
        let mut bytes = bodiless.bytes();
        for chunk in self.body.unwrap_or_default().chunks(size) {
            bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            bytes.extend_from_slice(chunk);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"0\r\n\r\n");
        bytes
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: localhost\r\n",
            self.method, self.target
        );
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if let Some(body) = self.body {
            let _ = write!(head, "Content-Length: {}\r\n", body.len());
        }
        let mut bytes = (head + "\r\n").into_bytes();
        bytes.extend_from_slice(self.body.unwrap_or_default());
        bytes
    }
}

/// Whether the other end closes the connection without another word.
pub(crate) fn is_closed(connection: &mut TcpStream) -> bool {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    let patience = Some(Duration::from_secs(15));
    connection
        .set_read_timeout(patience)
        .expect("a timeout can be set");
    match connection.read(&mut [0]) {
        Ok(read) => read == 0,
        // A connection that is closed with something unread may also be reset.
        Err(error) => !matches!(error.kind(), TimedOut | WouldBlock),
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Sends a request and reads its answer on a connection that goes on.
    pub(crate) fn exchange(connection: &mut TcpStream, request: &Request<'_>) -> Self {
        connection
            .write_all(&request.bytes())
            .expect("the server takes the request");
        Self::read(connection, request.method == "HEAD")
    }

    pub(crate) fn read(connection: &mut TcpStream, headless: bool) -> Self {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            connection.read_exact(&mut byte).expect("a whole head");
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).expect("a head in UTF-8");
        let mut lines = head.lines();
        let status = lines
            .next()
            .and_then(|line| line.split(' ').nth(1))
            .expect("a status line");
        let headers: Vec<_> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let mut answer = Self {
            status: status.parse().expect("a number"),
            headers,
            body: Vec::new(),
        };
        if !headless {
            let length = answer
                .header("content-length")
                .map_or(0, |length| length.parse().expect("a length"));
            answer.body.resize(length, 0);
            connection
                .read_exact(&mut answer.body)
                .expect("a whole body");
        }
        answer
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(other, _)| other == name)?;
        Some(value)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("an answer in UTF-8")
    }

    /// The answer in short form, 204 being silence.
    pub(crate) fn brief(&self) -> String {
        crate::reply::brief((self.status != 204).then_some(&*self.body))
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Checks an answer to an exchange that never became a call: its status, and an error for
    /// nobody in particular.
    #[track_caller]
    pub(crate) fn assert_refusal(&self, status: u16, what: &str) {
        assert_eq!(self.status, status, "{what}");
        let response = crate::reply::Response::read(self.text());
        assert!(response.outcome.is_err(), "{what}: {}", self.text());
        assert_eq!(response.id, "null", "{what}");
        assert_eq!(
            self.header("content-type"),
            Some("application/json"),
            "{what}"
        );
    }

    pub(crate) fn code(&self) -> Option<i64> {
        self.json()["error"]["code"].as_i64()
    }
}

//! Small servers on the loopback interface that act as live services.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio_websockets::{Message, ServerBuilder};

/// A request that a server received.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    /// All header fields, with names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Request {
    /// Returns a header field by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(field, _)| field == name)
            .map(|(_, value)| value.as_str())
    }
}

/// The response that it sends.
pub(crate) struct Response {
    status: u16,
    /// The connection ends without a response, or stays open without one.
    is_missing: Option<Missing>,
    headers: Vec<(&'static str, String)>,
    body: String,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Missing {
    Closes,
    Hangs,
}

impl Response {
    /// No response.
    pub(crate) fn missing(missing: Missing) -> Self {
        Self {
            is_missing: Some(missing),
            ..Self::new(0, "")
        }
    }

    pub(crate) fn new(status: u16, body: impl Into<String>) -> Self {
        Self {
            status,
            is_missing: None,
            headers: Vec::new(),
            body: body.into(),
        }
    }

    pub(crate) fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn redirect(status: u16, to: impl Into<String>) -> Self {
        Self {
            status,
            is_missing: None,
            headers: vec![("Location", to.into())],
            body: String::new(),
        }
    }

    /// Returns the response of a service that has one procedure, which returns a document.
    pub(crate) fn of_service(request: &Request, procedure: &str, document: &str) -> Self {
        let is_asked = request
            .body
            .contains(&format!("\"method\":\"{procedure}\""));
        match (request.method.as_str(), is_asked) {
            ("POST", true) => Self::new(
                200,
                format!("{{\"jsonrpc\":\"2.0\",\"result\":{document},\"id\":1}}"),
            ),
            ("POST", false) => Self::new(
                200,
                r#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}"#,
            ),
            _ => Self::new(405, ""),
        }
    }
}

/// A server and the requests that it has received.
pub(crate) struct Server {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(crate) fn start(respond: impl Fn(&Request) -> Response + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let accept = move || listener.accept().map(|(stream, _)| stream);
        Self::serve(port, accept, respond)
    }

    /// Serves at a Unix domain socket instead of a port.
    #[cfg(unix)]
    pub(crate) fn at_socket(
        path: &std::path::Path,
        respond: impl Fn(&Request) -> Response + Send + 'static,
    ) -> Self {
        let listener = std::os::unix::net::UnixListener::bind(path).expect("a socket");
        let accept = move || listener.accept().map(|(stream, _)| stream);
        Self::serve(0, accept, respond)
    }

    /// Answers one request on each connection.
    fn serve<S>(
        port: u16,
        accept: impl Fn() -> io::Result<S> + Send + 'static,
        respond: impl Fn(&Request) -> Response + Send + 'static,
    ) -> Self
    where
        S: Send + 'static,
        for<'s> &'s S: Read + Write,
    {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        thread::spawn(move || {
            let mut hanging = Vec::new();
            loop {
                let stream = accept().expect("a connection");
                if let Some(request) = read(&stream) {
                    log.lock().expect("sound").push(request.clone());
                    let response = respond(&request);
                    match response.is_missing {
                        None => write(&stream, &response),
                        Some(Missing::Closes) => {}
                        Some(Missing::Hangs) => hanging.push(stream),
                    }
                }
            }
        });
        Self { port, requests }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("sound").clone()
    }
}

fn read(stream: impl Read) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut words = first.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (mut length, mut authorization) = (0, None);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().expect("a number"),
            "authorization" => authorization = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).expect("UTF-8");
    Some(Request {
        method,
        path,
        authorization,
        headers,
        body,
    })
}

fn write(mut stream: impl Write, response: &Response) {
    let Response {
        status,
        headers,
        body,
        ..
    } = response;
    let mut lines = vec![
        format!("HTTP/1.1 {status} X"),
        format!("Content-Length: {}", body.len()),
        "Connection: close".to_owned(),
    ];
    let has_type = headers.iter().any(|(name, _)| *name == "Content-Type");
    if !has_type && body.starts_with(['{', '[']) {
        lines.push("Content-Type: application/json".to_owned());
    }
    lines.extend(
        headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}")),
    );
    let message = format!("{}\r\n\r\n{body}", lines.join("\r\n"));
    // A client that has disconnected does not read the rest.
    let _ = stream.write_all(message.as_bytes());
}

/// Serves WebSockets on a port, which it returns. Each connection has an answerer of its own, which returns the messages
/// to send; without any, the connection is lost.
pub(crate) fn start_sockets<A>(answerer: impl Fn() -> A + Send + 'static) -> u16
where
    A: FnMut(&Message) -> Option<Vec<Message>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let response = answerer();
            thread::spawn(move || serve_socket(stream, response));
        }
    });
    port
}

fn serve_socket(stream: TcpStream, mut respond: impl FnMut(&Message) -> Option<Vec<Message>>) {
    stream.set_nonblocking(true).expect("a socket");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(async {
        let stream = tokio::net::TcpStream::from_std(stream).expect("a socket");
        let accepted = ServerBuilder::new().accept(stream).await;
        let (_, mut socket) = accepted.expect("a handshake");
        while let Some(received) = socket.next().await {
            // The reason for which it closes follows an error.
            let Ok(message) = received else {
                continue;
            };
            let Some(responses) = respond(&message) else {
                return;
            };
            for response in responses {
                let _ = socket.send(response).await;
            }
        }
    });
}

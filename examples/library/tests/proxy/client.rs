//! A client that shows everything that came back.

use std::fmt::Display;
use std::io::ErrorKind;
use std::net::TcpStream;
use std::ops::Deref;
use std::sync::Mutex;

use raw_http::Request;
use serde_json::{Value, json};

use crate::setup::{PATIENCE, TOKEN};

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer(raw_http::Answer);

impl Deref for Answer {
    type Target = raw_http::Answer;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Answer {
    /// A header field; empty where there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.0.header(name).unwrap_or_default()
    }

    /// What nginx says about where the answer is from; empty where the cache was not asked.
    pub(crate) fn cache(&self) -> &str {
        self.header("x-cache-status")
    }
}

/// Asks an address on one connection, as long as that is open: nginx keeps an answer after it has sent
/// it, and before it looks at the next request of that connection. It asks below `/rpc`.
pub(crate) struct Client {
    address: String,
    connection: Mutex<Option<TcpStream>>,
    /// What it says when it calls by POST.
    token: Option<&'static str>,
}

impl Client {
    pub(crate) fn of(address: impl Display) -> Self {
        Self {
            address: address.to_string(),
            connection: Mutex::default(),
            token: Some(TOKEN),
        }
    }

    pub(crate) fn without_token(self) -> Self {
        Self {
            token: None,
            ..self
        }
    }

    pub(crate) fn get(&self, below: &str) -> Answer {
        self.get_with(below, &[])
    }

    pub(crate) fn get_with(&self, below: &str, fields: &[(&str, &str)]) -> Answer {
        self.send("GET", &format!("/{below}"), fields, None)
    }

    pub(crate) fn call(&self, procedure: &str, params: &Value) -> Answer {
        let call = json!({"jsonrpc": "2.0", "method": procedure, "params": params, "id": 1});
        let mut fields = vec![("content-type", "application/json")];
        let credentials = self.token.map(|token| format!("Bearer {token}"));
        fields.extend(credentials.iter().map(|it| ("authorization", it.as_str())));
        self.send("POST", "", &fields, Some(&call.to_string()))
    }

    /// The result of a call that changes something.
    pub(crate) fn write(&self, procedure: &str, params: &Value) -> Value {
        let answer = self.call(procedure, params);
        assert_eq!((answer.status, answer.cache()), (200, ""), "{answer:?}");
        let body = answer.json();
        assert_eq!(body.get("error"), None, "{procedure} {params}");
        body["result"].clone()
    }

    fn send(
        &self,
        method: &str,
        below: &str,
        fields: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let target = format!("/rpc{below}");
        let mut request = Request::new(method, &target);
        request.headers.extend_from_slice(fields);
        request.body = body.map(str::as_bytes);
        let kept = self.connection.lock().unwrap().take().filter(is_open);
        let mut connection = kept.unwrap_or_else(|| self.connect());
        let answer = raw_http::Answer::exchange(&mut connection, &request);
        if answer.header("connection") != Some("close") {
            *self.connection.lock().unwrap() = Some(connection);
        }
        Answer(answer)
    }

    fn connect(&self) -> TcpStream {
        let connection = TcpStream::connect(&self.address).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        connection
    }
}

/// Whether the other end has neither closed a connection nor said anything on it.
fn is_open(connection: &TcpStream) -> bool {
    connection.set_nonblocking(true).unwrap();
    let waits = connection
        .peek(&mut [0])
        .is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
    connection.set_nonblocking(false).unwrap();
    waits
}

//! A client that returns the whole response.

use std::fmt::Display;
use std::io::ErrorKind;
use std::net::TcpStream;
use std::ops::Deref;
use std::sync::Mutex;

use raw_http::Request;
use serde_json::{Value, json};

use crate::setup::{PATIENCE, TOKEN};

/// A response.
#[derive(Debug)]
pub(crate) struct Response(raw_http::Response);

impl Deref for Response {
    type Target = raw_http::Response;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Response {
    /// Returns a header field, or an empty text if it is absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.0.header(name).unwrap_or_default()
    }

    /// Returns nginx's cache status, or an empty text if the cache was not used.
    pub(crate) fn cache(&self) -> &str {
        self.header("x-cache-status")
    }
}

/// Sends requests below `/rpc` on one connection for as long as it is open. nginx stores a response
/// after it has sent it, but before it reads the next request on the same connection.
pub(crate) struct Client {
    address: String,
    connection: Mutex<Option<TcpStream>>,
    /// The token in its POST requests.
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

    pub(crate) fn get(&self, below: &str) -> Response {
        self.get_with(below, &[])
    }

    pub(crate) fn get_with(&self, below: &str, fields: &[(&str, &str)]) -> Response {
        self.send("GET", &format!("/{below}"), fields, None)
    }

    pub(crate) fn call(&self, procedure: &str, params: &Value) -> Response {
        self.post(&json!({"jsonrpc": "2.0", "method": procedure, "params": params, "id": 1}))
    }

    /// Calls with a key.
    pub(crate) fn keyed(&self, procedure: &str, params: &Value, key: &str) -> Response {
        self.post(&json!({
            "jsonrpc": "2.0", "method": procedure, "params": params, "id": 1,
            "x-idempotency-key": key,
        }))
    }

    fn post(&self, call: &Value) -> Response {
        let mut fields = vec![("content-type", "application/json")];
        let credentials = self.token.map(|token| format!("Bearer {token}"));
        if let Some(credentials) = &credentials {
            fields.push(("authorization", credentials));
        }
        self.send("POST", "", &fields, Some(&call.to_string()))
    }

    /// Returns the result of a write call.
    pub(crate) fn write(&self, procedure: &str, params: &Value) -> Value {
        let response = self.call(procedure, params);
        assert_eq!(
            (response.status, response.cache()),
            (200, ""),
            "{response:?}"
        );
        let body = response.json();
        assert_eq!(body.get("error"), None, "{procedure} {params}");
        body["result"].clone()
    }

    fn send(
        &self,
        method: &str,
        below: &str,
        fields: &[(&str, &str)],
        body: Option<&str>,
    ) -> Response {
        let target = format!("/rpc{below}");
        let mut request = Request::new(method, &target);
        request.headers.extend_from_slice(fields);
        request.body = body.map(str::as_bytes);
        let open = self.connection.lock().unwrap().take().filter(is_open);
        let mut connection = match open {
            Some(connection) => connection,
            None => self.connect(),
        };
        let response = raw_http::Response::exchange(&mut connection, &request);
        if response.header("connection") != Some("close") {
            *self.connection.lock().unwrap() = Some(connection);
        }
        Response(response)
    }

    fn connect(&self) -> TcpStream {
        let connection = TcpStream::connect(&self.address).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        connection
    }
}

/// Returns whether the peer has neither closed the connection nor sent anything.
fn is_open(connection: &TcpStream) -> bool {
    connection.set_nonblocking(true).unwrap();
    let waits = connection
        .peek(&mut [0])
        .is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
    connection.set_nonblocking(false).unwrap();
    waits
}

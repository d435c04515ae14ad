//! A library over HTTP, and a client that returns the whole response.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use docent::Service;
use library::api;
use library::clock::FixedClock;
use library::token::Token;
use raw_http::Request;
use serde_json::{Value, json};

use crate::database::Database;
use crate::support::day;

/// The token that write calls require. The README starts its library with it.
pub(crate) const TOKEN: &str = "friend";

/// The header value that carries the token.
const CREDENTIAL: &str = "Bearer friend";

pub(crate) fn token() -> Token {
    Token::new(TOKEN).unwrap()
}

/// The day on which the examples were recorded.
pub(crate) const EXAMPLES_DAY: &str = "2026-03-02";

/// A new library on a free port. It runs until the process ends.
pub(crate) struct Served {
    address: SocketAddr,
    _database: Database,
}

impl Served {
    pub(crate) fn new() -> Self {
        Self::on(EXAMPLES_DAY)
    }

    /// Starts a new library on this day.
    pub(crate) fn on(today: &str) -> Self {
        let database = Database::new();
        let store = database.open(Arc::new(FixedClock(day(today))));
        Self {
            address: serve(api::service(store, &token(), None).unwrap()),
            _database: database,
        }
    }

    pub(crate) fn client(&self) -> Client<'static> {
        Client::new(self.address)
    }
}

/// Serves a service until the process ends. Returns its address.
pub(crate) fn serve(service: Service) -> SocketAddr {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let server = docent::Server::new(service)
                .workers(2)
                .bind("127.0.0.1:0")
                .unwrap();
            sender.send(server.addresses()[0]).unwrap();
            server.run().await
        })
    });
    receiver.recv().unwrap()
}

/// Calls a service at `/rpc`, with a new connection for each call, and sends the token unless told
/// otherwise.
#[derive(Clone, Copy)]
pub(crate) struct Client<'t> {
    address: SocketAddr,
    authorization: Option<&'t str>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns whether the head has this field, such as `allow: POST`.
    pub(crate) fn has(&self, field: &str) -> bool {
        let (name, value) = field.split_once(": ").unwrap();
        let is_it =
            |(other, is): &(String, String)| other.eq_ignore_ascii_case(name) && is == value;
        self.headers.iter().any(is_it)
    }

    pub(crate) fn error(&self) -> (i64, Value) {
        let error = &self.json()["error"];
        (error["code"].as_i64().unwrap(), error["data"].clone())
    }
}

impl Client<'static> {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self {
            address,
            authorization: Some(CREDENTIAL),
        }
    }
}

impl Client<'_> {
    /// Sends other credentials, or none.
    pub(crate) fn bringing(self, authorization: Option<&str>) -> Client<'_> {
        Client {
            address: self.address,
            authorization,
        }
    }

    /// Sends a request. Returns `None` if no complete response arrives.
    pub(crate) fn try_send(self, method: &str, target: &str, body: &str) -> Option<Response> {
        let mut connection = TcpStream::connect(self.address).ok()?;
        let mut request = Request::post(target, body.as_bytes());
        request.method = method;
        request.headers.push(("Connection", "close"));
        let credential = self
            .authorization
            .map(|credential| ("Authorization", credential));
        request.headers.extend(credential);
        connection.write_all(&request.bytes()).ok()?;
        let response = raw_http::Response::try_read(&mut connection, method == "HEAD").ok()?;
        Some(Response {
            status: response.status,
            body: response.text().to_owned(),
            headers: response.headers,
        })
    }

    pub(crate) fn send(self, method: &str, target: &str, body: &str) -> Response {
        self.try_send(method, target, body).expect("a response")
    }

    pub(crate) fn get(self, below: &str) -> Response {
        self.send("GET", &format!("/rpc/{below}"), "")
    }

    pub(crate) fn post(self, body: &Value) -> Response {
        self.send("POST", "/rpc", &body.to_string())
    }

    /// Returns the response to a call.
    pub(crate) fn answer(self, procedure: &str, params: &Value) -> Response {
        let response = self.post(&call(procedure, params, 1));
        assert_eq!(response.status, 200, "{response:?}");
        assert_eq!(response.json()["id"], 1);
        response
    }

    /// Returns the result of a call.
    pub(crate) fn call(self, procedure: &str, params: &Value) -> Value {
        let response = self.answer(procedure, params).json();
        assert_eq!(response.get("error"), None, "{procedure} {params}");
        response["result"].clone()
    }

    /// Returns the code and the data of the error that a call fails with.
    pub(crate) fn error(self, procedure: &str, params: &Value) -> (i64, Value) {
        self.answer(procedure, params).error()
    }
}

/// Returns a request.
pub(crate) fn call(procedure: &str, params: &Value, id: u32) -> Value {
    json!({"jsonrpc": "2.0", "method": procedure, "params": params, "id": id})
}

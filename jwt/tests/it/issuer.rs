//! An issuer on loopback, which tests can change while it runs.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use serde_json::{Value, json};

use crate::keys::SigningKey;

const CONFIGURATION: &str = "/.well-known/openid-configuration";

pub(crate) struct Issuer {
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    keys: Vec<Value>,
    manner: Manner,
    /// The paths that were asked for.
    requests: Vec<String>,
    /// Connections that get no answer.
    held: Vec<TcpStream>,
}

/// The way in which an issuer treats a request.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) enum Manner {
    #[default]
    Answers,
    /// Closes the connection.
    IsDown,
    Hangs,
    Fails,
    Redirects,
    /// Sends more than any issuer would.
    Floods,
    /// Says that it is another issuer.
    HasOtherName,
    /// Leads to an address without TLS on another machine.
    LeadsElsewhere,
    SendsNoJson,
}

impl Issuer {
    pub(crate) fn start(keys: &[&SigningKey]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let issuer = Self {
            url: url.clone(),
            state: Arc::default(),
        };
        issuer.publish(keys);
        let state = Arc::clone(&issuer.state);
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                // A client that hangs up has made up its mind.
                drop(answer(connection, &state, &url));
            }
        });
        issuer
    }

    /// Replaces the keys.
    pub(crate) fn publish(&self, keys: &[&SigningKey]) {
        self.publish_jwks(keys.iter().map(|key| key.jwk()).collect());
    }

    pub(crate) fn publish_jwks(&self, keys: Vec<Value>) {
        self.state().keys = keys;
    }

    pub(crate) fn set(&self, manner: Manner) {
        self.state().manner = manner;
    }

    /// Returns how often the keys were asked for.
    pub(crate) fn fetches(&self) -> usize {
        let requests = &self.state().requests;
        requests.iter().filter(|path| *path == "/jwks").count()
    }

    /// Returns how many requests came.
    pub(crate) fn requests(&self) -> usize {
        self.state().requests.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic")
    }
}

fn answer(mut connection: TcpStream, state: &Mutex<State>, url: &str) -> io::Result<()> {
    let mut lines = BufReader::new(connection.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default();
    let mut state = state.lock().expect("no panic");
    state.requests.push(path.to_owned());
    let (status, body) = match state.manner {
        Manner::IsDown => return Ok(()),
        Manner::Hangs => {
            state.held.push(connection);
            return Ok(());
        }
        Manner::Fails => ("500 Internal Server Error", "{}".to_owned()),
        Manner::Redirects => ("302 Found\r\nLocation: /jwks", String::new()),
        Manner::Floods => ("200 OK", " ".repeat(1 << 20)),
        Manner::SendsNoJson => ("200 OK", "<html>".to_owned()),
        manner => {
            let issuer = if manner == Manner::HasOtherName {
                "http://other.example"
            } else {
                url
            };
            let elsewhere = "http://other.example/jwks".to_owned();
            let leads_elsewhere = manner == Manner::LeadsElsewhere;
            let jwks = if leads_elsewhere {
                elsewhere
            } else {
                format!("{url}/jwks")
            };
            let document = match path {
                CONFIGURATION => json!({"issuer": issuer, "jwks_uri": jwks}),
                _ => json!({"keys": state.keys}),
            };
            ("200 OK", document.to_string())
        }
    };
    let length = body.len();
    write!(
        connection,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

//! Wrong tokens over sockets: however their senders leave, no more are looked at than may be wrong.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use docent::testing::TestServer;
use docent::{
    Authentication, Authenticator, Credentials, Cx, Fault, Identity, Procedure, Rejection, Routes,
    Service,
};
use raw_http::{Request, Response};
use socket2::SockRef;
use tokio::sync::watch;

struct User;

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("ann")
    }
}

/// Looks at any token but the right one until the test opens the gate of the token's client.
#[derive(Clone)]
struct Slow {
    /// The number of tokens of each client that were looked at.
    asked: Arc<Mutex<HashMap<usize, usize>>>,
    /// The number of the last client whose gate is open.
    open: Arc<watch::Sender<usize>>,
}

impl Authenticator for Slow {
    type Identity = User;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<User> {
        let Some(token) = credentials.only_field("Token") else {
            return Authentication::ready(None);
        };
        let token = std::str::from_utf8(token).expect("the test sends UTF-8");
        let Some((kind, client)) = token.split_once('-') else {
            return Authentication::ready(Some(User));
        };
        let client = client.parse().expect("the test sends a number");
        let is_wrong = kind == "wrong";
        *self
            .asked
            .lock()
            .expect("no panic")
            .entry(client)
            .or_default() += 1;
        let mut open = self.open.subscribe();
        Authentication::pending(async move {
            let opened = open.wait_for(|open| *open >= client).await;
            drop(opened);
            Err(if is_wrong {
                Rejection::unauthorized("Token")
            } else {
                Rejection::internal("no database")
            })
        })
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Token".to_owned()])
    }
}

/// The number of wrong tokens that a client may show.
const MOST: usize = 2;

/// The number of requests of each client.
const BURST: usize = 6;

const WHO: &str = r#"{"jsonrpc":"2.0","method":"who","id":1}"#;

/// The method, the target and the body of a request that needs a caller.
const WAYS_IN: [(&str, &str, &str); 12] = [
    ("POST", "/rpc", WHO),
    ("POST", "/rpc/who", WHO),
    (
        "POST",
        "/rpc",
        r#"[{"jsonrpc":"2.0","method":"who","id":1},{"jsonrpc":"2.0","method":"who"}]"#,
    ),
    ("POST", "/rpc", r#"{"version":"1.1","method":"who","id":1}"#),
    ("GET", "/rpc/who", ""),
    ("HEAD", "/rpc/who", ""),
    ("GET", "/rpc", ""),
    ("GET", "/rpc/rpc.describe", ""),
    ("GET", "/openapi.json", ""),
    ("GET", "/.well-known/api-catalog", ""),
    ("GET", "/docs/", ""),
    (
        "POST",
        "/mcp",
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"who","arguments":{}},"id":1}"#,
    ),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaving {
    Stays,
    Closes,
    Resets,
    HalfCloses,
    /// The call runs out of time.
    IsLate,
}

impl Leaving {
    const ALL: [Self; 5] = [
        Self::Stays,
        Self::Closes,
        Self::Resets,
        Self::HalfCloses,
        Self::IsLate,
    ];

    /// Leaves, and returns the connection if it is still open.
    fn leave(self, connection: TcpStream) -> Option<TcpStream> {
        match self {
            Self::Stays | Self::IsLate => return Some(connection),
            Self::Closes => {}
            Self::Resets => {
                let reset = SockRef::from(&connection).set_linger(Some(Duration::ZERO));
                reset.expect("a socket");
            }
            Self::HalfCloses => {
                connection.shutdown(Shutdown::Write).expect("a socket");
                return Some(connection);
            }
        }
        None
    }
}

struct Desk {
    slow: Slow,
    service: Service,
    server: TestServer,
}

impl Desk {
    fn start(timeout: Duration) -> Self {
        let slow = Slow {
            asked: Arc::default(),
            open: Arc::new(watch::Sender::new(0)),
        };
        let who = Procedure::sync("who", |_: Cx<(), User>, (): ()| Ok::<_, Fault>("you"));
        let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
        let service = Service::builder("desk", "urn:example:desk")
            .limits(|limits| limits.timeout = timeout)
            .authenticate(slow.clone())
            .protect(|procedure| procedure.name == "rpc.describe")
            .failed_logins(MOST.try_into().expect("few"), Duration::from_secs(3_600))
            .procedure(who.idempotent().tool())
            .procedure(hello.idempotent())
            .build()
            .expect("no mistakes");
        let routes = Routes::new(service.clone())
            .options(|options| options.trusted_proxies = vec!["127.0.0.1".parse().expect("it is")]);
        Self {
            server: TestServer::start(routes).expect("a server"),
            service,
            slow,
        }
    }

    /// Sends a request of a client with this token, and returns its connection.
    fn send(&self, way: (&str, &str, &str), client: usize, token: &str) -> TcpStream {
        let (method, target, body) = way;
        let address = format!("192.0.2.{client}");
        let mut request = Request::new(method, target)
            .header("X-Forwarded-For", &address)
            .header("Token", token);
        if method == "POST" {
            request.body = Some(body.as_bytes());
            request = request
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2025-11-25");
        }
        let mut connection = TcpStream::connect(self.server.address()).expect("a connection");
        let sent = connection.write_all(&request.bytes());
        sent.expect("it is sent");
        connection
    }

    fn asked(&self, client: usize) -> usize {
        let asked = self.slow.asked.lock().expect("no panic");
        asked.get(&client).copied().unwrap_or_default()
    }

    /// Waits until the server has read what was sent before, and has seen who has left.
    fn round_trips(&self) {
        for _ in 0..5 {
            let mut connection = TcpStream::connect(self.server.address()).expect("a connection");
            let hello = Response::exchange(&mut connection, &Request::new("GET", "/rpc/hello"));
            assert_eq!(hello.status, 200);
        }
    }

    /// Sends a burst of requests with the same token, whose senders leave one after the other. Returns
    /// the connections that are open.
    fn burst(
        &self,
        way: (&str, &str, &str),
        client: usize,
        token: &str,
        leaving: Leaving,
    ) -> Vec<TcpStream> {
        let mut open = Vec::new();
        for sent in 1..=BURST {
            let connection = self.send(way, client, token);
            if sent <= MOST {
                until(|| self.asked(client) == sent);
            }
            self.round_trips();
            open.extend(leaving.leave(connection));
            self.round_trips();
        }
        if leaving == Leaving::IsLate {
            // All of them are answered, although nobody has looked at their tokens to the end.
            for mut connection in std::mem::take(&mut open) {
                Response::read(&mut connection, way.0 == "HEAD");
            }
        }
        open
    }

    /// Sends the call of an honest client, with its address.
    fn honest(&self, client: usize) -> TcpStream {
        self.send(WAYS_IN[0], client, "right")
    }

    /// Returns the answer to an honest client. It may wait for checks that are about to end, in a service
    /// that gives it little time.
    fn answer_to_honest(&self, client: usize) -> String {
        loop {
            let response = Response::read(&mut self.honest(client), false);
            if !response.text().contains("-32001") {
                return response.text().to_owned();
            }
        }
    }
}

fn until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it takes too long"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_client_that_leaves_has_no_more_wrong_tokens_checked_than_one_that_stays() {
    let patient = Desk::start(Duration::from_secs(300));
    let hasty = Desk::start(Duration::from_millis(300));
    let mut client = 0;
    for way in WAYS_IN {
        for leaving in Leaving::ALL {
            client += 1;
            let case = format!("{way:?} {leaving:?}");
            let is_late = leaving == Leaving::IsLate;
            let desk = if is_late { &hasty } else { &patient };
            let open = desk.burst(way, client, &format!("wrong-{client}"), leaving);
            assert_eq!(desk.asked(client), MOST, "{case}");
            desk.slow.open.send_replace(client);
            for mut connection in open {
                // Who has closed one half may have been taken for gone.
                let _ = Response::try_read(&mut connection, way.0 == "HEAD");
            }
            let refused = desk.answer_to_honest(client);
            assert!(refused.contains("-32008"), "{case}: {refused}");
            assert_eq!(desk.asked(client), MOST, "{case}");
            let other = desk.answer_to_honest(250);
            assert!(other.contains("you"), "{case}: {other}");
        }
    }
    until(|| patient.service.running_calls() == 0);
}

#[test]
fn an_honest_caller_waits_for_those_who_left_and_is_not_refused_for_them() {
    let desk = Desk::start(Duration::from_secs(300));
    let ways_of_leaving = [Leaving::Closes, Leaving::Resets, Leaving::HalfCloses];
    for (client, leaving) in (1..).zip(ways_of_leaving) {
        // Their credentials turn out not to be wrong.
        desk.burst(WAYS_IN[0], client, &format!("unknown-{client}"), leaving);
        let mut honest = desk.honest(client);
        desk.slow.open.send_replace(client);
        let served = Response::read(&mut honest, false);
        assert!(
            served.text().contains("you"),
            "{leaving:?}: {}",
            served.text()
        );
    }
}

//! A server whose streams of events break off, for tests of clients that follow subscriptions, and a proxy that breaks
//! off those of a service.
//!
//! The streams, and what a client has to make of them, are data: `streams.json`. `GET /cases` sends this table. The first
//! request to `/12/NAME` gets the first connection of the case at this position, from 0, the second request the second,
//! and so on; NAME is any text that no other client uses. `GET` of this address tells with which cursors the client came,
//! and how many of its connections are open.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The table, as JSON: the `cases`, and `texts` to which they refer by their names. A case has a `name`, and
/// `connections`, each a list of texts that are sent one after the other before the connection is closed. `hold` keeps it
/// open for as long as the client does, and `a lot` is [`A_LOT`]. The client has to find the `items`, each with its value,
/// its cursor and how many are missed, and the `outcome`, and to have come with these `cursors`. It is `slow` if the client
/// has to wait for that. After the last connection, there is a bad gateway.
pub const CASES: &str = include_str!("../streams.json");

/// The number of bytes of what is too large for a client.
pub const A_LOT: usize = 4 << 20;

/// The pause between two texts, so that they mostly arrive one by one.
const PAUSE: Duration = Duration::from_millis(2);

/// The requests of a client to a case.
#[derive(Default)]
struct Visits {
    /// The cursor of each request.
    cursors: Vec<Option<String>>,
    /// The number of connections that the client has open.
    open: usize,
}

type AllVisits = Arc<Mutex<HashMap<String, Visits>>>;

/// Starts the server on a free port of loopback, for as long as the process runs.
///
/// # Panics
/// There is no free port, or the table is not as [`CASES`] says.
pub fn start() -> SocketAddr {
    let table: Value = serde_json::from_str(CASES).expect("the table is JSON");
    let table = Arc::new(table);
    let visits = AllVisits::default();
    listen(move |connection| {
        let table = Arc::clone(&table);
        let visits = Arc::clone(&visits);
        // A client that hangs up has made up its mind.
        thread::spawn(move || drop(answer(connection, &table, &visits)));
    })
}

/// Starts a proxy of a service on a free port of loopback, for as long as the process runs. It breaks off each connection
/// after 4,000 to 22,006 bytes of the response.
///
/// # Panics
/// There is no free port.
pub fn breaking_off(service: SocketAddr) -> SocketAddr {
    let connections = AtomicUsize::new(0);
    listen(move |client| {
        let allowed = 4_000 + 3_001 * (connections.fetch_add(1, Ordering::Relaxed) % 7);
        thread::spawn(move || drop(forward(client, service, allowed)));
    })
}

fn listen(serve: impl Fn(TcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || listener.incoming().flatten().for_each(serve));
    address
}

/// Forwards the requests of a client, and so many bytes of the responses.
fn forward(mut client: TcpStream, service: SocketAddr, allowed: usize) -> io::Result<()> {
    let mut upstream = TcpStream::connect(service)?;
    let mut requests = client.try_clone()?;
    let mut sent = upstream.try_clone()?;
    thread::spawn(move || {
        let copied = io::copy(&mut requests, &mut sent);
        drop(sent.shutdown(Shutdown::Both));
        copied
    });
    let mut responses = upstream.try_clone()?.take(allowed as u64);
    let copied = io::copy(&mut responses, &mut client);
    drop((
        client.shutdown(Shutdown::Both),
        upstream.shutdown(Shutdown::Both),
    ));
    copied.and_then(|_| upstream.flush())
}

fn answer(mut connection: TcpStream, table: &Value, all_visits: &AllVisits) -> io::Result<()> {
    let Request {
        target,
        cursor,
        is_post,
    } = read_request(&mut connection)?;
    if !is_post {
        let told = match all_visits.lock().expect("no panic").get(&target) {
            Some(visits) => json!({"cursors": visits.cursors, "open": visits.open}).to_string(),
            None => CASES.to_owned(),
        };
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
        return connection.write_all(format!("{head}{told}").as_bytes());
    }
    let case = target
        .split('/')
        .nth(1)
        .and_then(|at| at.parse::<usize>().ok());
    let case = &table["cases"][case.unwrap_or(usize::MAX)];
    let number = {
        let mut all_visits = all_visits.lock().expect("no panic");
        let visits = all_visits.entry(target.clone()).or_default();
        visits.cursors.push(cursor);
        visits.open += 1;
        visits.cursors.len() - 1
    };
    let bad_gateway = json!(["bad gateway"]);
    let texts = case["connections"].get(number).unwrap_or(&bad_gateway);
    let sent = send(&mut connection, texts, &table["texts"]);
    if let Some(visits) = all_visits.lock().expect("no panic").get_mut(&target) {
        visits.open -= 1;
    }
    sent
}

fn send(connection: &mut TcpStream, texts: &Value, known: &Value) -> io::Result<()> {
    for text in texts.as_array().into_iter().flatten() {
        let text = text.as_str().expect("a text");
        match text {
            "hold" => drop(connection.read(&mut [0])?),
            "a lot" => connection.write_all(&b"a".repeat(A_LOT))?,
            _ => connection.write_all(known[text].as_str().unwrap_or(text).as_bytes())?,
        }
        thread::sleep(PAUSE);
    }
    Ok(())
}

struct Request {
    target: String,
    /// The value of `Last-Event-ID`.
    cursor: Option<String>,
    is_post: bool,
}

fn read_request(connection: &mut TcpStream) -> io::Result<Request> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        connection.read_exact(&mut byte)?;
        request.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&request).into_owned();
    let field = |name: &str| {
        head.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    };
    let length = field("Content-Length").and_then(|length| length.parse().ok());
    connection.read_exact(&mut vec![0; length.unwrap_or(0)])?;
    Ok(Request {
        target: head.split(' ').nth(1).unwrap_or_default().to_owned(),
        cursor: field("Last-Event-ID"),
        is_post: head.starts_with("POST "),
    })
}

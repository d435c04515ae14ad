//! A server that answers calls as no service would, for tests of clients.
//!
//! Its answers, and how calls have to end, are data: `hostile.json`. `GET /cases` sends this table, and
//! a call to `/12` gets the answer of the case at this position, from 0.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The cases, as JSON: an array of objects with a `name`, an `outcome`, or those of the two calls of a
/// `batch`, and the answer. This is a `head` and a `body` of pieces, each a `text` or bytes in `hex`, sent
/// once, so many `times`, or for `ever`, with a `pause` in milliseconds before each. `$1` and `$2` stand
/// for the ids of the calls, and `$elsewhere` for a URL of another origin.
pub const CASES: &str = include_str!("../hostile.json");

/// The limits of an answer without end, so that no client is overwhelmed that takes all of it.
const MAX_BYTES: usize = 256 << 20;
const MAX_TIME: Duration = Duration::from_secs(60);

/// The head of a response, unless the case has one.
const USUAL_HEAD: &str =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";

/// Starts the server on a free port of loopback, for as long as the process runs.
///
/// # Panics
/// There is no free port, or the table is not as [`CASES`] says.
pub fn start() -> SocketAddr {
    let cases: Value = serde_json::from_str(CASES).expect("the table is JSON");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let cases = cases.clone();
            // A client that hangs up has made up its mind.
            thread::spawn(move || drop(answer(connection, &cases)));
        }
    });
    address
}

fn answer(mut connection: TcpStream, cases: &Value) -> io::Result<()> {
    let address = connection.local_addr()?;
    let (target, body) = request(&connection)?;
    let case = match target.trim_start_matches('/').parse::<usize>() {
        Ok(position) => &cases[position],
        // A client that follows a redirect gets what looks like a result.
        Err(_) if target == "/elsewhere" => &cases[0],
        Err(_) => {
            write!(connection, "{USUAL_HEAD}{CASES}")?;
            return connection.flush();
        }
    };
    let calls: Value = serde_json::from_slice(&body).unwrap_or_default();
    let head = case["head"].as_str().unwrap_or(USUAL_HEAD);
    connection.write_all(&filled(head, &calls, address))?;
    let begun = Instant::now();
    for piece in case["body"].as_array().into_iter().flatten() {
        let bytes = match piece["hex"].as_str() {
            Some(hex) => bytes(hex),
            None => filled(piece["text"].as_str().expect("a text"), &calls, address),
        };
        let pause = piece["pause"].as_u64().map(Duration::from_millis);
        let times = match piece["ever"] {
            Value::Bool(true) => MAX_BYTES / bytes.len(),
            _ => usize::try_from(piece["times"].as_u64().unwrap_or(1)).unwrap_or_default(),
        };
        // Many at once: a write of a few bytes takes as long as one of many.
        let at_once = if pause.is_some() { 1 } else { 4096.min(times) };
        let many = bytes.repeat(at_once);
        for _ in 0..times / at_once {
            if begun.elapsed() > MAX_TIME {
                break;
            }
            thread::sleep(pause.unwrap_or_default());
            connection.write_all(&many)?;
        }
        connection.write_all(&bytes.repeat(times % at_once))?;
    }
    Ok(())
}

/// Replaces what stands for the ids of the calls, and for a URL of another origin.
fn filled(text: &str, calls: &Value, address: SocketAddr) -> Vec<u8> {
    let [first, second] = [0, 1].map(|index| calls.get(index).unwrap_or(calls)["id"].to_string());
    let elsewhere = format!("http://localhost:{}/elsewhere", address.port());
    text.replace("$1", &first)
        .replace("$2", &second)
        .replace("$elsewhere", &elsewhere)
        .into_bytes()
}

/// Reads a request, and returns its target and its body.
fn request(connection: &TcpStream) -> io::Result<(String, Vec<u8>)> {
    let mut reader = BufReader::new(connection);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        lines.push(line.to_ascii_lowercase());
    }
    let target = lines.first().and_then(|line| line.split(' ').nth(1));
    let length = lines
        .iter()
        .find_map(|line| line.strip_prefix("content-length:"))
        .and_then(|length| length.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or_default()];
    reader.read_exact(&mut body)?;
    Ok((target.unwrap_or_default().to_owned(), body))
}

fn bytes(hex: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for pair in hex.as_bytes().chunks(2) {
        let digits = std::str::from_utf8(pair).expect("two digits");
        bytes.push(u8::from_str_radix(digits, 16).expect("a byte"));
    }
    bytes
}

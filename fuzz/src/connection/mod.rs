//! Checks how a server frames a connection: which bytes belong to which request, how many responses
//! there are, and when the connection closes, wherever the bytes are cut.
//!
//! An input is a line of positions, and the bytes that are cut there:
//!
//! ```text
//! 4 60
//! POST /rpc HTTP/1.1⏎Content-Length: 2⏎⏎{}GET / HTTP/1.1⏎…
//! ```
//!
//! The bytes go to a real server over a connection in memory (`memory.rs`), whose behaviour becomes a [`Conversation`].
//! `framing.rs` reads the same bytes on its own, and says which responses are due; `responses.rs` splits what came
//! back. If the two disagree about where a request ends, a proxy in between would, too, and a caller could smuggle
//! requests.
//!
//! The content of responses is checked by the other targets.

mod framing;
mod memory;
mod responses;

use std::cell::RefCell;

use docent::__fuzzing::Connections;
use docent_core::{Cx, Fault, Procedure, Service};
use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;

use crate::oracle::Bytes;
pub use framing::check_conversation;
use memory::talk;

/// The behaviour of a server on a connection.
#[derive(Debug, Clone)]
pub struct Conversation {
    /// All bytes that the server sent.
    pub responses: Vec<u8>,
    /// The number of bytes that it had sent before the end of the input.
    pub before_end: usize,
    /// The number of bytes that it had read by then.
    pub consumed: usize,
    /// True if it had closed the connection by then.
    pub closed: bool,
    /// True if it closed the connection by then, or after the end of the input.
    pub ended: bool,
}

/// A server in memory, with what runs it.
struct MemoryServer {
    runtime: Runtime,
    local: LocalSet,
    connections: Connections,
}

impl MemoryServer {
    fn new() -> Self {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
        let local = LocalSet::new();
        let connections = local.block_on(&runtime, Connections::new(service()));
        Self {
            runtime,
            local,
            connections: connections.expect("a server"),
        }
    }
}

thread_local! {
    static SERVER: RefCell<MemoryServer> = RefCell::new(MemoryServer::new());
}

/// Creates the service behind a connection.
pub(crate) fn service() -> Service {
    let echo = Procedure::sync("echo", |_: Cx, words: Vec<String>| Ok::<_, Fault>(words));
    Service::builder("framed", "urn:example:framed")
        .procedure(echo.idempotent())
        .build()
        .expect("a service without mistakes")
}

/// The bytes that a client sends.
struct SentBytes<'i> {
    /// All of them.
    all: &'i [u8],
    /// The pieces in which they are sent.
    pieces: Vec<&'i [u8]>,
}

/// Splits an input: its first line lists the positions at which the rest is cut.
fn read_input(input: &[u8]) -> SentBytes<'_> {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (first, all) = input.split_at(end.map_or(0, |end| end + 1));
    let mut cuts: Vec<usize> = String::from_utf8_lossy(first)
        .split_ascii_whitespace()
        .filter_map(|cut| cut.parse().ok())
        .filter(|cut| *cut < all.len())
        .take(64)
        .collect();
    cuts.sort_unstable();
    cuts.push(all.len());
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in cuts {
        if start < end {
            pieces.push(&all[start..end]);
        }
        start = end;
    }
    SentBytes { all, pieces }
}

/// Returns the bytes that the input of a [`connection`] sends, without the line with the positions of cuts.
pub fn sent_bytes(input: &[u8]) -> &[u8] {
    read_input(input).all
}

/// Sends an input to a server. Returns the server's behaviour and the bytes that it received.
///
/// # Panics
/// If the server cannot be started.
pub fn converse(input: &[u8]) -> (Conversation, &[u8]) {
    let sent = read_input(input);
    let conversation = SERVER.with_borrow(|server| {
        let talking = talk(&server.connections, &sent.pieces);
        server.local.block_on(&server.runtime, talking)
    });
    (conversation, sent.all)
}

/// Sends the bytes of a connection, and checks the behaviour of the server. The first line of the input
/// lists the positions at which the rest is cut: numbers separated by spaces.
///
/// # Panics
/// If the framing of a response violates the contract.
pub fn connection(input: &[u8]) {
    let (conversation, bytes) = converse(input);
    if let Err(wrong) = check_conversation(bytes, &conversation) {
        let input = Bytes(Some(input));
        let output = Bytes(Some(&conversation.responses));
        let Conversation {
            before_end,
            consumed,
            closed,
            ..
        } = conversation;
        panic!(
            "{wrong}\ninput: {input}\nresponses: {output}\nbefore the end: {before_end} bytes sent, \
             {consumed} read, closed: {closed}"
        );
    }
}

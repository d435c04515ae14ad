//! Checks how a server frames a connection: which bytes belong to which request, how many responses
//! there are, and when the connection closes, wherever the bytes are cut.

mod answers;
mod framing;
mod memory;

use std::cell::RefCell;

use docent_core::{Cx, Fault, Procedure, Service};
use docent_server::fuzzing::Connections;
use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;

use crate::oracle::Bytes;
pub use framing::check_conversation;
use memory::talk;

/// The behaviour of a server on a connection.
#[derive(Debug, Clone)]
pub struct Conversation {
    /// All bytes that the server sent.
    pub answers: Vec<u8>,
    /// The number of bytes that it had sent before the end of the input.
    pub before_end: usize,
    /// The number of bytes that it had read by then.
    pub consumed: usize,
    /// True if it had closed the connection by then.
    pub closed: bool,
    /// True if it closed the connection by then, or after the end of the input.
    pub ended: bool,
}

/// A server in memory.
struct Setup {
    runtime: Runtime,
    local: LocalSet,
    connections: Connections,
}

impl Setup {
    fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_time().build();
        let runtime = runtime.expect("a runtime");
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
    static SETUP: RefCell<Setup> = RefCell::new(Setup::new());
}

/// Creates the service behind a connection.
pub(crate) fn service() -> Service {
    let echo = Procedure::sync("echo", |_: Cx, words: Vec<String>| Ok::<_, Fault>(words));
    let service = Service::builder("framed", "urn:example:framed");
    let service = service.procedure(echo.idempotent()).build();
    service.expect("a service without mistakes")
}

/// Splits an input: its first line lists the positions at which the rest is cut.
fn pieces(input: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (cuts, bytes) = input.split_at(end.map_or(0, |end| end + 1));
    let cuts = String::from_utf8_lossy(cuts);
    let cuts = cuts
        .split_ascii_whitespace()
        .filter_map(|cut| cut.parse().ok());
    let mut cuts: Vec<usize> = cuts.filter(|cut| *cut < bytes.len()).take(64).collect();
    cuts.sort_unstable();
    let ends = cuts.iter().copied().chain([bytes.len()]);
    let mut start = 0;
    let pieces = ends.map(|end| &bytes[std::mem::replace(&mut start, end)..end]);
    (pieces.filter(|piece| !piece.is_empty()).collect(), bytes)
}

/// Sends an input to a server. Returns the server's behaviour and the bytes that it received.
///
/// # Panics
/// If the server cannot be started.
pub fn converse(input: &[u8]) -> (Conversation, &[u8]) {
    let (pieces, bytes) = pieces(input);
    let conversation = SETUP.with_borrow(|setup| {
        let talking = talk(&setup.connections, &pieces);
        setup.local.block_on(&setup.runtime, talking)
    });
    (conversation, bytes)
}

/// Sends the bytes of a connection, and checks the behaviour of the server. The first line of the input
/// lists the positions at which the rest is cut: numbers separated by spaces.
///
/// # Panics
/// If the framing of a response violates the contract.
pub fn connection(input: &[u8]) {
    let (conversation, bytes) = converse(input);
    if let Err(wrong) = check_conversation(bytes, &conversation) {
        let (input, output) = (Bytes(Some(input)), Bytes(Some(&conversation.answers)));
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

//! JSON-RPC over standard input and output, one message on each line: for programs that another one starts.
//!
//! A line is a request or a batch, as the body of a POST is, and each response is a line. Calls run at the same time, and
//! responses come when they are ready. [Subscriptions](crate::Procedure::subscription) work too: their items are lines
//! between the responses. `\r\n` ends a line as `\n` does, empty lines are ignored, and the last line needs no end.
//!
//! The peer is one connection with its [`Limits`](crate::Limits). While it does not read, no more lines are read, and
//! after 10 s in which it has read nothing, it counts as gone. A line over the limit of a body is skipped, and answered
//! with -32003 and the `id` null.
//!
//! The feature `mcp` has the same for the Model Context Protocol, `docent::mcp`.

// `carrier` drives a connection. `lines` and `output` are its streams, which may block.
mod carrier;
mod lines;
mod output;

use std::io::{self, BufRead, Write};

use docent_core::Service;
use docent_core::carrier::Connection;

pub(crate) use carrier::{carry, carry_stdio};

/// Serves a service over standard input and output, until the input ends and all calls are answered.
///
/// SIGTERM and Ctrl-C end subscriptions with -32015 (Going away) and let running calls finish within
/// [`Limits::timeout`](crate::Limits::timeout), also once the peer has gone. A second signal does not wait for them.
///
/// Callers cannot show credentials. The program must not write anything else to standard output; logs belong on
/// standard error.
///
/// ```no_run
/// # use docent::{Cx, Fault, Procedure, Service};
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534613")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// docent::stdio::serve(&service).await?;
/// # Ok(())
/// # }
/// ```
///
/// ```text
/// → {"jsonrpc":"2.0","method":"hello","id":1}
/// ← {"jsonrpc":"2.0","result":"hello","id":1}
/// ```
///
/// # Errors
/// Standard input cannot be read, or standard output cannot be written, or not for 10 s (`TimedOut`).
pub async fn serve(service: &Service) -> io::Result<()> {
    carry_stdio(service, Connection::new).await
}

/// Serves a service like [`serve`], over any pair of streams, and without regard to signals. Each stream gets a thread,
/// which outlives the returned future while the stream blocks.
///
/// # Errors
/// The input cannot be read, or the output cannot be written, or not for 10 s (`TimedOut`).
pub async fn serve_streams(
    service: &Service,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    carry(service, Connection::new, input, output, None).await
}

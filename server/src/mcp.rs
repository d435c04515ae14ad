//! Tools for agents that start the service as a program: the Model Context Protocol over standard input
//! and output, one message per line.
//!
//! Over HTTP, a [`Server`](crate::Server) offers tools at `/mcp`. The protocol itself is in `docent-core`
//! (see [`Service::mcp`](crate::Service::mcp)), and lines are carried as those of [`stdio`](crate::stdio).

use std::io::{self, BufRead, Write};

use docent_core::Service;
use docent_core::carrier::Connection;

use crate::stdio::{carry, carry_stdio};

/// Serves the [tools](crate::Procedure::tool) of a service over standard input and output, until the input
/// ends and all requests are answered, or a signal stops it as it stops [`stdio::serve`](crate::stdio::serve). For
/// programs that an agent starts.
///
/// Each line is a message of the Model Context Protocol. Without header fields, callers cannot show
/// credentials, so guarded procedures are not offered. The program must not write anything else to
/// standard output; logs belong on standard error.
///
/// ```no_run
/// # use docent::{Cx, Fault, Procedure, Service};
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534612")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
///     .build()?;
/// docent::mcp::serve(&service).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Standard input cannot be read, or standard output cannot be written, or not for 10 s (`TimedOut`).
pub async fn serve(service: &Service) -> io::Result<()> {
    carry_stdio(service, Connection::mcp).await
}

/// Serves tools like [`serve`], over any pair of streams, and without regard to signals. Each stream gets a thread, which
/// outlives the returned future while the stream blocks.
///
/// # Errors
/// The input cannot be read, or the output cannot be written, or not for 10 s (`TimedOut`).
pub async fn serve_streams(
    service: &Service,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    carry(service, Connection::mcp, input, output, None).await
}

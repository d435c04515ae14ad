//! Serves the conformance service at `/rpc`.

use std::io::IsTerminal;
use std::time::Duration;

use clap::Parser;
use docent_server::{Limits, Server};

/// A service to be tested from outside.
#[derive(Parser)]
#[command(version)]
struct Flags {
    /// Where to listen
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: String,
    /// The most calls at once
    #[arg(long, value_name = "N")]
    max_calls: Option<usize>,
    /// The largest body, in bytes
    #[arg(long, value_name = "BYTES")]
    max_body: Option<usize>,
    /// The most entries of a batch
    #[arg(long, value_name = "N")]
    max_batch: Option<usize>,
    /// The largest answer, in bytes
    #[arg(long, value_name = "BYTES")]
    max_response: Option<usize>,
    /// The time that a procedure has, in milliseconds
    #[arg(long, value_name = "MS")]
    timeout_ms: Option<u64>,
    /// Count calls, and serve the counts at /metrics
    #[arg(long)]
    metrics: bool,
}

impl Flags {
    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        let timeout = self.timeout_ms.map(Duration::from_millis);
        set(&mut limits.calls, self.max_calls);
        set(&mut limits.body, self.max_body);
        set(&mut limits.batch, self.max_batch);
        set(&mut limits.response, self.max_response);
        set(&mut limits.timeout, timeout);
        limits
    }
}

fn set<T>(limit: &mut T, flag: Option<T>) {
    if let Some(flag) = flag {
        *limit = flag;
    }
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let flags = Flags::parse();
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
    log.with_ansi(colours).init();
    let mut server = Server::new(conformance::service(flags.limits())?);
    if flags.metrics {
        server = server.metrics();
    }
    let server = server.bind(&flags.listen)?;
    for address in server.addresses() {
        println!("conformance listens at http://{address}/rpc");
    }
    Ok(server.run().await?)
}

//! Serves the conformance service at `/rpc`.
//!
//! The service exists for tests: clients and tools of other people are pointed at it.

mod listen;

use std::error::Error;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use docent::{BuildError, HttpOptions, Limits, Protocol, Protocols, Routes, Server};
use listen::Listeners;

/// Serves the conformance service, which tests call from outside
#[derive(Parser)]
#[command(version)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
struct Flags {
    #[command(flatten)]
    listeners: Listeners,
    /// Serve the procedures that return what has arrived instead, over WebSockets too
    #[arg(long)]
    values: bool,
    /// The limit on concurrent calls
    #[arg(long, value_name = "N")]
    max_calls: Option<usize>,
    /// The limit on a request body, in bytes
    #[arg(long, value_name = "BYTES")]
    max_body: Option<usize>,
    /// The limit on the entries of a batch
    #[arg(long, value_name = "N")]
    max_batch: Option<usize>,
    /// The limit on a response, in bytes
    #[arg(long, value_name = "BYTES")]
    max_response: Option<usize>,
    /// The timeout of a call, in milliseconds: short, because tools that try all parameters call `sleep` too
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    timeout_ms: u64,
    /// The time in which the calls of a batch must start, in milliseconds
    #[arg(long, value_name = "MS")]
    batch_timeout_ms: Option<u64>,
    /// Accept JSON-RPC 1.0 requests
    #[arg(long)]
    v1_0: bool,
    /// Reject JSON-RPC 1.1 calls
    #[arg(long)]
    no_v1_1: bool,
    /// Respond to GET in the format of JSON-RPC 1.1
    #[arg(long)]
    get_v1_1: bool,
    /// Count calls and serve the counts at /metrics
    #[arg(long)]
    metrics: bool,
    /// Accept compressed bodies
    #[arg(long)]
    decompress: bool,
    /// The time in which a body must arrive, in milliseconds
    #[arg(long, value_name = "MS")]
    body_timeout_ms: Option<u64>,
    /// The time in which a client must read some of its response, in milliseconds
    #[arg(long, value_name = "MS")]
    answer_timeout_ms: Option<u64>,
    /// The time in which the head of a first request must arrive, in milliseconds
    #[arg(long, value_name = "MS")]
    head_timeout_ms: Option<u64>,
    /// The time that an idle connection stays open, in milliseconds
    #[arg(long, value_name = "MS")]
    keep_alive_ms: Option<u64>,
    /// The limit on buffered responses, in bytes
    #[arg(long, value_name = "BYTES")]
    max_waiting: Option<usize>,
    /// The limit on connections for each worker
    #[arg(long, value_name = "N")]
    max_connections: Option<usize>,
    /// Install no subscriber, as a program that does not use `tracing`
    #[arg(long)]
    no_log: bool,
    /// The number of workers
    #[arg(long, value_name = "N")]
    workers: Option<usize>,
    /// The time that calls are accepted after a signal, in milliseconds
    #[arg(long, value_name = "MS")]
    notice_ms: Option<u64>,
    /// The time that running calls may take during a shutdown, in milliseconds
    #[arg(long, value_name = "MS")]
    shutdown_ms: Option<u64>,
}

impl Flags {
    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        set(&mut limits.max_concurrent_calls, self.max_calls);
        set(&mut limits.max_body_bytes, self.max_body);
        set(&mut limits.max_batch_entries, self.max_batch);
        set(&mut limits.max_response_bytes, self.max_response);
        limits.timeout = Duration::from_millis(self.timeout_ms);
        limits.batch_timeout = self.batch_timeout_ms.map(Duration::from_millis);
        limits
    }

    fn protocols(&self) -> Protocols {
        let mut protocols = Protocols::default();
        protocols.v1_0 = self.v1_0;
        protocols.v1_1 = !self.no_v1_1;
        if self.get_v1_1 {
            protocols.get = Protocol::V1_1;
        }
        protocols
    }

    fn configure(&self, options: &mut HttpOptions) {
        options.decompress = self.decompress;
        let times = [
            (&mut options.body_timeout, self.body_timeout_ms),
            (&mut options.write_timeout, self.answer_timeout_ms),
        ];
        for (time, flag) in times {
            set(time, flag.map(Duration::from_millis));
        }
        set(&mut options.max_buffered_bytes, self.max_waiting);
    }

    fn server(&self) -> Result<Server, BuildError> {
        let service = if self.values {
            conformance::values::service()?
        } else {
            conformance::service(self.limits(), self.protocols())?
        };
        let mut routes = Routes::new(service).options(|options| self.configure(options));
        if self.values {
            routes = routes.websocket();
        }
        if self.metrics {
            routes = routes.metrics();
        }
        let mut server = Server::new(routes);
        if let Some(time) = self.head_timeout_ms {
            server = server.head_timeout(Duration::from_millis(time));
        }
        if let Some(time) = self.keep_alive_ms {
            server = server.keep_alive(Duration::from_millis(time));
        }
        if let Some(workers) = self.workers {
            server = server.workers(workers);
        }
        if let Some(connections) = self.max_connections {
            server = server.connections(connections);
        }
        if let Some(time) = self.notice_ms {
            server = server.shutdown_notice(Duration::from_millis(time));
        }
        if let Some(time) = self.shutdown_ms {
            server = server.shutdown_deadline(Duration::from_millis(time));
        }
        Ok(server)
    }
}

fn set<T>(limit: &mut T, flag: Option<T>) {
    if let Some(flag) = flag {
        *limit = flag;
    }
}

#[actix_web::main]
async fn main() -> ExitCode {
    match run(&Flags::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("conformance: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(flags: &Flags) -> Result<(), Box<dyn Error>> {
    if !flags.no_log {
        let colours = std::io::stderr().is_terminal();
        let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
        log.with_ansi(colours).init();
    }
    let server = flags.listeners.bind(flags.server()?)?;
    Ok(server.run().await?)
}

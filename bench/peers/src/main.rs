//! The procedures of the benchmarks on other JSON-RPC servers, in process, over HTTP, or over WebSockets.
//!
//! They are a workspace of their own, so that their dependencies are not those of Docent.

mod ajj;
#[path = "../../src/case.rs"]
mod case;
mod handlers;
mod jsonrpc_v2;
mod jsonrpsee;
#[path = "../../src/types.rs"]
mod types;

use std::error::Error;
use std::future::Future;
use std::io::Read as _;
use std::net::SocketAddr;

use case::{CASES, Case};

type BoxError = Box<dyn Error + Send + Sync>;

const USAGE: &str = "usage: peers PEER CASE CALLS [PROCEDURES]
       peers serve PEER WORKERS [PROCEDURES]
       peers show
peers: jsonrpsee jsonrpsee-sync jsonrpc-v2 ajj
to serve also: jsonrpsee-followers";

fn main() -> Result<(), BoxError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let procedures = match words.get(3) {
        Some(number) => number.parse()?,
        None => 10,
    };
    match words[..] {
        ["show"] => show(),
        ["serve", peer, workers, ..] => serve(peer, workers.parse()?, procedures),
        [peer, case, calls, ..] => {
            let case = Case::find(case).ok_or(USAGE)?;
            let responses = run(peer, case.body(), calls.parse()?, procedures)?;
            println!("{} bytes", responses.bytes);
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}

/// The number of bytes of all responses, and the last response.
#[derive(Default)]
struct Responses {
    bytes: usize,
    last: Vec<u8>,
}

impl Responses {
    fn add(&mut self, response: impl Into<Vec<u8>>) {
        self.last = response.into();
        self.bytes += self.last.len();
    }
}

/// Makes a number of calls in process.
fn run(
    peer: &str,
    body: &'static [u8],
    calls: usize,
    procedures: usize,
) -> Result<Responses, BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        match peer {
            "jsonrpsee" => jsonrpsee::run(procedures, false, body, calls).await,
            "jsonrpsee-sync" => jsonrpsee::run(procedures, true, body, calls).await,
            "jsonrpc-v2" => jsonrpc_v2::run(procedures, body, calls).await,
            "ajj" => ajj::run(procedures, body, calls).await,
            _ => Err(USAGE.into()),
        }
    })
}

/// Serves `/rpc` on a free port and prints its address. It exits when its standard input ends, so it
/// cannot outlive its parent.
fn serve(peer: &str, workers: usize, procedures: usize) -> Result<(), BoxError> {
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    match peer {
        "jsonrpsee" => on_tokio(workers, jsonrpsee::serve(procedures, false)),
        "jsonrpsee-sync" => on_tokio(workers, jsonrpsee::serve(procedures, true)),
        "jsonrpsee-followers" => on_tokio(workers, jsonrpsee::serve_followers()),
        "jsonrpc-v2" => jsonrpc_v2::serve(procedures, workers),
        "ajj" => on_tokio(workers, ajj::serve(procedures)),
        _ => Err(USAGE.into()),
    }
}

fn on_tokio(
    workers: usize,
    server: impl Future<Output = Result<(), BoxError>> + Send + 'static,
) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers)
        .enable_all()
        .build()?;
    // Spawned, so that it runs on a worker rather than on this thread.
    runtime.block_on(runtime.spawn(server))?
}

fn listening(address: SocketAddr) {
    println!("{address}");
}

/// Prints the response to each call, to compare it with `bench show`.
fn show() -> Result<(), BoxError> {
    for case in CASES {
        for peer in ["jsonrpsee", "jsonrpsee-sync", "jsonrpc-v2", "ajj"] {
            let answer = run(peer, case.body(), 1, 10)?.last;
            let text = String::from_utf8_lossy(&answer);
            println!(
                "{:<16} {peer:<15} {:>7} {text:.160}",
                case.name,
                answer.len()
            );
        }
    }
    Ok(())
}

//! Requests over HTTP, from a load generator on a separate core.
//!
//! Every table is measured in alternating rounds, and beside it stands what the load generator itself can do:
//! a server that comes near it was not measured.

mod instructions;
mod requests;
mod server_result;

use std::io::Read as _;
use std::path::PathBuf;
use std::time::Duration;

use crate::load::Load;
use crate::options::Options;
use crate::process::{self, Server};
use crate::rounds::{Spread, alternate, ratio};
use crate::table::{self, grouped};
use crate::{BoxError, responder};

pub(crate) use instructions::{docent_and_by_hand, print as instructions};
pub(crate) use requests::{body, get, length_of_answer, length_on, post, post_text};
pub(crate) use server_result::{ServerResult, ask};

/// A server that is compared with others.
pub(crate) struct HttpContender {
    /// The name in tables.
    pub(crate) title: &'static str,
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// True if it is in `bench-http`, false if it is in `peers`.
    pub(crate) ours: bool,
}

impl HttpContender {
    pub(crate) const fn new(title: &'static str, name: &'static str, ours: bool) -> Self {
        Self { title, name, ours }
    }
}

/// A server written by hand for nothing but these procedures, with which the others are compared.
pub(crate) const BY_HAND: HttpContender = HttpContender::new("actix-web by hand", "bare", true);
pub(crate) const DOCENT: HttpContender = HttpContender::new("Docent", "docent", true);
pub(crate) const JSONRPSEE: HttpContender = HttpContender::new("jsonrpsee", "jsonrpsee", false);
pub(crate) const JSONRPC_V2: HttpContender = HttpContender::new("jsonrpc-v2", "jsonrpc-v2", false);
pub(crate) const AJJ: HttpContender = HttpContender::new("ajj", "ajj", false);

/// The servers that answer POST. The others are compared with the first one.
pub(crate) const SUBJECTS: [HttpContender; 5] = [BY_HAND, DOCENT, JSONRPSEE, JSONRPC_V2, AJJ];

/// The same service on hyper, to measure the connections of Docent's own server against.
pub(crate) const ON_HYPER: HttpContender = HttpContender::new("Docent on hyper", "on-hyper", true);

/// The first two can answer everything. The others have neither GET nor descriptions.
pub(crate) const OWN_SUBJECTS: usize = 2;

/// The core of a server with one worker, and the core of the load generator.
const SERVER_CORE: &str = "0";
pub(crate) const GENERATOR_CORE: &str = "1";

impl HttpContender {
    /// Starts the server with one worker, on its core.
    pub(crate) fn start(&self, procedures: usize) -> Result<Server, BoxError> {
        let mut command = process::pinned(SERVER_CORE, self.program());
        command.args(self.words(&procedures.to_string()));
        Server::start(&mut command)
    }

    fn program(&self) -> PathBuf {
        if self.ours {
            process::ours("serve")
        } else {
            process::peers()
        }
    }

    /// Returns the arguments of the program: the name of the server, one worker, and the number of procedures.
    fn words<'a>(&'a self, procedures: &'a str) -> Vec<&'a str> {
        let mut words = vec![self.name, "1", procedures];
        if !self.ours {
            words.insert(0, "serve");
        }
        words
    }
}

/// Builds all servers.
pub(crate) fn build() -> Result<(), BoxError> {
    process::build(&["bench-http"])?;
    process::build_peers()
}

/// Runs as the load generator and prints the results.
pub(crate) fn load(words: &[&str]) -> Result<(), BoxError> {
    let [address, connections, milliseconds, server] = words else {
        return Err("load ADDRESS CONNECTIONS MILLISECONDS SERVER".into());
    };
    let mut request = Vec::new();
    std::io::stdin().read_to_end(&mut request)?;
    let load = Load {
        address: address.parse()?,
        request,
        connections: connections.parse()?,
        server: Some(server.parse()?),
        time: Duration::from_millis(milliseconds.parse()?),
    };
    println!("{}", ServerResult::from(load.run()?));
    Ok(())
}

/// Runs as the responder.
pub(crate) fn respond(request: &str, body: &str) -> Result<(), BoxError> {
    let (listener, address) = responder::listen()?;
    println!("{address}");
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    Ok(responder::serve(
        &listener,
        request.parse()?,
        body.parse()?,
    )?)
}

/// Measures how many requests a second the load generator can send to the responder, which sends as
/// many bytes as a server.
fn fastest(server: &Server, row: &Row, options: Options) -> Result<f64, BoxError> {
    let request = &row.requests[0];
    let body = length_of_answer(server, request)?.to_string();
    let mut command = process::pinned(SERVER_CORE, std::env::current_exe()?);
    command.args(["respond", &request.len().to_string(), &body]);
    let responder = Server::start(&mut command)?;
    let result = ask(
        &responder,
        request,
        row.connections,
        options.time,
        GENERATOR_CORE,
    )?;
    Ok(result.throughput)
}

/// A row of a table: its title, the request for each server, and the number of connections.
struct Row {
    title: &'static str,
    requests: Vec<Vec<u8>>,
    connections: usize,
}

pub(crate) fn posts(options: Options) -> Result<(), BoxError> {
    build()?;
    let mut rows = Vec::new();
    for (title, case, connections) in [
        ("sum, 1 connection", "sum", 1),
        ("sum, 32 connections", "sum", 32),
        ("sum, 256 connections", "sum", 256),
        ("order, 32 connections", "order", 32),
        ("error, 32 connections", "error", 32),
        ("batch of 100, 32 connections", "batch", 32),
        ("parameter of 1 MB, 4 connections", "large-parameter", 4),
        ("result of 1 MB, 4 connections", "large-result", 4),
    ] {
        rows.push(Row {
            title,
            requests: vec![post(case)?; SUBJECTS.len()],
            connections,
        });
    }
    let servers = start_all(&SUBJECTS, 10)?;
    compare("POST, one worker", &SUBJECTS, &servers, &rows, options)
}

fn start_all(subjects: &[HttpContender], procedures: usize) -> Result<Vec<Server>, BoxError> {
    subjects
        .iter()
        .map(|subject| subject.start(procedures))
        .collect()
}

pub(crate) fn gets(options: Options) -> Result<(), BoxError> {
    process::build(&["bench-http"])?;
    let subjects = &SUBJECTS[..OWN_SUBJECTS];
    let servers = start_all(subjects, 1_000)?;
    let sum = "/rpc/sum?a=1.5&b=2.25";
    let describe = "/rpc/rpc.describe";
    for connections in [1, 32] {
        let mut rows = Vec::new();
        for (title, target, known) in [
            ("GET, 200", sum, false),
            ("GET, 304", sum, true),
            ("rpc.describe of 1,000 procedures, 200", describe, false),
            ("rpc.describe of 1,000 procedures, 304", describe, true),
        ] {
            // Validators differ between servers.
            let mut requests = Vec::new();
            for server in &servers {
                requests.push(get(target, known.then_some(server.address))?);
            }
            rows.push(Row {
                title,
                requests,
                connections,
            });
        }
        let title = format!("GET, one worker, {connections} connections");
        compare(&title, subjects, &servers, &rows, options)?;
    }
    Ok(())
}

/// Prints tables of throughput, of core time and of latency.
fn compare(
    title: &str,
    subjects: &[HttpContender],
    servers: &[Server],
    rows: &[Row],
    options: Options,
) -> Result<(), BoxError> {
    let mut throughputs = Vec::new();
    let mut on_core = Vec::new();
    let mut latencies = Vec::new();
    for row in rows {
        eprintln!("compare: measuring {title}: {}", row.title);
        let pairs: Vec<_> = servers.iter().zip(&row.requests).collect();
        let measured = alternate(&pairs, options.rounds, |(server, request)| {
            ask(
                server,
                request,
                row.connections,
                options.time,
                GENERATOR_CORE,
            )
        })?;
        let mut line = with_ratios(row.title, &measured, |result| result.throughput, grouped);
        line.push(grouped(fastest(&servers[0], row, options)?));
        throughputs.push(line);
        on_core.push(with_ratios(
            row.title,
            &measured,
            |result| result.on_core,
            table::time,
        ));
        let mut line = vec![row.title.to_owned()];
        line.extend(
            measured
                .iter()
                .map(|results| ServerResult::latencies(results)),
        );
        latencies.push(line);
    }
    let how = format!(
        "median of {} rounds and ratio to the same round by hand",
        options.rounds
    );
    let mut names = vec!["request"];
    names.extend(subjects.iter().map(|subject| subject.title));
    table::print(
        &format!("{title}: core time a request, {how}"),
        &names,
        &on_core,
    );
    let percentiles = format!("{title}: latency, 50th / 99th / 99.9th percentile");
    table::print(&percentiles, &names, &latencies);
    names.push("limit of the load generator");
    table::print(
        &format!("{title}: requests a second, {how}"),
        &names,
        &throughputs,
    );
    Ok(())
}

/// Makes a row of medians, each but the first with its ratio to the first.
fn with_ratios(
    title: &str,
    measured: &[Vec<ServerResult>],
    value: fn(&ServerResult) -> f64,
    format: fn(f64) -> String,
) -> Vec<String> {
    let mut row = vec![title.to_owned()];
    for (index, results) in measured.iter().enumerate() {
        let median = format(Spread::of(results.iter().map(value)).median);
        row.push(match index {
            0 => median,
            _ => format!("{median} ({})", ratio(results, &measured[0], value)),
        });
    }
    row
}

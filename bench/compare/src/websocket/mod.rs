//! Calls over WebSockets: the core time of a server for each.
//!
//! `load` is the client: one thread on a core of its own, which never sleeps, keeps a number of calls in flight on each
//! connection and sends another for each answer. It writes frames that are made once, and of answers it counts the
//! bytes; `frames` has both, and the handshake. The servers take turns, so that what else the machine does affects them
//! alike.

pub(crate) mod frames;
mod load;

use std::time::{Duration, Instant};

use crate::BoxError;
use crate::http::{self, DOCENT, GENERATOR_CORE, JSONRPSEE};
use crate::options::Options;
use crate::process::{self, Server};
use crate::rounds::{Spread, alternate, ratio};
use crate::table::{self, grouped};
use load::{CALLS_IN_FLIGHT, Load};

const CONNECTION_COUNT: usize = 32;

/// The results of one server in one round.
struct Measured {
    /// The core time of a call in nanoseconds.
    on_core: f64,
    /// Calls a second.
    throughput: f64,
}

pub(crate) fn run(options: Options) -> Result<(), BoxError> {
    http::build()?;
    let call = http::body("sum")?;
    let subjects = [&JSONRPSEE, &DOCENT];
    let servers = [JSONRPSEE.start(10)?, DOCENT.start(10)?];
    let measured = alternate(&servers, options.rounds, |server| {
        measure(server, &call, options.time)
    })?;
    let mut rows = Vec::new();
    for (subject, rounds) in subjects.iter().zip(&measured) {
        let on_core = Spread::of(rounds.iter().map(|round| round.on_core));
        let throughput = Spread::of(rounds.iter().map(|round| round.throughput));
        rows.push(vec![
            subject.title.to_owned(),
            table::time(on_core.lower),
            ratio(rounds, &measured[0], |round| round.on_core).to_string(),
            grouped(throughput.median),
        ]);
    }
    let title = format!(
        "Calls over WebSockets: sum, {CONNECTION_COUNT} connections with {CALLS_IN_FLIGHT} calls in flight, {} rounds",
        options.rounds
    );
    let names = [
        "server",
        "core time a call, lower quartile",
        "ratio in the same round",
        "calls a second",
    ];
    table::print(&title, &names, &rows);
    Ok(())
}

/// Measures a server with a load generator in a process on its own core.
fn measure(server: &Server, call: &str, time: Duration) -> Result<Measured, BoxError> {
    let mut command = process::pinned(GENERATOR_CORE, std::env::current_exe()?);
    command
        .arg("load-websocket")
        .arg(server.address.to_string())
        .arg(time.as_millis().to_string())
        .arg(server.id().to_string());
    let line = process::exchange(&mut command, call.as_bytes())?;
    let (on_core, throughput) = line
        .trim()
        .split_once(' ')
        .ok_or_else(|| format!("not what a load generator prints: {line}"))?;
    Ok(Measured {
        on_core: on_core.parse()?,
        throughput: throughput.parse()?,
    })
}

/// Runs as the load generator and prints the results. It warms the server up for a fifth of the time.
pub(crate) fn load(words: &[&str]) -> Result<(), BoxError> {
    let [address, milliseconds, server] = words else {
        return Err("load-websocket ADDRESS MILLISECONDS SERVER".into());
    };
    let server = server.parse()?;
    let time = Duration::from_millis(milliseconds.parse()?);
    let call = std::io::read_to_string(std::io::stdin())?;
    let mut load = Load::begin(address.parse()?, &call, CONNECTION_COUNT)?;
    load.run(time / 5)?;
    let before = process::on_core(server)?;
    let begin = Instant::now();
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let responses = load.run(time)? as f64;
    let time = begin.elapsed();
    let on_core = process::on_core(server)?.saturating_sub(before);
    println!(
        "{} {}",
        on_core.as_secs_f64() * 1e9 / responses,
        responses / time.as_secs_f64()
    );
    Ok(())
}

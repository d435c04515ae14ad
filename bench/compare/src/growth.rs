//! Growth: what each byte, procedure and connection costs.
//!
//! Core time is compared, because a request that waits for a busy machine is not a dearer one.

use std::net::TcpStream;

use crate::http::{self, GENERATOR_CORE, HttpContender, OWN_SUBJECTS, SUBJECTS};
use crate::options::Options;
use crate::process;
use crate::rounds::{Spread, alternate};
use crate::{BoxError, table};

pub(crate) fn run(options: Options) -> Result<(), BoxError> {
    http::build()?;
    bytes(options)?;
    procedures(options)?;
    connections(options)
}

/// Measures the core time of each request in nanoseconds, as the median of the rounds.
fn on_core(
    asked: &[(usize, usize, Vec<u8>)],
    subject: &HttpContender,
    options: Options,
) -> Result<Vec<f64>, BoxError> {
    let servers = asked
        .iter()
        .map(|(procedures, connections, request)| {
            Ok((subject.start(*procedures)?, *connections, request))
        })
        .collect::<Result<Vec<_>, BoxError>>()?;
    let measured = alternate(
        &servers,
        options.rounds,
        |(server, connections, request)| {
            http::ask(server, request, *connections, options.time, GENERATOR_CORE)
        },
    )?;
    Ok(measured
        .iter()
        .map(|rounds| Spread::of(rounds.iter().map(|asked| asked.on_core)).median)
        .collect())
}

/// Prints one row per server and one column per request.
fn print(
    title: &str,
    subjects: &[HttpContender],
    columns: &[String],
    asked: &[(usize, usize, Vec<u8>)],
    options: Options,
) -> Result<Vec<Vec<f64>>, BoxError> {
    let mut measured = Vec::new();
    for subject in subjects {
        measured.push(on_core(asked, subject, options)?);
    }
    let rows: Vec<Vec<String>> = subjects
        .iter()
        .zip(&measured)
        .map(|(subject, times)| {
            let times = times.iter().map(|time| table::time(*time));
            std::iter::once(subject.title.to_owned())
                .chain(times)
                .collect()
        })
        .collect();
    let mut names = vec!["server"];
    names.extend(columns.iter().map(String::as_str));
    table::print(title, &names, &rows);
    Ok(measured)
}

fn bytes(options: Options) -> Result<(), BoxError> {
    let lengths: [usize; 5] = [1_000, 10_000, 100_000, 1_000_000, 1_900_000];
    let columns = lengths.map(|length| format!("{} kB", length / 1_000));
    let asked = lengths.map(|length| (10, 4, http::post_text(length)));
    let title = "Core time of a call with a text of this length, 4 connections";
    let measured = print(title, &SUBJECTS, &columns, &asked, options)?;
    #[expect(clippy::cast_precision_loss, reason = "small")]
    let more = (lengths[4] - lengths[1]) as f64;
    for (subject, times) in SUBJECTS.iter().zip(&measured) {
        let each = (times[4] - times[1]) / more;
        println!(
            "\n{}: {each:.3} ns a byte between 10 kB and 1.9 MB",
            subject.title
        );
    }
    Ok(())
}

fn procedures(options: Options) -> Result<(), BoxError> {
    let request = http::post("sum")?;
    let columns = ["10", "1,000", "10,000"].map(str::to_owned);
    let asked = [10, 1_000, 10_000].map(|procedures| (procedures, 32, request.clone()));
    let title = "Core time of a call to a service of so many procedures, 32 connections";
    print(title, &SUBJECTS, &columns, &asked, options)?;
    Ok(())
}

fn connections(options: Options) -> Result<(), BoxError> {
    let request = http::post("sum")?;
    let columns = ["1", "32", "256", "900"].map(str::to_owned);
    let asked = [1, 32, 256, 900].map(|connections| (10, connections, request.clone()));
    let title = "Core time of a call on so many connections";
    print(title, &SUBJECTS, &columns, &asked, options)?;
    let mut rows = Vec::new();
    for subject in SUBJECTS[..OWN_SUBJECTS].iter().chain([&http::ON_HYPER]) {
        rows.push(vec![
            subject.title.to_owned(),
            table::bytes(idle(subject, &request)?),
        ]);
    }
    let title = format!(
        "Memory of a connection that has been asked once and idles ({IDLE_CONNECTIONS} of them)"
    );
    table::print(&title, &["server", "memory"], &rows);
    Ok(())
}

/// The number of idle connections, which the memory of one is computed from.
const IDLE_CONNECTIONS: u32 = 900;

/// Measures the memory of an idle connection in bytes.
fn idle(subject: &HttpContender, request: &[u8]) -> Result<f64, BoxError> {
    let server = subject.start(10)?;
    http::length_of_answer(&server, request)?;
    let before = process::memory(server.id(), "VmRSS:").ok_or("the server has gone")?;
    let mut connections = Vec::new();
    for _ in 0..IDLE_CONNECTIONS {
        let mut connection = TcpStream::connect(server.address)?;
        http::length_on(&mut connection, request)?;
        connections.push(connection);
    }
    let after = process::memory(server.id(), "VmRSS:").ok_or("the server has gone")?;
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let more = after.saturating_sub(before) as f64;
    Ok(more / f64::from(IDLE_CONNECTIONS))
}

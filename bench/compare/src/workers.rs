//! One worker and two. On a machine with two cores the load generator needs a part of both, so
//! throughput alone says little. The core time of a request says more: it rises where workers
//! contend for locks or cache lines.

use crate::Failure;
use crate::http::{self, SUBJECTS};
use crate::options::Options;
use crate::rounds::{Spread, alternate, ratio};
use crate::table::{self, grouped};

const CONNECTIONS: usize = 32;

pub(crate) fn run(options: Options) -> Result<(), Failure> {
    http::build()?;
    let request = http::post("sum")?;
    let mut rows = Vec::new();
    for subject in &SUBJECTS {
        let servers = [
            subject.start_on("0,1", 1, 10)?,
            subject.start_on("0,1", 2, 10)?,
        ];
        let measured = alternate(&servers, options.rounds, |server| {
            http::ask(server, &request, CONNECTIONS, options.time, "0,1")
        })?;
        let [one, two] = &measured[..] else {
            return Err("two servers were asked".into());
        };
        let median = |asked: &[http::Asked], value: fn(&http::Asked) -> f64| {
            Spread::of(asked.iter().map(value)).median
        };
        let throughput = |asked: &http::Asked| asked.throughput;
        let on_core = |asked: &http::Asked| asked.on_core;
        rows.push(vec![
            subject.title.to_owned(),
            grouped(median(one, throughput)),
            grouped(median(two, throughput)),
            ratio(two, one, throughput).to_string(),
            table::time(median(one, on_core)),
            table::time(median(two, on_core)),
            ratio(two, one, on_core).to_string(),
        ]);
    }
    let names = [
        "server",
        "requests a second, 1 worker",
        "2 workers",
        "ratio",
        "core time a request, 1 worker",
        "2 workers",
        "ratio",
    ];
    let title = format!(
        "One worker and two: sum, {CONNECTIONS} connections; servers and load generator share two cores"
    );
    table::print(&title, &names, &rows);
    Ok(())
}

//! One worker and two. On a machine with two cores the load generator needs a part of both, so
//! throughput alone says little. The core time of a request says more: it rises where workers
//! contend for locks or cache lines.

use crate::BoxError;
use crate::http::{self, SUBJECTS};
use crate::options::Options;
use crate::rounds::{Spread, alternate, ratio};
use crate::table::{self, grouped};

const CONNECTION_COUNT: usize = 32;

pub(crate) fn run(options: Options) -> Result<(), BoxError> {
    http::build()?;
    let request = http::post("sum")?;
    let mut rows = Vec::new();
    for subject in &SUBJECTS {
        let servers = [
            subject.start_on("0,1", 1, 10)?,
            subject.start_on("0,1", 2, 10)?,
        ];
        let measured = alternate(&servers, options.rounds, |server| {
            http::ask(server, &request, CONNECTION_COUNT, options.time, "0,1")
        })?;
        let [one, two] = &measured[..] else {
            return Err("two servers were asked".into());
        };
        let mut row = vec![subject.title.to_owned()];
        for asked in [one, two] {
            let spread = Spread::of(asked.iter().map(|asked| asked.throughput));
            row.push(grouped(spread.median));
        }
        row.push(ratio(two, one, |asked| asked.throughput).to_string());
        for asked in [one, two] {
            let spread = Spread::of(asked.iter().map(|asked| asked.on_core));
            row.push(table::time(spread.median));
        }
        row.push(ratio(two, one, |asked| asked.on_core).to_string());
        rows.push(row);
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
        "One worker and two: sum, {CONNECTION_COUNT} connections; servers and load generator share two cores"
    );
    table::print(&title, &names, &rows);
    Ok(())
}

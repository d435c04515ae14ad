//! Start-up: the time until a server answers, and its memory then.

use std::time::{Duration, Instant};

use crate::http::{self, HttpContender, SUBJECTS};
use crate::options::Options;
use crate::process;
use crate::rounds::{Spread, alternate};
use crate::{BoxError, table};

/// One start.
struct StartResult {
    /// The time until the server listened.
    listening: Duration,
    /// The time until it had answered the first call.
    answered: Duration,
    /// The memory in use after that call and at its peak, in bytes.
    memory: [u64; 2],
}

impl StartResult {
    fn measure(
        subject: &HttpContender,
        procedures: usize,
        request: &[u8],
    ) -> Result<Self, BoxError> {
        let before = Instant::now();
        let server = subject.start(procedures)?;
        http::length_of_answer(&server, request)?;
        let answered = before.elapsed();
        let memory = ["VmRSS:", "VmHWM:"].map(|line| process::memory(server.id(), line));
        Ok(Self {
            listening: server.started_in,
            answered,
            memory: memory.map(Option::unwrap_or_default),
        })
    }
}

pub(crate) fn run(options: Options) -> Result<(), BoxError> {
    http::build()?;
    let request = http::post("sum")?;
    let mut rows = Vec::new();
    for procedures in [10, 1_000, 10_000] {
        let measured = alternate(&SUBJECTS, options.rounds, |subject| {
            StartResult::measure(subject, procedures, &request)
        })?;
        for (subject, starts) in SUBJECTS.iter().zip(&measured) {
            rows.push(vec![
                subject.title.to_owned(),
                procedures.to_string(),
                time(starts.iter().map(|start| start.listening)),
                time(starts.iter().map(|start| start.answered)),
                memory(starts.iter().map(|start| start.memory[0])),
                memory(starts.iter().map(|start| start.memory[1])),
            ]);
        }
    }
    let names = [
        "server",
        "procedures",
        "listens after",
        "has answered after",
        "memory then",
        "peak",
    ];
    table::print("Start, one worker", &names, &rows);
    Ok(())
}

fn time(times: impl Iterator<Item = Duration>) -> String {
    let spread = Spread::of(times.map(|time| time.as_secs_f64() * 1e3));
    format!("{spread} ms")
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn memory(bytes: impl Iterator<Item = u64>) -> String {
    table::bytes(Spread::of(bytes.map(|bytes| bytes as f64)).median)
}

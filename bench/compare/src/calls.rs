//! Calls in process: sends the same bodies to Docent, to the floor by hand, and to the entry points of
//! other servers.

use std::process::Command;
use std::time::Instant;

use crate::BoxError;
use crate::options::Options;
use crate::process::{self, Counts};
use crate::rounds::{Spread, alternate, ratio};
use crate::table::{self, grouped};

/// A way to answer calls: its title, its name on the command line, and whether it is in `bench`
/// rather than `peers`.
struct Contender {
    title: &'static str,
    way: &'static str,
    ours: bool,
}

const fn ours(title: &'static str, way: &'static str) -> Contender {
    Contender {
        title,
        way,
        ours: true,
    }
}

const fn peer(title: &'static str, way: &'static str) -> Contender {
    Contender {
        title,
        way,
        ours: false,
    }
}

/// The others are compared with the first one.
const SUBJECTS: [Contender; 7] = [
    ours("by hand", "floor"),
    ours("Docent async", "async"),
    ours("Docent sync", "sync"),
    peer("jsonrpsee async", "jsonrpsee"),
    peer("jsonrpsee sync", "jsonrpsee-sync"),
    peer("jsonrpc-v2", "jsonrpc-v2"),
    peer("ajj", "ajj"),
];

/// A body, and how many calls it takes to count instructions and to measure time. The seeds of hash
/// tables differ from run to run, and so does what it takes to start: by up to some hundred thousand
/// instructions, which must not matter when they are divided by the number of calls.
struct Case {
    name: &'static str,
    counted: u32,
    timed: u32,
}

const fn case(name: &'static str) -> Case {
    Case {
        name,
        counted: 10_000,
        timed: 50_000,
    }
}

const fn large(name: &'static str, counted: u32, timed: u32) -> Case {
    Case {
        name,
        counted,
        timed,
    }
}

const CASES: [Case; 12] = [
    case("sum"),
    case("named"),
    case("defaults"),
    case("constrained"),
    case("order"),
    case("refused"),
    case("mistyped"),
    case("misspelt"),
    case("error"),
    large("batch", 200, 2_000),
    large("large-parameter", 20, 200),
    large("large-result", 20, 200),
];

/// The calls of the shorter run. The difference of two runs leaves out the start and the first calls.
const UNCOUNTED_CALLS: u32 = 100;

/// The number of procedures. `growth` shows whether it matters.
const PROCEDURE_COUNT: &str = "10";

impl Contender {
    /// Adds the program and its arguments to a command.
    fn add_to(&self, command: &mut Command, case: &Case, calls: u32) {
        command.arg(self.program()).args([
            self.way,
            case.name,
            &calls.to_string(),
            PROCEDURE_COUNT,
        ]);
    }

    fn program(&self) -> std::path::PathBuf {
        if self.ours {
            process::ours("bench")
        } else {
            process::peers()
        }
    }

    /// Counts what one call takes.
    fn count(&self, case: &Case) -> Result<Counts, BoxError> {
        let before = UNCOUNTED_CALLS.min(case.counted);
        let all = self.count_run(case, before + case.counted)?;
        Ok(all.more_than(self.count_run(case, before)?, case.counted))
    }

    fn count_run(&self, case: &Case, calls: u32) -> Result<Counts, BoxError> {
        let file = tempfile::NamedTempFile::new()?;
        let mut command = Counts::command(file.path());
        self.add_to(&mut command, case, calls);
        process::finish(&mut command)?;
        Counts::read(file.path())
    }

    /// Measures how long one call takes, in nanoseconds.
    fn time(&self, case: &Case) -> Result<f64, BoxError> {
        let before = UNCOUNTED_CALLS.min(case.timed);
        let all = self.time_run(case, before + case.timed)?;
        let time = all - self.time_run(case, before)?;
        Ok(time * 1e9 / f64::from(case.timed))
    }

    fn time_run(&self, case: &Case, calls: u32) -> Result<f64, BoxError> {
        let mut command = process::pinned("0", self.program());
        command.args([self.way, case.name, &calls.to_string(), PROCEDURE_COUNT]);
        let start = Instant::now();
        process::output(&mut command)?;
        Ok(start.elapsed().as_secs_f64())
    }
}

pub(crate) fn run(options: Options) -> Result<(), BoxError> {
    process::build(&["bench"])?;
    process::build_peers()?;
    let mut names = vec!["call"];
    names.extend(SUBJECTS.iter().map(|subject| subject.title));
    let mut instructions = Vec::new();
    let mut allocations = Vec::new();
    for case in &CASES {
        eprintln!("compare: counting {}", case.name);
        let mut counts = Vec::new();
        let mut row = vec![case.name.to_owned()];
        for subject in &SUBJECTS {
            let count = subject.count(case)?;
            row.push(grouped(count.allocations));
            counts.push(count);
        }
        allocations.push(row);
        let mut row = vec![case.name.to_owned()];
        row.extend(table::with_ratios(&counts));
        instructions.push(row);
    }
    table::print("Instructions a call, in process", &names, &instructions);
    table::print("Allocations a call, in process", &names, &allocations);
    let mut rows = Vec::new();
    for case in &CASES {
        rows.push(timed(options, case)?);
    }
    let title = format!(
        "Time of a call, in process: median of {} rounds, and the ratio to the same round by hand with its quartiles",
        options.rounds
    );
    table::print(&title, &names, &rows);
    Ok(())
}

fn timed(options: Options, case: &Case) -> Result<Vec<String>, BoxError> {
    eprintln!("compare: timing {}", case.name);
    let measured = alternate(&SUBJECTS, options.rounds, |subject| subject.time(case))?;
    let mut row = vec![case.name.to_owned()];
    for (subject, times) in measured.iter().enumerate() {
        let median = table::time(Spread::of(times.iter().copied()).median);
        row.push(match subject {
            0 => median,
            _ => format!("{median} ({})", ratio(times, &measured[0], |time| *time)),
        });
    }
    Ok(row)
}

/// Counts what a call takes, and the same call by hand.
pub(crate) fn with_floor(way: &str, case: &str) -> Result<(Counts, Counts), BoxError> {
    let case = CASES
        .iter()
        .find(|known| known.name == case)
        .ok_or_else(|| format!("no case {case}"))?;
    Ok((find(way)?.count(case)?, find("floor")?.count(case)?))
}

fn find(way: &str) -> Result<&'static Contender, BoxError> {
    SUBJECTS
        .iter()
        .find(|subject| subject.way == way)
        .ok_or_else(|| format!("no way {way}").into())
}

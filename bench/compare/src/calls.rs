//! Calls in process: sends the same bodies to Docent, to the floor by hand, and to the entry points of
//! other servers.

use std::process::Command;
use std::time::Instant;

use crate::Failure;
use crate::options::Options;
use crate::process::{self, Counter};
use crate::rounds::{Spread, alternate, ratio};
use crate::table::{self, grouped};

/// A way to answer calls: its title, its name on the command line, and whether it is in `bench`
/// rather than `peers`.
struct Subject {
    title: &'static str,
    way: &'static str,
    ours: bool,
}

const fn ours(title: &'static str, way: &'static str) -> Subject {
    Subject {
        title,
        way,
        ours: true,
    }
}

const fn peer(title: &'static str, way: &'static str) -> Subject {
    Subject {
        title,
        way,
        ours: false,
    }
}

/// The others are compared with the first one.
const SUBJECTS: [Subject; 7] = [
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
    counted: u64,
    timed: u64,
}

const fn case(name: &'static str) -> Case {
    Case {
        name,
        counted: 10_000,
        timed: 50_000,
    }
}

const fn large(name: &'static str, counted: u64, timed: u64) -> Case {
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
const BEFORE: u64 = 100;

/// The number of procedures. `growth` shows whether it matters.
const PROCEDURES: &str = "10";

impl Subject {
    /// Adds the program and its arguments to a command.
    fn add_to(&self, command: &mut Command, case: &Case, calls: u64) {
        command
            .arg(self.program())
            .args([self.way, case.name, &calls.to_string(), PROCEDURES]);
    }

    fn program(&self) -> std::path::PathBuf {
        if self.ours {
            process::ours("bench")
        } else {
            process::peers()
        }
    }

    /// Counts what one call takes.
    fn count(&self, counter: Counter, case: &Case) -> Result<f64, Failure> {
        let run = |calls| {
            let mut command = counter.command();
            self.add_to(&mut command, case, calls);
            counter.read(&process::output(&mut command)?)
        };
        let before = BEFORE.min(case.counted);
        let calls = f64::from(u32::try_from(case.counted)?);
        Ok((run(before + case.counted)? - run(before)?) / calls)
    }

    /// Measures how long one call takes, in nanoseconds.
    fn time(&self, case: &Case) -> Result<f64, Failure> {
        let run = |calls: u64| -> Result<f64, Failure> {
            let mut command = process::pinned("0", self.program());
            command.args([self.way, case.name, &calls.to_string(), PROCEDURES]);
            let start = Instant::now();
            process::output(&mut command)?;
            Ok(start.elapsed().as_secs_f64())
        };
        let before = BEFORE.min(case.timed);
        let calls = f64::from(u32::try_from(case.timed)?);
        Ok((run(before + case.timed)? - run(before)?) * 1e9 / calls)
    }
}

pub(crate) fn run(options: Options) -> Result<(), Failure> {
    process::build(&["bench"])?;
    process::build_peers()?;
    let mut names = vec!["call"];
    names.extend(SUBJECTS.iter().map(|subject| subject.title));
    for (title, counter) in [
        ("Instructions a call, in process", Counter::Instructions),
        ("Allocations a call, in process", Counter::Allocations),
    ] {
        let row = |case: &Case| counted(counter, case);
        let rows = CASES.iter().map(row).collect::<Result<Vec<_>, _>>()?;
        table::print(title, &names, &rows);
    }
    let row = |case: &Case| timed(options, case);
    let rows = CASES.iter().map(row).collect::<Result<Vec<_>, _>>()?;
    let title = format!(
        "Time of a call, in process: median of {} rounds, and the ratio to the same round by hand with its quartiles",
        options.rounds
    );
    table::print(&title, &names, &rows);
    Ok(())
}

fn counted(counter: Counter, case: &Case) -> Result<Vec<String>, Failure> {
    eprintln!("compare: counting {}", case.name);
    let mut row = vec![case.name.to_owned()];
    let floor = SUBJECTS[0].count(counter, case)?;
    row.push(grouped(floor));
    for subject in &SUBJECTS[1..] {
        let count = subject.count(counter, case)?;
        row.push(match counter {
            Counter::Instructions => format!("{} ({:.2})", grouped(count), count / floor),
            Counter::Allocations => grouped(count),
        });
    }
    Ok(row)
}

fn timed(options: Options, case: &Case) -> Result<Vec<String>, Failure> {
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

/// Divides the instructions of a call by those of the same call by hand.
pub(crate) fn instructions_over_floor(way: &str, case: &str) -> Result<f64, Failure> {
    let find = |way| SUBJECTS.iter().find(|subject| subject.way == way);
    let case = CASES.iter().find(|known| known.name == case);
    let (Some(subject), Some(floor), Some(case)) = (find(way), find("floor"), case) else {
        return Err(format!("no way {way}").into());
    };
    let count = |subject: &Subject| subject.count(Counter::Instructions, case);
    Ok(count(subject)? / count(floor)?)
}

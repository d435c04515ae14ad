//! Makes one call a number of times, in process, for an instruction counter.
//!
//! `cargo xtask instructions` counts the instructions of two runs with different numbers of calls. The difference is
//! what the further calls take, without the start of the program.

use std::hint::black_box;
use std::process::ExitCode;

use bench::case::{CASES, Case};
use bench::docent::HandlerKind;
use bench::{docent, floor, threads};

const USAGE: &str = "usage: bench floor|async|sync|blocking|threads|build CASE CALLS [PROCEDURES]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|command| command == "show") {
        show();
        return ExitCode::SUCCESS;
    }
    if let [command, case] = &arguments[..]
        && command == "body"
        && let Some(case) = Case::find(case)
    {
        // For programs that send it to servers.
        print!("{}", String::from_utf8_lossy(case.body()));
        return ExitCode::SUCCESS;
    }
    let Some(bytes) = measured(&arguments) else {
        let cases = CASES.map(|case| case.name).join(" ");
        eprintln!("{USAGE}\n       bench show\n       bench body CASE\ncases: {cases}");
        return ExitCode::from(2);
    };
    println!("{bytes} bytes");
    ExitCode::SUCCESS
}

/// Runs what the arguments ask for, and returns the number of bytes that came of it.
fn measured(arguments: &[String]) -> Option<usize> {
    let [way, case, calls, ..] = arguments else {
        return None;
    };
    let case = Case::find(case)?;
    let calls = calls.parse().ok()?;
    let procedures = match arguments.get(3) {
        Some(text) => text.parse().ok()?,
        None => 10,
    };
    let kind = match way.as_str() {
        "async" => HandlerKind::Asynchronous,
        "sync" => HandlerKind::Synchronous,
        "blocking" => HandlerKind::Blocking,
        other => return measured_otherwise(other, &case, calls, procedures),
    };
    let service = docent::service(procedures, kind);
    Some(docent::run(&service, case.body(), calls))
}

/// Runs everything but calls of a service: calls by hand, calls from two threads, and building.
fn measured_otherwise(way: &str, case: &Case, calls: usize, procedures: usize) -> Option<usize> {
    Some(match way {
        "floor" => floor::run(&floor::table(procedures), case.body(), calls),
        "threads" => {
            let one = docent::service(procedures, HandlerKind::Asynchronous);
            let other = docent::service(procedures, HandlerKind::Asynchronous);
            threads::run(&one, &other, case.body(), calls);
            0
        }
        "build" => {
            black_box(docent::service(procedures, HandlerKind::Asynchronous));
            0
        }
        _ => return None,
    })
}

/// Prints what each call is answered, so that both sides can be seen to do the same work.
fn show() {
    let service = docent::service(10, HandlerKind::Synchronous);
    let table = floor::table(10);
    for case in CASES {
        let sides = [
            docent::call(&service, case.body()),
            floor::answer(&table, case.body()),
        ];
        for response in sides {
            let text = String::from_utf8_lossy(&response.unwrap_or_default()).into_owned();
            println!("{:<16} {:>7} {:.160}", case.name, text.len(), text);
        }
    }
}

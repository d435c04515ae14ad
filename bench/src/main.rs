//! Runs one way of answering `sum(a, b)` a number of times, in process, for an instruction counter:
//! `cargo xtask instructions` takes the difference between two numbers of calls.

mod docent;
mod floor;

use std::hint::black_box;
use std::process::ExitCode;

/// A call by position, as a client writes it.
const BODY: &[u8] = br#"{"jsonrpc":"2.0","method":"sum","params":[1.5,2.25],"id":1}"#;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(way), Some(calls)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: bench floor|async|sync CALLS [PROCEDURES]");
        return ExitCode::from(2);
    };
    let calls: usize = calls.parse().unwrap_or(1_000);
    let procedures: usize = arguments
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(10);
    let answered = match way.as_str() {
        "floor" => floor::run(procedures, calls),
        "async" => docent::run(&docent::service(procedures, true), calls),
        "sync" => docent::run(&docent::service(procedures, false), calls),
        "build" => {
            black_box(docent::service(procedures, true));
            0
        }
        _ => return ExitCode::from(2),
    };
    println!("{answered} bytes");
    ExitCode::SUCCESS
}

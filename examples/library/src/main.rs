//! Opens the library and says what is in it.

use std::process::ExitCode;

use library::model::GetStats;
use library::settings::{self, Command, Settings, USAGE};
use library::store::Store;

fn main() -> ExitCode {
    let command = match settings::parse(std::env::args_os().skip(1)) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("library: {error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let outcome = match command {
        Command::Help => {
            print!("{USAGE}");
            Ok(())
        }
        Command::Serve(settings) => run(&settings),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("library: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(settings: &Settings) -> Result<(), Box<dyn std::error::Error>> {
    let store = Store::open(&settings.database)?;
    let stats = store.stats(&GetStats::default())?;
    println!("{}", serde_json::to_string_pretty(&stats)?);
    Ok(())
}

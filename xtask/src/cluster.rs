//! Soaks several instances of the library on one PostgreSQL server that restarts meanwhile, and
//! measures how many calls several instances answer.

use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::command::{self, BoxError, cargo};
use crate::install::{arguments, need};
use crate::postgres::{self, Commits, Server};
use crate::tasks::PROXY_PROGRAMS;

/// The default duration of a soak.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// Runs the soak.
pub(crate) fn run() -> Result<(), BoxError> {
    let programs = prepare()?;
    command::build()?;
    let mut server = Server::start(&programs, Commits::InMemory)?;
    let options: Vec<_> = arguments().collect();
    let time = time(&options).unwrap_or(DEFAULT_TIME);
    let start = Instant::now();
    let mut soak = Command::new(command::built("debug", "soak"))
        .arg(command::built("debug", "library"))
        .arg("--cluster")
        .arg(server.url() + "/postgres")
        .args(["--seconds", &DEFAULT_TIME.as_secs().to_string()])
        .args(&options)
        .spawn()?;
    // Restart while the soak kills instances. In its last third, no call may fail.
    let mut restarts = [time / 6, time / 3, time / 2].into_iter().peekable();
    loop {
        if let Some(status) = soak.try_wait()? {
            return if status.success() {
                Ok(())
            } else {
                Err(format!("the soak ended with {status}").into())
            };
        }
        if restarts
            .next_if(|moment| start.elapsed() > *moment)
            .is_some()
        {
            server.restart()?;
            println!("the database restarted");
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Measures how many calls a second one, two and three instances answer.
pub(crate) fn growth() -> Result<(), BoxError> {
    let programs = prepare()?;
    let build =
        "build --release --locked --package library --package soak --features library/postgres";
    command::run(cargo().args(build.split(' ')))?;
    let server = Server::start(&programs, Commits::OnDisk)?;
    let mut soak = Command::new(command::built("release", "soak"));
    soak.arg(command::built("release", "library"));
    command::run(soak.arg("--growth").arg(server.url() + "/postgres"))
}

/// Installs what is needed. Returns the folder of PostgreSQL's programs.
fn prepare() -> Result<PathBuf, BoxError> {
    need(&[PROXY_PROGRAMS])?;
    postgres::prepare()
}

/// Returns the time in the options. The soak itself rejects invalid options.
fn time(options: &[String]) -> Option<Duration> {
    let mut time = None;
    for pair in options.windows(2) {
        let number: u64 = pair[1].parse().unwrap_or_default();
        match &*pair[0] {
            "--minutes" => time = Some(Duration::from_secs(number.saturating_mul(60))),
            "--seconds" => time = Some(Duration::from_secs(number)),
            _ => {}
        }
    }
    time
}

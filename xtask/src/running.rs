//! Example services that run while a task calls them.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::command::{self, Failure};

/// A service on a free port. Dropping this kills it.
pub(crate) struct Running {
    process: Child,
    pub(crate) address: String,
}

impl Running {
    pub(crate) fn conformance() -> Result<Self, Failure> {
        Self::start("conformance", &["--listen", "127.0.0.1:0"])
    }

    /// Starts a program and waits until it prints the address that it listens on.
    pub(crate) fn start(program: &str, arguments: &[&str]) -> Result<Self, Failure> {
        let mut process = Command::new(command::built("debug", program))
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let mut words = line.split_whitespace();
        let address = words.find_map(|word| word.strip_suffix("/rpc"));
        let address = address.ok_or_else(|| format!("{program} did not start: {line:?}"))?;
        let address = address.to_owned();
        Ok(Self { process, address })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // This fails only if the process has already ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

//! Services that a task asks things.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::command::{self, Failure};

/// A service on a free port; it ends when this is dropped.
pub(crate) struct Running {
    process: Child,
    pub(crate) address: String,
}

impl Running {
    pub(crate) fn conformance() -> Result<Self, Failure> {
        Self::start("conformance", &["--listen", "127.0.0.1:0"])
    }

    /// Starts a program that was built, and waits until it says where it listens.
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
        // It may have ended by itself; there is nothing else to do about either.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

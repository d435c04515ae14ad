//! Example services that run while a task calls them.
//!
//! A service listens on a free port and ends with its task, also if that fails.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

use crate::command::{self, BoxError};

/// The token with which callers of the library may write.
pub(crate) const WRITE_TOKEN: &str = "a-token-for-this-check";
/// The address for a free port.
pub(crate) const ANY_PORT: &str = "127.0.0.1:0";

/// A service on a free port. Dropping this kills it.
pub(crate) struct RunningService {
    process: Child,
    pub(crate) address: String,
}

impl RunningService {
    pub(crate) fn conformance() -> Result<Self, BoxError> {
        Self::start("conformance", &["--listen", ANY_PORT])
    }

    /// Starts the service whose procedures return what has arrived.
    pub(crate) fn values() -> Result<Self, BoxError> {
        Self::start("conformance", &["--listen", ANY_PORT, "--values"])
    }

    /// Builds the library, and starts it with an empty database of this name.
    pub(crate) fn library(
        database: &str,
        listen: &str,
        options: &[&str],
    ) -> Result<Self, BoxError> {
        command::build()?;
        let database = new_database(database)?;
        let mut arguments = vec!["--listen", listen, "--database", &database];
        arguments.extend(["--token", WRITE_TOKEN]);
        arguments.extend(options);
        Self::start("library", &arguments)
    }

    /// Returns the address that the service listens on, without a scheme.
    pub(crate) fn socket_address(&self) -> Result<SocketAddr, BoxError> {
        Ok(self.address.trim_start_matches("http://").parse()?)
    }

    /// Starts a program and waits until it prints the address that it listens on.
    pub(crate) fn start(program: &str, arguments: &[&str]) -> Result<Self, BoxError> {
        let mut process = Command::new(command::built("debug", program))
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let address = line
            .split_whitespace()
            .find_map(|word| word.strip_suffix("/rpc"))
            .ok_or_else(|| format!("{program} did not start: {line:?}"))?;
        Ok(Self {
            process,
            address: address.to_owned(),
        })
    }
}

/// Returns the path for a new database.
pub(crate) fn new_database(name: &str) -> Result<String, BoxError> {
    let path = command::target().join(format!("{name}.db"));
    if path.exists() {
        fs::remove_file(&path)?;
    }
    Ok(path.display().to_string())
}

/// Returns an address without a listener.
pub(crate) fn unused_address() -> Result<String, BoxError> {
    Ok(TcpListener::bind(ANY_PORT)?.local_addr()?.to_string())
}

impl Drop for RunningService {
    fn drop(&mut self) {
        // This fails only if the process has already ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

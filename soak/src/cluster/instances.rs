//! The library's processes.
//!
//! They are started on fixed ports, so that nginx finds a new process where the old one was.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::BoxError;
use crate::program::{Program, START_TIMEOUT};

/// Instances that share a database. Each keeps its address for the whole soak.
pub(super) struct Instances {
    binary: PathBuf,
    database: String,
    token: String,
    all: Vec<Instance>,
}

struct Instance {
    address: SocketAddr,
    /// The running process, or `None` while the instance is killed.
    program: Option<Program>,
}

impl Instances {
    pub(super) fn start(
        binary: &Path,
        database: &str,
        token: &str,
        count: usize,
    ) -> Result<Self, BoxError> {
        let mut instances = Self {
            binary: binary.to_owned(),
            database: database.to_owned(),
            token: token.to_owned(),
            all: Vec::new(),
        };
        for _ in 0..count {
            let address = free_address()?;
            let program = Some(instances.program(address)?);
            instances.all.push(Instance { address, program });
        }
        Ok(instances)
    }

    pub(super) fn addresses(&self) -> Vec<SocketAddr> {
        self.all.iter().map(|instance| instance.address).collect()
    }

    pub(super) fn kill(&mut self, number: usize) -> Result<(), BoxError> {
        match self.all[number].program.take() {
            Some(program) => complain(program.kill()?),
            None => Ok(()),
        }
    }

    /// Starts the instances that were killed.
    pub(super) fn revive(&mut self) -> Result<(), BoxError> {
        for number in 0..self.all.len() {
            if self.all[number].program.is_none() {
                self.all[number].program = Some(self.program(self.all[number].address)?);
            }
        }
        Ok(())
    }

    /// Shuts an instance down and starts another in its place.
    pub(super) fn replace(&mut self, number: usize) -> Result<(), BoxError> {
        if let Some(program) = self.all[number].program.take() {
            complain(program.shut_down()?.complaints)?;
        }
        self.revive()
    }

    pub(super) fn shut_down(mut self) -> Result<(), BoxError> {
        for instance in &mut self.all {
            if let Some(program) = instance.program.take() {
                complain(program.shut_down()?.complaints)?;
            }
        }
        Ok(())
    }

    /// Starts an instance. This may take several attempts while the database restarts.
    fn program(&self, address: SocketAddr) -> Result<Program, BoxError> {
        let end = Instant::now() + START_TIMEOUT;
        loop {
            let listen = address.to_string();
            match Program::start(&self.binary, &listen, self.database.as_ref(), &self.token) {
                Err(_) if Instant::now() < end => thread::sleep(Duration::from_millis(200)),
                outcome => return outcome,
            }
        }
    }
}

/// Fails if a process has logged anything worse than the loss of its database.
fn complain(complaints: Vec<String>) -> Result<(), BoxError> {
    match complaints
        .into_iter()
        .find(|line| line.contains("panicked"))
    {
        Some(line) => Err(BoxError::from(format!("the library logs: {line}"))),
        None => Ok(()),
    }
}

/// Returns an address that was free a moment ago.
pub(super) fn free_address() -> Result<SocketAddr, BoxError> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

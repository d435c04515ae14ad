//! The library as a process: starts it, checks its health, kills it and shuts it down.
//!
//! If the soak itself is killed, a watchdog ends the library: no process is left behind.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::http::{Connection, Response, Trouble, request};
use crate::BoxError;

/// The time within which the library must listen and report that it is healthy.
pub(crate) const START_TIMEOUT: Duration = Duration::from_secs(20);

/// The time within which the library must shut down. The server's own deadline is 30 s.
pub(crate) const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(35);

/// The parts of log lines that a sound library does not write.
const COMPLAINTS: [&str; 3] = ["panicked", "a procedure failed", "never declared"];

/// A running library. The process ends when this value is dropped, and also when the soak itself
/// ends without running destructors.
pub(crate) struct Program {
    child: Child,
    /// Holds one end of a pipe, and kills the library when the other end closes.
    watchdog: Child,
    address: SocketAddr,
    /// Log lines that the library should not have written.
    complaints: Arc<Mutex<Vec<String>>>,
}

/// A shutdown that has succeeded.
pub(crate) struct Shutdown {
    pub(crate) time: Duration,
    /// The complaints in the log.
    pub(crate) complaints: Vec<String>,
}

impl Program {
    /// Starts the library on a database and waits until it is healthy.
    pub(crate) fn start(
        binary: &Path,
        listen: &str,
        database: &Path,
        token: &str,
    ) -> Result<Self, BoxError> {
        let start = Instant::now();
        let mut command = Command::new(binary);
        command
            .args(["--listen", listen, "--token", token, "--database"])
            .arg(database)
            // With its default of eight arenas for each core, glibc's allocator would fill arenas
            // for most of the soak, and its growth would hide whether the library frees its memory.
            .env("MALLOC_ARENA_MAX", "2")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Keeps a signal from the keyboard away from the library, which would shut down gracefully
        // and unnoticed.
        group_of_its_own(&mut command);
        let mut child = command.spawn()?;
        let watchdog = match watch(&child) {
            Ok(watchdog) => watchdog,
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(error);
            }
        };
        let lines = child.stdout.take().map(read_lines);
        let complaints = Arc::default();
        if let Some(stderr) = child.stderr.take() {
            collect(stderr, Arc::clone(&complaints));
        }
        let mut program = Self {
            child,
            watchdog,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            complaints,
        };
        let line = lines
            .and_then(|lines| lines.recv_timeout(START_TIMEOUT).ok())
            .ok_or_else(|| BoxError::from("the library did not print its address"))?;
        program.address = line
            .strip_prefix("library listens at http://")
            .and_then(|rest| rest.strip_suffix("/rpc")?.parse().ok())
            .ok_or_else(|| BoxError::from(format!("the library printed {line:?}")))?;
        while !program.is_healthy() {
            if start.elapsed() > START_TIMEOUT {
                return Err(BoxError::from("the library did not become healthy in time"));
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(program)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    fn is_healthy(&self) -> bool {
        self.health()
            .is_ok_and(|response| response.status == 200 && response.body == br#"{"status":"ok"}"#)
    }

    fn health(&self) -> Result<Response, Trouble> {
        let mut connection = Connection::open(self.address)?;
        connection.send(&request("GET", "/health", &[], None))?;
        connection.receive(false)
    }

    /// Returns the exit status if the process has ended by itself.
    pub(crate) fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Sends SIGKILL, which no process can catch, and returns the complaints in the log.
    pub(crate) fn kill(mut self) -> Result<Vec<String>, BoxError> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(self.complaints())
    }

    /// Sends SIGTERM, and waits for the end of the process.
    pub(crate) fn shut_down(mut self) -> Result<Shutdown, BoxError> {
        let start = Instant::now();
        let id = self.id().to_string();
        shell(r#"kill -TERM "$1""#, &id).status()?;
        while start.elapsed() < SHUTDOWN_TIMEOUT {
            if let Some(status) = self.has_ended() {
                return match status.code() {
                    Some(0) => Ok(Shutdown {
                        time: start.elapsed(),
                        complaints: self.complaints(),
                    }),
                    _ => Err(BoxError::from(format!("shut down with {status}"))),
                };
            }
            thread::sleep(Duration::from_millis(10));
        }
        Err(BoxError::from(format!(
            "still running {SHUTDOWN_TIMEOUT:?} after SIGTERM"
        )))
    }

    fn complaints(&self) -> Vec<String> {
        let complaints = self.complaints.lock();
        std::mem::take(&mut complaints.unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Either process may have ended already, and an error would change nothing. The watchdog
        // goes first, so that it cannot kill another process that has reused the library's id.
        let _ = self.watchdog.kill();
        let _ = self.watchdog.wait();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a process that kills `child` when this process is gone, for whatever reason.
fn watch(child: &Child) -> Result<Child, BoxError> {
    let mut command = shell(r#"read -r _; kill -KILL "$1""#, &child.id().to_string());
    command.stdin(Stdio::piped()).stderr(Stdio::null());
    group_of_its_own(&mut command);
    Ok(command.spawn()?)
}

fn shell(script: &str, argument: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", argument]);
    command
}

#[cfg(unix)]
fn group_of_its_own(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn group_of_its_own(_: &mut Command) {}

/// Returns the lines of an output. A thread reads to the end, so that the program never blocks on a
/// full pipe.
fn read_lines(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            // Only the first line matters. The receiver may be gone when others arrive.
            let _ = sender.send(line);
        }
    });
    receiver
}

/// Collects log lines that a sound library does not write.
fn collect(log: impl Read + Send + 'static, complaints: Arc<Mutex<Vec<String>>>) {
    let lines = read_lines(log);
    thread::spawn(move || {
        for line in lines {
            if COMPLAINTS.iter().any(|complaint| line.contains(complaint)) {
                let mut complaints = complaints.lock().unwrap_or_else(PoisonError::into_inner);
                if complaints.len() < 10 {
                    complaints.push(line);
                }
            }
        }
    });
}

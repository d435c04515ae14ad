//! The library as a process: started, asked for its health, killed, told to leave.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::http::{Connection, Trouble, request};
use crate::Failure;

/// The time in which it has to listen and call itself healthy.
pub(crate) const START: Duration = Duration::from_secs(20);

/// The time in which it has to leave: the server's own deadline is 30 s.
pub(crate) const LEAVE: Duration = Duration::from_secs(35);

/// A library that runs. It ends when this is dropped, and also when this process ends in a way that
/// drops nothing.
pub(crate) struct Program {
    child: Child,
    /// Holds one end of a pipe; when that is closed, it kills the library.
    watchdog: Child,
    address: SocketAddr,
    /// What it has logged that it should not have.
    complaints: Arc<Mutex<Vec<String>>>,
}

impl Program {
    /// Starts it on a database, and waits until it is healthy.
    pub(crate) fn start(binary: &Path, database: &Path, token: &str) -> Result<Self, Failure> {
        let start = Instant::now();
        let mut command = Command::new(binary);
        command
            .args(["--listen", "127.0.0.1:0", "--token", token, "--database"])
            .arg(database)
            // Otherwise what is seen of its memory is how the allocator of glibc fills its arenas, of
            // which it makes eight for each core, and not whether the library lets go of what it had.
            .env("MALLOC_ARENA_MAX", "2")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A signal from the keyboard is not for the library: it would shut down gracefully, unnoticed.
        group_of_its_own(&mut command);
        let mut child = command.spawn()?;
        let watchdog = match watch(&child) {
            Ok(watchdog) => watchdog,
            Err(failure) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(failure);
            }
        };
        let lines = child.stdout.take().map(read_lines);
        let complaints = Arc::default();
        if let Some(stderr) = child.stderr.take() {
            listen(stderr, Arc::clone(&complaints));
        }
        let mut program = Self {
            child,
            watchdog,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            complaints,
        };
        let line = lines.and_then(|lines| lines.recv_timeout(START).ok());
        let line =
            line.ok_or_else(|| Failure::from("the library does not say where it listens"))?;
        let address = line.strip_prefix("library listens at http://");
        let address = address.and_then(|rest| rest.strip_suffix("/rpc")?.parse().ok());
        program.address = address.ok_or_else(|| Failure::from(format!("it says {line:?}")))?;
        while !program.is_healthy() {
            if start.elapsed() > START {
                return Err(Failure::from("the library is not healthy in time"));
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
        let ask = || -> Result<_, Trouble> {
            let mut connection = Connection::open(self.address)?;
            connection.send(&request("GET", "/health", &[], None))?;
            connection.receive(false)
        };
        ask().is_ok_and(|answer| answer.status == 200 && answer.body == br#"{"status":"ok"}"#)
    }

    /// Whether it has ended by itself.
    pub(crate) fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// SIGKILL, which nothing can catch; gives what it has complained of.
    pub(crate) fn kill(mut self) -> Result<Vec<String>, Failure> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(self.complaints())
    }

    /// SIGTERM; gives how long it took to leave, and what it has complained of.
    pub(crate) fn leave(mut self) -> Result<(Duration, Vec<String>), Failure> {
        let start = Instant::now();
        let id = self.id().to_string();
        shell(r#"kill -TERM "$1""#, &id).status()?;
        while start.elapsed() < LEAVE {
            if let Some(status) = self.has_ended() {
                return match status.code() {
                    Some(0) => Ok((start.elapsed(), self.complaints())),
                    _ => Err(Failure::from(format!("told to leave: {status}"))),
                };
            }
            thread::sleep(Duration::from_millis(10));
        }
        Err(Failure::from(format!(
            "told to leave, it is there after {LEAVE:?}"
        )))
    }

    fn complaints(&self) -> Vec<String> {
        let complaints = self.complaints.lock();
        std::mem::take(&mut complaints.unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // They may have ended by themselves; there is nothing else to do about either. The watchdog
        // goes first: it must not look for a process whose number may be somebody else's by then.
        let _ = self.watchdog.kill();
        let _ = self.watchdog.wait();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Something that kills the process when this one is gone, however it went.
fn watch(child: &Child) -> Result<Child, Failure> {
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

/// The lines of an output. They are read to the end, so that the program never blocks on a full pipe.
fn read_lines(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            // Only the first line matters; the receiver may be gone when the others come.
            let _ = sender.send(line);
        }
    });
    receiver
}

/// Keeps what a sound library does not log.
fn listen(log: impl Read + Send + 'static, complaints: Arc<Mutex<Vec<String>>>) {
    let lines = read_lines(log);
    thread::spawn(move || {
        for line in lines {
            let bad = ["panicked", "a procedure failed", "never declared"];
            if bad.iter().any(|bad| line.contains(bad)) {
                let mut complaints = complaints.lock().unwrap_or_else(PoisonError::into_inner);
                if complaints.len() < 10 {
                    complaints.push(line);
                }
            }
        }
    });
}

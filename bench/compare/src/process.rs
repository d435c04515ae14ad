//! The programs that are measured, and those that measure them.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Failure;

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The target folder of cargo.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// The profile to build everything with. By default it is the one that services ship with.
pub(crate) fn profile() -> String {
    std::env::var("BENCH_PROFILE").unwrap_or_else(|_| "dist".to_owned())
}

/// Builds packages of the workspace.
pub(crate) fn build(packages: &[&str]) -> Result<(), Failure> {
    let mut cargo = cargo();
    for package in packages {
        cargo.args(["--package", package]);
    }
    finish(&mut cargo)
}

/// Builds the other servers. They are a separate workspace with a separate lockfile.
pub(crate) fn build_peers() -> Result<(), Failure> {
    let manifest = root().join("bench/peers/Cargo.toml");
    let mut cargo = cargo();
    cargo.arg("--manifest-path").arg(manifest);
    finish(cargo.env("CARGO_TARGET_DIR", target().join("peers")))
}

/// Runs cargo in `bench/`, whose `rust-toolchain.toml` pins the compiler.
fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(root().join("bench"))
        .env_remove("RUSTUP_TOOLCHAIN")
        .args(["build", "--locked", "--profile", &profile()]);
    cargo
}

/// The path of a program of the workspace.
pub(crate) fn ours(name: &str) -> PathBuf {
    target().join(profile()).join(name)
}

/// The path of the program with the other servers.
pub(crate) fn peers() -> PathBuf {
    target().join("peers").join(profile()).join("peers")
}

/// Runs a program and fails if it does. Its output is dropped, its errors are shown.
pub(crate) fn finish(command: &mut Command) -> Result<(), Failure> {
    let status = command
        .stdout(Stdio::null())
        .status()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{command:?}: {status}").into())
    }
}

/// Runs a program and returns what it writes to standard output and standard error.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!("{command:?}: {}\n{text}", output.status).into())
    }
}

/// What valgrind counts while a program runs.
#[derive(Clone, Copy)]
pub(crate) enum Counter {
    Instructions,
    /// Calls to the allocator, reallocations included.
    Allocations,
}

impl Counter {
    /// Starts a command that runs a program with this counter.
    pub(crate) fn command(self) -> Command {
        let mut valgrind = Command::new("valgrind");
        match self {
            Self::Instructions => {
                valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            }
            Self::Allocations => valgrind.args(["--tool=memcheck", "--undef-value-errors=no"]),
        };
        valgrind
    }

    /// Reads the number from valgrind's report.
    pub(crate) fn read(self, report: &str) -> Result<f64, Failure> {
        let marker = match self {
            Self::Instructions => "Collected : ",
            Self::Allocations => "total heap usage: ",
        };
        report
            .lines()
            .find_map(|line| line.split_once(marker)?.1.split_whitespace().next())
            .and_then(|number| number.replace(',', "").parse().ok())
            .ok_or_else(|| format!("valgrind did not count anything:\n{report}").into())
    }
}

/// Waits for a process to end and returns its peak memory in bytes. Only Linux reports it.
///
/// The peak disappears with the process, so it is read repeatedly. It only ever rises, so the last
/// reading misses at most what happens in one millisecond.
pub(crate) fn peak_until_end(child: &mut Child) -> Result<Option<u64>, Failure> {
    let mut peak = None;
    while child.try_wait()?.is_none() {
        peak = peak.max(memory(child.id(), "VmHWM:"));
        thread::sleep(Duration::from_millis(1));
    }
    Ok(peak)
}

/// Reads a line of `/proc/PID/status` about memory, in bytes.
pub(crate) fn memory(process: u32, line: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|text| text.strip_prefix(line))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Returns how long the threads of a process have run on a core so far.
pub(crate) fn on_core(process: u32) -> Result<Duration, Failure> {
    let mut nanoseconds = 0;
    for task in fs::read_dir(format!("/proc/{process}/task"))? {
        let text = fs::read_to_string(task?.path().join("schedstat"))?;
        let running = text.split_whitespace().next().unwrap_or_default();
        nanoseconds += running.parse::<u64>()?;
    }
    Ok(Duration::from_nanos(nanoseconds))
}

/// A server that runs until this is dropped. Servers also exit when their standard input ends, so
/// they cannot outlive this process.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
    /// From before the process was started until it had printed its address.
    pub(crate) started_in: Duration,
}

impl Server {
    /// Starts a server that prints its address on its first line.
    pub(crate) fn start(command: &mut Command) -> Result<Self, Failure> {
        let before = Instant::now();
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{command:?}: {error}"))?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let started_in = before.elapsed();
        let Ok(address) = line.trim().parse() else {
            let _ = process.kill();
            let _ = process.wait();
            return Err(format!("{command:?} did not start: {line:?}").into());
        };
        Ok(Self {
            process,
            address,
            started_in,
        })
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Stops the server and waits until it has exited.
    pub(crate) fn stop(&mut self) -> Result<(), Failure> {
        drop(self.process.stdin.take());
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have exited already, and there is nothing left to do if this fails.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a command that runs a program on the given cores.
pub(crate) fn pinned(cores: &str, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", cores]).arg(program);
    command
}

/// Runs a program with this input and returns its output.
pub(crate) fn exchange(command: &mut Command, input: &[u8]) -> Result<String, Failure> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input)?;
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?}: {}: {}", output.status, said.trim()).into())
}

//! The programs that are measured, and those that measure them.
//!
//! Programs are pinned to cores. Under valgrind, reads of the clock, allocations and the parts of writes are counted
//! beside instructions.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::BoxError;

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
pub(crate) fn build(packages: &[&str]) -> Result<(), BoxError> {
    let mut cargo = cargo();
    for package in packages {
        cargo.args(["--package", package]);
    }
    finish(&mut cargo)
}

/// Builds the other servers. They are a separate workspace with a separate lockfile.
pub(crate) fn build_peers() -> Result<(), BoxError> {
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
pub(crate) fn finish(command: &mut Command) -> Result<(), BoxError> {
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
pub(crate) fn output(command: &mut Command) -> Result<String, BoxError> {
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

/// Functions of libc whose calls are counted.
const CLOCK_FUNCTIONS: [&str; 1] = ["clock_gettime"];
const ALLOCATOR_FUNCTIONS: [&str; 5] = [
    "malloc",
    "calloc",
    "realloc",
    "posix_memalign",
    "aligned_alloc",
];
const WRITE_FUNCTIONS: [&str; 2] = ["send", "write"];
const VECTORED_WRITE_FUNCTIONS: [&str; 2] = ["sendmsg", "writev"];

/// Lets libc write and copy memory with vector instructions only. Valgrind counts each byte of a `rep`
/// instruction as an instruction: 3,072 for each head of a request that actix-http decodes, which the
/// processor writes in a hundred steps.
const WITHOUT_REP: &str = "glibc.cpu.x86_rep_stosb_threshold=1000000000:\
                           glibc.cpu.x86_rep_movsb_threshold=1000000000";

/// The counts of callgrind for one run of a program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Counts {
    pub(crate) instructions: f64,
    /// Calls that read a clock.
    pub(crate) clock_reads: f64,
    /// Calls of the allocator, reallocations included.
    pub(crate) allocations: f64,
    /// Parts that are written at least: one with each call, and two with each that takes a list.
    pub(crate) written_parts: f64,
}

impl Counts {
    /// Starts a command that runs a program and writes its counts to a file.
    pub(crate) fn command(file: &Path) -> Command {
        let mut valgrind = Command::new("valgrind");
        valgrind
            .env("GLIBC_TUNABLES", WITHOUT_REP)
            .args(["--quiet", "--tool=callgrind"])
            .arg(format!("--callgrind-out-file={}", file.display()));
        valgrind
    }

    /// Reads the file of a program that has ended.
    pub(crate) fn read(file: &Path) -> Result<Self, BoxError> {
        let profile = fs::read_to_string(file)?;
        let total = profile
            .lines()
            .find_map(|line| line.strip_prefix("totals: "))
            .ok_or("callgrind did not count anything")?;
        Ok(Self {
            instructions: total.trim().parse()?,
            clock_reads: calls(&profile, &CLOCK_FUNCTIONS)?,
            allocations: calls(&profile, &ALLOCATOR_FUNCTIONS)?,
            written_parts: calls(&profile, &WRITE_FUNCTIONS)?
                + 2.0 * calls(&profile, &VECTORED_WRITE_FUNCTIONS)?,
        })
    }

    /// Returns how much more this is than another count, for each of so many calls.
    pub(crate) fn more_than(self, other: Self, calls: u32) -> Self {
        let calls = f64::from(calls);
        Self {
            instructions: (self.instructions - other.instructions) / calls,
            clock_reads: (self.clock_reads - other.clock_reads) / calls,
            allocations: (self.allocations - other.allocations) / calls,
            written_parts: (self.written_parts - other.written_parts) / calls,
        }
    }
}

/// Returns how often these functions were called, by callgrind's profile of a program: a line `cfn=`
/// with the function, and then a line `calls=` with a number. Only the first line with a function has
/// its name, after an ID in brackets.
fn calls(profile: &str, functions: &[&str]) -> Result<f64, BoxError> {
    let mut ids = HashSet::new();
    let mut is_counted = false;
    let mut total = 0.0;
    for line in profile.lines() {
        if let Some((kind @ ("fn" | "cfn"), function)) = line.split_once('=') {
            let (id, name) = function.split_once(' ').unwrap_or((function, ""));
            // A symbol may have a version: `clock_gettime@@GLIBC_2.17`.
            let name = name.split('@').next().unwrap_or_default();
            if functions.contains(&name) {
                ids.insert(id);
            }
            is_counted = kind == "cfn" && ids.contains(id);
        } else if let Some(calls) = line.strip_prefix("calls=").filter(|_| is_counted) {
            let (number, _) = calls.split_once(' ').unwrap_or((calls, ""));
            total += number.parse::<f64>()?;
        }
    }
    Ok(total)
}

/// Waits for a process to end and returns its peak memory in bytes. Only Linux reports it.
///
/// The peak disappears with the process, so it is read repeatedly. It only ever rises, so the last
/// reading misses at most what happens in one millisecond.
pub(crate) fn peak_until_end(child: &mut Child) -> Result<Option<u64>, BoxError> {
    let mut peak = None;
    while child.try_wait()?.is_none() {
        peak = peak.max(memory(child.id(), "VmHWM:"));
        thread::sleep(Duration::from_millis(1));
    }
    Ok(peak)
}

/// Reads a line of `/proc/PID/status` about memory, in bytes.
pub(crate) fn memory(process: u32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = value.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Returns how long the threads of a process have run on a core so far.
pub(crate) fn on_core(process: u32) -> Result<Duration, BoxError> {
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
    /// The time from before the process was started until it had printed its address.
    pub(crate) started_in: Duration,
}

impl Server {
    /// Starts a server that prints its address on its first line.
    pub(crate) fn start(command: &mut Command) -> Result<Self, BoxError> {
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
    pub(crate) fn stop(&mut self) -> Result<(), BoxError> {
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
pub(crate) fn exchange(command: &mut Command, input: &[u8]) -> Result<String, BoxError> {
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
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?}: {}: {}", output.status, complaint.trim()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_a_function_are_counted_under_its_name_and_its_id() {
        let profile = "fn=(1) main\n10 5\ncfn=(2) malloc\ncalls=3 0x10\n11 90\n\
                       cfn=(3) clock_gettime@@GLIBC_2.17\ncalls=1 0x20\n\
                       fn=(4) other\ncob=(2)\ncfi=(7)\ncfn=(2)\ncalls=4 0x10\n\
                       cfn=(5) malloc_consolidate\ncalls=9 0x30\ntotals: 95\n";
        let count = |functions: &[&str]| calls(profile, functions).expect("numbers");
        assert_eq!(count(&ALLOCATOR_FUNCTIONS).to_bits(), 7.0_f64.to_bits());
        assert_eq!(count(&CLOCK_FUNCTIONS).to_bits(), 1.0_f64.to_bits());
        assert_eq!(count(&["read"]).to_bits(), 0.0_f64.to_bits());
    }
}

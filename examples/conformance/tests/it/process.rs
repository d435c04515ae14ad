//! The program as a separate process, because signals and memory belong to a process.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::Server;
use crate::carrier::{Carrier, Connection};
use crate::client::{Request, Response};
use crate::trust::TRUST;

/// Longer than anything here takes. A test that waits this long has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A timeout that is too long to expire during a test.
pub(crate) const AN_HOUR_MS: &str = "3600000";

/// The running program. It ends with the test.
pub(crate) struct Program {
    child: Child,
    pub(crate) server: Server,
    carrier: Carrier,
    /// The address with TLS.
    secure: Option<SocketAddr>,
    /// Has the socket, the certificate and its key.
    folder: tempfile::TempDir,
    log: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
    /// Kept open, because the program must be able to print.
    _out: BufReader<ChildStdout>,
}

impl Program {
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::over(Carrier::Tcp, flags)
    }

    /// Starts the program to be called over this carrier.
    pub(crate) fn over(carrier: Carrier, flags: &[&str]) -> Self {
        let program = Command::new(env!("CARGO_BIN_EXE_conformance"));
        Self::start_as(program, carrier, flags)
    }

    /// Starts the program with a soft and a hard limit on open files.
    #[cfg(target_os = "linux")]
    pub(crate) fn with_descriptors(
        carrier: Carrier,
        soft: usize,
        hard: usize,
        flags: &[&str],
    ) -> Self {
        let limited = format!("ulimit -Sn {soft} && ulimit -Hn {hard} && exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &limited, env!("CARGO_BIN_EXE_conformance")]);
        Self::start_as(shell, carrier, flags)
    }

    fn start_as(mut command: Command, carrier: Carrier, flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| folder.path().join(name);
        match carrier {
            Carrier::Tcp => {}
            Carrier::Tls => {
                let (certificate, key) = (file("certificate"), file("key"));
                std::fs::write(&certificate, &TRUST.certificate).expect("a file");
                std::fs::write(&key, &TRUST.key).expect("a file");
                command.args(["--tls", "127.0.0.1:0"]);
                command.arg("--certificate").arg(certificate);
                command.arg("--key").arg(key);
            }
            Carrier::Unix => {
                command.arg("--unix").arg(file("socket"));
            }
        }
        let mut child = command
            .args(["--listen", "127.0.0.1:0", "--workers", "2"])
            .args(
                ["--timeout-ms", "30000"]
                    .iter()
                    .filter(|_| !flags.contains(&"--timeout-ms")),
            )
            .args(flags)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let address = listening(&mut out, "http");
        let secure = (carrier == Carrier::Tls).then(|| listening(&mut out, "https"));
        let log = Arc::new(Mutex::new(String::new()));
        let (mut errors, kept) = (child.stderr.take().expect("a pipe"), Arc::clone(&log));
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4_096];
            while let Ok(read @ 1..) = errors.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..read]);
                kept.lock().expect("no panic").push_str(&text);
            }
        });
        Self {
            server: Server { address },
            carrier,
            secure,
            folder,
            child,
            log,
            reader: Some(reader),
            _out: out,
        }
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let command = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &command]).status();
        assert!(status.expect("a shell").success(), "{command}");
    }

    /// Waits for the program to end, and returns its exit status and its log.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        let status = eventually("the program leaves", || {
            self.child.try_wait().expect("a child")
        });
        let reader = self.reader.take().expect("the log is read only once");
        reader.join().expect("the log is read");
        (status, self.log())
    }

    /// Returns what the program has logged.
    pub(crate) fn log(&self) -> String {
        self.log.lock().expect("no panic").clone()
    }

    /// Opens a connection over the carrier of this program.
    pub(crate) fn connect(&self) -> Connection {
        match (self.carrier, self.secure) {
            (Carrier::Tls, Some(address)) => Connection::tls(address),
            (Carrier::Unix, _) => Connection::unix(&self.folder.path().join("socket")),
            _ => Connection::tcp(self.server.address),
        }
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn connections(&self, count: usize) -> Vec<Connection> {
        (0..count).map(|_| self.connect()).collect()
    }

    /// Opens connections, and sends these bytes on each before the next: the time for a head begins with
    /// its connection.
    #[cfg(target_os = "linux")]
    pub(crate) fn begun(&self, count: usize, bytes: &[u8]) -> Vec<Connection> {
        let begin = |_| {
            let mut connection = self.connect();
            std::io::Write::write_all(&mut connection, bytes).expect("the connection is open");
            connection
        };
        (0..count).map(begin).collect()
    }

    /// Sends a body on a new connection.
    pub(crate) fn post(&self, body: impl AsRef<[u8]>) -> Response {
        Response::exchange(&mut self.connect(), &Request::post("/rpc", body.as_ref()))
    }

    /// Sends a call and returns its connection.
    pub(crate) fn begin(&self, procedure: &str, params: &str) -> std::net::TcpStream {
        let mut connection = self.server.connect();
        let body = crate::call_with(procedure, params);
        let bytes = Request::post("/rpc", body.as_bytes()).bytes();
        std::io::Write::write_all(&mut connection, &bytes).expect("the request is sent");
        connection
    }

    /// Sends a call and waits until it runs. The program must allow one call at a time, so that
    /// others are rejected while it does.
    pub(crate) fn running(&self, procedure: &str, params: &str) -> std::net::TcpStream {
        eventually("the call runs", || {
            let mut connection = self.begin(procedure, params);
            connection
                .set_nonblocking(true)
                .expect("the option can be set");
            // The call itself is rejected if one of those probes came first.
            while Read::read(&mut connection, &mut [0]).is_err() {
                if self.server.get("/rpc/get_data").status == 503 {
                    connection
                        .set_nonblocking(false)
                        .expect("the option can be set");
                    return Some(connection);
                }
            }
            None
        })
    }

    /// Waits until `/health` reports that the server is shutting down.
    pub(crate) fn wait_until_leaving(&self) {
        eventually("the server leaves", || {
            let response = self.server.get("/health");
            (response.status == 503).then(|| assert_eq!(response.text(), r#"{"status":"leaving"}"#))
        });
    }

    /// Checks that the server responds to an honest caller.
    #[track_caller]
    pub(crate) fn assert_serves(&self) {
        let response = self.post(crate::call_with("sum", "[1,2]"));
        assert_eq!((response.status, &*response.brief()), (200, "3 #1"));
    }

    /// Returns a field of `/proc/…/status`, such as `VmHWM`, the process's peak memory in KiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self, field: &str) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).expect("a process");
        let kib = status
            .lines()
            .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))
            .and_then(|value| value.trim().strip_suffix(" kB"))
            .expect("a size");
        kib.parse().expect("a number")
    }

    /// Returns the limit on the program's open file descriptors.
    #[cfg(target_os = "linux")]
    pub(crate) fn descriptor_limit(&self) -> usize {
        descriptor_limit(&self.child.id().to_string())
    }

    /// Returns the number of open file descriptors: connections and a few more.
    #[cfg(target_os = "linux")]
    pub(crate) fn descriptors(&self) -> usize {
        let path = format!("/proc/{}/fd", self.child.id());
        std::fs::read_dir(path).expect("a process").count()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("it was called over {:?}", self.carrier);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads where the program listens.
fn listening(out: &mut impl BufRead, scheme: &str) -> SocketAddr {
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    let address = line
        .trim_end()
        .strip_prefix(&format!("conformance listens at {scheme}://"))
        .and_then(|rest| rest.strip_suffix("/rpc"))
        .unwrap_or_else(|| panic!("{line}"));
    address.parse().expect("an address")
}

/// Returns the limit on the open file descriptors of a process.
#[cfg(target_os = "linux")]
pub(crate) fn descriptor_limit(process: &str) -> usize {
    let limits = std::fs::read_to_string(format!("/proc/{process}/limits")).expect("a process");
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"));
    let soft = line.and_then(|line| line.split_whitespace().next());
    soft.expect("a limit").parse().expect("a number")
}

/// Polls until there is a value.
#[track_caller]
pub(crate) fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Reads the status of a response and the code of its error, if there is one.
pub(crate) fn outcome(connection: &mut impl Read) -> (u16, Option<i64>) {
    let response = Response::read(connection, false);
    if response.status == 503 {
        assert!(
            response.header("retry-after").is_some(),
            "{}",
            response.text()
        );
    }
    (response.status, response.code())
}

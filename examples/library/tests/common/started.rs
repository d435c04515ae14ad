//! The program as a separate process, for every test binary that needs one.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// The program, listening. It ends when this value is dropped.
pub(crate) struct Started {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    /// The output after the line with the address. Kept open, because the program must be able to
    /// print.
    pub(crate) out: BufReader<ChildStdout>,
}

impl Started {
    pub(crate) fn new(database: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_library"))
            .args(["--listen", "127.0.0.1:0", "--database"])
            .arg(database)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line
            .trim_end()
            .strip_prefix("library listens at http://")
            .and_then(|rest| rest.strip_suffix("/rpc"))
            .unwrap_or_else(|| panic!("{line}"));
        Self {
            address: address.parse().unwrap(),
            child,
            out,
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

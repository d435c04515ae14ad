//! Runs the command.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Returns the command without environment variables that could change what it does.
pub(crate) fn docent<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_docent"));
    for name in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    for name in [
        "DOCENT_TOKEN",
        "DOCENT_SERVICES",
        "DOCENT_PAGER",
        "PAGER",
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
    ] {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The outcome of a run.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("it ended by itself"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

pub(crate) fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Ran {
    docent(arguments).output().expect("it runs").into()
}

/// Runs the command with this standard input.
pub(crate) fn run_with_input(arguments: &[&str], input: &[u8]) -> Ran {
    let mut command = docent(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(input)
        .expect("it reads");
    child.wait_with_output().expect("it ends").into()
}

/// Returns a line of a check without the time that it took, which differs from run to run.
pub(crate) fn without_time(line: &str) -> String {
    let mut parts = Vec::new();
    for part in line.split(", ") {
        parts.push(match part.rsplit_once(" in ") {
            Some((before, time)) if is_time(time) => before,
            _ => part,
        });
    }
    parts.join(", ")
}

fn is_time(text: &str) -> bool {
    let seconds = text.strip_suffix(" s");
    seconds.is_some_and(|seconds| seconds.parse::<f64>().is_ok())
}

/// Returns the path of a file in the tests' data.
pub(crate) fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn data_text(name: &str) -> String {
    fs::read_to_string(data(name)).expect("there")
}

/// A separate folder for a test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns the path as an argument.
    pub(crate) fn arg(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("in the folder")).expect("made");
        fs::write(path, text).expect("written");
        self.arg(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Returns every file, sorted, with `/` between folders.
    pub(crate) fn files(&self, name: &str) -> Vec<String> {
        let root = self.path(name);
        let mut files = Vec::new();
        collect(&root, &root, &mut files);
        files.sort();
        files
    }
}

fn collect(folder: &Path, root: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            collect(&path, root, files);
        } else {
            let relative = path.strip_prefix(root).expect("inside");
            files.push(relative.to_str().expect("UTF-8").replace('\\', "/"));
        }
    }
}

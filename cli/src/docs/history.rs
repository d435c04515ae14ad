//! The history of a folder of descriptions, as Git has it: one `git log` and one `git cat-file` for all
//! files, because a process for each would take minutes in a large folder.
//!
//! Which contents belong to one service is found out in [`super::catalogue`].

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use crate::failure::Failure;
use crate::files::{MAX_BYTES, too_large};
use crate::input::git;

/// The mark before the date of a commit in the log. No other line starts with it.
const COMMIT_MARK: &str = "\x01";

/// The command for the log. No setting of a user or repository may change what it says.
const LOG_COMMAND: &str = "log --first-parent -m --no-renames --raw -z --no-abbrev --relative --no-ext-diff \
                   --no-color --no-show-signature --date=iso-strict-local --format=%x01%cd -- .";

/// A content of a file: by default, the one that is not committed yet.
#[derive(Clone, Default)]
pub(super) struct FileState {
    /// The number of its commit, the newest being 1; 0 without one.
    pub(super) commit: usize,
    /// The date of the commit, in UTC (RFC 3339).
    pub(super) date: Option<String>,
    /// The object of the repository.
    pub(super) object: Option<String>,
}

/// The states of all files, by their paths in the folder, the newest first.
pub(super) type States = BTreeMap<String, Vec<FileState>>;

/// Lists the states of all JSON files below a folder. Only the first parents of commits count: what a
/// merge brings is published by the merge.
///
/// # Errors
/// The folder is not under Git, or Git has failed. The error is what Git says.
pub(super) fn states(folder: &Path) -> Result<States, String> {
    let mut words = vec![OsStr::new("-C"), folder.as_os_str()];
    words.extend(LOG_COMMAND.split(' ').map(OsStr::new));
    let log = git::run(&words)?;
    Ok(parsed(&String::from_utf8_lossy(&log)))
}

/// Parses the log: for each commit its date, and then a header and a path for each file.
fn parsed(log: &str) -> States {
    let mut states = States::new();
    let mut commits = 0;
    let mut date = String::new();
    let mut fields = log.split('\0');
    while let Some(field) = fields.next() {
        let line = field.trim_start_matches('\n');
        if let Some(found) = line.strip_prefix(COMMIT_MARK) {
            commits += 1;
            date = found.trim().replace("+00:00", "Z");
        } else if let Some(header) = line.strip_prefix(':') {
            let path = fields.next().unwrap_or_default();
            // Modes and objects before and after the commit, and a letter.
            let columns: Vec<&str> = header.split(' ').collect();
            let &[_, mode, _, object, _] = &*columns else {
                continue;
            };
            // Removed files, links and submodules are no descriptions.
            let is_file = mode.starts_with("100");
            if is_file && Path::new(path).extension() == Some(OsStr::new("json")) {
                states.entry(path.to_owned()).or_default().push(FileState {
                    commit: commits,
                    date: Some(date.clone()),
                    object: Some(object.to_owned()),
                });
            }
        }
    }
    states
}

/// Reads objects of the repository of a folder.
pub(super) struct GitObjects {
    /// The `git cat-file` that answers all requests.
    process: Child,
    /// Its standard output, on which each answer follows a request.
    output: BufReader<ChildStdout>,
}

impl GitObjects {
    pub(super) fn new(folder: &Path) -> Result<Self, Failure> {
        let mut command = git::command();
        command.arg("-C").arg(folder).args(["cat-file", "--batch"]);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| Failure::system(format_args!("git: {error}")))?;
        let output = process
            .stdout
            .take()
            .ok_or_else(|| Failure::system("git: no output"))?;
        Ok(Self {
            process,
            output: BufReader::new(output),
        })
    }

    /// Reads an object.
    pub(super) fn read(&mut self, object: &str) -> Result<Vec<u8>, Failure> {
        self.request(object)
            .map_err(|error| Failure::system(format_args!("git: {object}: {error}")))
    }

    /// Asks Git for an object. The answer is a line with its name, type and size, then the object and a
    /// line end.
    fn request(&mut self, object: &str) -> io::Result<Vec<u8>> {
        if let Some(input) = &mut self.process.stdin {
            writeln!(input, "{object}")?;
        }
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let size: u64 = line
            .trim_end()
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse().ok())
            .ok_or_else(|| io::Error::other(line.trim_end().to_owned()))?;
        if size > MAX_BYTES {
            io::copy(&mut (&mut self.output).take(size + 1), &mut io::sink())?;
            return Err(too_large());
        }
        let mut bytes = vec![0; usize::try_from(size + 1).map_err(io::Error::other)?];
        self.output.read_exact(&mut bytes)?;
        bytes.pop();
        Ok(bytes)
    }
}

impl Drop for GitObjects {
    fn drop(&mut self) {
        // Git ends with its input, which this closes. How it ends does not matter any more.
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn a_log_is_parsed_whatever_the_names_of_files() {
        let log = "\u{1}2026-01-02T01:04:05+00:00\0\n:100644 000000 aa 00 D\0a.json\0\
                   :000000 100755 00 bb A\0:\n\u{1}x.json\0:000000 120000 00 cc A\0link.json\0\
                   \u{1}2025-12-31T00:00:00Z\0\u{1}2025-12-30T00:00:00Z\0\n:000000 100644 00 aa A\0a.json\0";
        let states = parsed(log);
        for (path, commit, object, date) in [
            ("a.json", 3, "aa", "2025-12-30T00:00:00Z"),
            (":\n\u{1}x.json", 1, "bb", "2026-01-02T01:04:05Z"),
        ] {
            let [state] = &*states[path] else {
                panic!("{path} has one state");
            };
            assert_eq!(state.commit, commit);
            assert_eq!(state.object.as_deref(), Some(object));
            assert_eq!(state.date.as_deref(), Some(date));
        }
        assert!(!states.contains_key("link.json"));
    }
}

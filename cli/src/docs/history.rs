//! The history of a folder of descriptions, as Git has it: one `git log` and one `git cat-file` for all
//! files.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use crate::failure::Failure;
use crate::files::{MAX_BYTES, too_large};
use crate::input::git;

/// The mark before the date of a commit in the log. No other line starts with it.
const COMMIT: &str = "\x01";

/// The command for the log. No setting of a user or repository may change what it says.
const LOG: &str = "log --first-parent -m --no-renames --raw -z --no-abbrev --relative --no-ext-diff \
                   --no-color --no-show-signature --date=iso-strict-local --format=%x01%cd -- .";

/// A content of a file: by default, the one that is not committed yet.
#[derive(Clone, Default)]
pub(super) struct State {
    /// The number of its commit, the newest being 1; 0 without one.
    pub(super) commit: usize,
    /// The date of the commit, in UTC (RFC 3339).
    pub(super) date: Option<String>,
    /// The object of the repository.
    pub(super) object: Option<String>,
}

/// The states of all files, by their paths in the folder, the newest first.
pub(super) type States = BTreeMap<String, Vec<State>>;

/// Lists the states of all JSON files below a folder. Only the first parents of commits count: what a
/// merge brings is published by the merge.
///
/// # Errors
/// The folder is not under Git, or Git has failed. The error is what Git says.
pub(super) fn states(folder: &Path) -> Result<States, String> {
    let mut words = vec![OsStr::new("-C"), folder.as_os_str()];
    words.extend(LOG.split(' ').map(OsStr::new));
    let log = git::run(&words)?;
    Ok(parsed(&String::from_utf8_lossy(&log)))
}

/// Parses the log: for each commit its date, and then a header and a path for each file.
fn parsed(log: &str) -> States {
    let mut states = States::new();
    let (mut commits, mut date) = (0, String::new());
    let mut tokens = log.split('\0');
    while let Some(token) = tokens.next() {
        let token = token.trim_start_matches('\n');
        if let Some(found) = token.strip_prefix(COMMIT) {
            commits += 1;
            date = found.trim().replace("+00:00", "Z");
        } else if let Some(header) = token.strip_prefix(':') {
            let path = tokens.next().unwrap_or_default();
            // Modes and objects before and after the commit, and a letter.
            let fields: Vec<&str> = header.split(' ').collect();
            let &[_, mode, _, object, _] = &*fields else {
                continue;
            };
            // Removed files, links and submodules are no descriptions.
            let is_file = mode.starts_with("100");
            if is_file && Path::new(path).extension().is_some_and(|it| it == "json") {
                states.entry(path.to_owned()).or_default().push(State {
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
pub(super) struct Objects {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Objects {
    pub(super) fn new(folder: &Path) -> Result<Self, Failure> {
        let mut command = git::command();
        command.arg("-C").arg(folder).args(["cat-file", "--batch"]);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| Failure::system(format_args!("git: {error}")))?;
        let output = process.stdout.take();
        let output = output.ok_or_else(|| Failure::system("git: no output"))?;
        let output = BufReader::new(output);
        Ok(Self { process, output })
    }

    /// Reads an object. The answer is a line with its name, type and size, then the object and a line
    /// end.
    pub(super) fn read(&mut self, object: &str) -> Result<Vec<u8>, Failure> {
        let mut ask = || -> io::Result<Vec<u8>> {
            if let Some(input) = &mut self.process.stdin {
                writeln!(input, "{object}")?;
            }
            let mut line = String::new();
            self.output.read_line(&mut line)?;
            let line = line.trim_end();
            let size: u64 = line
                .rsplit(' ')
                .next()
                .and_then(|it| it.parse().ok())
                .ok_or_else(|| io::Error::other(line.to_owned()))?;
            if size > MAX_BYTES {
                io::copy(&mut (&mut self.output).take(size + 1), &mut io::sink())?;
                return Err(too_large());
            }
            let mut bytes = vec![0; usize::try_from(size + 1).map_err(io::Error::other)?];
            self.output.read_exact(&mut bytes)?;
            bytes.pop();
            Ok(bytes)
        };
        ask().map_err(|error| Failure::system(format_args!("git: {object}: {error}")))
    }
}

impl Drop for Objects {
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
        let of = |path: &str| {
            let states = states[path].iter();
            let states = states.map(|it| (it.commit, it.object.as_deref(), it.date.as_deref()));
            states.collect::<Vec<_>>()
        };
        assert_eq!(
            of("a.json"),
            [(3, Some("aa"), Some("2025-12-30T00:00:00Z"))]
        );
        assert_eq!(
            of(":\n\u{1}x.json"),
            [(1, Some("bb"), Some("2026-01-02T01:04:05Z"))]
        );
        assert!(!states.contains_key("link.json"));
    }
}

//! Files and folders in revisions of the current Git repository: `git:REV:PATH`.
//!
//! The `git` command reads the repository, so that its settings, worktrees and partial clones work as
//! the user knows them.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::files::{MAX_BYTES, is_hidden, too_large};

const EXPECTED_FORM: &str = "expected git:REV:FILE, such as git:main:openrpc.json";

/// Checks the text after `git:`: a revision, and a path in it. `docent diff` also takes a revision alone.
pub(super) fn parse(text: &str) -> Result<String, String> {
    let (revision, file) = text.split_once(':').unwrap_or((text, "."));
    // Git would take it for an option.
    if revision.starts_with('-') {
        return Err(format!("`{revision}` is not a revision"));
    }
    if file.is_empty() || revision.is_empty() {
        return Err(EXPECTED_FORM.to_owned());
    }
    Ok(text.to_owned())
}

/// Reads the file `REV:FILE` from the repository of the current folder.
pub(super) fn read(file: &str) -> Result<Vec<u8>, Failure> {
    if !file.contains(':') {
        return Err(Failure::usage(format_args!("git:{file}: {EXPECTED_FORM}")));
    }
    read_blob(file).map_err(|reason| Failure::system(format_args!("git:{file}: {reason}")))
}

fn read_blob(file: &str) -> Result<Vec<u8>, String> {
    let said = run(&["cat-file", "-s", "--end-of-options", file])?;
    let size = String::from_utf8_lossy(&said).trim().parse();
    if size.is_ok_and(|size: u64| size > MAX_BYTES) {
        return Err(too_large().to_string());
    }
    run(&["cat-file", "blob", "--end-of-options", file])
}

/// Returns the files below the folder `REV:FOLDER` whose names end in some way, relative to it. Returns `None` if
/// this is no folder.
pub(super) fn below(folder: &str, end: &str) -> Option<Vec<String>> {
    let list = ["ls-tree", "-r", "-z", "--full-tree", "--name-only"];
    let listed = run(&[&list[..], &["--end-of-options", folder]].concat()).ok()?;
    Some(
        String::from_utf8_lossy(&listed)
            .split('\0')
            .filter(|name| name.ends_with(end) && !is_hidden(name))
            .map(str::to_owned)
            .collect(),
    )
}

/// Runs Git. If it fails, returns the first thing that it says.
pub(crate) fn run<A: AsRef<OsStr>>(arguments: &[A]) -> Result<Vec<u8>, String> {
    let output = command()
        .args(arguments)
        .output()
        .map_err(|error| format!("git: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let reason = errors.lines().next().unwrap_or("git failed");
    Err(reason.trim_start_matches("fatal: ").to_owned())
}

/// Returns the command without input. It asks for nothing, and prints English and times in UTC.
pub(crate) fn command() -> Command {
    let mut command = Command::new("git");
    command.env("LC_ALL", "C").env("TZ", "UTC");
    command.env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn an_option_is_no_revision() {
        assert!(parse("--textconv:a.json").is_err());
        assert!(parse("main:").is_err());
        assert!(parse(":a.json").is_err());
        assert_eq!(parse("main").as_deref(), Ok("main"));
        assert_eq!(parse("main:a:b.json").as_deref(), Ok("main:a:b.json"));
    }
}

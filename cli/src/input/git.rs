//! Files in revisions of the current Git repository: `git:REV:FILE`.

use std::process::{Command, Stdio};

use crate::failure::Failure;

/// Checks the text after `git:`.
pub(super) fn parse(text: &str) -> Result<String, String> {
    let Some((revision, file)) = text.split_once(':') else {
        return Err("expected git:REV:FILE, such as git:main:openrpc.json".to_owned());
    };
    // Git would take it for an option.
    if revision.starts_with('-') {
        return Err(format!("`{revision}` is not a revision"));
    }
    if file.is_empty() {
        return Err(format!(
            "expected a file, as in git:{revision}:openrpc.json"
        ));
    }
    Ok(text.to_owned())
}

/// Reads the file `REV:FILE` from the repository of the current folder.
pub(super) fn read(file: &str) -> Result<Vec<u8>, Failure> {
    let failed = |reason: &str| Failure::system(format_args!("git:{file}: {reason}"));
    let output = Command::new("git")
        .args(["cat-file", "blob", "--end-of-options", file])
        .env("LC_ALL", "C")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(&format!("git: {error}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let reason = said.lines().next().unwrap_or("git failed");
    Err(failed(reason.trim_start_matches("fatal: ")))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn an_option_is_no_revision() {
        assert!(parse("--textconv:a.json").is_err());
        assert!(parse("main").is_err());
        assert!(parse("main:").is_err());
        assert_eq!(parse("main:a:b.json").as_deref(), Ok("main:a:b.json"));
    }
}

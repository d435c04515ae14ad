//! Files in revisions of the current Git repository: `git:REV:FILE`.

use std::fmt;
use std::process::{Command, Stdio};

use crate::failure::Failure;

/// A file in a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GitFile {
    revision: String,
    file: String,
}

impl GitFile {
    /// Parses the text after `git:`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
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
        Ok(Self {
            revision: revision.to_owned(),
            file: file.to_owned(),
        })
    }

    /// Reads the file from the repository of the current folder.
    pub(super) fn read(&self) -> Result<Vec<u8>, Failure> {
        let failed = |reason: &str| Failure::system(format_args!("{self}: {reason}"));
        let output = Command::new("git")
            .args(["cat-file", "blob", "--end-of-options"])
            .arg(format!("{}:{}", self.revision, self.file))
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
}

impl fmt::Display for GitFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "git:{}:{}", self.revision, self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::GitFile;

    #[test]
    fn an_option_is_no_revision() {
        assert!(GitFile::parse("--textconv:a.json").is_err());
        assert!(GitFile::parse("main").is_err());
        assert!(GitFile::parse("main:").is_err());
        let file = GitFile::parse("main:a:b.json").expect("a file");
        assert_eq!((&*file.revision, &*file.file), ("main", "a:b.json"));
    }
}

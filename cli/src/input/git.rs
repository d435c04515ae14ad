//! Files in revisions of the current Git repository: `git:REV:FILE`.

use std::fmt;
use std::io::Read;
use std::process::{Command, Stdio};

use crate::failure::Failure;

/// The maximum size of a file, the same as for descriptions from the network.
const MOST: u64 = 64 << 20;

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
        let failed = |reason: &dyn fmt::Display| Failure::system(format_args!("{self}: {reason}"));
        let mut child = Command::new("git")
            .args(["cat-file", "blob", "--end-of-options"])
            .arg(format!("{}:{}", self.revision, self.file))
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&format_args!("git: {error}")))?;
        let mut bytes = Vec::new();
        if let Some(out) = child.stdout.take() {
            let read = out.take(MOST + 1).read_to_end(&mut bytes);
            read.map_err(|error| failed(&error))?;
        }
        if bytes.len() as u64 > MOST {
            // Git is still writing, and the rest is not needed.
            let _ = child.kill();
            let _ = child.wait();
            return Err(failed(&format_args!("larger than {} MiB", MOST >> 20)));
        }
        let mut said = String::new();
        if let Some(errors) = child.stderr.take() {
            // Git's message is only a courtesy. That it failed is known anyway.
            let _ = errors.take(4096).read_to_string(&mut said);
        }
        let status = child.wait().map_err(|error| failed(&error))?;
        if status.success() {
            return Ok(bytes);
        }
        let reason = said.lines().next().unwrap_or("git failed");
        Err(failed(&reason.trim_start_matches("fatal: ")))
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

//! Why a command ends without having done what it was asked, and the exit code that says so.

use std::fmt;
use std::process::ExitCode;

/// What kind of thing went wrong, as far as a script can tell the kinds apart.
///
/// Where several things go wrong at once, the greatest decides the exit code: it is no use to try a
/// network again for an input that is wrong whatever it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A file, a folder or the network.
    System,
    /// The command line.
    Usage,
    /// The input, or something in it that was denied.
    Input,
}

impl From<Kind> for ExitCode {
    fn from(kind: Kind) -> Self {
        Self::from(match kind {
            Kind::Input => 1,
            // The code that clap uses.
            Kind::Usage => 2,
            Kind::System => 3,
        })
    }
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    /// What is to be said, each on a line or several of its own.
    pub(crate) messages: Vec<String>,
}

impl Failure {
    fn new(kind: Kind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            messages: vec![message.to_string()],
        }
    }

    pub(crate) fn input(message: impl fmt::Display) -> Self {
        Self::new(Kind::Input, message)
    }

    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::new(Kind::Usage, message)
    }

    pub(crate) fn system(message: impl fmt::Display) -> Self {
        Self::new(Kind::System, message)
    }

    /// Several failures as one; none, where there are none.
    pub(crate) fn all(failures: Vec<Self>) -> Result<(), Self> {
        let Some(kind) = failures.iter().map(|failure| failure.kind).max() else {
            return Ok(());
        };
        let messages = failures.into_iter().flat_map(|failure| failure.messages);
        Err(Self {
            kind,
            messages: messages.collect(),
        })
    }
}

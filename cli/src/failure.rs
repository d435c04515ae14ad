//! The failure of a command, and its exit code.
//!
//! A command that takes several inputs goes on after one has failed, and reports all failures at its
//! end. A failure has the messages as they are printed: nothing looks into them any more, so there is
//! no error type below.

use std::fmt;
use std::process::ExitCode;

use docent_docs_gen::Problem;

/// The kind of failure, as far as scripts distinguish them.
///
/// If several things fail at once, the greatest kind determines the exit code: retrying a network
/// error is useless if another input is wrong anyway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A failure of a file, a folder or the network.
    System,
    /// A negative answer: an error response, or a finding.
    Negative,
    /// A text that is not a description.
    NoDescription,
    /// An invalid command line.
    Usage,
}

impl From<Kind> for ExitCode {
    fn from(kind: Kind) -> Self {
        Self::from(match kind {
            Kind::Negative => 1,
            // The code that clap uses.
            Kind::Usage => 2,
            Kind::System => 3,
            Kind::NoDescription => 4,
        })
    }
}

/// The reason for which a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    /// The messages, each of one or more lines.
    pub(crate) messages: Vec<String>,
}

/// The result of what may fail, by default without a value.
pub(crate) type Result<T = (), E = Failure> = std::result::Result<T, E>;

impl Failure {
    fn new(kind: Kind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            messages: vec![message.to_string()],
        }
    }

    /// Creates the failure of a command whose answer is no.
    pub(crate) fn negative(message: impl fmt::Display) -> Self {
        Self::new(Kind::Negative, message)
    }

    /// Creates the failure to find a description, which another address or another way may have.
    pub(crate) fn no_description(message: impl fmt::Display) -> Self {
        Self::new(Kind::NoDescription, message)
    }

    /// Creates the failure of a command line that cannot be carried out.
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// Creates the failure of what a command depends on. Repeating it may help.
    pub(crate) fn system(message: impl fmt::Display) -> Self {
        Self::new(Kind::System, message)
    }

    /// Returns the failure to build a site.
    pub(crate) fn of_site(problems: impl IntoIterator<Item = Problem>) -> Self {
        Self {
            kind: Kind::System,
            messages: problems
                .into_iter()
                .map(|problem| problem.to_string())
                .collect(),
        }
    }

    /// Changes each message.
    pub(crate) fn map(mut self, change: impl FnMut(String) -> String) -> Self {
        self.messages = self.messages.into_iter().map(change).collect();
        self
    }

    /// Returns the values of some results, and their failures.
    pub(crate) fn split<T>(results: impl Iterator<Item = Result<T, Self>>) -> (Vec<T>, Vec<Self>) {
        let mut values = Vec::new();
        let mut failures = Vec::new();
        for result in results {
            match result {
                Ok(value) => values.push(value),
                Err(failure) => failures.push(failure),
            }
        }
        (values, failures)
    }

    /// Combines several failures. Returns `Ok` if there are none.
    pub(crate) fn all(failures: Vec<Self>) -> Result<(), Self> {
        let Some(kind) = failures.iter().map(|failure| failure.kind).max() else {
            return Ok(());
        };
        Err(Self {
            kind,
            messages: failures
                .into_iter()
                .flat_map(|failure| failure.messages)
                .collect(),
        })
    }
}

//! The arguments of `docent completions`.

use std::ffi::OsString;

use clap::ValueEnum;

use super::EXIT_CODES_HELP;

/// A shell whose words can be completed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    /// source <(docent completions bash)
    Bash,
    /// source <(docent completions zsh)
    Zsh,
    /// docent completions fish | source
    Fish,
}

/// Print a completion script for a shell
///
/// It completes commands, options, names of procedures and parameters, and values of parameters that have
/// a fixed set of them.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES_HELP)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// Print the words that can stand at the cursor
#[derive(clap::Args)]
pub(crate) struct WordsArgs {
    /// The words of the line as far as the cursor
    #[arg(last = true, value_name = "WORD")]
    pub(crate) words: Vec<OsString>,
}

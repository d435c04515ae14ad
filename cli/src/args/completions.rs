//! The arguments of `docent completions`.

use clap::ValueEnum;

/// A shell whose words can be completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    /// source <(docent completions bash)
    Bash,
    /// source <(docent completions zsh)
    Zsh,
    /// docent completions fish | source
    Fish,
}

/// Print a script with which a shell completes commands
///
/// It completes commands, options, the names of procedures and parameters, and values of parameters with
/// a fixed set.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// Print the words that can stand at the cursor
#[derive(Debug, clap::Args)]
pub(crate) struct WordsArgs {
    /// The shell that asks
    pub(crate) shell: Shell,
    /// The characters at which bash breaks words
    #[arg(long, value_name = "CHARACTERS", default_value = "")]
    pub(crate) breaks: String,
    /// The words as far as the cursor; for bash, the line
    #[arg(last = true, value_name = "WORD")]
    pub(crate) words: Vec<String>,
}

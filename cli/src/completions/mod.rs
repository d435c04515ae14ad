//! `docent completions`: scripts for shells, and the candidates that they request.
//!
//! clap finds the candidates at the cursor, and [`names`] adds those of a service. The names of a
//! service are untrusted: only those with harmless characters are offered, and no script passes one
//! through an expansion. The scripts are not clap's, because clap's do not leave file names to the
//! shell, put a space after `name=` in zsh, and split a URL into several words in bash.

mod names;

use std::ffi::OsString;

use clap::builder::ValueHint;
use clap::{Arg, CommandFactory};
use clap_complete::CompletionCandidate;
use clap_complete::engine::complete;
use docent_describe::json::shorten;

use crate::args::{Args, CompletionsArgs, Shell, WordsArgs};
use crate::failure::Failure;
use crate::services;
use crate::terminal::{Terminal, one_line};
pub(crate) use names::{arguments, procedures};

/// The maximum length of a candidate, in bytes.
const MAX_CANDIDATE_BYTES: usize = 200;
/// The maximum length of the help for a candidate.
const MAX_HELP_LENGTH: usize = 60;

/// Prints the script for a shell.
pub(crate) fn run(args: &CompletionsArgs, terminal: Terminal) -> Result<(), Failure> {
    let script = match args.shell {
        Shell::Bash => include_str!("docent.bash"),
        Shell::Zsh => include_str!("docent.zsh"),
        Shell::Fish => include_str!("docent.fish"),
    };
    terminal.write(script)
}

/// Prints the candidates at the cursor, one on each line: the word, a tab, and its help.
pub(crate) fn words(args: &WordsArgs, terminal: Terminal) -> Result<(), Failure> {
    terminal.write(candidates(&args.words).concat())
}

/// Returns the lines with the candidates for the last of some words.
fn candidates(words: &[OsString]) -> Vec<String> {
    let Some(current) = words.last() else {
        return Vec::new();
    };
    if let Some(start) = current.to_str().and_then(|word| word.strip_prefix('@')) {
        return services::beginning_with(start)
            .into_iter()
            .filter(|(name, _)| is_harmless(name))
            .map(|(name, address)| format!("@{name}\t{address}\n"))
            .collect();
    }
    let is_option = current.as_encoded_bytes().starts_with(b"-");
    let mut command = Args::command()
        .mut_args(without_files)
        .mut_subcommands(|subcommand| subcommand.mut_args(without_files));
    complete(&mut command, words.to_vec(), words.len() - 1, None)
        .into_iter()
        .flatten()
        .filter_map(|candidate| line(&candidate, is_option))
        .collect()
}

/// Returns the line of a candidate, unless it is hidden, harmful, or not wanted at this place.
fn line(candidate: &CompletionCandidate, is_option: bool) -> Option<String> {
    let word = candidate.get_value().to_str()?;
    // clap lists the options for an empty word too.
    if candidate.is_hide_set() || !is_harmless(word) || word.starts_with('-') != is_option {
        return None;
    }
    let help = candidate
        .get_help()
        .map_or_else(String::new, ToString::to_string);
    let short_help = one_line(&shorten(&help, MAX_HELP_LENGTH));
    let line = format!("{word}\t{short_help}");
    Some(format!("{}\n", line.trim_end()))
}

/// Leaves the names of files to the shell, which quotes them.
fn without_files(arg: Arg) -> Arg {
    if arg.get_action().takes_values() {
        arg.value_hint(ValueHint::Other)
    } else {
        arg
    }
}

/// Returns whether shells and terminals take every character of a word literally.
fn is_harmless(word: &str) -> bool {
    word.len() <= MAX_CANDIDATE_BYTES
        && word
            .chars()
            .all(|character| character.is_alphanumeric() || "_-.,/:=@%+".contains(character))
}

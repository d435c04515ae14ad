//! `docent completions`: scripts for shells, and what they ask for.
//!
//! Names come from others' services. No script passes one through an expansion, names with characters
//! that a terminal would interpret are left out, and for bash, which inserts words as they are,
//! whatever could mean something to the shell is escaped.

mod line;
mod position;
mod values;

use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs, Shell, WordsArgs};
use crate::failure::Failure;
use crate::terminal::{Terminal, fit, one_line, plain};
use line::Line;
use position::Position;

/// Longer words are left out.
const LONGEST: usize = 200;
/// How much of a summary is shown beside a word.
const SHOWN: usize = 60;

/// Prints the script for a shell.
pub(crate) fn run(args: &CompletionsArgs, terminal: Terminal) -> Result<(), Failure> {
    let script = match args.shell {
        Shell::Bash => include_str!("docent.bash"),
        Shell::Zsh => include_str!("docent.zsh"),
        Shell::Fish => include_str!("docent.fish"),
    };
    terminal.write(script.as_bytes())
}

/// Prints the words that can stand at the cursor, one on each line.
pub(crate) fn words(args: &WordsArgs, terminal: Terminal) -> Result<(), Failure> {
    let line = match args.shell {
        Shell::Bash => {
            let Some(line) = args.words.first().and_then(|text| Line::of_bash(text)) else {
                return Ok(());
            };
            line
        }
        Shell::Zsh | Shell::Fish => Line::of_words(&args.words),
    };
    let command = Args::command();
    let position = Position::find(&command, &line.before, &line.current);
    let mut text = String::new();
    for candidate in values::candidates(&position, terminal) {
        let is_safe = plain(&candidate.word) == candidate.word
            && !candidate.word.contains(['\n', '\t'])
            && candidate.word.len() <= LONGEST;
        if !is_safe || candidate.word.is_empty() {
            continue;
        }
        let about = candidate
            .about
            .as_deref()
            .map(|about| fit(&one_line(about), SHOWN));
        let about = about.filter(|about| !about.is_empty());
        match args.shell {
            Shell::Bash => {
                let escaped = line::escape(&candidate.word);
                if let Some(rest) = line.rest_of(&escaped, &args.breaks) {
                    text.push_str(rest);
                    text.push('\n');
                }
            }
            Shell::Zsh | Shell::Fish => {
                text.push_str(&candidate.word);
                if let Some(about) = about {
                    text.push('\t');
                    text.push_str(&about);
                }
                text.push('\n');
            }
        }
    }
    terminal.write(text.as_bytes())
}

//! Where on the command line the cursor is.

use clap::{Arg, Command};

/// What can stand at the cursor.
pub(super) struct Position<'c> {
    pub(super) command: &'c Command,
    /// The subcommand, once it is there.
    pub(super) subcommand: Option<&'c Command>,
    /// The option whose value comes next.
    pub(super) option: Option<&'c Arg>,
    /// The arguments of the subcommand before `--`.
    pub(super) arguments: Vec<String>,
    /// Those after `--`, if there is one.
    pub(super) positions: Option<Vec<String>>,
    /// The options that all commands share, with their values.
    pub(super) shared: Vec<String>,
    pub(super) current: String,
}

impl<'c> Position<'c> {
    /// Follows the words before the cursor.
    pub(super) fn find(command: &'c Command, before: &[String], current: &str) -> Self {
        let mut position = Self {
            command,
            subcommand: None,
            option: None,
            arguments: Vec::new(),
            positions: None,
            shared: Vec::new(),
            current: current.to_owned(),
        };
        for word in before.iter().skip(1) {
            position.step(word);
        }
        position
    }

    fn step(&mut self, word: &str) {
        if let Some(positions) = &mut self.positions {
            positions.push(word.to_owned());
        } else if let Some(option) = self.option.take() {
            if self.is_shared(option) {
                self.shared.push(word.to_owned());
            }
        } else if word == "--" {
            self.positions = Some(Vec::new());
        } else if word.starts_with('-') && word.len() > 1 {
            self.step_option(word);
        } else if self.subcommand.is_none() {
            self.subcommand = self.command.find_subcommand(word);
        } else {
            self.arguments.push(word.to_owned());
        }
    }

    fn step_option(&mut self, word: &str) {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) if word.starts_with("--") => (name, Some(value)),
            _ => (word, None),
        };
        let found = self.options().find(|option| match name.strip_prefix("--") {
            Some(long) => {
                option.get_long() == Some(long)
                    || option
                        .get_all_aliases()
                        .is_some_and(|all| all.contains(&long))
            }
            // Several flags in one word end with the one that may take a value.
            None => option.get_short() == name.chars().next_back(),
        });
        let Some(option) = found else {
            return;
        };
        if self.is_shared(option) {
            self.shared.push(word.to_owned());
        }
        if value.is_none() && option.get_action().takes_values() {
            self.option = Some(option);
        }
    }

    /// Returns the options that can be given here.
    pub(super) fn options(&self) -> impl Iterator<Item = &'c Arg> + use<'c> {
        let own = self.subcommand.into_iter().flat_map(Command::get_opts);
        let flags = self.subcommand.into_iter().flat_map(Command::get_arguments);
        let flags = flags.filter(|arg| !arg.is_positional() && !arg.get_action().takes_values());
        let shared = self
            .command
            .get_arguments()
            .filter(|arg| !arg.is_positional());
        own.chain(flags).chain(shared)
    }

    fn is_shared(&self, option: &Arg) -> bool {
        self.command
            .get_arguments()
            .any(|arg| arg.get_id() == option.get_id())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Args;

    #[test]
    fn options_and_their_values_are_no_arguments() {
        let command = Args::command();
        let words = [
            "docent",
            "-v",
            "call",
            "--token-file",
            "t",
            "u",
            "--get",
            "--params=x",
            "p",
            "--",
            "a",
        ];
        let before: Vec<String> = words.iter().map(|it| (*it).to_owned()).collect();
        let position = Position::find(&command, &before, "b");
        assert_eq!(position.subcommand.map(Command::get_name), Some("call"));
        assert_eq!(position.arguments, ["u", "p"]);
        assert_eq!(position.positions, Some(vec!["a".to_owned()]));
        assert_eq!(position.shared, ["-v", "--token-file", "t"]);
        let position = Position::find(&command, &before[..4], "");
        assert_eq!(position.option.and_then(Arg::get_long), Some("token-file"));
    }
}

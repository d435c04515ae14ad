//! The arguments of `docent diff`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use docent_tools::compare::Rule;

use super::{EXIT_CODES_HELP, INPUTS_HELP, input_parser};
use crate::input::Input;

/// Compare two descriptions of a service, and fail if a change breaks callers
///
/// With two folders, compares each file in them that ends with .json and is a description: one that is added is
/// fine, and one that is removed breaks callers. A file with a new name counts as removed and added. As OLD,
/// git:REV stands for what NEW is in that revision, as in `docent diff git:main api`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = format!("{INPUTS_HELP}\n\n{EXIT_CODES_HELP}"),
    override_usage = "docent diff [OPTIONS] <OLD> <NEW>\n       docent diff --explain <RULE>"
)]
pub(crate) struct DiffArgs {
    /// The old description, or a folder of descriptions
    #[arg(value_name = "OLD", value_parser = input_parser(), required_unless_present = "explain")]
    pub(crate) old: Option<Input>,
    /// The new description, or a folder of descriptions
    #[arg(value_name = "NEW", value_parser = input_parser(), required_unless_present = "explain")]
    pub(crate) new: Option<Input>,
    /// Tell about a rule: what it finds, what that means to callers, and what to do instead
    #[arg(long, value_name = "RULE", value_parser = rule(), hide_possible_values = true, conflicts_with_all = ["old", "new"])]
    pub(crate) explain: Option<Rule>,
    /// Count only changes that hit a client that FILE lists, and name the clients; repeatable
    ///
    /// FILE is a list that docent client has written (docent-uses.json), or one like it; in a folder, all files
    /// whose names end with docent-uses.json are lists. The exit code counts a change if it is about a procedure
    /// that a listed client uses. A change of the service as a whole hits all of its listed clients. What hits
    /// none is shown as allowed.
    #[arg(long, value_name = "FILE")]
    pub(crate) used: Vec<PathBuf>,
    /// How to print the changes
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: DiffFormat,
    /// Fail if there are changes of this kind, or worse ones
    #[arg(long, value_name = "VERDICT", default_value = "breaking")]
    pub(crate) fail_on: FailOn,
    /// Accept the changes that are listed in FILE, and give rules other verdicts
    ///
    /// Each line is a JSON object: {"rule": "param-removed", "procedure": "book.find", "pointer":
    /// "/procs/0/params/1", "reason": "Nobody used it."}. Either `procedure` or `pointer` may be
    /// left out. With a "verdict" (safe, risky or breaking), changes count as that, and both may be
    /// left out. Lines that are empty or start with `#` are ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) allow: Option<PathBuf>,
}

/// The format in which changes are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For a person, grouped by what the changes mean
    Human,
    /// For a program
    Json,
    /// A table for a pull request
    Markdown,
    /// Workflow commands of GitHub Actions
    Annotations,
}

/// Which changes let a comparison fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Changes that break callers
    Breaking,
    /// Those, and changes that may, or that cannot be decided
    Risky,
    /// None
    None,
}

/// Reads the name of a rule.
fn rule() -> impl TypedValueParser<Value = Rule> {
    PossibleValuesParser::new(Rule::ALL.iter().map(|rule| rule.as_str()))
        .try_map(|name| Rule::from_name(&name).ok_or("no rule has this name"))
}

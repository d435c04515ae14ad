//! The arguments of `docent diff`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use docent_tools::compare::Rule;

use super::{EXIT_CODES_HELP, INPUTS_HELP, input_parser};
use crate::input::Input;

/// Compare two descriptions of a service, and fail if a change breaks callers
///
/// With two folders, compares the descriptions in their .json files: an added file is fine, a removed one breaks
/// callers, and a renamed one counts as removed and added. As OLD, git:REV stands for NEW in that revision, as in
/// `docent diff git:main api`.
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
    /// Explain a rule: what it finds, what that means for callers, and what to do instead
    #[arg(long, value_name = "RULE", value_parser = rule(), hide_possible_values = true, conflicts_with_all = ["old", "new"])]
    pub(crate) explain: Option<Rule>,
    /// Count only changes that affect a client listed in FILE, and name the clients; repeatable
    ///
    /// FILE is a list written by docent client (docent-uses.json), or one like it; in a folder, all files whose
    /// names end with docent-uses.json are lists. A change counts for the exit code if it is about a procedure
    /// that a listed client uses. A change of the service as a whole affects all of its listed clients. Changes
    /// that affect none are shown as allowed.
    #[arg(long, value_name = "FILE")]
    pub(crate) used: Vec<PathBuf>,
    /// The format in which changes are printed
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: DiffFormat,
    /// Fail on changes of this kind or worse
    #[arg(long, value_name = "VERDICT", default_value = "breaking")]
    pub(crate) fail_on: FailOn,
    /// Accept the changes listed in FILE, and give rules other verdicts
    ///
    /// Each line is a JSON object: {"rule": "param-removed", "procedure": "book.find", "pointer":
    /// "/procs/0/params/1", "reason": "Nobody used it."}. Either `procedure` or `pointer` may be
    /// left out. With a "verdict" (safe, risky or breaking), changes get that verdict, and both may be
    /// left out. Empty lines and lines that start with `#` are ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) allow: Option<PathBuf>,
}

/// The format in which changes are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Text, grouped by what the changes mean for callers
    Human,
    /// JSON, for programs
    Json,
    /// A table for a pull request
    Markdown,
    /// Workflow commands of GitHub Actions
    Annotations,
}

/// The changes on which a comparison fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Changes that break callers
    Breaking,
    /// Also changes that may break callers, or whose effect cannot be decided
    Risky,
    /// No changes
    None,
}

/// Reads the name of a rule.
fn rule() -> impl TypedValueParser<Value = Rule> {
    PossibleValuesParser::new(Rule::ALL.iter().map(|rule| rule.as_str()))
        .try_map(|name| Rule::from_name(&name).ok_or("no rule has this name"))
}

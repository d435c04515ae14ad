//! The arguments of `docent check`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{EnumValueParser, TypedValueParser};
use docent_tools::check::FindingKind;
use url::Url;

use super::{EXIT_CODES_HELP, INPUTS_HELP, address, input_parser};
use crate::input::Input;

const LIVE_HELP: &str = "\
A live service is called: examples, and values that the schemas allow and do not allow, by name, by
position and by GET. Only procedures that are idempotent are called, unless --unsafe is given, and none
whose name says that it changes something, such as member.remove.";

/// Find out whether a description is complete and true
///
/// Lists problems, contradictions and missing documentation. A live service is called too, and what it
/// answers is held against the description. Each finding says what to do about it; a call that shows
/// it is made as small as possible.
#[derive(clap::Args)]
#[command(after_help = format!("{INPUTS_HELP}\n\n{LIVE_HELP}\n\n{EXIT_CODES_HELP}"))]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct CheckArgs {
    /// Files, `-` for standard input, or URLs of live services
    #[arg(required = true, value_name = "INPUT", value_parser = input_parser())]
    pub(crate) inputs: Vec<Input>,
    /// List findings of this kind without failing
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = finding_kind())]
    pub(crate) allow: Vec<FindingKind>,
    /// Accept the findings that are listed in FILE
    ///
    /// Each line is a JSON object: {"rule": "narrower-than-published", "procedure": "book.find",
    /// "reason": "An ISBN has a check digit."}. Without `procedure`, the rule is accepted for all.
    /// Lines that are empty or start with `#` are ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) allow_list: Option<PathBuf>,
    /// Check only the procedures with these names; `*` stands for any text, `?` for one character
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Leave out the procedures with these names
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) skip: Vec<String>,
    /// Write the findings to FILE as JUnit XML too, with a test case for each procedure and kind of finding
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Try the rules of JSON-RPC on any server, described or not, and print which it keeps
    ///
    /// Rules about results need a procedure that can be called without parameters, as often as one likes:
    /// the one of `--only`, or the first idempotent one of the description.
    #[arg(long, conflicts_with_all = ["allow", "allow_list", "skip", "junit", "static", "address", "unsafe"])]
    pub(crate) wire: bool,
    /// Only read descriptions, and call nothing
    #[arg(long = "static", conflicts_with = "address")]
    pub(crate) r#static: bool,
    /// Where to call a service whose description is a document
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) address: Option<Url>,
    /// Call procedures that are not idempotent, or whose name says that they change something, too
    #[arg(long = "unsafe")]
    pub(crate) r#unsafe: bool,
    /// Make the same calls as an earlier check, which printed this number
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// How many calls to make at most
    #[arg(long, value_name = "NUMBER", default_value_t = 1000, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) max_calls: usize,
    /// How many calls to make at the same time
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64), allow_negative_numbers = true)]
    pub(crate) at_once: u8,
    /// How many calls to make in a second
    #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000), allow_negative_numbers = true)]
    pub(crate) rate: u32,
    /// Print a JSON array, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// The kinds of findings that a description can have.
#[derive(Clone, Copy, ValueEnum)]
enum DocumentFinding {
    /// Parts of the description that were not understood or left out
    Warnings,
    /// What the description contradicts itself in
    Contradictions,
    /// A procedure, parameter, return or error without documentation
    Undocumented,
}

/// Reads a kind of finding that a description can have.
pub(super) fn finding_kind() -> impl TypedValueParser<Value = FindingKind> {
    EnumValueParser::new().map(|kind| match kind {
        DocumentFinding::Warnings => FindingKind::Warnings,
        DocumentFinding::Contradictions => FindingKind::Contradictions,
        DocumentFinding::Undocumented => FindingKind::Undocumented,
    })
}

/// Reads a whole number.
fn whole<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse()
        .map_err(|_| "expected a whole number from 0".to_owned())
}

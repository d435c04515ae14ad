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
A live service is called with the examples, and with values that the schemas allow or reject, by name,
by position and with GET. Without --unsafe, only idempotent procedures are called, and none whose name
suggests a change, such as member.remove. Subscriptions are followed, each for 10 items or 2 seconds of
silence, and resumed.";

/// Check whether a description is complete and true
///
/// Lists problems, contradictions and missing documentation. A live service is also called, and its
/// responses are compared with the description. Each finding says what to do about it, and shows the
/// smallest call that reproduces it.
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
    /// Accept the findings listed in FILE
    ///
    /// Each line is a JSON object: {"rule": "narrower-than-published", "procedure": "book.find",
    /// "reason": "An ISBN has a check digit."}. Without `procedure`, the rule is accepted for all.
    /// Empty lines and lines that start with `#` are ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) allow_list: Option<PathBuf>,
    /// Check only the procedures with these names; `*` stands for any text, `?` for one character
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Leave out the procedures with these names
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) skip: Vec<String>,
    /// Also write the findings to FILE as JUnit XML, with a test case for each procedure and kind of finding
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Test any server, described or not, against the rules of JSON-RPC, and print which it follows
    ///
    /// Rules about results need a procedure that can be called repeatedly without parameters: the one
    /// named by `--only`, or the first idempotent one of the description. At ws:, wss: and exec:, the rules of
    /// connections are tested, too.
    #[arg(long, conflicts_with_all = ["allow", "allow_list", "skip", "junit", "static", "address", "unsafe"])]
    pub(crate) wire: bool,
    /// Read descriptions only, and call nothing
    #[arg(long = "static", conflicts_with = "address")]
    pub(crate) r#static: bool,
    /// Address of the service, if the description is a document
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) address: Option<Url>,
    /// Also call procedures that are not idempotent, or whose name suggests a change
    #[arg(long = "unsafe")]
    pub(crate) r#unsafe: bool,
    /// Repeat the calls of an earlier check, which printed this number
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// The maximum number of calls
    #[arg(long, value_name = "NUMBER", default_value_t = 1000, value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) max_calls: usize,
    /// The number of calls to make at the same time
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64), allow_negative_numbers = true)]
    pub(crate) at_once: u8,
    /// The maximum number of calls per second [default: 20, and no limit for a service on this machine]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=100_000), allow_negative_numbers = true)]
    pub(crate) rate: Option<u32>,
    /// Print a JSON array, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// The kinds of findings that a description can have.
#[derive(Clone, Copy, ValueEnum)]
enum DocumentFinding {
    /// Parts of the description that were not understood or left out
    Warnings,
    /// Contradictions within the description
    Contradictions,
    /// Procedures, parameters, results and errors without documentation
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

//! The arguments of `docent list` and `docent describe`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap_complete::ArgValueCandidates;

use super::{EXIT_CODES_HELP, INPUTS_HELP, input_parser};
use crate::completions;
use crate::input::Input;

/// List the procedures of a service
///
/// Piped, prints one procedure on each line: its name, a tab, and its summary.
#[derive(clap::Args)]
#[command(after_help = format!("{INPUTS_HELP}\n\n{EXIT_CODES_HELP}"))]
pub(crate) struct ListArgs {
    /// A file, `-` for standard input, or the URL of a live service
    #[arg(value_name = "INPUT", value_parser = input_parser())]
    pub(crate) input: Input,
    /// List only these procedures; `*` stands for any text, `?` for one character
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(completions::procedures))]
    pub(crate) names: Vec<String>,
    /// Print a JSON array, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// Describe a service, or some of its procedures
///
/// At a terminal, prints text: signatures, parameters, constraints, errors and examples. Piped, prints
/// the description as JSON, in Docent's format unless --format says otherwise.
#[derive(clap::Args)]
#[command(after_help = format!("{INPUTS_HELP}\n\n{EXIT_CODES_HELP}"))]
pub(crate) struct DescribeArgs {
    /// A file, `-` for standard input, or the URL of a live service
    #[arg(value_name = "INPUT", value_parser = input_parser())]
    pub(crate) input: Input,
    /// Describe only these procedures, or, as text and Markdown, these shared types; `*` stands for any text
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(completions::procedures))]
    pub(crate) names: Vec<String>,
    /// The format to print [default: text at a terminal or with names, otherwise docent]
    #[arg(long, alias = "as", value_name = "FORMAT")]
    pub(crate) format: Option<Rendering>,
    /// The same as --format docent
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Write to a file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The formats of a description.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rendering {
    /// The format of `rpc.describe`
    Docent,
    /// A JSON-RPC 1.1 service description, which omits most details
    #[value(name = "1.1")]
    V1_1,
    /// An OpenRPC document, version 1.3.2
    Openrpc,
    /// An OpenRPC document, version 1.2.6
    #[value(name = "openrpc-1.2.6")]
    Openrpc126,
    /// An OpenRPC document, version 1.4.1
    #[value(name = "openrpc-1.4.1")]
    Openrpc141,
    /// An OpenAPI document, version 3.1
    Openapi,
    /// The types, as a JSON Schema document
    JsonSchema,
    /// The pages of the reference site, as Markdown
    Markdown,
    /// The pages of the reference site, as text
    Text,
}

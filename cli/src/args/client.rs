//! The arguments of `docent client`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{EXIT_CODES_HELP, INPUTS_HELP, input_parser};
use crate::input::Input;

/// Write a typed client for a service
///
/// The same description always gives the same files. Other files in DIR are kept.
#[derive(clap::Args)]
#[command(after_help = format!("{INPUTS_HELP}\n\n{EXIT_CODES_HELP}"))]
pub(crate) struct ClientArgs {
    /// A file, `-` for standard input, or the URL of a live service
    #[arg(value_name = "INPUT", value_parser = input_parser())]
    pub(crate) input: Input,
    /// The language of the client
    #[arg(short, long, value_name = "LANGUAGE")]
    pub(crate) language: Language,
    /// Write a client for these procedures only; `*` stands for any text, `?` for one character
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Make the client an installable package of this name, with a package.json, pyproject.toml or
    /// Cargo.toml
    #[arg(long, value_name = "NAME")]
    pub(crate) package: Option<String>,
    /// The type of wide integers: in TypeScript of those that may exceed ±(2^53 - 1), of which `number` rounds some
    /// [default: bigint, but number for integers without bounds]; in Rust of those without bounds [default: 64 bits]
    #[arg(long, value_name = "TYPE")]
    pub(crate) integers: Option<IntegerType>,
    /// The client's name in docent-uses.json, the list of procedures that it uses (see docent diff --used)
    #[arg(long, value_name = "NAME")]
    pub(crate) client_name: Option<String>,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Write nothing, and fail if the files in the folder are out of date
    #[arg(long)]
    pub(crate) check: bool,
    /// Replace files that this command did not write
    #[arg(long, conflicts_with = "check")]
    pub(crate) force: bool,
}

/// The types of wide integers in TypeScript and Rust.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IntegerType {
    Number,
    Bigint,
    I128,
}

/// The languages that clients can be written in.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// A module that needs only `fetch`
    Typescript,
    /// A package for Python 3.10 or later, with httpx
    Python,
    /// A crate, with docent-client, serde and serde_json
    Rust,
}

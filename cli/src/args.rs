//! The command line.

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

use crate::input::Input;

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  the input: it is no description, or something in it is denied
  2  the command line
  3  a file, a folder or the network";

const INPUTS: &str = "\
INPUT is
  a file       a Docent service description, an OpenRPC document or a JSON-RPC 1.1 service
               description, as it is or as a service has answered with it
  -            the same from standard input
  http(s)://…  a live service: it is asked rpc.describe, then rpc.discover, then system.describe by
               POST, and the first that is answered counts; or a document on a web server, which is
               read by GET. A name and a password in the address are sent to its own host only. At
               most 10 s to connect, 30 s in all, 3 redirects, 64 MiB.
               A service that wants a token: curl -H 'Authorization: …' … | docent … -";

/// What a JSON-RPC service says about itself: a reference site, a document, a check.
#[derive(Debug, Parser)]
#[command(name = "docent", version, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Say what is done even where the output is piped
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Docs(DocsArgs),
    Describe(DescribeArgs),
    Check(CheckArgs),
}

/// Make the reference site of a service, or of several as a catalogue
///
/// Everything is written beside what is there and moved into its place at the end, so that a build
/// that fails leaves the old site as it was. Files in DIR that are not of the site stay; pages that
/// the site no longer has are removed.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{INPUTS}\n\n{EXIT_CODES}"))]
pub(crate) struct DocsArgs {
    /// Files, `-` for standard input, or addresses of live services
    #[arg(required = true, value_name = "INPUT", value_parser = input_parser())]
    pub(crate) inputs: Vec<Input>,
    /// The folder that becomes the site; with --single-file, the file, or `-` for standard output
    ///
    /// A folder that holds other files and no site of this command is left alone.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Write the whole site as one HTML file that needs nothing beside it
    #[arg(long)]
    pub(crate) single_file: bool,
    /// Write into a folder that holds other files, and replace those of the same names
    #[arg(long, conflicts_with = "single_file")]
    pub(crate) force: bool,
    /// A folder of templates (`*.hbs`) that replace those of the same name
    #[arg(long, value_name = "DIR")]
    pub(crate) templates: Option<PathBuf>,
    /// The title of the site; the service's name unless it is given
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Fail, and write nothing, where there is something of this kind
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) deny: Vec<Finding>,
    /// Serve the site on this machine, and build it again when an input or a template changes
    ///
    /// Pages in a browser reload by themselves. Live services are asked again every few seconds.
    #[arg(long, conflicts_with = "single_file")]
    pub(crate) watch: bool,
    /// The port of --watch; where it is not given, 8917 or any that is free
    #[arg(long, value_name = "PORT", requires = "watch")]
    pub(crate) port: Option<u16>,
}

/// Print the description of a service, in its own format or in another
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{INPUTS}\n\n{EXIT_CODES}"))]
pub(crate) struct DescribeArgs {
    /// A file, `-` for standard input, or the address of a live service
    #[arg(value_name = "INPUT", value_parser = input_parser())]
    pub(crate) input: Input,
    /// The format to print
    #[arg(long = "as", value_name = "FORMAT", default_value = "docent")]
    pub(crate) format: Rendering,
}

/// List what is wrong with a description and what it leaves undocumented, and fail if there is any
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{INPUTS}\n\n{EXIT_CODES}"))]
pub(crate) struct CheckArgs {
    /// Files, `-` for standard input, or addresses of live services
    #[arg(required = true, value_name = "INPUT", value_parser = input_parser())]
    pub(crate) inputs: Vec<Input>,
    /// List what there is of this kind, but do not fail for it
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) allow: Vec<Finding>,
}

/// What can be found in a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Finding {
    /// A procedure, parameter, return or error without documentation
    Undocumented,
    /// What the reader did not understand or had to leave out
    Warnings,
}

impl Finding {
    pub(crate) const ALL: [Self; 2] = [Self::Warnings, Self::Undocumented];
}

/// The formats of a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rendering {
    /// What `rpc.describe` answers
    Docent,
    /// An OpenRPC document, version 1.3.2
    Openrpc,
    /// A service description of JSON-RPC 1.1, which leaves most things out
    #[value(name = "1.1")]
    V1_1,
}

fn input_parser() -> impl TypedValueParser<Value = Input> {
    OsStringValueParser::new().try_map(Input::parse)
}

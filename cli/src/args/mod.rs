//! The command line: arguments go in, a [`Command`] with its checked values comes out.
//!
//! Each command has a file of its own with a struct that clap derives a parser from. Its documentation comments are the
//! help text that clap prints, so they begin with a verb in the imperative and speak to the user:
//!
//! ```text
//! /// Fail if there are findings of this kind      the help of --deny
//! #[arg(long, value_name = "KIND")]
//! pub(crate) deny: Vec<FindingKind>,               parsed, or an error that names the values
//! ```
//!
//! Values are checked while they are parsed, as far as they can be without reading anything: an [`Input`] is a file, a
//! URL, a revision of Git or a command here, and is read by the command. So a mistyped option is reported before
//! anything is sent. Which options contradict each other is decided by clap too, where it can say so.

mod call;
mod check;
mod client;
mod completions;
mod describe;
mod diff;
mod docs;
mod mock;
mod new;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use url::Url;

pub(crate) use self::call::CallArgs;
pub(crate) use self::check::CheckArgs;
pub(crate) use self::client::{ClientArgs, IntegerType, Language};
pub(crate) use self::completions::{CompletionsArgs, Shell, WordsArgs};
pub(crate) use self::describe::{DescribeArgs, ListArgs, Rendering};
pub(crate) use self::diff::{DiffArgs, DiffFormat, FailOn};
pub(crate) use self::docs::{DocsArgs, SiteSettings};
pub(crate) use self::mock::MockArgs;
pub(crate) use self::new::{Database, NewArgs};
use crate::http::{REQUESTS_HEADING, RequestOptions};
use crate::input::Input;

const EXIT_CODES_HELP: &str = "\
Exit codes:
  0  success
  1  an error response, a change that breaks callers, or a finding
  2  invalid command line
  3  file, folder or network error
  4  the input is not a description

Requests: see `docent help requests`";

const INPUTS_HELP: &str = "\
INPUT is
  a file       a Docent service description, an OpenRPC document or a JSON-RPC 1.1 service
               description, on its own or inside a JSON-RPC response
  -            the same, from standard input
  @NAME        the service of that name in the file of named services
  git:REV:FILE the file in that revision of the current repository, such as git:main:openrpc.json
  http(s)://…  a live service, or a document on a web server. docent calls rpc.describe,
               rpc.discover and system.describe with POST, and uses the first description that
               it gets. Without one, it lists the tools of MCP, then tries GET. At most 3
               redirects and 64 MiB are accepted.
  exec:COMMAND a service over standard input and output, one message on each line, such as
               'exec:npx -y @modelcontextprotocol/server-memory'. It runs without a shell.
               docent says MCP's initialize; after an error, it calls rpc.describe and
               rpc.discover.";

/// Explore, call, check and document JSON-RPC services, and write clients for them
#[derive(Parser)]
#[command(name = "docent", version, after_help = EXIT_CODES_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print progress even if the output is piped, and every request with its headers and timings
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Print in colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(flatten)]
    pub(crate) http: RequestOptions,
}

impl Args {
    /// Parses the command line, or exits.
    pub(crate) fn of_process() -> Self {
        let command = Self::command().mut_args(without_requests);
        Self::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit())
    }
}

/// Hides an option of requests, so that the help of a command shows its own options. The topic `requests` shows them.
fn without_requests(option: Arg) -> Arg {
    let is_request = option.get_help_heading() == Some(REQUESTS_HEADING);
    let is_hidden = option.is_hide_set();
    option.hide(is_hidden || is_request)
}

#[derive(Subcommand)]
pub(crate) enum Command {
    New(NewArgs),
    List(ListArgs),
    Describe(DescribeArgs),
    Call(CallArgs),
    Docs(DocsArgs),
    Check(CheckArgs),
    Diff(DiffArgs),
    Client(ClientArgs),
    Mock(MockArgs),
    Completions(CompletionsArgs),
    /// Options that all commands share: how to reach a service, and as whom
    #[command(hide = true, override_usage = "docent COMMAND [OPTIONS]")]
    Requests(Box<RequestOptions>),
    #[command(hide = true)]
    CompleteWords(WordsArgs),
}

/// Reads the address of a service.
fn address(text: &str) -> Result<Url, String> {
    match Input::parse(text.into())? {
        Input::Live(url) => Ok(url),
        _ => Err("expected a URL that starts with http:// or https://, or exec:COMMAND".to_owned()),
    }
}

fn input_parser() -> impl TypedValueParser<Value = Input> {
    OsStringValueParser::new().try_map(Input::parse)
}

//! The arguments of `docent call`.

use clap_complete::ArgValueCandidates;
use url::Url;

use super::{EXIT_CODES_HELP, address, input_parser};
use crate::completions;
use crate::input::Input;

const ARGUMENTS_HELP: &str = "\
Arguments:
  name=text     text, converted to what the parameter takes: a number, true or false, a string
  name:=json    a JSON value, sent as it is written
  name=@file    the text in a file (`@-`: standard input)
  name:=@file   the JSON in a file
  -- VALUE…     values by position: text, or `:=json`, `=@file`, `:=@file`
A name that is repeated stands for an array. For text that starts with @, write JSON: name:='\"@…\"'.";

/// Call a procedure of a service
///
/// The description of the service decides how text is converted, and arguments are checked against it
/// before anything is sent. At a terminal, prints the
/// result for people; piped, prints the JSON of the result exactly as it came. An error goes to
/// standard error.
#[derive(clap::Args)]
#[command(after_help = format!("{ARGUMENTS_HELP}\n\n{EXIT_CODES_HELP}"))]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct CallArgs {
    /// The URL of a live service; or, with --address, a document that describes it
    #[arg(value_name = "URL", value_parser = input_parser())]
    pub(crate) input: Input,
    /// The name of the procedure; without it, the procedures are listed
    #[arg(value_name = "PROCEDURE", add = ArgValueCandidates::new(completions::procedures))]
    pub(crate) procedure: Option<String>,
    /// Parameters by name
    #[arg(value_name = "NAME=VALUE", add = ArgValueCandidates::new(completions::arguments))]
    pub(crate) arguments: Vec<String>,
    /// Parameters by position
    #[arg(last = true, value_name = "VALUE", add = ArgValueCandidates::new(completions::arguments))]
    pub(crate) positions: Vec<String>,
    /// All parameters at once: JSON, `@FILE`, or `-` for standard input
    #[arg(long, value_name = "JSON", conflicts_with_all = ["arguments", "positions"])]
    pub(crate) params: Option<String>,
    /// Where to call a service whose description is a document
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) address: Option<Url>,
    /// Call with GET, which is possible for idempotent procedures
    #[arg(long)]
    pub(crate) get: bool,
    /// Send a notification, which is not answered
    #[arg(long, conflicts_with = "get")]
    pub(crate) notify: bool,
    /// Give the call a key, so that it can be repeated without being done twice; `auto` makes one
    ///
    /// Send the same call with the same key again if the response was lost. A key that `auto` has made
    /// is printed to standard error before the call is sent.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["get", "batch"])]
    pub(crate) idempotency_key: Option<String>,
    /// Send the calls in FILE (`-`: standard input), 100 at a time
    ///
    /// Each line is a call, {"method": "name", "params": {…}}; or only the params if PROCEDURE is
    /// given. Its number is its id. Results are printed one on each line. Nothing is sent if a line
    /// is not valid. If a request fails, the first line that was not answered is named.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["get", "notify", "params", "arguments", "positions"])]
    pub(crate) batch: Option<String>,
    /// Print the call as a line of curl, and do not send it
    #[arg(long, conflicts_with = "batch")]
    pub(crate) dry_run: bool,
    /// Print only the part of the result that a JSON Pointer leads to, such as /page/total
    #[arg(long, value_name = "POINTER", conflicts_with_all = ["batch", "envelope"], value_parser = pointer)]
    pub(crate) pointer: Option<String>,
    /// Print the whole response as it came
    #[arg(long)]
    pub(crate) envelope: bool,
    /// Send the call even if the description does not allow it
    #[arg(long)]
    pub(crate) no_check: bool,
}

/// Checks a JSON Pointer before anything is sent.
fn pointer(text: &str) -> Result<String, &'static str> {
    if text.is_empty() || text.starts_with('/') {
        Ok(text.to_owned())
    } else {
        Err("a pointer begins with /, as in /page/total")
    }
}

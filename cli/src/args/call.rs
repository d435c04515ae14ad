//! The arguments of `docent call`.

use std::num::NonZero;

use clap_complete::ArgValueCandidates;
use url::Url;

use super::{EXIT_CODES_HELP, address, input_parser};
use crate::completions;
use crate::input::Input;

const ARGUMENTS_HELP: &str = "\
Arguments:
  name=text     text, converted to the parameter's type: a number, true or false, a string
  name:=json    a JSON value, sent as it is
  name=@file    the text in a file (`@-`: standard input), or its bytes for a base64 parameter
  name:=@file   the JSON in a file
  -- VALUE…     values by position: text, or `:=json`, `=@file`, `:=@file`
A repeated name stands for an array. To send text that starts with @, write JSON: name:='\"@…\"'.";

/// Call a procedure of a service
///
/// Arguments are converted and checked by the description of the service before anything is sent. At a
/// terminal, prints the result for people; piped, prints its JSON exactly as it came. An error goes to
/// standard error.
///
/// The items of a subscription are printed one on each line, until it ends, Ctrl-C, or --items. After a lost
/// connection, they go on after the last one if it had a cursor.
#[derive(clap::Args)]
#[command(after_help = format!("{ARGUMENTS_HELP}\n\n{EXIT_CODES_HELP}"))]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct CallArgs {
    /// The URL of a live service; or, with --address, a document that describes it
    #[arg(value_name = "URL", value_parser = input_parser())]
    pub(crate) input: Input,
    /// The procedure to call; without it, lists the procedures
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
    /// Address of the service, if the description is a document
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) address: Option<Url>,
    /// Call with GET; the procedure must be idempotent
    #[arg(long)]
    pub(crate) get: bool,
    /// Send a notification, which is not answered
    #[arg(long, conflicts_with = "get")]
    pub(crate) notify: bool,
    /// Send a key with the call, so that repeating it has one effect; `auto` generates a key
    ///
    /// If the response is lost, send the same call with the same key again. A key that `auto` generates
    /// is printed to standard error before the call is sent.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["get", "batch"])]
    pub(crate) idempotency_key: Option<String>,
    /// Send the calls in FILE (`-`: standard input), 100 at a time
    ///
    /// Each line is a call, {"method": "name", "params": {…}}; or only the params if PROCEDURE is
    /// given. The number of the line is the id of the call. Results are printed one on each line.
    /// Nothing is sent if a line is invalid. If a request fails, the first unanswered line is named.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["get", "notify", "params", "arguments", "positions"])]
    pub(crate) batch: Option<String>,
    /// End after this many items of a subscription
    #[arg(long, value_name = "N", conflicts_with_all = ["notify", "batch"])]
    pub(crate) items: Option<NonZero<u64>>,
    /// Print the call as a curl command instead of sending it
    #[arg(long, conflicts_with = "batch")]
    pub(crate) dry_run: bool,
    /// Print only the part of the result, or of each item, at a JSON Pointer, such as /page/total
    #[arg(long, value_name = "POINTER", conflicts_with_all = ["batch", "envelope"], value_parser = pointer)]
    pub(crate) pointer: Option<String>,
    /// Print the whole response, or the message of each item, as it came
    #[arg(long)]
    pub(crate) envelope: bool,
    /// Send the call even if the description does not allow it, or if the service has none
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

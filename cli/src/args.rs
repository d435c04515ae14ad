//! The command line.

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use url::Url;

use crate::http::HttpOptions;
use crate::input::Input;
use crate::terminal::Color;

const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  the answer is no: an error response, a change that breaks callers, a finding
  2  invalid command line
  3  file, folder or network error
  4  no description";

const INPUTS: &str = "\
INPUT is
  a file       a Docent service description, an OpenRPC document or a JSON-RPC 1.1 service
               description, on its own or inside a JSON-RPC response
  -            the same, from standard input
  git:REV:FILE the file in that revision of the current repository, such as git:main:openrpc.json
  http(s)://…  a live service, or a document on a web server. docent calls rpc.describe,
               rpc.discover and system.describe with POST and uses the first response with a
               description; then it tries GET. At most 3 redirects and 64 MiB are accepted.";

/// Build a reference site from the description of a JSON-RPC service, convert it, or check it.
#[derive(Debug, Parser)]
#[command(name = "docent", version, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print progress even if the output is piped, and every request with its headers and timings
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// When to print in colour
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(crate) color: Color,
    #[command(flatten)]
    pub(crate) http: HttpOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    List(ListArgs),
    Describe(DescribeArgs),
    Call(CallArgs),
    Docs(DocsArgs),
    Check(CheckArgs),
    Diff(DiffArgs),
    Client(ClientArgs),
    Completions(CompletionsArgs),
    #[command(hide = true)]
    CompleteWords(WordsArgs),
}

/// A shell whose words can be completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    /// source <(docent completions bash)
    Bash,
    /// source <(docent completions zsh)
    Zsh,
    /// docent completions fish | source
    Fish,
}

/// Print a script with which a shell completes commands
///
/// It completes commands, options, the names of procedures and parameters, and values of parameters with
/// a fixed set.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// Print the words that can stand at the cursor
#[derive(Debug, clap::Args)]
pub(crate) struct WordsArgs {
    /// The shell that asks
    pub(crate) shell: Shell,
    /// The characters at which bash breaks words
    #[arg(long, value_name = "CHARACTERS", default_value = "")]
    pub(crate) breaks: String,
    /// The words as far as the cursor; for bash, the line
    #[arg(last = true, value_name = "WORD")]
    pub(crate) words: Vec<String>,
}

/// Build the reference site of a service, or a catalogue of several
///
/// The new site replaces the old one only once it is complete: a failed build leaves the old site
/// unchanged. Other files in DIR are kept; pages that are no longer part of the site are removed.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{INPUTS}\n\n{EXIT_CODES}"))]
pub(crate) struct DocsArgs {
    /// Files, `-` for standard input, or URLs of live services
    #[arg(required_unless_present = "print_templates", value_name = "INPUT", value_parser = input_parser())]
    pub(crate) inputs: Vec<Input>,
    /// The folder to write to; with --single-file, the file, or `-` for standard output
    ///
    /// A folder that has files this command did not write is refused unless --force is given.
    #[arg(
        short,
        long,
        value_name = "DIR",
        required_unless_present = "print_templates"
    )]
    pub(crate) output: Option<PathBuf>,
    /// Write the whole site as one self-contained HTML file
    #[arg(long)]
    pub(crate) single_file: bool,
    /// Write into a folder that has other files, and overwrite files with the same names
    #[arg(long, conflicts_with = "single_file")]
    pub(crate) force: bool,
    /// A folder of templates (`*.hbs`) that replace the built-in ones with the same names
    #[arg(long, value_name = "DIR")]
    pub(crate) templates: Option<PathBuf>,
    /// The settings of the site, a TOML file [default: docent.toml, if there is one here]
    ///
    /// It can have the settings below: title, address, language, logo, favicon, footer, templates,
    /// hidden-tags, and tables of colours and strings. An option comes before what the file says. Paths
    /// are relative to the file, and must stay in its folder.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Write the built-in templates into a folder, to be changed and used with --templates
    #[arg(long, value_name = "DIR", conflicts_with_all = ["inputs", "output"])]
    pub(crate) print_templates: Option<PathBuf>,
    /// Fail and write nothing if the description has findings of this kind
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) deny: Vec<Finding>,
    /// Serve the site locally, and rebuild it when an input or a template changes
    ///
    /// Open pages reload automatically. Live services are polled every few seconds.
    #[arg(long, conflicts_with = "single_file")]
    pub(crate) watch: bool,
    /// The port for --watch [default: 8917, or any free port]
    #[arg(long, value_name = "PORT", requires = "watch")]
    pub(crate) port: Option<u16>,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

/// What a site says, and how it looks.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct LookArgs {
    /// The title of the site [default: the name of the service]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Where to call the service, in samples and in the form [default: what the description says]
    #[arg(long, value_name = "URL")]
    pub(crate) address: Option<String>,
    /// The language of the interface, such as `de` [default: en]
    #[arg(long, value_name = "TAG")]
    pub(crate) language: Option<String>,
    /// An image before the title: SVG, PNG, JPEG, GIF or WebP
    #[arg(long, value_name = "FILE")]
    pub(crate) logo: Option<PathBuf>,
    /// The icon of the site: the same, or ICO
    #[arg(long, value_name = "FILE")]
    pub(crate) favicon: Option<PathBuf>,
    /// The footer of every page, as Markdown
    #[arg(long, value_name = "MARKDOWN")]
    pub(crate) footer: Option<String>,
    /// A colour, as CSS: `accent=#0b6b47`, or `accent=light-dark(#0b6b47, #6bd6a7)`; repeatable
    #[arg(long = "set-colour", alias = "set-color", value_name = "NAME=VALUE", value_parser = named)]
    pub(crate) colours: Vec<(String, String)>,
    /// Leave out the procedures with this tag; repeatable
    #[arg(long = "hide-tag", value_name = "TAG")]
    pub(crate) hidden_tags: Vec<String>,
}

/// Reads `NAME=VALUE`.
fn named(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// List the procedures of a service
///
/// Piped, prints one procedure on each line: its name, a tab, and its summary.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{INPUTS}\n\n{EXIT_CODES}"))]
pub(crate) struct ListArgs {
    /// A file, `-` for standard input, or the URL of a live service
    #[arg(value_name = "INPUT", value_parser = input_parser())]
    pub(crate) input: Input,
    /// Print a JSON array, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// Describe a service, or some of its procedures
///
/// At a terminal, prints text: signatures, parameters, constraints, errors and examples. Piped, prints
/// the description as JSON, in Docent's format unless --format says otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{INPUTS}\n\n{EXIT_CODES}"))]
pub(crate) struct DescribeArgs {
    /// A file, `-` for standard input, or the URL of a live service
    #[arg(value_name = "INPUT", value_parser = input_parser())]
    pub(crate) input: Input,
    /// Only these procedures; as text and Markdown, also shared types
    #[arg(value_name = "NAME")]
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

const ARGUMENTS: &str = "\
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
/// before anything is sent. The description is kept in your cache folder. At a terminal, prints the
/// result for people; piped, prints the JSON of the result exactly as it came. An error goes to
/// standard error.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{ARGUMENTS}\n\n{EXIT_CODES}"))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct CallArgs {
    /// The URL of a live service; or, with --address, a document that describes it
    #[arg(value_name = "URL", value_parser = input_parser())]
    pub(crate) input: Input,
    /// The name of the procedure
    #[arg(value_name = "PROCEDURE", required_unless_present = "batch")]
    pub(crate) procedure: Option<String>,
    /// Parameters by name
    #[arg(value_name = "NAME=VALUE")]
    pub(crate) arguments: Vec<String>,
    /// Parameters by position
    #[arg(last = true, value_name = "VALUE")]
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
    /// Send the calls in FILE (`-`: standard input), 100 at a time
    ///
    /// Each line is a call, {"method": "name", "params": {…}}; or only the params if PROCEDURE is
    /// given. Its number is its id. Results are printed one on each line. Nothing is sent if a line
    /// is not valid. If a request fails, the first line that was not answered is named.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["get", "notify", "params", "arguments", "positions"])]
    pub(crate) batch: Option<String>,
    /// Print the whole response as it came
    #[arg(long)]
    pub(crate) envelope: bool,
    /// Send the call even if the description does not allow it
    #[arg(long)]
    pub(crate) no_check: bool,
    /// Neither use nor keep descriptions in the cache folder
    #[arg(long)]
    pub(crate) no_cache: bool,
}

const LIVE: &str = "\
A live service is called: examples, and values that the schemas allow and do not allow, by name, by
position and by GET. Only procedures that are idempotent are called, unless --unsafe is given.";

/// Find out whether a description is complete and true
///
/// Lists problems, contradictions and missing documentation. A live service is called too, and what it
/// answers is held against the description. Each finding says what to do about it; a call that shows
/// it is made as small as possible.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{INPUTS}\n\n{LIVE}\n\n{EXIT_CODES}"))]
pub(crate) struct CheckArgs {
    /// Files, `-` for standard input, or URLs of live services
    #[arg(required = true, value_name = "INPUT", value_parser = input_parser())]
    pub(crate) inputs: Vec<Input>,
    /// List findings of this kind without failing
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) allow: Vec<Finding>,
    /// Accept the findings that are listed in FILE
    ///
    /// Each line is a JSON object: {"rule": "narrower-than-published", "procedure": "book.find",
    /// "reason": "An ISBN has a check digit."}. Without `procedure`, the rule is accepted for all.
    /// Lines that are empty or start with `#` are ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) allow_list: Option<PathBuf>,
    /// Only read descriptions, and call nothing
    #[arg(long = "static", conflicts_with = "address")]
    pub(crate) r#static: bool,
    /// Where to call a service whose description is a document
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) address: Option<Url>,
    /// Call procedures that are not idempotent, too
    #[arg(long = "unsafe")]
    pub(crate) r#unsafe: bool,
    /// Make the same calls as an earlier check, which printed this number
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// How many calls to make at most
    #[arg(long, value_name = "NUMBER", default_value_t = 1000)]
    pub(crate) max_calls: usize,
    /// How many calls to make at the same time
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) at_once: u8,
    /// How many calls to make in a second
    #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) rate: u32,
    /// Print a JSON array, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// Compare two descriptions of a service, and fail if a change breaks callers
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{INPUTS}\n\n{EXIT_CODES}"))]
pub(crate) struct DiffArgs {
    /// The old description
    #[arg(value_name = "OLD", value_parser = input_parser())]
    pub(crate) old: Input,
    /// The new description
    #[arg(value_name = "NEW", value_parser = input_parser())]
    pub(crate) new: Input,
    /// How to print the changes
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: DiffFormat,
    /// Fail if there are changes of this kind, or worse ones
    #[arg(long, value_name = "VERDICT", default_value = "breaking")]
    pub(crate) fail_on: FailOn,
    /// Accept the changes that are listed in FILE
    ///
    /// Each line is a JSON object: {"rule": "param-removed", "procedure": "book.find", "pointer":
    /// "/procs/0/params/1", "reason": "Nobody used it."}. Either `procedure` or `pointer` may be
    /// left out. Lines that are empty or start with `#` are ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) allow: Option<PathBuf>,
}

/// Write a typed client for a service
///
/// The same description always gives the same files. Other files in DIR are kept.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{INPUTS}\n\n{EXIT_CODES}"))]
pub(crate) struct ClientArgs {
    /// A file, `-` for standard input, or the URL of a live service
    #[arg(value_name = "INPUT", value_parser = input_parser())]
    pub(crate) input: Input,
    /// The language of the client
    #[arg(short, long, value_name = "LANGUAGE")]
    pub(crate) language: Language,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Write nothing, and fail if the folder differs from what would be written
    #[arg(long)]
    pub(crate) check: bool,
    /// Replace files that this command did not write
    #[arg(long, conflicts_with = "check")]
    pub(crate) force: bool,
}

/// The languages that clients can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// A module with `fetch` and nothing else
    Typescript,
    /// A package for Python 3.10 or later, with httpx
    Python,
    /// A crate, with reqwest, serde and serde_json
    Rust,
}

/// How the changes between two descriptions are printed.
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

/// A kind of finding in a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Finding {
    /// A procedure, parameter, return or error without documentation
    Undocumented,
    /// Parts of the description that were not understood or left out
    Warnings,
    /// What the description contradicts itself in
    Contradictions,
    /// What a live service does not keep
    #[value(skip)]
    Lies,
}

impl Finding {
    /// Those that a description shows by itself.
    pub(crate) const ALL: [Self; 3] = [Self::Warnings, Self::Contradictions, Self::Undocumented];
}

/// The formats of a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rendering {
    /// What `rpc.describe` returns
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
    /// The types, as a JSON Schema document
    JsonSchema,
    /// The pages of the reference site, as Markdown
    Markdown,
    /// The same, as text
    Text,
}

impl Rendering {
    /// Returns whether it is prose, and not JSON.
    pub(crate) fn is_for_people(self) -> bool {
        matches!(self, Self::Markdown | Self::Text)
    }
}

/// Reads the address of a service.
fn address(text: &str) -> Result<Url, String> {
    match Input::parse(text.into())? {
        Input::Live(url) => Ok(url),
        _ => Err("expected a URL that starts with http:// or https://".to_owned()),
    }
}

fn input_parser() -> impl TypedValueParser<Value = Input> {
    OsStringValueParser::new().try_map(Input::parse)
}

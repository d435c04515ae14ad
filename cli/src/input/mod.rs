//! The inputs of a command: from an argument to a description.
//!
//! ```text
//! argument ── parse ──► Input ── fetch ──► Fetched ── docent_tools::read ──► Described
//!
//! git:main:api.json     Git("main:api.json")    bytes        the model, with warnings and their lines
//! http://host/rpc       Live(url)               bytes, the way that worked, the address for calls
//! ```
//!
//! An [`Input`] says where a description is, [`Fetched`] is the text found there, and [`Described`] is what was read
//! from it. Fetching and reading are two steps because `--watch` fetches again and again, and reads only what changed.
//!
//! A live service is asked in each way in which services describe themselves (`service.rs`), since its address does not
//! say which protocol it speaks. Nothing here decides whether a description is good: it is enough that it can be read.

pub(crate) mod git;
mod guess;
mod service;

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use docent_tools::read::{ReadError, Reading, Warning, read};
use indexmap::IndexMap;
use url::Url;

use crate::exec;
use crate::failure::{Failure, Result};
use crate::files;
use crate::http::{Client, without_secrets};
use crate::services;
use crate::terminal::count;
use docent_tools::locate::{self, spans};
pub(crate) use service::{DescribeWay, Fetched, ask};

/// The mark that some editors write before UTF-8. The reader skips it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// The members of documents that list procedures.
const LIST_MEMBERS: [&str; 3] = ["procs", "methods", "tools"];
/// The end of warnings about what was not read.
const LEFT_OUT_ENDING: &str = "left out";
/// The maximum number of reasons for which no procedure is left.
const MAX_REASONS: usize = 10;

/// The location of a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input, `-`.
    Stdin,
    /// A file, or a folder where a command takes one.
    File(PathBuf),
    /// A file of Git, `REV:FILE`, or a folder.
    Git(String),
    /// A service that describes itself, or a document on the web.
    Live(Url),
}

impl Input {
    /// Parses an argument.
    pub(crate) fn parse(argument: OsString) -> Result<Self, String> {
        let Some(text) = argument.to_str() else {
            return Ok(Self::File(argument.into()));
        };
        if text.is_empty() {
            return Err("expected a file or a URL, found an empty text".to_owned());
        }
        if text == "-" {
            return Ok(Self::Stdin);
        }
        if let Some(rest) = text.strip_prefix("git:") {
            return git::parse(rest).map(Self::Git);
        }
        if let Some(name) = text.strip_prefix('@') {
            return services::address(name).map(Self::Live);
        }
        if let Some(command) = text.strip_prefix("exec:") {
            return exec::command_url(command).map(Self::Live);
        }
        // A file may have any name that does not start with a scheme. For one that does, write
        // `./http://…`.
        let Some((scheme, _)) = text.split_once("://") else {
            return match guess::url(text).filter(|_| !Path::new(text).exists()) {
                Some(url) => Err(format!("there is no such file; did you mean {url}?")),
                None => Ok(Self::File(argument.into())),
            };
        };
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => Url::parse(text)
                .map(Self::Live)
                .map_err(|error| error.to_string()),
            "ws" | "wss" if cfg!(feature = "websocket") => Url::parse(text)
                .map(Self::Live)
                .map_err(|error| error.to_string()),
            _ if Path::new(text).exists() => Ok(Self::File(argument.into())),
            _ => Err(format!(
                "{scheme}:// is not supported; use http:// or https://"
            )),
        }
    }

    /// Returns the name of the input for messages, without secrets in a URL.
    pub(crate) fn display_name(&self) -> String {
        match self {
            Self::Stdin => "standard input".to_owned(),
            Self::File(path) => files::display_path(path),
            Self::Git(file) => format!("git:{file}"),
            Self::Live(url) => without_secrets(url).to_string(),
        }
    }

    /// Returns the files below a folder whose names end in some way, relative to it. Returns `None` if this is no
    /// folder.
    pub(crate) fn below(&self, end: &str) -> Result<Option<Vec<String>>> {
        match self {
            Self::File(folder) if folder.is_dir() => {
                let mut names = Vec::new();
                for file in files::below(folder, end)?.all()? {
                    if let Ok(name) = file.strip_prefix(folder) {
                        names.push(name.display().to_string());
                    }
                }
                Ok(Some(names))
            }
            Self::Git(folder) => Ok(git::below(folder, end)),
            _ => Ok(None),
        }
    }

    /// Returns a file in this folder.
    pub(crate) fn file(&self, name: &str) -> Self {
        match self {
            Self::File(folder) => Self::File(folder.join(name)),
            Self::Git(folder) => Self::Git(format!("{}/{name}", folder.trim_end_matches('/'))),
            other => other.clone(),
        }
    }

    /// Reads the description.
    pub(crate) fn read(&self, client: &Client) -> Result<Described> {
        Described::new(self, self.fetch(client, None)?)
    }

    /// Fetches the text. For a live service, tries only `way` if it is known.
    pub(crate) fn fetch(&self, client: &Client, way: Option<DescribeWay>) -> Result<Fetched> {
        let bytes = match self {
            Self::Stdin => files::read_stdin()?,
            Self::File(path) => files::read(path)?,
            Self::Git(file) => git::read(file)?,
            Self::Live(url) => return ask(&client.exchange(url)?, way),
        };
        Ok(Fetched::from(bytes))
    }
}

/// A description and the text that it was read from.
pub(crate) struct Described {
    pub(crate) input: Input,
    /// The name of the input for messages.
    pub(crate) display_name: String,
    pub(crate) reading: Reading,
    text: String,
    /// The rest of what was fetched. Its text has been taken.
    pub(crate) fetched: Fetched,
}

impl Described {
    /// Reads a description from what was fetched.
    pub(crate) fn new(input: &Input, mut fetched: Fetched) -> Result<Self> {
        let display_name = input.display_name();
        let mut bytes = std::mem::take(&mut fetched.bytes);
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        let mut reading =
            read(&bytes).map_err(|error| unreadable(&display_name, &bytes, &error))?;
        if reading.description.address.is_none() {
            // The service responded at this address, so calls go there.
            reading.description.address.clone_from(&fetched.address);
        }
        let text = String::from_utf8(bytes)
            .map_err(|error| Failure::no_description(format_args!("{display_name}: {error}")))?;
        let described = Self {
            input: input.clone(),
            display_name,
            reading,
            text,
            fetched,
        };
        described.has_some_procedure().map(|()| described)
    }

    /// Fails if the document lists procedures and all of them were left out.
    fn has_some_procedure(&self) -> Result {
        let left_out = self.left_out();
        if left_out.is_empty() || !self.reading.description.procs.is_empty() {
            return Ok(());
        }
        let mut lines = vec![format!("{}: no procedure is left", self.display_name)];
        lines.extend(left_out.iter().take(MAX_REASONS).cloned());
        if let Some(more @ 1..) = left_out.len().checked_sub(MAX_REASONS) {
            lines.push(format!("and {more} more"));
        }
        Err(Failure::no_description(lines.join("\n  ")))
    }

    /// Reads a description from the content of a file.
    pub(crate) fn of_file(path: &Path, bytes: Vec<u8>) -> Result<Self> {
        Self::new(&Input::File(path.to_owned()), Fetched::from(bytes))
    }

    /// Returns what was read, and the text of the description without the response that contained it.
    pub(crate) fn into_parts(self) -> (Reading, String) {
        let text = match self.span_in_response() {
            Some(span) => self.text[span].to_owned(),
            None => self.text,
        };
        (self.reading, text)
    }

    /// Returns where the text has the description, if that is the result of a response.
    fn span_in_response(&self) -> Option<Range<usize>> {
        let mut spans = spans(&self.text, &["/jsonrpc", "/version", "/result"]);
        let is_response = spans.contains_key("/jsonrpc") || spans.contains_key("/version");
        spans.remove("/result").filter(|_| is_response)
    }

    /// Returns whether the text has lines that a user can look up.
    fn has_lines(&self) -> bool {
        !matches!(self.input, Input::Live(_))
    }

    /// Returns the line of the value that each pointer into the description points to, or of its
    /// nearest ancestor, if the text has lines that a user can look up.
    pub(crate) fn lines<'p>(&self, pointers: impl Iterator<Item = &'p str>) -> Vec<Option<usize>> {
        if !self.has_lines() {
            return pointers.map(|_| None).collect();
        }
        let start = match self.span_in_response() {
            Some(_) => "/result",
            None => "",
        };
        let in_text: Vec<String> = pointers
            .map(|pointer| format!("{start}{pointer}"))
            .collect();
        let in_text: Vec<&str> = in_text.iter().map(String::as_str).collect();
        let lines = locate::LineStarts::new(&self.text);
        locate::nearest(&self.text, &in_text)
            .into_iter()
            .map(|span| Some(lines.line(span.start)))
            .collect()
    }

    /// Returns all warnings of the reader, one on each line, with place, pointer and message.
    pub(crate) fn all_warnings(&self) -> Vec<String> {
        self.warning_lines(&self.reading.warnings.iter().collect::<Vec<_>>())
    }

    /// Returns the first warning of each kind, with the number of the others.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.lines_of_kinds(self.reading.warnings.iter())
    }

    /// Returns the warnings about procedures that were left out.
    pub(crate) fn left_out(&self) -> Vec<String> {
        let outer_tokens = usize::from(self.span_in_response().is_some());
        let mut warnings: Vec<&Warning> = self.reading.warnings.iter().collect();
        warnings.retain(|warning| leaves_out_procedure(warning, outer_tokens));
        self.warning_lines(&warnings)
    }

    /// Returns the first warning of each kind that is not about a procedure that was left out.
    pub(crate) fn warnings_of_rest(&self) -> Vec<String> {
        let outer_tokens = usize::from(self.span_in_response().is_some());
        self.lines_of_kinds(
            self.reading
                .warnings
                .iter()
                .filter(|warning| !leaves_out_procedure(warning, outer_tokens)),
        )
    }

    /// Returns a line for each kind of these warnings: the first one, with the number of the others.
    fn lines_of_kinds<'w>(&self, warnings: impl Iterator<Item = &'w Warning>) -> Vec<String> {
        let mut kinds: IndexMap<&str, Vec<&Warning>> = IndexMap::new();
        for warning in warnings {
            kinds.entry(kind(warning)).or_default().push(warning);
        }
        let first: Vec<&Warning> = kinds.values().map(|alike| alike[0]).collect();
        self.warning_lines(&first)
            .into_iter()
            .zip(kinds.values())
            .map(|(line, alike)| match alike.len() - 1 {
                0 => line,
                others => format!("{line} (and {others} more like this)"),
            })
            .collect()
    }

    /// Returns a line for each warning, with the place in the text if a user can look it up.
    fn warning_lines(&self, warnings: &[&Warning]) -> Vec<String> {
        let pointers: Vec<&str> = warnings
            .iter()
            .map(|warning| warning.pointer.as_str())
            .collect();
        let line_starts = locate::LineStarts::new(&self.text);
        let mut lines = Vec::new();
        for (span, warning) in locate::nearest(&self.text, &pointers)
            .into_iter()
            .zip(warnings)
        {
            let display_name = &self.display_name;
            let line = if self.has_lines() {
                let place = line_starts.place(span.start);
                format!("{display_name}:{place}: warning: {warning}")
            } else {
                format!("{display_name}: warning: {warning}")
            };
            lines.push(line.replace('\n', " "));
        }
        lines
    }

    /// Returns whether the service speaks JSON-RPC 1.1, and not 2.0.
    pub(crate) fn is_1_1(&self) -> bool {
        matches!(
            self.fetched.way,
            Some(DescribeWay::Call { is_1_1: true, .. })
        )
    }

    /// Returns a one-line summary.
    pub(crate) fn summary(&self) -> String {
        let way = match self.fetched.way {
            Some(way) => format!(" by {way}"),
            None => String::new(),
        };
        format!(
            "{}: {}{way}, {}, {}",
            self.display_name,
            self.reading.format,
            count(self.reading.description.procs.len(), "procedure"),
            count(self.reading.warnings.len(), "warning")
        )
    }
}

/// Returns whether a warning is about a procedure that was left out. The first tokens of its pointer lead to the
/// description.
fn leaves_out_procedure(warning: &Warning, outer_tokens: usize) -> bool {
    let tokens = warning.pointer.tokens().skip(outer_tokens);
    let first_tokens: Vec<String> = tokens.take(3).collect();
    let is_about_procedure = match &*first_tokens {
        [list] | [list, _] => LIST_MEMBERS.contains(&list.as_str()),
        _ => false,
    };
    is_about_procedure && warning.message.ends_with(LEFT_OUT_ENDING)
}

/// Returns what a warning says, without the name that it begins with.
fn kind(warning: &Warning) -> &str {
    let message = &*warning.message;
    let after_name = message
        .strip_prefix('`')
        .and_then(|rest| rest.split_once('`'));
    after_name.map_or(message, |(_, said)| said)
}

/// Rejects inputs that cannot be read together.
pub(crate) fn check_inputs(inputs: &[Input], client: &Client) -> Result {
    client.check_origins(inputs.iter().filter_map(|input| match input {
        // No command gets credentials.
        Input::Live(url) if !exec::is_command(url) => Some(url),
        _ => None,
    }))
}

/// Returns the failure for a text that is no description, with the place of the mistake if it is not JSON.
fn unreadable(display_name: &str, bytes: &[u8], error: &ReadError) -> Failure {
    let offset = match error {
        ReadError::NotUtf8 { offset } => *offset,
        ReadError::NotJson(syntax) => syntax.offset,
        _ => return Failure::no_description(format_args!("{display_name}: {error}")),
    };
    let before = String::from_utf8_lossy(&bytes[..offset.min(bytes.len())]);
    let place = locate::LineStarts::new(&before).place(before.len());
    Failure::no_description(format_args!("{display_name}:{place}: {error}"))
}

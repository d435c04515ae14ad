//! Reads a document into the model.
//!
//! In come bytes in Docent's own format, a JSON-RPC 1.1 service description, an OpenRPC document, or what a server of
//! MCP lists, even if they are not quite valid. Out comes a [`Reading`]: the description, the format that was found,
//! and a [`Warning`] with a location for each part that was not understood. Only what describes no service at all is an
//! error.
//!
//! A reader takes an object apart, member by member:
//!
//! ```text
//! let mut fields = MemberReader::of(value, at)?;              // warns and stops here if it is no object
//! param.required = fields.flag("required");                   // warns and goes on if it is no boolean
//! param.aliases = fields.each("aliases", alias);              // leaves out an element that is no alias
//! param.extensions = fields.extensions("$");                  // keeps what is left, and warns of unknown names
//! ```
//!
//! Derived `Deserialize` would stop at the first mistake, drop unknown members, and know no location. People read
//! documents that others wrote, and want to see what is there.
//!
//! `docent.rs`, `openrpc/` and `mcp.rs` read one format each. Schemas of all formats become those of the model, 2020-12
//! with references to components only (`schemas.rs`, `drafts.rs`). Whether a description makes sense is for
//! [`check`](crate::check) to find.

mod docent;
mod drafts;
mod fields;
mod foreign;
mod limits;
mod location;
mod mcp;
mod openrpc;
mod schemas;
mod security;
mod source;

use std::collections::HashSet;
use std::fmt;

use docent_describe::json::{Json, Object, Pointer, SyntaxError};
use docent_describe::{ProcedureDescription, ServiceDescription};
use fields::MemberReader;
pub use location::Warning;
use location::{Location, Notes};
use source::SourceDocument;

/// A document that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The description.
    pub description: ServiceDescription,
    /// The format of the document.
    pub format: Format,
    /// Parts that were not understood, in the order of the document.
    pub warnings: Vec<Warning>,
}

/// The formats that the reader knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// The format of `rpc.describe`.
    Docent,
    /// A JSON-RPC 1.1 (working draft) service description.
    JsonRpc11,
    /// An OpenRPC document.
    OpenRpc,
    /// The lists of a server of the Model Context Protocol: the result of `tools/list`, with those of
    /// `initialize` and of other lists in the same object.
    Mcp,
}

docent_describe::display!(Format, |format| match format {
    Format::Docent => "Docent service description",
    Format::JsonRpc11 => "JSON-RPC 1.1 service description",
    Format::OpenRpc => "OpenRPC document",
    Format::Mcp => "list of MCP tools",
});

/// The reason why a document is not a description.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is not text in UTF-8.
    #[error("not UTF-8 at byte {offset}")]
    NotUtf8 {
        /// The offset of the first byte that is wrong.
        offset: usize,
    },
    /// It is not JSON.
    #[error("not JSON: {0}")]
    NotJson(#[source] SyntaxError),
    /// It is JSON but does not describe a service.
    #[error("not a service description: {reason}")]
    NoDescription {
        /// A phrase that says what the document is instead.
        reason: String,
    },
}

/// Reads a description in any of the known [formats](Format).
///
/// A description inside a JSON-RPC response (`{"jsonrpc": "2.0", "result": …}`, or the same in 1.1)
/// is unwrapped, so you can read what a service sent.
///
/// ```
/// use docent_tools::read::{Format, read};
///
/// let document = br#"{
///     "openrpc": "1.3.2",
///     "info": {"title": "Weather", "version": "1.0"},
///     "methods": [{"name": "forecast", "params": [], "result": {"name": "text", "schema": {"type": "string"}}}]
/// }"#;
/// let reading = read(document)?;
/// assert_eq!(reading.format, Format::OpenRpc);
/// assert_eq!(reading.description.procs[0].name, "forecast");
/// # Ok::<(), docent_tools::read::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`] if the bytes are not a description.
pub fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    let text = std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).map_err(
        |error| ReadError::NotUtf8 {
            offset: error.valid_up_to(),
        },
    )?;
    let mut document: Json = text
        .parse()
        .map_err(|error| match foreign::known_text(text) {
            Some(kind) => no_description(kind),
            None => ReadError::NotJson(error),
        })?;
    let mut start = Pointer::root();
    if is_response(&document) {
        start.push("result");
        document = result_of(document)?;
    }
    let Json::Object(members) = document else {
        return Err(no_description(format_args!(
            "it is JSON of type {} and not an object",
            document.kind()
        )));
    };
    let format = detect(&members)?;
    let notes = Notes::default();
    let at = Location::start(&notes, start);
    let source = SourceDocument::new(text, &members);
    let fields = MemberReader::new(members, &at);
    let description = match format {
        Format::OpenRpc => openrpc::service(fields, &source),
        Format::Mcp => mcp::service(fields, &source),
        Format::Docent | Format::JsonRpc11 => docent::service(fields, &source),
    };
    warn_of_equal_names(&description.procs, &at);
    Ok(Reading {
        description,
        format,
        warnings: notes.into_warnings(),
    })
}

/// Returns whether a document is a response of JSON-RPC 2.0 or 1.1.
fn is_response(document: &Json) -> bool {
    let has_version =
        document.get_str("jsonrpc") == Some("2.0") || document.get_str("version") == Some("1.1");
    has_version && (document.get("result").is_some() || document.get("error").is_some())
}

/// Returns the result of a response.
fn result_of(response: Json) -> Result<Json, ReadError> {
    let Json::Object(mut members) = response else {
        return Ok(response);
    };
    if let Some(result) = members.shift_remove("result") {
        return Ok(result);
    }
    let message = members
        .get("error")
        .and_then(|error| error.get_str("message"))
        .unwrap_or("without a message");
    Err(no_description(format_args!(
        "it is a JSON-RPC error, {message:?}"
    )))
}

/// Returns the format of a document, judging by the members that only this format has.
fn detect(members: &Object) -> Result<Format, ReadError> {
    let has_procs = members.contains_key("procs");
    if let Some(kind) = foreign::known_methods(members) {
        return Err(no_description(kind));
    }
    if members.contains_key("openrpc") || (members.contains_key("methods") && !has_procs) {
        return Ok(Format::OpenRpc);
    }
    let version = members.get_str("sdversion");
    match version {
        Some(version) if version.starts_with("1.") => Ok(Format::JsonRpc11),
        Some(_) => Ok(Format::Docent),
        // The draft's own example has no `sdversion`.
        None if has_procs || members.contains_key("sdversion") => Ok(Format::JsonRpc11),
        None if members.get("tools").and_then(Json::as_array).is_some() => Ok(Format::Mcp),
        None => Err(no_description(foreign::known_object(members).unwrap_or(
            "it has none of the members `sdversion`, `procs`, `openrpc`, `methods` and `tools`",
        ))),
    }
}

/// Warns of procedures with the same name. All are kept, but only the first can be called. Clients and the service may
/// call different procedures of one name.
fn warn_of_equal_names(procs: &[ProcedureDescription], at: &Location<'_>) {
    let mut names = HashSet::new();
    for procedure in procs {
        let name = &procedure.name;
        if !names.insert((name, procedure.is_called_by_clients())) {
            at.warn(format_args!(
                "two procedures are named `{name}`; the first is the one that is called"
            ));
        }
    }
}

fn no_description(reason: impl fmt::Display) -> ReadError {
    ReadError::NoDescription {
        reason: reason.to_string(),
    }
}

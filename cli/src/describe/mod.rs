//! `docent describe`: prints a description for people, or in a format for programs.
//!
//! A description in any format goes in, and comes out as text, as Markdown, or as a document:
//!
//! ```text
//! docent describe library.json book.find          the page of a procedure, for a terminal
//! docent describe URL --format openrpc            the service as OpenRPC, with a warning of what that leaves out
//! ```
//!
//! Documents are written by `docent_describe::render`, and text comes from the pages of the reference site
//! ([`people`]), so that there is one wording of a type. This command chooses the format, narrows the description to
//! the names that were given, and warns of what the format cannot say.

mod people;

use std::path::Path;

use docent_describe::render::{
    OpenApiOptions, OpenRpcOptions, OpenRpcVersion, describe, json_schema, openapi, openrpc,
    system_describe,
};
use docent_describe::{Origin, ProcedureDescription, Requirement, ServiceDescription};
use docent_tools::left_out::{NarrowFormat, left_out};

use crate::args::{DescribeArgs, Rendering};
use crate::failure::Failure;
use crate::files;
use crate::http::Client;
use crate::list::expand_glob;
use crate::terminal::{Terminal, TextPage, plain};

/// Describes a service, or some of its procedures, in the format that is asked for.
pub(crate) fn run(args: &DescribeArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let described = args.input.read(client)?;
    let display_name = described.display_name.clone();
    let format = format(args, terminal);
    if format != Rendering::Text {
        terminal.progress(described.summary());
    }
    terminal.warn_all(described.warnings());
    let service = described.reading.description;
    let mut names = Vec::new();
    for name in &args.names {
        // Types have pages. In the other formats, they come along with the procedures that use them.
        let is_type = service.components.schemas.contains_key(name);
        if is_type && matches!(format, Rendering::Markdown | Rendering::Text) {
            names.push(name.clone());
        } else {
            names.extend(expand_glob(&service, name, &display_name)?);
        }
    }
    if format == Rendering::Openapi && service.origin != Origin::Docent {
        return Err(Failure::usage(format_args!(
            "{display_name}: not served by Docent, so its procedures have no addresses that OpenAPI could describe"
        )));
    }
    for procedure in &service.procs {
        terminal.warn_all(loss(procedure, format));
    }
    terminal.warn_all(narrow_format(format).and_then(|format| left_out_line(&service, format)));
    let text = match format {
        Rendering::Text if args.output.is_none() => people::text(service, &names, terminal.page())?,
        // Files have no colours.
        Rendering::Text => people::text(service, &names, TextPage::new(false))?,
        Rendering::Markdown => people::pages(service, &names)?.join("\n"),
        json => match &*names {
            [] => document(&service, json),
            names => document(&service.excerpt(names), json),
        },
    };
    match (&args.output, format) {
        (Some(path), _) => write_to(path, &text),
        (None, Rendering::Text) => terminal.write(text),
        // A file gets the text unchanged, but a terminal would obey control characters in it.
        (None, Rendering::Markdown) => terminal.write(plain(&text)),
        (None, _) => terminal.write_json(&text),
    }
}

/// Returns a warning if the format cannot say all of a procedure.
fn loss(procedure: &ProcedureDescription, format: Rendering) -> Option<String> {
    let name = &procedure.name;
    let is_there = narrow_format(format).is_none_or(|format| format.has(procedure));
    if !is_there && procedure.is_called_by_clients() {
        return Some(format!(
            "`{name}` is left out: the format has no subscriptions"
        ));
    }
    if !is_there {
        return Some(format!(
            "`{name}` is left out: the format has only what clients call"
        ));
    }
    let lists_alternatives = matches!(
        format,
        Rendering::Openapi | Rendering::Openrpc | Rendering::Openrpc126 | Rendering::Openrpc141
    );
    if lists_alternatives && Requirement::alternatives(&procedure.security).is_none() {
        return Some(format!(
            "the credentials of `{name}` are left out: they have too many combinations"
        ));
    }
    None
}

/// Returns the format as one that leaves something out, if it does.
fn narrow_format(format: Rendering) -> Option<NarrowFormat> {
    Some(match format {
        Rendering::Openrpc | Rendering::Openrpc126 | Rendering::Openrpc141 => NarrowFormat::OpenRpc,
        Rendering::Openapi => NarrowFormat::OpenApi,
        Rendering::V1_1 => NarrowFormat::JsonRpc11,
        Rendering::JsonSchema => NarrowFormat::JsonSchema,
        Rendering::Docent | Rendering::Markdown | Rendering::Text => return None,
    })
}

/// Returns a warning of all that the format has no place for, with the number of times.
fn left_out_line(service: &ServiceDescription, format: NarrowFormat) -> Option<String> {
    let left_out = left_out(service, format);
    let parts: Vec<String> = left_out
        .iter()
        .map(|(name, number)| format!("`{name}` ({number})"))
        .collect();
    let kept = match format {
        NarrowFormat::OpenRpc => "; only Docent reads the originals of schemas, in `x-schema`",
        _ => "",
    };
    let parts = parts.join(", ");
    (!parts.is_empty()).then(|| format!("the format has no place for {parts}{kept}"))
}

/// Returns the requested format, or else the one that suits the reader.
fn format(args: &DescribeArgs, terminal: Terminal) -> Rendering {
    let by_name = !args.names.is_empty();
    let is_for_people = by_name || terminal.is_terminal() && args.output.is_none();
    match args.format {
        Some(format) => format,
        None if is_for_people && !args.json => Rendering::Text,
        None => Rendering::Docent,
    }
}

/// Returns a description as an indented JSON document.
fn document(service: &ServiceDescription, format: Rendering) -> String {
    let document = match format {
        Rendering::Openrpc => openrpc(service, OpenRpcOptions::default()),
        Rendering::Openrpc126 => openrpc(service, OpenRpcVersion::V1_2_6),
        Rendering::Openrpc141 => openrpc(service, OpenRpcVersion::V1_4_1),
        Rendering::Openapi => openapi(service, OpenApiOptions::default()),
        Rendering::V1_1 => system_describe(service),
        Rendering::JsonSchema => json_schema(service),
        // The other formats are not JSON.
        Rendering::Docent | Rendering::Markdown | Rendering::Text => describe(service),
    };
    format!("{document:#}\n")
}

/// Writes the file. Its folder is not created: a mistyped one would hide the result.
fn write_to(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent()
        && !folder.as_os_str().is_empty()
        && !folder.exists()
    {
        return Err(Failure::system(format_args!(
            "{}: there is no folder {}; create it first",
            files::display_path(path),
            files::display_path(folder)
        )));
    }
    files::write_output(path, text.as_bytes())
}

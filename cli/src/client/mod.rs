//! `docent client`: writes a client for a service in TypeScript, Python or Rust.
//!
//! The parts of a client are decided once ([`build`]), independently of a language; each language
//! prints them. Code that is the same for every service is kept as source files next to the printers.
//!
//! All text of a description is untrusted: it reaches generated code only as a comment or a string
//! literal ([`text`]), and as an identifier made of ASCII letters, digits and `_` ([`names`]). The
//! names of the files are fixed.

mod build;
mod files;
mod folder;
mod model;
mod names;
mod python;
mod rust;
mod text;
mod types;
mod typescript;

use docent_describe::ServiceDescription;

use crate::args::{ClientArgs, Language};
use crate::failure::Failure;
use crate::http::Client;
use crate::input::Described;
use crate::terminal::{Terminal, count};
use files::Files;

pub(crate) fn run(args: &ClientArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let described = Described::new(&args.input, args.input.fetch(client, None)?)?;
    terminal.progress(described.summary());
    for warning in described.warnings() {
        terminal.warn(warning);
    }
    let files = files(&described.reading.description, args.language);
    if args.check {
        return folder::check(&args.output, &files);
    }
    folder::write(&args.output, &files, args.force)?;
    terminal.progress(format_args!(
        "{}: {}",
        args.output.display(),
        count(files.len(), "file")
    ));
    Ok(())
}

/// Returns the files of a client. The same description leads to the same bytes.
fn files(service: &ServiceDescription, language: Language) -> Files {
    let model = build::model(service);
    match language {
        Language::Typescript => typescript::files(&model),
        Language::Python => python::files(&model),
        Language::Rust => rust::files(&model),
    }
}

//! `docent client`: writes a client for a service in TypeScript, Python or Rust.

mod folder;

use docent_tools::client::{python, rust, typescript};

use crate::args::{ClientArgs, Language};
use crate::failure::Failure;
use crate::http::Client;
use crate::terminal::{Terminal, count};

pub(crate) fn run(args: &ClientArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let described = args.input.read(client)?;
    terminal.progress(described.summary());
    for warning in described.warnings() {
        terminal.warn(warning);
    }
    let write = match args.language {
        Language::Typescript => typescript,
        Language::Python => python,
        Language::Rust => rust,
    };
    let files = write(&described.reading.description);
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

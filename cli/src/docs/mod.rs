//! `docent docs`: builds the reference site of some services, or the catalogue of a folder.
//!
//! Descriptions go in, and a site comes out: as a folder, as a file, or on a local server that shows each change.
//!
//! ```text
//! docent docs library.json -o site                        a folder                        (folder.rs)
//! docent docs http://localhost:8080/rpc --watch           a server, built again on change (watch.rs, serve.rs)
//! docent docs --catalogue specs -o site                   every service of a folder, with its history in Git
//! ```
//!
//! Pages are made by `docent_docs_gen`. This command reads the inputs and the settings (`settings.rs`), reports what is
//! wrong with them, and writes. A build that fails changes nothing: files are moved to their places when all of them
//! are written. The page of changes compares versions with `docent_tools`, which a service that serves its own site
//! does not link; so `docs-gen` takes the comparison as a function (`changes.rs`).

mod catalogue;
mod changes;
mod folder;
mod history;
mod output;
mod serve;
mod settings;
mod site;
mod watch;

use std::mem;
use std::path::Path;
use std::time::Instant;

use docent_docs_gen::{Problem, Site};
use docent_tools::check::FindingKind;

use crate::args::DocsArgs;
use crate::check::deny;
use crate::failure::Failure;
use crate::files;
use crate::http::Client;
use crate::input::{Described, Fetched, Input, check_inputs};
use crate::terminal::{Terminal, count};
use output::SiteOutput;
use settings::Settings;

/// The maximum number of findings per input that are shown if they do not fail the command.
const MAX_SHOWN_WARNINGS: usize = 20;

/// Builds a site or a catalogue, and with --watch goes on until it is stopped.
pub(crate) fn run(args: &DocsArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    if let Some(folder) = &args.print_templates {
        return print_templates(folder, terminal);
    }
    check_inputs(&args.inputs, client)?;
    if args.watch && args.inputs.contains(&Input::Stdin) {
        return Err(Failure::usage("standard input cannot be watched"));
    }
    if let Some(folder) = &args.catalogue {
        return catalogue::run(args, folder, terminal);
    }
    let output = SiteOutput::new(args)?;
    // Report a port that is in use before anything is written.
    let listener = args.watch.then(|| serve::listen(args.port)).transpose()?;
    let start = Instant::now();
    let fetched = args.inputs.iter().map(|input| input.fetch(client, None));
    let (fetched, failures) = Failure::split(fetched);
    Failure::all(failures)?;
    // Only rebuilding needs the inputs again.
    let watched = listener.map(|listener| (listener, fetched.clone()));
    let site = build(args, fetched, terminal)?;
    output.write(&site, start, terminal)?;
    let Some((listener, fetched)) = watched else {
        // The process ends, and to free a large description piece by piece would take a while.
        mem::forget(site);
        return Ok(());
    };
    let watched = watch::Watched {
        args,
        client,
        output: &output,
        terminal,
    };
    watch::run(&watched, fetched, site, listener)
}

/// Builds the site from the inputs and reports findings.
fn build(args: &DocsArgs, fetched: Vec<Fetched>, terminal: Terminal) -> Result<Site, Failure> {
    let described = args
        .inputs
        .iter()
        .zip(fetched)
        .map(|(input, fetched)| Described::new(input, fetched));
    let (described, failures) = Failure::split(described);
    Failure::all(failures)?;
    for described in &described {
        terminal.progress(described.summary());
    }
    deny(&described, &args.deny, terminal)?;
    for described in &described {
        show_some(described, terminal);
    }
    let site = site::site(Settings::new(args)?, described)?;
    warn_of_site(&site, &args.deny, terminal)?;
    Ok(site)
}

/// Prints the warnings about a site, and fails if warnings are denied and there are some.
fn warn_of_site(site: &Site, denied: &[FindingKind], terminal: Terminal) -> Result<(), Failure> {
    let warnings = site.warnings();
    terminal.warn_all(warnings.iter().map(Problem::to_string));
    if warnings.is_empty() || !denied.contains(&FindingKind::Warnings) {
        return Ok(());
    }
    Err(Failure::negative(count(warnings.len(), "warning")))
}

/// Writes the built-in templates. An existing file is never overwritten, since a user may have edited
/// it.
fn print_templates(folder: &Path, terminal: Terminal) -> Result<(), Failure> {
    let mut templates = Vec::new();
    for (name, source) in docent_docs_gen::templates() {
        let path = folder.join(format!("{name}.hbs"));
        if path.exists() {
            return Err(Failure::usage(format_args!(
                "{} exists; choose an empty folder",
                path.display()
            )));
        }
        templates.push((path, source));
    }
    files::refuse_link(folder)?;
    files::create_folder(folder).map_err(|error| files::failed(folder, &error))?;
    for (path, source) in &templates {
        files::replace(path, source.as_bytes()).map_err(|error| files::failed(path, &error))?;
    }
    terminal.progress(format_args!(
        "{}: {}",
        folder.display(),
        count(templates.len(), "template")
    ));
    Ok(())
}

/// Prints the warnings about procedures that were left out and the first of the others, and says how to list the
/// rest.
fn show_some(described: &Described, terminal: Terminal) {
    terminal.warn_all(described.left_out());
    let others = described.warnings_of_rest();
    let more = others.len().saturating_sub(MAX_SHOWN_WARNINGS);
    terminal.warn_all(others.into_iter().take(MAX_SHOWN_WARNINGS));
    if more > 0 {
        let display_name = &described.display_name;
        terminal.warn(format_args!(
            "{display_name}: {more} more; `docent check` lists all"
        ));
    }
}

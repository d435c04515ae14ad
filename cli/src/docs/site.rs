//! Builds a site from descriptions.

use std::io::{self, Write};
use std::sync::Arc;

use docent_describe::ServiceDescription;
use docent_describe::render::{self, OpenRpcOptions};
use docent_docs_gen::{Site, SiteBuilder};
use docent_tools::read::Format;

use super::changes::changes;
use super::settings::Settings;
use crate::failure::Failure;
use crate::input::Described;

/// Plans the site of all descriptions.
pub(super) fn site(settings: Settings, described: Vec<Described>) -> Result<Site, Failure> {
    let mut builder: Option<SiteBuilder> = None;
    for described in described {
        let format = described.reading.format;
        // A description in its original format is offered unchanged, because its author knows best what
        // it should say. In any other format, it is rendered when the file is written.
        let (reading, given) = described.into_parts();
        let description = Arc::new(reading.description);
        let with_service = match builder {
            None => Site::builder(Arc::clone(&description)),
            Some(builder) => builder.and(Arc::clone(&description)),
        };
        builder = Some(match format {
            Format::Docent => with_service
                .description_json(move |out| out.write_all(given.as_bytes()))
                .openrpc_json(move |out| openrpc(&description, out)),
            Format::OpenRpc => with_service
                .description_json(move |out| describe(&description, out))
                .openrpc_json(move |out| out.write_all(given.as_bytes())),
            _ => {
                let service = Arc::clone(&description);
                with_service
                    .description_json(move |out| describe(&service, out))
                    .openrpc_json(move |out| openrpc(&description, out))
            }
        });
    }
    let builder = builder.ok_or_else(|| Failure::usage("no input"))?;
    let builder = settings.apply(builder.changes(changes))?;
    builder.build().map_err(Failure::of_site)
}

/// Writes a description in Docent's format, indented.
fn describe(service: &ServiceDescription, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{:#}", render::describe(service))
}

/// Writes a description as an OpenRPC document, indented.
fn openrpc(service: &ServiceDescription, out: &mut dyn Write) -> io::Result<()> {
    let document = render::openrpc(service, OpenRpcOptions::default());
    writeln!(out, "{document:#}")
}

//! Builds a site from descriptions.

use std::fs;
use std::sync::Arc;

use docent_describe::json::Json;
use docent_describe::read::Format;
use docent_describe::render::{OpenRpcOptions, describe, openrpc};
use docent_docs_gen::{Site, SiteBuilder};

use crate::args::DocsArgs;
use crate::failure::{Failure, Kind};
use crate::input::Described;

/// Plans the site of all descriptions.
pub(super) fn site(args: &DocsArgs, described: Vec<Described>) -> Result<Site, Failure> {
    let mut builder: Option<SiteBuilder> = None;
    for described in described {
        let format = described.reading.format;
        // In its original format, a description is offered as it was given, because its author knows
        // best what it should say. In any other, it is rendered when the file is written.
        let given = match format {
            Format::Docent | Format::OpenRpc => described.document().as_bytes().to_vec(),
            _ => Vec::new(),
        };
        let description = Arc::new(described.reading.description);
        let with_service = match builder {
            None => Site::builder(Arc::clone(&description)),
            Some(builder) => builder.and(Arc::clone(&description)),
        };
        builder = Some(match format {
            Format::Docent => with_service
                .description_json(move || given.clone())
                .openrpc_json(move || text(&openrpc(&description, OpenRpcOptions::default()))),
            Format::OpenRpc => with_service
                .description_json(move || text(&describe(&description)))
                .openrpc_json(move || given.clone()),
            _ => {
                let service = Arc::clone(&description);
                with_service
                    .description_json(move || text(&describe(&service)))
                    .openrpc_json(move || text(&openrpc(&description, OpenRpcOptions::default())))
            }
        });
    }
    let mut builder = builder.ok_or_else(|| Failure::usage("no input"))?;
    if let Some(title) = &args.title {
        builder = builder.title(title);
    }
    if let Some(folder) = &args.templates {
        fs::read_dir(folder).map_err(|error| {
            Failure::system(format_args!("templates {}: {error}", folder.display()))
        })?;
        builder = builder.templates(folder);
    }
    builder.build().map_err(|problems| Failure {
        kind: Kind::Input,
        messages: problems.iter().map(ToString::to_string).collect(),
    })
}

/// A rendering as a file, indented.
fn text(rendering: &Json) -> Vec<u8> {
    format!("{rendering:#}\n").into_bytes()
}

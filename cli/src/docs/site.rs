//! Builds a site from descriptions.

use std::fs;

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
        let downloads = Downloads::of(&described);
        let description = described.reading.description;
        let with_service = match builder {
            None => Site::builder(description),
            Some(builder) => builder.and(description),
        };
        let with_downloads = with_service
            .description_json(move || downloads.description.clone())
            .openrpc_json(move || downloads.openrpc.clone());
        builder = Some(with_downloads);
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

/// The downloads that a site offers. In its original format, a description is offered as it was
/// given, because its author knows best what it should say.
struct Downloads {
    description: Vec<u8>,
    openrpc: Vec<u8>,
}

impl Downloads {
    fn of(described: &Described) -> Self {
        let service = &described.reading.description;
        let given = || described.document().as_bytes().to_vec();
        let format = described.reading.format;
        Self {
            description: match format {
                Format::Docent => given(),
                _ => format!("{:#}\n", describe(service)).into_bytes(),
            },
            openrpc: match format {
                Format::OpenRpc => given(),
                _ => format!("{:#}\n", openrpc(service, OpenRpcOptions::default())).into_bytes(),
            },
        }
    }
}

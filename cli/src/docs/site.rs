//! Builds a site from descriptions, with the texts that they were read from as downloads.
//!
//! A download in the format of its document is that document, because its author knows best what it says.

use std::sync::Arc;

use docent_describe::ServiceDescription;
use docent_describe::render::{self, DescriptionText, OpenRpcOptions};
use docent_docs_gen::{Download, Site, SiteBuilder};
use docent_tools::read::Format;

use super::changes::changes;
use super::settings::Settings;
use crate::failure::Failure;
use crate::input::Described;

/// Plans the site of all descriptions.
pub(super) fn site(settings: Settings, described: Vec<Described>) -> Result<Site, Failure> {
    let mut builder: Option<SiteBuilder> = None;
    for described in described {
        builder = Some(with_service(builder, described.into()));
    }
    let builder = builder.ok_or_else(|| Failure::usage("no input"))?;
    settings
        .apply(builder.changes(changes))?
        .build()
        .map_err(Failure::of_site)
}

/// A description, and the text that it was read from.
pub(super) struct Content {
    pub(super) description: Arc<ServiceDescription>,
    /// The format of the text, which is the download in this format.
    format: Format,
    text: String,
}

impl From<Described> for Content {
    fn from(described: Described) -> Self {
        let (reading, text) = described.into_parts();
        Self {
            description: Arc::new(reading.description),
            format: reading.format,
            text,
        }
    }
}

/// Adds a service to a site, with the text that it was read from. A description in its original format
/// is offered unchanged, because its author knows best what it should say.
pub(super) fn with_service(builder: Option<SiteBuilder>, content: Content) -> SiteBuilder {
    let described = content.description;
    let with_service = match builder {
        None => Site::builder(Arc::clone(&described)),
        Some(builder) => builder.and(Arc::clone(&described)),
    };
    let as_openrpc = Arc::clone(&described);
    let rendered = with_service
        .download(Download::Description, move |out| {
            serde_json::to_writer_pretty(&mut *out, &DescriptionText(&described))?;
            writeln!(out)
        })
        .download(Download::OpenRpc, move |out| {
            let document = render::openrpc(&as_openrpc, OpenRpcOptions::default());
            writeln!(out, "{document:#}")
        });
    let own = match content.format {
        Format::Docent => Download::Description,
        Format::OpenRpc => Download::OpenRpc,
        _ => return rendered,
    };
    rendered.download(own, move |out| out.write_all(content.text.as_bytes()))
}

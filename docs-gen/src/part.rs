//! The parts of a site that are built one after the other, so that a catalogue of many services never
//! has to fit in memory.
//!
//! These are only their data. `catalogue` fills them, and `site` and `view` ask which part of a catalogue a site is:
//!
//! ```text
//! SitePart::Whole             a site that is built at once
//! SitePart::Service           library/…, with its versions
//! SitePart::CatalogueFront    index.html, changes.html, guide/…, assets/…
//! ```

use std::sync::Arc;

use docent_describe::ServiceDescription;

use crate::service::SiteService;

/// The part of a site that is built at once.
#[derive(Debug)]
pub(crate) enum SitePart {
    /// All of it.
    Whole,
    /// One service of a catalogue with its versions, in this folder.
    Service(String),
    /// The pages of a catalogue that belong to no service.
    CatalogueFront(CatalogueFront),
}

/// A file that only a catalogue has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CatalogueFile {
    /// The changes of all services.
    Updates,
    /// The same as Markdown.
    UpdatesMarkdown,
    /// The changes as an Atom feed.
    Feed,
    /// The list of all services (RFC 9727).
    ApiCatalog,
}

/// The services of a catalogue and their changes, as its front lists them.
#[derive(Debug, Default)]
pub(crate) struct CatalogueFront {
    /// The services, in the order in which they were added.
    pub(crate) cards: Vec<ServiceCard>,
    /// The changes, the newest first.
    pub(crate) updates: Vec<Update>,
    /// The number of older changes, which are not listed.
    pub(crate) older: usize,
    /// The lines of the services in the search index.
    pub(crate) index: String,
}

impl CatalogueFront {
    /// Returns the files that only a catalogue has, with their paths.
    pub(crate) fn files(&self) -> Vec<(&'static str, CatalogueFile)> {
        let mut files = vec![(".well-known/api-catalog", CatalogueFile::ApiCatalog)];
        if !self.updates.is_empty() {
            files.push(("changes.html", CatalogueFile::Updates));
            files.push(("changes.md", CatalogueFile::UpdatesMarkdown));
        }
        if self.has_feed() {
            files.push(("changes.atom", CatalogueFile::Feed));
        }
        files
    }

    /// Returns whether any change has a date. A feed needs one.
    pub(crate) fn has_feed(&self) -> bool {
        self.updates.iter().any(|update| update.date.is_some())
    }
}

/// A service in a list of services.
#[derive(Debug, Clone)]
pub(crate) struct ServiceCard {
    /// The description, for a catalogue without procedures and types.
    pub(crate) description: Arc<ServiceDescription>,
    /// The name, with the version if the site has several services of that name.
    pub(crate) label: String,
    /// The folder with its slash.
    pub(crate) folder: String,
    /// The number of its procedures.
    pub(crate) procedures: usize,
    /// The day on which its version was published.
    pub(crate) date: Option<String>,
    /// True if there is a newer version.
    pub(crate) is_older: bool,
    /// The detail that distinguishes it from others of the same name.
    pub(crate) detail: Option<String>,
}

impl ServiceCard {
    /// Creates the card of a service.
    pub(crate) fn new(service: &SiteService) -> Self {
        let description = &service.options.description;
        Self {
            label: service.label.clone(),
            folder: service.plan.prefix.clone(),
            procedures: description.procs.len(),
            date: service.options.date.clone(),
            is_older: service.version.newest.is_some(),
            detail: service.detail.clone(),
            description: Arc::clone(description),
        }
    }

    /// Returns the card without what takes up memory.
    #[cfg(feature = "publish")]
    pub(crate) fn light(self) -> Self {
        let full = &self.description;
        let mut description = ServiceDescription::new(full.name.clone(), full.id.clone());
        description.version.clone_from(&full.version);
        description.summary.clone_from(&full.summary);
        description.address.clone_from(&full.address);
        description.origin = full.origin;
        Self {
            label: full.name.clone(),
            description: Arc::new(description),
            ..self
        }
    }
}

/// A change of a service of a catalogue.
#[derive(Debug)]
pub(crate) struct Update {
    /// The moment in UTC (RFC 3339), or `None` for the files as they are.
    pub(crate) date: Option<String>,
    /// The index of the service's card.
    pub(crate) card: usize,
    /// The version before the change.
    pub(crate) before: Option<String>,
    /// The version after it.
    pub(crate) version: Option<String>,
    /// The path of this version's page of changes, if it has one.
    pub(crate) changes: Option<String>,
    /// True if the catalogue did not have the service before.
    pub(crate) is_new: bool,
    /// The numbers of breaking, risky and safe changes.
    pub(crate) counts: [usize; 3],
    /// The first of them, in sentences.
    pub(crate) sentences: Vec<String>,
}

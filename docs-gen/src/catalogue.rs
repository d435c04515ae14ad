//! A catalogue of many services. Each service is a site of its own that is built, written and dropped before the next
//! one. The catalogue keeps only what its front lists of the service: a card, the lines of the search, and its changes.
//!
//! ```text
//! add(library)  →  the site of library/         write it, and drop it
//! add(museum)   →  the site of museum/          write it, and drop it
//! front()       →  index.html, changes.html, …  write it
//! ```
//!
//! So the memory that a catalogue takes grows only with the number of its services. A site of a few services does not
//! need this: [`SiteBuilder::and`](crate::SiteBuilder::and) puts them into one [`Site`]. The command reads the services
//! and their history from a folder (`cli/src/docs/`).

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use docent_describe::ServiceDescription;

use crate::changes::VersionChanges;
use crate::options::{SiteBuilder, build};
use crate::part::{CatalogueFront, ServiceCard, SitePart, Update};
use crate::plan::PageTarget;
use crate::problem::Problem;
use crate::search;
use crate::service::{ServiceOptions, SiteService, without};
use crate::site::{Site, SiteFrame};
use crate::slug::Slugs;

/// The names next to the folders of services, which none of these folders can have.
const RESERVED_FOLDERS: [&str; 3] = ["assets", "guide", "changes"];

/// The maximum number of sentences that an update keeps of its changes.
const MAX_SENTENCES: usize = 5;

/// A catalogue of services, built one service after the other. All files of its sites go into one
/// folder.
///
/// ```
/// use docent::describe::ServiceDescription;
/// use docent::docs_gen::{Catalogue, Site};
///
/// let mut catalogue = Catalogue::builder().title("Town").catalogue()?;
/// for name in ["library", "museum"] {
///     let service = ServiceDescription::new(name, format!("urn:example:{name}"));
///     let site = catalogue.add(Site::builder(service), &[])?;
///     assert!(site.page(&format!("{name}/index.html")).is_some());
/// }
/// let front = catalogue.front(0)?;
/// assert!(String::from_utf8_lossy(&front.page("index.html").unwrap().bytes).contains("museum"));
/// # Ok::<(), Vec<docent::docs_gen::Problem>>(())
/// ```
#[derive(Debug)]
pub struct Catalogue {
    /// The options that all services share.
    frame: SiteFrame,
    /// The names of folders that are taken.
    slugs: Slugs,
    /// The services and updates so far.
    front: CatalogueFront,
}

/// A change of a service of a [`Catalogue`].
#[derive(Debug, Clone)]
pub struct CatalogueUpdate {
    /// The moment of the change in UTC, such as `2026-11-25T23:00:00Z`; `None` for a change that is
    /// not published yet.
    pub date: Option<String>,
    /// The description before the change, or `None` for a new service.
    pub before: Option<Arc<ServiceDescription>>,
    /// The description after the change.
    pub after: Arc<ServiceDescription>,
}

impl Catalogue {
    /// Starts the options of a catalogue, which apply to all its services.
    pub fn builder() -> SiteBuilder {
        SiteBuilder::new()
    }

    /// Plans the site of the next service from its versions, the newest last. Only the options of the builder
    /// that are about its services count. `updates` are the changes for the catalogue's page of changes.
    ///
    /// # Errors
    /// All options of the services that cannot be used.
    pub fn add(
        &mut self,
        versions: SiteBuilder,
        updates: &[CatalogueUpdate],
    ) -> Result<Site, Vec<Problem>> {
        let services = versions.into_services();
        let name = services
            .last()
            .map_or("", |newest| &newest.description.name);
        let part = SitePart::Service(self.slugs.assign(name));
        let site = build(self.frame.clone(), services, part, Vec::new())?;
        let Some(newest) = site.services.last() else {
            return Ok(site);
        };
        self.front.index += &search::brief(&site, newest);
        let card = self.front.cards.len();
        self.front.cards.push(ServiceCard::new(newest).light());
        for update in updates {
            self.front.updates.extend(self.update(update, card, &site));
        }
        Ok(site)
    }

    /// Returns the pages that belong to no service: the list of services, their changes, guides, the search
    /// index and the rest. `older` is the number of changes that are not among the [updates](Self::add).
    ///
    /// # Errors
    /// The failures of replaced templates.
    pub fn front(self, older: usize) -> Result<Site, Vec<Problem>> {
        let Self {
            frame, mut front, ..
        } = self;
        front.older = older;
        let mut cards_by_label: HashMap<String, usize> = HashMap::new();
        for card in &front.cards {
            *cards_by_label.entry(card.label.clone()).or_default() += 1;
        }
        for card in &mut front.cards {
            if cards_by_label[&card.label] > 1 {
                card.detail = Some(card.folder.trim_end_matches('/').to_owned());
            }
        }
        front.updates.sort_by(newest_first);
        build_front(frame, front, Vec::new())
    }

    /// Returns a description without the procedures that the catalogue hides.
    fn visible(&self, description: &Arc<ServiceDescription>) -> Arc<ServiceDescription> {
        match without(description, &self.frame.hidden_tags) {
            Some(visible) => Arc::new(visible),
            None => Arc::clone(description),
        }
    }

    /// Returns a change as the front lists it, unless it changes nothing that is visible.
    fn update(&self, update: &CatalogueUpdate, card: usize, site: &Site) -> Option<Update> {
        let before = update.before.as_ref().map(|before| self.visible(before));
        let after = self.visible(&update.after);
        if before.as_ref() == Some(&after) {
            return None;
        }
        let mut changes = VersionChanges::default();
        if let (Some(before), Some(compare)) = (&before, self.frame.compare) {
            changes = compare(before, &after, &|key| {
                site.strings.find(key).map(str::to_owned)
            });
        }
        let by_effect = [changes.breaking, changes.risky, changes.safe];
        let newest_of_version = site.services.iter().rev().find(|service| {
            service.plan.has_changes && service.options.description.version == after.version
        });
        let sentences = by_effect
            .iter()
            .flatten()
            .take(MAX_SENTENCES)
            .map(|change| change.sentence.clone())
            .collect();
        Some(Update {
            date: update.date.clone(),
            card,
            is_new: before.is_none(),
            before: before.and_then(|before| before.version.clone()),
            version: after.version.clone(),
            changes: newest_of_version.map(changes_page),
            counts: by_effect.each_ref().map(Vec::len),
            sentences,
        })
    }
}

impl SiteBuilder {
    /// Starts a [`Catalogue`] with these options. Services of this builder are left out.
    ///
    /// # Errors
    /// All options that cannot be used.
    pub fn catalogue(mut self) -> Result<Catalogue, Vec<Problem>> {
        let (frame, problems) = self.frame();
        build_front(frame.clone(), CatalogueFront::default(), problems)?;
        Ok(Catalogue {
            frame,
            slugs: Slugs::reserving(&RESERVED_FOLDERS),
            front: CatalogueFront::default(),
        })
    }
}

/// Orders updates from the newest on. Those without a date are not published yet, so they are newer
/// than all others.
fn newest_first(a: &Update, b: &Update) -> Ordering {
    a.date
        .is_some()
        .cmp(&b.date.is_some())
        .then_with(|| b.date.cmp(&a.date))
        .then(a.card.cmp(&b.card))
}

/// Returns the path of a version's page of changes.
fn changes_page(service: &SiteService) -> String {
    let plan = &service.plan;
    format!("{}{}.html", plan.prefix, plan.stem(PageTarget::Changes))
}

/// Plans the front. Its guides need a service to link from, so it has one without procedures.
fn build_front(
    frame: SiteFrame,
    front: CatalogueFront,
    problems: Vec<Problem>,
) -> Result<Site, Vec<Problem>> {
    build(
        frame,
        vec![ServiceOptions::default()],
        SitePart::CatalogueFront(front),
        problems,
    )
}

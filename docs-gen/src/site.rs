//! The site: planned once, rendered page by page.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::assets::{Asset, INDEX};
use crate::guides::Guide;
use crate::images::Image;
use crate::plan::Target;
use crate::publish::{self, Base};
use crate::service::Service;
use crate::strings::Strings;
use crate::templates::Templates;
use crate::text::shown_name;
use crate::versions;

/// A file of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The path: relative, with `/` between folders and otherwise only `A–Z a–z 0–9 . _ - ~`.
    pub path: String,
    /// The content.
    pub bytes: Vec<u8>,
    /// The media type.
    pub content_type: &'static str,
}

/// The content of a path. The numbers are indices, such as those of services and assets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    Catalogue,
    CatalogueTwin,
    CatalogueText,
    Page(usize, Target),
    Twin(usize, Target),
    Text(usize),
    Description(usize),
    OpenRpc(usize),
    Index,
    Asset(usize),
    Image(usize),
    Sitemap(usize),
    Robots,
    Missing,
    Guide(usize),
    GuideTwin(usize),
}

/// The appearance of a site.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) title: Option<String>,
    pub(crate) language: (String, &'static str),
    /// The footer, as Markdown.
    pub(crate) footer: Option<String>,
    pub(crate) logo: Option<Image>,
    pub(crate) favicon: Option<Image>,
    pub(crate) base: Option<Base>,
    pub(crate) is_live: bool,
    /// True if the addresses of pages have no extension.
    pub(crate) is_clean: bool,
}

impl Look {
    pub(crate) fn images(&self) -> impl Iterator<Item = &Image> {
        self.logo.iter().chain(&self.favicon)
    }
}

/// A reference site. Create one with [`Site::builder`].
#[derive(Debug)]
pub struct Site {
    pub(crate) services: Vec<Service>,
    pub(crate) title: String,
    pub(crate) look: Look,
    pub(crate) guides: Vec<Guide>,
    /// True if the addresses of pages have no extension.
    pub(crate) is_clean: bool,
    pub(crate) strings: Arc<Strings>,
    pub(crate) templates: Templates,
    pub(crate) assets: Vec<Asset>,
    pub(crate) entries: Vec<(String, Source)>,
    pub(crate) by_path: HashMap<String, usize>,
    pub(crate) index: OnceLock<String>,
}

impl Site {
    pub(crate) fn new(
        mut services: Vec<Service>,
        look: Look,
        guides: Vec<Guide>,
        strings: Arc<Strings>,
        templates: Templates,
        assets: Vec<Asset>,
    ) -> Self {
        versions::relate(&mut services);
        for service in &mut services {
            service.plan.guides = guides.iter().map(|guide| guide.slug.clone()).collect();
        }
        let title = look
            .title
            .clone()
            .unwrap_or_else(|| match services.as_slice() {
                [only] => shown_name(&only.options.description.name),
                [first, ..] if first.version.all.len() == services.len() => {
                    let newest = first.version.newest.map_or(first, |at| &services[at]);
                    shown_name(&newest.options.description.name)
                }
                _ => strings.get("catalogue").to_owned(),
            });
        let entries = entries(&services, &guides, &assets, &look);
        let by_path = entries
            .iter()
            .enumerate()
            .map(|(index, (path, _))| (path.clone(), index))
            .collect();
        Self {
            services,
            title,
            is_clean: look.is_clean,
            guides,
            look,
            strings,
            templates,
            assets,
            entries,
            by_path,
            index: OnceLock::new(),
        }
    }

    pub(crate) fn is_catalogue(&self) -> bool {
        self.services.len() > 1
    }

    /// Returns whether all services are versions of one.
    pub(crate) fn is_of_versions(&self) -> bool {
        self.is_catalogue() && self.services[0].version.all.len() == self.services.len()
    }

    /// Returns the key of the text for the list of services.
    pub(crate) fn list_key(&self) -> &'static str {
        if self.is_of_versions() {
            "versions"
        } else {
            "catalogue"
        }
    }

    /// Returns the service that guides are about: the first one, in its newest version.
    pub(crate) fn lead(&self) -> &Service {
        &self.services[self.lead_index()]
    }

    pub(crate) fn lead_index(&self) -> usize {
        // A builder starts with a service, so there is one.
        self.services[0].version.newest.unwrap_or(0)
    }

    /// Returns the services in a sensible order for readers: in one list, older versions come last,
    /// and of the versions of one service, the newest comes first.
    pub(crate) fn ordered(&self) -> Vec<&Service> {
        if self.is_of_versions() {
            let all = self.services[0].version.all.iter().rev();
            return all.map(|&at| &self.services[at]).collect();
        }
        let is_older = |service: &&Service| service.version.newest.is_some();
        let newest = self.services.iter().filter(|it| !is_older(it));
        newest
            .chain(self.services.iter().filter(is_older))
            .collect()
    }

    /// Returns the paths of all files, in the order of [`pages`](Self::pages).
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.iter().map(|(path, _)| path.as_str())
    }

    /// Returns the address of a procedure's page relative to the site, by name. In a catalogue, it is
    /// that of the first service with a procedure of this name.
    pub fn help_for(&self, procedure: &str) -> Option<String> {
        self.services.iter().find_map(|service| {
            let &index = service.plan.names.get(procedure)?;
            Some(self.address(service, Target::Procedure(index)))
        })
    }

    /// Returns the address of a shared type's page relative to the site, by name. In a catalogue, it
    /// is that of the first service with a type of this name.
    pub fn type_page(&self, name: &str) -> Option<String> {
        self.services.iter().find_map(|service| {
            let index = service.plan.types.get_index_of(name)?;
            Some(self.address(service, Target::Type(index)))
        })
    }

    fn address(&self, service: &Service, target: Target) -> String {
        let path = format!("{}{}.html", service.plan.prefix, service.plan.stem(target));
        publish::address(self.is_clean, &path)
    }

    /// Returns whether the content of a file can never change, because its name would change with it.
    /// Caches can keep it forever.
    pub fn is_immutable(&self, path: &str) -> bool {
        let source = self.by_path.get(path).map(|&at| self.entries[at].1);
        matches!(source, Some(Source::Asset(_) | Source::Image(_)))
    }

    /// Returns the address of a page, relative to the requested path, if that path is the name of its
    /// file on a site with [clean addresses](crate::SiteBuilder::clean_addresses).
    pub fn redirect(&self, path: &str) -> Option<String> {
        path.strip_suffix(".html")
            .filter(|_| self.is_clean && self.by_path.contains_key(path))?;
        let name = path.rsplit('/').next().unwrap_or(path);
        Some(publish::address(true, name))
    }
}

fn entries(
    services: &[Service],
    guides: &[Guide],
    assets: &[Asset],
    look: &Look,
) -> Vec<(String, Source)> {
    let mut entries = Vec::new();
    if services.len() > 1 {
        entries.push(("index.html".to_owned(), Source::Catalogue));
        entries.push(("index.md".to_owned(), Source::CatalogueTwin));
        entries.push(("llms.txt".to_owned(), Source::CatalogueText));
    }
    for (at, service) in services.iter().enumerate() {
        let prefix = &service.plan.prefix;
        for target in service.plan.targets() {
            let stem = service.plan.stem(target);
            entries.push((format!("{prefix}{stem}.html"), Source::Page(at, target)));
            entries.push((format!("{prefix}{stem}.md"), Source::Twin(at, target)));
        }
        entries.push((format!("{prefix}llms.txt"), Source::Text(at)));
        entries.push((format!("{prefix}description.json"), Source::Description(at)));
        entries.push((format!("{prefix}openrpc.json"), Source::OpenRpc(at)));
    }
    for (at, guide) in guides.iter().enumerate() {
        entries.push((format!("guide/{}.html", guide.slug), Source::Guide(at)));
        entries.push((format!("guide/{}.md", guide.slug), Source::GuideTwin(at)));
    }
    entries.push((INDEX.to_owned(), Source::Index));
    for (at, asset) in assets.iter().enumerate() {
        entries.push((asset.path.clone(), Source::Asset(at)));
    }
    for (at, image) in look.images().enumerate() {
        entries.push((image.path.clone(), Source::Image(at)));
    }
    if look.base.is_some() {
        let is_page = |(_, source): &&(String, Source)| {
            matches!(
                source,
                Source::Catalogue | Source::Page(..) | Source::Guide(_)
            )
        };
        let pages = entries.iter().filter(is_page).count();
        entries.push(("robots.txt".to_owned(), Source::Robots));
        entries.push(("sitemap.xml".to_owned(), Source::Sitemap(0)));
        let parts = 1..=Site::sitemaps(pages);
        entries.extend(parts.map(|part| (format!("sitemap-{part}.xml"), Source::Sitemap(part))));
    }
    if !look.is_live {
        entries.push(("404.html".to_owned(), Source::Missing));
    }
    entries
}

//! The site: planned once, rendered page by page.
//!
//! A [`Site`] has everything that pages are made from, and the list of its files with the source of
//! each. Files are rendered in `pages`, and written to a folder in `write`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use crate::appearance::Appearance;
use crate::assets::{Asset, INDEX_PATH};
#[cfg(feature = "publish")]
use crate::changes::CompareVersions;
use crate::guides::Guide;
use crate::links::{Links, Medium};
use crate::page_names::PageNames;
use crate::part::{CatalogueFile, CatalogueFront, ServiceCard, SitePart};
use crate::plan::PageTarget;
use crate::problem::Problem;
use crate::publish;
use crate::service::{DOWNLOAD_FILES, Download, SiteService};
use crate::strings::Strings;
use crate::templates::Templates;
use crate::text::display_name;

/// The path of the sitemap: of all pages or, for a catalogue, the index of the sitemaps of its parts.
pub(crate) const SITEMAP_PATH: &str = "sitemap.xml";

/// The path of the sitemap of a catalogue's own pages, which belong to no service.
pub(crate) const FRONT_SITEMAP_PATH: &str = "sitemap-front.xml";

/// A file of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The path: relative, with `/` between folders. Names consist of `A–Z a–z 0–9 . _ - ~`.
    pub path: String,
    /// The content.
    pub bytes: Vec<u8>,
    /// The media type.
    pub content_type: &'static str,
}

/// The content of a path. The numbers are indices, such as those of services and assets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PageSource {
    /// The list of services.
    Catalogue,
    /// The catalogue in Markdown, which is also its `llms.txt`.
    CatalogueMarkdown,
    /// A file that only a catalogue has.
    CatalogueFile(CatalogueFile),
    /// A page of a service.
    Page(usize, PageTarget),
    /// The Markdown page beside it.
    MarkdownPage(usize, PageTarget),
    /// The `llms.txt` of a service.
    LlmsText(usize),
    /// All Markdown pages of a service in one file.
    LlmsFullText(usize),
    /// The description of a service, to download.
    Download(usize, Download),
    /// The search index.
    SearchIndex,
    /// A style sheet or script.
    Asset(usize),
    /// An image that the author provides.
    Image(usize),
    /// The addresses of all pages.
    Sitemap,
    /// The sitemaps of a catalogue's parts.
    SitemapIndex,
    /// The `robots.txt`, which leads to the sitemap.
    Robots,
    /// The page for addresses that do not exist.
    Missing,
}

impl PageSource {
    /// Returns whether the file is a page for readers that search engines should find.
    pub(crate) fn is_page(self) -> bool {
        matches!(
            self,
            Self::Catalogue | Self::CatalogueFile(CatalogueFile::Updates) | Self::Page(..)
        )
    }
}

/// The appearance, texts and files that the parts of a site share.
#[derive(Debug, Clone)]
pub(crate) struct SiteFrame {
    pub(crate) appearance: Arc<Appearance>,
    pub(crate) guides: Arc<[Guide]>,
    pub(crate) strings: Arc<Strings>,
    pub(crate) templates: Arc<Templates>,
    pub(crate) assets: Arc<[Asset]>,
    pub(crate) hidden_tags: Arc<BTreeSet<String>>,
    /// Compares versions.
    #[cfg(feature = "publish")]
    pub(crate) compare: Option<CompareVersions>,
}

/// A reference site. Create one with [`Site::builder`].
#[derive(Debug)]
pub struct Site {
    /// The services of this part, with each version as a service of its own.
    pub(crate) services: Vec<SiteService>,
    /// The part of a larger site that this is.
    pub(crate) part: SitePart,
    pub(crate) title: String,
    pub(crate) appearance: Arc<Appearance>,
    pub(crate) guides: Arc<[Guide]>,
    pub(crate) strings: Arc<Strings>,
    pub(crate) templates: Arc<Templates>,
    pub(crate) assets: Arc<[Asset]>,
    /// The paths of all files, with the source of each.
    pub(crate) entries: IndexMap<String, PageSource>,
    /// Links of guides to files that are not on the site.
    pub(crate) warnings: Vec<Problem>,
    /// The names of the pages.
    page_names: OnceLock<PageNames>,
}

impl Site {
    /// Creates a site, with its title and the list of its files.
    pub(crate) fn new(services: Vec<SiteService>, part: SitePart, frame: SiteFrame) -> Self {
        let mut site = Self {
            title: String::new(),
            services,
            part,
            appearance: frame.appearance,
            guides: frame.guides,
            strings: frame.strings,
            templates: frame.templates,
            assets: frame.assets,
            entries: IndexMap::new(),
            warnings: Vec::new(),
            page_names: OnceLock::new(),
        };
        site.title = match &site.appearance.title {
            Some(title) => title.clone(),
            None if site.is_catalogue() && !site.is_of_versions() => {
                site.strings.get("catalogue").to_owned()
            }
            None => display_name(&site.lead().options.description.name),
        };
        site.entries = site.sources();
        site
    }

    /// Returns whether the site has a list of services, as one of several versions has too.
    pub(crate) fn is_catalogue(&self) -> bool {
        self.services.len() > 1 || !matches!(self.part, SitePart::Whole)
    }

    /// Returns whether all services are versions of one.
    pub(crate) fn is_of_versions(&self) -> bool {
        self.is_catalogue()
            && matches!(self.part, SitePart::Whole)
            && self.services[0].version.all.len() == self.services.len()
    }

    /// Returns the services and changes that the front of a catalogue lists, if this is one.
    pub(crate) fn front(&self) -> Option<&CatalogueFront> {
        match &self.part {
            SitePart::CatalogueFront(front) => Some(front),
            _ => None,
        }
    }

    /// Returns the services for their list.
    pub(crate) fn cards(&self) -> Cow<'_, [ServiceCard]> {
        match self.front() {
            Some(front) => Cow::Borrowed(&front.cards),
            None => Cow::Owned(self.listed().into_iter().map(ServiceCard::new).collect()),
        }
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
    pub(crate) fn lead(&self) -> &SiteService {
        &self.services[self.lead_index()]
    }

    /// Returns the position of the [lead](Self::lead).
    pub(crate) fn lead_index(&self) -> usize {
        // A builder starts with a service, so there is one.
        self.services[0].version.newest.unwrap_or(0)
    }

    /// Returns the services in the order of their list: the versions of one from the newest on.
    pub(crate) fn listed(&self) -> Vec<&SiteService> {
        if self.is_of_versions() {
            self.services[0]
                .version
                .all
                .iter()
                .rev()
                .map(|&at| &self.services[at])
                .collect()
        } else {
            self.services.iter().collect()
        }
    }

    /// Returns the services in a sensible order for the search: older versions come last.
    pub(crate) fn ordered(&self) -> Vec<&SiteService> {
        let mut services = self.listed();
        services.sort_by_key(|service| service.version.newest.is_some());
        services
    }

    /// Returns the names of the pages, which are found when they are first asked for.
    pub(crate) fn page_names(&self) -> &PageNames {
        self.page_names
            .get_or_init(|| PageNames::new(&self.services, &self.guides, self.lead_index()))
    }

    /// Returns the address of the front page, for a page from which `root` leads to the site's folder.
    pub(crate) fn home(&self, root: &str) -> String {
        publish::address_from(root, self.appearance.is_clean, "index.html")
    }

    /// Returns an asset by its name.
    pub(crate) fn asset(&self, name: &str) -> Option<&Asset> {
        self.assets.iter().find(|asset| asset.name == name)
    }

    /// Returns the parts of options that the site leaves out: links in guides to files that are not on the
    /// site. Only their text is there.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// Returns the paths of all files, in the order of [`pages`](Self::pages).
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Returns the address, relative to the site, of the page of the procedure with this name, or of the shared
    /// type if there is no such procedure. In a catalogue, the first service with either counts.
    pub fn page_of(&self, name: &str) -> Option<String> {
        self.services
            .iter()
            .find_map(|service| Links::new(&service.plan, Medium::Folder, None).to_name(name))
    }

    /// Returns whether caches can keep a file forever, because its name changes whenever its content does.
    pub fn is_immutable(&self, path: &str) -> bool {
        matches!(
            self.source(path),
            Some(PageSource::Asset(_) | PageSource::Image(_))
        )
    }

    /// Returns the source of the file at a path.
    pub(crate) fn source(&self, path: &str) -> Option<PageSource> {
        self.entries.get(path).copied()
    }

    /// Returns the address to redirect to, relative to the requested path, if that path is a page's file name
    /// on a site with [clean addresses](crate::SiteBuilder::clean_addresses).
    pub fn redirect(&self, path: &str) -> Option<String> {
        path.strip_suffix(".html")
            .filter(|_| self.appearance.is_clean && self.entries.contains_key(path))?;
        let file = path.rsplit('/').next().unwrap_or(path);
        Some(publish::address(true, file).to_owned())
    }

    /// Returns the paths of all files, with the source of each.
    fn sources(&self) -> IndexMap<String, PageSource> {
        let mut entries = IndexMap::new();
        if let SitePart::Service(folder) = &self.part {
            entries.insert(format!("{folder}/{INDEX_PATH}"), PageSource::SearchIndex);
            if self.appearance.base.is_some() {
                entries.insert(format!("{folder}/{SITEMAP_PATH}"), PageSource::Sitemap);
            }
        } else if self.is_catalogue() {
            entries.insert("index.html".to_owned(), PageSource::Catalogue);
            entries.insert("index.md".to_owned(), PageSource::CatalogueMarkdown);
            entries.insert("llms.txt".to_owned(), PageSource::CatalogueMarkdown);
        }
        match &self.part {
            SitePart::Service(_) => self.add_services(&mut entries),
            SitePart::CatalogueFront(front) => {
                for (path, file) in front.files() {
                    entries.insert(path.to_owned(), PageSource::CatalogueFile(file));
                }
                self.add_common_files(&mut entries);
            }
            SitePart::Whole => {
                self.add_services(&mut entries);
                self.add_common_files(&mut entries);
            }
        }
        entries
    }

    /// Adds the files of each service.
    fn add_services(&self, entries: &mut IndexMap<String, PageSource>) {
        for (at, service) in self.services.iter().enumerate() {
            let folder = &service.plan.prefix;
            for target in service.plan.targets() {
                let stem = service.plan.stem(target);
                entries.insert(format!("{folder}{stem}.html"), PageSource::Page(at, target));
                entries.insert(
                    format!("{folder}{stem}.md"),
                    PageSource::MarkdownPage(at, target),
                );
            }
            entries.insert(format!("{folder}llms.txt"), PageSource::LlmsText(at));
            entries.insert(
                format!("{folder}llms-full.txt"),
                PageSource::LlmsFullText(at),
            );
            let is_foreign = service.options.is_foreign();
            for (name, format) in DOWNLOAD_FILES {
                if !is_foreign || format != Download::OpenApi {
                    entries.insert(format!("{folder}{name}"), PageSource::Download(at, format));
                }
            }
        }
    }

    /// Adds the files that belong to no service: guides, assets, and files for search engines.
    fn add_common_files(&self, entries: &mut IndexMap<String, PageSource>) {
        let lead = self.lead_index();
        for (at, guide) in self.guides.iter().enumerate() {
            let target = PageTarget::Guide(at);
            let stem = format!("guide/{}", guide.slug);
            entries.insert(format!("{stem}.html"), PageSource::Page(lead, target));
            entries.insert(format!("{stem}.md"), PageSource::MarkdownPage(lead, target));
        }
        entries.insert(INDEX_PATH.to_owned(), PageSource::SearchIndex);
        for (at, asset) in self.assets.iter().enumerate() {
            entries.insert(asset.path.clone(), PageSource::Asset(at));
        }
        for (at, image) in self.appearance.images().enumerate() {
            entries.insert(image.path.clone(), PageSource::Image(at));
        }
        if self.appearance.base.is_some() {
            entries.insert("robots.txt".to_owned(), PageSource::Robots);
            if self.front().is_some() {
                entries.insert(SITEMAP_PATH.to_owned(), PageSource::SitemapIndex);
                entries.insert(FRONT_SITEMAP_PATH.to_owned(), PageSource::Sitemap);
            } else {
                entries.insert(SITEMAP_PATH.to_owned(), PageSource::Sitemap);
            }
        }
        if !self.appearance.is_live {
            entries.insert("404.html".to_owned(), PageSource::Missing);
        }
    }
}

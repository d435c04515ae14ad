//! Pages, each rendered when it is requested.

use std::collections::HashSet;
use std::mem;

use serde_json::Value;

use crate::discovery;
use crate::links::Medium;
use crate::markup::PageForm;
use crate::part::{CatalogueFile, Front};
use crate::plan::PageTarget;
use crate::problem::Problem;
use crate::publish::{self, content_type};
use crate::schema::SharedSchemas;
use crate::search;
use crate::service::SiteService;
use crate::site::{Page, PageSource, Site};
use crate::view::{self, PageScope};

/// The most addresses that a sitemap may have (sitemaps.org, "Sitemap file location").
const MOST_ADDRESSES: usize = 50_000;

impl Site {
    /// Returns all files. Each is rendered when it is requested.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = Page> + '_ {
        let shared = self.shared_schemas();
        let entries = self.entries.iter();
        entries.map(move |(path, source)| self.render(path, *source, &shared))
    }

    /// Returns the shared schemas of each service.
    pub(crate) fn shared_schemas(&self) -> Vec<SharedSchemas<'_>> {
        let services = self.services.iter();
        services.map(SiteService::shared_schemas).collect()
    }

    /// Returns the file at a path. `""` and the path of a folder return its `index.html`; with clean
    /// addresses, a page is found without its extension, too.
    pub fn page(&self, path: &str) -> Option<Page> {
        let path = match path {
            _ if self.entries.contains_key(path) => path.to_owned(),
            _ if path.is_empty() || path.ends_with('/') => format!("{path}index.html"),
            _ if self.look.is_clean => format!("{path}.html"),
            _ => return None,
        };
        let source = self.source(&path)?;
        Some(self.render(&path, source, &self.shared_schemas()))
    }

    /// Returns the page for addresses that do not exist, for a request this many folders below the
    /// site's own.
    pub fn not_found(&self, folders: usize) -> Page {
        let root = "../".repeat(folders);
        let page = self.shell(view::missing(self, &root));
        Self::file("404.html", page.into_bytes())
    }

    fn file(path: &str, bytes: Vec<u8>) -> Page {
        Page {
            path: path.to_owned(),
            bytes,
            content_type: content_type(path),
        }
    }

    pub(crate) fn render(
        &self,
        path: &str,
        source: PageSource,
        shared: &[SharedSchemas<'_>],
    ) -> Page {
        let scope = |service: usize, medium, target| {
            let shared = &shared[service];
            PageScope::new(self, &self.services[service], medium, target, shared)
        };
        let text = match source {
            PageSource::Catalogue => {
                let main = view::catalogue(self, PageForm::Html);
                self.shell(view::own_page(self, "index.html", &main))
            }
            PageSource::CatalogueTwin => view::catalogue(self, PageForm::Markdown).into_string(),
            PageSource::Page(service, target) => {
                let scope = scope(service, Medium::Folder, target);
                self.shell(view::shell(&scope, scope.content()))
            }
            PageSource::Twin(service, target) => {
                let scope = scope(service, Medium::Twins, target);
                scope.content().main.into_string()
            }
            PageSource::Text(service) => {
                let scope = scope(service, Medium::Twins, PageTarget::Overview);
                scope.everything().into_string()
            }
            PageSource::OfCatalogue(file) => {
                // Only a front has such files.
                let front = self.front();
                front.map_or_else(String::new, |front| self.of_catalogue(file, front))
            }
            PageSource::SitemapIndex => discovery::sitemap_index(self),
            PageSource::Index => search::script(&search::index(self, Medium::Folder)),
            PageSource::Sitemap => self.sitemap(),
            PageSource::Robots => {
                let sitemap = self.absolute("sitemap.xml").unwrap_or_default();
                format!("User-agent: *\nAllow: /\n\nSitemap: {sitemap}\n")
            }
            PageSource::Missing => {
                let root = self.look.base.as_ref().map_or("", |base| base.0.path());
                self.shell(view::missing(self, root))
            }
            PageSource::Asset(asset) => self.assets[asset].text.clone(),
            PageSource::Image(image) => {
                // The entries are made from the images.
                let image = self.look.images().nth(image);
                let bytes = image.map(|image| image.bytes.clone());
                return Self::file(path, bytes.unwrap_or_default());
            }
            PageSource::Download(service, file) => {
                let mut bytes = Vec::new();
                // Writing to memory does not fail.
                let _ = self.services[service].options.write(file, &mut bytes);
                return Self::file(path, bytes);
            }
        };
        Self::file(path, text.into_bytes())
    }

    fn of_catalogue(&self, file: CatalogueFile, front: &Front) -> String {
        match file {
            CatalogueFile::Updates => {
                let main = view::updates(self, front, PageForm::Html);
                self.shell(view::own_page(self, "changes.html", &main))
            }
            CatalogueFile::UpdatesTwin => {
                view::updates(self, front, PageForm::Markdown).into_string()
            }
            CatalogueFile::Feed => discovery::feed(self, front),
            CatalogueFile::ApiCatalog => discovery::api_catalog(self, front),
            CatalogueFile::Backstage => discovery::backstage(front),
            CatalogueFile::McpServers => discovery::mcp_servers(self, front),
        }
    }

    /// Returns the absolute address of a file, if that of the site is known.
    pub(crate) fn absolute(&self, path: &str) -> Option<String> {
        let base = self.look.base.as_ref()?;
        Some(base.address(self.look.is_clean, path))
    }

    /// Writes the sitemap. It has no dates, so that two builds are the same bytes.
    fn sitemap(&self) -> String {
        let is_page = |it: &PageSource| {
            use PageSource::{Catalogue, OfCatalogue, Page};
            matches!(
                it,
                Catalogue | OfCatalogue(CatalogueFile::Updates) | Page(..)
            )
        };
        let pages = self.entries.iter().filter(|(_, source)| is_page(source));
        let addresses = pages.take(MOST_ADDRESSES).map(|(path, _)| {
            let address = publish::xml(&self.absolute(path).unwrap_or_default());
            format!("<url><loc>{address}</loc></url>\n")
        });
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{}</urlset>\n",
            addresses.collect::<String>()
        )
    }

    pub(crate) fn shell(&self, shell: Value) -> String {
        let page = self.templates.render(PageForm::Html, "page", shell);
        page.into_string()
    }

    /// Renders the first page of each kind, and returns the failures of replaced templates.
    pub(crate) fn try_templates(&self) -> Vec<Problem> {
        if self.templates.are_replaced() {
            let shared = self.shared_schemas();
            let mut tried = HashSet::new();
            for (path, source) in &self.entries {
                let kind = match source {
                    PageSource::Page(at, target) => Some((*at, mem::discriminant(target))),
                    PageSource::Catalogue
                    | PageSource::OfCatalogue(CatalogueFile::Updates)
                    | PageSource::Missing => None,
                    _ => continue,
                };
                if kind.is_none_or(|kind| tried.insert(kind)) {
                    self.render(path, *source, &shared);
                }
            }
            self.not_found(0);
        }
        self.templates.failures()
    }
}

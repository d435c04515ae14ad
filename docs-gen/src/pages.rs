//! Pages, each rendered when it is requested.
//!
//! A `Renderer` makes one file after the other and keeps what they share: schemas that have been read, and the view of
//! the last page, whose Markdown often is next. `site` decides which files there are, and `view` what a page says. A
//! [`PageSource`] comes in, and a [`Page`] goes out: its path, its bytes and its content type.

use std::collections::HashSet;
use std::io::{self, Write};
use std::mem;

#[cfg(feature = "publish")]
use crate::discovery;
use crate::links::Medium;
use crate::markup::{Markup, PageFormat};
use crate::part::CatalogueFile;
#[cfg(feature = "publish")]
use crate::part::CatalogueFront;
use crate::plan::PageTarget;
use crate::problem::Problem;
use crate::publish::{self, content_type};
use crate::schema::{RUN_LENGTH, ServiceSchemas};
use crate::search;
use crate::service::SiteService;
use crate::site::{Page, PageSource, Site};
use crate::view::{self, PageScope, PageView, Shell};

/// The maximum number of addresses in a sitemap (sitemaps.org, "Sitemap file location").
const MAX_ADDRESSES: usize = 50_000;

/// Renders files that share schemas and views.
pub(crate) struct Renderer<'a> {
    site: &'a Site,
    /// The schemas of each service.
    schemas: &'a [ServiceSchemas<'a>],
    /// The last page, whose Markdown often is next.
    last: Option<LastView<'a>>,
}

/// The view of the page that was rendered last.
struct LastView<'a> {
    service: usize,
    target: PageTarget,
    view: PageView<'a>,
}

impl Site {
    /// Returns all files. They are rendered in small groups, as they are requested.
    pub fn pages(&self) -> impl Iterator<Item = Page> + '_ {
        (0..self.entries.len())
            .step_by(RUN_LENGTH)
            .flat_map(|start| self.render_run(start))
    }

    /// Renders a run of files, and drops afterwards the schemas that they have shared.
    fn render_run(&self, start: usize) -> Vec<Page> {
        let schemas = self.schemas();
        let mut renderer = Renderer::new(self, &schemas);
        self.entries
            .iter()
            .skip(start)
            .take(RUN_LENGTH)
            .map(|(path, source)| renderer.render(path, *source))
            .collect()
    }

    /// Renders a single file.
    fn render(&self, path: &str, source: PageSource) -> Page {
        let schemas = self.schemas();
        Renderer::new(self, &schemas).render(path, source)
    }

    /// Begins with the schemas of each service.
    pub(crate) fn schemas(&self) -> Vec<ServiceSchemas<'_>> {
        self.services.iter().map(SiteService::schemas).collect()
    }

    /// Returns the file at a path. `""` and the path of a folder return its `index.html`; with clean
    /// addresses, a page is found without its extension, too.
    pub fn page(&self, path: &str) -> Option<Page> {
        let path = match path {
            _ if self.entries.contains_key(path) => path.to_owned(),
            _ if path.is_empty() || path.ends_with('/') => format!("{path}index.html"),
            _ if self.appearance.is_clean => format!("{path}.html"),
            _ => return None,
        };
        let source = self.source(&path)?;
        Some(self.render(&path, source))
    }

    /// Returns the page for an address that does not exist: `path`, from the site's folder. It links to pages with
    /// similar names.
    pub fn not_found(&self, path: &str) -> Page {
        let root = "../".repeat(path.matches('/').count());
        let page = self.shell(&view::missing(self, &root, Some(path)));
        Self::file("404.html", page.into_bytes())
    }

    /// Returns `llms.txt` for an address outside of the site. `root` leads from there to the site's folder,
    /// such as `docs/`.
    pub fn llms_text(&self, root: &str) -> Page {
        let schemas = self.schemas();
        let text = if self.is_catalogue() {
            view::catalogue(self, PageFormat::Markdown, root)
        } else {
            Renderer::new(self, &schemas).list_of_pages(0, root)
        };
        Self::file("llms.txt", text.into_string().into_bytes())
    }

    /// Creates a file from its content.
    fn file(path: &str, bytes: Vec<u8>) -> Page {
        Page {
            path: path.to_owned(),
            bytes,
            content_type: content_type(path),
        }
    }

    /// Renders a file that only a catalogue has.
    #[cfg(feature = "publish")]
    fn catalogue_file(&self, file: CatalogueFile, front: &CatalogueFront) -> String {
        match file {
            CatalogueFile::Updates => self.shell(&view::site_page(
                self,
                "changes.html",
                view::updates(self, front, PageFormat::Html),
            )),
            CatalogueFile::UpdatesMarkdown => {
                view::updates(self, front, PageFormat::Markdown).into_string()
            }
            CatalogueFile::Feed => discovery::feed(self, front),
            CatalogueFile::ApiCatalog => discovery::api_catalog(self, front),
        }
    }

    /// Writes a file that may be too large for memory: a description, or all Markdown pages. Others have no content
    /// here.
    pub(crate) fn write_large(&self, source: PageSource, out: &mut dyn Write) -> io::Result<()> {
        match source {
            PageSource::Download(service, file) => self.services[service].options.write(file, out),
            PageSource::LlmsFullText(service) => {
                view::write_all_pages(self, &self.services[service], out)
            }
            _ => Ok(()),
        }
    }

    /// Returns the absolute address of a file, if that of the site is known.
    pub(crate) fn absolute(&self, path: &str) -> Option<String> {
        let base = self.appearance.base.as_ref()?;
        Some(base.address(self.appearance.is_clean, path))
    }

    /// Returns the absolute address of a file or, without a base URL, the one from a file from which `up`
    /// leads to the site's folder.
    pub(crate) fn address_from(&self, up: &str, path: &str) -> String {
        self.absolute(path)
            .unwrap_or_else(|| publish::address_from(up, self.appearance.is_clean, path))
    }

    /// Writes the sitemap. It has no dates, so that two builds are the same bytes.
    fn sitemap(&self) -> String {
        let addresses = self
            .entries
            .iter()
            .filter(|(_, source)| source.is_page())
            .take(MAX_ADDRESSES)
            .map(|(path, _)| self.address_from("", path));
        publish::sitemap("urlset", "url", addresses)
    }

    /// Renders the template `page`, which puts the main part of a page into its surroundings.
    pub(crate) fn shell(&self, shell: &Shell<'_>) -> String {
        self.templates.render(PageFormat::Html, shell).into_string()
    }

    /// Renders the first page of each kind, and returns the failures of replaced templates.
    pub(crate) fn try_templates(&self) -> Vec<Problem> {
        if self.templates.are_replaced() {
            let mut tried = HashSet::new();
            for (path, source) in &self.entries {
                let kind = match source {
                    PageSource::Page(at, target) => Some((*at, mem::discriminant(target))),
                    PageSource::Catalogue
                    | PageSource::CatalogueFile(CatalogueFile::Updates)
                    | PageSource::Missing => None,
                    _ => continue,
                };
                if kind.is_none_or(|kind| tried.insert(kind)) {
                    self.render(path, *source);
                }
            }
            self.not_found("");
        }
        self.templates.failures()
    }
}

impl<'a> Renderer<'a> {
    /// Begins without a last page.
    pub(crate) fn new(site: &'a Site, schemas: &'a [ServiceSchemas<'a>]) -> Self {
        Self {
            site,
            schemas,
            last: None,
        }
    }

    /// Renders a file from its source.
    pub(crate) fn render(&mut self, path: &str, source: PageSource) -> Page {
        let site = self.site;
        let text = match source {
            PageSource::Catalogue => site.shell(&view::site_page(
                site,
                "index.html",
                view::catalogue(site, PageFormat::Html, ""),
            )),
            PageSource::CatalogueMarkdown => {
                view::catalogue(site, PageFormat::Markdown, "").into_string()
            }
            PageSource::Page(service, target) => {
                let scope = self.scope(service, Medium::Folder, target);
                let view = self.view(service, target);
                site.shell(&view::shell(&scope, view.content(&scope)))
            }
            PageSource::MarkdownPage(service, target) => {
                let scope = self.scope(service, Medium::Markdown, target);
                let view = self.view(service, target);
                view.content(&scope).main.into_string()
            }
            PageSource::LlmsText(service) => self.list_of_pages(service, "").into_string(),
            #[cfg(feature = "publish")]
            PageSource::CatalogueFile(file) => {
                // Only a front has such files.
                match site.front() {
                    Some(front) => site.catalogue_file(file, front),
                    None => String::new(),
                }
            }
            #[cfg(feature = "publish")]
            PageSource::SitemapIndex => discovery::sitemap_index(site),
            // Only a catalogue has these.
            #[cfg(not(feature = "publish"))]
            PageSource::CatalogueFile(_) | PageSource::SitemapIndex => String::new(),
            PageSource::SearchIndex => search::script(&search::index(site, Medium::Folder)),
            PageSource::Sitemap => site.sitemap(),
            PageSource::Robots => {
                let sitemap = site.absolute("sitemap.xml").unwrap_or_default();
                format!("User-agent: *\nAllow: /\n\nSitemap: {sitemap}\n")
            }
            PageSource::Missing => {
                let root = site
                    .appearance
                    .base
                    .as_ref()
                    .map_or("", |base| base.0.path());
                site.shell(&view::missing(site, root, None))
            }
            PageSource::Asset(asset) => site.assets[asset].text.clone(),
            PageSource::Image(image) => {
                // The entries are made from the images.
                let image = site.appearance.images().nth(image);
                let bytes = image.map(|image| image.bytes.clone());
                return Site::file(path, bytes.unwrap_or_default());
            }
            PageSource::Download(..) | PageSource::LlmsFullText(_) => {
                let mut bytes = Vec::new();
                // Writing to memory does not fail.
                let _ = site.write_large(source, &mut bytes);
                return Site::file(path, bytes);
            }
        };
        Site::file(path, text.into_bytes())
    }

    /// Renders the `llms.txt` of a service, for a folder from which `root` leads to that of the service.
    fn list_of_pages(&self, service: usize, root: &str) -> Markup {
        let scope = self.scope(service, Medium::Markdown, PageTarget::Overview);
        view::llms(scope, root)
    }

    /// Returns the context of a page.
    fn scope(&self, service: usize, medium: Medium, target: PageTarget) -> PageScope<'a> {
        let site = self.site;
        let schemas = &self.schemas[service];
        PageScope::new(site, &site.services[service], medium, target, schemas).with_marked_changes()
    }

    /// Returns the view of a page, which its HTML and its Markdown share.
    fn view(&mut self, service: usize, target: PageTarget) -> &PageView<'a> {
        let site = self.site;
        let schemas = &self.schemas[service];
        let last = match self.last.take() {
            Some(last) if last.service == service && last.target == target => last,
            _ => LastView {
                service,
                target,
                view: PageView::new(&site.services[service], schemas, target),
            },
        };
        &self.last.insert(last).view
    }
}

//! Rendered pages. Each is rendered once, when it is first requested.
//!
//! A site may have thousands of pages, and most are never read. Those that are stay compressed.

use std::collections::HashMap;
use std::io::Read;
use std::sync::OnceLock;

use bytes::Bytes;
use docent_core::Service;
use docent_docs_gen::{PLACEHOLDER_ORIGIN, Page, Site};
use flate2::Compression;
use flate2::read::GzDecoder;
use memchr::memmem;

use crate::cache::Hash;
use crate::coding::gzip;
use crate::pieces::Body;
use crate::unpacking::Unpacking;

/// A site, with the pages that have been requested.
#[derive(Debug)]
pub(super) struct Pages {
    pub(super) site: Site,
    /// The services that the site describes.
    pub(super) services: Vec<Service>,
    kept: HashMap<String, LazyPage>,
    /// The `llms.txt` for the root of the server.
    root_list: OnceLock<KeptPage>,
}

/// A page, which is rendered when it is first requested.
type LazyPage = OnceLock<Option<KeptPage>>;

/// A rendered page, compressed: its text would take five times the memory, and few clients need it.
#[derive(Debug, Clone)]
pub(super) struct KeptPage {
    pub(super) compressed: Bytes,
    /// The length of the text.
    length: usize,
    pub(super) content_type: &'static str,
    /// True if the text names the host that the caller has found.
    names_host: bool,
    /// A hash of the text.
    hash: Hash,
}

impl Pages {
    pub(super) fn new(site: Site, services: Vec<Service>) -> Self {
        Self {
            kept: site
                .paths()
                .map(|path| (path.to_owned(), OnceLock::new()))
                .collect(),
            site,
            services,
            root_list: OnceLock::new(),
        }
    }

    /// Returns `llms.txt` for the root of the server, from which `folder` leads to the site.
    pub(super) fn root_list(&self, folder: &str) -> &KeptPage {
        self.root_list
            .get_or_init(|| KeptPage::new(&self.site.llms_text(folder)))
    }

    /// Returns whether that list has not been requested yet.
    pub(super) fn is_root_list_unrendered(&self) -> bool {
        self.root_list.get().is_none()
    }

    /// Returns the page at a path: `""` and the path of a folder lead to its `index.html`, and any
    /// other path to that file. A request for a page that is being rendered waits for it.
    pub(super) fn page(&self, path: &str) -> Option<&KeptPage> {
        let (path, page) = self.find(path)?;
        page.get_or_init(|| self.site.page(path).as_ref().map(KeptPage::new))
            .as_ref()
    }

    /// Returns whether there is a page at a path that has not been requested yet.
    pub(super) fn is_unrendered(&self, path: &str) -> bool {
        let page = self.find(path);
        page.is_some_and(|(_, page)| page.get().is_none())
    }

    /// Returns whether the site has a file with this path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.kept.contains_key(path)
    }

    fn find(&self, path: &str) -> Option<(&String, &LazyPage)> {
        match self.kept.get_key_value(path) {
            None if path.is_empty() || path.ends_with('/') => {
                self.kept.get_key_value(&format!("{path}index.html"))
            }
            // Addresses of pages have no extension.
            None => self.kept.get_key_value(&format!("{path}.html")),
            found => found,
        }
    }
}

impl KeptPage {
    fn new(page: &Page) -> Self {
        Self {
            compressed: gzip(&page.bytes, Compression::best()),
            length: page.bytes.len(),
            content_type: page.content_type,
            names_host: memmem::find(&page.bytes, PLACEHOLDER_ORIGIN.as_bytes()).is_some(),
            hash: Hash::new(&page.bytes),
        }
    }

    /// Returns a hash of the text with this origin in it.
    pub(super) fn hash_at(&self, origin: &str) -> Hash {
        if self.names_host {
            self.hash.and(origin)
        } else {
            self.hash
        }
    }

    /// Returns the page with this origin in its text, or `None` if the text names none. It is written anew
    /// each time: the page would otherwise be in memory once for every host that callers think of.
    pub(super) async fn for_origin(&self, origin: &str) -> Option<Self> {
        if !self.names_host {
            return None;
        }
        let page = self.clone();
        let origin = origin.to_owned();
        let writing = tokio::task::spawn_blocking(move || {
            let mut marked = String::new();
            GzDecoder::new(&*page.compressed)
                .read_to_string(&mut marked)
                .ok()?;
            let text = marked.replace(PLACEHOLDER_ORIGIN, &origin);
            Some(Self {
                compressed: gzip(text.as_bytes(), Compression::fast()),
                length: text.len(),
                ..page
            })
        });
        writing.await.ok()?
    }

    pub(super) fn is_html(&self) -> bool {
        self.content_type.starts_with("text/html")
    }

    /// Returns the text, for clients that do not accept compression.
    pub(super) fn text(&self) -> Body {
        Body::Unpacking(Box::new(Unpacking::new(
            self.compressed.clone(),
            self.length,
        )))
    }
}

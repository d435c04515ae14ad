//! The appearance of a site.

use crate::images::Image;
use crate::publish::BaseUrl;

/// The appearance of a site.
#[derive(Debug, Default)]
pub(crate) struct Appearance {
    pub(crate) title: Option<String>,
    pub(crate) language: (String, &'static str),
    /// The footer, as Markdown.
    pub(crate) footer: Option<String>,
    pub(crate) logo: Option<Image>,
    pub(crate) favicon: Option<Image>,
    pub(crate) base: Option<BaseUrl>,
    /// True if the service itself serves the site.
    pub(crate) is_live: bool,
    /// True if the addresses of pages have no extension.
    pub(crate) is_clean: bool,
}

impl Appearance {
    pub(crate) fn images(&self) -> impl Iterator<Item = &Image> {
        self.logo.iter().chain(&self.favicon)
    }
}

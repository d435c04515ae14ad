//! The appearance of a site: the author's choices that are the same on every page.
//!
//! Colours are not here, because they become part of the style sheet (`colours`), and neither are the
//! texts of the interface (`strings`).

use crate::images::Image;
use crate::publish::BaseUrl;

/// The appearance of a site.
#[derive(Debug, Default)]
pub(crate) struct Appearance {
    /// The title of the site, if its author gives it another than the name of the service.
    pub(crate) title: Option<String>,
    /// The BCP 47 tag of the language of the interface.
    pub(crate) language: String,
    /// The direction of its writing, as HTML names it: `ltr` or `rtl`.
    pub(crate) direction: &'static str,
    /// The footer, as Markdown.
    pub(crate) footer: Option<String>,
    /// The image before the title.
    pub(crate) logo: Option<Image>,
    /// The icon that browsers show for the site.
    pub(crate) favicon: Option<Image>,
    /// The site's own URL, if it is known.
    pub(crate) base: Option<BaseUrl>,
    /// True if the service itself serves the site.
    pub(crate) is_live: bool,
    /// True if the addresses of pages have no extension.
    pub(crate) is_clean: bool,
}

impl Appearance {
    /// Returns the images that the author provides, in the order of their files.
    pub(crate) fn images(&self) -> impl Iterator<Item = &Image> {
        self.logo.iter().chain(&self.favicon)
    }
}

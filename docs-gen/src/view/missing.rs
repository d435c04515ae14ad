//! The page for addresses that do not exist.

use serde::Serialize;

use super::nav::service_links;
use super::shell::Shell;
use crate::links::Medium;
use crate::markup::PageForm;
use crate::site::Site;
use crate::templates::TemplateData;

/// The data of the page.
#[derive(Serialize)]
struct MissingPage<'a> {
    name: &'a str,
    home: String,
}

impl TemplateData for MissingPage<'_> {
    const TEMPLATE: &'static str = "missing";
}

/// Returns the page for an address from which `root` leads to the site's folder.
pub(crate) fn missing<'a>(site: &'a Site, root: &str) -> Shell<'a> {
    let name = site.strings.get("missing");
    let page = MissingPage {
        name,
        home: site.home(root),
    };
    let main = site.templates.render(PageForm::Html, &page);
    let nav = service_links(site, Medium::Folder, root, "");
    let mut shell = Shell::new(site, root.to_owned(), Medium::Folder, nav, main);
    shell.title = format!("{name} · {}", site.title);
    shell.missing = true;
    shell
}

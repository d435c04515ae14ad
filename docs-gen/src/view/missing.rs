//! The page for addresses that do not exist, with links to the pages whose names are near to the address.
//! `crate::page_names` finds them, and `crate::site` asks for the page.

use serde::Serialize;

use super::nav::service_links;
use super::scope::Link;
use super::shell::Shell;
use crate::links::{Links, Medium};
use crate::markup::PageFormat;
use crate::page_names::NamedPage;
use crate::plan::PageTarget;
use crate::site::Site;
use crate::templates::TemplateData;

/// The maximum number of pages that an address may mean.
const MAX_NEAR_PAGES: usize = 3;

/// The data of the page.
#[derive(Serialize)]
struct MissingPage<'a> {
    name: &'a str,
    home: String,
    /// The pages that the address may mean.
    near: Vec<NearPage<'a>>,
}

/// A page that an address may mean.
#[derive(Serialize)]
struct NearPage<'a> {
    #[serde(flatten)]
    link: Link,
    /// The name of the service, if the site has several.
    service: Option<&'a str>,
}

impl TemplateData for MissingPage<'_> {
    const TEMPLATE: &'static str = "missing";
}

/// Returns the page for an address from which `root` leads to the site's folder. If the `path` to the address is known,
/// the page has links to those that may be meant.
pub(crate) fn missing<'a>(site: &'a Site, root: &str, path: Option<&str>) -> Shell<'a> {
    let name = site.strings.get("missing");
    let mut near = Vec::new();
    if let Some(path) = path {
        for page in site.page_names().near(&site.services, path, MAX_NEAR_PAGES) {
            near.push(near_page(site, root, page));
        }
    }
    let page = MissingPage {
        name,
        home: site.home(root),
        near,
    };
    let main = site.templates.render(PageFormat::Html, &page);
    let nav = service_links(site, Medium::Folder, root, "");
    let mut shell = Shell::new(site, root.to_owned(), Medium::Folder, nav, main);
    shell.title = format!("{name} · {}", site.title);
    shell.missing = true;
    shell
}

/// Returns the link to a page that an address may mean.
fn near_page<'a>(site: &'a Site, root: &str, page: NamedPage) -> NearPage<'a> {
    let service = &site.services[page.service];
    let plan = &service.plan;
    let stem = plan.stem(page.target);
    let name = match page.target {
        PageTarget::Procedure(index) => &service.options.description.procs[index].name,
        PageTarget::Guide(at) => &site.guides[at].title,
        target => plan
            .single_pages()
            .iter()
            .find(|single| single.target == target)
            .map_or(&*stem, |single| site.strings.get(single.name_key)),
    };
    let to_page = Links::new(plan, Medium::Folder, None).to(page.target);
    NearPage {
        link: Link::named(name, format!("{root}{to_page}")),
        service: site.is_catalogue().then_some(&service.label),
    }
}

//! The page that lists the services of a site: the front of a catalogue, or of the versions of one service. Each
//! service is a card (`crate::part`), which is all that a large catalogue keeps of it.

use serde::Serialize;

use super::scope::Link;
use crate::links::{Links, Medium};
use crate::markdown::phrase;
use crate::markup::{Markup, PageFormat};
use crate::part::ServiceCard;
use crate::plan::PageTarget;
use crate::publish;
use crate::site::Site;
use crate::templates::TemplateData;
use crate::text::{display_name, plain};

/// The data of the list.
#[derive(Serialize)]
struct CataloguePage<'a> {
    name: &'a str,
    /// The number of services.
    lead: String,
    services: Vec<ListedService<'a>>,
    guides: Vec<Link>,
}

/// A service in the list.
#[derive(Serialize)]
struct ListedService<'a> {
    name: String,
    href: String,
    version: Option<String>,
    /// The sentence on when it was changed last.
    changed: Option<String>,
    /// True if there is a newer version.
    older: bool,
    /// The number of its procedures.
    count: String,
    /// The summary.
    text: Option<Markup>,
    /// The detail that distinguishes it from others of the same name.
    detail: Option<&'a str>,
}

impl TemplateData for CataloguePage<'_> {
    const TEMPLATE: &'static str = "catalogue";
}

/// Renders the list, for a page from which `root` leads to the site's folder.
pub(crate) fn catalogue(site: &Site, format: PageFormat, root: &str) -> Markup {
    let cards = site.cards();
    // Only the Markdown page has no sidebar with the guides.
    let links = Links::new(&site.lead().plan, Medium::Markdown, None);
    let mut guides = Vec::new();
    for (at, guide) in site.guides.iter().enumerate() {
        let href = format!("{root}{}", links.to(PageTarget::Guide(at)));
        guides.push(Link::new(display_name(&guide.title), href));
    }
    let lead = format!("{}.lead", site.list_key());
    let page = CataloguePage {
        name: &site.title,
        lead: site.strings.count(&lead, cards.len()),
        services: cards
            .iter()
            .map(|card| listed_service(site, format, root, card))
            .collect(),
        guides,
    };
    site.templates.render(format, &page)
}

/// Returns a service in the list.
fn listed_service<'a>(
    site: &Site,
    format: PageFormat,
    root: &str,
    card: &'a ServiceCard,
) -> ListedService<'a> {
    let description = &card.description;
    let folder = &card.folder;
    ListedService {
        name: display_name(&description.name),
        href: match format {
            PageFormat::Html => {
                publish::address_from(folder, site.appearance.is_clean, "index.html")
            }
            PageFormat::Markdown => format!("{root}{folder}llms.txt"),
        },
        version: description.version.as_deref().map(plain),
        changed: card
            .date
            .as_deref()
            .map(|day| site.strings.with("catalogue.changed", &plain(day))),
        older: card.is_older,
        count: site.strings.count("count.procedures", card.procedures),
        text: description
            .summary
            .as_deref()
            .map(|summary| about_service(format, summary)),
        detail: card.detail.as_deref(),
    }
}

/// Writes the summary of a service: rendered on the page, and as plain text in Markdown, which is an `llms.txt` too.
fn about_service(format: PageFormat, summary: &str) -> Markup {
    match format {
        PageFormat::Html => phrase::summary(format, summary, &|_| None),
        PageFormat::Markdown => Markup::escaped(format, &phrase::plain(summary)),
    }
}

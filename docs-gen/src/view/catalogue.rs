//! The page that lists the services of a site.

use serde::Serialize;

use super::scope::Link;
use crate::links::{Links, Medium};
use crate::markdown::phrase;
use crate::markup::{Markup, PageForm};
use crate::plan::PageTarget;
use crate::publish;
use crate::site::Site;
use crate::templates::TemplateData;
use crate::text::{plain, shown_name};

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
    /// What distinguishes it from others of the same name.
    detail: Option<&'a str>,
}

impl TemplateData for CataloguePage<'_> {
    const TEMPLATE: &'static str = "catalogue";
}

/// Renders the list, for a page from which `root` leads to the site's folder.
pub(crate) fn catalogue(site: &Site, form: PageForm, root: &str) -> Markup {
    let cards = site.cards();
    let services = cards.iter().map(|card| {
        let description = &card.description;
        let folder = &card.folder;
        let is_clean = site.appearance.is_clean;
        ListedService {
            name: shown_name(&description.name),
            href: match form {
                PageForm::Html => publish::address_from(folder, is_clean, "index.html"),
                PageForm::Markdown => format!("{root}{folder}llms.txt"),
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
                .map(|summary| about_service(form, summary)),
            detail: card.detail.as_deref(),
        }
    });
    // Only the Markdown form has no sidebar with the guides.
    let links = Links::new(&site.lead().plan, Medium::Markdown, None);
    let guides = site.guides.iter().enumerate().map(|(at, guide)| {
        let href = format!("{root}{}", links.to(PageTarget::Guide(at)));
        Link::new(shown_name(&guide.title), href)
    });
    let lead = format!("{}.lead", site.list_key());
    let page = CataloguePage {
        name: &site.title,
        lead: site.strings.count(&lead, cards.len()),
        services: services.collect(),
        guides: guides.collect(),
    };
    site.templates.render(form, &page)
}

/// Writes the summary of a service: rendered on the page, and as plain text in Markdown, which is an `llms.txt` too.
fn about_service(form: PageForm, summary: &str) -> Markup {
    match form {
        PageForm::Html => phrase::summary(form, summary, &|_| None),
        PageForm::Markdown => Markup::escaped(form, &phrase::plain(summary)),
    }
}

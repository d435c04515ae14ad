//! The front page of several services.

use serde::Serialize;

use super::nav::Nav;
use super::overview::PageLink;
use super::shell::{self, Shell};
use crate::links::Medium;
use crate::markup::{Form, Markup};
use crate::publish;
use crate::site::Site;
use crate::text::{plain, shown_name};

#[derive(Debug, Serialize)]
struct View {
    name: String,
    lead: String,
    services: Vec<Entry>,
    /// The guides, for the Markdown form, which has no sidebar.
    guides: Vec<PageLink>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    href: String,
    version: Option<String>,
    /// True if there is a newer version.
    older: bool,
    count: String,
    text: Option<String>,
    /// The detail that distinguishes a service from others of the same name and version.
    detail: Option<String>,
}

/// Renders the catalogue itself.
fn main(site: &Site, form: Form) -> Markup {
    let ordered = site.is_of_versions().then(|| site.ordered());
    let services = ordered
        .unwrap_or_else(|| site.services.iter().collect())
        .into_iter()
        .map(|service| {
            let description = &service.options.description;
            let file = match form {
                Form::Html => "index.html",
                Form::Markdown => "llms.txt",
            };
            let path = format!("{}{file}", service.plan.prefix);
            Entry {
                name: shown_name(&description.name),
                href: publish::address(site.is_clean, &path),
                version: description.version.as_deref().map(plain),
                older: service.version.newest.is_some(),
                count: site
                    .strings
                    .count("count.procedures", description.procs.len()),
                text: description.summary.as_deref().map(plain),
                detail: service.detail.clone(),
            }
        })
        .collect();
    let guides = site.guides.iter().map(|guide| PageLink {
        name: shown_name(&guide.title),
        href: format!("guide/{}.md", guide.slug),
    });
    let view = View {
        name: site.title.clone(),
        lead: site
            .strings
            .count(&format!("{}.lead", site.list_key()), site.services.len()),
        services,
        guides: guides.collect(),
    };
    site.templates.render(form, "catalogue", &view)
}

/// Renders the catalogue's page in Markdown.
pub(crate) fn catalogue_twin(site: &Site) -> Markup {
    main(site, Form::Markdown)
}

/// Returns the catalogue's page with its surroundings.
pub(crate) fn catalogue(site: &Site) -> Shell {
    let base = site.look.base.as_ref();
    Shell {
        lang: site.look.language.0.clone(),
        dir: site.look.language.1,
        logo: shell::logo(site, "", Medium::Folder),
        favicon: shell::favicon(site, "", Medium::Folder),
        footer: shell::footer(site),
        title: site.title.clone(),
        summary: None,
        root: String::new(),
        service_root: String::new(),
        canonical: base.map(|base| base.address(site.is_clean, "index.html")),
        image: shell::image(site),
        missing: false,
        files: shell::files(site),
        home: shell::home(site, ""),
        site_title: site.title.clone(),
        version: None,
        newest: None,
        twin: Some("index.md".to_owned()),
        calls: false,
        callable: false,
        downloads: false,
        nav: Nav::of_services(site, Medium::Folder),
        main: main(site, Form::Html),
        inline: None,
    }
}

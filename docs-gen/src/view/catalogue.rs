//! The front page of several services.

use serde::Serialize;

use super::nav::Nav;
use super::scope::Content;
use super::shell::Shell;
use crate::links::Medium;
use crate::site::Site;
use crate::text::{plain, shown_name};

#[derive(Debug, Serialize)]
struct View {
    name: String,
    lead: String,
    services: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    href: String,
    version: Option<String>,
    count: String,
    text: Option<String>,
}

/// The catalogue's page, in its surroundings.
pub(crate) fn catalogue(site: &Site) -> Shell {
    let services = site
        .services
        .iter()
        .map(|service| {
            let description = &service.options.description;
            Entry {
                name: shown_name(&description.name),
                href: format!("{}index.html", service.plan.prefix),
                version: description.version.as_deref().map(plain),
                count: site
                    .strings
                    .count("count.procedures", description.procs.len()),
                text: description.summary.as_deref().map(plain),
            }
        })
        .collect();
    let view = View {
        name: site.title.clone(),
        lead: site.strings.count("catalogue.lead", site.services.len()),
        services,
    };
    let main = site.templates.render("catalogue", &view);
    surround(
        site,
        Content {
            title: view.name,
            summary: None,
            main,
            problem: None,
        },
    )
}

fn surround(site: &Site, content: Content) -> Shell {
    Shell {
        lang: site.language.0.clone(),
        dir: site.language.1,
        title: content.title,
        summary: content.summary,
        root: String::new(),
        service_root: "",
        home: "index.html".to_owned(),
        site_title: site.title.clone(),
        version: None,
        twin: Some("index.md".to_owned()),
        calls: false,
        downloads: false,
        nav: Nav::of_services(site, Medium::Folder),
        main: content.main,
        inline: None,
    }
}

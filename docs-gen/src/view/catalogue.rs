//! The front page of several services.

use serde::Serialize;

use super::nav::Nav;
use super::shell::{self, Shell};
use crate::links::Medium;
use crate::markup::{Form, Markup};
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
    /// Whether there is a newer version.
    older: bool,
    count: String,
    text: Option<String>,
}

/// The catalogue itself.
fn main(site: &Site, form: Form) -> Markup {
    let services = site
        .services
        .iter()
        .map(|service| {
            let description = &service.options.description;
            let file = match form {
                Form::Html => "index.html",
                Form::Markdown => "llms.txt",
            };
            Entry {
                name: shown_name(&description.name),
                href: format!("{}{file}", service.plan.prefix),
                version: description.version.as_deref().map(plain),
                older: service.newest.is_some(),
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
    site.templates.render(form, "catalogue", &view)
}

/// The catalogue's page in Markdown.
pub(crate) fn catalogue_twin(site: &Site) -> Markup {
    main(site, Form::Markdown)
}

/// The catalogue's page, in its surroundings.
pub(crate) fn catalogue(site: &Site) -> Shell {
    Shell {
        lang: site.look.language.0.clone(),
        dir: site.look.language.1,
        logo: shell::logo(site, "", Medium::Folder),
        favicon: shell::favicon(site, "", Medium::Folder),
        footer: shell::footer(site),
        title: site.title.clone(),
        summary: None,
        root: String::new(),
        service_root: "",
        home: "index.html".to_owned(),
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

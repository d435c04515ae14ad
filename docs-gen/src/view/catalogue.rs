//! The front page of several services.

use docent_describe::ServiceDescription;
use serde::Serialize;

use super::nav::Nav;
use super::shell::{self, Shell};
use crate::links::Medium;
use crate::markup::{Form, Markup};
use crate::publish;
use crate::service::Service;
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
    /// What tells a service from others of the same name and version.
    detail: Option<String>,
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
            let path = format!("{}{file}", service.plan.prefix);
            Entry {
                name: shown_name(&description.name),
                href: publish::address(site.is_clean, &path),
                version: description.version.as_deref().map(plain),
                older: service.newest.is_some(),
                count: site
                    .strings
                    .count("count.procedures", description.procs.len()),
                text: description.summary.as_deref().map(plain),
                detail: twin(site, description).then(|| detail(site, service)),
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

/// Whether another service has the same name and version.
fn twin(site: &Site, description: &ServiceDescription) -> bool {
    let same = site.services.iter().filter(|other| {
        let other = &other.options.description;
        other.name == description.name && other.version == description.version
    });
    same.count() > 1
}

/// The address or the identifier of a service, if no other has it, or else its folder.
fn detail(site: &Site, service: &Service) -> String {
    let facts = |service: &Service| {
        let description = &service.options.description;
        [description.address.clone(), Some(description.id.clone())]
    };
    let own = facts(service).into_iter().enumerate();
    let own = own.filter_map(|(at, own)| Some((at, own.filter(|own| !own.is_empty())?)));
    let is_unique = |(at, own): &(usize, String)| {
        let same = |other: &&Service| facts(other)[*at].as_ref() == Some(own);
        site.services.iter().filter(same).count() == 1
    };
    let own = own.into_iter().find(is_unique).map(|(_, own)| own);
    plain(&own.unwrap_or_else(|| service.plan.prefix.trim_end_matches('/').to_owned()))
}

/// The catalogue's page in Markdown.
pub(crate) fn catalogue_twin(site: &Site) -> Markup {
    main(site, Form::Markdown)
}

/// The catalogue's page, in its surroundings.
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

//! The page for addresses that do not exist.

use serde::Serialize;

use super::nav::Nav;
use super::shell::{self, Shell};
use crate::links::Medium;
use crate::markup::Form;
use crate::publish;
use crate::site::Site;

#[derive(Debug, Serialize)]
struct View {
    name: String,
    home: String,
    index: Option<String>,
}

/// Returns the page, for an address from which `root` leads to the site's folder.
pub(crate) fn missing(site: &Site, root: &str) -> Shell {
    let home = shell::home(site, root);
    // A catalogue has an index for each of its services.
    let index = (!site.is_catalogue()).then(|| {
        format!(
            "{root}{}",
            publish::address(site.is_clean, "names/index.html")
        )
    });
    let view = View {
        name: site.strings.get("missing").to_owned(),
        home: home.clone(),
        index,
    };
    let main = site.templates.render(Form::Html, "missing", &view);
    Shell {
        lang: site.look.language.0.clone(),
        dir: site.look.language.1,
        logo: shell::logo(site, root, Medium::Folder),
        favicon: shell::favicon(site, root, Medium::Folder),
        footer: shell::footer(site),
        title: format!("{} · {}", view.name, site.title),
        summary: None,
        root: root.to_owned(),
        service_root: root.to_owned(),
        canonical: None,
        image: None,
        missing: true,
        files: shell::files(site),
        home: home.clone(),
        site_title: site.title.clone(),
        version: None,
        newest: None,
        twin: None,
        calls: false,
        callable: false,
        downloads: false,
        nav: Nav::of_missing(site, home),
        main,
        inline: None,
    }
}

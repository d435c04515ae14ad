//! What surrounds every page.

use docent_describe::json::shorten;
use serde::Serialize;

use super::nav::Nav;
use super::scope::{Content, Scope};
use crate::links::Medium;
use crate::markup::Markup;
use crate::plan::Target;

/// The view of the template `page`.
#[derive(Debug, Serialize)]
pub(crate) struct Shell {
    pub(crate) lang: String,
    pub(crate) dir: &'static str,
    pub(crate) title: String,
    pub(crate) summary: Option<String>,
    pub(crate) root: String,
    pub(crate) service_root: &'static str,
    pub(crate) home: String,
    pub(crate) site_title: String,
    pub(crate) version: Option<String>,
    /// The newest version, if that is another service.
    pub(crate) newest: Option<Newest>,
    pub(crate) twin: Option<String>,
    pub(crate) calls: bool,
    pub(crate) downloads: bool,
    pub(crate) nav: Nav,
    pub(crate) main: Markup,
    /// The single file's own head, in place of links to files.
    pub(crate) inline: Option<Inline>,
}

/// A link to the newest version.
#[derive(Debug, Serialize)]
pub(crate) struct Newest {
    pub(super) href: String,
    pub(super) text: String,
}

/// What the single file has inside instead of beside it.
#[derive(Debug, Serialize)]
pub(crate) struct Inline {
    pub(crate) policy: String,
    pub(crate) style: Markup,
}

/// Puts a page's own part into its surroundings.
pub(crate) fn shell(scope: &Scope<'_>, content: Content) -> Shell {
    let site = scope.site;
    let description = scope.description();
    let folder = scope.links.medium == Medium::Folder;
    let title = if scope.target == Target::Overview {
        content.title
    } else {
        let service = &scope.service.label;
        let name = if *service == description.name {
            &site.title
        } else {
            service
        };
        format!("{} · {name}", content.title)
    };
    Shell {
        lang: site.language.0.clone(),
        dir: site.language.1,
        title: shorten(&title, 200).into_owned(),
        summary: content.summary,
        root: scope.links.to_root(),
        service_root: scope.links.to_service(),
        home: if site.is_catalogue() && folder {
            format!("{}index.html", scope.links.to_root())
        } else {
            scope.links.to(Target::Overview)
        },
        site_title: site.title.clone(),
        version: version(scope),
        newest: newest(scope).filter(|_| folder),
        twin: folder.then(|| twin_name(&scope.service.plan.stem(scope.target))),
        calls: matches!(scope.target, Target::Procedure(_)),
        downloads: folder,
        nav: if site.is_catalogue() && !folder {
            Nav::of_services(site, Medium::Single)
        } else {
            Nav::of(scope)
        },
        main: content.main,
        inline: None,
    }
}

/// The version, with the service's name where the site has several versions of it.
fn version(scope: &Scope<'_>) -> Option<String> {
    let description = scope.description();
    let label = &scope.service.label;
    let is_single = scope.links.medium == Medium::Single;
    let text = if scope.site.is_catalogue() && (is_single || *label == description.name) {
        None
    } else if scope.site.is_catalogue() {
        Some(label)
    } else {
        description.version.as_ref()
    };
    text.map(|text| shorten(text, 60).into_owned())
}

pub(super) fn newest(scope: &Scope<'_>) -> Option<Newest> {
    let newest = &scope.site.services[scope.service.newest?];
    let version = newest.options.description.version.as_deref();
    Some(Newest {
        href: match scope.links.medium {
            Medium::Folder => format!("{}{}index.html", scope.links.to_root(), newest.plan.prefix),
            Medium::Twins => format!("{}{}index.md", scope.links.to_root(), newest.plan.prefix),
            Medium::Single => format!("#{}", newest.plan.section(Target::Overview)),
        },
        text: scope
            .strings
            .with("version.newest", &shorten(version.unwrap_or_default(), 60)),
    })
}

/// The Markdown twin stands beside its page.
fn twin_name(stem: &str) -> String {
    let name = stem.rsplit('/').next().unwrap_or(stem);
    format!("{name}.md")
}

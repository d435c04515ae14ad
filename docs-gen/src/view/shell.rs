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
    pub(crate) twin: Option<String>,
    pub(crate) calls: bool,
    pub(crate) downloads: bool,
    pub(crate) nav: Nav,
    pub(crate) main: Markup,
    /// The single file's own head, in place of links to files.
    pub(crate) inline: Option<Inline>,
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
        format!("{} · {}", content.title, site.title)
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
        version: description
            .version
            .as_deref()
            .filter(|_| !site.is_catalogue())
            .map(|text| shorten(text, 60).into_owned()),
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

/// The Markdown twin stands beside its page.
fn twin_name(stem: &str) -> String {
    let name = stem.rsplit('/').next().unwrap_or(stem);
    format!("{name}.md")
}

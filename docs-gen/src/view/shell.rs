//! The surroundings of every page.

use docent_describe::json::shorten;
use serde::Serialize;

use super::nav::Nav;
use super::scope::{Content, Scope};
use super::versions::Newest;
use crate::images::Image;
use crate::links::Medium;
use crate::markdown;
use crate::markup::{Form, Markup};
use crate::plan::Target;
use crate::publish;
use crate::site::Site;

/// The view of the template `page`.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what a template asks about a page, one a question"
)]
#[derive(Debug, Serialize)]
pub(crate) struct Shell {
    pub(crate) lang: String,
    pub(crate) dir: &'static str,
    /// The address of the logo.
    pub(crate) logo: Option<String>,
    pub(crate) favicon: Option<Favicon>,
    pub(crate) footer: Option<Markup>,
    pub(crate) title: String,
    pub(crate) summary: Option<String>,
    pub(crate) root: String,
    pub(crate) service_root: String,
    /// The absolute address of the page, if that of the site is known.
    pub(crate) canonical: Option<String>,
    /// The absolute address of an image for links to the page.
    pub(crate) image: Option<String>,
    /// True if the page stands for one that does not exist.
    pub(crate) missing: bool,
    pub(crate) files: Files,
    pub(crate) home: String,
    pub(crate) site_title: String,
    pub(crate) version: Option<String>,
    /// The newest version, if this is another.
    pub(crate) newest: Option<Newest>,
    pub(crate) twin: Option<String>,
    pub(crate) calls: bool,
    /// True if some part of the page makes calls.
    pub(crate) callable: bool,
    pub(crate) downloads: bool,
    pub(crate) nav: Nav,
    pub(crate) main: Markup,
    /// The head of the single file, in place of links to files.
    pub(crate) inline: Option<Inline>,
}

/// The policy and the style that are inside the single file, instead of next to it.
#[derive(Debug, Serialize)]
pub(crate) struct Inline {
    pub(crate) policy: String,
    pub(crate) style: Markup,
}

/// The icon of the site, if it has one of its own.
#[derive(Debug, Serialize)]
pub(crate) struct Favicon {
    href: String,
    content_type: &'static str,
}

/// Returns the address of the logo. The single file contains the image itself.
pub(super) fn logo(site: &Site, root: &str, medium: Medium) -> Option<String> {
    let logo = site.look.logo.as_ref()?;
    Some(address(logo, root, medium))
}

pub(super) fn favicon(site: &Site, root: &str, medium: Medium) -> Option<Favicon> {
    let icon = site.look.favicon.as_ref()?;
    Some(Favicon {
        href: address(icon, root, medium),
        content_type: icon.content_type,
    })
}

fn address(image: &Image, root: &str, medium: Medium) -> String {
    match medium {
        Medium::Single => image.inline(),
        Medium::Folder | Medium::Twins => format!("{root}{}", image.path),
    }
}

pub(super) fn footer(site: &Site) -> Option<Markup> {
    let footer = site.look.footer.as_deref()?;
    Some(markdown::render(Form::Html, footer, 2))
}

/// Returns the front page of the site.
pub(super) fn home(site: &Site, root: &str) -> String {
    match publish::address(site.is_clean, "index.html") {
        address if root.is_empty() || address != "./" => format!("{root}{address}"),
        _ => root.to_owned(),
    }
}

fn canonical(site: &Site, scope: &Scope<'_>) -> Option<String> {
    if scope.links.medium != Medium::Folder {
        return None;
    }
    let plan = &scope.service.plan;
    let path = plan.section(scope.target);
    let path = format!("{}.html", path.trim_start_matches('/'));
    let base = site.look.base.as_ref()?;
    Some(base.address(site.is_clean, &path))
}

/// Returns the address of the logo, unless it is a drawing (SVG), which link previews do not support.
pub(super) fn image(site: &Site) -> Option<String> {
    let logo = site.look.logo.as_ref();
    let logo = logo.filter(|logo| logo.content_type != "image/svg+xml")?;
    Some(site.look.base.as_ref()?.address(false, &logo.path))
}

/// The paths of styles and scripts from the site's root.
#[derive(Debug, Serialize)]
pub(crate) struct Files {
    style_css: String,
    icon_svg: String,
    theme_js: String,
    docent_js: String,
    /// The front page of a service, from its folder.
    front: String,
}

pub(super) fn files(site: &Site) -> Files {
    let path = |name: &str| {
        let asset = site.assets.iter().find(|asset| asset.name == name);
        asset.map(|asset| asset.path.clone()).unwrap_or_default()
    };
    Files {
        style_css: path("style.css"),
        icon_svg: path("icon.svg"),
        theme_js: path("theme.js"),
        docent_js: path("docent.js"),
        front: publish::address(site.is_clean, "index.html"),
    }
}

/// Puts the main part of a page into its surroundings.
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
        lang: site.look.language.0.clone(),
        dir: site.look.language.1,
        logo: logo(site, &scope.links.to_root(), scope.links.medium),
        favicon: favicon(site, &scope.links.to_root(), scope.links.medium),
        footer: footer(site),
        title: shorten(&title, 200).into_owned(),
        summary: content.summary,
        root: scope.links.to_root(),
        service_root: scope.links.to_service(),
        canonical: canonical(site, scope),
        image: image(site),
        missing: false,
        files: files(site),
        home: if site.is_catalogue() && folder {
            home(site, &scope.links.to_root())
        } else {
            scope.links.to(Target::Overview)
        },
        site_title: site.title.clone(),
        version: version(scope),
        newest: scope.newest().filter(|_| folder),
        twin: folder.then(|| twin_name(&scope.service.plan.stem(scope.target))),
        calls: matches!(scope.target, Target::Procedure(_)),
        callable: !folder || matches!(scope.target, Target::Procedure(_)),
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

/// Returns the text next to the site's title: the version or, in a catalogue of several services, the
/// service's label.
fn version(scope: &Scope<'_>) -> Option<String> {
    let (site, service) = (scope.site, scope.service);
    let description = scope.description();
    let is_single = scope.links.medium == Medium::Single;
    let text = if !site.is_catalogue() {
        description.version.as_ref()
    } else if is_single || service.label == description.name {
        None
    } else if site.is_of_versions() {
        Some(&service.version.name)
    } else {
        Some(&service.label)
    };
    text.map(|text| shorten(text, 60).into_owned())
}

/// Returns the file name of the Markdown twin, which is next to its page.
fn twin_name(stem: &str) -> String {
    let name = stem.rsplit('/').next().unwrap_or(stem);
    format!("{name}.md")
}
